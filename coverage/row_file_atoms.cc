// SPDX-License-Identifier: Apache-2.0
#include "coverage/row_file_atoms.h"

#include <algorithm>

namespace rejig::coverage {

using classfile::dotted;
using classfile::slashed;

namespace {

constexpr unsigned kCreates = 1;
constexpr unsigned kTriggers = 2;
constexpr unsigned kFields = 4;
constexpr auto kNone = RecordedClasses::kNone;
constexpr std::uint32_t kInit = ~std::uint32_t{0};  // no scope

// The JDK keeps what it found for the next who asks.
bool is_service_of_jdk(const std::string& resource) {
  constexpr std::string_view kServices = "META-INF/services/";
  if (!resource.starts_with(kServices)) return false;
  const auto name = std::string_view(resource).substr(kServices.size());
  for (const std::string_view head :
       {"java.", "javax.", "jdk.", "sun.", "com.sun."}) {
    if (name.starts_with(head)) return true;
  }
  return false;
}

// "[Lp/A;" is about p/A.
std::string_view element_class(std::string_view name) {
  const auto from = name.find_first_not_of('[');
  if (from == 0 || from == std::string_view::npos || name[from] != 'L' ||
      !name.ends_with(';')) {
    return name;
  }
  return name.substr(from + 1, name.size() - from - 2);
}

bool is_about_class(FactKind kind) {
  return kind <= FactKind::kMissingClass || kind == FactKind::kLoadedClass ||
         kind == FactKind::kRedefined || kind == FactKind::kChangedState ||
         (kind >= FactKind::kInitialized && kind <= FactKind::kListed);
}

}  // namespace

RowAtoms::RowAtoms(const RowFile& file, RecordedClasses& classes,
                   MatrixBuilder& builder, const JoinOptions& options)
    : file_(file),
      classes_(classes),
      builder_(builder),
      files_(file, options),
      kept_(file, classes),
      known_(classfile::kAtomKinds, Known(classes.size(), 0)),
      kinds_(classes.size(), 0),
      methods_(file.methods.size(), 0),
      need_(file.methods.size()),
      own_(classes.size()),
      created_(classes.size()),
      constructed_(classes.size()),
      initialized_(classes.size()),
      referred_(classes.size()),
      loaded_(classes.size()),
      changed_(classes.size()),
      extensions_(classes.size()) {
  receivers_ =
      std::find(file.atom_kinds.begin(), file.atom_kinds.end(),
                classfile::prefix_of(AtomKind::kRecv)) != file.atom_kinds.end();
  for (const auto& fact : file.facts) {
    fact_class_.push_back(
        is_about_class(fact.kind)
            ? classes.find(element_class(slashed(fact.text)))
            : kNone);
  }
  for (const auto& [number, work] : file.inits) {
    init_of_[classes.of_class(number)].push_back(&work);
    note_lasting(work, kInit);
  }
  for (const auto& [number, scope] : file.scopes) {
    note_lasting(scope.work, number);
  }
  find_early_inits();
  find_unexplained_inits();
  follow_changes();
  find_needs();
}

void RowAtoms::note_lasting(const Work& work, std::uint32_t scope) {
  for (const auto f : work.facts) {
    const auto& fact = file_.facts[f];
    // What an initializer loads stands in the row of the test as well.
    const bool loads = (fact.kind == FactKind::kNative ||
                        fact.kind == FactKind::kRedefined) &&
                       scope != kInit;
    if (fact.kind != FactKind::kCreatable && !loads &&
        !(fact.kind == FactKind::kResource && is_service_of_jdk(fact.text))) {
      continue;
    }
    const std::uint32_t from = scope == kInit ? 0 : scope;
    const auto [at, fresh] = lasting_.emplace(f, from);
    if (!fresh) at->second = std::min(at->second, from);
  }
}

void RowAtoms::put(AtomKind kind, std::string_view text) {
  out_.push_back(builder_.intern(kind, text));
}

void RowAtoms::put_class(AtomKind kind, Id id) {
  LocalAtom& known = known_[static_cast<std::size_t>(kind)][id];
  if (known == 0) known = builder_.intern(kind, dotted(classes_.name(id))) + 1;
  out_.push_back(known - 1);
}

void RowAtoms::put_kind(Id id) {
  LocalAtom& known = kinds_[id];
  if (known == 0) {
    known = builder_.intern(AtomKind::kRefl, classfile::kind_asked(dotted(
                                                 classes_.name(id)))) +
            1;
  }
  out_.push_back(known - 1);
}

void RowAtoms::put_method(std::uint32_t index) {
  LocalAtom& known = methods_[index];
  if (known == 0) {
    const auto [c, slot] = file_.methods[index];
    const auto& m = file_.classes[c].methods[slot];
    known = builder_.intern(AtomKind::kMethod,
                            classfile::method_entity(file_.classes[c].name,
                                                     m.name, m.descriptor)) +
            1;
  }
  out_.push_back(known - 1);
}

void RowAtoms::initialize(Whole& work, const std::vector<Id>& classes) {
  for (const Id id : classes) {
    if (!initialized_.add(id)) continue;
    const auto at = init_of_.find(id);
    if (at == init_of_.end()) continue;
    for (const Work* w : at->second) {
      if (early_.contains(id)) {
        add_without_state(*w, work);
      } else {
        work.add(*w);
      }
    }
  }
}

// Each initializer ran once and serves all who would have run it.
void RowAtoms::close_over_inits(Whole& work) {
  std::size_t methods = 0;
  std::size_t facts = 0;
  while (methods < work.methods.list().size() ||
         facts < work.facts.list().size()) {
    while (methods < work.methods.list().size()) {
      const auto [c, slot] = file_.methods[work.methods.list()[methods++]];
      const auto& owner = file_.classes[c];
      initialize(work, classes_.initialized_with(classes_.of_class(c)));
      for (const auto use : owner.methods[slot].uses) {
        if ((use & kTriggers) == 0) continue;
        const Id id = classes_.of_name(owner.names[use >> 5]);
        initialize(work, (use & kFields) != 0 ? classes_.up(id)
                                              : classes_.initialized_with(id));
      }
    }
    while (facts < work.facts.list().size()) {
      const auto f = work.facts.list()[facts++];
      const Id id = fact_class_[f];
      if (id == kNone) continue;
      switch (file_.facts[f].kind) {
        case FactKind::kCreated:
        case FactKind::kCreatable:
        case FactKind::kAskedClass:
        case FactKind::kConstants:
          initialize(work, classes_.initialized_with(id));
          break;
        case FactKind::kInitialized:
          initialize(work, classes_.up(id));
          break;
        // No prefix in a native method tells that reflection called it.
        case FactKind::kReflected:
          if (classes_.has_native_static(id)) initialize(work, classes_.up(id));
          break;
        case FactKind::kListed:
          if (std::ranges::any_of(classes_.up(id), [this](Id u) {
                return classes_.has_native_static(u);
              })) {
            initialize(work, classes_.up(id));
          }
          break;
        default:
          break;
      }
    }
  }
}

std::vector<RowAtoms::LocalAtom> RowAtoms::derive(
    Whole& work, const std::vector<Id>& own, std::uint32_t number,
    std::uint64_t seen_by, const TestClass& test_class) {
  out_.clear();
  for (Marks* marks : {&own_, &created_, &constructed_, &initialized_,
                       &referred_, &loaded_, &changed_, &extensions_}) {
    marks->clear();
  }
  met_.clear();
  own_.add(own);
  asks_ = false;
  seen_by_ = seen_by;
  enter_redefined(work, number);
  close_over_inits(work);
  native_ = runs_native_code(work, number);
  for (const auto r : work.receivers.list()) receiver(file_.receivers[r]);
  for (const auto& [f, scope] : lasting_) {
    if (scope > number) continue;
    if (file_.facts[f].kind != FactKind::kCreatable) {
      fact(file_.facts[f]);
    } else if (fact_class_[f] != kNone) {
      created_.add(fact_class_[f]);
      constructed_.add(fact_class_[f]);
    }
  }
  std::size_t methods = 0;
  std::size_t facts = 0;
  std::size_t classes = 0;
  for (bool more = true; more;) {
    close_over_inits(work);
    while (methods < work.methods.list().size()) {
      const bool does_it = methods < work.own_methods;
      method(work.methods.list()[methods++], does_it);
    }
    while (facts < work.facts.list().size()) {
      fact(file_.facts[work.facts.list()[facts++]]);
    }
    find_loaded(work);
    more = false;
    while (classes < loaded_.list().size()) {
      more = meet(loaded_.list()[classes++], work) || more;
    }
  }
  for (const Id id : initialized_.list()) {
    if (classes_.is_internal(id)) put_class(AtomKind::kInit, id);
  }
  for (const Id id : loaded_.list()) loaded(id);
  for (const Id id : referred_.list()) {
    if (kept_.is_missed(id)) put(AtomKind::kMiss, dotted(classes_.name(id)));
  }
  created();
  left();
  met_libraries(work);
  borrowed(work);
  if (const auto at = also_met_.find(number); at != also_met_.end()) {
    for (const Id id : at->second) put_class(AtomKind::kState, id);
  }
  share_instances(test_class);
  std::sort(out_.begin(), out_.end());
  out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
  return out_;
}

void RowAtoms::method(std::uint32_t index, bool own) {
  const auto [c, slot] = file_.methods[index];
  const auto& owner = file_.classes[c];
  const auto& m = owner.methods[slot];
  const Id id = classes_.of_class(c);
  put_method(index);
  referred_.add(id);
  asks_ = asks_ || m.asks;
  const bool makes = m.name == "<init>";
  if (makes) constructed_.add(id);
  for (const auto use : m.uses) {
    const Id named = classes_.of_name(owner.names[use >> 5]);
    referred_.add(named);
    if ((use & kCreates) != 0) created_.add(named);
    if ((use & kTriggers) != 0 && kept_.links(named)) {
      put(AtomKind::kState, "bootstrap " + dotted(classes_.name(named)));
    }
  }
  linked(id, m);
  if (!m.is_static && !makes && is_extension(id)) extensions_.add(id);
  // Nobody inherits from it: no receiver was recorded.
  if (receivers_ && owner.is_final && !m.is_static && !makes) {
    put_receiver(id, index);
  }
  met_state(index, own);
  if (!m.clones) return;
  for (const Id sub : classes_.down(id)) {
    if (classes_.is_internal(sub)) put_class(AtomKind::kInst, sub);
  }
}

void RowAtoms::put_receiver(Id receiver, std::uint32_t method) {
  const auto [c, slot] = file_.methods[method];
  const auto& m = file_.classes[c].methods[slot];
  put(AtomKind::kRecv, dotted(classes_.name(receiver)) + "|" +
                           classfile::method_entity(file_.classes[c].name,
                                                    m.name, m.descriptor));
}

// A class that was made at run time inherits what it does not define: for the
// comparison it is what it extends. Of an unknown class anything may be so.
void RowAtoms::receiver(const RecordedReceiver& r) {
  const Id id = classes_.of_name(r.name);
  if (classes_.is_internal(id) && !classes_.is_generated(id)) {
    return put_receiver(id, r.method);
  }
  const Id owner = classes_.of_class(file_.methods[r.method].first);
  for (const Id other :
       classes_.is_known(id) ? classes_.up(id) : classes_.down(owner)) {
    if (classes_.is_internal(other) && !classes_.is_generated(other)) {
      put_receiver(other, r.method);
    }
  }
}

void RowAtoms::created() {
  for (const Id id : created_.list()) {
    if (!classes_.is_internal(id)) continue;
    if (!classes_.is_recorded(id) || constructed_.has(id)) {
      put_class(AtomKind::kInst, id);
    }
  }
}

void RowAtoms::find_loaded(const Whole& work) {
  for (const auto c : work.classes.list()) {
    referred_.add(classes_.of_class(c));
  }
  for (const Id id : referred_.list()) loaded_.add(classes_.up(id));
  external_closure();
}

// What a library class needs was loaded once, for whoever came first.
void RowAtoms::external_closure() {
  for (std::size_t i = 0; i < loaded_.list().size(); ++i) {
    const Id id = loaded_.list()[i];
    if (!classes_.is_external(id) || classes_.is_internal(id)) continue;
    for (const auto record : classes_.records(id)) {
      for (const auto name : file_.classes[record].names) {
        const Id needed = classes_.of_name(name);
        if (classes_.is_external(needed)) loaded_.add(classes_.up(needed));
      }
    }
  }
}

void RowAtoms::loaded(Id id) {
  if (!classes_.is_known(id)) return;
  if (!classes_.is_internal(id)) {
    if (classes_.is_external(id)) put_class(AtomKind::kExt, id);
    return;
  }
  put_class(AtomKind::kLoad, id);
  if (asks_) put_kind(id);
  // Should a program have such a class some day, it is news.
  if (classes_.is_generated(id)) put_class(AtomKind::kMiss, id);
  for (const auto record : classes_.records(id)) {
    const auto& c = file_.classes[record];
    if (c.origin == Origin::kUntouched) untouched(id, c);
  }
}

// A class whose methods could not be recorded: who meets it may have entered
// all of them.
void RowAtoms::untouched(Id id, const RecordedClass& c) {
  for (const auto kind : {AtomKind::kInit, AtomKind::kInst, AtomKind::kRefl}) {
    put_class(kind, id);
  }
  for (const auto& m : c.methods) {
    const std::string entity =
        classfile::method_entity(c.name, m.name, m.descriptor);
    put(AtomKind::kMethod, entity);
    if (!receivers_ || m.is_static) continue;
    for (const Id sub : classes_.down(id)) {
      if (classes_.is_internal(sub)) {
        put(AtomKind::kRecv, dotted(classes_.name(sub)) + "|" + entity);
      }
    }
  }
}

void RowAtoms::opened(const RecordedFact& f) {
  files_.atoms(f, seen_by_, native_,
               [this](AtomKind kind, const auto& text) { put(kind, text); });
}

// What is entered in them is not told any more, from that test on: all of it
// may be.
void RowAtoms::enter_redefined(Whole& work, std::uint32_t number) {
  std::vector<std::uint32_t> found;
  const auto note = [&](std::uint32_t f) {
    if (file_.facts[f].kind == FactKind::kRedefined) found.push_back(f);
  };
  for (const auto f : work.facts.list()) note(f);
  for (const auto& [f, scope] : lasting_) {
    if (scope <= number) note(f);
  }
  for (const auto f : found) {
    for (std::uint32_t m = 0; m < file_.methods.size(); ++m) {
      if (classes_.of_class(file_.methods[m].first) == fact_class_[f]) {
        work.methods.add(m);
      }
    }
  }
}

// Native code that was loaded stays.
bool RowAtoms::runs_native_code(const Whole& work,
                                std::uint32_t number) const {
  const auto is_native = [this](std::uint32_t f) {
    return file_.facts[f].kind == FactKind::kNative;
  };
  return std::ranges::any_of(work.facts.list(), is_native) ||
         std::ranges::any_of(lasting_, [&](const auto& one) {
           return one.second <= number && is_native(one.first);
         });
}

// What everybody asks of a test's own class, and what a runner lists of it, is
// compared as such (D18, D19). Queries reach supertypes, and types that members
// are declared with.
void RowAtoms::reflected(Id id, const RecordedFact& f) {
  const bool listed =
      f.kind == FactKind::kListed || f.kind == FactKind::kInitialized;
  if (own_.has(id) && (f.by_runner || !listed)) return;
  if (f.kind == FactKind::kCreated || f.kind == FactKind::kCreatable) {
    if (classes_.is_internal(id)) put_class(AtomKind::kRefl, id);
    return;
  }
  for (const Id above : classes_.up(id)) {
    if (!classes_.is_internal(above)) continue;
    put_class(AtomKind::kRefl, above);
    for (const auto record : classes_.records(above)) {
      for (const auto name : file_.classes[record].names) {
        referred_.add(classes_.of_name(name));
      }
    }
  }
}

// The JDK calls values() once and keeps what it gave.
void RowAtoms::constants(Id id) {
  referred_.add(id);
  for (const auto record : classes_.records(id)) {
    for (const auto& m : file_.classes[record].methods) {
      if (m.name != "values" || !m.is_static) continue;
      put(AtomKind::kMethod,
          classfile::method_entity(classes_.name(id), m.name, m.descriptor));
    }
  }
}

void RowAtoms::missing(const std::string& name) {
  const Id id = classes_.find(name);
  if (id == kNone || !classes_.is_known(id)) put(AtomKind::kMiss, dotted(name));
}

void RowAtoms::fact(const RecordedFact& f) {
  const std::string name = is_about_class(f.kind) ? slashed(f.text) : "";
  const Id id = name.empty() ? kNone : classes_.find(element_class(name));
  switch (f.kind) {
    case FactKind::kInitialized:
      if (id != kNone && !f.by_runner) met_by_reflection(id);
      [[fallthrough]];
    case FactKind::kReflected:
    case FactKind::kListed:
      if (id != kNone) reflected(id, f);
      break;
    case FactKind::kCreated:
    case FactKind::kCreatable:
      if (id == kNone) break;
      created_.add(id);
      constructed_.add(id);
      reflected(id, f);
      break;
    case FactKind::kConstants:
      if (id != kNone) constants(id);
      break;
    case FactKind::kAskedClass:
    case FactKind::kLoadedClass:
      if (id != kNone) referred_.add(id);
      // The message about it is taken for a sentence.
      if (name.find(' ') != std::string::npos) missing(name);
      break;
    case FactKind::kMissingClass:
      if (!name.empty() && name.find(' ') == std::string::npos &&
          name[0] != '[') {
        missing(name);
      }
      break;
    case FactKind::kResource:
      put(AtomKind::kRes, f.text);
      put(AtomKind::kResMiss, f.text);
      break;
    case FactKind::kFile:
    case FactKind::kAttributes:
    case FactKind::kExists:
    case FactKind::kRealPath:
    case FactKind::kEntry:
    case FactKind::kDeclared:
    case FactKind::kNative:
      opened(f);
      break;
    case FactKind::kVariable:
      put(AtomKind::kRes, variable_atom(f.text));
      break;
    case FactKind::kStack:
    case FactKind::kMessage:
      put(AtomKind::kStackApi, "");
      break;
    case FactKind::kRedefined:
      if (id == kNone) break;
      created_.add(id);
      constructed_.add(id);
      break;
    case FactKind::kChangedState:
      if (id != kNone) changed_.add(id);
      break;
    case FactKind::kKept:
      put(AtomKind::kState, f.text);
      put(AtomKind::kLeft, f.text);
      break;
    case FactKind::kLeftThere:
      left_there(f.text);
      break;
    case FactKind::kMet:
      put(AtomKind::kState, f.text);
      break;
    case FactKind::kChild:
    case FactKind::kAskedBy:
    case FactKind::kMakesShared:
    case FactKind::kUsesShared:
      break;
  }
}

}  // namespace rejig::coverage
