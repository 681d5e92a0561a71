// SPDX-License-Identifier: Apache-2.0
// A table entry says what the code word that its index begins with means, so that
// one look at the next bits is enough:
//
//   literal    kLiteral | byte << 16 | length of the word
//   length,    base << 16 | length of the word << 8 | the same and extra bits
//   distance
//   end        kOdd | length of the word
//   longer     kOdd | kLonger | begin of a table << 16 | its bits << 8 | bits
//   no word    kNoWord
//
// The low byte is what has to be taken off the bits in any case. Lists of
// symbols by length are made while the lengths are read: a class file is small,
// and half of the time goes into tables.
#include "classfile/archive/front_inflater.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rejig::classfile {

namespace {

constexpr std::uint32_t kLiteral = 0x80000000;
constexpr std::uint32_t kOdd = 0x8000;
constexpr std::uint32_t kLonger = 0x2000;
constexpr std::uint32_t kNoWord = 0xffffffff;
constexpr unsigned kEndOfBlock = 256;
constexpr std::uint32_t kTableBits = 0x1f;
// A symbol takes three refills of at most seven bytes, each of which reads eight.
constexpr std::ptrdiff_t kReadAhead = 32;

struct Meanings {
  std::array<std::uint32_t, 288> lengths{};
  std::array<std::uint32_t, 32> distances{};
  std::array<std::uint32_t, 19> precode{};
};
constexpr Meanings kMeanings = [] {
  Meanings out;
  for (std::uint32_t i = 0; i < kEndOfBlock; ++i) {
    out.lengths[i] = kLiteral | i << 16;
  }
  out.lengths[kEndOfBlock] = kOdd;
  constexpr std::uint32_t kFirstLength = 257;
  constexpr std::uint32_t kLongestMatch = 258;
  std::uint32_t base = 3;
  for (std::uint32_t i = 0; i < 28; ++i) {
    const std::uint32_t extra = i < 8 ? 0 : i / 4 - 1;
    out.lengths[kFirstLength + i] = base << 16 | extra;
    base += 1u << extra;
  }
  out.lengths[kFirstLength + 28] = kLongestMatch << 16;
  out.lengths[286] = out.lengths[287] = kNoWord;
  base = 1;
  for (std::uint32_t i = 0; i < 30; ++i) {
    const std::uint32_t extra = i < 4 ? 0 : i / 2 - 1;
    out.distances[i] = base << 16 | extra;
    base += 1u << extra;
  }
  out.distances[30] = out.distances[31] = kNoWord;
  for (std::uint32_t i = 0; i < 19; ++i) out.precode[i] = i << 16;
  return out;
}();

// The next code word of the same length; words are kept with their bits
// reversed, as the stream has them. `end` is 1 << length.
unsigned next_word(unsigned word, unsigned end) {
  const unsigned bit = std::bit_floor(word ^ (end - 1));
  return (word & (bit - 1)) | bit;
}

}  // namespace

void FrontInflater::begin(base::Bytes stored, std::size_t behind,
                          std::byte* out, std::size_t size) {
  in_ = reinterpret_cast<const std::uint8_t*>(stored.data());
  in_end_ = in_ + stored.size();
  const auto readable = static_cast<std::ptrdiff_t>(stored.size() + behind);
  last_refill_ = readable < kReadAhead ? nullptr : in_ + (readable - kReadAhead);
  out_begin_ = out_ = reinterpret_cast<std::uint8_t*>(out);
  out_end_ = out_ + size;
  bits_ = 0;
  count_ = 0;
  left_ = 0;
  last_block_ = false;
  state_ = last_refill_ == nullptr ? State::kBroken : State::kHeader;
}

bool FrontInflater::until(std::size_t wanted) {
  if (state_ == State::kBroken) return false;
  const auto size = static_cast<std::size_t>(out_end_ - out_begin_);
  // Of the whole stream its end, too, which may stand behind the last byte.
  const bool all = wanted >= size;
  const std::uint8_t* const goal = all ? out_end_ + 1 : out_begin_ + wanted;
  while (out_ < goal && state_ != State::kEnd) {
    const bool done = state_ == State::kHeader   ? header()
                      : state_ == State::kStored ? stored(goal)
                      : state_ == State::kCodes  ? codes(goal)
                                                 : false;
    if (!done || out_ > out_end_ || !is_inside()) {
      state_ = State::kBroken;
      return false;
    }
  }
  // It ended too early.
  if (have() < std::min(wanted, size)) state_ = State::kBroken;
  return state_ != State::kBroken;
}

// Everything that was taken stands in front of the stream's end.
bool FrontInflater::is_inside() const {
  return in_ - count_ / 8 <= in_end_;
}

