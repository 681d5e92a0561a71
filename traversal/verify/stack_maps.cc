// SPDX-License-Identifier: Apache-2.0
#include "traversal/verify/stack_maps.h"

#include "classfile/base/byte_reader.h"
#include "classfile/reader/descriptor.h"

namespace rejig::traversal::verify {

using classfile::ClassView;
using classfile::MemberView;

namespace {

// Forms of frames, up to which number each reaches.
constexpr unsigned kSame = 63;
constexpr unsigned kSameLocalsOneStack = 127;
constexpr unsigned kSameLocalsOneStackExtended = 247;
constexpr unsigned kSameExtended = 251;  // 248 to 250: chop
constexpr unsigned kFull = 255;
// A method that asks for more was not made by a compiler.
constexpr std::size_t kMostSlots = std::size_t{1} << 22;

void push(std::vector<Slot>& to, Slot slot) {
  to.push_back(slot);
  const Kind end = end_of(slot.kind);
  if (end != Kind::kTop) to.push_back({end, 0, {}});
}

std::vector<Slot> first_locals(const ClassView& cls, const MemberView& method) {
  std::vector<Slot> out;
  if (!method.is(classfile::kAccStatic)) {
    const bool unmade =
        method.name == "<init>" && cls.name() != "java/lang/Object";
    out.push_back(unmade ? Slot{Kind::kUnmadeThis, 0, {}}
                         : object_slot(cls.name()));
  }
  classfile::MethodDescriptor descriptor(method.descriptor);
  classfile::TypeView parameter;
  while (descriptor.next(parameter)) push(out, slot_of(parameter.text));
  return out;
}

class Reader {
 public:
  Reader(const ClassView& cls, base::Bytes table,
         const classfile::CodeView& code)
      : cls_(cls), reader_(table), code_(code) {}

  bool run(std::vector<Slot> first, StackMaps& out) {
    locals_ = std::move(first);
    std::uint32_t pc = 0;
    for (unsigned left = reader_.u2(); left != 0; --left) {
      const unsigned form = reader_.u1();
      stack_.clear();
      unsigned delta = form;
      if (form > kSameLocalsOneStack) {
        delta = reader_.u2();
      } else if (form > kSame) {
        delta = form - kSame - 1;
      }
      if (!elements(form)) return false;
      pc = out.empty() ? delta : pc + delta + 1;
      if (reader_.failed() || pc >= code_.code.size() ||
          locals_.size() > code_.max_locals ||
          stack_.size() > code_.max_stack) {
        return false;
      }
      held_ += code_.max_locals + stack_.size();
      if (held_ > kMostSlots) return false;
      State state{locals_, stack_};
      state.locals.resize(code_.max_locals);
      out.emplace_back(pc, std::move(state));
    }
    return !reader_.failed() && reader_.at_end();
  }

 private:
  bool elements(unsigned form) {
    if (form <= kSame || form == kSameExtended) return true;
    if (form <= kSameLocalsOneStack || form == kSameLocalsOneStackExtended) {
      return more(stack_, 1);
    }
    if (form < kSameLocalsOneStackExtended) return false;
    if (form < kSameExtended) return chop(kSameExtended - form);
    if (form < kFull) return more(locals_, form - kSameExtended);
    locals_.clear();
    return more(locals_, reader_.u2()) && more(stack_, reader_.u2());
  }

  bool chop(unsigned count) {
    for (; count != 0; --count) {
      if (locals_.empty()) return false;
      const Kind last = locals_.back().kind;
      locals_.pop_back();
      if (last == Kind::kLongEnd || last == Kind::kDoubleEnd) locals_.pop_back();
    }
    return true;
  }

  bool more(std::vector<Slot>& to, unsigned count) {
    constexpr Kind kKinds[] = {Kind::kTop,  Kind::kInt,  Kind::kFloat,
                               Kind::kDouble, Kind::kLong, Kind::kNull,
                               Kind::kUnmadeThis};
    constexpr unsigned kObjectTag = 7;
    constexpr unsigned kUnmadeTag = 8;
    for (; count != 0; --count) {
      const unsigned tag = reader_.u1();
      if (reader_.failed() || tag > kUnmadeTag) return false;
      if (tag == kObjectTag) {
        to.push_back(object_slot(cls_.pool().text(reader_.u2())));
      } else if (tag == kUnmadeTag) {
        to.push_back({Kind::kUnmade, reader_.u2(), {}});
      } else {
        push(to, {kKinds[tag], 0, {}});
      }
    }
    return true;
  }

  const ClassView& cls_;
  base::ByteReader reader_;
  const classfile::CodeView& code_;
  std::vector<Slot> locals_;
  std::vector<Slot> stack_;
  std::size_t held_ = 0;
};

}  // namespace

Slot object_slot(std::string_view class_or_array) {
  return {Kind::kObject, 0, class_or_array};
}

Slot slot_of(std::string_view descriptor) {
  if (descriptor.starts_with('[')) return object_slot(descriptor);
  const auto type = classfile::type_of_descriptor(descriptor);
  switch (type.element) {
    case 'L':
      return object_slot(type.class_name);
    case 'J':
      return {Kind::kLong, 0, {}};
    case 'D':
      return {Kind::kDouble, 0, {}};
    case 'F':
      return {Kind::kFloat, 0, {}};
    case 'V':
      return {};
    default:
      return {Kind::kInt, 0, {}};
  }
}

std::optional<State> first_state(const ClassView& cls, const MemberView& method,
                                 std::uint16_t max_locals) {
  State out{first_locals(cls, method), {}};
  if (out.locals.size() > max_locals) return std::nullopt;
  out.locals.resize(max_locals);
  return out;
}

std::optional<StackMaps> stack_maps(const ClassView& cls,
                                    const MemberView& method,
                                    const classfile::CodeView& code) {
  StackMaps out;
  for (const auto& attribute : method.code_attributes) {
    if (attribute.kind != classfile::AttributeKind::kStackMapTable) continue;
    if (!Reader(cls, attribute.content, code)
             .run(first_locals(cls, method), out)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace rejig::traversal::verify
