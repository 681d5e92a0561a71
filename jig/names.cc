// SPDX-License-Identifier: Apache-2.0
#include "jig/names.h"

#include "classfile/base/hash.h"

namespace rejig::jig {

Name Names::intern(std::string_view text) {
  if (text.empty()) return {};
  Shard& shard = shards_[base::hash64(text) >> 58];
  const std::scoped_lock lock(shard.mutex);
  if (const auto* known = shard.table.find(text)) return *known;
  const std::string_view owned = shard.bytes.copy(text);
  shard.table.try_emplace(owned, owned);
  return owned;
}

}  // namespace rejig::jig
