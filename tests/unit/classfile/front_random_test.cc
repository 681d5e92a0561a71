// SPDX-License-Identifier: Apache-2.0
// An inflater that stops early and random streams: legal ones that no
// compressor writes, and streams in which something was changed. Whether that
// is legal still says the slow inflater; zlib and libdeflate are asked, too.
#include <gtest/gtest.h>

#include "tests/classes/samples.h"
#include "tests/unit/classfile/front_asked.h"

namespace rejig::test {
namespace {

class Judges {
 public:
  explicit Judges(Random& random) : random_(random) {}

  // `size` is what somebody believes.
  void any(const std::string& stream, std::size_t size) {
    const std::size_t most = size + 300;
    const SlowInflated slow = slow_inflate(stream, most);
    const auto of_zlib = by_zlib(stream, most);
    if (of_zlib) {
      EXPECT_TRUE(slow.ended && *of_zlib == slow.bytes);
    }
    const auto ask = [&](std::size_t one) {
      const bool whole = asker_.whole(stream, kEnoughBehind, one,
                                      random_steps(one, random_), slow);
      EXPECT_EQ(whole, slow.ended && slow.bytes.size() == one);
    };
    ask(size);
    if (!slow.ended) return;
    ++legal_;
    if (!of_zlib) ++odd_;
    EXPECT_TRUE(by_libdeflate(stream, slow.bytes.size()) == slow.bytes);
    if (slow.bytes.size() != size) ask(slow.bytes.size());
  }
  std::size_t asked() const { return asker_.asked() / 2; }
  std::size_t legal() const { return legal_; }
  std::size_t odd() const { return odd_; }

 private:
  Random& random_;
  FrontAsker asker_;
  std::size_t legal_ = 0;
  std::size_t odd_ = 0;  // zlib refuses them
};

// The first bytes are the headers: half of the hits.
void change(std::string& stream, Random& random) {
  const auto place = [&] {
    const std::size_t n = one_in(random, 2)
                              ? stream.size()
                              : std::min<std::size_t>(stream.size(), 60);
    return below(random, n);
  };
  if (stream.empty()) return;
  const std::size_t at = place();
  switch (below(random, 6)) {
    case 0:
      stream[at] = static_cast<char>(random());
      break;
    case 1:
      stream.erase(at, 1 + below(random, 3));
      break;
    case 2:
      stream.insert(at, 1, static_cast<char>(random()));
      break;
    case 3:
      std::swap(stream[at], stream[place()]);
      break;
    default:
      stream[at] = static_cast<char>(stream[at] ^ 1 << below(random, 8));
  }
}

std::vector<MadeStream> small_streams(Random& random) {
  std::vector<MadeStream> out;
  for (const std::string content : {"", "a", "abcabcabcabcabcabd"}) {
    for (const int level : {0, 1, 6, 12}) {
      out.push_back({deflated_by_libdeflate(content, level), content});
    }
  }
  std::string text;
  for (int i = 0; i < 40; ++i) text += "java/lang/" + std::to_string(i * i * i);
  out.push_back({deflated_by_libdeflate(text, 6), text});
  out.push_back({deflated_by_zlib(text, {.level = 9}), text});
  out.push_back({deflated_by_zlib(text, {.strategy = Z_FIXED}), text});
  StreamMaker maker(random);
  for (unsigned i = 0; i < 40; ++i) out.push_back(maker.make(1 + i % 3, 30));
  return out;
}

TEST(FrontRandom, LegalStreams) {
  Random random(13);
  Judges judges(random);
  StreamMaker maker(random);
  constexpr std::size_t kStreams = 6000;
  for (std::size_t i = 0; i < kStreams; ++i) {
    const unsigned tokens = 1u << below(random, i % 50 == 0 ? 13 : 8);
    const MadeStream made = maker.make(1 + below(random, 6), tokens);
    judges.any(made.stream, made.content.size());
    if (HasFailure()) FAIL() << i;
  }
  EXPECT_EQ(judges.legal(), kStreams);
  EXPECT_EQ(judges.odd(), 0u);
}

TEST(FrontRandom, EveryBitChanged) {
  Random random(14);
  Judges judges(random);
  for (const MadeStream& made : small_streams(random)) {
    std::string stream = made.stream;
    for (std::size_t bit = 0; bit < stream.size() * 8; ++bit) {
      char& byte = stream[bit / 8];
      const char before = byte;
      byte = static_cast<char>(byte ^ 1 << bit % 8);
      judges.any(stream, made.content.size());
      byte = before;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(judges.asked(), 20000u);
  EXPECT_GT(judges.legal(), 5000u);
}

TEST(FrontRandom, SeveralPlacesChanged) {
  Random random(15);
  Judges judges(random);
  const auto streams = small_streams(random);
  for (int i = 0; i < 60000 && !HasFailure(); ++i) {
    const MadeStream& made = streams[below(random, streams.size())];
    std::string stream = made.stream;
    for (unsigned n = below(random, 4) + 1; n > 0; --n) change(stream, random);
    judges.any(stream, made.content.size());
  }
  EXPECT_GT(judges.legal(), 5000u);
}

TEST(FrontRandom, CutAtEveryByte) {
  Random random(16);
  Judges judges(random);
  for (const MadeStream& made : small_streams(random)) {
    for (std::size_t n = 0; n < made.stream.size(); ++n) {
      judges.any(made.stream.substr(0, n), made.content.size());
    }
  }
  EXPECT_EQ(judges.legal(), 0u);
}

TEST(FrontRandom, ClassFilesChanged) {
  Random random(17);
  Judges judges(random);
  for (const Sample& sample : legal_samples()) {
    for (const std::string& stream : {deflated_by_libdeflate(sample.bytes, 6),
                                      deflated_by_zlib(sample.bytes, {})}) {
      for (int i = 0; i < 200; ++i) {
        std::string other = stream;
        change(other, random);
        judges.any(other, sample.bytes.size());
      }
    }
    if (HasFailure()) FAIL() << sample.name;
  }
  EXPECT_GT(judges.legal(), 1000u);
}

// Nothing but noise behind a header that says which blocks to try.
TEST(FrontRandom, Noise) {
  Random random(18);
  Judges judges(random);
  for (int i = 0; i < 40000 && !HasFailure(); ++i) {
    std::string stream;
    for (unsigned n = below(random, 120); n > 0; --n) {
      stream += static_cast<char>(random());
    }
    if (!stream.empty() && !one_in(random, 4)) {
      stream[0] =
          static_cast<char>((stream[0] & ~7) | (one_in(random, 2) ? 3 : 5));
    }
    judges.any(stream, below(random, 400));
  }
  EXPECT_GT(judges.legal(), 100u);
}

}  // namespace
}  // namespace rejig::test
