// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/block_lists.h"

#include <algorithm>
#include <bit>

namespace rejig::coverage {

namespace {

constexpr std::size_t kWord = 64;

// `count` bits from `begin` on.
std::uint64_t ones(std::size_t begin, std::size_t count) {
  const std::uint64_t low =
      count == kWord ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  return low << begin;
}

// The bits of `word` that stand under `mask`, close together.
std::uint64_t compress(std::uint64_t word, std::uint64_t mask) {
  const auto width = static_cast<std::size_t>(std::popcount(mask));
  const auto low = static_cast<std::size_t>(std::countr_zero(mask));
  if (word == mask) return ones(0, width);
  if (mask >> low == ones(0, width)) return word >> low;
  std::uint64_t out = 0;
  for (std::size_t i = 0; mask != 0; mask &= mask - 1, ++i) {
    out |= (word >> std::countr_zero(mask) & 1) << i;
  }
  return out;
}

// Low bits first; finish() fills the last byte up with zeros.
class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}
  void put(std::uint64_t bits, std::size_t count) {
    word_ |= bits << used_;
    if (used_ + count < kWord) {
      used_ += count;
      return;
    }
    flush(kWord);
    const std::size_t written = kWord - used_;
    word_ = written == kWord ? 0 : bits >> written;
    used_ = count - written;
  }
  void finish() {
    flush(used_);
    word_ = 0;
    used_ = 0;
  }

 private:
  void flush(std::size_t bits) {
    for (std::size_t i = 0; i < bits; i += 8) {
      out_ += static_cast<char>(word_ >> i & 0xff);
    }
  }

  std::string& out_;
  std::uint64_t word_ = 0;
  std::size_t used_ = 0;  // less than a word
};

}  // namespace

std::string BlockLists::write(const BlockAtoms& block) {
  find_pieces(block);
  std::string names;
  for (std::size_t i = 0; i < block.keys.size(); ++i) {
    put_front_coded(names, i == 0 ? std::string_view() : block.keys[i - 1],
                    block.keys[i]);
  }
  std::string out;
  codec_.put_frame(out, names);
  put_lists(out);
  return out;
}

void BlockLists::find_pieces(const BlockAtoms& block) {
  for (const auto group : touched_) {
    members_[group] = 0;
    pairs_[group] = 0;
  }
  touched_.clear();
  pieces_.resize(block.rows.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    auto& pieces = pieces_[i];
    pieces.clear();
    for (const RowRun& run : block.rows[i]) {
      for (std::uint32_t group = groups_.of[run.begin], row = run.begin;
           row < run.end; ++group) {
        const std::uint32_t begin = groups_.begin[group];
        const std::uint32_t end = std::min(run.end, groups_.begin[group + 1]);
        const std::uint64_t rows = ones(row - begin, end - row);
        if (!pieces.empty() && pieces.back().group == group) {
          pieces.back().rows |= rows;
        } else {
          pieces.push_back({group, rows});
        }
        row = end;
      }
    }
    for (const Piece& piece : pieces) {
      if (members_[piece.group] == 0) touched_.push_back(piece.group);
      members_[piece.group] |= piece.rows;
      pairs_[piece.group] +=
          static_cast<std::uint32_t>(std::popcount(piece.rows));
    }
  }
  std::sort(touched_.begin(), touched_.end());
}

// Takes the rows out that are alone in their group, with one atom of the block:
// a place and a bit string for each of them would be mostly zeroes.
std::vector<LoneRow> BlockLists::take_lone() {
  std::vector<LoneRow> out;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    std::erase_if(pieces_[i], [&](const Piece& piece) {
      if (pairs_[piece.group] != 1) return false;
      const auto member =
          static_cast<std::uint32_t>(std::countr_zero(piece.rows));
      out.push_back({RowId::of(groups_.begin[piece.group] + member),
                     static_cast<std::uint8_t>(i)});
      return true;
    });
  }
  for (const auto group : touched_) {
    if (pairs_[group] == 1) members_[group] = 0;
  }
  std::erase_if(touched_, [&](auto group) {
    if (pairs_[group] != 1) return false;
    pairs_[group] = 0;
    return true;
  });
  std::sort(out.begin(), out.end(),
            [](const LoneRow& a, const LoneRow& b) { return a.row < b.row; });
  return out;
}

// Of the rows that any atom has.
void BlockLists::put_runs(std::string& out) {
  std::string runs;
  std::uint64_t next = 0;
  RowRun open;
  const auto put = [&] {
    if (open.begin == open.end) return;
    put_varint(runs, open.begin - next);
    put_varint(runs, open.end - open.begin);
    next = open.end;
  };
  for (const auto group : touched_) {
    for (std::uint64_t rest = members_[group]; rest != 0;) {
      const int from = std::countr_zero(rest);
      const int count = std::countr_one(rest >> from);
      rest &= ~ones(static_cast<std::size_t>(from),
                    static_cast<std::size_t>(count));
      const std::uint32_t begin =
          groups_.begin[group] + static_cast<std::uint32_t>(from);
      const std::uint32_t end = begin + static_cast<std::uint32_t>(count);
      if (open.end == begin && open.begin != open.end) {
        open.end = end;
      } else {
        put();
        open = {begin, end};
      }
    }
  }
  put();
  codec_.put_frame(out, runs);
}

void BlockLists::put_lone(const std::vector<LoneRow>& lone, std::string& out) {
  std::string gaps;
  std::string places;
  BitWriter bits(places);
  std::uint64_t next = 0;
  for (const LoneRow& one : lone) {
    put_varint(gaps, one.row.raw() - next);
    next = std::uint64_t{one.row.raw()} + 1;
    bits.put(one.place, kAtomBits);
  }
  bits.finish();
  codec_.put_frame(out, gaps);
  put_text(out, places);
}

// Which groups of the block's rows each atom is in, and which rows of those.
void BlockLists::put_lists(std::string& out) {
  const auto lone = take_lone();
  for (std::uint32_t i = 0; i < touched_.size(); ++i) place_[touched_[i]] = i;
  const std::size_t stride = (touched_.size() + 7) / 8;
  std::string bits(stride * pieces_.size(), '\0');
  std::string sizes;
  std::string masks;
  std::string frames;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    BitWriter writer(masks);
    const std::size_t begin = masks.size();
    for (const Piece& piece : pieces_[i]) {
      const std::size_t place = place_[piece.group];
      char& byte = bits[i * stride + place / 8];
      byte = static_cast<char>(byte | 1 << place % 8);
      const std::uint64_t members = members_[piece.group];
      const auto width = static_cast<std::size_t>(std::popcount(members));
      if (width > 1) writer.put(compress(piece.rows, members), width);
    }
    writer.finish();
    put_varint(sizes, masks.size() - begin);
    if (masks.size() >= kMaskFrame || i + 1 == pieces_.size()) {
      codec_.put_frame(frames, masks);
      masks.clear();
    }
  }
  out += sizes;
  put_runs(out);
  put_lone(lone, out);
  codec_.put_frame(out, bits);
  out += frames;
}

}  // namespace rejig::coverage
