// SPDX-License-Identifier: Apache-2.0
// Constants (JVMS §4.4; the rules are HotSpot's): texts are legal modified
// UTF-8, entries refer to entries of the right kind, and names and descriptors
// are legal for what they name.
#include "classfile/reader/class_check.h"
#include "classfile/reader/descriptor.h"
#include "classfile/reader/modified_utf8.h"

namespace rejig::classfile {

class PoolCheck {
 public:
  explicit PoolCheck(const CheckContext& c)
      : c_(c), pool_(c.pool()), notes_(c.notes.notes_) {}

  base::Result<void> check() {
    const std::uint32_t count = pool_.count();
    for (std::uint32_t i = 1; i < count; ++i) {
      const auto index = static_cast<std::uint16_t>(i);
      if (pool_.tag(index) != Tag::kUtf8 || c_.vouched.entry(index)) continue;
      if ((c_.notes.note_text(index) & kShapeRaw) != 0 &&
          !legal_modified_utf8(pool_.utf8(index), c_.major() < kJava1_4)) {
        return c_.error(
            pool_.offsets_[i] + 3,
            "constant " + std::to_string(i) + " is no legal modified UTF-8");
      }
    }
    for (std::uint32_t i = 1; i < count; ++i) {
      const auto index = static_cast<std::uint16_t>(i);
      const Tag tag = pool_.tag(index);
      if (tag < Tag::kClass) continue;
      if (c_.vouched.entry(index)) {
        note_use(index, tag);
        continue;
      }
      if (!well_linked(index, tag)) return bad_link(index);
      if (const char* reason = problem(index, tag)) {
        return c_.error(pool_.offsets_[i],
                        "constant " + std::to_string(i) + ": " + reason);
      }
    }
    return {};
  }

 private:
  std::uint16_t link(std::uint16_t i, std::uint32_t field) const {
    return pool_.u2_at(pool_.offsets_[i] + 1 + field);
  }
  Tag tag_of(std::uint16_t i, std::uint32_t field) const {
    return pool_.tag(link(i, field));
  }

  // The entries that entry i points to are there and of the right kind.
  bool well_linked(std::uint16_t i, Tag tag) const {
    switch (tag) {
      case Tag::kClass:
      case Tag::kString:
      case Tag::kMethodType:
      case Tag::kModule:
      case Tag::kPackage:
        return tag_of(i, 0) == Tag::kUtf8;
      case Tag::kNameAndType:
        return tag_of(i, 0) == Tag::kUtf8 && tag_of(i, 2) == Tag::kUtf8;
      case Tag::kFieldref:
      case Tag::kMethodref:
      case Tag::kInterfaceMethodref:
        // A NameAndType behind this entry has not been checked yet.
        return tag_of(i, 0) == Tag::kClass && names_a_type(i);
      case Tag::kDynamic:
      case Tag::kInvokeDynamic:
        return names_a_type(i);
      case Tag::kMethodHandle:
        return handle_linked(i);
      default:
        return true;
    }
  }

  bool names_a_type(std::uint16_t i) const {
    return tag_of(i, 2) == Tag::kNameAndType;
  }

  bool handle_linked(std::uint16_t i) const {
    const unsigned kind = pool_.byte_at(pool_.offsets_[i] + 1);
    const Tag to = tag_of(i, 1);
    if (kind >= 1 && kind <= 4) return to == Tag::kFieldref;
    if (kind == 9) return to == Tag::kInterfaceMethodref;
    if ((kind == 6 || kind == 7) && c_.major() >= kJava8 &&
        to == Tag::kInterfaceMethodref) {
      return true;
    }
    return kind >= 5 && kind <= 8 && to == Tag::kMethodref;
  }

