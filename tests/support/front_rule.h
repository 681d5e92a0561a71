// SPDX-License-Identifier: Apache-2.0
// Does an inflater that stops early keep its word? When it says that it has
// bytes they are those that slow_inflate() gives for the stream alone, whatever
// stands behind it; a stream that it calls whole has an end and just that size;
// after a no there is no yes; and nothing is written where nobody said it may.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "classfile/base/byte_reader.h"
#include "tests/support/slow_inflate.h"

namespace rejig::test {

class AnyFront {
 public:
  virtual ~AnyFront() = default;
  virtual void begin(base::Bytes stored, std::size_t behind, std::byte* out,
                     std::size_t size) = 0;
  virtual bool until(std::size_t wanted) = 0;
  virtual std::size_t have() const = 0;
  virtual std::size_t room_behind() const = 0;
};

template <class Inflater>
class FrontOf : public AnyFront {
 public:
  void begin(base::Bytes stored, std::size_t behind, std::byte* out,
             std::size_t size) override {
    inflater_.begin(stored, behind, out, size);
  }
  bool until(std::size_t wanted) override { return inflater_.until(wanted); }
  std::size_t have() const override { return inflater_.have(); }
  std::size_t room_behind() const override { return Inflater::kRoomBehind; }

 private:
  Inflater inflater_;
};

// The one for processors that are not known (front_portable.cc).
std::unique_ptr<AnyFront> portable_front();

struct FrontVerdict {
  std::string complaint;  // empty: it keeps its word
  bool whole = false;     // it said so
};

#if defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t kGuard = 0;  // the sanitizer stands guard
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr std::size_t kGuard = 0;
#else
inline constexpr std::size_t kGuard = 64;
#endif
#else
inline constexpr std::size_t kGuard = 64;
#endif

// Asks for that many bytes, one number after the other. `slow` is what there is
// to know of `stored`, of `size` + 1 bytes at least.
inline FrontVerdict ask_front(AnyFront& front, std::string_view stored,
                              std::string_view behind, std::size_t size,
                              std::span<const std::size_t> steps,
                              const SlowInflated& slow) {
  constexpr std::byte kMark{0xA5};
  const std::size_t readable = stored.size() + behind.size();
  const std::unique_ptr<std::byte[]> in(new std::byte[readable]);
  std::copy_n(reinterpret_cast<const std::byte*>(stored.data()), stored.size(),
              in.get());
  std::copy_n(reinterpret_cast<const std::byte*>(behind.data()), behind.size(),
              in.get() + stored.size());
  const std::size_t room = size + front.room_behind();
  const std::unique_ptr<std::byte[]> block(new std::byte[room + 2 * kGuard]);
  std::fill_n(block.get(), kGuard, kMark);
  std::fill_n(block.get() + kGuard + room, kGuard, kMark);
  std::byte* const out = block.get() + kGuard;

  FrontVerdict verdict;
  bool said_no = false;
  std::size_t had = 0;
  std::size_t compared = 0;
  const auto complain = [&](std::size_t wanted, std::string what) {
    if (verdict.complaint.empty()) {
      verdict.complaint =
          "until(" + std::to_string(wanted) + ") " + std::move(what);
    }
  };
  front.begin({in.get(), stored.size()}, behind.size(), out, size);
  for (const std::size_t wanted : steps) {
    const bool yes = front.until(wanted);
    const std::size_t have = front.have();
    if (!yes) {
      said_no = true;
      continue;
    }
    if (said_no && wanted != 0) complain(wanted, "is true after a false");
    if (have < std::min(wanted, size)) complain(wanted, "has too few bytes");
    if (have > size) complain(wanted, "has more bytes than there are");
    if (have < had) complain(wanted, "takes bytes back");
    if (have > slow.bytes.size()) {
      complain(wanted, "has bytes that no stream stands for");
    }
    had = have;
    const std::size_t end = std::min({have, size, slow.bytes.size()});
    for (; compared < end; ++compared) {
      if (static_cast<char>(out[compared]) != slow.bytes[compared]) {
        complain(wanted, "has a wrong byte " + std::to_string(compared));
        break;
      }
    }
    if (wanted < size) continue;
    verdict.whole = true;
    if (!slow.ended || slow.bytes.size() != size) {
      complain(wanted, "calls whole what is not");
    }
  }
  // Nothing moves what was given away.
  if (had != 0 && verdict.complaint.empty() &&
      std::memcmp(out, slow.bytes.data(), had) != 0) {
    complain(had, "has written over what it gave before");
  }
  const auto is_marked = [](const std::byte* from) {
    return std::all_of(from, from + kGuard,
                       [](std::byte b) { return b == kMark; });
  };
  if (!is_marked(block.get()) || !is_marked(out + room)) {
    complain(size, "has written beyond its room");
  }
  return verdict;
}

}  // namespace rejig::test
