// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/row_file_join.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "classfile/words/entity.h"
#include "coverage/row/code_source.h"
#include "coverage/row/row_file_atoms.h"
#include "coverage/row/row_file_classes.h"
#include "coverage/row/row_file_work.h"

namespace rejig::coverage {

using classfile::dotted;
using classfile::slashed;

namespace {

std::string class_of_test(const Scope& test) {
  return slashed(test.id.substr(0, test.id.find('#')));
}

// Which scopes of one JVM are whose?
class Joiner {
 public:
  using Id = RecordedClasses::Id;

  Joiner(const RowFile& file, MatrixBuilder& builder,
         const JoinOptions& options, CodeSources& sources)
      : file_(file),
        classes_(file, sources),
        atoms_(file, classes_, builder, options),
        whole_(file) {
    std::set<Id> test_classes;
    for (const auto& [number, scope] : file.scopes) {
      if (scope.is_test) {
        if (const Id id = classes_.find(class_of_test(scope));
            id != RecordedClasses::kNone) {
          test_classes.insert(id);
        }
      } else if (number != 0) {
        containers_[slashed(scope.id)].push_back(number);
      }
      if (number != 0 && !scope.has_end) has_open_child_.insert(scope.parent);
      if (has_fact(scope.work.facts, FactKind::kMakesShared)) {
        makers_.push_back(number);
      }
    }
    if (options.skipped_in) add_skipped(options.skipped_in(file), test_classes);
    test_classes_.assign(test_classes.begin(), test_classes.end());
  }

  const RecordedClasses& classes() const { return classes_; }

  // `number` is none of the file's for the main program of a child JVM: then
  // everything that the session did counts.
  std::vector<MatrixBuilder::LocalAtom> atoms_of(const Scope& test,
                                                 std::uint32_t number) {
    const Family& family = take_whole(test, number);
    return atoms_.derive(whole_, family.compared, number,
                         test.has_end ? test.ended : 0,
                         {dotted(class_of_test(test)), family.shares_instance});
  }
  // Of the test that atoms_of() was asked about last.
  bool started_child() const {
    return has_fact(whole_.facts.list(), FactKind::kChild);
  }
  bool broken_above(const Scope& test) const {
    return any_above(test, [&](std::uint32_t n) {
      return !file_.scopes.at(n).has_end && has_open_child_.count(n) == 0;
    });
  }
  bool failed_above(const Scope& test) const {
    return any_above(test, [&](std::uint32_t n) {
      const auto& s = file_.scopes.at(n);
      return s.has_end && s.result == ScopeResult::kFailed;
    });
  }

 private:
  // What a test class is made of: supertypes, enclosing classes and theirs.
  struct Family {
    std::vector<Id> own;
    std::vector<Id> compared;  // the same, if they are compared as test classes
    Marks others;  // test classes that do not belong to it
    bool shares_instance = false;  // its tests may have one instance together
  };

  void add_skipped(const std::set<std::string>* tests, std::set<Id>& out) {
    if (tests == nullptr) return;
    for (const auto& test : *tests) {
      const auto hash = test.find('#');
      if (hash == std::string::npos) continue;
      const Id id = classes_.find(slashed(test.substr(0, hash)));
      if (id != RecordedClasses::kNone) out.insert(id);
    }
  }

  bool has_fact(const std::vector<std::uint32_t>& facts, FactKind kind) const {
    return std::ranges::any_of(
        facts, [&](auto f) { return file_.facts[f].kind == kind; });
  }
  // What it was handed out may have been made for a test before it.
  bool uses_shared() const {
    return !makers_.empty() &&
           has_fact(whole_.facts.list(), FactKind::kUsesShared);
  }

  template <class F>
  bool any_above(const Scope& test, F&& is_so) const {
    if (const auto at = containers_.find(class_of_test(test));
        at != containers_.end() && std::ranges::any_of(at->second, is_so)) {
      return true;
    }
    for (auto n = test.parent; n != 0; n = file_.scopes.at(n).parent) {
      if (is_so(n)) return true;
    }
    return false;
  }

  const Family& family_of(const std::string& test_class) {
    const auto at = families_.find(test_class);
    if (at != families_.end()) return at->second;
    Family out{{}, {}, Marks(classes_.size()), false};
    std::set<Id> own;
    for (std::string c = test_class;; c.resize(c.rfind('$'))) {
      if (const Id id = classes_.find(c); id != RecordedClasses::kNone) {
        const auto& above = classes_.up(id);
        own.insert(above.begin(), above.end());
      }
      if (c.rfind('$') == std::string::npos) break;
    }
    for (const Id id : test_classes_) {
      if (own.count(id) == 0) out.others.add(id);
    }
    out.own.assign(own.begin(), own.end());
    if (has_known_tests(test_class)) out.compared = out.own;
    out.shares_instance = shares_instance(out.own);
    return families_.emplace(test_class, std::move(out)).first->second;
  }

