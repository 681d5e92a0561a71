// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/class_info.h"

#include "apps/agent/instructions.h"
#include "classfile/words/frameworks.h"
#include "classfile/words/kept_state.h"
#include "classfile/words/may_change.h"

namespace rejig::agent {
namespace {

constexpr unsigned kLdc = 0x12, kLdcW = 0x13, kLdc2W = 0x14;
constexpr unsigned kGetstatic = 0xb2, kPutstatic = 0xb3;
constexpr unsigned kGetfield = 0xb4, kPutfield = 0xb5;
constexpr unsigned kInvokevirtual = 0xb6, kInvokespecial = 0xb7;
constexpr unsigned kInvokestatic = 0xb8, kInvokeinterface = 0xb9;
constexpr unsigned kInvokedynamic = 0xba, kNew = 0xbb;
constexpr unsigned kAnewarray = 0xbd, kCheckcast = 0xc0, kInstanceof = 0xc1;
constexpr unsigned kMultianewarray = 0xc5;
constexpr unsigned kRefGetStatic = 2, kRefPutStatic = 4;
constexpr unsigned kRefInvokeVirtual = 5, kRefInvokeStatic = 6, kRefNew = 8;
constexpr unsigned char kResolves = 0x80;  // here only: the code names it

// The element class of an array descriptor, the name itself otherwise; empty
// for primitive arrays.
std::string_view element_class(std::string_view name) {
  if (name.empty() || name.front() != '[') return name;
  while (!name.empty() && name.front() == '[') name.remove_prefix(1);
  if (name.size() < 3 || name.front() != 'L') return {};
  name.remove_prefix(1);
  name.remove_suffix(1);
  return name;
}

// Does the annotation itself make a test? `type` is a descriptor.
bool makes_test(std::string_view type) {
  if (type.size() < 3 || type.front() != 'L') return false;
  const std::string_view name = type.substr(1, type.size() - 2);
  for (const auto& known : classfile::kFrameworkAnnotations) {
    if (known.role == classfile::FrameworkRole::kTest && known.type == name) {
      return true;
    }
  }
  return false;
}

// Slots for the names of one class, found by their text.
class NameTable {
 public:
  bool make(Arena& arena, unsigned expected) {
    while (size_ < 2 * expected) size_ *= 2;
    slots_ = arena.array<unsigned>(size_);
    return slots_ != nullptr;
  }
  // The slot of the name: number + 1, or 0 when it is new.
  unsigned& slot(std::string_view name, const std::string_view* names) {
    for (std::uint32_t at = hash_of(name, 0);; ++at) {
      unsigned& s = slots_[at & (size_ - 1)];
      if (s == 0 || names[s - 1] == name) return s;
    }
  }

 private:
  unsigned* slots_ = nullptr;
  unsigned size_ = 64;
};

class Reader {
 public:
  Reader(Bytes cls, Arena& arena, ClassInfo& info)
      : cls_(cls), in_(cls), arena_(arena), info_(info) {}

  bool head() {
    if (in_.u4() != 0xcafebabe) return false;
    in_.u2();
    info_.major = in_.u2();
    if (!pool_.read(in_, cls_, arena_)) return false;
    info_.access = in_.u2();
    info_.name = pool_.class_name(in_.u2());
    info_.super = pool_.class_name(in_.u2());
    info_.interface_count = in_.u2();
    info_.interfaces =
        arena_.array<std::string_view>(info_.interface_count + 1u);
    if (info_.interfaces == nullptr) return false;
    for (unsigned i = 0; i < info_.interface_count; ++i) {
      info_.interfaces[i] = pool_.class_name(in_.u2());
    }
    return !in_.failed() && !info_.name.empty();
  }

  bool constants() {
    name_of_ = arena_.array<unsigned>(pool_.count());
    name_room_ = pool_.count();
    info_.names = arena_.array<std::string_view>(name_room_);
    if (name_of_ == nullptr || info_.names == nullptr ||
        !table_.make(arena_, name_room_)) {
      return false;
    }
    for (unsigned i = 1; i < pool_.count(); ++i) {
      name_of_[i] = number_of(element_class(pool_.class_name(i)));
    }
    info_.constant_count = info_.name_count;
    return true;
  }

