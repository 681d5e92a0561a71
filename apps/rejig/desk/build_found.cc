// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/desk/build_found.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;

namespace {

bool has(const fs::path& project, const char* name) {
  std::error_code error;
  return fs::is_regular_file(project / name, error);
}

std::string text_of(const fs::path& file) {
  auto text = base::read_file(file.string());
  return text.ok() ? std::move(*text) : std::string();
}

// The wrapper that lies beside it is what the project is built with.
std::string program_of(const fs::path& project, const char* wrapper,
                       const char* program) {
  return has(project, wrapper) ? "./" + std::string(wrapper) : program;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
  return text;
}

// Ant has no word for it: the first target that is called so.
std::string test_target(const std::string& text) {
  for (const char* name : {"test", "tests", "junit", "run-tests", "check"}) {
    for (const char quote : {'"', '\''}) {
      const std::string wanted = "name=" + std::string(1, quote) + name + quote;
      for (auto at = text.find("<target"); at != std::string::npos;
           at = text.find("<target", at + 1)) {
        const auto end = std::min(text.find('>', at), text.size());
        if (text.substr(at, end - at).find(wanted) != std::string::npos) {
          return name;
        }
      }
    }
  }
  return "test";
}

}  // namespace

BuildFound build_of(const fs::path& project) {
  BuildFound out;
  if (has(project, "pom.xml")) {
    out.tool = "Maven";
    out.file = "pom.xml";
    out.test_command = {program_of(project, "mvnw", "mvn"), "test"};
    const std::string pom = without_blanks(text_of(project / "pom.xml"));
    for (const char* none : {"<forkCount>0<", "<forkMode>never<"}) {
      if (pom.find(none) == std::string::npos) continue;
      out.notes.push_back(
          "pom.xml runs the tests in Maven's own JVM (forkCount 0): they all "
          "run; let Surefire fork one");
    }
    return out;
  }
  for (const char* file : {"settings.gradle", "settings.gradle.kts",
                           "build.gradle", "build.gradle.kts"}) {
    if (!has(project, file)) continue;
    out.tool = "Gradle";
    out.file = file;
    out.test_command = {program_of(project, "gradlew", "gradle"), "test"};
    return out;
  }
  if (has(project, "build.sbt")) {
    out.tool = "sbt";
    out.file = "build.sbt";
    out.test_command = {"sbt", "test"};
    if (text_of(project / "build.sbt").find("fork") == std::string::npos) {
      out.notes.push_back(
          "build.sbt forks no JVM for tests: they run in sbt's own, and all of "
          "them; say `Test / fork := true`");
    }
    return out;
  }
  if (has(project, "build.xml")) {
    out.tool = "Ant";
    out.file = "build.xml";
    out.test_command = {"ant", test_target(text_of(project / "build.xml"))};
    return out;
  }
  return out;
}

std::vector<std::string> source_folders(const fs::path& project) {
  constexpr std::array<const char*, 9> kUsual = {
      "src/main/java",  "src/test/java", "src/main/kotlin",
      "src/test/kotlin", "src/main/scala", "src/test/scala",
      "src/it/java",     "test",           "src"};
  std::vector<std::string> out;
  std::error_code error;
  const auto add_of = [&](const fs::path& module, const std::string& prefix) {
    for (const char* folder : kUsual) {
      const bool plain = std::string_view(folder).find('/') == std::string_view::npos;
      if (plain && (!out.empty() || !prefix.empty())) continue;
      if (fs::is_directory(module / folder, error)) {
        out.push_back(prefix + folder);
      }
    }
  };
  std::vector<fs::path> modules;
  for (const auto& entry : fs::directory_iterator(project, error)) {
    if (entry.is_directory(error) &&
        fs::is_directory(entry.path() / "src" / "main", error)) {
      modules.push_back(entry.path());
    }
  }
  std::sort(modules.begin(), modules.end());
  for (const auto& module : modules) {
    add_of(module, module.filename().string() + "/");
  }
  add_of(project, "");
  return out;
}

std::string shell_words(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_./:=@,+%";
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) {
      if (c == '\'') {
        out += "'\\''";
      } else {
        out += c;
      }
    }
    out += '\'';
  }
  return out;
}

}  // namespace rejig::app
