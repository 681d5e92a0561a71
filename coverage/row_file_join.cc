// SPDX-License-Identifier: Apache-2.0
#include "coverage/row_file_join.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "classfile/entity.h"
#include "coverage/code_source.h"
#include "coverage/row_file_opened.h"
#include "coverage/row_file_work.h"

namespace rejig::coverage {

using classfile::AtomKind;
using classfile::dotted;
using classfile::slashed;

namespace {

constexpr unsigned kCreates = 1;
constexpr unsigned kTriggers = 2;
constexpr unsigned kFields = 4;
using Names = std::set<std::string>;
using LocalAtoms = std::vector<MatrixBuilder::LocalAtom>;

std::string class_of_test(const Scope& test) {
  return slashed(test.id.substr(0, test.id.find('#')));
}

class Joiner {
 public:
  Joiner(const RowFile& file, MatrixBuilder& builder,
         const JoinOptions& options, CodeSources& sources)
      : file_(file), builder_(builder), files_(file, options) {
    for (std::uint32_t i = 0; i < file.classes.size(); ++i) {
      const auto& c = file.classes[i];
      const auto source = file.sources.find(c.source);
      if (source != file.sources.end() &&
          (c.origin == Origin::kInternal || c.origin == Origin::kUntouched) &&
          sources.lacks(source->second, c.name)) {
        generated_.insert(c.name);
      }
      by_name_[c.name].push_back(i);
      for (const auto& s : c.supertypes) subtypes_[s].insert(c.name);
    }
    for (const auto& [number, scope] : file.scopes) {
      if (scope.is_test) {
        test_classes_.insert(class_of_test(scope));
      } else if (number != 0) {
        containers_[slashed(scope.id)].push_back(number);
      }
      if (number != 0 && !scope.has_end) has_open_child_.insert(scope.parent);
    }
    for (const auto& [number, work] : file.inits) {
      init_of_[file.classes[number].name].push_back(&work);
      note_creatable(work, 0);
    }
    for (const auto& [number, scope] : file.scopes) {
      note_creatable(scope.work, number);
    }
  }

  bool is_internal(const std::string& name) const {
    const auto at = by_name_.find(name);
    if (at == by_name_.end()) return false;
    return std::any_of(at->second.begin(), at->second.end(), [&](auto i) {
      const auto& c = file_.classes[i];
      return c.origin == Origin::kInternal || c.origin == Origin::kUntouched ||
             !c.methods.empty();
    });
  }

  // Defined at run time: no file of the program.
  bool is_generated(const std::string& name) const {
    return generated_.count(name) != 0;
  }

  // `number` is none of the file's for the main program of a child JVM: then
  // everything that the session did counts.
  LocalAtoms atoms_of(const Scope& test, std::uint32_t number) {
    Whole work = whole_of(test, number);
    seen_by_ = test.has_end ? test.ended : 0;
    return derive(work, number);
  }
  bool starts_child(const Scope& test, std::uint32_t number) {
    const Whole work = whole_of(test, number);
    return std::any_of(
        work.facts.list().begin(), work.facts.list().end(),
        [&](auto f) { return file_.facts[f].kind == FactKind::kChild; });
  }
  bool broken_above(const Scope& test) const {
    const auto broken = [&](std::uint32_t n) {
      return !file_.scopes.at(n).has_end && has_open_child_.count(n) == 0;
    };
    if (const auto at = containers_.find(class_of_test(test));
        at != containers_.end() &&
        std::any_of(at->second.begin(), at->second.end(), broken)) {
      return true;
    }
    for (auto n = test.parent; n != 0; n = file_.scopes.at(n).parent) {
      if (broken(n)) return true;
    }
    return false;
  }
  bool failed_above(const Scope& test) const {
    const auto failed = [&](std::uint32_t n) {
      const auto& s = file_.scopes.at(n);
      return s.has_end && s.result == ScopeResult::kFailed;
    };
    if (const auto at = containers_.find(class_of_test(test));
        at != containers_.end() &&
        std::any_of(at->second.begin(), at->second.end(), failed)) {
      return true;
    }
    for (auto n = test.parent; n != 0; n = file_.scopes.at(n).parent) {
      if (failed(n)) return true;
    }
    return false;
  }

