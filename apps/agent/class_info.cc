// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/class_info.h"

namespace rejig::agent {
namespace {

constexpr unsigned kLdc = 0x12, kLdcW = 0x13, kLdc2W = 0x14;
constexpr unsigned kTableswitch = 0xaa, kLookupswitch = 0xab;
constexpr unsigned kGetstatic = 0xb2, kPutstatic = 0xb3;
constexpr unsigned kInvokevirtual = 0xb6, kInvokespecial = 0xb7;
constexpr unsigned kInvokestatic = 0xb8, kInvokedynamic = 0xba;
constexpr unsigned kNew = 0xbb, kWide = 0xc4, kIinc = 0x84;
constexpr unsigned kRefGetStatic = 2, kRefPutStatic = 4;
constexpr unsigned kRefInvokeVirtual = 5, kRefInvokeStatic = 6, kRefNew = 8;

// Length of the instruction with this opcode; 0: switches, wide, unknown.
unsigned length_of(unsigned op) {
  if (op <= 0x0f) return 1;
  if (op == 0x10 || op == kLdc) return 2;
  if (op == 0x11 || op == kLdcW || op == kLdc2W) return 3;
  if (op <= 0x19) return 2;
  if (op <= 0x35) return 1;
  if (op <= 0x3a) return 2;
  if (op <= 0x83) return 1;
  if (op == kIinc) return 3;
  if (op <= 0x98) return 1;
  if (op <= 0xa8) return 3;
  if (op == 0xa9) return 2;
  if (op <= kLookupswitch) return 0;
  if (op <= 0xb1) return 1;
  if (op <= 0xb8) return 3;
  if (op <= kInvokedynamic) return 5;
  if (op == kNew) return 3;
  if (op == 0xbc) return 2;
  if (op == 0xbd) return 3;
  if (op <= 0xbf) return 1;
  if (op <= 0xc1) return 3;
  if (op <= 0xc3) return 1;
  if (op == kWide) return 0;
  if (op == 0xc5) return 4;
  if (op <= 0xc7) return 3;
  if (op <= 0xc9) return 5;
  return 0;
}

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

  bool body() {
    if (!names()) return false;
    const unsigned fields = in_.u2();
    for (unsigned i = 0; i < fields && !in_.failed(); ++i) {
      in_.skip(6);
      skip_attributes(in_);
    }
    info_.method_count = in_.u2();
    if (in_.failed()) return false;
    ByteReader members = in_;
    for (unsigned i = 0; i < info_.method_count && !in_.failed(); ++i) {
      in_.skip(6);
      skip_attributes(in_);
    }
    read_bootstraps();
    if (in_.failed()) return false;
    info_.methods = arena_.array<MethodInfo>(info_.method_count + 1u);
    scratch_ = arena_.array<unsigned char>(info_.name_count + 1u);
    if (info_.methods == nullptr || scratch_ == nullptr) return false;
    for (unsigned i = 0; i < info_.method_count; ++i) {
      if (!method(members, info_.methods[i])) return false;
    }
    return true;
  }

 private:
  bool names() {
    name_of_ = arena_.array<unsigned>(pool_.count());
    info_.names = arena_.array<std::string_view>(pool_.count());
    if (name_of_ == nullptr || info_.names == nullptr) return false;
    for (unsigned i = 1; i < pool_.count(); ++i) {
      const std::string_view name = element_class(pool_.class_name(i));
      if (name.empty() || starts_with(name, "java/")) continue;
      info_.names[info_.name_count] = name;
      name_of_[i] = ++info_.name_count;
    }
    return true;
  }

  static void skip_attributes(ByteReader& in) {
    const unsigned n = in.u2();
    for (unsigned i = 0; i < n && !in.failed(); ++i) {
      in.skip(2);
      in.skip(in.u4());
    }
  }

  void read_bootstraps() {
    const unsigned n = in_.u2();
    for (unsigned i = 0; i < n && !in_.failed(); ++i) {
      const unsigned name = in_.u2();
      const std::uint32_t size = in_.u4();
      const ByteReader body = in_.sub(size);
      if (pool_.utf8(name) == "BootstrapMethods") bootstraps_ = body;
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
    }
    return !in.failed() && !m.name.empty();
  }

