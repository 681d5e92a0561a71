// SPDX-License-Identifier: Apache-2.0
// An inflater that stops early and what compressors really write: every stream
// is inflated to its end however it is asked for, and cut, extended or with
// another size said it is never more than the slow inflater gives.
#include <gtest/gtest.h>

#include "tests/classes/samples.h"
#include "tests/unit/classfile/front_asked.h"

namespace rejig::test {
namespace {

std::string random_bytes(std::size_t n, unsigned alphabet, Random& random) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) {
    out += static_cast<char>(below(random, alphabet) * 7 + 'A');
  }
  return out;
}

// Each byte half as often as the one before: words of all lengths.
std::string halves(std::size_t n, Random& random) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) {
    unsigned byte = 0;
    while (byte < 24 && one_in(random, 2)) ++byte;
    out += static_cast<char>('a' + byte);
  }
  return out;
}

std::string words(std::size_t n, Random& random) {
  static constexpr std::string_view kWords[] = {"java/lang/Object",
                                                "Ljava/lang/String;",
                                                "(I)V",
                                                "<init>",
                                                "Code",
                                                "StackMapTable",
                                                "toString",
                                                "()Z",
                                                "LineNumberTable",
                                                "hashCode"};
  std::string out;
  while (out.size() < n) {
    out += '\1';
    out += '\0';
    out += kWords[below(random, std::size(kWords))];
    if (one_in(random, 3)) out += std::to_string(random());
  }
  return out;
}

std::vector<std::string> contents() {
  Random random(20231);
  std::vector<std::string> out{"", "a", "ab", std::string(258, 'z'),
                               std::string(100000, '\0')};
  for (const unsigned alphabet : {2u, 3u, 16u, 100u, 256u}) {
    for (const std::size_t n : {10u, 1000u, 20000u}) {
      out.push_back(random_bytes(n, alphabet, random));
    }
  }
  for (std::size_t period = 1; period <= 9; ++period) {
    const std::string one = random_bytes(period, 256, random);
    std::string text;
    while (text.size() < 700) text += one;
    out.push_back(text + "end");
  }
  out.push_back(halves(40000, random));
  out.push_back(words(3000, random));
  out.push_back(words(60000, random));
  // The furthest match there is.
  const std::string far = random_bytes(300, 256, random);
  out.push_back(far + random_bytes(32768 - 300, 256, random) + far + far);
  return out;
}

std::vector<std::string> streams_of(const std::string& content) {
  std::vector<std::string> out;
  for (int level = 0; level <= 12; ++level) {
    out.push_back(deflated_by_libdeflate(content, level));
  }
  for (const int level : {0, 1, 6, 9}) {
    out.push_back(deflated_by_zlib(content, {.level = level}));
  }
  for (const int strategy : {Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED}) {
    out.push_back(deflated_by_zlib(content, {.strategy = strategy}));
  }
  // Many blocks, also empty ones.
  for (const int flush :
       {Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK}) {
    const std::size_t piece = content.size() / 40 + 1;
    out.push_back(deflated_by_zlib(content, {.flush = flush, .piece = piece}));
  }
  out.push_back(deflated_by_zlib(content, {.level = 9, .memory = 1}));
  return out;
}

TEST(FrontInflater, GivesWhatCompressorsWereGivenHoweverItIsAsked) {
  FrontAsker asker;
  Random random(1);
  std::size_t streams = 0;
  for (const std::string& content : contents()) {
    const std::size_t size = content.size();
    for (const std::string& stream : streams_of(content)) {
      const SlowInflated slow = slow_inflate(stream);
      ASSERT_TRUE(slow.ended);
      ASSERT_EQ(slow.bytes, content);
      ASSERT_EQ(slow.used, stream.size());
      for (const Steps& steps :
           {Steps{size}, Steps{size + 1}, Steps{~std::size_t{0}},
            Steps{size / 2, size}, Steps{0, size / 3, size / 3, size},
            random_steps(size, random), random_steps(size, random)}) {
        EXPECT_TRUE(asker.whole(stream, kEnoughBehind, size, steps, slow));
      }
      ++streams;
    }
  }
  EXPECT_GT(streams, 800u);
}

TEST(FrontInflater, GivesTheBytesOneByOne) {
  FrontAsker asker;
  for (const std::string& content : contents()) {
    if (content.size() > 3000) continue;
    for (const std::string& stream : streams_of(content)) {
      for (const std::size_t step : {1u, 2u, 7u, 13u, 258u}) {
        EXPECT_TRUE(asker.whole(stream, kEnoughBehind, content.size(),
                                steps_of(content.size(), step)));
      }
    }
  }
  EXPECT_GT(asker.asked(), 2500u);
}

