// SPDX-License-Identifier: Apache-2.0
// How are many entries of one file read from front to back, each byte once?
// Entries are sorted by their places and cut into slices of neighbours; a slice
// is one read. Reading beats mapping here: a mapped page costs a fault, a place
// in the page table and its removal. Private to classfile/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "classfile/archive/archive.h"
#include "classfile/archive/mapped_file.h"
#include "classfile/base/number_order.h"

namespace rejig::classfile {

// Where an entry lies in its file, with its local header.
struct StoredExtent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // as the directory lets one think
};

// nullopt: not in a file, or not where the directory says.
std::optional<StoredExtent> stored_extent(const Artefact& artefact, EntryId id);

// A slice of a file in memory.
class StoredWindow {
 public:
  bool read(const MappedFile& file, const StoredExtent& extent) {
    begin_ = extent.begin;
    const auto size = static_cast<std::size_t>(extent.end - extent.begin);
    if (room_.size() < size) room_.resize(size);
    const std::span<std::byte> room(room_.data(), size);
    bytes_ = room;
    return file.read_at(begin_, room);
  }
  // Of a mapped file, without a copy: for bytes that somebody will want again.
  // Whoever has looked at them asks the file whether it is damaged.
  void look_at(const MappedFile& file, const StoredExtent& extent) {
    begin_ = extent.begin;
    bytes_ = file.bytes().subspan(
        static_cast<std::size_t>(begin_),
        static_cast<std::size_t>(extent.end - extent.begin));
  }
  // nullopt: not wholly in the window.
  std::optional<base::Bytes> stored(const StoredExtent& extent,
                                    std::uint64_t stored_size) const;

 private:
  std::uint64_t begin_ = 0;
  std::vector<std::byte> room_;
  base::Bytes bytes_;
};

// More than this is not read at once.
inline constexpr std::uint64_t kStoredSlice = std::uint64_t{1} << 18;
// Between two entries of a slice.
inline constexpr std::uint64_t kStoredGap = std::uint64_t{1} << 14;

// Sorts the items by extent(item) and calls slice(begin, end) for each slice.
template <class Item, class ExtentOf, class Found>
void cut_into_slices(std::vector<Item>& items, ExtentOf&& extent,
                     Found&& slice) {
  std::vector<std::uint64_t> begins;
  begins.reserve(items.size());
  for (const Item& item : items) begins.push_back(extent(item).begin);
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const std::uint32_t i : base::order_of(begins)) {
    sorted.push_back(items[i]);
  }
  items = std::move(sorted);
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin + 1;
    for (; end < items.size(); ++end) {
      const StoredExtent& first = extent(items[begin]);
      const StoredExtent& last = extent(items[end - 1]);
      const StoredExtent& next = extent(items[end]);
      if (next.end - first.begin > kStoredSlice ||
          next.begin > last.end + kStoredGap) {
        break;
      }
    }
    slice(begin, end);
    begin = end;
  }
}

}  // namespace rejig::classfile
