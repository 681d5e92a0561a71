// SPDX-License-Identifier: Apache-2.0
// What does an editor need so that a key runs the affected tests and a click
// opens the place? Files in the editor's own form, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rejig::app {

struct IdeFile {
  std::string path;  // below the project
  std::string text;
};

struct IdeAsks {
  std::string run;     // "rejig run -- mvn test", as a shell takes it
  std::string watch;   // "rejig watch -- mvn test"
  std::vector<std::string> select;  // words of `select --format gcc …`
};

const std::vector<std::string>& ide_names();
std::vector<IdeFile> ide_files(std::string_view ide, const IdeAsks& asks);
// What a person does with them, a line each.
std::vector<std::string> ide_steps(std::string_view ide);

// Text of XML, in quotes too.
std::string xml_text(std::string_view text);

}  // namespace rejig::app
