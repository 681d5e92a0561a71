// SPDX-License-Identifier: Apache-2.0
// What one JVM recorded, as a test writes it down.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/row/row_file_join.h"

namespace rejig::coverage {

inline constexpr std::uint32_t kCreates = 1;
inline constexpr std::uint32_t kTriggers = 2;
inline constexpr std::uint32_t kFields = 4;
inline constexpr std::uint32_t kWrites = 8;

struct Use {
  std::string name;
  std::uint32_t use = 0;
};

// What the join made of some files.
class Joined {
 public:
  explicit Joined(const std::vector<RowFile>& files,
                  const JoinOptions& options = {}) {
    MatrixBuilder builder;
    report_ = join_row_files(files, options, builder);
    matrix_ = builder.finish();
  }
  const JoinReport& report() const { return report_; }
  Row row(const std::string& test) const {
    const auto rows = matrix_->rows();
    EXPECT_TRUE(rows.ok());
    const RowId id = find(test);
    return id ? (*rows)[id.index()] : Row{};
  }
  Grade grade(const std::string& test) const { return row(test).grade; }
  Outcome result(const std::string& test) const { return row(test).result; }
  std::set<std::string> atoms(const std::string& test) const {
    std::set<std::string> out;
    const RowId id = find(test);
    if (!id) return out;
    const auto atoms = matrix_->atoms_of(id);
    EXPECT_TRUE(atoms.ok());
    for (const auto atom : *atoms) {
      out.insert(classfile::to_string(*matrix_->atom(atom)));
    }
    return out;
  }

 private:
  RowId find(const std::string& test) const {
    const auto id = matrix_->find_row(*report_.suites.begin(), test);
    EXPECT_TRUE(id.ok() && *id) << test;
    return id.ok() ? *id : RowId{};
  }

  JoinReport report_;
  std::unique_ptr<Matrix> matrix_;
};

// Classes are internal unless said otherwise; the test is p.T#x() of class p/T,
// whose container has number 1.
class Jvm {
 public:
  Jvm() {
    file_.scopes[0].has_end = true;
    file_.scopes[0].result = ScopeResult::kPassed;
    file_.atom_kinds = {"m", "inst", "init", "load", "ext", "refl", "res"};
    Scope& container = file_.scopes[1];
    container.id = "p.T";
    end(container);
    test(2, "p.T#x()", 1);
  }

  RecordedClass& cls(const std::string& name,
                     std::vector<std::string> supertypes = {},
                     Origin origin = Origin::kInternal) {
    RecordedClass c;
    c.name = name;
    c.origin = origin;
    c.supertypes = std::move(supertypes);
    file_.classes.push_back(std::move(c));
    return file_.classes.back();
  }
  // The class that was added last refers to it.
  std::uint32_t names(const std::string& name) {
    auto& c = file_.classes.back();
    const auto at = std::find(file_.names.begin(), file_.names.end(), name);
    const auto index = static_cast<std::uint32_t>(at - file_.names.begin());
    if (at == file_.names.end()) file_.names.push_back(name);
    c.names.push_back(index);
    return static_cast<std::uint32_t>(c.names.size() - 1);
  }
  // The number of a method of the class that was added last.
  std::uint32_t method(const std::string& name, std::vector<Use> uses = {}) {
    RecordedMethod m;
    m.name = name;
    m.descriptor = "()V";
    m.has_code = true;
    for (const auto& use : uses) {
      m.uses.push_back(names(use.name) << 5 | use.use);
    }
    auto& c = file_.classes.back();
    file_.methods.emplace_back(file_.classes.size() - 1, c.methods.size());
    c.methods.push_back(std::move(m));
    return static_cast<std::uint32_t>(file_.methods.size() - 1);
  }
  RecordedMethod& last() { return file_.classes.back().methods.back(); }
  std::uint32_t fact(FactKind kind, const std::string& text,
                     bool by_runner = false) {
    file_.facts.push_back({kind, by_runner, text});
    return static_cast<std::uint32_t>(file_.facts.size() - 1);
  }
  void receiver(std::uint32_t method, const std::string& name) {
    const auto at = std::find(file_.names.begin(), file_.names.end(), name);
    const auto index = static_cast<std::uint32_t>(at - file_.names.begin());
    if (at == file_.names.end()) file_.names.push_back(name);
    work().receivers.push_back(
        static_cast<std::uint32_t>(file_.receivers.size()));
    file_.receivers.push_back({method, index});
  }
  void test(std::uint32_t number, const std::string& id,
            std::uint32_t parent = 0) {
    Scope& scope = file_.scopes[number];
    scope.is_test = true;
    scope.id = id;
    scope.parent = parent;
    end(scope);
  }
  Work& work(std::uint32_t scope = 2) { return file_.scopes[scope].work; }
  void enter(std::uint32_t method) { work().methods.push_back(method); }
  void found(std::uint32_t fact) { work().facts.push_back(fact); }
  RowFile& file() { return file_; }

  // Objects come from nowhere here; tests of their own ask who borrowed some.
  std::set<std::string> row(const std::string& test = "p.T#x()") {
    auto out = whole_row(test);
    std::erase_if(out, [](const std::string& atom) {
      return atom.starts_with("state:borrowed ");
    });
    return out;
  }
  std::set<std::string> whole_row(const std::string& test = "p.T#x()") {
    return Joined({file_}).atoms(test);
  }

 private:
  static void end(Scope& scope) {
    scope.has_end = true;
    scope.result = ScopeResult::kPassed;
  }

  RowFile file_;
};

using Atoms = std::set<std::string>;

}  // namespace rejig::coverage
