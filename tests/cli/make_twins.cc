// SPDX-License-Identifier: Apache-2.0
// usage: make_twins OLD NEW
// Writes p/A.class and p/data.bin below both: files of one XXH3-128 that say
// different things. A lane of XXH3 is multiplied by its other half: where one half
// is the key the product is 0 whatever the other half is, and what is added to it
// in one stripe is taken from it in another. Fails if the digests are not equal.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/class_builder.h"

namespace {

constexpr std::size_t kStripe = 64;
constexpr std::size_t kBlock = 1024;
constexpr std::size_t kLane = 16;  // of both words, in their stripes

// Bytes [at, at + 8): the key's lower half, and `free` in the other one.
void put_word(std::string& bytes, std::size_t at, std::uint32_t free) {
  const std::size_t stripe = at / kStripe;
  std::memcpy(&bytes[at], XXH3_kSecret + stripe * 8 + kLane, 4);
  std::memcpy(&bytes[at + 4], &free, 4);
}

// `second`: another word in that lane, which means nothing.
std::string twin(std::string bytes, std::size_t second, bool other) {
  put_word(bytes, kLane, 7 + (other ? 1 : 0));
  put_word(bytes, second, 1000 - (other ? 1 : 0));
  return bytes;
}

// `static int f()` answers with a half of the constant at kLane.
std::string make_class() {
  rejig::test::ClassBuilder c("p/A");
  c.utf8("xx");  // 10 + 5 bytes, then the tag of the constant
  const unsigned constant = c.long_value(0x1122334455667788);
  c.add_code(rejig::test::Out{0x14}.u2(constant).u1(0x88).u1(0xac), 2, 0, {},
             {}, "f", "()I");
  c.add_attribute("Pad", rejig::test::Out().raw(std::string(2 * kBlock, 'p')));
  return c.build();
}

bool write_twins(const std::string& name, const std::string& bytes,
                 std::size_t second, char** roots) {
  const std::string one = twin(bytes, second, false);
  const std::string two = twin(bytes, second, true);
  const auto a = XXH3_128bits(one.data(), one.size());
  const auto b = XXH3_128bits(two.data(), two.size());
  if (one == two || a.low64 != b.low64 || a.high64 != b.high64) return false;
  for (int i = 0; i < 2; ++i) {
    const std::filesystem::path path = std::string(roots[i]) + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << (i == 0 ? one : two);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string cls = make_class();
  if (cls.size() <= kBlock || cls[kLane] != 0x11) return 1;
  // In the padding, and in the first block.
  const std::size_t second = kBlock - kStripe + kLane;
  if (cls.compare(second, 8, "pppppppp") != 0) return 1;
  return write_twins("p/A.class", cls, second, argv + 1) &&
                 write_twins("p/data.bin", std::string(2 * kBlock, 'd'), second,
                             argv + 1)
             ? 0
             : 1;
}
