// SPDX-License-Identifier: Apache-2.0
// What has one test done, all in all? Scopes, initializers and what lasts, as
// apps/agent/ROWS.md has it, test by test: of slow_join.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "classfile/words/entity.h"
#include "coverage/row/code_source.h"
#include "coverage/row/row_file_classes.h"
#include "coverage/row/row_file_lasting.h"

namespace rejig::coverage {

using classfile::dotted;
using classfile::slashed;
using Id = RecordedClasses::Id;
using Number = std::uint32_t;
using Ids = std::set<Id>;
using Kind = FactKind;

inline constexpr auto kNone = RecordedClasses::kNone;

inline bool is_one_of(Kind kind, std::initializer_list<Kind> list) {
  return std::ranges::find(list, kind) != list.end();
}

inline std::string element(const std::string& name) {
  const auto from = name.find_first_not_of('[');
  const bool array = from != 0 && from != std::string::npos &&
                     name[from] == 'L' && name.ends_with(';');
  return array ? name.substr(from + 1, name.size() - from - 2) : name;
}

inline bool is_service_of_jdk(const std::string& resource) {
  for (const char* head : {"java.", "javax.", "jdk.", "sun.", "com.sun."}) {
    if (resource.starts_with(std::string("META-INF/services/") + head)) {
      return true;
    }
  }
  return false;
}

// All that one test did.
struct All {
  std::set<std::uint32_t> methods, classes, facts, receivers;
  // Methods that it entered itself, or its fixtures.
  std::set<std::uint32_t> own;
  std::size_t size() const {
    return methods.size() + classes.size() + facts.size() + receivers.size();
  }
  void add_own(const Work& w) {
    own.insert(w.methods.begin(), w.methods.end());
    add(w);
  }
  void add(const Work& w) {
    methods.insert(w.methods.begin(), w.methods.end());
    classes.insert(w.classes.begin(), w.classes.end());
    facts.insert(w.facts.begin(), w.facts.end());
    receivers.insert(w.receivers.begin(), w.receivers.end());
  }
};

// The work of one JVM's tests.
class SlowWork {
 public:
  static constexpr unsigned kCreates = 1, kTriggers = 2, kFields = 4,
                           kWrites = 8, kMarks = 16;

  SlowWork(const RowFile& file, CodeSources& sources)
      : file_(file), classes_(file, sources), kept_(file, classes_) {
    find_early();
    find_unexplained();
  }

  const RecordedFact& fact(std::uint32_t f) const { return file_.facts[f]; }
  Id about(std::uint32_t f) const {
    return fact(f).text.empty() ? kNone
                                : classes_.find(element(slashed(fact(f).text)));
  }
  const RecordedMethod& method(std::uint32_t m) const {
    const auto [c, slot] = file_.methods[m];
    return file_.classes[c].methods[slot];
  }
  Id owner(std::uint32_t m) const {
    return classes_.of_class(file_.methods[m].first);
  }
  // Of what that method names, with how.
  void each_use(std::uint32_t m, const std::function<void(Id, unsigned)>& f) {
    const auto& c = file_.classes[file_.methods[m].first];
    for (const auto use : method(m).uses) {
      f(classes_.of_name(c.names[use >> 5]), use & 31U);
    }
  }
  std::string name(Id id) const { return dotted(classes_.name(id)); }
  std::string entity(std::uint32_t m) const {
    return classfile::method_entity(classes_.name(owner(m)), method(m).name,
                                    method(m).descriptor);
  }
  Ids family(const std::string& test_class) {
    Ids out;
    for (std::string c = test_class;; c.resize(c.rfind('$'))) {
      if (const Id id = classes_.find(c); id != kNone) {
        for (const Id up : classes_.up(id)) out.insert(up);
      }
      if (c.rfind('$') == std::string::npos) return out;
    }
  }
  Ids compared(const std::string& test_class, const Ids& own) {
    const Id id = classes_.find(test_class);
    if (id == kNone) return {};
    bool junit3 = false;
    for (const Id up : classes_.up(id)) {
      junit3 = junit3 || classes_.name(up) == "junit/framework/TestCase";
    }
    for (const Id up : classes_.up(id)) {
      for (const auto r : classes_.records(up)) {
        for (const auto& m : file_.classes[r].methods) {
          if (m.is_test || (junit3 && m.name.starts_with("test"))) return own;
        }
      }
    }
    return {};
  }