  bool fields() {
    const unsigned count = in_.u2();
    classfile::KeptState kept;
    for (unsigned i = 0; i < count && !in_.failed(); ++i) {
      const unsigned access = in_.u2();
      in_.skip(2);
      const std::string_view type = pool_.utf8(in_.u2());
      kept.field(access, type);
      constexpr unsigned kStatic = 0x0008;
      holds_itself_ |= (access & kStatic) != 0 &&
                       type.size() == info_.name.size() + 2 &&
                       ends_with(type, ";") &&
                       starts_with(type.data() + 1, info_.name);
      skip_attributes(in_);
    }
    info_.keeps_state = static_cast<bool>(kept);
    info_.has_parts = kept.parts();
    return !in_.failed();
  }

  bool body() {
    if (!constants() || !described() || !fields()) return false;
    info_.method_count = in_.u2();
    if (in_.failed()) return false;
    ByteReader members = in_;
    for (unsigned i = 0; i < info_.method_count && !in_.failed(); ++i) {
      in_.skip(6);
      skip_attributes(in_);
    }
    read_attributes();
    if (in_.failed()) return false;
    info_.methods = arena_.array<MethodInfo>(info_.method_count + 1u);
    scratch_ = arena_.array<unsigned char>(info_.name_count + 1u);
    held_ = arena_.array<unsigned char>(info_.name_count + 1u);
    if (info_.methods == nullptr || scratch_ == nullptr || held_ == nullptr) {
      return false;
    }
    for (unsigned i = 0; i < info_.method_count; ++i) {
      if (!method(members, info_.methods[i])) return false;
    }
    return true;
  }

 private:
  // Number + 1 of a name, which is new or known; 0: of no interest.
  unsigned number_of(std::string_view name) {
    if (name.empty() || starts_with(name, "java/")) return 0;
    unsigned& slot = table_.slot(name, info_.names);
    if (slot == 0) {
      if (info_.name_count == name_room_ && !more_room()) return 0;
      info_.names[info_.name_count] = name;
      slot = ++info_.name_count;
    }
    return slot;
  }
  // Signatures may name more classes than the pool has entries.
  bool more_room() {
    const unsigned room = 2 * name_room_;
    auto* names = arena_.array<std::string_view>(room);
    NameTable table;
    if (names == nullptr || !table.make(arena_, room)) return false;
    for (unsigned i = 0; i < info_.name_count; ++i) {
      names[i] = info_.names[i];
      table.slot(names[i], names) = i + 1;
    }
    info_.names = names;
    table_ = table;
    name_room_ = room;
    return true;
  }

  static bool begins_type(char c) {
    return c == '(' || c == '[' || c == '<' || c == 'L' || c == 'T';
  }
  static bool ends_name(char c) {
    // Letters, most of all characters here, come after them.
    return c <= '>' &&
           (c == ';' || c == '<' || c == '>' || c == ':' || c == '.');
  }

  // Types in descriptors, signatures and annotations. Text that only looks
  // like one names classes that nobody has.
  bool described() {
    for (unsigned i = 1; i < pool_.count(); ++i) {
      const std::string_view text = pool_.utf8(i);
      if (text.empty() || !begins_type(text.front()) ||
          std::memchr(text.data(), ';', text.size()) == nullptr) {
        continue;
      }
      each_type(text, [this](std::string_view name) {
        static_cast<void>(number_of(name));
      });
    }
    return true;
  }

  // "(Lp/A<TT;>.B;[Lp/C;)V": p/A, p/A$B and p/C.
  template <class F>
  void each_type(std::string_view text, F&& found) {
    constexpr unsigned kDeepest = 16;
    std::string_view open[kDeepest];  // names before an open `<`
    unsigned depth = 0;
    std::string_view last;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '<') {
        if (depth < kDeepest) open[depth] = last;
        ++depth;
      } else if (c == '>') {
        if (depth > 0) --depth;
        last = depth < kDeepest ? open[depth] : std::string_view{};
      }
      const bool nested = c == '.' && !last.empty();
      if (c != 'L' && !nested) continue;
      const std::size_t from = at + 1;
      std::size_t to = from;
      while (to < text.size() && !ends_name(text[to])) ++to;
      if (to == text.size()) return;
      const std::string_view part(text.data() + from, to - from);
      at = to - 1;
      if (text[to] == ':' || part.empty()) continue;  // a type variable's name
      last = nested ? joined(last, part) : part;
      if (!last.empty()) found(last);
    }
  }
  std::string_view joined(std::string_view outer, std::string_view inner) {
    char* text = arena_.array<char>(outer.size() + 1 + inner.size());
    if (text == nullptr) return {};
    std::memcpy(text, outer.data(), outer.size());
    text[outer.size()] = '$';
    std::memcpy(text + outer.size() + 1, inner.data(), inner.size());
    return {text, outer.size() + 1 + inner.size()};
  }