void FrontInflater::refill() {
  std::uint64_t word = 0;
  std::memcpy(&word, in_, sizeof word);
  bits_ |= word << count_;
  in_ += (63 - count_) >> 3;
  count_ |= 56;
}

std::uint32_t FrontInflater::take(unsigned bits) {
  const auto out =
      static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << bits) - 1));
  bits_ >>= bits;
  count_ -= bits;
  return out;
}

// RFC 1951 §3.2.3.
bool FrontInflater::header() {
  if (last_block_) {
    state_ = State::kEnd;
    return true;
  }
  if (in_ > last_refill_) return false;
  refill();
  last_block_ = take(1) != 0;
  const unsigned type = take(2);
  if (type == 0) return stored_header();
  length_code_.clear();
  distance_code_.clear();
  if (type == 1) {
    for (unsigned i = 0; i < kLiterals; ++i) {
      length_code_.add(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8, i);
    }
    for (unsigned i = 0; i < kDistances; ++i) distance_code_.add(5, i);
  } else if (type != 2 || !read_lengths()) {
    return false;
  }
  state_ = State::kCodes;
  return fill(distance_code_, kDistanceBits, kMeanings.distances.data(),
              distances_) &&
         fill(length_code_, kLengthBits, kMeanings.lengths.data(), lengths_);
}

// §3.2.4.
bool FrontInflater::stored_header() {
  in_ -= count_ / 8;  // the rest of the byte at hand is padding
  bits_ = 0;
  count_ = 0;
  if (in_end_ - in_ < 4) return false;
  left_ = static_cast<std::uint32_t>(in_[0] | in_[1] << 8);
  const auto inverse = static_cast<std::uint32_t>(in_[2] | in_[3] << 8);
  in_ += 4;
  state_ = State::kStored;
  return left_ == (inverse ^ 0xffff);
}

bool FrontInflater::stored(const std::uint8_t* wanted) {
  const auto n = std::min({static_cast<std::ptrdiff_t>(left_),
                           std::min<std::ptrdiff_t>(wanted - out_,
                                                    out_end_ - out_),
                           in_end_ - in_});
  if (n == 0 && left_ != 0) return false;
  std::memcpy(out_, in_, static_cast<std::size_t>(n));
  in_ += n;
  out_ += n;
  left_ -= static_cast<std::uint32_t>(n);
  if (left_ == 0) state_ = State::kHeader;
  return true;
}

