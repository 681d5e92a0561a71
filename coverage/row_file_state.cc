// SPDX-License-Identifier: Apache-2.0
// What tests leave to each other, and what is done once for all of them: the
// part of RowAtoms that follows ROWS.md on state, shared instances and what
// lasts.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "coverage/row_file_atoms.h"

namespace rejig::coverage {

using classfile::dotted;

namespace {

constexpr unsigned kFields = 4;
constexpr unsigned kWrites = 8;
constexpr unsigned kMarks = 16;
constexpr auto kNone = RecordedClasses::kNone;

}  // namespace

// A class is initialized once. Where nothing that the scope did asks for it, the
// JVM, the JDK or a library did it on the way: for the first who came.
void RowAtoms::find_unexplained_inits() {
  Whole work(file_);
  for (const auto& [number, scope] : file_.scopes) {
    const auto initializes = [&](std::uint32_t m) {
      const auto [c, slot] = file_.methods[m];
      return file_.classes[c].methods[slot].name == "<clinit>";
    };
    if (std::ranges::none_of(scope.work.methods, initializes)) continue;
    work.clear();
    initialized_.clear();
    // A method of a class is no reason for its own initializer.
    for (const auto m : scope.work.methods) {
      if (!initializes(m)) work.methods.add(m);
    }
    work.facts.add(scope.work.facts);
    close_over_inits(work);
    for (const auto m : scope.work.methods) {
      const Id id = classes_.of_class(file_.methods[m].first);
      if (initializes(m) && !initialized_.has(id)) kept_.add_initialized(id);
    }
  }
}

// True when the row has more now.
bool RowAtoms::meet(Id id, Whole& work) {
  bool more = false;
  for (const auto f : kept_.of(id)) more = work.facts.add(f) || more;
  if (kept_.is_initialized(id) && !initialized_.has(id)) {
    initialize(work, classes_.initialized_with(id));
    more = true;
  }
  return more;
}

// Who runs it links a call site for all who pass that site later.
void RowAtoms::linked(Id id, const RecordedMethod& method) {
  if (kept_.links(id) && is_bootstrap(method)) {
    put(AtomKind::kLeft, "bootstrap " + dotted(classes_.name(id)));
  }
}

void RowAtoms::shared(const std::string& what) {
  put(AtomKind::kState, what);
  put(AtomKind::kLeft, what);
}

// Instances that tests of one class have together: its own, and those of the
// extensions that it is registered with.
void RowAtoms::share_instances(const TestClass& test_class) {
  // Tests of a nested class see the instances around theirs.
  for (auto end = test_class.name.find('$'); test_class.shares_instance;
       end = test_class.name.find('$', end + 1)) {
    shared("instance of " + test_class.name.substr(0, end));
    if (end == std::string::npos) break;
  }
  const auto outermost =
      test_class.name.substr(0, test_class.name.find('$'));
  for (const Id id : extensions_.list()) {
    shared("instance of " + dotted(classes_.name(id)) + " for " + outermost);
  }
}

bool RowAtoms::is_extension(Id id) {
  return classes_.is_internal(id) && classes_.has_parts(id) &&
         std::ranges::any_of(classes_.up(id), [this](Id above) {
           return classes_.name(above).starts_with(
               "org/junit/jupiter/api/extension/");
         });
}

// What a class holds may be changed by way of another one that holds the same
// object: then it is found changed by the next who meets it, and whoever left
// something meanwhile may be the reason.
void RowAtoms::follow_changes() {
  struct Change {
    std::size_t at;
    Id id;
  };
  std::vector<Change> changes;
  std::unordered_map<Id, std::size_t> looked_at;
  std::size_t at = 0;
  for (const auto& [number, scope] : file_.scopes) {
    ++at;
    for (const auto c : scope.work.classes) {
      looked_at.try_emplace(classes_.of_class(c), at);
    }
    std::vector<Id> changed;
    for (const auto f : scope.work.facts) {
      if (file_.facts[f].kind == FactKind::kChangedState &&
          fact_class_[f] != kNone) {
        changed.push_back(fact_class_[f]);
      }
    }
    for (const Id id : changed) {
      const auto known = looked_at.find(id);
      const std::size_t since = known == looked_at.end() ? 0 : known->second;
      for (auto c = changes.rbegin(); c != changes.rend() && c->at > since; ++c) {
        if (c->id != id) also_met_[number].push_back(c->id);
      }
    }
    for (const auto m : scope.work.methods) {
      const auto [c, slot] = file_.methods[m];
      const auto& owner = file_.classes[c];
      for (const auto use : owner.methods[slot].uses) {
        if ((use & kFields) == 0) continue;
        for (const Id id : classes_.up(classes_.of_name(owner.names[use >> 5]))) {
          if (classes_.keeps_state(id)) looked_at[id] = at;
        }
      }
    }
    for (const Id id : changed) changes.push_back({at, id});
  }
  for (auto& [number, list] : also_met_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

// A class's own initializer is where what it holds begins.
void RowAtoms::met_state(std::uint32_t index, bool own) {
  const auto [c, slot] = file_.methods[index];
  const auto& owner = file_.classes[c];
  const auto& m = owner.methods[slot];
  for (const auto use : m.uses) {
    if ((use & kFields) == 0) continue;
    const Id named = classes_.of_name(owner.names[use >> 5]);
    for (const Id id : classes_.up(named)) {
      if (!classes_.is_internal(id) || !classes_.keeps_state(id) ||
          (m.name == "<clinit>" && id == classes_.of_class(c))) {
        continue;
      }
      put_class(AtomKind::kState, id);
      met_.emplace_back(id, index);
      if (own && (use & kWrites) != 0) {
        may_write(id);
      } else if (own && (use & kMarks) != 0) {
        put(AtomKind::kState, "mark " + dotted(classes_.name(id)));
      }
    }
  }
  // An instance that a static field of its own class holds.
  const Id self = classes_.of_class(c);
  if (own && classes_.keeps_state(self) && std::ranges::any_of(m.uses, [&](auto use) {
        return (use & (kWrites | kFields)) == kWrites;
      })) {
    may_write(self);
  }
}

// It did not, as far as anybody knows; with other code before it, it might.
void RowAtoms::may_write(Id id) {
  put(AtomKind::kState, "may " + dotted(classes_.name(id)));
}

void RowAtoms::met_by_reflection(Id id) {
  for (const Id above : classes_.up(id)) {
    if (classes_.is_internal(above) && classes_.keeps_state(above)) {
      put_class(AtomKind::kState, above);
    }
  }
}

// Who met the state of a class in the same methods would have left the same.
void RowAtoms::left() {
  if (changed_.list().empty()) return;
  std::set<Id> said;
  for (const auto& [id, index] : met_) {
    if (!changed_.has(id)) continue;
    said.insert(id);
    const auto [c, slot] = file_.methods[index];
    const auto& m = file_.classes[c].methods[slot];
    put(AtomKind::kLeft, dotted(classes_.name(id)) + "|" +
                             classfile::method_entity(file_.classes[c].name,
                                                      m.name, m.descriptor));
  }
  for (const Id id : changed_.list()) {
    if (classes_.is_internal(id) && !said.contains(id)) {
      put(AtomKind::kLeft, dotted(classes_.name(id)) + "|?");
    }
  }
}

// Where static methods and fields of a library's class may lead: as far as the
// recorder looks, to what it names and what is named there.
const std::vector<RowAtoms::Id>& RowAtoms::keepers_behind(Id library) {
  const auto [at, fresh] = keepers_.try_emplace(library);
  if (!fresh) return at->second;
  std::set<Id> met{library};
  std::vector<Id> last{library};
  for (int step = 0; step < 2; ++step) {
    std::vector<Id> next;
    for (const Id id : last) {
      for (const auto record : classes_.records(id)) {
        const auto& one = file_.classes[record];
        if (one.origin != Origin::kExternal) continue;
        for (std::uint32_t n = 0; n < one.constants && n < one.names.size();
             ++n) {
          const Id named = classes_.of_name(one.names[n]);
          if (classes_.is_external(named) && met.insert(named).second) {
            next.push_back(named);
          }
        }
      }
    }
    last = std::move(next);
  }
  for (const Id id : met) {
    if (classes_.is_external(id) && !classes_.is_internal(id) &&
        classes_.keeps_state(id)) {
      at->second.push_back(id);
    }
  }
  return at->second;
}

// Methods do not say in which class of a library they leave something.
void RowAtoms::met_libraries(const Whole& work) {
  constexpr unsigned kTriggers = 2;
  std::set<Id> said;
  for (const auto index : work.methods.list()) {
    const auto [c, slot] = file_.methods[index];
    const auto& owner = file_.classes[c];
    const auto& m = owner.methods[slot];
    for (const auto use : m.uses) {
      if ((use & kTriggers) == 0) continue;
      const Id named = classes_.of_name(owner.names[use >> 5]);
      if (!classes_.is_external(named)) continue;
      for (const Id id : keepers_behind(named)) {
        put_class(AtomKind::kState, id);
        if (!changed_.has(id)) continue;
        said.insert(id);
        put(AtomKind::kLeft, dotted(classes_.name(id)) + "|" +
                                 classfile::method_entity(owner.name, m.name,
                                                          m.descriptor));
      }
    }
  }
  for (const Id id : changed_.list()) {
    if (classes_.is_external(id) && !classes_.is_internal(id) &&
        !said.contains(id)) {
      put(AtomKind::kLeft, dotted(classes_.name(id)) + "|?");
    }
  }
}

// Of what is kept elsewhere the recorder says itself who left it; files have the
// names that rows have for whoever looks at them.
void RowAtoms::left_there(const std::string& text) {
  constexpr std::string_view kFile = "file ";
  const auto bar = text.rfind('|');
  if (!text.starts_with(kFile) || bar == std::string::npos) {
    return put(AtomKind::kLeft, text);
  }
  const std::string name = files_.name_of_written(
      text.substr(kFile.size(), bar - kFile.size()));
  if (name.empty()) return;
  put(AtomKind::kLeft, std::string(kFile) + name + text.substr(bar));
}

namespace {

// The method in which compilers found this body of a lambda; empty for others.
// javac: lambda$NAME$1; Kotlin: NAME$lambda$1, NAME$lambda-1; Scala:
// $anonfun$NAME$1.
std::string_view encloses(std::string_view name) {
  for (const std::string_view head : {"lambda$", "$anonfun$"}) {
    if (!name.starts_with(head)) continue;
    name.remove_prefix(head.size());
    const auto end = name.rfind('$');
    if (end == std::string_view::npos || end == 0) return {};
    name = name.substr(0, end);
    if (name == "new") return "<init>";
    if (name == "static") return "<clinit>";
    return name == "null" ? std::string_view{} : name;
  }
  const auto at = name.find("$lambda");
  return at == std::string_view::npos || at == 0 ? std::string_view{}
                                                 : name.substr(0, at);
}

}  // namespace

// What an initializer read before the first test had begun no test can have set.
void RowAtoms::find_early_inits() {
  for (const auto& [number, scope] : file_.scopes) {
    const Id test_class = classes_.find(classfile::slashed(scope.id));
    if (scope.is_test || (number != 0 && test_class != kNone)) continue;
    for (const auto m : scope.work.methods) {
      const auto [c, slot] = file_.methods[m];
      if (file_.classes[c].methods[slot].name == "<clinit>") {
        early_.insert(classes_.of_class(c));
      }
    }
  }
}

void RowAtoms::add_without_state(const Work& from, Whole& work) const {
  work.methods.add(from.methods);
  work.classes.add(from.classes);
  work.receivers.add(from.receivers);
  for (const auto f : from.facts) {
    const FactKind kind = file_.facts[f].kind;
    if (kind != FactKind::kMet && kind != FactKind::kLeftThere) {
      work.facts.add(f);
    }
  }
}

void RowAtoms::find_needs() {
  for (std::size_t i = 0; i < need_.size(); ++i) {
    const auto [c, slot] = file_.methods[i];
    const auto& owner = file_.classes[c];
    const auto& m = owner.methods[slot];
    need_[i].owner = classes_.of_class(c);
    if (const auto name = encloses(m.name); !name.empty()) {
      need_[i].maker = name;
    } else if (!m.is_static && m.name != "<init>" && !owner.is_interface) {
      need_[i].maker = "<init>";
    }
  }
}

// Whoever calls a method of an object that it did not make got it from somebody,
// wherever that was kept in the meantime.
void RowAtoms::borrowed(const Whole& work) {
  std::set<std::pair<Id, std::string_view>> entered;
  for (const auto index : work.methods.list()) {
    const auto [c, slot] = file_.methods[index];
    entered.emplace(classes_.of_class(c), file_.classes[c].methods[slot].name);
  }
  Marks made(classes_.size());
  for (const Id id : constructed_.list()) made.add(classes_.up(id));
  std::set<std::pair<Id, std::string_view>> told;
  for (const auto index : work.methods.list()) {
    const auto& [owner, maker] = need_[index];
    if (maker.empty() || entered.contains({owner, maker}) ||
        (maker == "<init>" && made.has(owner)) ||
        !classes_.is_recorded(owner) || !told.emplace(owner, maker).second) {
      continue;
    }
    put(AtomKind::kState, "borrowed " + dotted(classes_.name(owner)) + "." +
                              std::string(maker));
  }
}

}  // namespace rejig::coverage
