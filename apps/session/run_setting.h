// SPDX-License-Identifier: Apache-2.0
// How was a test JVM started, apart from its class path? The arguments as the
// JVM took them, in their order, with the content of the files that they name;
// what the main class was told, but for the choice of tests; its system
// properties and its zone; the files of the JDK that the JVM reads by itself. A
// test may see each of them unseen, so another value than in the baseline means
// all tests. What a build tool gives to each JVM anew is left out. Values are
// kept as digests. It errs towards other: a file that cannot be read is equal
// to itself only as long as its size and time are.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rejig::app {

// As the JVM says.
struct Start {
  std::string directory;  // user.dir
  std::string cwd;
  std::string home;    // of the JDK
  std::string runner;  // the build tool's worker; empty: a command line
  std::vector<std::string> arguments;   // of the JVM, @files and all expanded
  std::vector<std::string> main;        // main class or archive, and its words
  std::vector<std::string> matters;     // of these, if they were judged already
  std::vector<std::string> properties;  // "NAME=VALUE"
  std::vector<std::string> assertions;  // of the class loaders, as they stand
  std::vector<std::string> variables;   // "NAME=VALUE"
};

// Folders that stand elsewhere on another machine, or in another checkout: what
// is below them is compared without them.
struct Places {
  std::string project;
  std::string repository;  // of Maven
};

class Setting {
 public:
  Setting() = default;
  Setting(const Start& start, Places places);

  // A line each, sorted.
  std::string text() const;
  // The names of what is not so in the nearest of these: "property a, option b".
  std::string differences(const std::set<std::string>& texts) const;
  std::string without_places(std::string_view text) const;

 private:
  void put(std::string_view key, std::string_view name, std::string_view value);
  void put_file(std::string_view key, const std::string& path,
                const std::string& folder);
  void put_files_of(std::string_view key, std::string_view list,
                    const std::string& folder);
  void add_arguments(const Start& start);
  void add_properties(const Start& start);
  void add_zone(const Start& start);
  void add_jdk(const std::string& home);

  Places places_;
  std::set<std::string> lines_;
};

// Of "NAME=VALUE"; empty: it is not there.
std::string value_of(const std::vector<std::string>& entries,
                     std::string_view name);

// What Maven calls its local repository: the property of a test JVM, else
// ~/.m2/repository.
std::string repository_of(const Start& start);

// What the main class was told, but for which tests to run, where to report
// and what is another word for each JVM.
std::vector<std::string> words_that_matter(const Start& start);

}  // namespace rejig::app
