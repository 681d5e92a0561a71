// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/outline.h"

#include "classfile/words/kept_state.h"

namespace rejig::agent {
namespace {

// Is there an attribute of that name? The index is remembered: it is the same
// for all methods.
bool skip_attributes(ByteReader& in, const ConstantPool& pool,
                     std::string_view name, unsigned& index) {
  bool found = false;
  for (unsigned n = in.u2(); n > 0 && !in.failed(); --n) {
    const unsigned attribute = in.u2();
    if (attribute != index && !name.empty() && pool.utf8(attribute) == name) {
      index = attribute;
    }
    found |= attribute == index;
    in.skip(in.u4());
  }
  return found;
}

}  // namespace

bool read_outline(Bytes cls, Arena& arena, Outline& out) {
  ByteReader in(cls);
  if (in.u4() != 0xcafebabe) return false;
  out.cls = cls;
  out.minor = in.u2();
  out.major = in.u2();
  out.pool_at = in.pos();
  if (!out.pool.read(in, cls, arena)) return false;
  out.pool_end = in.pos();
  out.access = in.u2();
  out.name = out.pool.class_name(in.u2());
  in.skip(2);
  in.skip(std::size_t{2} * in.u2());
  unsigned none = 0;
  classfile::KeptState kept;
  for (unsigned n = in.u2(); n > 0 && !in.failed(); --n) {
    const unsigned access = in.u2();
    in.skip(2);
    kept.field(access, out.pool.utf8(in.u2()));
    skip_attributes(in, out.pool, {}, none);
  }
  out.keeps_state = static_cast<bool>(kept);
  out.methods_at = in.pos();
  out.method_count = in.u2();
  unsigned code = 0x10000;
  for (unsigned n = out.method_count; n > 0 && !in.failed(); --n) {
    in.skip(2);
    const std::string_view name = out.pool.utf8(in.u2());
    if (name.empty()) return false;
    out.has_initializer = out.has_initializer || name == "<clinit>";
    in.skip(2);
    if (skip_attributes(in, out.pool, "Code", code)) ++out.code_count;
  }
  out.attributes_at = in.pos();
  skip_attributes(in, out.pool, {}, none);
  return !in.failed() && in.at_end() && !out.name.empty();
}

}  // namespace rejig::agent