  All whole(const Scope& test, Number number, const std::string& test_class,
            const Ids& own) {
    Ids others, tests;
    for (const auto& [n, scope] : file_.scopes) {
      const Id id =
          scope.is_test
              ? classes_.find(slashed(scope.id.substr(0, scope.id.find('#'))))
              : kNone;
      if (id != kNone) tests.insert(id);
      if (id != kNone && !own.contains(id)) others.insert(id);
    }
    All out;
    out.add_own(test.work);
    std::set<Number> seen{number};
    std::vector<Number> todo{0, test.parent};
    todo.insert(todo.end(), test.joined.begin(), test.joined.end());
    for (const auto& [n, scope] : file_.scopes) {
      if (n != 0 && !scope.is_test && slashed(scope.id) == test_class) {
        todo.push_back(n);
      }
    }
    const auto has = [this](const auto& facts, Kind kind) {
      return std::ranges::any_of(facts,
                                 [&](auto f) { return fact(f).kind == kind; });
    };
    bool shares = false;
    while (true) {
      if (todo.empty()) {
        if (shares || !has(out.facts, Kind::kUsesShared)) return out;
        shares = true;
        for (const auto& [n, scope] : file_.scopes) {
          if (has(scope.work.facts, Kind::kMakesShared)) todo.push_back(n);
        }
        continue;
      }
      const Number n = todo.back();
      todo.pop_back();
      if (!seen.insert(n).second) continue;
      const Scope& scope = file_.scopes.at(n);
      const Id named = classes_.find(slashed(scope.id));
      const bool of_class = named != kNone && classes_.is_known(named);
      if (n == 0 || (!scope.is_test && !of_class)) {
        out.add(without(scope.work, others, tests));
      } else {
        out.add_own(scope.work);
      }
      todo.insert(todo.end(), scope.joined.begin(), scope.joined.end());
      if (n != 0) todo.push_back(scope.parent);
    }
  }

  bool may_write(std::uint32_t m) {
    bool out = false;
    each_use(m, [&](Id named, unsigned use) {
      if ((use & kFields) == 0) {
        out = out || ((use & kWrites) != 0 && classes_.keeps_state(owner(m)));
      } else if ((use & (kWrites | kMarks)) != 0) {
        for (const Id id : classes_.up(named)) {
          out = out || (classes_.is_internal(id) && classes_.keeps_state(id) &&
                        !(method(m).name == "<clinit>" && id == owner(m)));
        }
      }
    });
    return out;
  }
  bool leaves_nothing(const Work& work, const Ids& tests) {
    const auto writes = [this](const Work& one) {
      return std::ranges::any_of(one.methods,
                                 [this](auto m) { return may_write(m); });
    };
    for (const auto f : work.facts) {
      if (is_one_of(fact(f).kind, {Kind::kChangedState, Kind::kLeftThere})) {
        return false;
      }
    }
    for (const auto& [c, init] : file_.inits) {
      if (tests.contains(classes_.of_class(c)) && writes(init)) return false;
    }
    return !writes(work);
  }
  Work without(const Work& work, const Ids& others, const Ids& tests) {
    Work out;
    out.receivers = work.receivers;
    const bool quiet = leaves_nothing(work, tests);
    for (const auto m : work.methods) {
      const bool makes =
          method(m).name == "<init>" || method(m).name == "<clinit>";
      if (!(method(m).provides || (makes && quiet)) ||
          !others.contains(owner(m))) {
        out.methods.push_back(m);
      }
    }
    for (const auto c : work.classes) {
      if (!others.contains(classes_.of_class(c))) out.classes.push_back(c);
    }
    for (const auto f : work.facts) {
      if (is_one_of(fact(f).kind,
                    {Kind::kChangedState, Kind::kLeftThere, Kind::kMet})) {
        continue;
      }
      const bool looks = is_one_of(
          fact(f).kind, {Kind::kReflected, Kind::kInitialized, Kind::kConstants,
                         Kind::kListed, Kind::kCreated, Kind::kAskedClass,
                         Kind::kLoadedClass});
      const Id id = looks ? classes_.find(slashed(fact(f).text)) : kNone;
      if (id == kNone || !others.contains(id)) out.facts.push_back(f);
    }
    return out;
  }

  std::set<std::uint32_t> lasting(Number number) const {
    std::set<std::uint32_t> out;
    const auto note = [&](const Work& work, bool is_scope) {
      for (const auto f : work.facts) {
        const auto& one = fact(f);
        if (one.kind == Kind::kCreatable ||
            (is_scope &&
             is_one_of(one.kind, {Kind::kNative, Kind::kRedefined})) ||
            (one.kind == Kind::kResource && is_service_of_jdk(one.text))) {
          out.insert(f);
        }
      }
    };
    for (const auto& [c, work] : file_.inits) note(work, false);
    for (const auto& [n, scope] : file_.scopes) {
      if (n <= number) note(scope.work, true);
    }
    return out;
  }

  void enter(std::uint32_t f, All& all) {
    for (std::uint32_t m = 0; m < file_.methods.size(); ++m) {
      if (owner(m) == about(f)) all.methods.insert(m);
    }
  }

