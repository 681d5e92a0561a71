// SPDX-License-Identifier: Apache-2.0
#include "tests/classes/samples.h"
#include "tests/support/class_builder.h"

namespace rejig::test {
namespace {

constexpr int kReturn = 0xB1;

std::string plain() { return ClassBuilder().build(); }

std::string with_pool(unsigned major, const Out& entry, unsigned slots = 1) {
  ClassBuilder b;
  b.version(major).own_entry(entry, slots);
  return b.build();
}

std::string last_slot_long() {
  ClassBuilder b;
  b.cls("T");
  b.cls("java/lang/Object");
  b.own_entry(Out{5}.u8(1), 1);
  return b.build();
}

std::string named(std::string_view member, bool field, unsigned major = 52) {
  ClassBuilder b;
  b.version(major);
  if (field) {
    b.add_field(0, member, "I");
  } else {
    b.add_code(Out{kReturn}, 1, 1, {}, {}, member);
  }
  return b.build();
}

std::string flags(unsigned access, unsigned major = 52) {
  return ClassBuilder().version(major).access(access).build();
}

std::string field_flags(unsigned access, unsigned class_access = 0x21) {
  ClassBuilder b;
  b.access(class_access).add_field(access, "f", "I");
  return b.build();
}

// A method without Code.
std::string method_flags(unsigned access, unsigned class_access = 0x421,
                         unsigned major = 52) {
  ClassBuilder b;
  b.version(major).access(class_access).add_method(access, "m", "()V");
  return b.build();
}

}  // namespace

std::vector<Sample> illegal_structure() {
  const std::string good = plain();
  std::string bad_magic = good;
  bad_magic[0] = 'X';
  std::string no_pool = good;
  no_pool[8] = no_pool[9] = 0;
  std::string many(256 + 1, '[');
  many.back() = 'I';

  return {
      {"empty", "", "ends within the magic number"},
      {"magic_number", bad_magic, "expected 0xcafebabe"},
      {"truncated_version", good.substr(0, 7), "ends within the version"},
      {"truncated_pool", good.substr(0, 14), "ends within the constant pool"},
      {"truncated_header", good.substr(0, good.size() - 9), "ends within"},
      {"trailing_byte", good + '\0', "1 bytes behind the end of the class"},
      {"major_44", ClassBuilder().version(44).build(), "major version 44"},
      {"major_71", ClassBuilder().version(71).build(), "major version 71"},
      {"minor_1_of_56", ClassBuilder().version(56, 1).build(),
       "minor version 1 of major 56"},
      {"pool_count_0", no_pool, "constant_pool_count 0"},
      {"constant_tag_60", with_pool(52, Out{60, 0, 0}), "constant tag 60"},
      {"constant_tag_2", with_pool(52, Out{2, 0, 0}), "constant tag 2"},
      {"long_in_the_last_slot", last_slot_long(), "takes two entries"},
      {"class_of_a_class", class_with(52, [](auto& b) {
         b.own_entry(Out{7}.u2(b.cls("A")));
       }), "expected a Utf8"},
      {"string_of_nothing", with_pool(52, Out{8, 0, 0}), "expected a Utf8"},
      {"index_behind_the_pool", with_pool(52, Out{8, 0xFF, 0xFF}),
       "expected a Utf8"},
      {"fieldref_of_utf8", class_with(52, [](auto& b) {
         b.own_entry(Out{9}.u2(b.utf8("A")).u2(b.name_and_type("f", "I")));
       }), "expected a Class"},
      {"method_handle_in_50", class_with(50, [](auto& b) {
         b.handle(6, b.method("A", "m", "()V"));
       }), "constant tag 15 in version 50"},
      {"invoke_dynamic_in_50", class_with(50, [](auto& b) {
         b.invoke_dynamic(0, "m", "()V");
       }), "constant tag 18 in version 50"},
      {"dynamic_in_54", class_with(54, [](auto& b) { b.dynamic(0, "m", "I"); }),
       "constant tag 17 in version 54"},
      {"module_constant_in_a_class",
       class_with(53, [](auto& b) { b.module("m"); }), "allowed in a module only"},
      {"handle_kind_0", class_with(52, [](auto& b) {
         b.handle(0, b.method("A", "m", "()V"));
       }), "reference kind 0"},
      {"handle_kind_10", class_with(52, [](auto& b) {
         b.handle(10, b.method("A", "m", "()V"));
       }), "reference kind 10"},
      {"getfield_handle_of_a_method", class_with(52, [](auto& b) {
         b.handle(1, b.method("A", "m", "()V"));
       }), "expected a Fieldref"},
      {"static_handle_of_an_interface_in_51", class_with(51, [](auto& b) {
         b.handle(6, b.interface_method("A", "m", "()V"));
       }), "expected a Methodref"},
      {"new_handle_of_a_method", class_with(52, [](auto& b) {
         b.handle(8, b.method("A", "m", "()V"));
       }), "not <init>"},
      {"virtual_handle_of_init", class_with(52, [](auto& b) {
         b.handle(5, b.method("A", "<init>", "()V"));
       }), "of <init>, allowed: 8"},
      {"methodref_of_clinit", class_with(52, [](auto& b) {
         b.method("A", "<clinit>", "()V");
       }), "allowed with '<': <init>"},
      {"methodref_with_a_field_descriptor", class_with(52, [](auto& b) {
         b.method("A", "m", "I");
       }), "a field descriptor"},
      {"fieldref_with_a_method_descriptor", class_with(52, [](auto& b) {
         b.field("A", "m", "()V");
       }), "a method descriptor"},
      {"init_that_returns", class_with(52, [](auto& b) {
         b.method("A", "<init>", "()I");
       }), "illegal method descriptor"},
      {"empty_name", class_with(52, [](auto& b) { b.name_and_type("", "I"); }),
       "illegal field name"},
      {"descriptor_without_end", class_with(52, [](auto& b) {
         b.name_and_type("m", "(I");
       }), "illegal method descriptor"},
      {"class_name_with_two_slashes",
       class_with(52, [](auto& b) { b.cls("a//b"); }), "illegal class name"},
      {"class_name_with_dots", class_with(52, [](auto& b) { b.cls("a.b"); }),
       "illegal class name"},
      {"class_name_that_is_no_identifier_in_48",
       class_with(48, [](auto& b) { b.cls("a-b"); }), "illegal class name"},
      {"array_of_256_dimensions", class_with(52, [&](auto& b) { b.cls(many); }),
       "illegal class name"},
      {"method_type_of_a_field", class_with(52, [](auto& b) { b.method_type("I"); }),
       "illegal method descriptor"},
      {"overlong_utf8_in_48",
       class_with(48, [](auto& b) { b.utf8("\xC1\x81"); }), "modified UTF-8"},
      {"zero_byte_in_utf8", class_with(47, [](auto& b) {
         b.utf8(std::string_view("a\0b", 3));
       }), "modified UTF-8"},
      {"four_byte_utf8",
       class_with(52, [](auto& b) { b.utf8("\xF0\x9F\x98\x80"); }),
       "modified UTF-8"},
      {"cut_utf8", class_with(52, [](auto& b) { b.utf8("a\xE1\x80"); }),
       "modified UTF-8"},
      {"invoke_dynamic_without_bootstrap_methods",
       class_with(52, [](auto& b) { b.invoke_dynamic(0, "m", "()V"); }),
       "bootstrap method 0, there are 0"},
      {"bootstrap_method_behind_the_table", class_with(55, [](auto& b) {
         b.dynamic(1, "m", "I");
         const unsigned h = b.handle(6, b.method("A", "m", "()V"));
         b.add_attribute("BootstrapMethods", Out().u2(1).u2(h).u2(0));
       }), "bootstrap method 1, there are 1"},
      {"dynamic_with_a_method_descriptor",
       class_with(55, [](auto& b) { b.dynamic(0, "m", "()V"); }),
       "a method descriptor"},
      {"this_class_is_a_utf8", class_with(52, [](auto& b) {
         b.this_index(b.utf8("T"));
       }), "this_class is entry"},
      {"this_class_is_an_array", class_with(52, [](auto& b) {
         b.this_index(b.cls("[I"));
       }), "an array type"},
      {"super_class_is_an_array", ClassBuilder("T", "[I").build(),
       "an array type"},
      {"no_super_class", ClassBuilder("T", "").build(), "no super class"},
      {"interface_below_a_class",
       ClassBuilder("T", "java/lang/Number").access(0x601).build(),
       "whose super class is not java/lang/Object"},
      {"interface_twice", ClassBuilder()
                              .interface("java/io/Serializable")
                              .interface("java/io/Serializable")
                              .build(),
       "interface java/io/Serializable twice"},
      {"final_abstract_class", flags(0x431), "class access flags 0x0431"},
      {"interface_not_abstract", flags(0x201), "class access flags 0x0201"},
      {"annotation_not_interface", flags(0x2021), "class access flags 0x2021"},
      {"interface_with_super_flag", flags(0x621), "class access flags 0x0621"},
      {"field_twice", class_with(52, [](auto& b) {
         b.add_field(0, "f", "I").add_field(0, "f", "I");
       }), "member fI twice"},
      {"method_twice", class_with(52, [](auto& b) {
         b.add_code(Out{kReturn}).add_code(Out{kReturn});
       }), "member m()V twice"},
      {"public_private_field", field_flags(0x0003), "field access flags"},
      {"final_volatile_field", field_flags(0x0050), "field access flags"},
      {"interface_field_not_public", field_flags(0x0018, 0x601),
       "field access flags 0x0018"},
      {"field_name_with_a_dot", named("a.b", true), "illegal field name"},
      {"method_name_with_less", named("<a>", false), "illegal method name"},
      {"method_name_with_a_slash", named("a/b", false), "illegal method name"},
      {"field_name_with_a_blank_in_48", named("a b", true, 48),
       "illegal field name"},
      {"abstract_final_method", method_flags(0x0410), "method access flags"},
      {"public_protected_method", method_flags(0x0405), "method access flags"},
      {"interface_method_not_public_in_51", method_flags(0x0400, 0x601, 51),
       "method access flags"},
      {"interface_method_public_and_private",
       method_flags(0x0403, 0x601), "method access flags"},
      {"abstract_synchronized_method", method_flags(0x0420),
       "method access flags"},
      {"static_init", class_with(52, [](auto& b) {
         b.add_code(Out{kReturn}, 1, 1, {}, {}, "<init>");
       }), "method access flags"},
      {"init_of_an_interface", class_with(52, [](auto& b) {
         b.access(0x601).add_method(1, "<init>", "()V",
                                    {b.code(1, 1, Out{kReturn})});
       }), "an interface has a method <init>"},
      {"clinit_not_static", class_with(52, [](auto& b) {
         b.add_method(0, "<clinit>", "()V", {b.code(1, 1, Out{kReturn})});
       }), "<clinit> is not static"},
      {"clinit_with_arguments", class_with(52, [](auto& b) {
         b.add_code(Out{kReturn}, 1, 4, {}, {}, "<clinit>", "(I)V");
       }), "illegal method descriptor"},
      {"method_without_code", method_flags(0x0001, 0x21), "no Code"},
      {"abstract_method_with_code", class_with(52, [](auto& b) {
         b.access(0x421).add_method(0x401, "m", "()V",
                                    {b.code(1, 1, Out{kReturn})});
       }), "Code of a native or abstract method"},
      {"native_method_with_code", class_with(52, [](auto& b) {
         b.add_method(0x101, "m", "()V", {b.code(1, 1, Out{kReturn})});
       }), "Code of a native or abstract method"},
      {"arguments_of_256_slots", class_with(52, [](auto& b) {
         b.add_code(Out{kReturn}, 1, 256, {}, {}, "m",
                    "(" + std::string(256, 'I') + ")V");
       }), "256 slots, allowed 255"},
      {"arguments_beyond_max_locals", class_with(52, [](auto& b) {
         b.add_code(Out{kReturn}, 1, 1, {}, {}, "m", "(J)V");
       }), "max_locals 1 for arguments of 2 slots"},
  };
}

std::vector<Sample> illegal_samples() {
  std::vector<Sample> all = illegal_structure();
  for (auto* part : {&illegal_attributes, &illegal_code}) {
    for (Sample& s : (*part)()) all.push_back(std::move(s));
  }
  return all;
}

}  // namespace rejig::test
