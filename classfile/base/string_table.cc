// SPDX-License-Identifier: Apache-2.0
#include "classfile/base/string_table.h"

#include <algorithm>

namespace rejig::base {

StringTable StringTableBuilder::finish() && {
  std::vector<std::string_view> all;
  for (auto& list : lists_) {
    all.insert(all.end(), list.names.begin(), list.names.end());
    list.seen.clear();
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());

  StringTable table;
  table.names_.reserve(all.size());
  table.index_.reserve(all.size());
  for (const std::string_view name : all) {
    const std::string_view owned = table.bytes_.copy(name);
    table.index_.try_emplace(owned, table.names_.push_back(owned));
  }
  return table;
}

}  // namespace rejig::base
