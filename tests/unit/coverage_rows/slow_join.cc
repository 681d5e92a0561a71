// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/coverage_rows/slow_join.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "classfile/entity.h"
#include "coverage/code_source.h"
#include "coverage/file_state.h"
#include "coverage/row_file_classes.h"
#include "coverage/row_file_lasting.h"
#include "coverage/row_file_opened.h"

namespace rejig::coverage {

namespace {

using classfile::AtomKind;
using classfile::dotted;
using classfile::slashed;
using Id = RecordedClasses::Id;
using Number = std::uint32_t;
using Ids = std::set<Id>;
using Kind = FactKind;

constexpr auto kNone = RecordedClasses::kNone;
constexpr unsigned kCreates = 1, kTriggers = 2, kFields = 4;
constexpr Number kWholeSession = 0xFFFFFFFF;

bool is_one_of(Kind kind, std::initializer_list<Kind> list) {
  return std::ranges::find(list, kind) != list.end();
}

std::string element(const std::string& name) {
  const auto from = name.find_first_not_of('[');
  const bool array = from != 0 && from != std::string::npos &&
                     name[from] == 'L' && name.ends_with(';');
  return array ? name.substr(from + 1, name.size() - from - 2) : name;
}

bool is_service_of_jdk(const std::string& resource) {
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
  std::size_t size() const {
    return methods.size() + classes.size() + facts.size() + receivers.size();
  }
  void add(const Work& w) {
    methods.insert(w.methods.begin(), w.methods.end());
    classes.insert(w.classes.begin(), w.classes.end());
    facts.insert(w.facts.begin(), w.facts.end());
    receivers.insert(w.receivers.begin(), w.receivers.end());
  }
};

class SlowJvm {
 public:
  SlowJvm(const RowFile& file, const JoinOptions& options, CodeSources& sources)
      : file_(file),
        classes_(file, sources),
        kept_(file, classes_),
        opened_(file, options) {
    receivers_ = std::ranges::find(file.atom_kinds, "recv") !=
                 file.atom_kinds.end();
    find_unexplained();
    follow_changes();
  }

  std::set<std::string> row(const Scope& test, Number number) {
    out_.clear();
    const std::string test_class = slashed(test.id.substr(0, test.id.find('#')));
    const Ids own = family(test_class);
    All all = whole(test, number, test_class, own);
    Ids initialized, referred, loaded;
    for (std::size_t before = 0; before != all.size() + initialized.size();) {
      before = all.size() + initialized.size();
      for (const auto f : lasting(number)) {
        if (fact(f).kind == Kind::kRedefined) enter(f, all);
      }
      for (const auto f : std::set(all.facts)) {
        if (fact(f).kind == Kind::kRedefined) enter(f, all);
      }
      close_over_inits(all, initialized);
      referred = referred_by(all, compared(test_class, own));
      loaded = loaded_with(referred);
      for (const Id id : loaded) {
        const auto& kept = kept_.of(id);
        all.facts.insert(kept.begin(), kept.end());
        if (!kept_.is_initialized(id)) continue;
        for (const Id with : classes_.initialized_with(id)) {
          initialize(with, all, initialized);
        }
      }
    }
    atoms(all, initialized, referred, loaded, compared(test_class, own), number,
          test.has_end ? test.ended : 0);
    shared_instances(all, test_class, own);
    if (const auto at = also_met_.find(number); at != also_met_.end()) {
      for (const Id id : at->second) put(AtomKind::kState, name(id));
    }
    return std::move(out_);
  }

