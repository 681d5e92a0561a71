// SPDX-License-Identifier: Apache-2.0
// How are the rows of the atoms of one block written down (FORMAT.md)? By
// group: rows of one test class, 64 at most, so that the rows of an atom in a
// group are the bits of one word, however many they are. A writer is of one
// thread. Private to coverage/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coverage/store/matrix.h"
#include "coverage/store/store_atoms.h"
#include "coverage/store/store_block.h"

namespace rejig::coverage {

// Which rows are a group?
struct RowGroups {
  std::vector<std::uint32_t> of;     // each row
  std::vector<std::uint32_t> begin;  // first row of each, and the end
};

// The atoms of one block.
struct BlockAtoms {
  std::vector<std::string> keys;
  std::vector<std::vector<RowRun>> rows;
};

class BlockLists {
 public:
  // Groups must outlive it.
  explicit BlockLists(const RowGroups& groups)
      : groups_(groups),
        members_(groups.begin.size() - 1, 0),
        pairs_(groups.begin.size() - 1, 0),
        place_(groups.begin.size() - 1, 0) {}

  // The payload of the block.
  std::string write(const BlockAtoms& block);

 private:
  struct Piece {
    std::uint32_t group = 0;
    std::uint64_t rows = 0;  // of the group
  };

  void find_pieces(const BlockAtoms& block);
  std::vector<LoneRow> take_lone();
  void put_runs(std::string& out);
  void put_lone(const std::vector<LoneRow>& lone, std::string& out);
  void put_lists(std::string& out);

  const RowGroups& groups_;
  Codec codec_;
  std::vector<std::vector<Piece>> pieces_;  // of each atom
  std::vector<std::uint32_t> touched_;      // groups
  // By group, zero between blocks: rows that any atom of the block has, how
  // often, and its number among the block's.
  std::vector<std::uint64_t> members_;
  std::vector<std::uint32_t> pairs_;
  std::vector<std::uint32_t> place_;
};

}  // namespace rejig::coverage
