// SPDX-License-Identifier: Apache-2.0
// What does one block of atoms look like while it is read? Its keys, the rows
// that have any of them, and the bits that say which of those each atom has.
// Private to coverage/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/store/row.h"

namespace rejig::coverage {

// Texts one after the other in one buffer.
class TextList {
 public:
  void clear() {
    text_.clear();
    ends_.clear();
  }
  void add(std::string_view text) {
    text_ += text;
    ends_.push_back(text_.size());
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }
  // The first position whose text is greater than `text`.
  std::size_t upper_bound(std::string_view text) const {
    std::size_t low = 0;
    std::size_t high = size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if ((*this)[middle] <= text) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

// The only row of its group in a block, with the only atom of it there.
struct LoneRow {
  RowId row;
  std::uint8_t place = 0;  // of the atom
};

struct AtomBlock {
  std::uint64_t number = ~std::uint64_t{0};
  TextList keys;
  std::vector<std::uint64_t> mask_sizes;  // bytes of each atom's masks
  std::vector<RowId> rows;                // that have any, but for lone ones
  std::vector<std::size_t> groups;        // where each begins; then the end
  std::vector<LoneRow> lone;              // by row
  std::string bits;                       // which groups each atom is in
  std::string frames;                     // of masks, still packed
  std::string masks;                      // the frame that was read last
  std::size_t first = 0;                  // its atoms
  std::size_t end = 0;

  // From their unpacked frames; false: they are damaged. `group_of` each row of
  // the store.
  bool read_runs(std::string_view bytes,
                 const std::vector<std::uint32_t>& group_of);
  bool read_lone(std::string_view gaps, std::string_view places,
                 std::size_t all_rows);
  // In order. The masks of the atom at `place` are unpacked.
  bool append_rows_of(std::size_t place, std::vector<RowId>& out) const;
};

inline std::size_t stride_of(const AtomBlock& block) {
  return (block.groups.size() - 1 + 7) / 8;
}

// Low bits first; past the end everything is zero, which no mask is.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t get(std::size_t count) {
    std::uint64_t out = 0;
    for (std::size_t got = 0; got < count;) {
      if (used_ == 8) {
        ++at_;
        used_ = 0;
      }
      const unsigned byte =
          at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_]) : 0U;
      const std::size_t take = std::min(count - got, std::size_t{8} - used_);
      const std::uint64_t piece = byte >> used_ & ((1U << take) - 1);
      out |= piece << got;
      used_ += take;
      got += take;
    }
    return out;
  }
  // All bytes are used, and what is left of the last one is zero.
  bool at_end() const {
    if (bytes_.empty()) return at_ == 0 && used_ == 0;
    return at_ + 1 == bytes_.size() && used_ != 0 &&
           static_cast<unsigned char>(bytes_[at_]) >> used_ == 0;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t used_ = 0;
};

}  // namespace rejig::coverage
