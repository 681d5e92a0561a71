// SPDX-License-Identifier: Apache-2.0
// How is this project built, and with which command are its tests run? Asked of
// the files at its root; nothing is executed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rejig::app {

struct BuildFound {
  std::string tool;  // "Maven", "Gradle", "sbt", "Ant"; empty: none is known
  std::string file;  // that says so: "pom.xml"
  std::vector<std::string> test_command;  // empty: the user knows it
  std::vector<std::string> notes;  // what of it selection cannot work with
};
BuildFound build_of(const std::filesystem::path& project);

// Folders with sources that are there, below the project.
std::vector<std::string> source_folders(const std::filesystem::path& project);

// "mvn test"; words as a shell takes them.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace rejig::app
