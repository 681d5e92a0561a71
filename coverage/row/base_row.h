// SPDX-License-Identifier: Apache-2.0
// What do all tests have that a runner has treated alike? Everything that the
// session, engines and suites reach, found once: as vertices that are reached,
// and as sets of atoms. What lasts (a class that can be created from some test
// on) makes it grow as the run goes on: a vertex knows in which step it came,
// and the tests of a step have what came up to it. Private to coverage/.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coverage/row/file_atoms.h"
#include "coverage/row/graph.h"
#include "coverage/row/scopes.h"
#include "coverage/row/walk.h"

namespace rejig::coverage {

class BaseRow {
 public:
  using Id = RowGraph::Id;
  using Node = RowGraph::Node;
  using LocalAtom = AtomCodes::LocalAtom;
  using SetId = MatrixBuilder::SetId;
  using Step = std::uint16_t;
  static constexpr Step kNever = 0xFFFF;

  struct Parts {
    const RowGraph& graph;
    AtomCodes& codes;
    FileAtoms& files;
    SharedBuilder& builder;
    // Of all tests that ended, when the first one did.
    std::uint64_t first_end = 0;
  };

  // `seeds` of each step; `besides`: atoms that all have.
  BaseRow(const Parts& parts, const std::vector<std::vector<Node>>& seeds,
          std::span<const AtomCodes::Code> besides);

  const Step* reached() const { return reached_.data(); }
  bool has(Node node, Step step) const { return reached_[node] <= step; }
  std::span<const std::uint32_t> guarded(Step step) const {
    return std::span(found_.guarded).first(ends_[step].guarded);
  }
  std::span<const Id> extensions(Step step) const {
    return std::span(found_.extensions).first(ends_[step].extensions);
  }
  std::span<const Id> changed(Step step) const {
    return std::span(found_.changed).first(ends_[step].changed);
  }
  // What its methods need, and whether it has it.
  std::span<const RowGraph::Need> needs(Step step) const {
    return std::span(needs_).first(ends_[step].needs);
  }
  bool gives(RowGraph::Need need, Step step) const {
    return given_[need] <= step;
  }
  // Methods that met the state of that class.
  template <class F>
  void each_met(Id id, Step step, F&& visit) const {
    const auto at = met_.find(id);
    if (at == met_.end()) return;
    for (const auto method : at->second) {
      if (has(parts_.graph.method(method), step)) visit(method);
    }
  }

  SetId atoms(Step step) const { return sets_[step]; }
  // Beside these, of rows that ask for kinds of classes.
  SetId asked_kinds(Step step);
  // Of rows of tests that ended not before the first one. `open` gets the facts
  // whose atoms depend on when.
  SetId files(Step step, bool native, std::vector<std::uint32_t>& open);
  std::span<const std::uint32_t> all_files(Step step) const {
    return std::span(found_.files).first(ends_[step].files);
  }

 private:
  struct End {
    std::size_t loaded = 0;
    std::size_t files = 0;
    std::size_t guarded = 0;
    std::size_t extensions = 0;
    std::size_t changed = 0;
    std::size_t needs = 0;
  };
  struct FileSets {
    std::vector<SetId> sets;
    std::vector<std::uint32_t> open;
    std::vector<std::size_t> open_ends;
  };

  Parts parts_;
  std::vector<Step> reached_;
  Found found_;
  std::vector<End> ends_;
  std::unordered_map<Id, std::vector<std::uint32_t>> met_;
  std::vector<RowGraph::Need> needs_;  // in the order of steps
  std::vector<bool> needed_;
  std::vector<Step> given_;  // each need
  std::vector<SetId> sets_;
  std::mutex mutex_;
  std::vector<SetId> kinds_;
  FileSets files_[2];  // without and with native code
};

}  // namespace rejig::coverage
