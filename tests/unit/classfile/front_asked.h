// SPDX-License-Identifier: Apache-2.0
// Both inflaters that stop early, asked about one stream, and the two libraries
// that say what the slow one may be trusted with.
#pragma once

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zlib.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/archive/front_inflater.h"
#include "tests/support/front_rule.h"
#include "tests/support/made_streams.h"
#include "tests/support/slow_inflate.h"

namespace rejig::test {

// More than an inflater needs behind any stream.
inline const std::string kEnoughBehind(64, '\xff');

using Steps = std::vector<std::size_t>;

// Up to `size`, and once more.
inline Steps steps_of(std::size_t size, std::size_t step) {
  Steps out;
  for (std::size_t at = step; at < size; at += step) out.push_back(at);
  out.push_back(size);
  out.push_back(size);
  return out;
}
inline Steps random_steps(std::size_t size, Random& random) {
  Steps out;
  const std::size_t step = std::size_t{1} << below(random, 12);
  for (std::size_t at = below(random, step + 1); at < size;) {
    out.push_back(at);
    if (one_in(random, 8)) out.push_back(below(random, at + 1));
    at += 1 + below(random, step);
  }
  out.push_back(size + (one_in(random, 2) ? 0 : below(random, 1000)));
  return out;
}

class FrontAsker {
 public:
  // True when both inflaters call it whole; a failure when one of them does not
  // keep its word, or only one of them calls it whole.
  bool whole(std::string_view stored, std::string_view behind, std::size_t size,
             const Steps& steps, const SlowInflated& slow) {
    const auto own = ask_front(own_, stored, behind, size, steps, slow);
    const auto other = ask_front(*other_, stored, behind, size, steps, slow);
    EXPECT_EQ(own.complaint, "") << described(stored, behind, size);
    EXPECT_EQ(other.complaint, "") << described(stored, behind, size);
    EXPECT_EQ(own.whole, other.whole) << described(stored, behind, size);
    ++asked_;
    if (own.whole) ++whole_;
    return own.whole && other.whole;
  }
  bool whole(std::string_view stored, std::string_view behind, std::size_t size,
             const Steps& steps) {
    return whole(stored, behind, size, steps, slow_inflate(stored, size));
  }
  std::size_t asked() const { return asked_; }
  std::size_t called_whole() const { return whole_; }

 private:
  static std::string described(std::string_view stored, std::string_view behind,
                               std::size_t size) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "size " + std::to_string(size) + ", " +
                      std::to_string(behind.size()) + " bytes behind ";
    for (const char c : stored.substr(0, 400)) {
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
    }
    return out + (stored.size() > 400 ? "…" : "");
  }

  FrontOf<classfile::FrontInflater> own_;
  std::unique_ptr<AnyFront> other_ = portable_front();
  std::size_t asked_ = 0;
  std::size_t whole_ = 0;
};

// Null: it does not end within that many bytes.
inline std::optional<std::string> by_zlib(std::string_view stream,
                                          std::size_t most) {
  std::string out(most, '\0');
  z_stream z{};
  EXPECT_EQ(inflateInit2(&z, -15), Z_OK);
  z.next_in =
      reinterpret_cast<unsigned char*>(const_cast<char*>(stream.data()));
  z.avail_in = static_cast<unsigned>(stream.size());
  z.next_out = reinterpret_cast<unsigned char*>(out.data());
  z.avail_out = static_cast<unsigned>(out.size());
  const int done = inflate(&z, Z_FINISH);
  out.resize(out.size() - z.avail_out);
  inflateEnd(&z);
  return done == Z_STREAM_END ? std::optional(out) : std::nullopt;
}

// Of a stream with just that many bytes.
inline std::optional<std::string> by_libdeflate(std::string_view stream,
                                                std::size_t size) {
  const std::unique_ptr<libdeflate_decompressor,
                        decltype(&libdeflate_free_decompressor)>
      decompressor(libdeflate_alloc_decompressor(),
                   libdeflate_free_decompressor);
  std::string out(size, '\0');
  if (libdeflate_deflate_decompress(decompressor.get(), stream.data(),
                                    stream.size(), out.data(), size,
                                    nullptr) != LIBDEFLATE_SUCCESS) {
    return std::nullopt;
  }
  return out;
}

inline std::string deflated_by_libdeflate(std::string_view content, int level) {
  const std::unique_ptr<libdeflate_compressor,
                        decltype(&libdeflate_free_compressor)>
      compressor(libdeflate_alloc_compressor(level),
                 libdeflate_free_compressor);
  std::string out(
      libdeflate_deflate_compress_bound(compressor.get(), content.size()), 0);
  out.resize(libdeflate_deflate_compress(compressor.get(), content.data(),
                                         content.size(), out.data(),
                                         out.size()));
  return out;
}

struct ZlibWay {
  int level = 6;
  int strategy = Z_DEFAULT_STRATEGY;
  int memory = 8;
  int flush = Z_NO_FLUSH;
  std::size_t piece = ~std::size_t{0};  // after that many bytes
};

inline std::string deflated_by_zlib(std::string_view content,
                                    const ZlibWay& way) {
  std::string out(content.size() * 2 + 100000, '\0');
  z_stream z{};
  EXPECT_EQ(
      deflateInit2(&z, way.level, Z_DEFLATED, -15, way.memory, way.strategy),
      Z_OK);
  z.next_out = reinterpret_cast<unsigned char*>(out.data());
  z.avail_out = static_cast<unsigned>(out.size());
  while (true) {
    const std::string_view piece = content.substr(0, way.piece);
    content.remove_prefix(piece.size());
    z.next_in =
        reinterpret_cast<unsigned char*>(const_cast<char*>(piece.data()));
    z.avail_in = static_cast<unsigned>(piece.size());
    const int done = ::deflate(&z, content.empty() ? Z_FINISH : way.flush);
    if (content.empty()) {
      EXPECT_EQ(done, Z_STREAM_END);
      break;
    }
  }
  out.resize(out.size() - z.avail_out);
  deflateEnd(&z);
  return out;
}

}  // namespace rejig::test
