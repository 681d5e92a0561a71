// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/constant_pool.h"

#include <array>

#include "classfile/reader/format.h"

namespace rejig::classfile {
namespace {

constexpr std::size_t kSmallestEntry = 3;

struct TagFacts {
  std::uint8_t size = 0;         // behind the tag; a Utf8 has its own
  std::uint16_t since = 0xffff;  // the first major version that knows it
};
constexpr std::array<TagFacts, 256> kTagFacts = [] {
  std::array<TagFacts, 256> facts{};
  const auto set = [&](Tag tag, std::uint8_t size, std::uint16_t since) {
    facts[static_cast<std::size_t>(tag)] = {size, since};
  };
  set(Tag::kUtf8, 2, kFirstMajor);
  set(Tag::kInteger, 4, kFirstMajor);
  set(Tag::kFloat, 4, kFirstMajor);
  set(Tag::kLong, 8, kFirstMajor);
  set(Tag::kDouble, 8, kFirstMajor);
  set(Tag::kClass, 2, kFirstMajor);
  set(Tag::kString, 2, kFirstMajor);
  set(Tag::kFieldref, 4, kFirstMajor);
  set(Tag::kMethodref, 4, kFirstMajor);
  set(Tag::kInterfaceMethodref, 4, kFirstMajor);
  set(Tag::kNameAndType, 4, kFirstMajor);
  set(Tag::kMethodHandle, 3, kJava7);
  set(Tag::kMethodType, 2, kJava7);
  set(Tag::kDynamic, 4, kJava11);
  set(Tag::kInvokeDynamic, 4, kJava7);
  set(Tag::kModule, 2, kJava9);
  set(Tag::kPackage, 2, kJava9);
  return facts;
}();

}  // namespace

HandleRef ConstantPool::handle(std::uint16_t i) const {
  if (tag(i) != Tag::kMethodHandle) return {};
  return {byte_at(offsets_[i] + 1), member(u2_at(offsets_[i] + 2))};
}

DynamicRef ConstantPool::dynamic(std::uint16_t i) const {
  const Tag t = tag(i);
  if (t != Tag::kDynamic && t != Tag::kInvokeDynamic) return {};
  const NameAndType nt = name_and_type(u2_at(offsets_[i] + 3));
  return {u2_at(offsets_[i] + 1), nt.name, nt.descriptor};
}

std::int32_t ConstantPool::int_value(std::uint16_t i) const {
  return tag(i) == Tag::kInteger
             ? static_cast<std::int32_t>(u4_at(offsets_[i] + 1))
             : 0;
}

std::int64_t ConstantPool::long_value(std::uint16_t i) const {
  return tag(i) == Tag::kLong
             ? static_cast<std::int64_t>(u8_at(offsets_[i] + 1))
             : 0;
}

std::uint32_t ConstantPool::float_bits(std::uint16_t i) const {
  return tag(i) == Tag::kFloat ? u4_at(offsets_[i] + 1) : 0;
}

std::uint64_t ConstantPool::double_bits(std::uint16_t i) const {
  return tag(i) == Tag::kDouble ? u8_at(offsets_[i] + 1) : 0;
}

// Why entry i, which begins at `at`, is none.
base::Error ConstantPool::bad_entry(std::uint32_t i, std::size_t at,
                                    std::uint16_t major,
                                    const std::string& where) const {
  const std::string of = std::to_string(i) + " of " +
                         std::to_string(offsets_.size() - 1);
  if (at >= bytes_.size()) {
    return malformed(where, at,
                     "ends within the constant pool, at entry " + of);
  }
  const std::uint8_t tag = byte_at(at);
  const TagFacts facts = kTagFacts[tag];
  if (facts.since > major) {
    return malformed(
        where, at,
        "constant tag " + std::to_string(tag) +
            (facts.size == 0
                 ? ", expected one of 1, 3-12, 15-20"
                 : " in version " + std::to_string(major) + ", allowed from " +
                       std::to_string(facts.since)));
  }
  return malformed(where, at, "ends within the constant pool, in entry " + of);
}

base::Result<void> ConstantPool::read(base::ByteReader& reader,
                                      base::Bytes whole_class,
                                      std::uint16_t major,
                                      const std::string& where) {
  bytes_ = whole_class;
  first_module_constant_ = 0;
  first_dynamic_ = 0;
  const std::size_t count_at = reader.offset();
  const std::uint16_t count = reader.u2();
  if (reader.failed()) {
    return malformed(where, count_at, "ends before the constant pool");
  }
  if (count == 0) {
    return malformed(where, count_at,
                     "constant_pool_count 0, allowed 1 to 65535");
  }
  offsets_.assign(count, 0);
  const std::size_t size = whole_class.size();
  std::size_t at = reader.offset();
  for (std::uint32_t i = 1; i < count; ++i) {
    if (size - at < kSmallestEntry) return bad_entry(i, at, major, where);
    const TagFacts facts = kTagFacts[byte_at(at)];
    std::size_t end = at + 1 + facts.size;
    if (tag_at(at) == Tag::kUtf8) end += u2_at(at + 1);
    if (facts.since > major || end > size) {
      return bad_entry(i, at, major, where);
    }
    offsets_[i] = static_cast<std::uint32_t>(at);
    if (facts.size == 8) {
      if (i + 1 >= count) {
        return malformed(where, at,
                         "constant " + std::to_string(i) +
                             " takes two entries, but the pool has only " +
                             std::to_string(count));
      }
      ++i;
    } else if (facts.since != kFirstMajor) {
      note_young(static_cast<std::uint16_t>(i));
    }
    at = end;
  }
  reader.skip(at - reader.offset());
  return {};
}

void ConstantPool::note_young(std::uint16_t i) {
  const Tag t = tag(i);
  if ((t == Tag::kDynamic || t == Tag::kInvokeDynamic) && first_dynamic_ == 0) {
    first_dynamic_ = i;
  }
  if ((t == Tag::kModule || t == Tag::kPackage) &&
      first_module_constant_ == 0) {
    first_module_constant_ = i;
  }
}

}  // namespace rejig::classfile
