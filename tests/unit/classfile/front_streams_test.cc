// SPDX-License-Identifier: Apache-2.0
// An inflater that stops early and what no compressor writes: every kind of
// block, the borders of RFC 1951, and one step beyond each of them. zlib and
// libdeflate say whether the slow inflater may be trusted with that.
#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "tests/unit/classfile/front_asked.h"

namespace rejig::test {
namespace {

// It refuses a few headers that are odd and harm nobody.
enum class Zlib { kAgrees, kRefuses };

class Judges {
 public:
  void legal(const std::string& stream, const std::string& content,
             Zlib zlib = Zlib::kAgrees) {
    const SlowInflated slow = slow_inflate(stream);
    EXPECT_TRUE(slow.ended);
    EXPECT_TRUE(slow.bytes == content);
    EXPECT_TRUE(by_libdeflate(stream, content.size()) == content);
    const auto its = by_zlib(stream, content.size() + 1);
    EXPECT_TRUE(zlib == Zlib::kAgrees ? its == content : !its);
    const std::size_t size = content.size();
    for (const Steps& steps :
         {Steps{size}, Steps{0, size / 2, size}, random_steps(size, random_)}) {
      EXPECT_TRUE(asker_.whole(stream, kEnoughBehind, size, steps, slow));
    }
    for (const std::size_t other : {size - 1, size + 1, size + 300}) {
      if (other > size + 300) continue;  // none less than nothing
      EXPECT_FALSE(asker_.whole(stream, kEnoughBehind, other,
                                random_steps(other, random_), slow));
    }
  }

  void illegal(const std::string& stream) {
    const SlowInflated slow = slow_inflate(stream);
    EXPECT_FALSE(slow.ended);
    const std::size_t size = slow.bytes.size();
    EXPECT_FALSE(by_zlib(stream, size + 300));
    for (const std::size_t one : {size, size + 1, size + 3, size + 300}) {
      // With more behind it that looks like zeros, and like ones.
      for (const std::string& behind : {kEnoughBehind, std::string(64, '\0')}) {
        EXPECT_FALSE(asker_.whole(stream, behind, one,
                                  random_steps(one, random_), slow));
      }
    }
  }