 private:
  void note_creatable(const Work& work, std::uint32_t scope) {
    for (const auto f : work.facts) {
      if (file_.facts[f].kind != FactKind::kCreatable) continue;
      const auto [at, fresh] = creatable_.emplace(f, scope);
      if (!fresh) at->second = std::min(at->second, scope);
    }
  }

  const Names& up(const std::string& name) {
    const auto [at, fresh] = up_.try_emplace(name);
    if (!fresh) return at->second;
    Names out;
    std::vector<std::string> todo{name};
    while (!todo.empty()) {
      const std::string n = std::move(todo.back());
      todo.pop_back();
      if (n.empty() || !out.insert(n).second) continue;
      const auto found = by_name_.find(n);
      if (found == by_name_.end()) continue;
      for (const auto i : found->second) {
        const auto& from = file_.classes[i].supertypes;
        todo.insert(todo.end(), from.begin(), from.end());
      }
    }
    return up_[name] = std::move(out);
  }
  // What is initialized with this class (JVMS 5.5): its superclasses, and the
  // superinterfaces that have code for instances.
  const Names& initialized_with(const std::string& name) {
    const auto [at, fresh] = initialized_with_.try_emplace(name);
    if (!fresh) return at->second;
    Names out{name};
    if (!is_interface(name)) {
      for (const auto& c : up(name)) {
        if (!is_interface(c) || may_have_defaults(c)) out.insert(c);
      }
    }
    return initialized_with_[name] = std::move(out);
  }
  bool is_interface(const std::string& name) const {
    const auto at = by_name_.find(name);
    return at != by_name_.end() && std::ranges::all_of(at->second, [&](auto i) {
             return file_.classes[i].is_interface;
           });
  }
  bool may_have_defaults(const std::string& name) const {
    return std::ranges::any_of(by_name_.at(name), [&](auto i) {
      const auto& c = file_.classes[i];
      return c.origin != Origin::kInternal ||
             std::ranges::any_of(c.methods, [](const auto& m) {
               return !m.abstract_or_static;
             });
    });
  }
  Names down(const std::string& name) const {
    Names out;
    std::vector<std::string> todo{name};
    while (!todo.empty()) {
      const std::string n = std::move(todo.back());
      todo.pop_back();
      if (!out.insert(n).second) continue;
      const auto found = subtypes_.find(n);
      if (found == subtypes_.end()) continue;
      todo.insert(todo.end(), found->second.begin(), found->second.end());
    }
    return out;
  }

  // Test classes that are not this one, its supertypes or its enclosing ones.
  const Names& others(const std::string& test_class) {
    const auto [at, fresh] = others_.try_emplace(test_class);
    if (!fresh) return at->second;
    Names own;
    for (std::string c = test_class;; c.resize(c.rfind('$'))) {
      const Names& above = up(c);
      own.insert(above.begin(), above.end());
      if (c.rfind('$') == std::string::npos) break;
    }
    for (const auto& c : test_classes_) {
      if (own.count(c) == 0) at->second.insert(c);
    }
    return at->second;
  }

  // What a runner did to other test classes before it ran any is not this
  // test's.
  void add_without_discovery(Whole& to, const Work& from,
                             const std::string& test_class) {
    const Names& foreign = others(test_class);
    to.methods.add(from.methods);
    for (const auto c : from.classes) {
      if (foreign.count(file_.classes[c].name) == 0) to.classes.add(c);
    }
    for (const auto f : from.facts) {
      const auto& fact = file_.facts[f];
      const bool about_class = fact.kind == FactKind::kReflected ||
                               fact.kind == FactKind::kCreated ||
                               fact.kind == FactKind::kAskedClass ||
                               fact.kind == FactKind::kLoadedClass;
      if (!about_class || foreign.count(slashed(fact.text)) == 0) {
        to.facts.add(f);
      }
    }
  }

