// SPDX-License-Identifier: Apache-2.0
// What has a test done, all in all? Its work while scopes and initializers are
// joined to it: numbers of one row file, in the order they came, each once.
#pragma once

#include <cstdint>
#include <vector>

#include "coverage/row/row_file.h"

namespace rejig::coverage {

// Numbers seen once, in the order they came; cleared at once.
class Marks {
 public:
  explicit Marks(std::size_t size) : seen_(size, 0) {}
  void add(const std::vector<std::uint32_t>& from) {
    for (const auto n : from) add(n);
  }
  // True when it is new.
  bool add(std::uint32_t n) {
    if (seen_[n] == round_) return false;
    seen_[n] = round_;
    list_.push_back(n);
    return true;
  }
  bool has(std::uint32_t n) const { return seen_[n] == round_; }
  const std::vector<std::uint32_t>& list() const { return list_; }
  void clear() {
    list_.clear();
    ++round_;
  }

 private:
  std::vector<std::uint32_t> seen_;
  std::vector<std::uint32_t> list_;
  std::uint32_t round_ = 1;
};

// The work of one test while it grows.
struct Whole {
  explicit Whole(const RowFile& f)
      : methods(f.methods.size()),
        classes(f.classes.size()),
        facts(f.facts.size()),
        receivers(f.receivers.size()) {}
  void add(const Work& w) {
    methods.add(w.methods);
    classes.add(w.classes);
    facts.add(w.facts);
    receivers.add(w.receivers);
  }
  void clear() {
    own_methods = 0;
    methods.clear();
    classes.clear();
    facts.clear();
    receivers.clear();
  }
  Marks methods;
  Marks classes;
  Marks facts;
  Marks receivers;
  // So many methods come first that the test and its fixtures entered; the rest
  // is everybody's, or runs once.
  std::size_t own_methods = 0;
};

}  // namespace rejig::coverage
