// SPDX-License-Identifier: Apache-2.0
// How does a test make a deflated stream, legal or not? DeflateWriter writes
// the blocks that it is told with the codes that it is told, and checks
// nothing: what no compressor writes is what tests want (RFC 1951).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/slow_inflate.h"

namespace rejig::test {

// A literal when there is no length.
struct Token {
  unsigned length = 0;
  unsigned value = 0;  // byte or distance
};

inline std::vector<Token> literals(std::string_view text) {
  std::vector<Token> out;
  for (const char c : text) out.push_back({0, static_cast<unsigned char>(c)});
  return out;
}

inline constexpr unsigned kEndSymbol = 256;

inline unsigned length_symbol(unsigned length) {
  unsigned i = static_cast<unsigned>(kLengthBase.size()) - 1;
  while (kLengthBase[i] > length) --i;
  return 257 + i;
}
inline unsigned distance_symbol(unsigned distance) {
  unsigned i = static_cast<unsigned>(kDistanceBase.size()) - 1;
  while (kDistanceBase[i] > distance) --i;
  return i;
}

// Lengths of the words by symbol, 0: it has none; and the words (§3.2.2).
using Lengths = std::vector<unsigned>;
struct Words {
  Lengths lengths;
  std::vector<unsigned> words;

  // NOLINTNEXTLINE(google-explicit-constructor): lengths are all that matters
  Words(Lengths its_lengths) : lengths(std::move(its_lengths)) {
    words.resize(lengths.size());
    unsigned word = 0;
    for (unsigned n = 1; n <= kLongestWord; ++n) {
      word *= 2;
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] == n) words[i] = word++;
      }
    }
  }
};

class DeflateWriter {
 public:
  DeflateWriter& bits(unsigned value, unsigned n) {
    for (unsigned i = 0; i < n; ++i) {
      if (used_ % 8 == 0) out_ += '\0';
      if ((value >> i & 1) != 0) {
        out_.back() = static_cast<char>(out_.back() | 1 << used_ % 8);
      }
      ++used_;
    }
    return *this;
  }
  // Words begin with their highest bit. A symbol without one is not written.
  DeflateWriter& word(const Words& code, unsigned symbol) {
    for (unsigned i = code.lengths[symbol]; i-- > 0;) {
      bits(code.words[symbol] >> i & 1, 1);
    }
    return *this;
  }
  DeflateWriter& stored(std::string_view text, bool last,
                        std::optional<unsigned> complement = {}) {
    bits(last ? 1 : 0, 1).bits(0, 2);
    while (used_ % 8 != 0) ++used_;
    const auto n = static_cast<unsigned>(text.size());
    bits(n, 16).bits(complement.value_or(n ^ 0xffffu), 16);
    out_ += text;
    used_ = out_.size() * 8;
    return *this;
  }
  DeflateWriter& fixed(std::span<const Token> tokens, bool last) {
    bits(last ? 1 : 0, 1).bits(1, 2);
    return content(Words(fixed_literal_lengths()), Words(Lengths(32, 5)),
                   tokens);
  }
  DeflateWriter& dynamic(const Words& of_literals, const Words& of_distances,
                         std::span<const Token> tokens, bool last) {
    head(of_literals.lengths, of_distances.lengths, last);
    return content(of_literals, of_distances, tokens);
  }
  // Every length on its own, in words of five bits and of four.
  DeflateWriter& head(const Lengths& of_literals, const Lengths& of_distances,
                      bool last) {
    Lengths of_precode(19, 4);
    for (const unsigned i : {13u, 14u, 15u, 16u, 17u, 18u}) of_precode[i] = 5;
    const Words precode(of_precode);
    begin_head(of_literals.size(), of_distances.size(), precode, last);
    for (const Lengths* lengths : {&of_literals, &of_distances}) {
      for (const unsigned n : *lengths) word(precode, n);
    }
    return *this;
  }
  // Up to the lengths; what is behind them writes whoever wants it odd.
  DeflateWriter& begin_head(std::size_t of_literals, std::size_t of_distances,
                            const Words& precode, bool last) {
    bits(last ? 1 : 0, 1).bits(2, 2);
    bits(static_cast<unsigned>(of_literals) - 257, 5);
    bits(static_cast<unsigned>(of_distances) - 1, 5);
    unsigned n = 19;
    while (n > 4 && precode.lengths[kPrecodeOrder[n - 1]] == 0) --n;
    bits(n - 4, 4);
    for (unsigned i = 0; i < n; ++i) bits(precode.lengths[kPrecodeOrder[i]], 3);
    return *this;
  }
  DeflateWriter& content(const Words& of_literals, const Words& of_distances,
                         std::span<const Token> tokens) {
    for (const Token& token : tokens) {
      if (token.length == 0) {
        word(of_literals, token.value);
      } else {
        const unsigned s = length_symbol(token.length);
        match(of_literals, s, token.length - kLengthBase[s - 257], of_distances,
              token.value);
      }
    }
    return word(of_literals, kEndSymbol);
  }
  DeflateWriter& match(const Words& of_literals, unsigned symbol,
                       unsigned extra, const Words& of_distances,
                       unsigned distance) {
    word(of_literals, symbol).bits(extra, kLengthExtra[symbol - 257]);
    const unsigned d = distance_symbol(distance);
    return word(of_distances, d)
        .bits(distance - kDistanceBase[d], kDistanceExtra[d]);
  }
  const std::string& str() const { return out_; }

 private:
  std::string out_;
  std::size_t used_ = 0;  // bits
};

}  // namespace rejig::test