  void initialize(Id id, All& all, Ids& initialized) {
    initialized.insert(id);
    for (const auto& [c, work] : file_.inits) {
      if (classes_.of_class(c) != id) continue;
      if (!early_.contains(id)) {
        all.add(work);
        continue;
      }
      Work without = work;
      std::erase_if(without.facts, [this](auto f) {
        return is_one_of(fact(f).kind, {Kind::kMet, Kind::kLeftThere});
      });
      all.add(without);
    }
  }
  void close_over_inits(All& all, Ids& initialized) {
    const auto with = [&](Id id) {
      for (const Id i : classes_.initialized_with(id)) {
        initialize(i, all, initialized);
      }
    };
    const auto up = [&](Id id) {
      for (const Id i : classes_.up(id)) initialize(i, all, initialized);
    };
    for (std::size_t before = 0; before != all.size() + initialized.size();) {
      before = all.size() + initialized.size();
      for (const auto m : std::set(all.methods)) {
        with(owner(m));
        each_use(m, [&](Id id, unsigned use) {
          if ((use & kTriggers) != 0) (use & kFields) != 0 ? up(id) : with(id);
        });
      }
      for (const auto f : std::set(all.facts)) {
        const Id id = about(f);
        if (id == kNone) continue;
        const auto natives = [this](Id i) {
          return classes_.has_native_static(i);
        };
        const Kind kind = fact(f).kind;
        if (is_one_of(kind, {Kind::kCreated, Kind::kCreatable,
                             Kind::kAskedClass, Kind::kConstants})) {
          with(id);
        }
        if (kind == Kind::kInitialized ||
            (kind == Kind::kReflected && natives(id)) ||
            (kind == Kind::kListed &&
             std::ranges::any_of(classes_.up(id), natives))) {
          up(id);
        }
      }
    }
  }
  // Initialized before any test could run.
  void find_early() {
    for (const auto& [n, scope] : file_.scopes) {
      if (scope.is_test ||
          (n != 0 && classes_.find(slashed(scope.id)) != kNone)) {
        continue;
      }
      for (const auto m : scope.work.methods) {
        if (method(m).name == "<clinit>") early_.insert(owner(m));
      }
    }
  }
  void find_unexplained() {
    for (const auto& [n, scope] : file_.scopes) {
      All all;
      Ids initialized;
      for (const auto m : scope.work.methods) {
        if (method(m).name != "<clinit>") all.methods.insert(m);
      }
      all.facts.insert(scope.work.facts.begin(), scope.work.facts.end());
      close_over_inits(all, initialized);
      for (const auto m : scope.work.methods) {
        if (method(m).name == "<clinit>" && !initialized.contains(owner(m))) {
          kept_.add_initialized(owner(m));
        }
      }
    }
  }

  bool looks(std::uint32_t f, const Ids& own) const {
    const bool listed =
        is_one_of(fact(f).kind, {Kind::kListed, Kind::kInitialized});
    return !own.contains(about(f)) || (listed && !fact(f).by_runner);
  }
  Ids referred_by(const All& all, const Ids& own) {
    Ids out;
    for (const auto m : all.methods) {
      out.insert(owner(m));
      each_use(m, [&](Id id, unsigned) { out.insert(id); });
    }
    for (const auto c : all.classes) out.insert(classes_.of_class(c));
    for (const auto f : all.facts) {
      const Id id = about(f);
      if (id == kNone) continue;
      if (is_one_of(fact(f).kind, {Kind::kConstants, Kind::kAskedClass,
                                   Kind::kLoadedClass})) {
        out.insert(id);
      }
      if (!is_one_of(fact(f).kind,
                     {Kind::kReflected, Kind::kInitialized, Kind::kListed}) ||
          !looks(f, own)) {
        continue;
      }
      for (const Id up : classes_.up(id)) {
        if (!classes_.is_internal(up)) continue;
        for (const auto r : classes_.records(up)) {
          for (const auto n : file_.classes[r].names) {
            out.insert(classes_.of_name(n));
          }
        }
      }
    }
    return out;
  }
  Ids loaded_with(const Ids& referred) {
    Ids out;
    std::vector<Id> todo(referred.begin(), referred.end());
    while (!todo.empty()) {
      const Id next = todo.back();
      todo.pop_back();
      for (const Id id : classes_.up(next)) {
        if (!out.insert(id).second || !classes_.is_external(id) ||
            classes_.is_internal(id)) {
          continue;
        }
        for (const auto r : classes_.records(id)) {
          for (const auto n : file_.classes[r].names) {
            const Id needed = classes_.of_name(n);
            if (classes_.is_external(needed)) todo.push_back(needed);
          }
        }
      }
    }
    return out;
  }

  const RowFile& file_;
  RecordedClasses classes_;
  LastingFacts kept_;
  Ids early_;
};

}  // namespace rejig::coverage
