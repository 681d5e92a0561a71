// SPDX-License-Identifier: Apache-2.0
// A method gets a prefix that marks its entry, longer by a multiple of four so that
// no switch has to be padded anew. New constants go behind the last one of the pool:
// no old index changes. Tables that hold positions (exceptions, lines, variables,
// stack maps) move by the length of the prefix. Each way to decline leaves the
// class as it was, and says so by name.
#include "apps/agent/rewriter.h"

#include <utility>

#include "apps/agent/code_tables.h"
#include "apps/agent/instructions.h"

namespace rejig::agent {
namespace {

constexpr unsigned kMaxCode = 65535;
constexpr unsigned kMaxPool = 65535;
constexpr unsigned kNop = 0x00;
constexpr unsigned kIconst1 = 0x04;
constexpr unsigned kSipush = 0x11;
constexpr unsigned kLdcW = 0x13;
constexpr unsigned kIload = 0x15;
constexpr unsigned kAload = 0x19;
constexpr unsigned kSastore = 0x56;
constexpr unsigned kReturn = 0xb1;
constexpr unsigned kGetstatic = 0xb2;
constexpr unsigned kInvokevirtual = 0xb6;
constexpr unsigned kInvokestatic = 0xb8;
constexpr unsigned kMarkStack = 3;  // array, index, value
constexpr std::size_t kLongestPrefix = 12;
constexpr unsigned kMaxHooks = 32;  // different hooks in one class

// Constants that go behind the last one of the pool.
class PoolTail {
 public:
  PoolTail(unsigned first_free, Buffer& out) : next_(first_free), out_(out) {}

  bool full() const { return next_ > kMaxPool; }
  unsigned next() const { return next_; }

  unsigned integer(std::int32_t v) {
    out_.u1(kInteger);
    out_.u4(static_cast<std::uint32_t>(v));
    return next_++;
  }
  unsigned hook(const Prefix& p) {
    return member(p, p.hook, p.descriptor, p.marks ? kFieldref : kMethodref);
  }
  unsigned end(const Prefix& p) {
    return member(p, p.at_end, "(I)V", kMethodref);
  }

 private:
  unsigned member(const Prefix& p, std::string_view name,
                  std::string_view descriptor, unsigned tag) {
    for (unsigned i = 0; i < hooks_; ++i) {
      if (known_[i].name == name && known_[i].descriptor == descriptor &&
          known_[i].owner == p.owner) {
        return known_[i].index;
      }
    }
    const unsigned owner = class_of(p.owner);
    const unsigned n = utf8(name);
    const unsigned d = utf8(descriptor);
    const unsigned nt = pair(kNameAndType, n, d);
    const unsigned ref = pair(tag, owner, nt);
    if (hooks_ < kMaxHooks) {
      known_[hooks_++] = {p.owner, name, descriptor, ref};
    }
    return ref;
  }
  unsigned class_of(std::string_view owner) {
    for (unsigned i = 0; i < owners_; ++i) {
      if (owner_[i].first == owner) return owner_[i].second;
    }
    const unsigned index = pair(kClass, utf8(owner));
    if (owners_ < kMaxOwners) owner_[owners_++] = {owner, index};
    return index;
  }

  struct Known {
    std::string_view owner;
    std::string_view name;
    std::string_view descriptor;
    unsigned index = 0;
  };
  unsigned utf8(std::string_view s) {
    out_.u1(kUtf8);
    out_.text(s);
    return next_++;
  }
  unsigned pair(unsigned tag, unsigned a) {
    out_.u1(tag);
    out_.u2(a);
    return next_++;
  }
  unsigned pair(unsigned tag, unsigned a, unsigned b) {
    out_.u1(tag);
    out_.u2(a);
    out_.u2(b);
    return next_++;
  }

