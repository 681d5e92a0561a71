// SPDX-License-Identifier: Apache-2.0
#include "classfile/archive/jimage.h"

#include <algorithm>
#include <array>

#include "classfile/archive/inflate.h"
#include "classfile/base/string_order.h"

namespace rejig::classfile {

namespace {

using base::ByteReader;
using base::Bytes;
using base::Errc;
using base::Error;

constexpr std::uint32_t kMagic = 0xcafedada;
constexpr std::uint32_t kMagicSwapped = 0xdadafeca;
constexpr std::uint32_t kMajor = 1;
constexpr std::size_t kHeaderSize = 28;
constexpr std::uint32_t kResourceMagic = 0xcafefafa;
constexpr std::size_t kResourceHeaderSize = 29;
constexpr unsigned kMostLayers = 4;

// Kinds of the location attributes.
enum Attribute : unsigned {
  kEnd = 0,
  kModule = 1,
  kParent = 2,
  kBase = 3,
  kExtension = 4,
  kOffset = 5,
  kCompressed = 6,
  kUncompressed = 7,
};

std::uint32_t word(ByteReader& in, bool little_endian) {
  const std::uint32_t v = in.u4();
  return little_endian ? __builtin_bswap32(v) : v;
}
std::uint64_t long_word(ByteReader& in, bool little_endian) {
  const std::uint64_t v = in.u8();
  return little_endian ? __builtin_bswap64(v) : v;
}

void join(std::string& name, std::string_view module, std::string_view parent,
          std::string_view base, std::string_view extension) {
  name = module;
  name += '/';
  if (!parent.empty()) {
    name += parent;
    name += '/';
  }
  name += base;
  if (!extension.empty()) {
    name += '.';
    name += extension;
  }
}

// Of one name in their own order.
std::vector<JimageResource> sorted_by_name(
    const std::vector<JimageResource>& resources) {
  std::vector<std::string_view> names;
  names.reserve(resources.size());
  for (const JimageResource& one : resources) names.push_back(one.name);
  std::vector<JimageResource> out;
  out.reserve(resources.size());
  for (const std::uint32_t i : base::order_of(names)) {
    out.push_back(resources[i]);
  }
  return out;
}

}  // namespace

bool Jimage::has_magic(Bytes file) {
  ByteReader in(file);
  const std::uint32_t magic = in.u4();
  return magic == kMagic || magic == kMagicSwapped;
}

// Empty when the offset is outside or the string has no end.
std::string_view Jimage::string_at(std::uint64_t offset) const {
  if (offset >= strings_.size()) return {};
  const Bytes tail = strings_.subspan(static_cast<std::size_t>(offset));
  const auto end = std::find(tail.begin(), tail.end(), std::byte{0});
  if (end == tail.end()) return {};
  return {reinterpret_cast<const char*>(tail.data()),
          static_cast<std::size_t>(end - tail.begin())};
}

base::Result<Jimage> Jimage::parse(Bytes file, const std::string& where) {
  const auto malformed = [&](std::string what) {
    return Error{Errc::kMalformed, std::move(what), where};
  };
  ByteReader in(file);
  const std::uint32_t magic = in.u4();
  if (magic != kMagic && magic != kMagicSwapped) {
    return malformed("no jimage magic");
  }
  Jimage out;
  out.little_endian_ = magic == kMagicSwapped;
  const auto u4 = [&](ByteReader& from) {
    return word(from, out.little_endian_);
  };
  const std::uint32_t version = u4(in);
  in.skip(4);
  in.skip(4);
  const std::uint64_t table = u4(in);
  const std::uint64_t locations_size = u4(in);
  const std::uint64_t strings_size = u4(in);
  if (in.failed()) {
    return malformed("jimage header of " + std::to_string(kHeaderSize) +
                     " bytes is cut off");
  }
  if (version >> 16 != kMajor) {
    return Error{Errc::kUnsupported,
                 "jimage version " + std::to_string(version >> 16) + "." +
                     std::to_string(version & 0xffff) + "; 1.x is read",
                 where};
  }
  const std::uint64_t index_size =
      kHeaderSize + table * 8 + locations_size + strings_size;
  if (index_size > file.size()) {
    return malformed("jimage index of " + std::to_string(index_size) +
                     " bytes in a file of " + std::to_string(file.size()));
  }
  in.skip(static_cast<std::size_t>(table * 4));
  ByteReader offsets = in.sub(static_cast<std::size_t>(table * 4));
  const Bytes locations = in.bytes(static_cast<std::size_t>(locations_size));
  out.strings_ = in.bytes(static_cast<std::size_t>(strings_size));

  std::string name;
  out.resources_.reserve(static_cast<std::size_t>(table));
  for (std::uint64_t i = 0; i < table; ++i) {
    ByteReader location(locations);
    location.seek(u4(offsets));
    std::array<std::uint64_t, 8> value{};
    while (true) {
      const std::uint8_t head = location.u1();
      const unsigned kind = head >> 3;
      if (kind == kEnd || location.failed()) break;
      std::uint64_t v = 0;
      for (unsigned k = 0; k <= (head & 7u); ++k) v = v << 8 | location.u1();
      if (kind < value.size()) value[kind] = v;
    }
    if (location.failed()) {
      return malformed("jimage location " + std::to_string(i) +
                       " lies outside the " + std::to_string(locations_size) +
                       " bytes of its table");
    }
    const std::string_view module = out.string_at(value[kModule]);
    if (module.empty() || module == "modules" || module == "packages") continue;
    join(name, module, out.string_at(value[kParent]),
         out.string_at(value[kBase]), out.string_at(value[kExtension]));
    JimageResource resource;
    resource.compressed = value[kCompressed] != 0;
    resource.size = value[kUncompressed];
    resource.stored_size =
        resource.compressed ? value[kCompressed] : value[kUncompressed];
    const std::uint64_t room = file.size() - index_size;
    if (value[kOffset] > room || resource.stored_size > room - value[kOffset]) {
      return malformed(
          "resource /" + name + " of " + std::to_string(resource.stored_size) +
          " bytes at offset " + std::to_string(value[kOffset]) +
          " lies outside the " + std::to_string(room) + " bytes of content");
    }
    resource.offset = index_size + value[kOffset];
    resource.name = out.names_.copy(std::string_view(name));
    out.resources_.push_back(resource);
  }
  out.resources_ = sorted_by_name(out.resources_);
  return out;
}

base::Result<Bytes> Jimage::decompress(const JimageResource& resource,
                                       Bytes stored,
                                       base::Buffer& buffer,
                                       const std::string& where) const {
  base::Buffer other;
  Bytes bytes = stored;
  for (unsigned layer = 0; layer < kMostLayers; ++layer) {
    ByteReader in(bytes);
    if (word(in, little_endian_) != kResourceMagic || in.failed()) break;
    const std::uint64_t packed = long_word(in, little_endian_);
    const std::uint64_t size = long_word(in, little_endian_);
    const std::string_view name = string_at(word(in, little_endian_));
    in.skip(kResourceHeaderSize - 4 - 8 - 8 - 4);
    const Bytes content = in.bytes(static_cast<std::size_t>(packed));
    if (in.failed()) {
      return Error{Errc::kMalformed,
                   "compressed resource of " + std::to_string(packed) +
                       " bytes in " + std::to_string(bytes.size()),
                   where};
    }
    if (name != "zip") {
      return Error{Errc::kUnsupported,
                   "compressed by jlink with \"" + std::string(name) +
                       "\"; \"zip\" and uncompressed images are read",
                   where};
    }
    // Layers alternate between the two buffers; the last one ends in `buffer`.
    std::swap(buffer, other);
    auto inflated = inflate(content, size, buffer, Wrapper::kZlib);
    if (!inflated.ok()) {
      Error error = std::move(inflated).error();
      error.where = where;
      return error;
    }
    bytes = *inflated;
  }
  if (bytes.size() != resource.size) {
    return Error{Errc::kMalformed,
                 "decompresses to " + std::to_string(bytes.size()) +
                     " bytes, its directory entry says " +
                     std::to_string(resource.size),
                 where};
  }
  return bytes;
}

}  // namespace rejig::classfile
