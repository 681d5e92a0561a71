// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/listing.h"

#include <string_view>

#include "apps/agent/constant_pool.h"
#include "apps/agent/instructions.h"

namespace rejig::agent {
namespace {

constexpr std::string_view kClassClass = "java/lang/Class";
constexpr unsigned kInvokevirtual = 0xb6, kInvokestatic = 0xb8;

// Who calls whom from JDK 8 to 25. What is not called here has a hook, or asks
// for the members of one class only, which the callee tells.
struct Call {
  std::string_view callee;
  std::string_view callers[7];
};
constexpr Call kCalls[] = {
    {"privateGetDeclaredMethods",
     {"getDeclaredMethods", "getDeclaredMethod", "getDeclaredPublicMethods",
      "getEnclosingMethod", "getMethodsRecursive", "privateGetMethodRecursive",
      "privateGetPublicMethods"}},
    {"privateGetPublicMethods", {"privateGetPublicMethods", "getMethods"}},
    {"getMethodsRecursive",
     {"getMethodsRecursive", "getMethod0", "findMethod"}},
    {"privateGetMethodRecursive", {"privateGetMethodRecursive", "getMethod0"}},
    {"privateGetDeclaredFields",
     {"getDeclaredFields", "getDeclaredField", "getField0",
      "privateGetPublicFields"}},
    {"privateGetPublicFields", {"privateGetPublicFields", "getFields"}},
    {"getField0", {"getField0", "getField"}},
};

const Call* call_of(const ConstantPool& pool, unsigned ref) {
  if (pool.ref_class(ref) != kClassClass) return nullptr;
  for (const Call& c : kCalls) {
    if (pool.ref_name(ref) == c.callee) return &c;
  }
  return nullptr;
}

bool may_call(const Call& call, std::string_view caller) {
  for (const std::string_view known : call.callers) {
    if (known == caller) return true;
  }
  return false;
}

bool code_is_known(Bytes code, std::string_view name,
                   const ConstantPool& pool) {
  ByteReader in(code);
  while (!in.at_end()) {
    const std::size_t pc = in.pos();
    const unsigned op = in.u1();
    if (op >= kInvokevirtual && op <= kInvokestatic) {
      const Call* call = call_of(pool, in.u2());
      if (call != nullptr && !may_call(*call, name)) return false;
    } else if (!skip_operands(op, pc, in)) {
      return false;
    }
  }
  return !in.failed();
}

void skip_attributes(ByteReader& in) {
  const unsigned n = in.u2();
  for (unsigned i = 0; i < n && !in.failed(); ++i) {
    in.skip(2);
    in.skip(in.u4());
  }
}

bool method_is_known(ByteReader& in, const ConstantPool& pool) {
  in.skip(2);
  const std::string_view name = pool.utf8(in.u2());
  in.skip(2);
  const unsigned attributes = in.u2();
  for (unsigned i = 0; i < attributes; ++i) {
    const bool is_code = pool.utf8(in.u2()) == "Code";
    ByteReader body = in.sub(in.u4());
    if (in.failed()) return false;
    if (!is_code) continue;
    body.skip(4);
    const Bytes code = body.bytes(body.u4());
    if (body.failed() || !code_is_known(code, name, pool)) return false;
  }
  return !in.failed();
}

}  // namespace

bool lists_as_known(Bytes java_lang_class) {
  Arena arena;
  ConstantPool pool;
  ByteReader in(java_lang_class);
  in.skip(8);
  if (!pool.read(in, java_lang_class, arena)) return false;
  for (unsigned i = 1; i < pool.count(); ++i) {
    if (pool.tag(i) == kMethodHandle &&
        call_of(pool, pool.handle_target(i)) != nullptr) {
      return false;
    }
  }
  in.skip(6);
  in.skip(std::size_t{2} * in.u2());
  const unsigned fields = in.u2();
  for (unsigned i = 0; i < fields && !in.failed(); ++i) {
    in.skip(6);
    skip_attributes(in);
  }
  const unsigned methods = in.u2();
  for (unsigned i = 0; i < methods; ++i) {
    if (!method_is_known(in, pool)) return false;
  }
  return !in.failed() && methods != 0;
}

}  // namespace rejig::agent