TEST(FrontInflater, TellsNothingThatDependsOnWhatIsBehind) {
  FrontAsker asker;
  Random random(2);
  for (const std::string& content : contents()) {
    if (content.size() > 20000) continue;
    for (const std::string& stream :
         {deflated_by_libdeflate(content, 0),
          deflated_by_libdeflate(content, 6),
          deflated_by_zlib(content, {.strategy = Z_FIXED})}) {
      const SlowInflated slow = slow_inflate(stream);
      for (std::size_t n = 0; n <= 64; ++n) {
        const std::string behind = random_bytes(n, 256, random);
        const bool whole =
            asker.whole(stream, behind, content.size(),
                        random_steps(content.size(), random), slow);
        // A symbol is looked for in so many bytes at most.
        EXPECT_TRUE(whole || n < 40) << n;
      }
    }
  }
}

TEST(FrontInflater, BelievesNoOtherSize) {
  FrontAsker asker;
  Random random(3);
  for (const std::string& content : contents()) {
    if (content.size() > 5000) continue;
    const auto n = static_cast<int>(content.size());
    for (const std::string& stream : streams_of(content)) {
      const SlowInflated slow = slow_inflate(stream);
      for (const int lie : {-300, -258, -257, -3, -2, -1, 1, 2, 3, 257, 300}) {
        if (n + lie < 0) continue;
        const auto size = static_cast<std::size_t>(n + lie);
        EXPECT_FALSE(asker.whole(stream, kEnoughBehind, size, {size}, slow));
        EXPECT_FALSE(asker.whole(stream, kEnoughBehind, size,
                                 random_steps(size, random), slow));
      }
    }
  }
}

// Asked for more than there is but for less than was said, too.
TEST(FrontInflater, DoesNotGiveFewerBytesThanItWasAskedFor) {
  FrontAsker asker;
  for (const std::string& content : {std::string("few"), std::string()}) {
    for (const std::string& stream : streams_of(content)) {
      EXPECT_FALSE(asker.whole(stream, kEnoughBehind, 1000, {2, 3, 4, 500}));
      EXPECT_FALSE(asker.whole(stream, kEnoughBehind, 1000, {500, 999, 1000}));
    }
  }
}

TEST(FrontInflater, NoCutStreamIsWhole) {
  FrontAsker asker;
  Random random(4);
  std::vector<std::string> texts{"", "a", words(600, random),
                                 random_bytes(300, 256, random)};
  for (const std::string& content : texts) {
    for (const std::string& stream : streams_of(content)) {
      for (std::size_t n = 0; n < stream.size(); ++n) {
        const std::string_view cut = std::string_view(stream).substr(0, n);
        // Behind it stands what was cut off, or something else.
        const std::string rest = stream.substr(n) + kEnoughBehind;
        for (const std::string_view behind :
             {std::string_view(rest), std::string_view(kEnoughBehind)}) {
          EXPECT_FALSE(asker.whole(cut, behind, content.size(),
                                   random_steps(content.size(), random)));
        }
      }
    }
  }
  EXPECT_GT(asker.asked(), 20000u);
}

TEST(FrontInflater, BytesBehindTheEndDoNotMatter) {
  FrontAsker asker;
  Random random(5);
  for (const std::string& content : contents()) {
    if (content.size() > 5000) continue;
    for (const std::string& stream : streams_of(content)) {
      const std::string more =
          stream + random_bytes(1 + below(random, 100), 256, random);
      EXPECT_TRUE(asker.whole(more, kEnoughBehind, content.size(),
                              random_steps(content.size(), random)));
    }
  }
}

TEST(FrontInflater, TakesOnOneStreamAfterAnother) {
  FrontAsker asker;
  Random random(6);
  const std::string content = words(5000, random);
  const auto streams = streams_of(content);
  for (int i = 0; i < 2000; ++i) {
    const std::string& stream = streams[below(random, streams.size())];
    // Left anywhere, whole or broken.
    const bool is_cut = one_in(random, 2);
    const std::string_view some = std::string_view(stream).substr(
        0, is_cut ? below(random, stream.size()) : stream.size());
    Steps steps = random_steps(content.size(), random);
    const bool is_left = one_in(random, 2);
    if (is_left) steps.resize(below(random, steps.size()));
    const bool whole = asker.whole(some, kEnoughBehind, content.size(), steps);
    EXPECT_EQ(whole, !is_cut && !is_left) << i;
  }
}

TEST(FrontInflater, ClassFiles) {
  FrontAsker asker;
  Random random(7);
  for (const Sample& sample : legal_samples()) {
    const std::size_t size = sample.bytes.size();
    for (const std::string& stream : {deflated_by_libdeflate(sample.bytes, 6),
                                      deflated_by_zlib(sample.bytes, {})}) {
      EXPECT_TRUE(
          asker.whole(stream, kEnoughBehind, size, random_steps(size, random)))
          << sample.name;
    }
  }
  EXPECT_GT(asker.asked(), 50u);
}

}  // namespace
}  // namespace rejig::test
