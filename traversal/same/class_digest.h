// SPDX-License-Identifier: Apache-2.0
// Do two numbered classes of one outermost class say the same apart from their
// numbers? A digest of what a class says, free of the pool's order, of debug
// tables and of the numbers that javac gives to anonymous and local classes.
// Only a proposal hangs on it: classes that it matches are compared in full.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/hash.h"
#include "classfile/reader/class_view.h"
#include "traversal/code/body_graph.h"

namespace rejig::traversal {

// Reads one class after another into the same memory.
class ClassDigest {
 public:
  // `outer`: the outermost class, "a/B" of "a/B$1".
  base::Digest128 of(const classfile::ClassView& cls, std::string_view outer);

 private:
  std::uint64_t text(std::uint16_t utf8);
  std::uint64_t text(std::string_view text) const;
  // Of any entry; deep inside constants that are made of constants: nothing.
  std::uint64_t entry(std::uint16_t index, unsigned depth = 0);
  std::uint64_t bootstrap(std::uint16_t row, unsigned depth);
  void add(std::uint64_t token) { tokens_.push_back(token); }
  void add_code(const classfile::CodeView& code);
  base::Digest128 taken();

  const classfile::ClassView* cls_ = nullptr;
  std::string prefix_;  // "a/B$"
  std::vector<std::uint64_t> known_;  // by pool entry; 0: not asked
  std::vector<std::uint64_t> tokens_;
  std::vector<base::Digest128> members_;
  BodyGraph graph_;
};

}  // namespace rejig::traversal
