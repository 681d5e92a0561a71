// SPDX-License-Identifier: Apache-2.0
// Which number has this name? A two-phase interner. Phase one: every worker
// appends the views it sees to its own list, without synchronisation. Phase
// two: finish() sorts, removes duplicates and numbers the names densely in
// sorted order (bytewise), so that ids are the same on every run and at any
// number of workers. After that the table is read-only and may be shared.
// Views passed to add() must live until finish(); the table owns its bytes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classfile/base/arena.h"
#include "classfile/base/hash_map.h"
#include "classfile/base/ids.h"
#include "classfile/base/parallel.h"

namespace rejig::base {

using NameId = Id<struct NameTag>;

class StringTable {
 public:
  std::size_t size() const { return names_.size(); }
  std::string_view operator[](NameId id) const { return names_[id]; }
  // none() when the name is not in the table.
  NameId find(std::string_view name) const {
    const NameId* id = index_.find(name);
    return id == nullptr ? NameId::none() : *id;
  }

 private:
  friend class StringTableBuilder;
  Arena bytes_;
  IdVector<NameId, std::string_view> names_;
  HashMap<std::string_view, NameId> index_;
};

class StringTableBuilder {
 public:
  explicit StringTableBuilder(unsigned workers = 1) : lists_(workers) {}
  void add(unsigned worker, std::string_view name) {
    auto& list = lists_[worker];
    if (list.seen.insert(name)) list.names.push_back(name);
  }
  StringTable finish() &&;

 private:
  struct alignas(64) List {
    HashSet<std::string_view> seen;
    std::vector<std::string_view> names;
  };
  std::vector<List> lists_;
};

}  // namespace rejig::base
