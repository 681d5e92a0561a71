// SPDX-License-Identifier: Apache-2.0
// Which deflated streams are legal, although no compressor writes them? Random
// ones: any tokens in any blocks under any complete codes, also with words of
// fifteen bits for what is frequent, with lengths said in every way (RFC 1951).
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tests/support/deflate_writer.h"

namespace rejig::test {

using Random = std::mt19937;

// 0 .. n - 1.
inline unsigned below(Random& random, std::size_t n) {
  return static_cast<unsigned>(random() % n);
}
inline bool one_in(Random& random, unsigned n) { return below(random, n) == 0; }

// A complete code for these symbols: a leaf of a tree is split until there are
// enough. Of one symbol: one word of one bit.
inline Lengths random_code(std::vector<unsigned> symbols, std::size_t all,
                           unsigned longest, Random& random) {
  Lengths out(all, 0);
  if (symbols.size() == 1) {
    out[symbols[0]] = 1;
    return out;
  }
  std::vector<unsigned> leaves{0};
  const bool is_skewed = one_in(random, 2);
  while (leaves.size() < symbols.size()) {
    std::size_t at = below(random, leaves.size());
    if (is_skewed && !one_in(random, 8)) {
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i] < longest && leaves[i] > leaves[at]) at = i;
      }
    }
    if (leaves[at] == longest) continue;
    leaves.push_back(++leaves[at]);
  }
  std::shuffle(symbols.begin(), symbols.end(), random);
  for (std::size_t i = 0; i < symbols.size(); ++i) out[symbols[i]] = leaves[i];
  return out;
}

// What a token of a length code is: a length, or a run and its bits.
struct LengthToken {
  unsigned symbol = 0;
  unsigned extra = 0;
  unsigned bits = 0;
};

inline std::vector<LengthToken> random_runs(const Lengths& lengths,
                                            Random& random) {
  std::vector<LengthToken> out;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t run = 1;
    while (i + run < lengths.size() && lengths[i + run] == lengths[i]) ++run;
    const bool again = i > 0 && lengths[i - 1] == lengths[i];
    const auto some = [&](std::size_t least, std::size_t most) {
      const std::size_t top = std::min(run, most);
      return one_in(random, 2) ? top : least + below(random, top - least + 1);
    };
    std::size_t n = 1;
    if (one_in(random, 8) || run < 3) {
      out.push_back({lengths[i], 0, 0});
    } else if (again && (lengths[i] != 0 || one_in(random, 4))) {
      n = some(3, 6);
      out.push_back({16, static_cast<unsigned>(n - 3), 2});
    } else if (lengths[i] == 0 && run >= 11 && !one_in(random, 4)) {
      n = some(11, 138);
      out.push_back({18, static_cast<unsigned>(n - 11), 7});
    } else if (lengths[i] == 0) {
      n = some(3, 10);
      out.push_back({17, static_cast<unsigned>(n - 3), 3});
    } else {
      out.push_back({lengths[i], 0, 0});
    }
    i += n;
  }
  return out;
}

struct MadeStream {
  std::string stream;
  std::string content;
};

class StreamMaker {
 public:
  explicit StreamMaker(Random& random) : random_(random) {}

  // Blocks of that many tokens each at most.
  MadeStream make(unsigned blocks, unsigned tokens) {
    writer_ = {};
    content_.clear();
    for (unsigned i = 0; i < blocks; ++i) {
      const bool last = i + 1 == blocks;
      switch (below(random_, 6)) {
        case 0:
          stored(below(random_, tokens + 1), last);
          break;
        case 1:
          writer_.fixed(some_tokens(tokens), last);
          break;
        default:
          dynamic(some_tokens(tokens), last);
      }
    }
    return {writer_.str(), content_};
  }

 private:
  void stored(unsigned n, bool last) {
    std::string text;
    for (unsigned i = 0; i < n; ++i) text += static_cast<char>(random_());
    writer_.stored(text, last);
    content_ += text;
  }

  std::vector<Token> some_tokens(unsigned most) {
    std::vector<Token> out;
    const unsigned n = below(random_, most + 1);
    const unsigned alphabet = 1u << below(random_, 9);
    const unsigned matches = 1 + below(random_, 8);
    for (unsigned i = 0; i < n; ++i) {
      Token token{0, below(random_, alphabet) ^ (alphabet < 256 ? 'a' : 0u)};
      if (!content_.empty() && one_in(random_, matches)) {
        const auto most_back = static_cast<unsigned>(
            std::min<std::size_t>(content_.size(), 32768));
        const unsigned near = std::min(most_back, 9u);
        token.length = one_in(random_, 8)   ? 258
                       : one_in(random_, 2) ? 3 + below(random_, 256)
                                            : 3 + below(random_, 8);
        token.value = 1 + (one_in(random_, 2)   ? below(random_, near)
                           : one_in(random_, 8) ? most_back - 1
                                                : below(random_, most_back));
        for (unsigned k = 0; k < token.length; ++k) {
          content_ += content_[content_.size() - token.value];
        }
      } else {
        content_ += static_cast<char>(token.value);
      }
      out.push_back(token);
    }
    return out;
  }

  // The symbols that are needed and some that are not.
  Lengths code_for(std::vector<unsigned> needed, unsigned symbols,
                   std::size_t all) {
    const unsigned more = one_in(random_, 2) ? 0 : below(random_, 40);
    for (unsigned i = 0; i < more; ++i) {
      needed.push_back(below(random_, symbols));
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    Lengths out(all, 0);
    if (!needed.empty()) out = random_code(needed, all, kLongestWord, random_);
    return out;
  }

  void dynamic(const std::vector<Token>& tokens, bool last) {
    std::vector<unsigned> literals{kEndSymbol};
    std::vector<unsigned> distances;
    for (const Token& token : tokens) {
      literals.push_back(token.length == 0 ? token.value
                                           : length_symbol(token.length));
      if (token.length != 0) distances.push_back(distance_symbol(token.value));
    }
    Lengths of_literals = code_for(literals, 286, 286);
    Lengths of_distances = code_for(distances, 30, 30);
    // What is zero at the end need not be said.
    const auto trim = [&](Lengths& lengths, std::size_t least) {
      while (lengths.size() > least && lengths.back() == 0 &&
             !one_in(random_, 16)) {
        lengths.pop_back();
      }
    };
    trim(of_literals, 257);
    trim(of_distances, 1);
    Lengths both = of_literals;
    both.insert(both.end(), of_distances.begin(), of_distances.end());
    const auto runs = random_runs(both, random_);
    std::vector<unsigned> said{0, 1 + below(random_, 15)};
    for (const LengthToken& run : runs) said.push_back(run.symbol);
    std::sort(said.begin(), said.end());
    said.erase(std::unique(said.begin(), said.end()), said.end());
    const Words precode(random_code(said, 19, 7, random_));
    writer_.begin_head(of_literals.size(), of_distances.size(), precode, last);
    for (const LengthToken& run : runs) {
      writer_.word(precode, run.symbol).bits(run.extra, run.bits);
    }
    writer_.content(Words(of_literals), Words(of_distances), tokens);
  }

  Random& random_;
  DeflateWriter writer_;
  std::string content_;
};

}  // namespace rejig::test
