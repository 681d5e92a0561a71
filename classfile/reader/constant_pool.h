// SPDX-License-Identifier: Apache-2.0
// What does entry i of this constant pool say (JVMS §4.4)? The pool is indexed
// once (the offset of every entry); everything else is read on demand from
// the class file's bytes, which must outlive this object. Names stay raw
// modified UTF-8. read() checks that every entry is one of this version and
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
    return static_cast<std::uint16_t>(offsets_.size());
  }
  Tag tag(std::uint16_t i) const {
    const std::uint32_t at = place(i);
    return at != 0 ? tag_at(at) : Tag::kNone;
  }
  std::string_view utf8(std::uint16_t i) const {
    const std::uint32_t at = place(i);
    return at != 0 && tag_at(at) == Tag::kUtf8 ? utf8_at(at + 1)
                                               : std::string_view();
  }
  // Class, String, MethodType, Module, Package: the text they point to.
  std::string_view text(std::uint16_t i) const {
    const std::uint32_t at = place(i);
    return at != 0 && has_text(tag_at(at)) ? utf8(u2_at(at + 1))
                                           : std::string_view();
  }
  NameAndType name_and_type(std::uint16_t i) const {
    const std::uint32_t at = place(i);
    if (at == 0 || tag_at(at) != Tag::kNameAndType) return {};
    return {utf8(u2_at(at + 1)), utf8(u2_at(at + 3))};
  }
  MemberRef member(std::uint16_t i) const {
    const Tag t = tag(i);
    if (t < Tag::kFieldref || t > Tag::kInterfaceMethodref) return {};
    const std::uint32_t at = offsets_[i];
    const NameAndType nt = name_and_type(u2_at(at + 3));
    return {text(u2_at(at + 1)), nt.name, nt.descriptor,
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
    return tag(i) == Tag::kNameAndType ? u2_at(offsets_[i] + 3) : 0;
  }
  // Of a Fieldref, Methodref, InterfaceMethodref, Dynamic or InvokeDynamic: the
  // index of its descriptor.
  std::uint16_t member_descriptor(std::uint16_t i) const {
    return descriptor_index(u2_at(offsets_[i] + 3));
  }
  // What stands `at` bytes behind the tag of an entry whose kind has an index
  // there; of a MethodHandle, its kind.
  std::uint16_t part(std::uint16_t i, std::size_t at) const {
    return u2_at(offsets_[i] + 1 + at);
  }
  std::uint8_t handle_kind(std::uint16_t i) const {
    return byte_at(offsets_[i] + 1);
  }
  // Of the constant's tag byte in the class file, for messages.
  std::size_t offset_of(std::uint16_t i) const {
    return place(i);
  }

  // Reads constant_pool_count and the pool at the reader's position, in place
  // of what was read before. `major` decides which tags there are (JVMS table
  // 4.4-B). After an error there is no pool to be asked.
  base::Result<void> read(base::ByteReader& reader, base::Bytes whole_class,
                          std::uint16_t major, const std::string& where);

 private:
  // Of the entry's tag; 0: there is no such entry.
  std::uint32_t place(std::uint16_t i) const {
    return i < offsets_.size() ? offsets_[i] : 0;
  }
  Tag tag_at(std::size_t offset) const {
    return static_cast<Tag>(byte_at(offset));
  }
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
  // Only at offsets that read() has found to be inside.
  std::uint16_t u2_at(std::size_t offset) const {
    return base::load_u2(bytes_.data() + offset);
  }
  std::uint32_t u4_at(std::size_t offset) const {
    return base::load_u4(bytes_.data() + offset);
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
  [[gnu::cold]] base::Error bad_entry(std::uint32_t i, std::size_t at,
                                      std::uint16_t major,
                                      const std::string& where) const;

  base::Bytes bytes_;                   // the whole class file
  std::vector<std::uint32_t> offsets_;  // of the tags; 0: none
  std::uint16_t first_module_constant_ = 0;
  std::uint16_t first_dynamic_ = 0;
};

}  // namespace rejig::classfile
