// SPDX-License-Identifier: Apache-2.0
// Which rows? A set of RowIds of one matrix as a bit set: union and
// intersection cost rows / 64 word operations, and the order is that of the
// ids.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coverage/store/row.h"

namespace rejig::coverage {

class RowSet {
 public:
  RowSet() = default;
  // Empty, with room for the rows 0..rows-1.
  explicit RowSet(std::size_t rows) : rows_(rows), words_((rows + 63) / 64) {}
  static RowSet all(std::size_t rows) {
    RowSet out(rows);
    for (auto& word : out.words_) word = ~std::uint64_t{0};
    out.trim();
    return out;
  }

  std::size_t room() const { return rows_; }
  bool contains(RowId row) const {
    return row.index() < rows_ &&
           (words_[row.index() / 64] >> (row.index() % 64) & 1) != 0;
  }
  void insert(RowId row) {
    words_[row.index() / 64] |= std::uint64_t{1} << (row.index() % 64);
  }
  // Rows begin..end-1.
  void insert_range(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) insert(RowId::of(i));
  }
  void erase(RowId row) {
    words_[row.index() / 64] &= ~(std::uint64_t{1} << (row.index() % 64));
  }
  bool empty() const {
    for (const auto word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  std::size_t count() const {
    std::size_t n = 0;
    for (const auto word : words_) {
      n += static_cast<std::size_t>(std::popcount(word));
    }
    return n;
  }

  // Both sets have the same room.
  RowSet& operator|=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] |= other.words_[i];
    return *this;
  }
  RowSet& operator&=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] &= other.words_[i];
    return *this;
  }
  RowSet& operator-=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] &= ~other.words_[i];
    }
    return *this;
  }
  void complement() {
    for (auto& word : words_) word = ~word;
    trim();
  }
  friend bool operator==(const RowSet&, const RowSet&) = default;

  template <class F>
  void each(F&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (auto word = words_[w]; word != 0; word &= word - 1) {
        visit(RowId::of(w * 64 +
                        static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }
  std::vector<RowId> sorted() const {
    std::vector<RowId> out;
    out.reserve(count());
    each([&](RowId row) { out.push_back(row); });
    return out;
  }

 private:
  void trim() {
    if (rows_ % 64 != 0 && !words_.empty()) {
      words_.back() &= (std::uint64_t{1} << (rows_ % 64)) - 1;
    }
  }

  std::size_t rows_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace rejig::coverage