 private:
  FrontAsker asker_;
  Random random_{8};
};

std::string noise(std::size_t n) {
  Random random(9);
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += static_cast<char>(random());
  return out;
}

const Words& fixed_literals() {
  static const Words words(fixed_literal_lengths());
  return words;
}
const Words& fixed_distances() {
  static const Words words(Lengths(32, 5));
  return words;
}

// Of a block without matches.
const Lengths kNoDistances{0};

// A code in which these have a word and no other.
Lengths only(std::size_t all,
             const std::vector<std::pair<unsigned, unsigned>>& lengths) {
  Lengths out(all, 0);
  for (const auto& [symbol, length] : lengths) out[symbol] = length;
  return out;
}
// 'a', the end and a length of three.
Lengths three_literals() {
  return only(258, {{'a', 1}, {kEndSymbol, 2}, {257, 2}});
}

TEST(FrontStreams, StoredBlocks) {
  Judges judges;
  for (const std::size_t n :
       {0u, 1u, 2u, 3u, 7u, 8u, 255u, 256u, 65534u, 65535u}) {
    const std::string text = noise(n);
    judges.legal(DeflateWriter().stored(text, true).str(), text);
    // Wherever in a byte they begin.
    for (unsigned before = 0; before < 8; ++before) {
      DeflateWriter writer;
      for (unsigned i = 0; i < before; ++i) {
        writer.fixed(std::vector<Token>(), false);  // ten bits
      }
      judges.legal(writer.stored(text, false).stored(text, true).str(),
                   text + text);
    }
  }
}

TEST(FrontStreams, PaddingBeforeAStoredBlockIsAnything) {
  Judges judges;
  for (unsigned padding = 0; padding < 32; ++padding) {
    DeflateWriter writer;
    writer.bits(1, 1).bits(0, 2).bits(padding, 5).bits(1, 16).bits(0xfffe, 16);
    judges.legal(writer.bits('x', 8).str(), "x");
  }
}

TEST(FrontStreams, AStoredBlockSaysItsSizeTwice) {
  Judges judges;
  for (const std::string text : {"", "abc"}) {
    const auto n = static_cast<unsigned>(text.size());
    for (unsigned bit = 0; bit < 16; ++bit) {
      const unsigned wrong = n ^ 0xffffu ^ 1u << bit;
      judges.illegal(DeflateWriter().stored(text, true, wrong).str());
      judges.illegal(DeflateWriter()
                         .fixed(literals("before"), false)
                         .stored(text, true, wrong)
                         .str());
    }
  }
}

TEST(FrontStreams, BlocksThatTheStreamIsTooShortFor) {
  Judges judges;
  const Lengths lengths = three_literals();
  const std::string stored = DeflateWriter().stored("abcdef", true).str();
  const std::string fixed =
      DeflateWriter().fixed(literals("abcdef"), true).str();
  const std::string dynamic =
      DeflateWriter()
          .dynamic(lengths, Lengths{1}, literals("aaaaaa"), true)
          .str();
  for (const std::string& stream : {stored, fixed, dynamic}) {
    for (std::size_t n = 0; n < stream.size(); ++n) {
      judges.illegal(stream.substr(0, n));
    }
  }
}

TEST(FrontStreams, ABlockTypeIsReserved) {
  Judges judges;
  for (const unsigned last : {0u, 1u}) {
    const auto reserved = [&](DeflateWriter writer) {
      return writer.bits(last, 1).bits(3, 2).bits(0, 29).str();
    };
    judges.illegal(reserved({}));
    judges.illegal(reserved(DeflateWriter().stored("abc", false)));
    judges.illegal(reserved(DeflateWriter().fixed(literals("abc"), false)));
  }
}

TEST(FrontStreams, EmptyBlocks) {
  Judges judges;
  const std::vector<Token> nothing;
  const Lengths end_only = only(257, {{kEndSymbol, 1}});
  for (const bool is_last_empty : {true, false}) {
    DeflateWriter writer;
    for (int i = 0; i < 50; ++i) {
      writer.stored("", false).fixed(nothing, false);
      writer.dynamic(end_only, kNoDistances, nothing, false);
      if (i == 20) writer.fixed(literals("text"), false);
    }
    if (is_last_empty) {
      writer.dynamic(end_only, kNoDistances, nothing, true);
    } else {
      writer.stored("more", true);
    }
    judges.legal(writer.str(), is_last_empty ? "text" : "textmore");
  }
}

TEST(FrontStreams, NothingBehindABlockThatIsNotTheLast) {
  Judges judges;
  const Lengths lengths = three_literals();
  judges.illegal("");
  judges.illegal(DeflateWriter().stored("aaa", false).str());
  judges.illegal(DeflateWriter().fixed(literals("aaa"), false).str());
  judges.illegal(DeflateWriter()
                     .dynamic(lengths, kNoDistances, literals("aaa"), false)
                     .str());
}

TEST(FrontStreams, EveryLiteral) {
  Judges judges;
  std::string all(256, '\0');
  std::iota(all.begin(), all.end(), '\0');
  judges.legal(DeflateWriter().fixed(literals(all), true).str(), all);
  // The longest words there are for the most frequent ones.
  Random random(10);
  std::vector<unsigned> symbols(257);
  std::iota(symbols.begin(), symbols.end(), 0u);
  for (int i = 0; i < 200; ++i) {
    const Lengths code = random_code(symbols, 257, kLongestWord, random);
    judges.legal(
        DeflateWriter().dynamic(code, kNoDistances, literals(all), true).str(),
        all);
  }
}

// Length and distance, each on its own: bytes before it, and then a match up to
// the end of what there is.
TEST(FrontStreams, EveryLengthAtEveryNearDistance) {
  FrontAsker asker;
  Random random(11);
  for (unsigned distance = 1; distance <= 34; ++distance) {
    const std::string before = noise(distance);
    for (unsigned length = 3; length <= 258; ++length) {
      std::vector<Token> tokens = literals(before);
      tokens.push_back({length, distance});
      const std::string stream = DeflateWriter().fixed(tokens, true).str();
      const std::size_t size = distance + length;
      EXPECT_TRUE(asker.whole(stream, kEnoughBehind, size, {size}));
      EXPECT_TRUE(
          asker.whole(stream, kEnoughBehind, size, random_steps(size, random)));
      if (length % 16 != 3) continue;
      const SlowInflated slow = slow_inflate(stream);
      EXPECT_TRUE(by_zlib(stream, size + 1) == slow.bytes);
      EXPECT_TRUE(by_libdeflate(stream, size) == slow.bytes);
    }
  }
}

TEST(FrontStreams, EveryDistance) {
  Judges judges;
  constexpr unsigned kFurthest = 32768;
  const std::string before = noise(kFurthest);
  std::vector<Token> tokens;
  std::string content = before;
  for (unsigned distance = 1; distance <= kFurthest; ++distance) {
    tokens.push_back({3 + distance % 5, distance});
    for (unsigned k = 0; k < tokens.back().length; ++k) {
      content += content[content.size() - distance];
    }
  }
  DeflateWriter head;
  head.stored(before.substr(0, kFurthest / 2), false)
      .stored(before.substr(kFurthest / 2), false);
  judges.legal(DeflateWriter(head).fixed(tokens, true).str(), content);
  Random random(12);
  std::vector<unsigned> distances(30);
  std::iota(distances.begin(), distances.end(), 0u);
  for (int i = 0; i < 4; ++i) {
    const Lengths of_literals = random_code(
        {kEndSymbol, 257, 258, 259, 260, 261}, 262, kLongestWord, random);
    const Lengths of_distances =
        random_code(distances, 30, kLongestWord, random);
    judges.legal(DeflateWriter(head)
                     .dynamic(of_literals, of_distances, tokens, true)
                     .str(),
                 content);
  }
}

TEST(FrontStreams, NoMatchBeginsBeforeTheStream) {
  Judges judges;
  for (const unsigned n : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 100u, 257u, 32767u}) {
    const std::string before = noise(n);
    DeflateWriter head;
    if (n > 2) {
      head.stored(before.substr(0, n - 2), false)
          .fixed(literals(before.substr(n - 2)), false);
    } else {
      head.fixed(literals(before), false);
    }
    for (const unsigned more : {1u, 2u, 300u, 32768u - n}) {
      if (n + more > 32768) continue;
      const std::vector<Token> match{{3, n + more}};
      judges.illegal(DeflateWriter(head).fixed(match, true).str());
    }
    if (n == 0) continue;
    // Into the block before.
    const std::vector<Token> match{{3, n}};
    std::string content = before;
    for (int k = 0; k < 3; ++k) content += content[content.size() - n];
    judges.legal(DeflateWriter(head).fixed(match, true).str(), content);
  }
}

TEST(FrontStreams, TheLongestMatchIsSaidInTwoWays) {
  Judges judges;
  for (const auto& [symbol, extra] : {std::pair(284u, 31u), {285u, 0u}}) {
    DeflateWriter writer;
    writer.bits(1, 1).bits(1, 2).word(fixed_literals(), 'x');
    writer.match(fixed_literals(), symbol, extra, fixed_distances(), 1);
    judges.legal(writer.word(fixed_literals(), kEndSymbol).str(),
                 std::string(259, 'x'));
  }
}

TEST(FrontStreams, SymbolsThatMeanNothing) {
  Judges judges;
  const auto begun = [] {
    DeflateWriter writer;
    return writer.bits(1, 1).bits(1, 2).word(fixed_literals(), 'x');
  };
  for (const unsigned symbol : {286u, 287u}) {
    judges.illegal(begun()
                       .word(fixed_literals(), symbol)
                       .word(fixed_distances(), 0)
                       .word(fixed_literals(), kEndSymbol)
                       .str());
  }
  for (const unsigned symbol : {30u, 31u}) {
    judges.illegal(begun()
                       .word(fixed_literals(), 257)
                       .word(fixed_distances(), symbol)
                       .word(fixed_literals(), kEndSymbol)
                       .str());
  }
  // They may have a word as long as nobody writes it.
  for (const unsigned symbol : {286u, 287u}) {
    const Words words(only(288, {{'x', 1}, {kEndSymbol, 2}, {symbol, 2}}));
    DeflateWriter writer;
    writer.dynamic(words, kNoDistances, literals("xx"), true);
    judges.legal(writer.str(), "xx", Zlib::kRefuses);
    judges.illegal(DeflateWriter()
                       .head(words.lengths, kNoDistances, true)
                       .word(words, symbol)
                       .word(words, kEndSymbol)
                       .str());
  }
  for (const unsigned symbol : {30u, 31u}) {
    const Words words(only(258, {{'x', 1}, {kEndSymbol, 2}, {257, 2}}));
    const Words distances(only(32, {{0, 1}, {symbol, 1}}));
    const std::vector<Token> tokens{{0, 'x'}, {3, 1}};
    DeflateWriter writer;
    writer.dynamic(words, distances, tokens, true);
    judges.legal(writer.str(), "xxxx", Zlib::kRefuses);
    judges.illegal(DeflateWriter()
                       .head(words.lengths, distances.lengths, true)
                       .word(words, 'x')
                       .word(words, 257)
                       .word(distances, symbol)
                       .word(words, kEndSymbol)
                       .str());
  }
}

// With the codes of a legal stream otherwise.
TEST(FrontStreams, CodesThatAreFullOrNot) {
  Judges judges;
  const std::string text = "xx";
  const auto with = [&](const Lengths& of_literals,
                        const Lengths& of_distances) {
    return DeflateWriter()
        .dynamic(of_literals, of_distances, literals(text), true)
        .str();
  };
  const Lengths good = only(257, {{'x', 1}, {kEndSymbol, 1}});
  judges.legal(with(good, {0}), text);
  judges.legal(with(good, {1}), text);
  judges.legal(with(good, {0, 0, 0, 1}), text);
  judges.legal(with(good, {1, 1}), text);
  judges.legal(with(good, {0, 2, 0, 2, 1}), text);
  judges.legal(with(good, Lengths(16, 4)), text);
  // Too many words, too few.
  for (const Lengths& wrong :
       {Lengths{1, 1, 1}, Lengths{2, 2, 2, 2, 2}, Lengths{1, 1, 15}, Lengths{2},
        Lengths{15}, Lengths{1, 2}, Lengths{2, 2, 2}, Lengths{1, 2, 3},
        Lengths{15, 15}, Lengths{2, 0, 0, 2}}) {
    judges.illegal(with(good, wrong));
    Lengths of_literals = wrong;
    of_literals.resize(257);
    of_literals[kEndSymbol] = of_literals[0];
    if (wrong.size() > 1) of_literals[0] = 0;
    judges.illegal(with(of_literals, {0}));
  }
  // One word only is one bit long; the other bit is none.
  const Words end_only = only(257, {{kEndSymbol, 1}});
  judges.legal(DeflateWriter()
                   .head(end_only.lengths, kNoDistances, true)
                   .bits(0, 1)
                   .str(),
               "");
  judges.illegal(DeflateWriter()
                     .head(end_only.lengths, kNoDistances, true)
                     .bits(1, 1)
                     .str());
  judges.illegal(DeflateWriter()
                     .head(Lengths(257, 0), kNoDistances, true)
                     .bits(0, 8)
                     .str());
}

TEST(FrontStreams, ADistanceOfACodeThatHasNone) {
  Judges judges;
  const Words words(three_literals());
  const auto match = [&](const Lengths& of_distances, unsigned bit) {
    return DeflateWriter()
        .head(words.lengths, of_distances, true)
        .word(words, 'a')
        .word(words, 257)
        .bits(bit, 1)
        .word(words, kEndSymbol)
        .str();
  };
  judges.legal(match({1}, 0), "aaaa");
  judges.illegal(match({1}, 1));
  for (const unsigned bit : {0u, 1u}) judges.illegal(match({0}, bit));
}

TEST(FrontStreams, ABlockThatCannotEnd) {
  Judges judges;
  const Lengths lengths = only(257, {{'a', 1}, {'b', 1}});
  DeflateWriter writer;
  writer.dynamic(lengths, kNoDistances, literals("abba"), true);
  judges.illegal(writer.str());
  judges.illegal(writer.str() + std::string(50, '\0'));
}

TEST(FrontStreams, AsManyCodesAsAHeaderCanSay) {
  Judges judges;
  const std::string text = "xyx";
  for (unsigned of_literals = 257; of_literals <= 288; ++of_literals) {
    for (const unsigned of_distances : {1u, 2u, 29u, 30u, 31u, 32u}) {
      const Lengths lengths =
          only(of_literals, {{'x', 1}, {'y', 2}, {kEndSymbol, 2}});
      DeflateWriter writer;
      writer.dynamic(lengths, Lengths(of_distances, 0), literals(text), true);
      judges.legal(writer.str(), text,
                   of_literals > 286 || of_distances > 30 ? Zlib::kRefuses
                                                          : Zlib::kAgrees);
    }
  }
}

// Precodes with words for these, of 1 .. 7 bits.
TEST(FrontStreams, CodesForLengths) {
  Judges judges;
  const auto header = [](const Lengths& of_precode, unsigned behind) {
    DeflateWriter writer;
    Lengths all = of_precode;
    all.resize(19);
    return writer.begin_head(257, 1, all, true).bits(behind, 32).str() +
           std::string(40, '\0');
  };
  // No words, too few, too many.
  for (const Lengths& wrong :
       {Lengths{0}, Lengths{2}, Lengths{7}, Lengths{1, 2}, Lengths{2, 2, 2},
        Lengths{1, 1, 1}, Lengths{1, 1, 7}, Lengths(19, 7), Lengths(19, 1)}) {
    for (const unsigned behind : {0u, ~0u, 0x5a5a5a5au}) {
      judges.illegal(header(wrong, behind));
    }
  }
  // One word, of one bit: every length is that.
  judges.illegal(header({0, 1}, 0));
  // The longest words that there are.
  Lengths long_ones(19, 0);
  for (unsigned i = 0; i < 6; ++i) long_ones[i] = i + 1;
  long_ones[17] = long_ones[18] = 7;
  const Words precode(long_ones);
  DeflateWriter writer;
  writer.begin_head(257, 1, precode, true);
  writer.word(precode, 18)
      .bits(138 - 11, 7)
      .word(precode, 18)
      .bits(118 - 11, 7);
  writer.word(precode, 1).word(precode, 0);
  judges.legal(writer.bits(0, 1).str(), "");
}

// Lengths said in runs: of which symbols and how long.
class Runs {
 public:
  explicit Runs(std::size_t of_literals = 258, std::size_t of_distances = 2)
      : precode_([] {
          Lengths out(19, 0);
          for (const unsigned i : {0u, 1u, 2u, 3u, 15u, 16u, 17u, 18u}) {
            out[i] = 3;
          }
          return out;
        }()) {
    writer_.begin_head(of_literals, of_distances, precode_, true);
  }
  Runs& one(unsigned length) {
    writer_.word(precode_, length);
    return *this;
  }
  Runs& again(unsigned n) {
    writer_.word(precode_, 16).bits(n - 3, 2);
    return *this;
  }
  Runs& zeros(unsigned n) {
    if (n < 11) {
      writer_.word(precode_, 17).bits(n - 3, 3);
    } else {
      writer_.word(precode_, 18).bits(n - 11, 7);
    }
    return *this;
  }
  DeflateWriter behind() const { return writer_; }

