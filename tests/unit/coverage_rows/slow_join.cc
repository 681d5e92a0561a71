// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/coverage_rows/slow_join.h"

#include <utility>

#include "coverage/row/build_choice.h"
#include "coverage/row/file_state.h"
#include "coverage/row/row_file_opened.h"
#include "tests/unit/coverage_rows/slow_work.h"

namespace rejig::coverage {

namespace {

using classfile::AtomKind;

constexpr Number kWholeSession = 0xFFFFFFFF;

class SlowJvm : SlowWork {
 public:
  SlowJvm(const RowFile& file, const JoinOptions& options, CodeSources& sources)
      : SlowWork(file, sources),
        opened_(file, options),
        choices_(options.choices_of ? options.choices_of(file) : nullptr) {
    receivers_ = std::ranges::find(file.atom_kinds, "recv") !=
                 file.atom_kinds.end();
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
    for (const auto& seen : choices_of_everybody(file_, classes_, choices_)) {
      put(AtomKind::kRes, variable_atom(seen));
    }
    shared_instances(all, test_class, own);
    may_write(all);
    borrowed(all, number);
    if (const auto at = also_met_.find(number); at != also_met_.end()) {
      for (const Id id : at->second) put(AtomKind::kState, name(id));
    }
    return std::move(out_);
  }

 private:
  void put(AtomKind kind, const std::string& text) {
    out_.insert(classfile::to_string({kind, text}));
  }
  void put_if_internal(AtomKind kind, Id id) {
    if (classes_.is_internal(id)) put(kind, name(id));
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
      if (kept_.computes(owner(m)) && is_compute_value(what)) {
        put(AtomKind::kLeft, "class value " + name(owner(m)));
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
    Ids said;
    for (const auto m : all.methods) {
      const auto met = [&](Id id) {
        if (!changed.contains(id)) return;
        said.insert(id);
        put(AtomKind::kLeft, name(id) + "|" + entity(m));
      };
      each_met(m, met);
      for (const Id id : keepers_of(m)) {
        put(AtomKind::kState, name(id));
        met(id);
      }
    }
    for (const Id id : changed) {
      if ((classes_.is_external(id) || classes_.is_internal(id)) &&
          !said.contains(id)) {
        put(AtomKind::kLeft, name(id) + "|?");
      }
    }
  }
  // Of what a method asks of libraries: two steps further along their names.
  Ids keepers_of(std::uint32_t m) {
    Ids out;
    each_use(m, [&](Id named, unsigned use) {
      if ((use & kTriggers) == 0 || !classes_.is_external(named)) return;
      Ids met{named};
      for (int step = 0; step < 2; ++step) {
        for (const Id id : Ids(met)) {
          for (const auto r : classes_.records(id)) {
            const auto& c = file_.classes[r];
            for (std::size_t n = 0;
                 c.origin == Origin::kExternal && n < c.constants &&
                 n < c.names.size();
                 ++n) {
              const Id next = classes_.of_name(c.names[n]);
              if (classes_.is_external(next)) met.insert(next);
            }
          }
        }
      }
      for (const Id id : met) {
        if (!classes_.is_internal(id) && classes_.keeps_state(id)) {
          out.insert(id);
        }
      }
    });
    return out;
  }
  void may_write(const All& all) {
    for (const auto m : all.own) {
      each_use(m, [&](Id named, unsigned use) {
        if ((use & (kWrites | kMarks)) == 0) return;
        if ((use & kFields) == 0) {
          if ((use & kWrites) != 0 && classes_.keeps_state(owner(m))) {
            put(AtomKind::kState, "may " + name(owner(m)));
          }
          return;
        }
        for (const Id id : classes_.up(named)) {
          if (classes_.is_internal(id) && classes_.keeps_state(id) &&
              !(method(m).name == "<clinit>" && id == owner(m))) {
            put(AtomKind::kState,
                ((use & kWrites) != 0 ? "may " : "mark ") + name(id));
          }
        }
      });
    }
  }
  // "lambda$f$0" and its like stand in f; other instance methods need an object.
  std::string maker_of(std::uint32_t m) const {
    const std::string& own = method(m).name;
    const std::string lambda = "lambda$";
    if (own.starts_with(lambda)) {
      const auto end = own.rfind('$');
      if (end <= lambda.size()) {
        return end + 1 == lambda.size() ? object_maker(m) : "";
      }
      const auto name = own.substr(lambda.size(), end - lambda.size());
      if (name == "new") return "<init>";
      if (name == "static") return "<clinit>";
      return name == "null" ? object_maker(m) : name;
    }
    const auto at = own.find("$lambda");
    if (at != std::string::npos && at != 0) return own.substr(0, at);
    return object_maker(m);
  }
  std::string object_maker(std::uint32_t m) const {
    const bool is_interface = file_.classes[file_.methods[m].first].is_interface;
    return method(m).is_static || method(m).name == "<init>" || is_interface
               ? ""
               : "<init>";
  }
  void borrowed(const All& all, Number number) {
    std::set<std::pair<Id, std::string>> entered;
    Ids made;
    const auto make = [&](Id id) {
      if (id == kNone) return;
      for (const Id up : classes_.up(id)) made.insert(up);
    };
    for (const auto m : all.methods) {
      entered.emplace(owner(m), method(m).name);
      if (method(m).name == "<init>") make(owner(m));
    }
    auto facts = all.facts;
    facts.merge(lasting(number));
    for (const auto f : facts) {
      if (is_one_of(fact(f).kind,
                    {Kind::kCreated, Kind::kCreatable, Kind::kRedefined})) {
        make(about(f));
      }
    }
    for (const auto m : all.methods) {
      const std::string maker = maker_of(m);
      if (maker.empty() || entered.contains({owner(m), maker}) ||
          (maker == "<init>" && made.contains(owner(m))) ||
          !classes_.is_recorded(owner(m))) {
        continue;
      }
      put(AtomKind::kState, "borrowed " + name(owner(m)) + "." + maker);
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
        if (id != kNone && fact(f).kind == Kind::kInitialized &&
            !fact(f).by_runner) {
          for (const Id up : classes_.up(id)) {
            if (classes_.is_internal(up) && classes_.keeps_state(up)) {
              put(AtomKind::kState, name(up));
            }
          }
        }
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
      case Kind::kMet:
        put(AtomKind::kState, text);
        if (const auto seen = choice_seen(text, choices_); !seen.empty()) {
          put(AtomKind::kRes, variable_atom(seen));
        }
        break;
      case Kind::kLeftThere: {
        const auto bar = text.rfind('|');
        if (!text.starts_with("file ") || bar == std::string::npos) {
          put(AtomKind::kLeft, text);
          break;
        }
        const auto written = opened_.name_of_written(text.substr(5, bar - 5));
        if (!written.empty()) {
          put(AtomKind::kLeft, "file " + written + text.substr(bar));
        }
        break;
      }
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
    if (kept_.computes(id)) put(AtomKind::kState, "class value " + name(id));
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
    for (std::string c = test_class; parts && says; c.resize(c.rfind('$'))) {
      share("instance of " + dotted(c));
      if (c.rfind('$') == std::string::npos) break;
    }
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

  OpenedFiles opened_;
  const std::vector<std::string>* choices_;
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
