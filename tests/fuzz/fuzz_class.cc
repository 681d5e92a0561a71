// SPDX-License-Identifier: Apache-2.0
// Any bytes as a class file: an error, or a class of which everything can be
// asked.
#include <cstdlib>
#include <string>

#include "classfile/dump/dump.h"
#include "classfile/reader/annotations.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"

namespace {

using namespace rejig;
using namespace rejig::classfile;

void require(bool condition) {
  if (!condition) std::abort();
}

void walk_code(const CodeView& code) {
  InstructionReader reader(code.code);
  Instruction in;
  const auto inside = [&](std::uint32_t pc) {
    require(pc < code.code.size());
  };
  while (reader.next(in)) {
    const OperandKind kind = operand_kind(in.op);
    if (kind == OperandKind::k_branch || kind == OperandKind::k_branch_w) {
      inside(in.target);
    }
    if (in.is_switch()) {
      inside(in.target);
      for (std::uint32_t i = 0; i < in.cases; ++i) {
        inside(in.switch_target(i));
        require(i == 0 || in.switch_key(i - 1) < in.switch_key(i));
      }
    }
  }
  require(!reader.failed() && reader.position() == code.code.size());
  for (std::uint32_t i = 0; i < code.handler_count; ++i) {
    const Handler h = code.handler(static_cast<std::uint16_t>(i));
    inside(h.at);
    require(h.start < h.end && h.end <= code.code.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const base::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto cls = ClassView::parse(bytes, "fuzz");
  if (!cls.ok()) {
    require(!cls.error().what.empty());
    return 0;
  }
  for (const MemberView& m : cls->methods()) {
    const auto code = CodeView::of(*cls, m);
    const bool bodyless =
        (m.access & (kAccNative | kAccAbstract)) != 0 && m.name != "<clinit>";
    require(code.has_value() != bodyless);
    if (code) walk_code(*code);
    for (const AttributeView& a : m.code_attributes) {
      local_variables(cls->pool(), a);
    }
  }
  DumpTypes types = DumpTypes::usual();
  types.set(DumpType::kInsn);
  std::string out;
  dump_class(out, *cls, "fuzz", true, types);
  dump_class_text(out, *cls, "fuzz", true);
  require(!out.empty());
  require(!ClassView::parse(bytes.first(size - 1), "cut").ok());
  return 0;
}
