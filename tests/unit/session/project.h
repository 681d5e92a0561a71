// SPDX-License-Identifier: Apache-2.0
// A project on disk: a folder of its own as the working directory, class files,
// jars, stores; and somebody who hears what the library says. Of the
// environment nothing is left that would decide anything.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/session/work.h"
#include "coverage/store/row.h"
#include "tests/unit/archive/zip_builder.h"

namespace rejig::app {

// Methods and what they return: static int NAME().
using Methods = std::vector<std::pair<std::string, int>>;

class Heard : public Listener {
 public:
  void error(std::string_view text) override { lines.emplace_back(text); }
  void warning(std::string_view text) override { lines.emplace_back(text); }
  void note(std::string_view text) override { notes.emplace_back(text); }
  void begin_progress() override {}
  void progress(std::string_view, std::uint64_t, std::uint64_t) override {}
  void end_progress() override {}

  std::vector<std::string> lines;  // errors and warnings
  std::vector<std::string> notes;
};

struct StoredRow {
  std::string suite;
  std::string test;
  std::vector<std::string> atoms;
  coverage::Grade grade = coverage::Grade::kComplete;
  coverage::Outcome result = coverage::Outcome::kPass;
};

class Project {
 public:
  Project();
  ~Project();
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& file, const std::string& text) const {
    folder_.write(file, text);
  }
  // "p.A" below that folder; a class of JUnit 4 has tests() instead of ints.
  void write_class(const std::string& folder, const std::string& name,
                   const Methods& methods) const;
  void write_test(const std::string& folder, const std::string& name,
                  const std::vector<std::string>& tests) const;
  // A jar of one class without compression.
  void write_jar(const std::string& file, const std::string& name,
                 const Methods& methods) const;
  std::string digest_of(const std::string& file) const;  // SHA-256, hex

  // "" as digest: the rows are not known to be recorded on anything.
  void write_store(
      const std::string& file, const std::vector<StoredRow>& rows,
      const std::map<std::string, std::string>& classes = {},
      const std::map<std::string, std::string>& environment = {}) const;

 private:
  test::TempFolder folder_;
  std::string before_;
};

}  // namespace rejig::app
