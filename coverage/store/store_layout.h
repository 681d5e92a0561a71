// SPDX-License-Identifier: Apache-2.0
// Where in a store is what? The root block, which is the last one, says it; the
// ranges of the root follow each other without a gap from block 1 on.
// Private to coverage/.
#pragma once

#include <cstdint>
#include <string>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"
#include "coverage/store/store_block.h"

namespace rejig::coverage {

struct StoreRoot {
  std::uint64_t rows = 0;
  std::uint64_t atoms = 0;
  std::uint64_t pairs = 0;
  std::uint64_t classes = 0;
  std::uint64_t environment = 0;
  std::uint64_t fact_names = 0;  // (name, content) pairs
  std::uint64_t groups = 0;      // of rows
  std::uint64_t row_blocks = 0;
  std::uint64_t atom_blocks = 0;
  std::uint64_t fact_blocks = 0;
  std::uint64_t class_blocks = 0;
  std::uint64_t fact_directories = 0;

  BlockId first_rows() const { return 1; }
  BlockId first_atoms() const { return first_rows() + row_blocks; }
  BlockId first_fact() const { return first_atoms() + atom_blocks; }
  BlockId first_classes() const { return first_fact() + fact_blocks; }
  BlockId first_fact_directory() const {
    return first_classes() + class_blocks;
  }
  BlockId environment_block() const {
    return first_fact_directory() + fact_directories;
  }
  BlockId groups_block() const { return environment_block() + 1; }
  BlockId atom_directory() const { return groups_block() + 1; }
  BlockId root() const { return atom_directory() + 1; }

  template <class F>
  void each_field(F&& visit) {
    for (auto* field : {&rows, &atoms, &pairs, &classes, &environment,
                        &fact_names, &groups, &row_blocks, &atom_blocks,
                        &fact_blocks, &class_blocks, &fact_directories}) {
      visit(*field);
    }
  }
};

}  // namespace rejig::coverage