  static void skip_attributes(ByteReader& in) {
    const unsigned n = in.u2();
    for (unsigned i = 0; i < n && !in.failed(); ++i) {
      in.skip(2);
      in.skip(in.u4());
    }
  }

  void read_attributes() {
    const unsigned n = in_.u2();
    for (unsigned i = 0; i < n && !in_.failed(); ++i) {
      const unsigned name = in_.u2();
      const std::uint32_t size = in_.u4();
      ByteReader body = in_.sub(size);
      if (pool_.utf8(name) == "BootstrapMethods") bootstraps_ = body;
      if (pool_.utf8(name) == "NestHost") nest_host_ = body.u2();
    }
  }

  bool method(ByteReader& in, MethodInfo& m) {
    m.access = in.u2();
    m.name = pool_.utf8(in.u2());
    m.descriptor = pool_.utf8(in.u2());
    const unsigned n = in.u2();
    for (unsigned i = 0; i < n && !in.failed(); ++i) {
      const unsigned name = in.u2();
      ByteReader body = in.sub(in.u4());
      if (pool_.utf8(name) == "Code" && !m.has_code) {
        m.has_code = true;
        ++info_.code_count;
        code(body, m);
      }
      if (pool_.utf8(name) == "RuntimeVisibleAnnotations") {
        annotations(body, m);
      }
    }
    return !in.failed() && !m.name.empty();
  }

  void annotations(ByteReader in, MethodInfo& m) const {
    const unsigned n = in.u2();
    for (unsigned i = 0; i < n && !in.failed(); ++i) {
      const std::string_view type = pool_.utf8(in.u2());
      // JUnit 4 calls these before it runs any test.
      if (type == "Lorg/junit/runners/Parameterized$Parameters;") {
        m.provides = true;
      }
      if (makes_test(type)) m.is_test = true;
      skip_elements(in, 0);
    }
  }
  static void skip_elements(ByteReader& in, unsigned depth) {
    for (unsigned n = in.u2(); n > 0 && !in.failed(); --n) {
      in.skip(2);
      skip_value(in, depth);
    }
  }
  static void skip_value(ByteReader& in, unsigned depth) {
    constexpr unsigned kDeepest = 64;
    if (depth == kDeepest) return in.fail();
    switch (in.u1()) {
      case 'e':
        in.skip(4);
        break;
      case '@':
        in.skip(2);
        skip_elements(in, depth + 1);
        break;
      case '[':
        for (unsigned n = in.u2(); n > 0 && !in.failed(); --n) {
          skip_value(in, depth + 1);
        }
        break;
      default:
        in.skip(2);
    }
  }

  void code(ByteReader in, MethodInfo& m) {
    in.skip(4);
    const Bytes code = in.bytes(in.u4());
    std::memset(scratch_, 0, info_.name_count + 1u);
    changes_ = own_changes_ = 0;
    stores_ = {};
    changes_itself_ = false;
    std::memset(held_, 0, info_.name_count + 1u);
    if (!scan(code, m)) everything(m);
    note_writes(m);
    for (unsigned n = in.u2(); n > 0 && !in.failed(); --n) {
      in.skip(6);
      use_class(in.u2(), kResolves);
    }
    unsigned n = 0;
    for (unsigned i = 0; i < info_.name_count; ++i) n += scratch_[i] != 0;
    m.uses = arena_.array<ClassUse>(n + 1u);
    if (m.uses == nullptr) return;
    for (unsigned i = 0; m.use_count < n; ++i) {
      if (scratch_[i] == 0) continue;
      m.uses[m.use_count++] = {i,
                               scratch_[i] & ~unsigned{kResolves}};
    }
  }

