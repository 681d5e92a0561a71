// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_question.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>

#include "apps/session/one_line.h"
#include "classfile/program/program.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

// Build tools hand a class path over in the manifest of an archive that they
// make for each JVM and that holds nothing else.
bool holds_nothing(const classfile::Program& program) {
  const auto elsewhere = [](const auto& file) { return file.root != 0; };
  return std::ranges::all_of(program.classes(), elsewhere) &&
         std::ranges::all_of(program.shadowed(), elsewhere) &&
         std::ranges::all_of(program.resources(), [&](const auto& file) {
           return elsewhere(file) || file.name == "META-INF/MANIFEST.MF";
         });
}

// The class path with what the manifests of its archives bring, each archive
// followed by its own: also what only a manifest names is copied or compared.
base::Result<std::vector<std::string>> with_manifests(
    const std::vector<std::string>& class_path) {
  std::vector<std::string> out;
  std::set<std::string> known;
  std::error_code error;
  for (const auto& root : class_path) {
    known.insert(fs::weakly_canonical(root, error).string());
  }
  for (const auto& root : class_path) {
    if (!fs::is_regular_file(root, error)) {
      out.push_back(root);
      continue;
    }
    base::Diagnostics diagnostics;
    REJIG_TRY(const auto program,
              classfile::Program::load({root}, {}, diagnostics));
    if (!holds_nothing(program)) out.push_back(root);
    for (const auto& artefact : program.roots()) {
      const auto path = fs::weakly_canonical(artefact->path(), error).string();
      if (known.insert(path).second) out.push_back(artefact->path());
    }
  }
  return out;
}

}  // namespace

base::Result<void> parse_question(const std::string& text,
                                  const base::Result<std::string>& variables,
                                  const std::string& project, Question& out) {
  std::istringstream lines(text);
  std::string line;
  bool ended = false;
  const auto wrong = [](const std::string& what) {
    return Error{Errc::kMalformed, what, "the question of a JVM"};
  };
  if (!std::getline(lines, line) || line != "rejig-ask 2") {
    return wrong("another version");
  }
  auto& start = out.start;
  while (std::getline(lines, line)) {
    const auto blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value =
        unescaped(blank == std::string::npos ? "" : line.substr(blank + 1));
    if (key == "suite") out.suite = value;
    if (key == "directory") start.directory = value;
    if (key == "cwd") start.cwd = value;
    if (key == "home") start.home = value;
    if (key == "java") out.java = value;
    if (key == "runner") start.runner = value;
    if (key == "argument") start.arguments.push_back(value);
    if (key == "main") start.main.push_back(value);
    if (key == "matters") start.matters.push_back(value);
    if (key == "property") start.properties.push_back(value);
    if (key == "assertions") start.assertions.push_back(value);
    if (key == "unknown") {
      return wrong("it cannot say " + value);
    }
    if (key == "pid") {
      std::from_chars(value.data(), value.data() + value.size(), out.pid);
    }
    if (key == "path" && std::find(out.class_path.begin(), out.class_path.end(),
                                   value) == out.class_path.end()) {
      out.class_path.push_back(value);
    }
    ended = key == "end";
  }
  if (!start.matters.empty() && out.pid != 0) {
    return wrong("a JVM cannot say what matters of it");
  }
  if (!ended || out.suite.empty()) return wrong("not all of it is there");
  if (!variables.ok()) return variables.error();
  std::istringstream entries(*variables);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    start.variables.push_back(entry);
  }
  out.setting = Setting(start, {project, repository_of(start)});
  REJIG_TRY(out.class_path, with_manifests(out.class_path));
  return {};
}

std::string question_text(const std::string& text, const Question& question) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("path ") || line.starts_with("pid ") ||
        line.starts_with("main ")) {
      continue;
    }
    if (line == "end") {
      for (const auto& entry : question.class_path) {
        out += "path " + escaped(entry) + "\n";
      }
      for (const auto& word : words_that_matter(question.start)) {
        out += "matters " + escaped(word) + "\n";
      }
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace rejig::app