// §3.2.7. The lengths of both codes are one sequence; runs cross the border.
bool FrontInflater::read_lengths() {
  const unsigned lengths = take(5) + 257;
  const unsigned all = lengths + take(5) + 1;
  const unsigned precodes = take(4) + 4;
  static constexpr std::uint8_t kOrder[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, 19> of_precode{};
  for (unsigned i = 0; i < precodes; ++i) {
    if (i % 16 == 0) refill();
    of_precode[kOrder[i]] = static_cast<std::uint8_t>(take(3));
  }
  Code<19> precode;
  precode.clear();
  for (unsigned i = 0; i < of_precode.size(); ++i) {
    if (of_precode[i] != 0) precode.add(of_precode[i], i);
  }
  std::array<std::uint32_t, 1 << kPrecodeBits> table;
  if (!fill(precode, kPrecodeBits, kMeanings.precode.data(), table)) {
    return false;
  }
  constexpr unsigned kNothing = 16;
  unsigned last = kNothing;
  const auto add = [&](unsigned at, unsigned length) {
    if (at < lengths) {
      length_code_.add(length, at);
    } else {
      distance_code_.add(length, at - lengths);
    }
  };
  for (unsigned i = 0; i < all;) {
    if (in_ > last_refill_) return false;
    refill();
    // Of 14 bits at most.
    std::uint64_t bits = bits_;
    std::uint32_t taken = 0;
    for (unsigned k = 0; k < 4 && i < all; ++k) {
      const std::uint32_t entry = table[bits & (table.size() - 1)];
      if (entry == kNoWord) return false;
      bits >>= entry & 0xff;
      taken += entry & 0xff;
      const unsigned symbol = entry >> 16;
      if (symbol < 16) {
        last = symbol;
        if (symbol != 0) add(i, symbol);
        ++i;
        continue;
      }
      const unsigned extra = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
      unsigned run = (symbol == 18 ? 11u : 3u) +
                     static_cast<unsigned>(bits & ((1u << extra) - 1));
      bits >>= extra;
      taken += extra;
      if (symbol != 16) last = 0;
      if (run > all - i || last == kNothing) return false;
      if (last == 0) {
        i += run;
      } else {
        for (; run != 0; --run) add(i++, last);
      }
    }
    bits_ = bits;
    count_ -= taken;
  }
  return true;
}

// Canonical words (§3.2.2), in order: all of one length, then the longer ones. A
// table of n bits is its first half twice, until a word is longer than that.
template <unsigned kSymbols, std::size_t kRoom>
bool FrontInflater::fill(const Code<kSymbols>& code, unsigned bits,
                         const std::uint32_t* meanings,
                         std::array<std::uint32_t, kRoom>& table) {
  unsigned words = 0;
  std::uint32_t taken = 0;  // of all words of the longest length
  for (unsigned length = 1; length <= kLongestCode; ++length) {
    words += code.count[length];
    taken += std::uint32_t{code.count[length]} << (kLongestCode - length);
  }
  constexpr std::uint32_t kComplete = 1u << kLongestCode;
  if (taken > kComplete) return false;
  if (taken < kComplete) {
    // One word of one bit, or none (a block without matches).
    if (words > 1 || words != code.count[1]) return false;
    std::uint32_t entry = words == 0 ? kNoWord : meanings[code.symbols[1][0]];
    if (entry != kNoWord) entry += 0x101;
    for (std::size_t i = 0; i < std::size_t{1} << bits; i += 2) {
      table[i] = entry;
      table[i + 1] = kNoWord;
    }
    return true;
  }
  const auto entry_of = [&](unsigned symbol, unsigned length) {
    const std::uint32_t meaning = meanings[symbol];
    return meaning == kNoWord ? kNoWord : meaning + length * 0x101;
  };
  unsigned word = 0;
  unsigned length = 1;
  while (code.count[length] == 0 && length < bits) ++length;
  while (true) {
    const unsigned end = 1u << length;
    const auto& symbols = code.symbols[length];
    for (unsigned i = 0; i < code.count[length]; ++i) {
      table[word] = entry_of(symbols[i], length);
      if (word == end - 1) {
        for (; length < bits; ++length) {
          std::copy_n(table.data(), 1u << length, table.data() + (1u << length));
        }
        return true;
      }
      word = next_word(word, end);
    }
    if (length == bits) break;
    std::copy_n(table.data(), end, table.data() + end);
    ++length;
  }
  // Words with the same first bits share a table.
  const unsigned main = 1u << bits;
  unsigned prefix = main;
  unsigned begin = 0;
  unsigned behind = main;
  unsigned table_bits = 0;
  while (++length <= kLongestCode) {
    const unsigned end = 1u << length;
    for (unsigned i = 0; i < code.count[length]; ++i) {
      if ((word & (main - 1)) != prefix) {
        prefix = word & (main - 1);
        begin = behind;
        table_bits = length - bits;
        unsigned room = code.count[length] - i;
        while (room < 1u << table_bits) {
          if (bits + ++table_bits > kLongestCode) return false;
          room = room * 2 + code.count[bits + table_bits];
        }
        behind = begin + (1u << table_bits);
        if (behind > kRoom) return false;
        table[prefix] = begin << 16 | kOdd | kLonger | table_bits << 8 | bits;
      }
      const std::uint32_t entry =
          entry_of(code.symbols[length][i], length - bits);
      for (unsigned at = word >> bits; at < 1u << table_bits;
           at += 1u << (length - bits)) {
        table[begin + at] = entry;
      }
      if (word == end - 1) return true;
      word = next_word(word, end);
    }
  }
  return true;
}

// The state is in local variables here, and the order of loads and shifts is
// what this function is about: the next entry is loaded before the bits are
// refilled, since enough of them are left.
[[gnu::always_inline]] inline bool FrontInflater::codes_here(
    const std::uint8_t* wanted) {
  const std::uint8_t* in = in_;
  std::uint8_t* out = out_;
  std::uint64_t bits = bits_;
  std::uint32_t count = count_;
  const std::uint32_t* const lengths = lengths_.data();
  const std::uint32_t* const distances = distances_.data();
  constexpr std::uint64_t kLengthMask = (1u << kLengthBits) - 1;
  constexpr std::uint64_t kDistanceMask = (1u << kDistanceBits) - 1;
  const auto fill_up = [&]() __attribute__((always_inline)) {
    std::uint64_t word = 0;
    std::memcpy(&word, in, sizeof word);
    bits |= word << (count & 63);
    in += (63 - (count & 63)) >> 3;
    count |= 56;
  };
  // kNoWord is dropped before anybody looks at it: no shift by 255 bits.
  const auto drop = [&](std::uint32_t entry) __attribute__((always_inline)) {
    bits >>= entry & 63;
    count -= entry & 0xff;
  };
  // Base and extra bits; `before`: the bits with the word.
  const auto value = [](std::uint32_t entry, std::uint64_t before) {
    const std::uint64_t mine =
        before & ((std::uint64_t{1} << (entry & 0xff)) - 1);
    return (entry >> 16) +
           static_cast<std::uint32_t>(mine >> (entry >> 8 & kTableBits));
  };
  const auto leave = [&](State state) {
    in_ = in;
    out_ = out;
    bits_ = bits;
    count_ = count & 63;
    state_ = state;
    return state != State::kBroken;
  };
  if (in > last_refill_) return false;
  fill_up();
  std::uint32_t entry = lengths[bits & kLengthMask];
  while (out < wanted) {
    if (in > last_refill_) [[unlikely]] return leave(State::kBroken);
    std::uint64_t before = bits;
    drop(entry);
    // Up to three literals with the bits that are there; no word is one, too.
    if ((entry & kLiteral) != 0) {
      if (entry == kNoWord) [[unlikely]] return leave(State::kBroken);
      *out++ = static_cast<std::uint8_t>(entry >> 16);
      entry = lengths[bits & kLengthMask];
      before = bits;
      drop(entry);
      if ((entry & kLiteral) != 0) {
        if (entry == kNoWord) return leave(State::kBroken);
        *out++ = static_cast<std::uint8_t>(entry >> 16);
        entry = lengths[bits & kLengthMask];
        before = bits;
        drop(entry);
        if ((entry & kLiteral) != 0) {
          if (entry == kNoWord) return leave(State::kBroken);
          *out++ = static_cast<std::uint8_t>(entry >> 16);
          entry = lengths[bits & kLengthMask];
          fill_up();
          continue;
        }
      }
    }
    if ((entry & kOdd) != 0) [[unlikely]] {
      if ((entry & kLonger) == 0) return leave(State::kHeader);
      entry = lengths[(entry >> 16) +
                      (bits & ((1u << (entry >> 8 & kTableBits)) - 1))];
      if (entry == kNoWord) return leave(State::kBroken);
      before = bits;
      drop(entry);
      if ((entry & kLiteral) != 0) {
        *out++ = static_cast<std::uint8_t>(entry >> 16);
        fill_up();
        entry = lengths[bits & kLengthMask];
        continue;
      }
      if ((entry & kOdd) != 0) return leave(State::kHeader);
    }
    const std::uint32_t length = value(entry, before);
    fill_up();
    entry = distances[bits & kDistanceMask];
    if ((entry & kOdd) != 0) [[unlikely]] {
      if (entry == kNoWord) return leave(State::kBroken);
      drop(entry);
      entry = distances[(entry >> 16) +
                        (bits & ((1u << (entry >> 8 & kTableBits)) - 1))];
      if (entry == kNoWord) return leave(State::kBroken);
    }
    const std::uint32_t distance = value(entry, bits);
    drop(entry);
    if (distance > static_cast<std::size_t>(out - out_begin_)) [[unlikely]] {
      return leave(State::kBroken);
    }
    entry = lengths[bits & kLengthMask];
    fill_up();
    const std::uint8_t* from = out - distance;
    std::uint8_t* to = out;
    out += length;
    constexpr unsigned kWord = 8;
    if (distance >= kWord) {
      do {
        std::memcpy(to, from, kWord);
        std::memcpy(to + kWord, from + kWord, kWord);
        std::memcpy(to + 2 * kWord, from + 2 * kWord, kWord);
        to += 3 * kWord;
        from += 3 * kWord;
      } while (to < out);
    } else if (distance == 1) {
      std::memset(to, *from, length);
    } else {
      // What was copied last is copied on.
      do {
        std::memcpy(to, from, kWord);
        to += distance;
        from += distance;
      } while (to < out);
    }
  }
  return leave(State::kCodes);
}

#if defined(__x86_64__)
// Shifts by a variable number of bits are one instruction there.
[[gnu::target("bmi2")]] bool FrontInflater::codes_bmi2(
    const std::uint8_t* wanted) {
  return codes_here(wanted);
}
#endif

bool FrontInflater::codes_anywhere(const std::uint8_t* wanted) {
  return codes_here(wanted);
}

bool FrontInflater::codes(const std::uint8_t* wanted) {
#if defined(__x86_64__)
  static const bool has_bmi2 = __builtin_cpu_supports("bmi2") != 0;
  if (has_bmi2) return codes_bmi2(wanted);
#endif
  return codes_anywhere(wanted);
}

}  // namespace rejig::classfile
