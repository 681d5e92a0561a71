// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/inflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <memory>

namespace rejig::classfile {

namespace {

// Deflate stores at least 1 bit of 258 bytes: no stream grows by more.
constexpr std::uint64_t kLargestRatio = 1032;

// libdeflate decodes one symbol at a time when fewer than some 16 bytes of the
// stream or some 300 of the output are left; of a small class that is a tenth.
// With this much room behind both it never comes to that.
constexpr std::size_t kSlack = 320;

struct Free {
  void operator()(libdeflate_decompressor* d) const {
    libdeflate_free_decompressor(d);
  }
};

libdeflate_decompressor* decompressor() {
  thread_local const std::unique_ptr<libdeflate_decompressor, Free> instance(
      libdeflate_alloc_decompressor());
  return instance.get();
}

base::Error malformed(std::string what) {
  return base::Error{base::Errc::kMalformed, std::move(what), ""};
}

// A stream that ends in `stored` and gives n bytes. `out` has room for kSlack
// more; of what stands behind `stored` that many bytes may be looked at.
bool inflates_to(libdeflate_decompressor* d, base::Bytes stored,
                 std::size_t behind, std::byte* out, std::size_t n) {
  std::size_t consumed = 0;
  std::size_t made = 0;
  return libdeflate_deflate_decompress_ex(
             d, stored.data(), stored.size() + behind, out, n + kSlack,
             &consumed, &made) == LIBDEFLATE_SUCCESS &&
         consumed <= stored.size() && made == n;
}

}  // namespace

bool inflates_to_at_most(base::Bytes stored, std::uint64_t size) {
  return size / kLargestRatio <= stored.size();
}

base::Result<base::Bytes> inflate(base::Bytes stored, std::uint64_t size,
                                  base::Buffer& buffer,
                                  Wrapper wrapper, std::size_t behind) {
  if (size > kLargestRead) {
    return base::Error{base::Errc::kLimit,
                       "says it inflates to " + std::to_string(size) +
                           " bytes; at most " + std::to_string(kLargestRead) +
                           " are read",
                       ""};
  }
  if (!inflates_to_at_most(stored, size)) {
    return malformed("says it inflates from " + std::to_string(stored.size()) +
                     " to " + std::to_string(size) +
                     " bytes, which no deflated stream can");
  }
  libdeflate_decompressor* const d = decompressor();
  if (d == nullptr) {
    return base::Error{base::Errc::kLimit, "no memory for a decompressor", ""};
  }
  std::byte* const out = buffer.room(static_cast<std::size_t>(size) + kSlack);
  const auto n = static_cast<std::size_t>(size);
  if (wrapper == Wrapper::kRaw &&
      inflates_to(d, stored, std::min(behind, kSlack), out, n)) {
    return base::Bytes(out, n);
  }
  const libdeflate_result result =
      wrapper == Wrapper::kZlib
          ? libdeflate_zlib_decompress(d, stored.data(), stored.size(), out, n,
                                       nullptr)
          : libdeflate_deflate_decompress(d, stored.data(), stored.size(), out,
                                          n, nullptr);
  switch (result) {
    case LIBDEFLATE_SUCCESS:
      return base::Bytes(out, n);
    case LIBDEFLATE_SHORT_OUTPUT:
      return malformed("inflates to fewer than the " + std::to_string(size) +
                       " bytes its directory entry says");
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return malformed("inflates to more than the " + std::to_string(size) +
                       " bytes its directory entry says");
    default:
      return malformed("broken deflated data of " +
                       std::to_string(stored.size()) + " bytes");
  }
}

}  // namespace rejig::classfile
