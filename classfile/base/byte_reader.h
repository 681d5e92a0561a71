// SPDX-License-Identifier: Apache-2.0
// What do these bytes say, and did we stay inside them? A big-endian cursor
// over a span with sticky failure: a read past the end returns 0, sets
// failed(), and every later read returns 0 as well. Check failed() once per
// structure. sub(n) bounds a structure inside another one.
// Views returned live as long as the span's owner.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rejig::base {

using Bytes = std::span<const std::byte>;

// The big-endian number that begins at `at`; its bytes are there.
inline std::uint16_t load_u2(const std::byte* at) {
  std::uint16_t v = 0;
  std::memcpy(&v, at, sizeof v);
  return std::endian::native == std::endian::little ? __builtin_bswap16(v) : v;
}
inline std::uint32_t load_u4(const std::byte* at) {
  std::uint32_t v = 0;
  std::memcpy(&v, at, sizeof v);
  return std::endian::native == std::endian::little ? __builtin_bswap32(v) : v;
}

class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(Bytes bytes, std::size_t base_offset = 0)
      : bytes_(bytes), base_(base_offset) {}

  bool failed() const { return failed_; }
  std::size_t pos() const { return pos_; }
  // Offset in the outermost structure, for error messages.
  std::size_t offset() const { return base_ + pos_; }
  std::size_t remaining() const { return bytes_.size() - pos_; }
  bool at_end() const { return pos_ == bytes_.size(); }
  void fail() {
    failed_ = true;
    pos_ = bytes_.size();
  }

  std::uint8_t u1() {
    if (!need(1)) return 0;
    return at(pos_++);
  }
  std::uint16_t u2() {
    if (!need(2)) return 0;
    pos_ += 2;
    return load_u2(bytes_.data() + pos_ - 2);
  }
  std::uint32_t u4() {
    if (!need(4)) return 0;
    pos_ += 4;
    return load_u4(bytes_.data() + pos_ - 4);
  }
  std::uint64_t u8() {
    const std::uint64_t high = u4();
    return high << 32 | u4();
  }
  std::int8_t s1() { return static_cast<std::int8_t>(u1()); }
  std::int16_t s2() { return static_cast<std::int16_t>(u2()); }
  std::int32_t s4() { return static_cast<std::int32_t>(u4()); }

  Bytes bytes(std::size_t n) {
    if (!need(n)) return {};
    const Bytes out = bytes_.subspan(pos_, n);
    pos_ += n;
    return out;
  }
  ByteReader sub(std::size_t n) {
    const std::size_t at_offset = offset();
    if (!need(n)) {
      ByteReader dead;
      dead.failed_ = true;
      return dead;
    }
    return ByteReader(bytes(n), at_offset);
  }
  void skip(std::size_t n) {
    if (need(n)) pos_ += n;
  }
  void seek(std::size_t pos) {
    if (pos > bytes_.size()) {
      fail();
    } else if (!failed_) {
      pos_ = pos;
    }
  }

 private:
  bool need(std::size_t n) {
    if (failed_ || bytes_.size() - pos_ < n) {
      fail();
      return false;
    }
    return true;
  }
  std::uint8_t at(std::size_t i) const {
    return std::to_integer<std::uint8_t>(bytes_[i]);
  }

  Bytes bytes_;
  std::size_t pos_ = 0;
  std::size_t base_ = 0;
  bool failed_ = false;
};

}  // namespace rejig::base
