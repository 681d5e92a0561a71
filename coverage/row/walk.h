// SPDX-License-Identifier: Apache-2.0
// What does some work reach that is not reached already? A walk over a RowGraph
// from seeds: the vertices that are new, their atoms, and what their notes say.
// Private to coverage/.
#pragma once

#include <cstdint>
#include <vector>

#include "coverage/row/graph.h"

namespace rejig::coverage {

// What a walk found, in the order it came.
struct Found {
  using Id = RowGraph::Id;

  std::vector<AtomCodes::LocalAtom> atoms;
  std::vector<Id> loaded;              // internal classes
  std::vector<std::uint32_t> files;    // facts
  std::vector<std::uint32_t> guarded;  // facts
  std::vector<std::uint32_t> met;      // methods that met state
  std::vector<Id> extensions;
  std::vector<Id> changed;
  std::vector<RowGraph::Need> needs;
  std::vector<RowGraph::Need> gives;

  void clear() {
    atoms.clear();
    loaded.clear();
    files.clear();
    guarded.clear();
    met.clear();
    extensions.clear();
    changed.clear();
    needs.clear();
    gives.clear();
  }
};

// `marks.add(node)`: true when it is new; `marks.has(node)`. `guard(fact, todo)`
// is told of guarded facts.
template <class Marks, class Guard>
void walk(const RowGraph& graph, AtomCodes& codes, Marks& marks,
          std::vector<RowGraph::Node>& todo, Found& found, Guard&& guard) {
  using Note = RowGraph::Note;
  std::size_t kept = 0;
  for (const auto seed : todo) {
    if (marks.add(seed)) todo[kept++] = seed;
  }
  todo.resize(kept);
  const auto instance = [&](Found::Id id, RowGraph::Part other) {
    if (marks.has(graph.of(other, id))) {
      found.atoms.push_back(
          codes[codes.of_class(classfile::AtomKind::kInst, id)]);
    }
  };
  while (!todo.empty()) {
    const RowGraph::Node node = todo.back();
    todo.pop_back();
    for (const auto code : graph.atoms(node)) {
      found.atoms.push_back(codes[code]);
    }
    if (const auto need = graph.need(node); need != RowGraph::kNoNeed) {
      found.needs.push_back(need);
    }
    for (const auto given : graph.gives(node)) found.gives.push_back(given);
    switch (graph.note(node)) {
      case Note::kNothing:
        break;
      case Note::kFile:
        found.files.push_back(graph.fact_of(node));
        break;
      case Note::kGuarded:
        guard(graph.fact_of(node));
        break;
      case Note::kLoaded:
        found.loaded.push_back(graph.class_of(node));
        break;
      case Note::kMeetsState:
        found.met.push_back(node);
        break;
      case Note::kCreated:
        instance(graph.class_of(node), RowGraph::kConstructed);
        break;
      case Note::kConstructed:
        instance(graph.class_of(node), RowGraph::kCreated);
        break;
      case Note::kExtension:
        found.extensions.push_back(graph.class_of(node));
        break;
      case Note::kChanged:
        found.changed.push_back(graph.class_of(node));
        break;
    }
    for (const auto next : graph.next(node)) {
      if (marks.add(next)) todo.push_back(next);
    }
  }
}

}  // namespace rejig::coverage
