// SPDX-License-Identifier: Apache-2.0
// Two passes over the pool: the first finds where each entry begins, the second
// checks what it refers to (JVMS §4.4; the rules are HotSpot's).
#include "classfile/constant_pool.h"

#include "classfile/descriptor.h"
#include "classfile/format.h"
#include "classfile/modified_utf8.h"

namespace rejig::classfile {
namespace {

std::string tag_text(Tag tag) {
  return "constant tag " + std::to_string(static_cast<unsigned>(tag));
}

// The first major version that knows the constant (JVMS table 4.4-B); 0 for
// tags that no version knows.
std::uint16_t first_major(unsigned tag) {
  switch (static_cast<Tag>(tag)) {
    case Tag::kMethodHandle:
    case Tag::kMethodType:
    case Tag::kInvokeDynamic:
      return kJava7;
    case Tag::kModule:
    case Tag::kPackage:
      return kJava9;
    case Tag::kDynamic:
      return kJava11;
    default:
      return tag == 1 || (tag >= 3 && tag <= 12) ? kFirstMajor : 0;
  }
}

}  // namespace

class PoolChecker {
 public:
  PoolChecker(const ConstantPool& pool, std::uint16_t major)
      : pool_(pool), major_(major), checked_(pool.count(), false) {}

  // What is wrong with the names and descriptors of the entry; nullptr: nothing.
  const char* problem(std::uint16_t i) {
    switch (pool_.tag(i)) {
      case Tag::kClass:
        return legal_class_name(pool_.text(i), major_) ? nullptr
                                                       : "illegal class name";
      case Tag::kNameAndType:
        return name_and_type_problem(i);
      case Tag::kFieldref:
      case Tag::kDynamic:
        return is_method(i) ? "a method descriptor, expected a field's"
                            : nullptr;
      case Tag::kMethodref: {
        if (!is_method(i)) return "a field descriptor, expected a method's";
        const std::string_view name = member_name(i);
        return name.starts_with('<') && name != "<init>"
                   ? "a Methodref of that name, allowed with '<': <init>"
                   : nullptr;
      }
      case Tag::kInterfaceMethodref:
      case Tag::kInvokeDynamic:
        return is_method(i) ? nullptr
                            : "a field descriptor, expected a method's";
      case Tag::kMethodType:
        return legal_method_descriptor(pool_.text(i), major_)
                   ? nullptr
                   : "illegal method descriptor";
      case Tag::kMethodHandle: {
        const HandleRef h = pool_.handle(i);
        const bool init = h.ref.name == "<init>";
        if (h.kind == 8 && !init) {
          return "reference kind 8 (newInvokeSpecial) of a method that is not "
                 "<init>";
        }
        return h.kind >= 5 && h.kind <= 7 && init
                   ? "a handle for calls of <init>, allowed: 8 "
                     "(newInvokeSpecial)"
                   : nullptr;
      }
      default:
        return nullptr;
    }
  }

 private:
  const char* name_and_type_problem(std::uint16_t i) {
    const NameAndType nt = pool_.name_and_type(i);
    // Few descriptors serve many methods.
    const std::uint16_t shared = pool_.descriptor_index(i);
    const bool known = checked_[shared];
    checked_[shared] = true;
    if (nt.descriptor.starts_with('(')) {
      if (!legal_method_name(nt.name, major_)) return "illegal method name";
      if (known && nt.name[0] != '<') return nullptr;
      return legal_method_descriptor_of(nt.name, nt.descriptor)
                 ? nullptr
                 : "illegal method descriptor";
    }
    if (!legal_field_name(nt.name, major_)) return "illegal field name";
    return known || legal_field_descriptor(nt.descriptor, major_)
               ? nullptr
               : "illegal field descriptor";
  }
  std::string_view member_name(std::uint16_t i) const {
    return pool_.member(i).name;
  }
  bool is_method(std::uint16_t i) const {
    return pool_.has_method_descriptor(i);
  }
  bool legal_method_descriptor_of(std::string_view name,
                                  std::string_view descriptor) const {
    if (name == "<clinit>" && major_ >= kJava7 && descriptor != "()V") {
      return false;
    }
    return legal_method_descriptor(descriptor, major_, name[0] == '<')
        .has_value();
  }

