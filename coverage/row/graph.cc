// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/graph.h"

#include <algorithm>
#include <utility>

#include "coverage/row/build_choice.h"
#include "coverage/row/file_state.h"

namespace rejig::coverage {

using classfile::dotted;
using classfile::slashed;

namespace {

constexpr unsigned kCreates = 1;
constexpr unsigned kTriggers = 2;
constexpr unsigned kFields = 4;
constexpr auto kNone = RecordedClasses::kNone;
constexpr RowGraph::Node kSingles = 3;

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

bool is_state_elsewhere(FactKind kind) {
  return kind == FactKind::kMet || kind == FactKind::kLeftThere;
}

bool is_initializer(const RecordedMethod& method) {
  return method.name == "<clinit>";
}

}  // namespace

bool is_file_fact(FactKind kind) {
  return kind == FactKind::kFile || kind == FactKind::kAttributes ||
         kind == FactKind::kExists || kind == FactKind::kRealPath ||
         kind == FactKind::kEntry || kind == FactKind::kDeclared ||
         kind == FactKind::kNative;
}

RowGraph::RowGraph(
    const RowFile& file, RecordedClasses& classes, AtomCodes& codes,
    const Marks& guarded,
    const std::function<std::string(const std::string&)>& written,
    const std::vector<std::string>* choices)
    : file_(file),
      classes_(classes),
      codes_(codes),
      guarded_(guarded),
      kept_(file, classes),
      choices_(choices),
      first_fact_(static_cast<Node>(file.methods.size())),
      first_receiver_(first_fact_ + static_cast<Node>(file.facts.size())),
      first_part_(first_receiver_ + static_cast<Node>(file.receivers.size()) +
                  kSingles),
      vertices_(first_part_ + kParts * classes.size()),
      init_of_(classes.size()),
      methods_of_(classes.size()) {
  receivers_ =
      std::find(file.atom_kinds.begin(), file.atom_kinds.end(),
                classfile::prefix_of(AtomKind::kRecv)) != file.atom_kinds.end();
  bool redefines = false;
  for (const auto& fact : file.facts) {
    redefines = redefines || fact.kind == FactKind::kRedefined;
    fact_class_.push_back(
        is_about_class(fact.kind) && !fact.text.empty()
            ? classes.find(element_class(slashed(fact.text)))
            : kNone);
  }
  for (std::uint32_t m = 0; redefines && m < file.methods.size(); ++m) {
    methods_of_[classes.of_class(file.methods[m].first)].push_back(m);
  }
  for (const auto& [number, work] : file.inits) {
    init_of_[classes.of_class(number)].push_back(&work);
  }
  add_initializations();
  add_methods();
  add_facts(written);
  add_receivers();
  find_needs();
  find_unexplained();
  add_classes();
}

void RowGraph::append(const Work& work, std::vector<Node>& out) const {
  for (const auto m : work.methods) out.push_back(method(m));
  for (const auto f : work.facts) out.push_back(fact(f));
  for (const auto r : work.receivers) out.push_back(receiver(r));
  for (const auto c : work.classes) {
    out.push_back(of(kReferred, classes_.of_class(c)));
  }
}

void RowGraph::open(Node node) {
  Vertex& v = vertices_[node];
  v.begin = v.middle = static_cast<std::uint32_t>(edges_.size());
  v.atoms = static_cast<std::uint32_t>(codes_of_.size());
}

void RowGraph::close(Node node) {
  Vertex& v = vertices_[node];
  v.end = static_cast<std::uint32_t>(edges_.size());
  v.atom_count = static_cast<std::uint32_t>(codes_of_.size()) - v.atoms;
}

// Nothing, where it says nothing.
void RowGraph::initialize(Part part, Id id) {
  const Node node = of(part, id);
  if (!next(node).empty()) edge(node);
}

void RowGraph::refer(Id id) {
  if (classes_.is_known(id) || kept_.is_missed(id) || !kept_.of(id).empty()) {
    edge(of(kReferred, id));
  }
}

// What an initializer read before the first test had begun no test can have set.
std::vector<bool> RowGraph::find_early() const {
  std::vector<bool> out(classes_.size(), false);
  for (const auto& [number, scope] : file_.scopes) {
    const bool of_class = classes_.find(slashed(scope.id)) != kNone;
    if (scope.is_test || (number != 0 && of_class)) continue;
    for (const auto m : scope.work.methods) {
      const auto [c, slot] = file_.methods[m];
      if (is_initializer(file_.classes[c].methods[slot])) {
        out[classes_.of_class(c)] = true;
      }
    }
  }
  return out;
}

// Each initializer ran once and serves all who would have run it.
void RowGraph::add_initializations() {
  const auto says = [this](Id id) {
    return classes_.is_internal(id) || !init_of_[id].empty();
  };
  const std::vector<bool> early = find_early();
  std::vector<Node> rest_of;
  for (Id id = 0; id < classes_.size(); ++id) {
    if (!classes_.is_known(id)) continue;
    if (says(id)) {
      const Node self = of(kInitialized, id);
      open(self);
      rest_of.clear();
      for (const Work* work : init_of_[id]) {
        for (const auto m : work->methods) edge(method(m));
        for (const auto f : work->facts) {
          if (!early[id] || !is_state_elsewhere(file_.facts[f].kind)) {
            edge(fact(f));
          }
        }
        for (const auto r : work->receivers) rest_of.push_back(receiver(r));
        for (const auto c : work->classes) {
          rest_of.push_back(of(kReferred, classes_.of_class(c)));
        }
      }
      rest(self);
      edges_.insert(edges_.end(), rest_of.begin(), rest_of.end());
      if (classes_.is_internal(id)) {
        atom(codes_.of_class(AtomKind::kInit, id));
      }
      close(self);
    }
    const auto all = [&](Part part, const std::vector<Id>& list) {
      const Node node = of(part, id);
      open(node);
      for (const Id other : list) {
        if (says(other)) edge(of(kInitialized, other));
      }
      rest(node);
      close(node);
    };
    all(kInitializedWith, classes_.initialized_with(id));
    all(kInitializedUp, classes_.up(id));
  }
}

void RowGraph::add_methods() {
  for (Id id = 0; id < classes_.size(); ++id) {
    if (!classes_.is_known(id)) continue;
    const Node node = of(kEntered, id);
    open(node);
    initialize(kInitializedWith, id);
    rest(node);
    refer(id);
    close(node);
  }
  for (std::uint32_t m = 0; m < file_.methods.size(); ++m) add_method(m);
  met_begin_.push_back(static_cast<std::uint32_t>(met_.size()));
  add_writes();
}

void RowGraph::add_method(std::uint32_t index) {
  const auto [c, slot] = file_.methods[index];
  const auto& owner = file_.classes[c];
  const auto& m = owner.methods[slot];
  const Id id = classes_.of_class(c);
  const Node node = method(index);
  met_begin_.push_back(static_cast<std::uint32_t>(met_.size()));
  open(node);
  edge(of(kEntered, id));
  for (const auto use : m.uses) {
    if ((use & kTriggers) == 0) continue;
    initialize((use & kFields) != 0 ? kInitializedUp : kInitializedWith,
               classes_.of_name(owner.names[use >> 5]));
  }
  rest(node);
  atom(codes_.of_method(index));
  const bool makes = m.name == "<init>";
  if (makes) edge(of(kConstructed, id));
  if (m.asks) edge(asks());
  if (m.clones) edge(of(kCloned, id));
  const std::size_t met = met_.size();
  for (const auto use : m.uses) {
    const Id named = classes_.of_name(owner.names[use >> 5]);
    if (named != id) refer(named);
    if ((use & kCreates) != 0 && classes_.is_internal(named)) {
      edge(of(kCreated, named));
    }
    if ((use & kTriggers) != 0 && kept_.links(named)) {
      text(AtomKind::kState, "bootstrap " + dotted(classes_.name(named)));
    }
    // Methods do not say in which class of a library they leave something.
    if ((use & kTriggers) != 0 && classes_.is_external(named)) {
      for (const Id keeper : keepers_behind(named)) meets(index, keeper);
    }
    if ((use & kFields) == 0) continue;
    for (const Id above : classes_.up(named)) {
      // A class's own initializer is where what it holds begins.
      if (!classes_.is_internal(above) || !classes_.keeps_state(above) ||
          (is_initializer(m) && above == id)) {
        continue;
      }
      meets(index, above);
    }
  }
  if (met != met_.size()) vertices_[node].note = Note::kMeetsState;
  // Who runs it links a call site for all who pass that site later.
  if (kept_.links(id) && is_bootstrap(m)) {
    text(AtomKind::kLeft, "bootstrap " + dotted(classes_.name(id)));
  }
  // Who computes it first does so for all who can have that object.
  if (kept_.computes(id) && is_compute_value(m)) {
    text(AtomKind::kLeft, "class value " + dotted(classes_.name(id)));
  }
  if (!m.is_static && !makes && is_extension(id)) edge(of(kExtension, id));
  // Nobody inherits from it: no receiver was recorded.
  if (receivers_ && owner.is_final && !m.is_static && !makes) {
    add_receiver(id, index);
  }
  close(node);
}

void RowGraph::add_facts(
    const std::function<std::string(const std::string&)>& written) {
  for (std::uint32_t f = 0; f < file_.facts.size(); ++f) {
    open(fact(f));
    if (file_.facts[f].kind == FactKind::kLeftThere) {
      left_there(file_.facts[f].text, written);
    } else {
      add_fact(f);
    }
    close(fact(f));
  }
}

void RowGraph::add_fact(std::uint32_t index) {
  const RecordedFact& f = file_.facts[index];
  const Node node = fact(index);
  const Id id = fact_class_[index];
  const std::string name = is_about_class(f.kind) ? slashed(f.text) : "";
  if (is_file_fact(f.kind)) vertices_[node].note = Note::kFile;
  switch (f.kind) {
    case FactKind::kReflected:
    case FactKind::kInitialized:
    case FactKind::kListed: {
      if (id == kNone) break;
      // No prefix in a native method tells that reflection called it.
      const auto natives = [this](Id above) {
        return classes_.has_native_static(above);
      };
      if (f.kind == FactKind::kInitialized ||
          (f.kind == FactKind::kReflected && natives(id)) ||
          (f.kind == FactKind::kListed &&
           std::ranges::any_of(classes_.up(id), natives))) {
        initialize(kInitializedUp, id);
      }
      rest(node);
      reflected(index, of(kReflectedUp, id));
      if (f.kind == FactKind::kInitialized && !f.by_runner) {
        for (const Id above : classes_.up(id)) {
          if (classes_.is_internal(above) && classes_.keeps_state(above)) {
            atom(codes_.of_class(AtomKind::kState, above));
          }
        }
      }
      break;
    }
    case FactKind::kCreated:
    case FactKind::kCreatable:
      if (id == kNone) break;
      initialize(kInitializedWith, id);
      rest(node);
      edge(of(kCreated, id));
      edge(of(kConstructed, id));
      reflected(index, of(kReflected, id));
      break;
    case FactKind::kConstants:
      if (id == kNone) break;
      initialize(kInitializedWith, id);
      rest(node);
      refer(id);
      constants(id);
      break;
    case FactKind::kAskedClass:
    case FactKind::kLoadedClass:
      if (id != kNone) {
        if (f.kind == FactKind::kAskedClass) {
          initialize(kInitializedWith, id);
        }
        rest(node);
        refer(id);
      }
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
      text(AtomKind::kRes, f.text);
      text(AtomKind::kResMiss, f.text);
      break;
    case FactKind::kNative:
      edge(native());
      break;
    case FactKind::kFile:
    case FactKind::kAttributes:
    case FactKind::kExists:
    case FactKind::kRealPath:
    case FactKind::kEntry:
    case FactKind::kDeclared:
      break;
    case FactKind::kVariable:
      text(AtomKind::kRes, variable_atom(f.text));
      break;
    case FactKind::kStack:
    case FactKind::kMessage:
      text(AtomKind::kStackApi, "");
      break;
    case FactKind::kRedefined:
      if (id == kNone) break;
      // What is entered in it is not told any more: all of it may be.
      for (const auto m : methods_of_[id]) edge(method(m));
      edge(of(kCreated, id));
      edge(of(kConstructed, id));
      break;
    case FactKind::kChangedState:
      if (id != kNone) edge(of(kChanged, id));
      break;
    case FactKind::kKept:
      text(AtomKind::kState, f.text);
      text(AtomKind::kLeft, f.text);
      break;
    case FactKind::kMet:
      text(AtomKind::kState, f.text);
      if (const auto seen = choice_seen(f.text, choices_); !seen.empty()) {
        text(AtomKind::kRes, variable_atom(seen));
      }
      break;
    case FactKind::kLeftThere:
      break;
    case FactKind::kChild:
      edge(child());
      break;
    case FactKind::kAskedBy:
    case FactKind::kMakesShared:
    case FactKind::kUsesShared:
      break;
  }
}

// What everybody asks of a test's own class, and what a runner lists of it, is
// compared as such.
void RowGraph::reflected(std::uint32_t index, Node target) {
  const RecordedFact& f = file_.facts[index];
  const bool listed =
      f.kind == FactKind::kListed || f.kind == FactKind::kInitialized;
  const bool counts_for_all = listed && !f.by_runner;
  if (!counts_for_all && guarded_.has(fact_class_[index])) {
    vertices_[fact(index)].note = Note::kGuarded;
  } else {
    edge(target);
  }
}

RowGraph::Node RowGraph::behind_guard(std::uint32_t index) const {
  const FactKind kind = file_.facts[index].kind;
  const bool made = kind == FactKind::kCreated || kind == FactKind::kCreatable;
  return of(made ? kReflected : kReflectedUp, fact_class_[index]);
}

// The JDK calls values() once and keeps what it gave.
void RowGraph::constants(Id id) {
  for (const auto record : classes_.records(id)) {
    for (const auto& m : file_.classes[record].methods) {
      if (m.name != "values" || !m.is_static) continue;
      text(AtomKind::kMethod,
           classfile::method_entity(classes_.name(id), m.name, m.descriptor));
    }
  }
}

void RowGraph::missing(const std::string& name) {
  const Id id = classes_.find(name);
  if (id == kNone || !classes_.is_known(id)) {
    text(AtomKind::kMiss, dotted(name));
  }
}

void RowGraph::add_receiver(Id receiver, std::uint32_t method) {
  text(AtomKind::kRecv,
       dotted(classes_.name(receiver)) + "|" + codes_.method_text(method));
}

// A class that was made at run time inherits what it does not define: for the
// comparison it is what it extends. Of an unknown class anything may be so.
void RowGraph::add_receivers() {
  const auto is_of_program = [this](Id id) {
    return classes_.is_internal(id) && !classes_.is_generated(id);
  };
  for (std::uint32_t i = 0; i < file_.receivers.size(); ++i) {
    const RecordedReceiver& r = file_.receivers[i];
    const Id id = classes_.of_name(r.name);
    open(receiver(i));
    if (is_of_program(id)) {
      add_receiver(id, r.method);
    } else {
      const Id owner = classes_.of_class(file_.methods[r.method].first);
      for (const Id other :
           classes_.is_known(id) ? classes_.up(id) : classes_.down(owner)) {
        if (is_of_program(other)) add_receiver(other, r.method);
      }
    }
    close(receiver(i));
  }
}

// A class is initialized once. Where nothing that the scope did asks for it, the
// JVM, the JDK or a library did it on the way: for the first who came.
void RowGraph::find_unexplained() {
  Marks reached(size());
  std::vector<bool> is_first(file_.methods.size(), false);
  for (std::uint32_t m = 0; m < file_.methods.size(); ++m) {
    const auto [c, slot] = file_.methods[m];
    is_first[m] = is_initializer(file_.classes[c].methods[slot]);
  }
  for (const auto& [number, scope] : file_.scopes) {
    const auto& methods = scope.work.methods;
    if (std::ranges::none_of(methods, [&](auto m) { return is_first[m]; })) {
      continue;
    }
    reached.clear();
    // A method of a class is no reason for its own initializer.
    for (const auto m : methods) {
      if (!is_first[m]) reached.add(method(m));
    }
    for (const auto f : scope.work.facts) reached.add(fact(f));
    for (std::size_t i = 0; i < reached.list().size(); ++i) {
      for (const Node node : initializes(reached.list()[i])) reached.add(node);
    }
    for (const auto m : methods) {
      const Id id = classes_.of_class(file_.methods[m].first);
      if (is_first[m] && !reached.has(of(kInitialized, id))) {
        kept_.add_initialized(id);
      }
    }
  }
}

}  // namespace rejig::coverage
