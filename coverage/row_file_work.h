// SPDX-License-Identifier: Apache-2.0
// What has a test done, all in all? Its work while scopes and initializers are
// joined to it: numbers of one row file, in the order they came, each once.
#pragma once

#include <cstdint>
#include <vector>

#include "coverage/row_file.h"

namespace rejig::coverage {

// Numbers seen once.
class Marks {
 public:
  explicit Marks(std::size_t size) : seen_(size, false) {}
  void add(const std::vector<std::uint32_t>& from) {
    for (const auto n : from) add(n);
  }
  void add(std::uint32_t n) {
    if (seen_[n]) return;
    seen_[n] = true;
    list_.push_back(n);
  }
  const std::vector<std::uint32_t>& list() const { return list_; }

 private:
  std::vector<bool> seen_;
  std::vector<std::uint32_t> list_;
};

// The work of one test while it grows.
struct Whole {
  explicit Whole(const RowFile& f)
      : methods(f.methods.size()),
        classes(f.classes.size()),
        facts(f.facts.size()) {}
  void add(const Work& w) {
    methods.add(w.methods);
    classes.add(w.classes);
    facts.add(w.facts);
  }
  Marks methods;
  Marks classes;
  Marks facts;
};

}  // namespace rejig::coverage
