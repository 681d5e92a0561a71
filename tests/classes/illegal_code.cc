// SPDX-License-Identifier: Apache-2.0
#include "tests/classes/samples.h"
#include "tests/support/class_builder.h"

namespace rejig::test {
namespace {

// Opcodes used below.
constexpr int kIconst0 = 0x03;
constexpr int kReturn = 0xB1;

// A class of version 49 (verified without frames) with this code.
std::string code(const Out& bytes, unsigned major = 49,
                 const std::vector<BuiltHandler>& handlers = {}) {
  ClassBuilder b;
  b.version(major).add_code(bytes, 4, 4, handlers);
  return b.build();
}

// `op` with a pool index that `make` gives; then the bytes `rest`.
template <class Make>
std::string operand(unsigned major, int op, Make&& make,
                    const Out& rest = Out{kReturn}) {
  ClassBuilder b;
  b.version(major);
  const unsigned index = make(b);
  Out bytes{kIconst0, op};
  if (op == 0x12) {
    bytes.u1(index);
  } else {
    bytes.u2(index);
  }
  b.add_code(bytes.raw(rest), 8, 8);
  return b.build();
}

const auto method_m = [](ClassBuilder& b) {
  return b.method("A", "m", "()V");
};
const auto interface_m = [](ClassBuilder& b) {
  return b.interface_method("A", "m", "()V");
};
const auto init = [](ClassBuilder& b) {
  return b.method("A", "<init>", "()V");
};

Out table(std::int32_t low, std::int32_t high, int padding = 0) {
  return Out{kIconst0, 0xAA, padding, padding}
      .u4(0)
      .u4(static_cast<std::uint32_t>(low))
      .u4(static_cast<std::uint32_t>(high))
      .u4(0)
      .u1(kReturn);
}

}  // namespace

std::vector<Sample> illegal_code() {
  return {
      {"opcode_202", code(Out{0xCA, kReturn}), "opcode 202"},
      {"opcode_255", code(Out{0xFF}), "opcode 255"},
      {"operand_behind_the_code", code(Out{kReturn, 0x11, 0}),
       "sipush with operands"},
      {"wide_of_nop", code(Out{0xC4, 0x00, kReturn}), "wide with operands"},
      {"jump_behind_the_code", code(Out{0xA7, 0, 9, kReturn}), "jump to 9"},
      {"jump_before_the_code", code(Out{0xA7, 0xFF, 0xFF, kReturn}),
       "jump to -1"},
      {"jump_into_an_instruction", code(Out{0xA7, 0, 1, kReturn}),
       "jump to 1"},
      {"jump_behind_wide", code(Out{0xA7, 0, 4, 0xC4, 0x15, 0, 0, kReturn}),
       "jump to 4"},
      {"table_switch_low_above_high", code(table(2, 1)),
       "tableswitch with operands"},
      {"table_switch_behind_the_code", code(table(0, 1000)),
       "tableswitch with operands"},
      {"padding_in_50", code(table(1, 1, 1), 50), "padding is not 0"},
      {"lookup_switch_with_negative_count",
       code(Out{kIconst0, 0xAB, 0, 0}.u4(0).u4(0xFFFFFFFF).u1(kReturn)),
       "lookupswitch with operands"},
      {"lookup_switch_out_of_order",
       code(Out{kIconst0, 0xAB, 0, 0}
                .u4(0x1B)
                .u4(2)
                .u4(5)
                .u4(0x1B)
                .u4(5)
                .u4(0x1B)
                .u1(kReturn)),
       "not in ascending order"},
      {"ldc_of_a_utf8", operand(52, 0x12, [](auto& b) { return b.utf8("x"); }),
       "expected a loadable constant"},
      {"ldc_of_a_long",
       operand(52, 0x12, [](auto& b) { return b.long_value(1); }),
       "of one slot"},
      {"ldc2_w_of_an_int",
       operand(52, 0x14, [](auto& b) { return b.integer(1); }),
       "of two slots"},
      {"ldc_of_a_class_in_48",
       operand(48, 0x12, [](auto& b) { return b.cls("A"); }),
       "allowed from version 49"},
      {"getstatic_of_a_method", operand(52, 0xB2, method_m),
       "expected a Fieldref"},
      {"invokevirtual_of_an_interface_method", operand(52, 0xB6, interface_m),
       "expected a Methodref"},
      {"invokestatic_of_an_interface_method_in_51",
       operand(51, 0xB8, interface_m), "expected a Methodref"},
      {"invokeinterface_of_a_class_method",
       operand(52, 0xB9, method_m, Out{1, 0, kReturn}),
       "expected an InterfaceMethodref"},
      {"invokeinterface_with_a_wrong_count",
       operand(52, 0xB9, interface_m, Out{2, 0, kReturn}),
       "count 2, expected 1"},
      {"invokeinterface_with_a_fourth_byte",
       operand(52, 0xB9, interface_m, Out{1, 1, kReturn}),
       "operand byte 4 is not 0"},
      {"invokedynamic_with_a_third_byte", [] {
         ClassBuilder b;
         const unsigned h = b.handle(6, b.method("A", "m", "()V"));
         b.add_attribute("BootstrapMethods", Out().u2(1).u2(h).u2(0));
         b.add_code(Out{0xBA}
                        .u2(b.invoke_dynamic(0, "m", "()V"))
                        .u2(1)
                        .u1(kReturn));
         return b.build();
       }(), "operand bytes 3 and 4 are not 0"},
      {"invokestatic_of_init", operand(52, 0xB8, init), "begins with '<'"},
      {"invokevirtual_of_init", operand(52, 0xB6, init), "begins with '<'"},
      {"new_of_an_array",
       operand(52, 0xBB, [](auto& b) { return b.cls("[I"); }), "of an array"},
      {"new_of_a_utf8", operand(52, 0xBB, [](auto& b) { return b.utf8("A"); }),
       "expected a Class"},
      {"newarray_of_type_3", code(Out{kIconst0, 0xBC, 3, kReturn}),
       "array type 3"},
      {"newarray_of_type_12", code(Out{kIconst0, 0xBC, 12, kReturn}),
       "array type 12"},
      {"multianewarray_of_0_dimensions",
       operand(52, 0xC5, [](auto& b) { return b.cls("[I"); },
               Out{0, kReturn}),
       "0 dimensions"},
      {"multianewarray_beyond_the_type",
       operand(52, 0xC5, [](auto& b) { return b.cls("[I"); },
               Out{2, kReturn}),
       "2 dimensions"},
      {"anewarray_of_256_dimensions",
       operand(52, 0xBD,
               [](auto& b) { return b.cls(std::string(255, '[') + "I"); }),
       "of an array of 255 dimensions"},
      {"local_beyond_max_locals", code(Out{0x15, 4, 0x57, kReturn}),
       "local variable 4, max_locals is 4"},
      {"wide_local_beyond_max_locals",
       code(Out{0xC4, 0x84, 1, 0, 0, 1, kReturn}), "local variable 256"},
      {"long_in_the_last_local", code(Out{0x09, 0x42, kReturn}),
       "local variable 3"},
      {"jsr_in_51", code(Out{0xA8, 0, 4, kReturn, 0x4B, 0xA9, 0}, 51),
       "allowed up to 50"},
      {"handler_of_an_empty_range", code(Out{kReturn, 0x57, kReturn}, 49,
                                         {{0, 0, 1, 0}}),
       "range 0 to 0"},
      {"handler_behind_the_code", code(Out{kReturn, 0x57, kReturn}, 49,
                                       {{0, 9, 1, 0}}),
       "range 0 to 9"},
      {"handler_of_half_an_instruction",
       code(Out{0x11, 0, 0, 0x57, kReturn}, 49, {{1, 3, 3, 0}}),
       "range 1 to 3"},
      {"handler_in_an_instruction",
       code(Out{0x11, 0, 0, 0x57, kReturn}, 49, {{0, 3, 2, 0}}),
       "begins at 2"},
      {"handler_of_a_utf8", [] {
         ClassBuilder b;
         const unsigned type = b.utf8("x");
         b.add_code(Out{kReturn, 0x57, kReturn}, 1, 1, {{0, 1, 1, type}});
         return b.build();
       }(), "expected 0 or a Class"},
  };
}

}  // namespace rejig::test