  const ConstantPool& pool_;
  std::uint16_t major_;
  std::vector<bool> checked_;  // descriptors by index, of methods or fields
};


std::uint16_t ConstantPool::descriptor_index(std::uint16_t i) const {
  return tag(i) == Tag::kNameAndType ? u2_at(offsets_[i] + 2) : 0;
}

bool ConstantPool::has_method_descriptor(std::uint16_t i) const {
  const std::uint16_t utf8 = descriptor_index(u2_at(offsets_[i] + 2));
  const std::string_view text = this->utf8(utf8);
  return text.starts_with('(');
}

NameAndType ConstantPool::name_and_type(std::uint16_t i) const {
  if (tag(i) != Tag::kNameAndType) return {};
  return {utf8(u2_at(offsets_[i])), utf8(u2_at(offsets_[i] + 2))};
}

MemberRef ConstantPool::member(std::uint16_t i) const {
  const Tag t = tag(i);
  if (t != Tag::kFieldref && t != Tag::kMethodref &&
      t != Tag::kInterfaceMethodref) {
    return {};
  }
  const NameAndType nt = name_and_type(u2_at(offsets_[i] + 2));
  return {text(u2_at(offsets_[i])), nt.name, nt.descriptor,
          t == Tag::kInterfaceMethodref, t == Tag::kFieldref};
}

HandleRef ConstantPool::handle(std::uint16_t i) const {
  if (tag(i) != Tag::kMethodHandle) return {};
  return {byte_at(offsets_[i]), member(u2_at(offsets_[i] + 1))};
}

DynamicRef ConstantPool::dynamic(std::uint16_t i) const {
  const Tag t = tag(i);
  if (t != Tag::kDynamic && t != Tag::kInvokeDynamic) return {};
  const NameAndType nt = name_and_type(u2_at(offsets_[i] + 2));
  return {u2_at(offsets_[i]), nt.name, nt.descriptor};
}

std::int32_t ConstantPool::int_value(std::uint16_t i) const {
  return tag(i) == Tag::kInteger ? static_cast<std::int32_t>(u4_at(offsets_[i]))
                                 : 0;
}

std::int64_t ConstantPool::long_value(std::uint16_t i) const {
  return tag(i) == Tag::kLong ? static_cast<std::int64_t>(u8_at(offsets_[i]))
                              : 0;
}

std::uint32_t ConstantPool::float_bits(std::uint16_t i) const {
  return tag(i) == Tag::kFloat ? u4_at(offsets_[i]) : 0;
}

std::uint64_t ConstantPool::double_bits(std::uint16_t i) const {
  return tag(i) == Tag::kDouble ? u8_at(offsets_[i]) : 0;
}

// The entries that entry i points to are there and of the right kind.
bool ConstantPool::well_linked(std::uint16_t i, std::uint16_t major) const {
  const std::uint32_t at = offsets_[i];
  const auto link = [&](std::uint32_t field) { return tag(u2_at(at + field)); };
  switch (tag(i)) {
    case Tag::kClass:
    case Tag::kString:
    case Tag::kMethodType:
    case Tag::kModule:
    case Tag::kPackage:
      return link(0) == Tag::kUtf8;
    case Tag::kNameAndType:
      return link(0) == Tag::kUtf8 && link(2) == Tag::kUtf8;
    case Tag::kFieldref:
    case Tag::kMethodref:
    case Tag::kInterfaceMethodref:
      return link(0) == Tag::kClass && link(2) == Tag::kNameAndType;
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      return link(2) == Tag::kNameAndType;
    case Tag::kMethodHandle: {
      const unsigned kind = byte_at(at);
      if (kind >= 1 && kind <= 4) return link(1) == Tag::kFieldref;
      if (kind == 9) return link(1) == Tag::kInterfaceMethodref;
      if ((kind == 6 || kind == 7) && major >= kJava8 &&
          link(1) == Tag::kInterfaceMethodref) {
        return true;
      }
      return kind >= 5 && kind <= 8 && link(1) == Tag::kMethodref;
    }
    default:
      return true;
  }
}

base::Error ConstantPool::bad_link(std::uint16_t i,
                                   const std::string& where) const {
  const std::uint32_t at = offsets_[i];
  std::uint32_t field = 0;
  const char* expected = "a Utf8";
  switch (tag(i)) {
    case Tag::kNameAndType:
      if (tag(u2_at(at)) == Tag::kUtf8) field = 2;
      break;
    case Tag::kFieldref:
    case Tag::kMethodref:
    case Tag::kInterfaceMethodref:
      expected = "a Class";
      if (tag(u2_at(at)) != Tag::kClass) break;
      [[fallthrough]];
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      field = 2;
      expected = "a NameAndType";
      break;
    case Tag::kMethodHandle: {
      const unsigned kind = byte_at(at);
      if (kind < 1 || kind > 9) {
        return malformed(where, at,
                         "reference kind " + std::to_string(kind) +
                             " of a method handle, allowed 1 to 9");
      }
      field = 1;
      expected = kind <= 4   ? "a Fieldref"
                 : kind == 9 ? "an InterfaceMethodref"
                             : "a Methodref";
      break;
    }
    default:
      break;
  }
  const std::uint16_t to = u2_at(at + field);
  return malformed(where, at + field,
                   "constant " + std::to_string(i) + " refers to entry " +
                       std::to_string(to) + " (" + tag_text(tag(to)) +
                       "), expected " + expected);
}

base::Result<ConstantPool> ConstantPool::parse(base::ByteReader& reader,
                                               base::Bytes whole_class,
                                               std::uint16_t major,
                                               const std::string& where) {
  ConstantPool pool;
  pool.bytes_ = whole_class;
  const std::size_t count_at = reader.offset();
  const std::uint16_t count = reader.u2();
  if (reader.failed()) {
    return malformed(where, count_at, "ends before the constant pool");
  }
  if (count == 0) {
    return malformed(where, count_at, "constant_pool_count 0, allowed 1 to 65535");
  }
  pool.offsets_.assign(count, 0);
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::size_t entry_at = reader.offset();
    const unsigned tag = reader.u1();
    const std::size_t at = reader.offset();
    pool.offsets_[i] = static_cast<std::uint32_t>(at);
    switch (static_cast<Tag>(tag)) {
      case Tag::kUtf8: {
        const std::size_t n = reader.u2();
        reader.skip(n);
        if (!reader.failed() &&
            !legal_modified_utf8(pool.utf8_at(pool.offsets_[i]),
                                 major < kJava1_4)) {
          return malformed(where, at + 2,
                           "constant " + std::to_string(i) +
                               " is no legal modified UTF-8");
        }
        break;
      }
      case Tag::kLong:
      case Tag::kDouble:
        reader.skip(8);
        if (i + 1 >= count && !reader.failed()) {
          return malformed(where, entry_at,
                           "constant " + std::to_string(i) +
                               " takes two entries, but the pool has only " +
                               std::to_string(count));
        }
        ++i;
        break;
      case Tag::kClass:
      case Tag::kString:
      case Tag::kMethodType:
      case Tag::kModule:
      case Tag::kPackage:
        reader.skip(2);
        break;
      case Tag::kMethodHandle:
        reader.skip(3);
        break;
      default:
        reader.skip(4);
        break;
    }
    const std::uint16_t since = first_major(tag);
    if (since == 0 || since > major) {
      if (reader.failed() && entry_at >= whole_class.size()) {
        return malformed(where, entry_at,
                         "ends within the constant pool, at entry " +
                             std::to_string(i) + " of " +
                             std::to_string(count - 1));
      }
      return malformed(
          where, entry_at,
          tag_text(static_cast<Tag>(tag)) +
              (since == 0 ? ", expected one of 1, 3-12, 15-20"
                          : " in version " + std::to_string(major) +
                                ", allowed from " + std::to_string(since)));
    }
    if (reader.failed()) {
      return malformed(where, entry_at,
                       "ends within the constant pool, in entry " +
                           std::to_string(i) + " of " +
                           std::to_string(count - 1));
    }
    if ((static_cast<Tag>(tag) == Tag::kDynamic ||
         static_cast<Tag>(tag) == Tag::kInvokeDynamic) &&
        pool.first_dynamic_ == 0) {
      pool.first_dynamic_ = static_cast<std::uint16_t>(i);
    }
    if (since == kJava9 && pool.first_module_constant_ == 0) {
      pool.first_module_constant_ = static_cast<std::uint16_t>(i);
    }
  }
  PoolChecker checker(pool, major);
  for (std::uint32_t i = 1; i < count; ++i) {
    const auto index = static_cast<std::uint16_t>(i);
    if (pool.tag(index) < Tag::kClass) continue;
    if (!pool.well_linked(index, major)) return pool.bad_link(index, where);
    if (const char* reason = checker.problem(index)) {
      return malformed(where, pool.offsets_[i] - 1,
                       "constant " + std::to_string(i) + ": " + reason);
    }
  }
  return pool;
}

}  // namespace rejig::classfile