  [[gnu::cold]] base::Error bad_link(std::uint16_t i) const {
    const std::uint32_t at = pool_.offsets_[i] + 1;
    std::uint32_t field = 0;
    const char* expected = "a Utf8";
    switch (pool_.tag(i)) {
      case Tag::kNameAndType:
        if (tag_of(i, 0) == Tag::kUtf8) field = 2;
        break;
      case Tag::kFieldref:
      case Tag::kMethodref:
      case Tag::kInterfaceMethodref:
        expected = "a Class";
        if (tag_of(i, 0) != Tag::kClass) break;
        [[fallthrough]];
      case Tag::kDynamic:
      case Tag::kInvokeDynamic:
        field = 2;
        expected = "a NameAndType";
        break;
      case Tag::kMethodHandle: {
        const unsigned kind = pool_.byte_at(at);
        if (kind < 1 || kind > 9) {
          return c_.error(at, "reference kind " + std::to_string(kind) +
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
    const std::uint16_t to = link(i, field);
    return c_.error(at + field,
                    "constant " + std::to_string(i) + " refers to entry " +
                        std::to_string(to) + " (constant tag " +
                        std::to_string(static_cast<unsigned>(pool_.tag(to))) +
                        "), expected " + expected);
  }

  // What is wrong with the names and descriptors of the entry; nullptr:
  // nothing.
  const char* problem(std::uint16_t i, Tag tag) {
    switch (tag) {
      case Tag::kClass:
        if (!c_.notes.class_name(link(i, 0))) return "illegal class name";
        note_use(i, tag);
        return nullptr;
      case Tag::kNameAndType:
        return name_and_type_problem(i);
      case Tag::kFieldref:
      case Tag::kDynamic:
        return is_method(i) ? "a method descriptor, expected a field's"
                            : nullptr;
      case Tag::kMethodref:
        if (!is_method(i)) return "a field descriptor, expected a method's";
        note_use(i, tag);
        return notes_[i] == 0 ? "a Methodref of that name, allowed with '<': "
                                "<init>"
                              : nullptr;
      case Tag::kInterfaceMethodref:
      case Tag::kInvokeDynamic:
        note_use(i, tag);
        return is_method(i) ? nullptr
                            : "a field descriptor, expected a method's";
      case Tag::kMethodType:
        return c_.notes.method_descriptor(link(i, 0))
                   ? nullptr
                   : "illegal method descriptor";
      case Tag::kMethodHandle:
        return handle_problem(i);
      default:
        return nullptr;
    }
  }

  const char* handle_problem(std::uint16_t i) const {
    const HandleRef h = pool_.handle(i);
    const bool init = h.ref.name == "<init>";
    if (h.kind == 8 && !init) {
      return "reference kind 8 (newInvokeSpecial) of a method that is not "
             "<init>";
    }
    return h.kind >= 5 && h.kind <= 7 && init
               ? "a handle for calls of <init>, allowed: 8 (newInvokeSpecial)"
               : nullptr;
  }

  const char* name_and_type_problem(std::uint16_t i) {
    const std::uint16_t name = link(i, 0);
    const std::uint16_t type = link(i, 2);
    const std::string_view text = pool_.utf8(type);
    if (!text.starts_with('(')) {
      if (!c_.notes.field_name(name)) return "illegal field name";
      return c_.notes.field_descriptor(type) ? nullptr
                                             : "illegal field descriptor";
    }
    if (!c_.notes.method_name(name)) return "illegal method name";
    if (!c_.notes.method_descriptor(type)) return "illegal method descriptor";
    const std::string_view called = pool_.utf8(name);
    if (called[0] != '<') return nullptr;
    const bool legal = called == "<clinit>" && c_.major() >= kJava7
                           ? text == "()V"
                           : text.ends_with(")V");
    return legal ? nullptr : "illegal method descriptor";
  }

  // Of a well-linked reference or InvokeDynamic.
  std::string_view member_name(std::uint16_t i) const {
    return pool_.utf8(link(link(i, 2), 0));
  }
  bool is_method(std::uint16_t i) const {
    return pool_.utf8(link(link(i, 2), 2)).starts_with('(');
  }
  // What instructions may do with a well-linked entry.
  void note_use(std::uint16_t i, Tag tag) {
    if (tag == Tag::kClass) {
      if (!pool_.utf8(link(i, 0)).starts_with('[')) {
        notes_[i] = PoolNotes::kPlainClass;
      }
    } else if (tag == Tag::kMethodref || tag == Tag::kInterfaceMethodref ||
               tag == Tag::kInvokeDynamic) {
      const std::string_view name = member_name(i);
      notes_[i] = !name.starts_with('<') ? PoolNotes::kPlainCall
                  : name == "<init>"     ? PoolNotes::kInitCall
                                         : 0;
    }
  }

  const CheckContext& c_;
  const ConstantPool& pool_;
  std::vector<std::uint32_t>& notes_;
};

base::Result<void> check_pool(const CheckContext& c) {
  return PoolCheck(c).check();
}

}  // namespace rejig::classfile
