// SPDX-License-Identifier: Apache-2.0
// What was found so far? Edges, facets, and what could not be read. Phases only
// append; the answer sorts, so the order in which they do does not matter. One
// thread at a time: what runs in parallel has a list of its own first.
#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/words/delta.h"
#include "jig/world/names.h"
#include "traversal/compare.h"

namespace rejig::traversal {

struct Findings {
  std::vector<classfile::Delta> edges;
  std::vector<classfile::Delta> facets;
  std::vector<classfile::NewlyRead> newly_read;
  std::vector<Widened> widened;

  // Everything of one that was gathered beside this one.
  void take(Findings&& more) {
    move_behind(edges, more.edges);
    move_behind(facets, more.facets);
    move_behind(newly_read, more.newly_read);
    move_behind(widened, more.widened);
  }
  void take_edges(std::vector<classfile::Delta>&& more) {
    move_behind(edges, more);
  }
  void take_facets(std::vector<classfile::Delta>&& more) {
    move_behind(facets, more);
  }
  void take_widened(std::vector<Widened>&& more) { move_behind(widened, more); }

 private:
  template <class T>
  static void move_behind(std::vector<T>& all, std::vector<T>& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
    more.clear();
  }
};

// A class that had to be looked into and could not be: whoever loaded it is in
// doubt.
void report_unreadable(Findings& findings, jig::Name name,
                       const base::Error& error);

}  // namespace rejig::traversal
