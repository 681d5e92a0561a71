// SPDX-License-Identifier: Apache-2.0
// What does a deflated stream stand for? RFC 1951 read aloud: bit by bit, code
// word by code word, no table but those of the text. Slow, and what the fast
// ones are compared with. Codes that leave words over are wrong but for the two
// that every inflater takes: no word at all, and one word of one bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rejig::test {

// §3.2.5: what the symbols from 257 on and those of distances begin with, and
// how many bits are added.
inline constexpr std::array<unsigned, 29> kLengthBase = {
    3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
inline constexpr std::array<unsigned, 29> kLengthExtra = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
inline constexpr std::array<unsigned, 30> kDistanceBase = {
    1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
    33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
    1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
inline constexpr std::array<unsigned, 30> kDistanceExtra = {
    0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
    6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
// §3.2.7: the order in which the lengths of the code for lengths are said.
inline constexpr std::array<unsigned, 19> kPrecodeOrder = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
inline constexpr unsigned kLongestWord = 15;

inline std::vector<unsigned> fixed_literal_lengths() {
  std::vector<unsigned> out(288, 8);
  for (unsigned i = 144; i < 256; ++i) out[i] = 9;
  for (unsigned i = 256; i < 280; ++i) out[i] = 7;
  return out;
}

// §3.2.2: words of one length are neighbours, in the order of their symbols.
struct SlowCode {
  std::array<unsigned, kLongestWord + 2> first{};  // word of each length
  std::array<std::vector<unsigned>, kLongestWord + 1> symbols;
  bool legal = false;

  explicit SlowCode(std::span<const unsigned> lengths) {
    unsigned words = 0;
    for (unsigned i = 0; i < lengths.size(); ++i) {
      if (lengths[i] == 0) continue;
      symbols[lengths[i]].push_back(i);
      ++words;
    }
    unsigned word = 0;
    for (unsigned n = 1; n <= kLongestWord; ++n) {
      word *= 2;
      first[n] = word;
      word += static_cast<unsigned>(symbols[n].size());
      if (word > 1u << n) return;  // more words than there are
    }
    const bool complete = word == 1u << kLongestWord;
    legal = complete || words == 0 || (words == 1 && symbols[1].size() == 1);
  }
};

struct SlowInflated {
  std::string bytes;     // up to the end, or to what is wrong
  bool ended = false;    // the last block did, and nothing was wrong
  std::size_t used = 0;  // bytes of the stream
};

class SlowInflater {
 public:
  SlowInflater(std::string_view stream, std::size_t most)
      : stream_(stream), most_(most) {}

  SlowInflated run() {
    while (!failed_) {
      const bool last = bits(1) == 1;
      switch (bits(2)) {
        case 0:
          stored();
          break;
        case 1:
          block(SlowCode(fixed_literal_lengths()),
                SlowCode(std::vector<unsigned>(32, 5)));
          break;
        case 2:
          dynamic();
          break;
        default:
          failed_ = true;
      }
      if (last) break;
    }
    return {std::move(out_), !failed_, (at_ + 7) / 8};
  }

 private:
  unsigned bit() {
    if (failed_ || at_ / 8 >= stream_.size()) {
      failed_ = true;
      return 0;
    }
    const auto byte = static_cast<unsigned char>(stream_[at_ / 8]);
    return byte >> at_++ % 8 & 1u;
  }
  unsigned bits(unsigned n) {
    unsigned out = 0;
    for (unsigned i = 0; i < n; ++i) out |= bit() << i;
    return out;
  }
  unsigned symbol(const SlowCode& code) {
    unsigned word = 0;
    for (unsigned n = 1; n <= kLongestWord && !failed_; ++n) {
      word = word * 2 + bit();
      if (word >= code.first[n] &&
          word - code.first[n] < code.symbols[n].size()) {
        return code.symbols[n][word - code.first[n]];
      }
    }
    failed_ = true;
    return 0;
  }
  void put(char c) {
    if (failed_) return;
    out_ += c;
    failed_ = out_.size() > most_;
  }

  void stored() {
    at_ = (at_ + 7) / 8 * 8;
    const unsigned n = bits(16);
    if (bits(16) != (n ^ 0xffffu)) failed_ = true;
    for (unsigned i = 0; i < n && !failed_; ++i) {
      put(static_cast<char>(bits(8)));
    }
  }

  void dynamic() {
    const unsigned literals = bits(5) + 257;
    const unsigned distances = bits(5) + 1;
    const unsigned precodes = bits(4) + 4;
    std::vector<unsigned> of_precode(19, 0);
    for (unsigned i = 0; i < precodes; ++i) {
      of_precode[kPrecodeOrder[i]] = bits(3);
    }
    const SlowCode precode(of_precode);
    if (!precode.legal) failed_ = true;
    std::vector<unsigned> all;
    while (all.size() < literals + distances && !failed_) {
      const unsigned s = symbol(precode);
      if (s < 16) {
        all.push_back(s);
        continue;
      }
      if (s == 16 && all.empty()) {
        failed_ = true;
        return;
      }
      const unsigned what = s == 16 ? all.back() : 0;
      const unsigned n = s == 16   ? 3 + bits(2)
                         : s == 17 ? 3 + bits(3)
                                   : 11 + bits(7);
      all.insert(all.end(), n, what);
    }
    if (failed_ || all.size() != literals + distances) {
      failed_ = true;
      return;
    }
    const std::span<const unsigned> lengths = all;
    const SlowCode literal_code(lengths.first(literals));
    const SlowCode distance_code(lengths.subspan(literals));
    if (!literal_code.legal || !distance_code.legal) failed_ = true;
    block(literal_code, distance_code);
  }

  void block(const SlowCode& literals, const SlowCode& distances) {
    while (!failed_) {
      const unsigned s = symbol(literals);
      if (failed_ || s == 256) return;
      if (s < 256) {
        put(static_cast<char>(s));
        continue;
      }
      if (s - 257 >= kLengthBase.size()) {
        failed_ = true;
        return;
      }
      const unsigned length =
          kLengthBase[s - 257] + bits(kLengthExtra[s - 257]);
      const unsigned d = symbol(distances);
      if (failed_ || d >= kDistanceBase.size()) {
        failed_ = true;
        return;
      }
      const unsigned distance = kDistanceBase[d] + bits(kDistanceExtra[d]);
      if (distance > out_.size()) failed_ = true;
      for (unsigned i = 0; i < length && !failed_; ++i) {
        put(out_[out_.size() - distance]);
      }
    }
  }

  std::string_view stream_;
  std::size_t most_;
  std::size_t at_ = 0;  // bit
  bool failed_ = false;
  std::string out_;
};

// It ends, and that is no end, when there are more than `most` bytes.
inline SlowInflated slow_inflate(std::string_view stream,
                                 std::size_t most = ~std::size_t{0} - 1) {
  return SlowInflater(stream, most).run();
}

}  // namespace rejig::test
