// SPDX-License-Identifier: Apache-2.0
// What does entry i of this constant pool say (JVMS §4.4)? The pool is indexed
// once (tag and offset of every entry); everything else is read on demand from
// the class file's bytes, which must outlive this object. Names stay raw
// modified UTF-8. parse() checks that every entry is one of this version and
// ends inside the file; what entries refer to is checked by ClassView::parse.
// On an index of the wrong kind the accessors return empty values, so they
// cannot fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

enum class Tag : std::uint8_t {
  kNone = 0,  // index 0, the second half of a long or double, out of range
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kFieldref = 9,
  kMethodref = 10,
  kInterfaceMethodref = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

struct NameAndType {
  std::string_view name;
  std::string_view descriptor;
};

struct MemberRef {
  std::string_view owner;  // "a/B" or "[I"
  std::string_view name;
  std::string_view descriptor;
  bool interface = false;  // the constant is an InterfaceMethodref
  bool field = false;      // the constant is a Fieldref
};

struct HandleRef {
  std::uint8_t kind = 0;  // reference_kind 1..9 (JVMS §5.4.3.5)
  MemberRef ref;
};

struct DynamicRef {
  std::uint16_t bootstrap = 0;  // index into BootstrapMethods
  std::string_view name;
  std::string_view descriptor;
};

class ConstantPool {
 public:
  std::uint16_t count() const {
    return static_cast<std::uint16_t>(tags_.size());
  }
  Tag tag(std::uint16_t i) const {
    return i < tags_.size() ? tags_[i] : Tag::kNone;
  }
  std::string_view utf8(std::uint16_t i) const {
    return tag(i) == Tag::kUtf8 ? utf8_at(offsets_[i]) : std::string_view();
  }
  // Class, String, MethodType, Module, Package: the text they point to.
  std::string_view text(std::uint16_t i) const {
    return has_text(tag(i)) ? utf8(u2_at(offsets_[i])) : std::string_view();
  }
  NameAndType name_and_type(std::uint16_t i) const {
    if (tag(i) != Tag::kNameAndType) return {};
    const std::uint32_t at = offsets_[i];
    return {utf8(u2_at(at)), utf8(u2_at(at + 2))};
  }
  MemberRef member(std::uint16_t i) const {
    const Tag t = tag(i);
    if (t < Tag::kFieldref || t > Tag::kInterfaceMethodref) return {};
    const std::uint32_t at = offsets_[i];
    const NameAndType nt = name_and_type(u2_at(at + 2));
    return {text(u2_at(at)), nt.name, nt.descriptor,
            t == Tag::kInterfaceMethodref, t == Tag::kFieldref};
  }
  HandleRef handle(std::uint16_t i) const;
  DynamicRef dynamic(std::uint16_t i) const;
  std::int32_t int_value(std::uint16_t i) const;
  std::int64_t long_value(std::uint16_t i) const;
  std::uint32_t float_bits(std::uint16_t i) const;
  std::uint64_t double_bits(std::uint16_t i) const;
  // Module and Package constants are legal in a module-info only; 0: none.
  std::uint16_t first_module_constant() const { return first_module_constant_; }
  // The first Dynamic or InvokeDynamic; 0: none.
  std::uint16_t first_dynamic() const { return first_dynamic_; }
  // Of a NameAndType: the index of its descriptor; else 0.
  std::uint16_t descriptor_index(std::uint16_t i) const {
    return tag(i) == Tag::kNameAndType ? u2_at(offsets_[i] + 2) : 0;
  }
  // Of a Fieldref, Methodref, InterfaceMethodref, Dynamic or InvokeDynamic: the
  // index of its descriptor.
  std::uint16_t member_descriptor(std::uint16_t i) const {
    return descriptor_index(u2_at(offsets_[i] + 2));
  }
  // Of the constant's tag byte in the class file, for messages.
  std::size_t offset_of(std::uint16_t i) const {
    return tag(i) != Tag::kNone ? offsets_[i] - 1 : 0;
  }

  // Reads constant_pool_count and the pool at the reader's position.
  // `major` decides which tags there are (JVMS table 4.4-B).
  static base::Result<ConstantPool> parse(base::ByteReader& reader,
                                          base::Bytes whole_class,
                                          std::uint16_t major,
                                          const std::string& where);

 private:
  static constexpr std::uint32_t bit(Tag t) {
    return 1u << static_cast<unsigned>(t);
  }
  static constexpr bool has_text(Tag t) {
    constexpr std::uint32_t kSet = bit(Tag::kClass) | bit(Tag::kString) |
                                   bit(Tag::kMethodType) | bit(Tag::kModule) |
                                   bit(Tag::kPackage);
    return (kSet >> static_cast<unsigned>(t) & 1) != 0;
  }
  std::uint8_t byte_at(std::size_t offset) const {
    return std::to_integer<std::uint8_t>(bytes_[offset]);
  }
  // Only at offsets that parse() has found to be inside.
  std::uint16_t u2_at(std::size_t offset) const {
    return static_cast<std::uint16_t>(byte_at(offset) << 8 |
                                      byte_at(offset + 1));
  }
  std::uint32_t u4_at(std::size_t offset) const {
    return std::uint32_t{u2_at(offset)} << 16 | u2_at(offset + 2);
  }
  std::uint64_t u8_at(std::size_t offset) const {
    return std::uint64_t{u4_at(offset)} << 32 | u4_at(offset + 4);
  }
  std::string_view utf8_at(std::size_t offset) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + offset + 2,
            u2_at(offset)};
  }
  friend class PoolCheck;
  void note_young(std::uint16_t i);

  base::Bytes bytes_;                   // the whole class file
  std::vector<std::uint32_t> offsets_;  // of the byte after the tag
  std::vector<Tag> tags_;
  std::uint16_t first_module_constant_ = 0;
  std::uint16_t first_dynamic_ = 0;
};

}  // namespace rejig::classfile
