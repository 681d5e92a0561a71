// SPDX-License-Identifier: Apache-2.0
#include "tests/classes/samples.h"
#include "tests/support/class_builder.h"

namespace rejig::test {
namespace {

constexpr int kReturn = 0xB1;

std::string class_attribute(unsigned major, std::string_view name,
                            const Out& content, unsigned access = 0x21) {
  ClassBuilder b;
  b.version(major).access(access).add_attribute(name, content);
  return b.build();
}

// A static method of 1 instruction whose Code has these attributes.
template <class Make>
std::string with_body(Make&& make) {
  ClassBuilder b;
  b.version(49);
  const std::vector<Out> attributes = make(b);
  b.add_code(Out{kReturn}, 1, 2, {}, attributes);
  return b.build();
}

Out row(ClassBuilder& b, unsigned start, unsigned length, unsigned slot,
        std::string_view type = "I") {
  return Out().u2(start).u2(length).u2(b.utf8("x")).u2(b.utf8(type)).u2(slot);
}

Out code_attribute(ClassBuilder& b, const Out& content) {
  return b.attribute("Code", content);
}

}  // namespace

std::vector<Sample> illegal_attributes() {
  return {
      {"attribute_behind_the_class", class_with(52, [](auto& b) {
         Out a;
         a.u2(b.utf8("X")).u4(100);
         b.add_field(0, "f", "I", {a});
       }), "reaches behind its structure"},
      {"attribute_name_is_a_class", class_with(52, [](auto& b) {
         b.add_field(0, "f", "I", {Out().u2(b.cls("A")).u4(0)});
       }), "attribute name is entry"},
      {"code_of_0_bytes", class_with(52, [](auto& b) { b.add_code(Out()); }),
       "code of 0 bytes"},
      {"code_of_65536_bytes", class_with(49, [](auto& b) {
         Out code;
         for (int i = 0; i < 65535; ++i) code.u1(0);
         b.add_code(code.u1(kReturn));
       }), "code of 65536 bytes"},
      {"two_codes", class_with(52, [](auto& b) {
         const Out code = b.code(1, 1, Out{kReturn});
         b.add_method(9, "m", "()V", {code, code});
       }), "attribute Code twice"},
      {"trailing_byte_in_code", class_with(52, [](auto& b) {
         b.add_method(
             9, "m", "()V",
             {code_attribute(
                 b, Out().u2(1).u2(1).u4(1).u1(kReturn).u2(0).u2(0).u1(0))});
       }), "behind the end of a Code attribute"},
      {"code_of_the_old_form", class_with(45, [](auto& b) {
         b.add_method(9, "m", "()V",
                      {code_attribute(
                          b, Out().u1(1).u1(1).u2(1).u1(kReturn).u2(0).u2(0))});
       }), "code of"},
      {"handlers_behind_code", class_with(52, [](auto& b) {
         b.add_method(
             9, "m", "()V",
             {code_attribute(b, Out().u2(1).u2(1).u4(1).u1(kReturn).u2(9))});
       }), "the attribute Code ends too early"},
      {"constant_value_of_another_type", class_with(52, [](auto& b) {
         const Out a =
             b.attribute("ConstantValue", Out().u2(b.long_value(1)));
         b.add_field(0x18, "f", "I", {a});
       }), "not of the field's type"},
      {"constant_value_of_a_reference", class_with(52, [](auto& b) {
         const Out a = b.attribute("ConstantValue", Out().u2(b.string("s")));
         b.add_field(0x18, "f", "Ljava/lang/Object;", {a});
       }), "not of the field's type"},
      {"constant_value_of_3_bytes", class_with(52, [](auto& b) {
         const Out a =
             b.attribute("ConstantValue", Out().u2(b.integer(1)).u1(0));
         b.add_field(0x18, "f", "I", {a});
       }), "does not fit its content"},
      {"two_constant_values", class_with(52, [](auto& b) {
         const Out a = b.attribute("ConstantValue", Out().u2(b.integer(1)));
         b.add_field(0x18, "f", "I", {a, a});
       }), "attribute ConstantValue twice"},
      {"exceptions_of_a_utf8", class_with(52, [](auto& b) {
         const Out a = b.attribute("Exceptions", Out().u2(1).u2(b.utf8("A")));
         b.add_method(0x101, "m", "()V", {a});
       }), "attribute Exceptions: refers to entry"},
      {"method_parameters_too_short", class_with(52, [](auto& b) {
         const Out a = b.attribute("MethodParameters", Out{1, 0, 0});
         b.add_method(0x101, "m", "()V", {a});
       }), "attribute MethodParameters: ends too early"},
      {"synthetic_of_1_byte", class_attribute(52, "Synthetic", Out{0}),
       "attribute Synthetic: length 1"},
      {"deprecated_of_1_byte", class_attribute(52, "Deprecated", Out{0}),
       "attribute Deprecated: length 1"},
      {"source_file_of_nothing", class_attribute(52, "SourceFile", Out{0, 0}),
       "attribute SourceFile: refers to entry 0"},
      {"two_source_files", class_with(52, [](auto& b) {
         const Out content = Out().u2(b.utf8("T.java"));
         b.add_attribute("SourceFile", content);
         b.add_attribute("SourceFile", content);
       }), "attribute SourceFile twice"},
      {"signature_of_nothing", class_attribute(52, "Signature", Out{0, 0}),
       "attribute Signature: refers to entry 0"},
      {"two_annotation_attributes", class_with(52, [](auto& b) {
         b.add_attribute("RuntimeVisibleAnnotations", Out{0, 0});
         b.add_attribute("RuntimeVisibleAnnotations", Out{0, 0});
       }), "attribute RuntimeVisibleAnnotations twice"},
      {"inner_class_twice", class_with(52, [](auto& b) {
         const Out r = Out().u2(b.cls("T$A")).u2(0).u2(0).u2(0);
         b.add_attribute("InnerClasses", Out().u2(2).raw(r).raw(r));
       }), "one class in two rows"},
      {"inner_class_of_itself", class_with(52, [](auto& b) {
         const unsigned a = b.cls("T$A");
         b.add_attribute("InnerClasses",
                         Out().u2(1).u2(a).u2(a).u2(0).u2(0));
       }), "its own outer class"},
      {"inner_class_of_a_utf8", class_with(52, [](auto& b) {
         b.add_attribute("InnerClasses",
                         Out().u2(1).u2(b.utf8("A")).u2(0).u2(0).u2(0));
       }), "attribute InnerClasses: refers to entry"},
      {"inner_class_with_illegal_flags", class_with(52, [](auto& b) {
         b.add_attribute("InnerClasses",
                         Out().u2(1).u2(b.cls("A")).u2(0).u2(0).u2(0x201));
       }), "class access flags 0x0201"},
      {"inner_classes_too_long", class_with(52, [](auto& b) {
         b.add_attribute("InnerClasses", Out().u2(0).u1(0));
       }), "attribute InnerClasses: length 3"},
      {"enclosing_method_without_class",
       class_attribute(52, "EnclosingMethod", Out{0, 0, 0, 0}),
       "attribute EnclosingMethod: refers to entry 0"},
      {"nest_host_and_members", class_with(55, [](auto& b) {
         b.add_attribute("NestHost", Out().u2(b.cls("A")));
         b.add_attribute("NestMembers", Out().u2(0));
       }), "next to NestMembers"},
      {"nest_member_is_a_utf8", class_with(55, [](auto& b) {
         b.add_attribute("NestMembers", Out().u2(1).u2(b.utf8("A")));
       }), "attribute NestMembers: refers to entry"},
      {"record_component_without_type", class_with(60, [](auto& b) {
         b.access(0x31).add_attribute(
             "Record", Out().u2(1).u2(b.utf8("x")).u2(0).u2(0));
       }), "component with an illegal name or descriptor"},
      {"permitted_subclasses_of_a_final_class", class_with(61, [](auto& b) {
         b.access(0x31).add_attribute("PermittedSubclasses",
                                      Out().u2(1).u2(b.cls("A")));
       }), "of a final class"},
      {"bootstrap_method_is_no_handle", class_with(52, [](auto& b) {
         b.add_attribute("BootstrapMethods",
                         Out().u2(1).u2(b.utf8("A")).u2(0));
       }), "expected a MethodHandle"},
      {"bootstrap_argument_is_a_utf8", class_with(52, [](auto& b) {
         const unsigned h = b.handle(6, b.method("A", "m", "()V"));
         b.add_attribute("BootstrapMethods",
                         Out().u2(1).u2(h).u2(1).u2(b.utf8("A")));
       }), "expected a loadable constant"},
      {"bootstrap_methods_too_long", class_with(52, [](auto& b) {
         b.add_attribute("BootstrapMethods", Out().u2(0).u1(0));
       }), "attribute BootstrapMethods: length 3"},
      {"line_behind_the_code", with_body([](auto& b) {
         return std::vector{
             b.attribute("LineNumberTable", Out().u2(1).u2(1).u2(7))};
       }), "pc 1, allowed below 1"},
      {"line_numbers_too_short", with_body([](auto& b) {
         return std::vector{b.attribute("LineNumberTable", Out().u2(1))};
       }), "attribute LineNumberTable: ends too early"},
      {"local_variable_behind_the_code", with_body([](auto& b) {
         return std::vector{b.attribute("LocalVariableTable",
                                        Out().u2(1).raw(row(b, 0, 2, 0)))};
       }), "range 0 to 2 in code of 1"},
      {"local_variable_beyond_max_locals", with_body([](auto& b) {
         return std::vector{b.attribute(
             "LocalVariableTable", Out().u2(1).raw(row(b, 0, 1, 1, "J")))};
       }), "local variable 1, max_locals is 2"},
      {"local_variable_of_an_illegal_type", with_body([](auto& b) {
         return std::vector{b.attribute(
             "LocalVariableTable", Out().u2(1).raw(row(b, 0, 1, 1, "Q")))};
       }), "expected a Utf8 with a legal type"},
      {"local_variable_twice", with_body([](auto& b) {
         const Out r = row(b, 0, 1, 0);
         return std::vector{
             b.attribute("LocalVariableTable", Out().u2(2).raw(r).raw(r))};
       }), "a row of LocalVariableTable twice"},
      {"local_variable_type_without_variable", with_body([](auto& b) {
         return std::vector{
             b.attribute("LocalVariableTable",
                         Out().u2(1).raw(row(b, 0, 1, 1))),
             b.attribute("LocalVariableTypeTable",
                         Out().u2(1).raw(row(b, 0, 1, 0)))};
       }), "a row without its row of LocalVariableTable"},
      {"two_stack_map_tables", class_with(52, [](auto& b) {
         const Out a = b.attribute("StackMapTable", Out().u2(0));
         b.add_code(Out{kReturn}, 1, 1, {}, {a, a});
       }), "attribute StackMapTable twice"},
  };
}

}  // namespace rejig::test
