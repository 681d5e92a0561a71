// SPDX-License-Identifier: Apache-2.0
#include "tests/classes/samples.h"
#include "tests/support/class_builder.h"

namespace rejig::test {
namespace {

constexpr int kIconst0 = 0x03;
constexpr int kReturn = 0xB1;

// iconst_0; a switch at pc 1 whose targets are all the return behind it.
Out table_switch(std::int32_t low, std::int32_t high, int padding) {
  Out code{kIconst0, 0xAA, padding, padding};
  const auto rows = static_cast<std::uint32_t>(std::int64_t{high} - low + 1);
  const std::uint32_t end = 12 + 4 * rows + 3;
  code.u4(end).u4(static_cast<std::uint32_t>(low));
  code.u4(static_cast<std::uint32_t>(high));
  for (std::uint32_t i = 0; i < rows; ++i) code.u4(end);
  return code.u1(kReturn);
}

}  // namespace

std::vector<Sample> legal_samples() {
  return {
      {"plain", ClassBuilder().build(), ""},
      {"version_45_0", class_with(45, [](auto& b) { b.add_code(Out{kReturn}); }),
       ""},
      {"major_70_is_read", ClassBuilder().version(70).build(), "", false},
      {"preview_of_61", ClassBuilder().version(61, 65535).build(), "", false},
      {"overlong_utf8_in_47",
       class_with(47, [](auto& b) { b.utf8("\xC1\x81\xE0\x81\x81"); }), ""},
      {"zero_as_two_bytes", class_with(52, [](auto& b) { b.utf8("\xC0\x80"); }), ""},
      {"lone_surrogate", class_with(52, [](auto& b) { b.utf8("\xED\xA0\x80"); }),
       ""},
      {"same_utf8_twice", class_with(52, [](auto& b) {
         b.own_entry(Out{1, 0, 1, 'a'});
         b.own_entry(Out{1, 0, 1, 'a'});
       }), ""},
      {"long_in_the_last_two_slots", class_with(52, [](auto& b) {
         b.cls("T");
         b.cls("java/lang/Object");
         b.long_value(1);
       }), ""},
      {"names_of_other_languages", class_with(52, [](auto& b) {
         b.cls("a b/c'd");
         b.add_field(0, "x y\n", "I").add_code(Out{kReturn}, 1, 1, {}, {},
                                               "a-b=c");
       }), ""},
      {"interface_without_abstract_flag_in_48",
       ClassBuilder().version(48).access(0x201).build(), ""},
      {"private_interface_method", class_with(52, [](auto& b) {
         b.access(0x601).add_method(0x000A, "m", "()V",
                                    {b.code(1, 1, Out{kReturn})});
       }), ""},
      {"abstract_method_of_a_class_that_is_not", class_with(52, [](auto& b) {
         b.add_method(0x401, "m", "()V");
       }), ""},
      {"strict_abstract_method_in_61", class_with(61, [](auto& b) {
         b.access(0x421).add_method(0xC01, "m", "()V");
       }), ""},
      {"arguments_of_255_slots", class_with(52, [](auto& b) {
         b.add_code(Out{kReturn}, 1, 255, {}, {}, "m",
                    "(" + std::string(255, 'I') + ")V");
       }), ""},
      {"code_of_65535_bytes", class_with(49, [](auto& b) {
         Out code;
         for (int i = 0; i < 65534; ++i) code.u1(0);
         b.add_code(code.u1(kReturn));
       }), ""},
      {"handler_that_covers_itself", class_with(49, [](auto& b) {
         b.add_code(Out{kReturn, 0x57, kReturn}, 1, 1, {{0, 3, 1, 0}});
       }), ""},
      {"table_switch_up_to_the_largest_int", class_with(49, [](auto& b) {
         b.add_code(table_switch(0x7FFFFFFE, 0x7FFFFFFF, 0));
       }), ""},
      {"lookup_switch_without_pairs", class_with(49, [](auto& b) {
         b.add_code(
             Out{kIconst0, 0xAB, 0, 0}.u4(11).u4(0).u1(kReturn));
       }), ""},
      {"padding_in_51", class_with(51, [](auto& b) {
         const Out frames = b.attribute("StackMapTable", Out().u2(1).u1(20));
         b.add_code(table_switch(1, 1, 7), 2, 0, {}, {frames});
       }), ""},
      {"jsr_in_49", class_with(49, [](auto& b) {
         b.add_code(Out{0xA8, 0, 4, kReturn, 0x4B, 0xA9, 0}, 1, 1);
       }), ""},
      {"wide_ret_in_49", class_with(49, [](auto& b) {
         b.add_code(Out{0xA8, 0, 4, kReturn, 0x4B, 0xC4, 0xA9, 0, 0}, 1, 1);
       }), ""},
      {"code_on_a_class", class_with(52, [](auto& b) {
         b.add_attribute("Code", Out{1});
       }), ""},
      {"constant_value_on_a_method", class_with(52, [](auto& b) {
         const Out a = b.attribute("ConstantValue", Out{1, 2, 3});
         b.add_method(0x101, "m", "()V", {a});
       }), ""},
      {"constant_value_of_an_instance_field", class_with(52, [](auto& b) {
         const Out a = b.attribute("ConstantValue", Out{1, 2, 3});
         b.add_field(0, "f", "I", {a});
       }), ""},
      {"broken_annotations", class_with(52, [](auto& b) {
         b.add_attribute("RuntimeVisibleAnnotations", Out{0, 9, 1});
       }), ""},
      {"broken_nest_host_in_54", class_with(54, [](auto& b) {
         b.add_attribute("NestHost", Out{0});
       }), ""},
      {"broken_signature_in_48", class_with(48, [](auto& b) {
         b.add_attribute("Signature", Out{0});
       }), ""},
      {"synthetic_twice", class_with(52, [](auto& b) {
         b.add_attribute("Synthetic", Out());
         b.add_attribute("Synthetic", Out());
       }), ""},
      {"unknown_attribute", class_with(52, [](auto& b) {
         b.add_attribute("org.aspectj.weaver.AjSynthetic", Out{1, 2, 3});
       }), ""},
      {"two_line_number_tables", class_with(49, [](auto& b) {
         const Out a =
             b.attribute("LineNumberTable", Out().u2(1).u2(0).u2(65535));
         b.add_code(Out{kReturn}, 1, 1, {}, {a, a});
       }), ""},
      {"local_variable_types_alone", class_with(49, [](auto& b) {
         const Out a = b.attribute("LocalVariableTypeTable",
                                   Out().u2(1).u2(0).u2(1).u2(b.utf8("x")).u2(
                                       b.utf8("TT;")).u2(0));
         b.add_code(Out{kReturn}, 1, 1, {}, {a});
       }), ""},
      {"inner_classes_too_long_in_48", class_with(48, [](auto& b) {
         b.add_attribute("InnerClasses", Out().u2(0).u1(0));
       }), ""},
  };
}

}  // namespace rejig::test
