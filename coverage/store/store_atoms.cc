// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/store_atoms.h"

#include <bit>
#include <functional>

#include "coverage/store/store_block.h"

namespace rejig::coverage {

using base::ByteReader;

bool AtomBlock::read_runs(std::string_view bytes,
                          const std::vector<std::uint32_t>& group_of) {
  ByteReader in(as_bytes(bytes));
  rows.clear();
  groups.clear();
  std::uint64_t next = 0;
  while (!in.failed() && !in.at_end()) {
    const std::uint64_t skip = get_varint(in);
    const std::uint64_t length = get_varint(in);
    if (skip >= group_of.size() || length == 0 ||
        next + skip >= group_of.size() ||
        length > group_of.size() - next - skip) {
      return false;
    }
    next += skip;
    for (const std::uint64_t stop = next + length; next < stop; ++next) {
      if (rows.empty() || group_of[next] != group_of[rows.back().index()]) {
        groups.push_back(rows.size());
      }
      rows.push_back(RowId::of(next));
    }
  }
  groups.push_back(rows.size());
  return !in.failed();
}

bool AtomBlock::read_lone(std::string_view gaps, std::string_view places,
                          std::size_t all_rows) {
  ByteReader in(as_bytes(gaps));
  BitReader packed(places);
  lone.clear();
  std::uint64_t next = 0;
  while (!in.failed() && !in.at_end()) {
    const std::uint64_t gap = get_varint(in);
    if (gap >= all_rows || next + gap >= all_rows) return false;
    next += gap;
    const auto place = static_cast<std::uint8_t>(packed.get(kAtomBits));
    if (place >= keys.size()) return false;
    lone.push_back({RowId::of(next++), place});
  }
  return !in.failed() && packed.at_end();
}

bool AtomBlock::append_rows_of(std::size_t place,
                               std::vector<RowId>& out) const {
  std::size_t at = 0;
  for (std::size_t i = first; i < place; ++i) {
    at += mask_sizes[i];
  }
  BitReader bits_of(std::string_view(masks).substr(at, mask_sizes[place]));
  const std::size_t stride = stride_of(*this);
  const std::size_t before = out.size();
  for (std::size_t b = 0; b < stride; ++b) {
    unsigned byte = static_cast<unsigned char>(bits[place * stride + b]);
    for (; byte != 0; byte &= byte - 1) {
      const std::size_t group =
          b * 8 + static_cast<std::size_t>(std::countr_zero(byte));
      if (group + 1 >= groups.size()) return false;
      const std::size_t begin = groups[group];
      const std::size_t width = groups[group + 1] - begin;
      std::uint64_t mask = width == 1 ? 1 : bits_of.get(width);
      if (mask == 0) return false;
      for (; mask != 0; mask &= mask - 1) {
        out.push_back(
            rows[begin + static_cast<std::size_t>(std::countr_zero(mask))]);
      }
    }
  }
  if (!bits_of.at_end()) return false;
  const auto middle = static_cast<std::ptrdiff_t>(out.size());
  for (const LoneRow& one : lone) {
    if (one.place == place) out.push_back(one.row);
  }
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(before);
  std::inplace_merge(begin, out.begin() + middle, out.end());
  return out.size() != before &&
         std::adjacent_find(begin, out.end(), std::greater_equal<>()) ==
             out.end();
}

}  // namespace rejig::coverage