  Whole whole_of(const Scope& test, std::uint32_t number) {
    Whole out(file_);
    const std::string test_class = class_of_test(test);
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> todo{0, test.parent};
    if (const auto at = containers_.find(test_class); at != containers_.end()) {
      todo.insert(todo.end(), at->second.begin(), at->second.end());
    }
    todo.insert(todo.end(), test.joined.begin(), test.joined.end());
    out.add(test.work);
    seen.insert(number);
    while (!todo.empty()) {
      const auto n = todo.back();
      todo.pop_back();
      if (!seen.insert(n).second) continue;
      const Scope& scope = file_.scopes.at(n);
      if (n == 0 ||
          (!scope.is_test && by_name_.count(slashed(scope.id)) == 0)) {
        add_without_discovery(out, scope.work, test_class);
      } else {
        out.add(scope.work);
      }
      todo.insert(todo.end(), scope.joined.begin(), scope.joined.end());
      if (n != 0) todo.push_back(scope.parent);
    }
    return out;
  }

  Names close_over_inits(Whole& work) {
    Names initialized;
    Names joined;
    std::size_t methods = 0;
    std::size_t facts = 0;
    const auto trigger = [&](const std::string& name, bool whole) {
      for (const auto& c : whole ? up(name) : initialized_with(name)) {
        initialized.insert(c);
        if (const auto at = init_of_.find(c);
            at != init_of_.end() && joined.insert(c).second) {
          for (const Work* w : at->second) work.add(*w);
        }
      }
    };
    while (methods < work.methods.list().size() ||
           facts < work.facts.list().size()) {
      while (methods < work.methods.list().size()) {
        const auto [c, m] = file_.methods[work.methods.list()[methods++]];
        const auto& owner = file_.classes[c];
        trigger(owner.name, false);
        for (const auto use : owner.methods[m].uses) {
          if ((use & kTriggers) == 0) continue;
          trigger(owner.names[use >> 3], (use & kFields) != 0);
        }
      }
      while (facts < work.facts.list().size()) {
        const auto& fact = file_.facts[work.facts.list()[facts++]];
        if (fact.kind <= FactKind::kAskedClass) {
          trigger(slashed(fact.text), true);
        }
      }
    }
    return initialized;
  }

  void put(AtomKind kind, std::string_view text) {
    out_.push_back(builder_.intern(kind, text));
  }

  LocalAtoms derive(Whole& work, std::uint32_t number) {
    out_.clear();
    created_.clear();
    constructed_.clear();
    referred_.clear();
    entered_.clear();
    asks_ = false;
    for (const auto& name : close_over_inits(work)) {
      if (is_internal(name)) put(AtomKind::kInit, dotted(name));
    }
    for (const auto id : work.methods.list()) method(id);
    for (const auto& [f, scope] : creatable_) {
      if (scope > number) continue;
      created_.insert(slashed(file_.facts[f].text));
      constructed_.insert(slashed(file_.facts[f].text));
    }
    for (const auto f : work.facts.list()) fact(file_.facts[f]);
    for (const auto& name : created_) {
      if (!is_internal(name)) continue;
      const auto& records = by_name_.at(name);
      const bool recorded = std::all_of(
          records.begin(), records.end(),
          [&](auto i) { return file_.classes[i].origin == Origin::kInternal; });
      if (!recorded || constructed_.count(name) != 0) {
        put(AtomKind::kInst, dotted(name));
      }
    }
    for (const auto c : work.classes.list()) {
      referred_.insert(file_.classes[c].name);
    }
    Names all;
    for (const auto& name : referred_) {
      const Names& above = up(name);
      all.insert(above.begin(), above.end());
    }
    for (const auto& name : all) loaded(name);
    std::sort(out_.begin(), out_.end());
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
    return out_;
  }

  void method(std::uint32_t id) {
    const auto [c, slot] = file_.methods[id];
    const auto& owner = file_.classes[c];
    const auto& m = owner.methods[slot];
    put(AtomKind::kMethod,
        classfile::method_entity(owner.name, m.name, m.descriptor));
    if (entered_.insert(c).second) {
      referred_.insert(owner.name);
      referred_.insert(owner.names.begin(), owner.names.end());
    }
    asks_ = asks_ || m.asks;
    if (m.name == "<init>") constructed_.insert(owner.name);
    for (const auto use : m.uses) {
      if ((use & kCreates) != 0) created_.insert(owner.names[use >> 3]);
    }
    if (!m.clones) return;
    for (const auto& sub : down(owner.name)) {
      if (is_internal(sub)) put(AtomKind::kInst, dotted(sub));
    }
  }