  // TestNG has one instance of a class, JUnit 5 on demand, Spock one for what is
  // said to be shared. Without fields that can change it says nothing.
  bool shares_instance(const std::vector<Id>& own) const {
    const auto has_parts = [this](const Id id) {
      return classes_.is_internal(id) && classes_.has_parts(id);
    };
    if (std::ranges::none_of(own, has_parts)) return false;
    return std::ranges::any_of(own, [this](const Id id) {
      return std::ranges::any_of(classes_.records(id), [this](const auto i) {
        return std::ranges::any_of(
            file_.classes[i].names, [this](const auto name) {
              const std::string& text = file_.names[name];
              return text == "org/testng/annotations/Test" ||
                     text == "org/junit/jupiter/api/TestInstance" ||
                     text == "org/junit/jupiter/api/TestInstance$Lifecycle" ||
                     text == "spock/lang/Shared";
            });
      });
    });
  }

  // Does the comparison know that it is a test class? Not of every framework.
  bool has_known_tests(const std::string& test_class) {
    const Id id = classes_.find(test_class);
    if (id == RecordedClasses::kNone) return false;
    const auto& above = classes_.up(id);
    const bool junit3 = std::ranges::any_of(above, [&](const Id super) {
      return classes_.name(super) == "junit/framework/TestCase";
    });
    return std::ranges::any_of(above, [&](const Id super) {
      return std::ranges::any_of(classes_.records(super), [&](const auto i) {
        return std::ranges::any_of(
            file_.classes[i].methods, [&](const RecordedMethod& m) {
              return m.is_test || (junit3 && m.name.starts_with("test"));
            });
      });
    });
  }

  // What a runner did to other test classes before it ran any is not this
  // test's.
  void add_without_discovery(const Work& from, const Marks& foreign) {
    for (const auto m : from.methods) {
      const auto [c, slot] = file_.methods[m];
      if (file_.classes[c].methods[slot].provides &&
          foreign.has(classes_.of_class(c))) {
        continue;
      }
      whole_.methods.add(m);
    }
    for (const auto c : from.classes) {
      if (!foreign.has(classes_.of_class(c))) whole_.classes.add(c);
    }
    for (const auto f : from.facts) {
      const auto& fact = file_.facts[f];
      // What runs before everything and with everything leaves nothing that a
      // test would do otherwise.
      if (fact.kind == FactKind::kChangedState ||
          fact.kind == FactKind::kLeftThere || fact.kind == FactKind::kMet) {
        continue;
      }
      const bool about_class = fact.kind == FactKind::kReflected ||
                               fact.kind == FactKind::kInitialized ||
                               fact.kind == FactKind::kConstants ||
                               fact.kind == FactKind::kListed ||
                               fact.kind == FactKind::kCreated ||
                               fact.kind == FactKind::kAskedClass ||
                               fact.kind == FactKind::kLoadedClass;
      const Id id = about_class ? classes_.find(slashed(fact.text))
                                : RecordedClasses::kNone;
      if (id == RecordedClasses::kNone || !foreign.has(id)) {
        whole_.facts.add(f);
      }
    }
    whole_.receivers.add(from.receivers);
  }

  // Fills whole_.
  const Family& take_whole(const Scope& test, std::uint32_t number) {
    const std::string test_class = class_of_test(test);
    const Family& family = family_of(test_class);
    std::set<std::uint32_t> seen{number};
    std::vector<std::uint32_t> todo{0, test.parent};
    if (const auto at = containers_.find(test_class); at != containers_.end()) {
      todo.insert(todo.end(), at->second.begin(), at->second.end());
    }
    todo.insert(todo.end(), test.joined.begin(), test.joined.end());
    whole_.clear();
    whole_.add(test.work);
    bool shares = false;
    std::vector<const Work*> everybodys;
    const auto may_share = [&] {
      return uses_shared() ||
             (!makers_.empty() &&
              std::ranges::any_of(everybodys, [this](const Work* work) {
                return has_fact(work->facts, FactKind::kUsesShared);
              }));
    };
    while (!todo.empty() || (!shares && may_share())) {
      if (todo.empty()) {
        shares = true;
        todo = makers_;
        continue;
      }
      const auto n = todo.back();
      todo.pop_back();
      if (!seen.insert(n).second) continue;
      const Scope& scope = file_.scopes.at(n);
      if (n == 0 || (!scope.is_test && !is_class(scope.id))) {
        everybodys.push_back(&scope.work);
      } else {
        whole_.add(scope.work);
      }
      todo.insert(todo.end(), scope.joined.begin(), scope.joined.end());
      if (n != 0) todo.push_back(scope.parent);
    }
    whole_.own_methods = whole_.methods.list().size();
    for (const Work* work : everybodys) {
      add_without_discovery(*work, family.others);
    }
    return family;
  }
  bool is_class(const std::string& scope_id) const {
    const Id id = classes_.find(slashed(scope_id));
    return id != RecordedClasses::kNone && classes_.is_known(id);
  }

