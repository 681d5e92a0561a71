// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/frames.h"

#include "classfile/base/byte_reader.h"
#include "classfile/reader/descriptor.h"
#include "jig/world/shell.h"

namespace rejig::traversal {
namespace {

// Frame types (JVMS §4.7.4) up to which each form reaches.
constexpr unsigned kSame = 63;
constexpr unsigned kSameLocalsOneStack = 127;
constexpr unsigned kSameLocalsOneStackExtended = 247;
constexpr unsigned kSameExtended = 251;  // 248 to 250: chop
constexpr unsigned kFull = 255;
constexpr unsigned kObject = 7;
constexpr unsigned kUninitialized = 8;

class FrameTypes {
 public:
  FrameTypes(const classfile::ClassView& cls, base::Bytes table,
             const std::function<void(jig::Name)>& found)
      : cls_(cls), reader_(table), found_(found) {}

  void read() {
    for (unsigned left = reader_.u2(); left != 0 && !reader_.failed(); --left) {
      const unsigned form = reader_.u1();
      if (form <= kSame) continue;
      if (form <= kSameLocalsOneStack) {
        types(1);
        continue;
      }
      reader_.skip(2);
      if (form == kFull) {
        types(reader_.u2());
        types(reader_.u2());
      } else if (form > kSameExtended) {
        types(form - kSameExtended);
      } else if (form <= kSameLocalsOneStackExtended) {
        types(1);
      }
    }
  }

 private:
  void types(unsigned count) {
    for (; count != 0 && !reader_.failed(); --count) {
      const unsigned tag = reader_.u1();
      if (tag == kObject) {
        const jig::Name name =
            jig::element_class(cls_.pool().text(reader_.u2()));
        if (!name.empty()) found_(name);
      } else if (tag == kUninitialized) {
        reader_.skip(2);
      }
    }
  }

  const classfile::ClassView& cls_;
  base::ByteReader reader_;
  const std::function<void(jig::Name)>& found_;
};

using Kind = FrameValue::Kind;

// A long is one element of a frame, and two slots.
struct FrameElement {
  FrameValue value;
  bool wide = false;
};

std::vector<FrameValue> slots(const std::vector<FrameElement>& from) {
  std::vector<FrameValue> out;
  out.reserve(from.size());
  for (const auto& element : from) {
    out.push_back(element.value);
    if (element.wide) out.emplace_back();
  }
  return out;
}

FrameValue value_of(std::string_view descriptor) {
  if (descriptor.starts_with('[')) return {Kind::kObject, 0, descriptor};
  const auto type = classfile::type_of_descriptor(descriptor);
  if (type.element != 'L') return {};
  return {Kind::kObject, 0, type.class_name};
}

std::vector<FrameElement> first_elements(
    const classfile::ClassView& cls, const classfile::MemberView& method) {
  std::vector<FrameElement> out;
  if (!method.is(classfile::kAccStatic)) {
    FrameValue self{Kind::kObject, 0, cls.name()};
    if (method.name == "<init>") self = {Kind::kUnmadeThis, 0, {}};
    out.push_back({self, false});
  }
  classfile::MethodDescriptor descriptor(method.descriptor);
  classfile::TypeView parameter;
  while (descriptor.next(parameter)) {
    out.push_back({value_of(parameter.text), parameter.slots() == 2});
  }
  return out;
}

// Reads all frames of a method: differences from one to the next.
class FrameReader {
 public:
  FrameReader(const classfile::ClassView& cls, base::Bytes table)
      : cls_(cls), reader_(table) {}

  bool read(std::vector<FrameElement> first,
            std::map<std::uint32_t, Frame>& out) {
    locals_ = std::move(first);
    std::uint32_t pc = 0;
    bool begun = false;
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
      pc = begun ? pc + delta + 1 : delta;
      begun = true;
      Frame frame{slots(locals_), slots(stack_)};
      held_ += frame.locals.size() + frame.stack.size();
      if (reader_.failed() || held_ > kMostSlots) return false;
      out[pc] = std::move(frame);
    }
    return !reader_.failed();
  }

 private:
  static constexpr std::size_t kMostSlots = 1U << 22U;
  static constexpr unsigned kNull = 5;
  static constexpr unsigned kUnmadeThis = 6;

  bool elements(unsigned form) {
    if (form <= kSame || form == kSameExtended) return true;
    if (form <= kSameLocalsOneStack || form == kSameLocalsOneStackExtended) {
      return more(stack_, 1);
    }
    if (form < kSameLocalsOneStackExtended) return false;
    if (form < kSameExtended) {
      const unsigned chopped = kSameExtended - form;
      if (chopped > locals_.size()) return false;
      locals_.resize(locals_.size() - chopped);
      return true;
    }
    if (form < kFull) return more(locals_, form - kSameExtended);
    locals_.clear();
    return more(locals_, reader_.u2()) && more(stack_, reader_.u2());
  }

  bool more(std::vector<FrameElement>& to, unsigned count) {
    for (; count != 0; --count) {
      const unsigned tag = reader_.u1();
      if (reader_.failed()) return false;
      FrameElement element;
      switch (tag) {
        case 3:
        case 4:
          element.wide = true;
          break;
        case kNull:
          element.value.kind = Kind::kNull;
          break;
        case kUnmadeThis:
          element.value.kind = Kind::kUnmadeThis;
          break;
        case kObject:
          element.value = {Kind::kObject, 0, cls_.pool().text(reader_.u2())};
          break;
        case kUninitialized:
          element.value = {Kind::kUnmade, reader_.u2(), {}};
          break;
        default:
          break;
      }
      to.push_back(element);
    }
    return true;
  }

  const classfile::ClassView& cls_;
  base::ByteReader reader_;
  std::vector<FrameElement> locals_;
  std::vector<FrameElement> stack_;
  std::size_t held_ = 0;
};

}  // namespace

void each_frame_type(const classfile::ClassView& cls,
                     const classfile::MemberView& method,
                     const std::function<void(jig::Name)>& found) {
  for (const auto& attribute : method.code_attributes) {
    if (attribute.kind == classfile::AttributeKind::kStackMapTable) {
      FrameTypes(cls, attribute.content, found).read();
    }
  }
}

Frame first_frame(const classfile::ClassView& cls,
                  const classfile::MemberView& method) {
  return {slots(first_elements(cls, method)), {}};
}

std::optional<std::map<std::uint32_t, Frame>> frames_of(
    const classfile::ClassView& cls, const classfile::MemberView& method) {
  std::map<std::uint32_t, Frame> out;
  for (const auto& attribute : method.code_attributes) {
    if (attribute.kind != classfile::AttributeKind::kStackMapTable) continue;
    if (!FrameReader(cls, attribute.content)
             .read(first_elements(cls, method), out)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace rejig::traversal
