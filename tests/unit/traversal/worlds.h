// SPDX-License-Identifier: Apache-2.0
// Which dangerous edges has a tiny pair of programs? Sources of both versions
// in one text (column 1: ' ' both, '-' old, '+' new), compiled once for many
// pairs: each pair is a package of its own in one world.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rejig::test {

// "D1 A.f()V": rule and entity, without the package.
using Edges = std::set<std::string>;

// A folder that is removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Pair {
  std::string package;
  std::string text;  // ">> A.java" begins a file
};

// All edges of two class directories by package.
std::map<std::string, Edges> edges_of(const std::filesystem::path& old_root,
                                      const std::filesystem::path& new_root);

// The JVM's home, found by `java` on the PATH; JDK 25 by JDK25_HOME or beside.
std::string jdk17();
std::string jdk25();
// A compiler's command line without output folder and sources.
std::string javac17(unsigned release);
std::string javac25(unsigned release);
std::string ecj(unsigned release);

// A jar of that set of tests/support/artifacts.
std::string artifact(const std::string& set, const std::string& file);

// Compiles both versions and compares them.
std::map<std::string, Edges> edges_of(const std::vector<Pair>& pairs,
                                      const std::string& old_compiler,
                                      const std::string& new_compiler);

// Of these, the ones of channels C1 and C2.
Edges bodies(const Edges& edges);

}  // namespace rejig::test
