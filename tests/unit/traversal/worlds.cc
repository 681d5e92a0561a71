// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/traversal/worlds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "classfile/program/program.h"
#include "traversal/compare.h"

namespace rejig::test {

namespace fs = std::filesystem;

namespace {

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char text[512];
  while (std::fgets(text, sizeof text, pipe) != nullptr) out += text;
  ::pclose(pipe);
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

void write_version(const Pair& pair, char version, const fs::path& root) {
  std::istringstream lines(pair.text);
  std::string line;
  std::ofstream file;
  while (std::getline(lines, line)) {
    if (line.starts_with(">> ")) {
      const fs::path path = root / pair.package / line.substr(3);
      fs::create_directories(path.parent_path());
      file = std::ofstream(path);
      file << "package " << pair.package
           << "; import java.util.*; import java.util.function.*;\n";
    } else if (!line.empty() && (line[0] == ' ' || line[0] == version)) {
      file << line.substr(1) << '\n';
    }
  }
}

void compile(const std::vector<Pair>& pairs, char version,
             const std::string& compiler, const fs::path& root) {
  const fs::path sources = root / "src";
  for (const Pair& pair : pairs) write_version(pair, version, sources);
  fs::create_directories(root / "classes");
  const std::string command = compiler + " -g -nowarn -proc:none -d '" +
                              (root / "classes").string() + "' $(find '" +
                              sources.string() +
                              "' -name '*.java' | sort) 2>&1";
  const std::string said = output_of(command + " || echo FAILED");
  EXPECT_EQ(said.find("FAILED"), std::string::npos) << command << '\n' << said;
}

}  // namespace

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "rejig-rules-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string jdk17() {
  static const std::string home =
      fs::path(output_of("readlink -f \"$(command -v javac)\""))
          .parent_path()
          .parent_path()
          .string();
  return home;
}

std::string jdk25() {
  static const std::string home = [] {
    if (const char* given = std::getenv("JDK25_HOME")) return std::string(given);
    for (const auto& entry :
         fs::directory_iterator(fs::path(jdk17()).parent_path())) {
      std::ifstream release(entry.path() / "release");
      std::string line;
      while (std::getline(release, line)) {
        if (line.starts_with("JAVA_VERSION=\"25")) return entry.path().string();
      }
    }
    ADD_FAILURE() << "no JDK 25 beside " << jdk17() << "; set JDK25_HOME";
    return std::string();
  }();
  return home;
}

// For so few classes a compiler need not compile itself.
constexpr const char* kQuick =
    "/bin/javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -Xlint:none "
    "--release ";

std::string javac17(unsigned release) {
  return jdk17() + kQuick + std::to_string(release);
}

std::string javac25(unsigned release) {
  return jdk25() + kQuick + std::to_string(release);
}

std::string artifact(const std::string& set, const std::string& file) {
  const std::string folder = std::string(REJIG_ARTIFACTS) + "/" + set;
  const std::string said = output_of(std::string(REJIG_FETCH) + " " + set +
                                     " '" + folder + "' 2>&1 || echo FAILED");
  EXPECT_EQ(said.find("FAILED"), std::string::npos) << said;
  return folder + "/" + file;
}

std::string ecj(unsigned release) {
  static const std::string jar = artifact("ecj", "ecj-3.38.0.jar");
  return jdk17() + "/bin/java -jar '" + jar + "' --release " +
         std::to_string(release);
}

std::map<std::string, Edges> edges_of(const fs::path& old_root,
                                      const fs::path& new_root) {
  base::Diagnostics diagnostics;
  auto load = [&](const std::string& root) {
    auto program = classfile::Program::load({root}, {}, diagnostics);
    EXPECT_TRUE(program.ok()) << root;
    return std::move(program).value();
  };
  const auto old_program = load(old_root.string());
  const auto new_program = load(new_root.string());
  static const auto platform = load(jdk17());
  traversal::CompareInputs inputs;
  inputs.old_internal = &old_program;
  inputs.new_internal = &new_program;
  inputs.old_external = inputs.new_external = {&platform};
  inputs.old_platform = inputs.new_platform = &platform;
  const auto answer = traversal::compare(inputs);
  std::map<std::string, Edges> out;
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().what;
    return out;
  }
  for (const auto& edge : answer.value().edges) {
    const auto dot = edge.entity.find('.');
    out[edge.entity.substr(0, dot)].insert(
        std::string(classfile::name_of(edge.rule)) + ' ' +
        edge.entity.substr(dot + 1));
  }
  return out;
}

std::map<std::string, Edges> edges_of(const std::vector<Pair>& pairs,
                                      const std::string& old_compiler,
                                      const std::string& new_compiler) {
  const Scratch scratch;
  compile(pairs, '-', old_compiler, scratch.path() / "old");
  compile(pairs, '+', new_compiler, scratch.path() / "new");
  return edges_of(scratch.path() / "old" / "classes",
                  scratch.path() / "new" / "classes");
}

Edges bodies(const Edges& edges) {
  Edges out;
  for (const auto& edge : edges) {
    if (edge.starts_with("D1 ") || edge.starts_with("D2 ")) out.insert(edge);
  }
  return out;
}

}  // namespace rejig::test