  void code(ByteReader in, MethodInfo& m) {
    in.skip(4);
    const Bytes code = in.bytes(in.u4());
    std::memset(scratch_, 0, info_.name_count + 1u);
    if (!scan(code, m)) everything(m);
    unsigned n = 0;
    for (unsigned i = 0; i < info_.name_count; ++i) n += scratch_[i] != 0;
    m.uses = arena_.array<ClassUse>(n + 1u);
    if (m.uses == nullptr) return;
    for (unsigned i = 0; i < info_.name_count; ++i) {
      if (scratch_[i] != 0) m.uses[m.use_count++] = {i, scratch_[i]};
    }
  }

  void everything(MethodInfo& m) {
    std::memset(scratch_, kCreates | kTriggers | kFields, info_.name_count);
    m.clones = true;
    m.asks = true;
  }

  void use_class(unsigned class_index, unsigned use) {
    if (class_index < pool_.count() && name_of_[class_index] != 0) {
      unsigned char& slot = scratch_[name_of_[class_index] - 1];
      slot = static_cast<unsigned char>(slot | use);
    }
  }
  void use_member(unsigned ref, unsigned use) {
    if (!pool_.ref_name(ref).empty()) use_class(pool_.first(ref), use);
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
    if (kind == kRefNew) {
      use_member(target, kCreates | kTriggers);
    } else if (kind == kRefGetStatic || kind == kRefPutStatic) {
      use_member(target, kTriggers | kFields);
    } else if (kind == kRefInvokeStatic) {
      use_member(target, kTriggers);
    } else if (kind == kRefInvokeVirtual && asks_a_class(target)) {
      m.asks = true;
    }
  }
  void use_all_handles(MethodInfo& m) {
    for (unsigned i = 1; i < pool_.count(); ++i) {
      if (pool_.tag(i) == kMethodHandle) use_handle(i, m);
    }
  }
  // Constants made by bootstrap methods may nest: then all handles count.
  void use_bootstrap(unsigned index, MethodInfo& m) {
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
        if (tag == kDynamic) use_all_handles(m);
      }
    }
    if (in.failed()) use_all_handles(m);
  }
  void load_constant(unsigned index, MethodInfo& m) {
    const unsigned tag = pool_.tag(index);
    if (tag == kMethodHandle) use_handle(index, m);
    if (tag == kDynamic) use_bootstrap(pool_.first(index), m);
  }

  bool scan(Bytes code, MethodInfo& m) {
    ByteReader in(code);
    while (!in.at_end()) {
      const std::size_t pc = in.pos();
      const unsigned op = in.u1();
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
          use_member(in.u2(), kTriggers | kFields);
          break;
        case kInvokestatic:
          use_member(in.u2(), kTriggers);
          break;
        case kInvokevirtual:
        case kInvokespecial: {
          const unsigned ref = in.u2();
          if (pool_.ref_name(ref) == "clone" &&
              pool_.ref_descriptor(ref) == "()Ljava/lang/Object;" &&
              !starts_with(pool_.ref_class(ref), "[")) {
            m.clones = true;
          }
          if (asks_a_class(ref)) m.asks = true;
          break;
        }
        case kInvokedynamic:
          use_bootstrap(pool_.first(in.u2()), m);
          in.skip(2);
          break;
        case kNew:
          use_class(in.u2(), kCreates | kTriggers);
          break;
        case kWide:
          in.skip(in.u1() == kIinc ? 4 : 2);
          break;
        case kTableswitch: {
          in.skip(3 - pc % 4 + 4);
          const std::int64_t low = in.s4();
          const std::int64_t high = in.s4();
          if (high < low) return false;
          in.skip(static_cast<std::size_t>(4 * (high - low + 1)));
          break;
        }
        case kLookupswitch:
          in.skip(3 - pc % 4 + 4);
          in.skip(std::size_t{8} * in.u4());
          break;
        default: {
          const unsigned n = length_of(op);
          if (n == 0) return false;
          in.skip(n - 1);
        }
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
  unsigned* name_of_ = nullptr;  // pool index to name number + 1
  unsigned char* scratch_ = nullptr;
};

}  // namespace

bool read_head(Bytes cls, Arena& arena, ClassInfo& info) {
  return Reader(cls, arena, info).head();
}

bool read_class(Bytes cls, Arena& arena, ClassInfo& info) {
  Reader reader(cls, arena, info);
  return reader.head() && reader.body();
}

}  // namespace rejig::agent