 private:
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
      f(classes_.of_name(c.names[use >> 3]), use & 7U);
    }
  }
  std::string name(Id id) const { return dotted(classes_.name(id)); }
  std::string entity(std::uint32_t m) const {
    return classfile::method_entity(classes_.name(owner(m)), method(m).name,
                                    method(m).descriptor);
  }
  void put(AtomKind kind, const std::string& text) {
    out_.insert(classfile::to_string({kind, text}));
  }
  void put_if_internal(AtomKind kind, Id id) {
    if (classes_.is_internal(id)) put(kind, name(id));
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
    Ids others;
    for (const auto& [n, scope] : file_.scopes) {
      const Id id =
          scope.is_test
              ? classes_.find(slashed(scope.id.substr(0, scope.id.find('#'))))
              : kNone;
      if (id != kNone && !own.contains(id)) others.insert(id);
    }
    All out;
    out.add(test.work);
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
        out.add(without(scope.work, others));
      } else {
        out.add(scope.work);
      }
      todo.insert(todo.end(), scope.joined.begin(), scope.joined.end());
      if (n != 0) todo.push_back(scope.parent);
    }
  }

  Work without(const Work& work, const Ids& others) const {
    Work out;
    out.receivers = work.receivers;
    for (const auto m : work.methods) {
      if (!method(m).provides || !others.contains(owner(m))) {
        out.methods.push_back(m);
      }
    }
    for (const auto c : work.classes) {
      if (!others.contains(classes_.of_class(c))) out.classes.push_back(c);
    }
    for (const auto f : work.facts) {
      if (fact(f).kind == Kind::kChangedState) continue;
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
      if (classes_.of_class(c) == id) all.add(work);
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

  void atoms(const All& all, const Ids& initialized, const Ids& referred,
             const Ids& loaded, const Ids& own, Number number,
             std::uint64_t seen_by) {
    Ids created, constructed, changed;
    bool asks = false;
    bool native = false;
    auto facts = all.facts;
    for (const auto f : lasting(number)) {
      if (fact(f).kind != Kind::kCreatable) {
        facts.insert(f);
      } else if (about(f) != kNone) {
        created.insert(about(f));
        constructed.insert(about(f));
      }
    }
    for (const Id id : initialized) put_if_internal(AtomKind::kInit, id);
    for (const auto m : all.methods) {
      const auto& what = method(m);
      put(AtomKind::kMethod, entity(m));
      asks = asks || what.asks;
      if (what.name == "<init>") constructed.insert(owner(m));
      each_use(m, [&](Id id, unsigned use) {
        if ((use & kCreates) != 0) created.insert(id);
        if ((use & kTriggers) != 0 && kept_.links(id)) {
          put(AtomKind::kState, "bootstrap " + name(id));
        }
      });
      if (kept_.links(owner(m)) && is_bootstrap(what)) {
        put(AtomKind::kLeft, "bootstrap " + name(owner(m)));
      }
      const bool is_final = file_.classes[file_.methods[m].first].is_final;
      if (receivers_ && is_final && !what.is_static && what.name != "<init>") {
        put(AtomKind::kRecv, name(owner(m)) + "|" + entity(m));
      }
      for (const Id sub : what.clones ? classes_.down(owner(m))
                                      : std::vector<Id>()) {
        put_if_internal(AtomKind::kInst, sub);
      }
      each_met(m, [&](Id id) { put(AtomKind::kState, name(id)); });
    }
    for (const auto f : facts) {
      native = native || fact(f).kind == Kind::kNative;
    }
    for (const auto f : facts) {
      one_fact(f, own, seen_by, native, created, constructed, changed);
    }
    for (const auto r : all.receivers) receiver(file_.receivers[r]);
    for (const Id id : loaded) is_loaded(id, asks);
    for (const Id id : referred) {
      if (kept_.is_missed(id)) put(AtomKind::kMiss, name(id));
    }
    for (const Id id : created) {
      if (!classes_.is_recorded(id) || constructed.contains(id)) {
        put_if_internal(AtomKind::kInst, id);
      }
    }
    for (const auto m : all.methods) {
      each_met(m, [&](Id id) {
        if (changed.contains(id)) {
          put(AtomKind::kLeft, name(id) + "|" + entity(m));
        }
      });
    }
  }
  void each_met(std::uint32_t m, const std::function<void(Id)>& f) {
    each_use(m, [&](Id named, unsigned use) {
      if ((use & kFields) == 0) return;
      for (const Id id : classes_.up(named)) {
        if (classes_.is_internal(id) && classes_.keeps_state(id) &&
            !(method(m).name == "<clinit>" && id == owner(m))) {
          f(id);
        }
      }
    });
  }
  void one_fact(std::uint32_t f, const Ids& own, std::uint64_t seen_by,
                bool native, Ids& created, Ids& constructed, Ids& changed) {
    const std::string& text = fact(f).text;
    const std::string slashes = slashed(text);
    const Id id = about(f);
    const auto missing = [&] {
      const Id named = classes_.find(slashes);
      if (named == kNone || !classes_.is_known(named)) {
        put(AtomKind::kMiss, dotted(slashes));
      }
    };
    switch (fact(f).kind) {
      case Kind::kReflected:
      case Kind::kInitialized:
      case Kind::kListed:
        if (id == kNone || !looks(f, own)) break;
        for (const Id up : classes_.up(id)) {
          put_if_internal(AtomKind::kRefl, up);
        }
        break;
      case Kind::kCreated:
      case Kind::kCreatable:
        if (id == kNone) break;
        created.insert(id);
        constructed.insert(id);
        if (!own.contains(id)) put_if_internal(AtomKind::kRefl, id);
        break;
      case Kind::kConstants:
        if (id == kNone) break;
        for (const auto r : classes_.records(id)) {
          for (const auto& m : file_.classes[r].methods) {
            if (m.name == "values" && m.is_static) {
              put(AtomKind::kMethod,
                  classfile::method_entity(classes_.name(id), m.name,
                                           m.descriptor));
            }
          }
        }
        break;
      case Kind::kAskedClass:
      case Kind::kLoadedClass:
        if (text.find(' ') != std::string::npos) missing();
        break;
      case Kind::kMissingClass:
        if (!text.empty() && text.find(' ') == std::string::npos &&
            text[0] != '[') {
          missing();
        }
        break;
      case Kind::kResource:
        put(AtomKind::kRes, text);
        put(AtomKind::kResMiss, text);
        break;
      case Kind::kFile:
      case Kind::kAttributes:
      case Kind::kExists:
      case Kind::kRealPath:
      case Kind::kEntry:
      case Kind::kDeclared:
      case Kind::kNative:
        opened_.atoms(fact(f), seen_by, native,
                      [this](AtomKind kind, const auto& t) { put(kind, t); });
        break;
      case Kind::kVariable:
        put(AtomKind::kRes, variable_atom(text));
        break;
      case Kind::kStack:
      case Kind::kMessage:
        put(AtomKind::kStackApi, "");
        break;
      case Kind::kRedefined:
        created.insert(id);
        constructed.insert(id);
        break;
      case Kind::kChangedState:
        changed.insert(id);
        break;
      case Kind::kKept:
        put(AtomKind::kState, text);
        put(AtomKind::kLeft, text);
        break;
      default:
        break;
    }
    for (Ids* ids : {&created, &constructed, &changed}) ids->erase(kNone);
  }
  void receiver(const RecordedReceiver& r) {
    const auto is_of_program = [this](Id id) {
      return classes_.is_internal(id) && !classes_.is_generated(id);
    };
    const Id id = classes_.of_name(r.name);
    std::vector<Id> all{id};
    if (!is_of_program(id)) {
      all = classes_.is_known(id) ? classes_.up(id)
                                  : classes_.down(owner(r.method));
    }
    for (const Id other : all) {
      if (is_of_program(other)) {
        put(AtomKind::kRecv, name(other) + "|" + entity(r.method));
      }
    }
  }
  void is_loaded(Id id, bool asks) {
    if (!classes_.is_internal(id)) {
      if (classes_.is_external(id)) put(AtomKind::kExt, name(id));
      return;
    }
    put(AtomKind::kLoad, name(id));
    if (asks) put(AtomKind::kRefl, classfile::kind_asked(name(id)));
    if (classes_.is_generated(id)) put(AtomKind::kMiss, name(id));
    for (const auto r : classes_.records(id)) {
      const auto& c = file_.classes[r];
      if (c.origin != Origin::kUntouched) continue;
      put(AtomKind::kInit, name(id));
      put(AtomKind::kInst, name(id));
      put(AtomKind::kRefl, name(id));
      for (const auto& m : c.methods) {
        const auto text = classfile::method_entity(c.name, m.name, m.descriptor);
        put(AtomKind::kMethod, text);
        if (!receivers_ || m.is_static) continue;
        for (const Id sub : classes_.down(id)) {
          if (classes_.is_internal(sub)) {
            put(AtomKind::kRecv, name(sub) + "|" + text);
          }
        }
      }
    }
  }

  void shared_instances(const All& all, const std::string& test_class,
                        const Ids& own) {
    const auto share = [this](const std::string& what) {
      put(AtomKind::kState, what);
      put(AtomKind::kLeft, what);
    };
    bool parts = false;
    bool says = false;
    for (const Id id : own) {
      parts = parts || (classes_.is_internal(id) && classes_.has_parts(id));
      for (const auto r : classes_.records(id)) {
        for (const auto n : file_.classes[r].names) {
          const std::string& text = file_.names[n];
          says = says || text == "org/testng/annotations/Test" ||
                 text == "org/junit/jupiter/api/TestInstance" ||
                 text == "org/junit/jupiter/api/TestInstance$Lifecycle" ||
                 text == "spock/lang/Shared";
        }
      }
    }
    if (parts && says) share("instance of " + dotted(test_class));
    const std::string outermost =
        dotted(test_class.substr(0, test_class.find('$')));
    for (const auto m : all.methods) {
      const Id id = owner(m);
      if (method(m).is_static || method(m).name == "<init>" ||
          !classes_.is_internal(id) || !classes_.has_parts(id)) {
        continue;
      }
      for (const Id up : classes_.up(id)) {
        if (classes_.name(up).starts_with("org/junit/jupiter/api/extension/")) {
          share("instance of " + name(id) + " for " + outermost);
        }
      }
    }
  }

  // Whoever is found changed may have been changed by way of all that were
  // found changed since somebody looked at it.
  void follow_changes() {
    std::vector<std::pair<std::size_t, Id>> changes;
    std::map<Id, std::size_t> looked_at;
    std::size_t at = 0;
    for (const auto& [n, scope] : file_.scopes) {
      ++at;
      for (const auto c : scope.work.classes) {
        looked_at.try_emplace(classes_.of_class(c), at);
      }
      std::vector<Id> changed;
      for (const auto f : scope.work.facts) {
        if (fact(f).kind == Kind::kChangedState && about(f) != kNone) {
          changed.push_back(about(f));
        }
      }
      for (const Id id : changed) {
        const std::size_t since = looked_at.contains(id) ? looked_at[id] : 0;
        for (const auto& [when, other] : changes) {
          if (when > since && other != id) also_met_[n].insert(other);
        }
      }
      for (const auto m : scope.work.methods) {
        each_use(m, [&](Id named, unsigned use) {
          for (const Id id : (use & kFields) != 0 ? classes_.up(named)
                                                  : std::vector<Id>()) {
            if (classes_.keeps_state(id)) looked_at[id] = at;
          }
        });
      }
      for (const Id id : changed) changes.emplace_back(at, id);
    }
  }

  const RowFile& file_;
  RecordedClasses classes_;
  LastingFacts kept_;
  OpenedFiles opened_;
  bool receivers_ = false;
  std::map<Number, Ids> also_met_;
  std::set<std::string> out_;
};

}  // namespace

std::map<std::string, std::set<std::string>> slow_join(
    const std::vector<RowFile>& files, const JoinOptions& options) {
  std::map<std::string, std::set<std::string>> out;
  CodeSources sources;
  for (const RowFile& file : files) {
    SlowJvm jvm(file, options, sources);
    for (const auto& [number, test] : file.scopes) {
      if (!test.is_test) continue;
      out[test.id].merge(jvm.row(test, number));
      for (const RowFile& other : files) {
        if (&other == &file || other.parent_pid != file.pid || !test.has_end ||
            other.started < test.begun || other.started > test.ended) {
          continue;
        }
        SlowJvm child(other, options, sources);
        Scope main;
        main.id = test.id;
        main.has_end = true;
        main.ended = test.ended;
        out[test.id].merge(child.row(main, kWholeSession));
      }
    }
  }
  return out;
}

}  // namespace rejig::coverage
