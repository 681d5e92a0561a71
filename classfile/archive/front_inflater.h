// SPDX-License-Identifier: Apache-2.0
// What do the first bytes of a deflated stream stand for (RFC 1951)? Whoever
// looks at a class file at a glance needs its pool, two thirds of it. libdeflate
// inflates whole streams only; this one stops where it is told and goes on from
// there. It takes on what is well-formed and has some room behind it: false is
// no verdict on a stream, libdeflate gives that. Private to classfile/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "classfile/base/byte_reader.h"

namespace rejig::classfile {

class FrontInflater {
 public:
  // Bytes behind the output that may be written.
  static constexpr std::size_t kRoomBehind = 320;

  // `behind`: how many bytes behind `stored` can be read, too. `out` has room
  // for `size` bytes and kRoomBehind more.
  void begin(base::Bytes stored, std::size_t behind, std::byte* out,
             std::size_t size);
  // Goes on until there are that many bytes, or all of them and the stream ends.
  // False: it cannot, now and later.
  bool until(std::size_t wanted);
  std::size_t have() const { return static_cast<std::size_t>(out_ - out_begin_); }

 private:
  enum class State : std::uint8_t { kHeader, kStored, kCodes, kEnd, kBroken };

  static constexpr unsigned kLongestCode = 15;
  static constexpr unsigned kLiterals = 288;
  static constexpr unsigned kDistances = 32;
  static constexpr unsigned kLengthBits = 11;
  static constexpr unsigned kDistanceBits = 8;
  static constexpr unsigned kPrecodeBits = 7;

  // The symbols of a code by the length of their words, each list in order.
  template <unsigned kSymbols>
  struct Code {
    std::array<std::uint16_t, kLongestCode + 1> count;
    std::array<std::array<std::uint16_t, kSymbols>, kLongestCode + 1> symbols;

    void clear() { count.fill(0); }
    void add(unsigned length, unsigned symbol) {
      symbols[length][count[length]++] = static_cast<std::uint16_t>(symbol);
    }
  };
  template <unsigned kSymbols, std::size_t kRoom>
  static bool fill(const Code<kSymbols>& code, unsigned bits,
                   const std::uint32_t* meanings,
                   std::array<std::uint32_t, kRoom>& table);

  void refill();
  std::uint32_t take(unsigned bits);
  bool header();
  bool stored_header();
  bool read_lengths();
  bool stored(const std::uint8_t* wanted);
  bool codes(const std::uint8_t* wanted);
  bool codes_bmi2(const std::uint8_t* wanted);
  bool codes_anywhere(const std::uint8_t* wanted);
  bool codes_here(const std::uint8_t* wanted);
  bool is_inside() const;

  const std::uint8_t* in_ = nullptr;
  const std::uint8_t* in_end_ = nullptr;
  const std::uint8_t* last_refill_ = nullptr;  // may begin here at the latest
  std::uint8_t* out_begin_ = nullptr;
  std::uint8_t* out_ = nullptr;
  std::uint8_t* out_end_ = nullptr;
  std::uint64_t bits_ = 0;
  std::uint32_t count_ = 0;  // of the bits that are there
  std::uint32_t left_ = 0;   // of a stored block
  State state_ = State::kEnd;
  bool last_block_ = false;
  // Main tables, and behind them those of longer words.
  std::array<std::uint32_t, 2342> lengths_;
  std::array<std::uint32_t, 402> distances_;
  Code<kLiterals> length_code_;
  Code<kDistances> distance_code_;
};

}  // namespace rejig::classfile