  const RowFile& file_;
  RecordedClasses classes_;
  RowAtoms atoms_;
  Whole whole_;
  std::vector<Id> test_classes_;
  std::unordered_map<std::string, Family> families_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> containers_;
  std::set<std::uint32_t> has_open_child_;
  std::vector<std::uint32_t> makers_;  // scopes that made what is shared
};

Facts recorded_kinds(const RowFile& file) {
  Facts out;
  for (const auto& kind : file.atom_kinds) {
    if (const auto known = classfile::atom_kind(kind)) out = out.with(*known);
  }
  return out;
}

void add_classes(const RowFile& file, const Joiner& joiner,
                 MatrixBuilder& builder) {
  const RecordedClasses& classes = joiner.classes();
  for (std::uint32_t i = 0; i < file.classes.size(); ++i) {
    const auto id = classes.of_class(i);
    if (classes.is_internal(id) && !classes.is_generated(id)) {
      builder.add_class(dotted(classes.name(id)), file.classes[i].digest);
    }
  }
}

}  // namespace

JoinReport join_row_files(const std::vector<RowFile>& files,
                          const JoinOptions& options, MatrixBuilder& builder) {
  JoinReport report;
  std::vector<std::unique_ptr<Joiner>> joiners;
  CodeSources sources;
  for (const auto& file : files) {
    joiners.push_back(
        std::make_unique<Joiner>(file, builder, options, sources));
    add_classes(file, *joiners.back(), builder);
    report.losses.insert(report.losses.end(), file.losses.begin(),
                         file.losses.end());
  }
  struct Verdict {
    bool partial = false;
    bool failed = false;
  };
  std::map<std::pair<std::string, std::string>, Verdict> verdicts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const RowFile& file = files[i];
    const std::string suite =
        options.suite_of ? options.suite_of(file) : file.suite;
    for (const auto& [number, test] : file.scopes) {
      if (!test.is_test) continue;
      bool partial = options.all_partial || !test.has_end ||
                     test.result == ScopeResult::kAborted ||
                     !file.losses.empty() || joiners[i]->broken_above(test);
      Row row;
      row.suite = suite;
      row.test = test.id;
      row.facts = recorded_kinds(file);
      auto atoms = joiners[i]->atoms_of(test, number);
      const bool starts_child = joiners[i]->started_child();
      bool has_child = false;
      for (std::size_t k = 0; k < files.size(); ++k) {
        const RowFile& child = files[k];
        if (k == i || child.parent_pid != file.pid || !test.has_end ||
            child.started < test.begun || child.started > test.ended) {
          continue;
        }
        has_child = true;
        partial = partial || !child.has_exit || !child.losses.empty();
        row.facts = row.facts & recorded_kinds(child);
        Scope main;
        main.id = test.id;
        main.has_end = true;
        main.ended = test.ended;
        const auto more =
            joiners[k]->atoms_of(main, static_cast<std::uint32_t>(-1));
        atoms.insert(atoms.end(), more.begin(), more.end());
      }
      partial = partial || (!has_child && starts_child);
      const bool failed = !test.has_end ||
                          test.result == ScopeResult::kFailed ||
                          joiners[i]->failed_above(test);
      row.grade = partial           ? Grade::kPartial
                  : test.overlapped ? Grade::kShared
                                    : Grade::kComplete;
      row.result = failed                                 ? Outcome::kFail
                   : test.result == ScopeResult::kAborted ? Outcome::kSkip
                                                          : Outcome::kPass;
      row.ms = test.has_end && test.ended > test.begun
                   ? (test.ended - test.begun) / 1000
                   : 0;
      auto& verdict = verdicts[{suite, test.id}];
      verdict.partial = verdict.partial || partial;
      verdict.failed = verdict.failed || failed;
      report.suites.insert(suite);
      builder.add_row(row, std::move(atoms));
    }
  }
  report.rows = verdicts.size();
  for (const auto& [key, verdict] : verdicts) {
    report.partial += verdict.partial ? 1 : 0;
    report.failed += verdict.failed ? 1 : 0;
  }
  return report;
}

}  // namespace rejig::coverage