  // A class whose methods could not be recorded: who meets it may have entered
  // all of them.
  void loaded(const std::string& name) {
    const auto at = by_name_.find(name);
    if (at == by_name_.end()) return;
    const bool internal = is_internal(name);
    for (const auto i : at->second) {
      const auto& c = file_.classes[i];
      if (internal) {
        put(AtomKind::kLoad, dotted(name));
        if (asks_) put(AtomKind::kRefl, classfile::kind_asked(dotted(name)));
        // Should a program have such a class some day, it is news.
        if (is_generated(name)) put(AtomKind::kMiss, dotted(name));
      } else if (c.origin == Origin::kExternal) {
        put(AtomKind::kExt, dotted(name));
      }
      if (c.origin != Origin::kUntouched) continue;
      put(AtomKind::kInit, dotted(name));
      put(AtomKind::kInst, dotted(name));
      put(AtomKind::kRefl, dotted(name));
      for (const auto& m : c.methods) {
        put(AtomKind::kMethod,
            classfile::method_entity(c.name, m.name, m.descriptor));
      }
    }
  }

  void opened(const std::string& path, Look look) {
    files_.atoms(path, look, seen_by_,
                 [this](AtomKind kind, const auto& text) { put(kind, text); });
  }

  void fact(const RecordedFact& f) {
    const std::string name = slashed(f.text);
    switch (f.kind) {
      case FactKind::kReflected:
        if (is_internal(name)) put(AtomKind::kRefl, dotted(name));
        break;
      case FactKind::kCreated:
      case FactKind::kCreatable:
        created_.insert(name);
        constructed_.insert(name);
        if (is_internal(name)) put(AtomKind::kRefl, dotted(name));
        break;
      case FactKind::kAskedClass:
      case FactKind::kLoadedClass:
        referred_.insert(name);
        // The message about it is taken for a sentence.
        if (name.find(' ') != std::string::npos && by_name_.count(name) == 0) {
          put(AtomKind::kMiss, dotted(name));
        }
        break;
      case FactKind::kMissingClass:
        if (!f.text.empty() && by_name_.count(name) == 0 &&
            f.text.find(' ') == std::string::npos && f.text[0] != '[') {
          put(AtomKind::kMiss, dotted(name));
        }
        break;
      case FactKind::kResource:
        put(AtomKind::kRes, f.text);
        put(AtomKind::kResMiss, f.text);
        break;
      case FactKind::kFile:
        opened(f.text, Look::kContent);
        break;
      case FactKind::kAttributes:
        opened(f.text, Look::kAttributes);
        break;
      case FactKind::kExists:
        opened(f.text, Look::kExists);
        break;
      case FactKind::kVariable:
        put(AtomKind::kRes, variable_atom(f.text));
        break;
      case FactKind::kStack:
      case FactKind::kMessage:
        put(AtomKind::kStackApi, "");
        break;
      case FactKind::kChild:
      case FactKind::kNative:
        break;
    }
  }

  const RowFile& file_;
  MatrixBuilder& builder_;
  OpenedFiles files_;
  std::uint64_t seen_by_ = 0;
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_name_;
  std::unordered_map<std::string, Names> subtypes_;
  std::unordered_map<std::string, Names> up_;
  std::unordered_map<std::string, Names> initialized_with_;
  std::unordered_map<std::string, Names> others_;
  std::unordered_map<std::string, std::vector<const Work*>> init_of_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> containers_;
  std::map<std::uint32_t, std::uint32_t> creatable_;  // fact, earliest scope
  std::set<std::uint32_t> has_open_child_;
  Names generated_;
  Names test_classes_;
  // Of the row that is derived.
  LocalAtoms out_;
  Names created_;
  Names constructed_;
  Names referred_;
  std::set<std::uint32_t> entered_;  // classes
  bool asks_ = false;
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
  for (const auto& c : file.classes) {
    if (joiner.is_internal(c.name) && !joiner.is_generated(c.name)) {
      builder.add_class(dotted(c.name), c.digest);
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
      partial =
          partial || (!has_child && joiners[i]->starts_child(test, number));
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