  unsigned next_;
  Buffer& out_;
  static constexpr unsigned kMaxOwners = 4;
  std::pair<std::string_view, unsigned> owner_[kMaxOwners];
  unsigned owners_ = 0;
  unsigned hooks_ = 0;
  Known known_[kMaxHooks];
};

void write_number(std::int32_t number, PoolTail& pool, Buffer& out) {
  if (number >= 0 && number <= 32767) {
    out.u1(kSipush);
    out.u2(static_cast<unsigned>(number));
  } else {
    out.u1(kLdcW);
    out.u2(pool.integer(number));
  }
}

// The prefix's bytes; returns how many there are.
unsigned write_prefix(const Prefix& p, PoolTail& pool, Buffer& out) {
  const std::size_t from = out.size();
  if (p.marks) {
    out.u1(kGetstatic);
    out.u2(pool.hook(p));
    write_number(p.number, pool, out);
    out.u1(kIconst1);
    out.u1(kSastore);
  } else {
    for (unsigned i = 0; i < p.load_count; ++i) {
      out.u1(i == 1 && p.second_is_int ? kIload : kAload);
      out.u1(p.loads[i]);
    }
    if (p.has_number) write_number(p.number, pool, out);
    out.u1(kInvokestatic);
    out.u2(pool.hook(p));
  }
  while ((out.size() - from) % 4 != 0) out.u1(kNop);
  return static_cast<unsigned>(out.size() - from);
}

// In place of the last return; returns how many bytes more.
unsigned write_end(const Prefix& p, PoolTail& pool, Buffer& out) {
  const std::size_t from = out.size();
  write_number(p.number, pool, out);
  out.u1(kInvokestatic);
  out.u2(pool.end(p));
  out.u1(kReturn);
  return static_cast<unsigned>(out.size() - from) - 1;
}

// Is it the call that the hook stands in for? Then the receiver is the hook's
// first argument.
bool is_replaced(const Prefix& p, const ConstantPool& pool, unsigned ref) {
  if (pool.ref_class(ref) != p.instead_of || pool.ref_name(ref) != p.hook) {
    return false;
  }
  // "(L" receiver ";" and the rest of it
  std::string_view rest = pool.ref_descriptor(ref);
  std::string_view wanted = p.descriptor;
  const std::size_t receiver = p.instead_of.size() + 3;
  if (!starts_with(rest, "(") || wanted.size() < receiver) return false;
  rest.remove_prefix(1);
  wanted.remove_prefix(receiver);
  return rest == wanted;
}

// False: an instruction is not understood.
bool replace_calls(Bytes code, const Prefix& p, const ConstantPool& pool,
                   PoolTail& tail, Buffer& out) {
  ByteReader in(code);
  while (!in.at_end()) {
    const std::size_t pc = in.pos();
    const unsigned op = in.u1();
    if (!skip_operands(op, pc, in)) return false;
    const Bytes whole = code.subspan(pc, in.pos() - pc);
    if (op == kInvokevirtual &&
        is_replaced(p, pool, base::load_u2(&whole[1]))) {
      out.u1(kInvokestatic);
      out.u2(tail.hook(p));
    } else {
      out.bytes(whole);
    }
  }
  return true;
}

// Is the last instruction a return, and no other one is?
bool returns_at_end_only(Bytes code) {
  ByteReader in(code);
  unsigned returns = 0;
  unsigned op = 0;
  while (!in.at_end()) {
    const std::size_t pc = in.pos();
    op = in.u1();
    returns += op == kReturn ? 1 : 0;
    if (!skip_operands(op, pc, in)) return false;
  }
  return returns == 1 && op == kReturn;
}

Verdict rewrite_code_attribute(std::string_view name, ByteReader body,
                               unsigned by, Buffer& out) {
  if (name == "LineNumberTable") {
    return move_line_numbers(body, by, out) ? Verdict::kRewritten
                                            : Verdict::kMalformed;
  }
  if (name == "LocalVariableTable" || name == "LocalVariableTypeTable") {
    return move_local_variables(body, by, out) ? Verdict::kRewritten
                                               : Verdict::kMalformed;
  }
  if (name == "StackMapTable") {
    return move_frames(body, by, out) ? Verdict::kRewritten : Verdict::kFrames;
  }
  if (name == "RuntimeVisibleTypeAnnotations" ||
      name == "RuntimeInvisibleTypeAnnotations") {
    return move_type_annotations(body, by, out) ? Verdict::kRewritten
                                                : Verdict::kTypeAnnotations;
  }
  out.bytes(body.bytes(body.remaining()));
  return Verdict::kRewritten;
}

Verdict rewrite_code(ByteReader in, const Prefix& prefix,
                     const ConstantPool& pool, PoolTail& tail, Buffer& out) {
  const unsigned max_stack = in.u2();
  const unsigned max_locals = in.u2();
  const std::uint32_t length = in.u4();
  const Bytes code = in.bytes(length);
  if (in.failed() || length == 0) return Verdict::kMalformed;

  const bool replaces = !prefix.instead_of.empty();
  unsigned stack = prefix.load_count + (prefix.has_number ? 1u : 0u);
  if (prefix.marks) stack = kMarkStack;
  if (replaces) stack = 0;
  out.u2(max_stack < stack ? stack : max_stack);
  out.u2(max_locals);
  const std::size_t length_at = out.size();
  out.u4(0);
  const unsigned by = replaces ? 0 : write_prefix(prefix, tail, out);
  unsigned more = 0;
  if (replaces) {
    if (!replace_calls(code, prefix, pool, tail, out)) {
      return Verdict::kMalformed;
    }
  } else if (!prefix.at_end.empty() && returns_at_end_only(code)) {
    out.bytes(code.subspan(0, length - 1));
    more = write_end(prefix, tail, out);
  } else {
    out.bytes(code);
  }
  if (length + by + more > kMaxCode) return Verdict::kMethodTooLarge;
  out.set_u4(length_at, length + by + more);

  const unsigned handlers = in.u2();
  out.u2(handlers);
  for (unsigned i = 0; i < handlers; ++i) {
    const unsigned start = in.u2();
    const unsigned end = in.u2();
    const unsigned handler = in.u2();
    const unsigned type = in.u2();
    if (start > length || end > length || handler >= length) {
      return Verdict::kMalformed;
    }
    out.u2(start + by);
    out.u2(end + by + (end == length ? more : 0));
    out.u2(handler + by);
    out.u2(type);
  }

  const unsigned attributes = in.u2();
  out.u2(attributes);
  for (unsigned i = 0; i < attributes; ++i) {
    const unsigned name = in.u2();
    const std::uint32_t size = in.u4();
    const ByteReader body = in.sub(size);
    if (in.failed()) return Verdict::kMalformed;
    out.u2(name);
    const std::size_t size_at = out.size();
    out.u4(0);
    const Verdict v = rewrite_code_attribute(pool.utf8(name), body, by, out);
    if (v != Verdict::kRewritten) return v;
    out.set_u4(size_at, static_cast<std::uint32_t>(out.size() - size_at - 4));
  }
  return !in.failed() && in.at_end() ? Verdict::kRewritten
                                     : Verdict::kMalformed;
}

struct Rewriting {
  const ConstantPool& pool;
  PoolTail& tail;
  PrefixFor prefix_for;
  void* context;
  bool modern_code;  // u2/u2/u4 in Code: version 45.3 and later
  bool any = false;
};

// What the method's attributes are, without writing.
bool method_head(ByteReader in, const ConstantPool& pool, unsigned attributes,
                 MethodHead& head) {
  unsigned codes = 0;
  for (unsigned i = 0; i < attributes; ++i) {
    const unsigned name = in.u2();
    in.skip(in.u4());
    if (in.failed()) return false;
    if (pool.utf8(name) == "Code") ++codes;
  }
  head.has_code = codes == 1;
  return codes <= 1;
}

Verdict rewrite_method(ByteReader& in, unsigned index, Rewriting& r,
                       Buffer& out) {
  MethodHead head;
  head.index = index;
  head.access = in.u2();
  const unsigned name = in.u2();
  const unsigned descriptor = in.u2();
  const unsigned attributes = in.u2();
  head.name = r.pool.utf8(name);
  head.descriptor = r.pool.utf8(descriptor);
  if (in.failed() || head.name.empty() || head.descriptor.empty() ||
      !method_head(in, r.pool, attributes, head)) {
    return Verdict::kMalformed;
  }
  Prefix prefix;
  const bool takes = head.has_code && r.prefix_for(r.context, head, prefix);
  if (takes && !r.modern_code) return Verdict::kOldCode;
  r.any |= takes;

  out.u2(head.access);
  out.u2(name);
  out.u2(descriptor);
  out.u2(attributes);
  for (unsigned i = 0; i < attributes; ++i) {
    const unsigned attribute = in.u2();
    const std::uint32_t size = in.u4();
    ByteReader body = in.sub(size);
    if (in.failed()) return Verdict::kMalformed;
    out.u2(attribute);
    if (!takes || r.pool.utf8(attribute) != "Code") {
      out.u4(size);
      out.bytes(body.bytes(size));
      continue;
    }
    const std::size_t size_at = out.size();
    out.u4(0);
    const Verdict v = rewrite_code(body, prefix, r.pool, r.tail, out);
    if (v != Verdict::kRewritten) return v;
    if (r.tail.full()) return Verdict::kPoolFull;
    out.set_u4(size_at, static_cast<std::uint32_t>(out.size() - size_at - 4));
  }
  return Verdict::kRewritten;
}

bool names_marks(const ConstantPool& pool) {
  for (unsigned i = 1; i < pool.count(); ++i) {
    const std::string_view name = pool.class_name(i);
    if (name == kMarksClass || name == kMoreMarksClass ||
        name == kFilesClass || name == kStateClass) {
      return true;
    }
  }
  return false;
}

}  // namespace

const char* verdict_name(Verdict v) {
  switch (v) {
    case Verdict::kRewritten:
      return "rewritten";
    case Verdict::kNothingToDo:
      return "no-code";
    case Verdict::kMalformed:
      return "malformed";
    case Verdict::kPoolFull:
      return "pool-full";
    case Verdict::kMethodTooLarge:
      return "method-too-large";
    case Verdict::kOldCode:
      return "old-code";
    case Verdict::kFrames:
      return "frames";
    case Verdict::kTypeAnnotations:
      return "type-annotations";
    case Verdict::kHooked:
      return "hooked";
    case Verdict::kAlreadyMarked:
      return "already-marked";
    case Verdict::kTooManyMethods:
      return "too-many-methods";
    case Verdict::kNoMemory:
      return "no-memory";
  }
  return "unknown";
}

Verdict rewrite(const Outline& of, PrefixFor prefix_for, void* context,
                Buffer& out) {
  if (names_marks(of.pool)) return Verdict::kAlreadyMarked;
  ByteReader in(of.cls);
  in.seek(of.methods_at);
  const unsigned methods = in.u2();
  Buffer constants;
  Buffer bodies;
  bodies.reserve(of.attributes_at - of.methods_at +
                 kLongestPrefix * of.code_count);
  PoolTail tail(of.pool.count(), constants);
  Rewriting r{of.pool, tail, prefix_for, context,
              of.major > 45 || (of.major == 45 && of.minor >= 3)};
  for (unsigned i = 0; i < methods; ++i) {
    const Verdict v = rewrite_method(in, i, r, bodies);
    if (v != Verdict::kRewritten) return v;
  }
  if (!r.any) return Verdict::kNothingToDo;

  out.clear();
  out.reserve(of.cls.size() - (of.attributes_at - of.methods_at) +
              constants.size() + bodies.size());
  out.bytes(of.cls.subspan(0, of.pool_at));
  out.u2(tail.next());
  out.bytes(of.cls.subspan(of.pool_at + 2, of.pool_end - of.pool_at - 2));
  out.bytes(constants);
  out.bytes(of.cls.subspan(of.pool_end, of.methods_at - of.pool_end));
  out.u2(methods);
  out.bytes(bodies);
  out.bytes(of.cls.subspan(of.attributes_at));
  return out.failed() ? Verdict::kNoMemory : Verdict::kRewritten;
}

Verdict rewrite(Bytes cls, PrefixFor prefix_for, void* context, Arena& arena,
                Buffer& out) {
  Outline of;
  return read_outline(cls, arena, of) ? rewrite(of, prefix_for, context, out)
                                      : Verdict::kMalformed;
}

}  // namespace rejig::agent