 private:
  DeflateWriter writer_;
  Words precode_;
};

TEST(FrontStreams, RunsOfLengths) {
  Judges judges;
  const Words four(only(258, {{254, 2}, {255, 2}, {kEndSymbol, 2}, {257, 2}}));
  const auto ended = [&](const Runs& runs) {
    return runs.behind().word(four, kEndSymbol).bits(0, 32).str();
  };
  // The same four, and four distances or none.
  const auto begun = [] { return Runs(258, 4).zeros(138).zeros(116); };
  judges.legal(ended(begun().one(2).again(6).one(2)), "");
  judges.legal(ended(begun().one(2).again(3).again(4)), "");
  judges.legal(ended(begun().one(2).again(3).zeros(4)), "");
  judges.legal(ended(begun().one(2).again(3).zeros(3).one(1)), "");
  judges.legal(ended(Runs(258, 4)
                         .zeros(138)
                         .zeros(3)
                         .again(6)
                         .zeros(107)
                         .one(2)
                         .one(2)
                         .one(2)
                         .again(5)),
               "");
  judges.legal(
      ended(Runs(270, 20).zeros(138).zeros(116).one(2).again(3).zeros(32)), "");
  // What was not said cannot be repeated.
  judges.illegal(ended(
      Runs(258, 4).again(6).zeros(138).zeros(110).one(2).again(3).zeros(4)));
  // One too many.
  judges.illegal(ended(begun().one(2).again(4).again(4)));
  judges.illegal(ended(begun().one(2).again(3).zeros(5)));
  judges.illegal(
      ended(Runs(258, 10).zeros(138).zeros(116).one(2).again(3).zeros(11)));
  judges.illegal(ended(begun().zeros(138)));
}

}  // namespace
}  // namespace rejig::test