  // Where a method both reads a static field and does what may change such an
  // object, it may change what the field holds.
  void note_writes(const MethodInfo& m) {
    for (unsigned i = 0; i < info_.name_count; ++i) {
      if ((held_[i] & changes_) != 0) {
        scratch_[i] = static_cast<unsigned char>(scratch_[i] | kWrites);
      }
    }
    constexpr unsigned kStatic = 0x0008;
    if (holds_itself_ && (m.access & kStatic) == 0 && m.name != "<init>" &&
        (changes_itself_ || (own_changes_ & changes_) != 0)) {
      use_name(table_.slot(info_.name, info_.names), kWrites);
    }
  }
  void use_field(unsigned ref, unsigned op, unsigned before) {
    const std::string_view type = pool_.ref_descriptor(ref);
    const bool holds = !type.empty() && !classfile::holds_for_ever(type);
    if (op == kPutstatic) {
      constexpr unsigned kConstNull = 0x01, kLastConst = 0x0f;
      const bool constant = before >= kConstNull && before <= kLastConst;
      use_member(ref, kTriggers | kFields | (constant ? kMarks : kWrites));
    } else if (op == kGetstatic) {
      use_member(ref, kTriggers | kFields);
      const unsigned cls = pool_.first(ref);
      const unsigned name = cls < pool_.count() ? name_of_[cls] : 0;
      if (holds && name != 0) {
        held_[name - 1] =
            static_cast<unsigned char>(held_[name - 1] | classfile::changes_of(type));
      }
    } else {
      use_member(ref, 0);
      if (pool_.ref_class(ref) != info_.name) return;
      changes_itself_ |= op == kPutfield;
      if (holds) own_changes_ |= classfile::changes_of(type);
    }
  }
  void use_call(unsigned ref) {
    changes_ |= classfile::changes_by(pool_.ref_class(ref), pool_.ref_name(ref));
  }

  void everything(MethodInfo& m) {
    changes_ = own_changes_ = 15;
    std::memset(scratch_, kResolves | kCreates | kTriggers | kFields | kWrites,
                info_.name_count);
    m.clones = true;
    m.asks = true;
  }

  void use_name(unsigned number, unsigned use) {
    if (number == 0) return;
    unsigned char& slot = scratch_[number - 1];
    slot = static_cast<unsigned char>(slot | use | kResolves);
  }
  void use_class(unsigned class_index, unsigned use) {
    if (class_index < pool_.count()) use_name(name_of_[class_index], use);
  }
  void use_types(std::string_view descriptor) {
    each_type(descriptor, [this](std::string_view name) {
      if (starts_with(name, "java/")) return;
      use_name(table_.slot(name, info_.names), 0);
    });
  }
  void use_member(unsigned ref, unsigned use) {
    if (pool_.ref_name(ref).empty()) return;
    use_class(pool_.first(ref), use);
    const std::string_view owner = pool_.ref_class(ref);
    if (owner == "java/lang/invoke/MethodHandle" ||
        owner == "java/lang/invoke/VarHandle") {
      use_types(pool_.ref_descriptor(ref));
    }
    // Private members of nest mates: the JVM asks the host who they are.
    if (nest_host_ != 0 && owner != info_.name && !starts_with(owner, "java/")) {
      use_class(nest_host_, kResolves);
    }
  }
  // Methods of Class without code of their own, which no hook can see.
  bool asks_a_class(unsigned ref) const {
    if (pool_.ref_class(ref) != "java/lang/Class") return false;
    const std::string_view name = pool_.ref_name(ref);
    for (const std::string_view native :
         {"getModifiers", "isInterface", "isAnnotation", "isEnum",
          "getSuperclass", "isInstance", "isAssignableFrom", "cast",
          "asSubclass"}) {
      if (name == native) return true;
    }
    return false;
  }
  void use_handle(unsigned index, MethodInfo& m) {
    const unsigned kind = pool_.handle_kind(index);
    const unsigned target = pool_.handle_target(index);
    use_types(pool_.ref_descriptor(target));
    use_call(target);
    unsigned use = 0;
    if (kind == kRefNew) use = kCreates | kTriggers;
    if (kind == kRefGetStatic || kind == kRefPutStatic) {
      use = kTriggers | kFields;
    }
    if (kind == kRefInvokeStatic) use = kTriggers;
    use_member(target, use);
    if (kind == kRefInvokeVirtual && asks_a_class(target)) m.asks = true;
  }
  void use_all_handles(MethodInfo& m) {
    for (unsigned i = 1; i < pool_.count(); ++i) {
      if (pool_.tag(i) == kMethodHandle) use_handle(i, m);
      if (pool_.tag(i) == kMethodType) use_types(pool_.utf8(pool_.first(i)));
      if (pool_.tag(i) == kDynamic) use_types(pool_.dynamic_descriptor(i));
      use_class(i, kResolves);
    }
  }
  // What linking this call site or constant resolves. Constants made by
  // bootstrap methods may nest: then every constant counts.
  void use_dynamic(unsigned constant, MethodInfo& m) {
    use_types(pool_.dynamic_descriptor(constant));
    const unsigned index = pool_.first(constant);
    ByteReader in = bootstraps_;
    const unsigned n = in.u2();
    if (index >= n) return use_all_handles(m);
    for (unsigned i = 0; i <= index && !in.failed(); ++i) {
      const unsigned handle = in.u2();
      const unsigned arguments = in.u2();
      if (i < index) {
        in.skip(std::size_t{2} * arguments);
        continue;
      }
      use_handle(handle, m);
      for (unsigned a = 0; a < arguments && !in.failed(); ++a) {
        const unsigned argument = in.u2();
        const unsigned tag = pool_.tag(argument);
        if (tag == kMethodHandle) use_handle(argument, m);
        if (tag == kClass) use_class(argument, kResolves);
        if (tag == kMethodType) use_types(pool_.utf8(pool_.first(argument)));
        if (tag == kDynamic) use_all_handles(m);
      }
    }
    if (in.failed()) use_all_handles(m);
  }
  void load_constant(unsigned index, MethodInfo& m) {
    const unsigned tag = pool_.tag(index);
    if (tag == kMethodHandle) use_handle(index, m);
    if (tag == kClass) use_class(index, kResolves);
    if (tag == kMethodType) use_types(pool_.utf8(pool_.first(index)));
    if (tag == kDynamic) use_dynamic(index, m);
  }

