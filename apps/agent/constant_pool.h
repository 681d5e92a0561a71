// SPDX-License-Identifier: Apache-2.0
// What does entry i of this class file's constant pool say (JVMS §4.4)? Every
// answer about a wrong index or tag is empty and never a read outside the
// class. Views live as long as the class's bytes and the arena.
#pragma once

#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {

enum Tag : unsigned char {
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

class ConstantPool {
 public:
  // Reads the pool at `in`, which then stands behind it.
  bool read(ByteReader& in, Bytes cls, Arena& arena) {
    cls_ = cls;
    count_ = in.u2();
    if (count_ == 0) return false;
    at_ = arena.array<std::uint32_t>(count_);
    if (at_ == nullptr) return false;
    for (unsigned i = 1; i < count_; ++i) {
      at_[i] = static_cast<std::uint32_t>(in.pos());
      switch (in.u1()) {
        case kUtf8: in.skip(in.u2()); break;
        case kInteger: case kFloat: case kFieldref: case kMethodref:
        case kInterfaceMethodref: case kNameAndType: case kDynamic:
        case kInvokeDynamic: in.skip(4); break;
        case kLong: case kDouble:
          in.skip(8);
          ++i;
          break;
        case kClass: case kString: case kMethodType: case kModule:
        case kPackage: in.skip(2); break;
        case kMethodHandle: in.skip(3); break;
        default: return false;
      }
    }
    return !in.failed();
  }

  unsigned count() const { return count_; }

  // read() has seen that each entry lies inside the class.
  unsigned tag(unsigned i) const {
    if (i >= count_ || at_[i] == 0) return 0;
    return std::to_integer<unsigned>(cls_[at_[i]]);
  }
  std::string_view utf8(unsigned i) const {
    if (tag(i) != kUtf8) return {};
    const Bytes b = cls_.subspan(at_[i] + 3, base::load_u2(&cls_[at_[i] + 1]));
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  // Slashes, or a descriptor for an array class.
  std::string_view class_name(unsigned i) const {
    return tag(i) == kClass ? utf8(base::load_u2(&cls_[at_[i] + 1]))
                            : std::string_view{};
  }
  // First u2 of the entry.
  unsigned first(unsigned i) const { return reader(i, 1).u2(); }
  unsigned second(unsigned i) const { return reader(i, 3).u2(); }
  // Kind and target of a MethodHandle.
  unsigned handle_kind(unsigned i) const { return reader(i, 1).u1(); }
  unsigned handle_target(unsigned i) const { return reader(i, 2).u2(); }

  std::string_view ref_class(unsigned i) const {
    return is_member(i) ? class_name(first(i)) : std::string_view{};
  }
  std::string_view ref_name(unsigned i) const {
    return is_member(i) ? utf8(name_and_type(i, 1)) : std::string_view{};
  }
  std::string_view ref_descriptor(unsigned i) const {
    return is_member(i) ? utf8(name_and_type(i, 3)) : std::string_view{};
  }
  // Of a Dynamic or InvokeDynamic.
  std::string_view dynamic_descriptor(unsigned i) const {
    const unsigned t = tag(i);
    return t == kDynamic || t == kInvokeDynamic ? utf8(name_and_type(i, 3))
                                                : std::string_view{};
  }

 private:
  bool is_member(unsigned i) const {
    const unsigned t = tag(i);
    return t == kFieldref || t == kMethodref || t == kInterfaceMethodref;
  }
  unsigned name_and_type(unsigned i, std::size_t skip) const {
    const unsigned nt = second(i);
    return tag(nt) == kNameAndType ? reader(nt, skip).u2() : 0;
  }
  ByteReader reader(unsigned i, std::size_t skip) const {
    ByteReader in(cls_);
    if (i < count_ && at_[i] != 0) {
      in.seek(at_[i] + skip);
    } else {
      in.fail();
    }
    return in;
  }

  Bytes cls_;
  std::uint32_t* at_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace rejig::agent
