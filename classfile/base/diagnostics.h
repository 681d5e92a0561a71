// SPDX-License-Identifier: Apache-2.0
// What went wrong without stopping us? Findings that widen or explain an
// answer, kept in input order: a parallel phase fills one sink per item and
// appends them in the order of the items.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::base {

enum class Severity {
  kNote,     // worth saying, changes nothing
  kWidened,  // something could not be read or understood; the answer got wider
};

struct Diagnostic {
  Severity severity = Severity::kNote;
  std::string what;
  std::string where;
};

class Diagnostics {
 public:
  void note(std::string what, std::string where) {
    items_.push_back({Severity::kNote, std::move(what), std::move(where)});
  }
  void widened(std::string what, std::string where) {
    items_.push_back({Severity::kWidened, std::move(what), std::move(where)});
  }
  void widened(const Error& error) { widened(error.what, error.where); }
  void append(Diagnostics&& other) {
    for (auto& item : other.items_) items_.push_back(std::move(item));
    other.items_.clear();
  }
  const std::vector<Diagnostic>& items() const { return items_; }
  bool empty() const { return items_.empty(); }

 private:
  std::vector<Diagnostic> items_;
};

}  // namespace rejig::base