  bool scan(Bytes code, MethodInfo& m) {
    ByteReader in(code);
    unsigned op = 0;
    while (!in.at_end()) {
      const std::size_t pc = in.pos();
      const unsigned before = op;
      op = in.u1();
      switch (op) {
        case kLdc:
          load_constant(in.u1(), m);
          break;
        case kLdcW:
        case kLdc2W:
          load_constant(in.u2(), m);
          break;
        case kGetstatic:
        case kPutstatic:
        case kGetfield:
        case kPutfield:
          use_field(in.u2(), op, before);
          break;
        case kInvokestatic: {
          const unsigned ref = in.u2();
          use_member(ref, kTriggers);
          use_call(ref);
          break;
        }
        case kInvokeinterface: {
          const unsigned ref = in.u2();
          use_member(ref, 0);
          use_call(ref);
          in.skip(2);
          break;
        }
        case kAnewarray:
        case kCheckcast:
        case kInstanceof:
          use_class(in.u2(), kResolves);
          break;
        case kMultianewarray:
          use_class(in.u2(), kResolves);
          in.skip(1);
          break;
        case kInvokevirtual:
        case kInvokespecial: {
          const unsigned ref = in.u2();
          use_member(ref, 0);
          use_call(ref);
          if (pool_.ref_name(ref) == "clone" &&
              pool_.ref_descriptor(ref) == "()Ljava/lang/Object;" &&
              !starts_with(pool_.ref_class(ref), "[")) {
            m.clones = true;
          }
          if (asks_a_class(ref)) m.asks = true;
          break;
        }
        case kInvokedynamic:
          use_dynamic(in.u2(), m);
          in.skip(2);
          break;
        case kNew:
          use_class(in.u2(), kCreates | kTriggers);
          break;
        default:
          if (stores_.changes(op, before)) changes_ |= classfile::kArrays;
          if (!skip_operands(op, pc, in)) return false;
      }
      if (in.failed()) return false;
    }
    return true;
  }

  Bytes cls_;
  ByteReader in_;
  ByteReader bootstraps_;
  Arena& arena_;
  ClassInfo& info_;
  ConstantPool pool_;
  NameTable table_;
  unsigned name_room_ = 0;
  unsigned nest_host_ = 0;       // pool index
  unsigned* name_of_ = nullptr;  // pool index to name number + 1
  unsigned char* scratch_ = nullptr;  // uses of each name in one method
  // Of that method: what it may do to an object, and to its own.
  unsigned changes_ = 0;      // by kind
  classfile::ArrayStores stores_;
  unsigned own_changes_ = 0;  // kinds that own fields hold
  bool changes_itself_ = false;
  bool holds_itself_ = false;  // a static field has an instance of it
  unsigned char* held_ = nullptr;  // kinds that static fields of a name hold
};

}  // namespace

bool read_head(Bytes cls, Arena& arena, ClassInfo& info) {
  return Reader(cls, arena, info).head();
}

bool read_names(Bytes cls, Arena& arena, ClassInfo& info) {
  Reader reader(cls, arena, info);
  return reader.head() && reader.constants() && reader.fields();
}

bool read_class(Bytes cls, Arena& arena, ClassInfo& info) {
  Reader reader(cls, arena, info);
  return reader.head() && reader.body();
}

}  // namespace rejig::agent
