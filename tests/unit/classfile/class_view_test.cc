// SPDX-License-Identifier: Apache-2.0
// What the views say about classes made byte by byte.
#include <gtest/gtest.h>

#include "classfile/reader/annotations.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "tests/support/class_builder.h"

namespace rejig::classfile {
namespace {

using test::ClassBuilder;
using test::ExactBytes;
using test::Out;

// A class and the bytes that it is a view of.
class Parsed {
 public:
  explicit Parsed(ClassBuilder& b)
      : bytes_(b.build()), cls_(ClassView::parse(bytes_.get(), "T.class")) {}
  const ClassView* operator->() const { return &cls_.value(); }
  const ClassView& operator*() const { return cls_.value(); }

 private:
  ExactBytes bytes_;
  base::Result<ClassView> cls_;
};

TEST(ConstantPool, EveryKind) {
  ClassBuilder b("a/T");
  b.version(55);
  const auto utf8 = b.utf8("text");
  const auto integer = b.integer(-7);
  const auto real = b.float_bits(0x7fc00001);
  const auto big = b.long_value(-5000000000);
  const auto twice = b.double_bits(0x7ff8000000000001);
  const auto cls = b.cls("[La/B;");
  const auto string = b.string("hello");
  const auto field = b.field("a/B", "f", "I");
  const auto method = b.method("a/B", "m", "()V");
  const auto abstract_method = b.interface_method("a/I", "n", "(J)I");
  const auto handle = b.handle(9, abstract_method);
  const auto type = b.method_type("(I)V");
  const auto condy = b.dynamic(0, "c", "I");
  const auto indy = b.invoke_dynamic(0, "run", "()V");
  const auto bootstrap = b.handle(6, b.method("a/B", "boot", "()V"));
  b.add_attribute("BootstrapMethods",
                  Out().u2(1).u2(bootstrap).u2(2).u2(string).u2(condy));
  const Parsed parsed(b);
  const ConstantPool& p = parsed->pool();
  const auto at = [](unsigned i) { return static_cast<std::uint16_t>(i); };

  EXPECT_EQ(p.utf8(at(utf8)), "text");
  EXPECT_EQ(p.int_value(at(integer)), -7);
  EXPECT_EQ(p.float_bits(at(real)), 0x7fc00001u);
  EXPECT_EQ(p.long_value(at(big)), -5000000000);
  EXPECT_EQ(p.tag(at(big + 1)), Tag::kNone);
  EXPECT_EQ(p.double_bits(at(twice)), 0x7ff8000000000001u);
  EXPECT_EQ(p.text(at(cls)), "[La/B;");
  EXPECT_EQ(p.text(at(string)), "hello");
  EXPECT_EQ(p.text(at(type)), "(I)V");
  EXPECT_TRUE(p.member(at(field)).field);
  EXPECT_EQ(p.member(at(method)).owner, "a/B");
  EXPECT_EQ(p.member(at(method)).name, "m");
  EXPECT_FALSE(p.member(at(method)).interface);
  EXPECT_TRUE(p.member(at(abstract_method)).interface);
  EXPECT_EQ(p.member(at(abstract_method)).descriptor, "(J)I");
  EXPECT_EQ(p.handle(at(handle)).kind, 9);
  EXPECT_EQ(p.handle(at(handle)).ref.owner, "a/I");
  EXPECT_EQ(p.dynamic(at(condy)).name, "c");
  EXPECT_EQ(p.dynamic(at(indy)).descriptor, "()V");
  ASSERT_EQ(parsed->bootstrap_methods().size(), 1u);
  EXPECT_EQ(parsed->bootstrap_methods()[0].handle, bootstrap);
  EXPECT_EQ(parsed->bootstrap_methods()[0].arguments.size(), 2u);
  // Of the wrong kind, or out of range: empty, never out of bounds.
  EXPECT_EQ(p.utf8(at(cls)), "");
  EXPECT_EQ(p.text(65535), "");
  EXPECT_EQ(p.member(0).owner, "");
  EXPECT_EQ(p.tag(65535), Tag::kNone);
}

TEST(ClassView, HeaderMembersAndTheirAttributes) {
  ClassBuilder b("a/T", "a/S");
  b.version(61, 65535).access(0x31).interface("a/I").interface("a/J");
  b.add_field(0x19, "f", "I",
              {b.attribute("Deprecated", Out()),
               b.attribute("ConstantValue", Out().u2(b.integer(3)))});
  b.add_code(Out{0xB1}, 1, 2, {},
             {b.attribute("LineNumberTable", Out().u2(1).u2(0).u2(9))});
  b.add_attribute("X", Out{1, 2, 3});
  const Parsed cls(b);
  EXPECT_EQ(cls->name(), "a/T");
  EXPECT_EQ(cls->super_name(), "a/S");
  ASSERT_EQ(cls->interfaces().size(), 2u);
  EXPECT_EQ(cls->interfaces()[1], "a/J");
  EXPECT_EQ(cls->major(), 61);
  EXPECT_EQ(cls->minor(), 65535);
  EXPECT_TRUE(cls->is(kAccFinal));
  EXPECT_FALSE(cls->newer_than_known());
  EXPECT_EQ(cls->unknown_attributes(), 1u);
  ASSERT_EQ(cls->fields().size(), 1u);
  const MemberView& f = cls->fields()[0];
  ASSERT_EQ(f.attributes.size(), 2u);
  const AttributeView* value = f.attribute("ConstantValue");
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(cls->pool().int_value(constant_value(*value)), 3);
  ASSERT_EQ(cls->methods().size(), 1u);
  const auto code = CodeView::of(*cls, cls->methods()[0]);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->max_locals, 2);
  const auto lines = line_numbers(*code);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].line, 9);
  const AttributeView* x = cls->attribute("X");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->content.size(), 3u);
  EXPECT_EQ(std::to_integer<int>(cls->bytes()[x->offset]), 1);
}

// Moving a class keeps its members' views.
// Who reads the layout alone finds the bootstrap methods as well, whatever they
// are.
TEST(ClassView, LayoutHasBootstrapMethods) {
  ClassBuilder b("a/T");
  b.version(55);
  const unsigned handle = b.handle(6, b.method("a/T", "boot", "()V"));
  const unsigned argument = b.integer(7);
  b.add_attribute(
      "BootstrapMethods",
      Out().u2(2).u2(handle).u2(2).u2(argument).u2(argument).u2(handle).u2(0));
  const ExactBytes bytes(b.build());
  const auto whole = ClassView::parse(bytes.get(), "T.class");
  const auto layout = ClassView::parse_layout(bytes.get(), "T.class");
  ASSERT_TRUE(whole.ok() && layout.ok());
  for (const auto* cls : {&*whole, &*layout}) {
    ASSERT_EQ(cls->bootstrap_methods().size(), 2u);
    EXPECT_EQ(cls->bootstrap_methods()[0].handle, handle);
    EXPECT_EQ(
        cls->bootstrap_methods()[0].arguments,
        std::vector<std::uint16_t>(2, static_cast<std::uint16_t>(argument)));
    EXPECT_TRUE(cls->bootstrap_methods()[1].arguments.empty());
  }
}

TEST(ClassView, MayBeMoved) {
  ClassBuilder b;
  b.add_code(Out{0xB1});
  const ExactBytes bytes(b.build());
  auto first = ClassView::parse(bytes.get(), "T.class");
  ASSERT_TRUE(first.ok());
  const ClassView second = std::move(first).value();
  const auto code = CodeView::of(second, second.methods()[0]);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->code.size(), 1u);
}

TEST(ClassView, MarksTheVersionAfterTheLastKnown) {
  ClassBuilder b;
  b.version(70);
  EXPECT_TRUE(Parsed(b)->newer_than_known());
}

TEST(ClassView, BrokenAnnotationsDoNotMakeTheClassUnreadable) {
  for (const Out& content :
       {Out{0, 1}, Out{0, 0, 0}, Out{0, 1, 0, 1, 0, 1, 0, 1, '?', 0, 1}}) {
    ClassBuilder b;
    b.utf8("x");
    b.add_attribute("RuntimeVisibleAnnotations", content);
    const Parsed cls(b);
    EXPECT_EQ(cls->unreadable_attributes(), 1u);
    EXPECT_FALSE(cls->attributes()[0].readable);
    AnnotationReader reader(cls->pool(), cls->attributes()[0]);
    AnnotationView annotation;
    EXPECT_FALSE(reader.next(annotation));
  }
}

// Deep nesting ends in "not readable", not in the end of the stack.
TEST(ClassView, NestedAnnotationsAreBounded) {
  const auto nested = [](unsigned depth) {
    ClassBuilder b;
    const unsigned x = b.utf8("x");
    Out content;
    content.u2(1).u2(x).u2(1).u2(x);
    for (unsigned i = 0; i < depth; ++i) content.u1('[').u2(1);
    content.u1('s').u2(x);
    b.add_attribute("RuntimeVisibleAnnotations", content);
    return Parsed(b)->unreadable_attributes();
  };
  EXPECT_EQ(nested(900), 0u);
  EXPECT_EQ(nested(1001), 1u);
  EXPECT_EQ(nested(1000000), 1u);
}

TEST(Attributes, OfClasses) {
  ClassBuilder b("a/T");
  b.version(61);
  b.add_attribute("SourceFile", Out().u2(b.utf8("T.java")));
  b.add_attribute("Signature", Out().u2(b.utf8("<X:I>")));
  b.add_attribute("NestMembers", Out().u2(2).u2(b.cls("a/U")).u2(b.cls("a/V")));
  const unsigned inner = b.cls("a/T$1");
  b.add_attribute("InnerClasses", Out()
                                      .u2(2)
                                      .u2(inner)
                                      .u2(0)
                                      .u2(0)
                                      .u2(0)
                                      .u2(b.cls("a/T$B"))
                                      .u2(b.cls("a/T"))
                                      .u2(b.utf8("B"))
                                      .u2(9));
  b.add_attribute("EnclosingMethod",
                  Out().u2(b.cls("a/O")).u2(b.name_and_type("m", "()V")));
  const Out signature = b.attribute("Signature", Out().u2(b.utf8("TX;")));
  b.add_attribute(
      "Record",
      Out().u2(1).u2(b.utf8("x")).u2(b.utf8("I")).u2(1).raw(signature));
  const Parsed cls(b);
  const ConstantPool& p = cls->pool();
  const auto get = [&](AttributeKind kind) { return *cls->attribute(kind); };
  EXPECT_EQ(text_of(p, get(AttributeKind::kSourceFile)), "T.java");
  EXPECT_EQ(text_of(p, get(AttributeKind::kSignature)), "<X:I>");
  EXPECT_EQ(names_of(p, get(AttributeKind::kNestMembers)),
            (std::vector<std::string_view>{"a/U", "a/V"}));
  const auto rows = inner_classes(p, get(AttributeKind::kInnerClasses));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_FALSE(rows[0].has_simple_name);
  EXPECT_EQ(rows[0].outer, "");
  EXPECT_EQ(rows[1].simple_name, "B");
  EXPECT_EQ(rows[1].access, 9);
  const auto e = enclosing_method(p, get(AttributeKind::kEnclosingMethod));
  EXPECT_EQ(e.class_name, "a/O");
  EXPECT_EQ(e.descriptor, "()V");
  const auto components = record_components(p, get(AttributeKind::kRecord));
  ASSERT_EQ(components.size(), 1u);
  EXPECT_EQ(components[0].name, "x");
  ASSERT_NE(components[0].attribute(AttributeKind::kSignature), nullptr);
}

TEST(Attributes, OfModules) {
  ClassBuilder b("module-info", "");
  b.version(53).access(0x8000);
  Out m;
  m.u2(b.module("m")).u2(0x20).u2(b.utf8("1.0"));
  m.u2(1).u2(b.module("java.base")).u2(0x8000).u2(0);
  m.u2(1).u2(b.package("a/b")).u2(0).u2(1).u2(b.module("n"));
  m.u2(0);
  m.u2(1).u2(b.cls("a/S"));
  m.u2(1).u2(b.cls("a/S")).u2(1).u2(b.cls("a/P"));
  b.add_attribute("Module", m);
  const Parsed cls(b);
  const auto info =
      module_info(cls->pool(), *cls->attribute(AttributeKind::kModule));
  EXPECT_EQ(info.name, "m");
  EXPECT_EQ(info.version, "1.0");
  ASSERT_EQ(info.required.size(), 1u);
  EXPECT_FALSE(info.required[0].has_version);
  ASSERT_EQ(info.exports.size(), 1u);
  EXPECT_EQ(info.exports[0].package, "a/b");
  EXPECT_EQ(info.exports[0].to[0], "n");
  EXPECT_TRUE(info.opens.empty());
  EXPECT_EQ(info.uses[0], "a/S");
  EXPECT_EQ(info.provides[0].with[0], "a/P");
}

TEST(Annotations, ValuesOfEveryKind) {
  ClassBuilder b;
  const unsigned n = b.utf8("n");
  const unsigned type = b.utf8("La/A;");
  Out inner;
  inner.u2(type).u2(1).u2(n).u1('Z').u2(b.integer(1));
  Out content;
  content.u2(1).u2(type).u2(6);
  content.u2(n).u1('I').u2(b.integer(5));
  content.u2(n).u1('J').u2(b.long_value(6));
  content.u2(n).u1('e').u2(type).u2(b.utf8("RED"));
  content.u2(n).u1('@').raw(inner);
  content.u2(n).u1('[').u2(2).u1('s').u2(n).u1('[').u2(0);
  content.u2(n).u1('c').u2(b.utf8("V"));
  b.add_attribute("RuntimeVisibleAnnotations", content);
  const Parsed cls(b);
  const ConstantPool& p = cls->pool();
  ASSERT_EQ(cls->unreadable_attributes(), 0u);
  AnnotationReader reader(p, cls->attributes()[0]);
  AnnotationView a;
  ASSERT_TRUE(reader.next(a));
  EXPECT_EQ(a.type(), "La/A;");
  EXPECT_EQ(a.size(), 6);
  ElementReader elements = a.elements();
  std::string_view name;
  ElementValue v;
  std::string tags;
  while (elements.next(name, v)) {
    EXPECT_EQ(name, "n");
    tags += v.tag();
    if (v.tag() == 'I') {
      EXPECT_EQ(p.int_value(v.constant()), 5);
    } else if (v.tag() == 'J') {
      EXPECT_EQ(p.long_value(v.constant()), 6);
    } else if (v.tag() == 'e') {
      EXPECT_EQ(v.enum_type(), "La/A;");
      EXPECT_EQ(v.enum_name(), "RED");
    } else if (v.tag() == 'c') {
      EXPECT_EQ(v.text(), "V");
    } else if (v.tag() == '@') {
      ElementReader values = v.annotation().elements();
      ElementValue z;
      ASSERT_TRUE(values.next(name, z));
      EXPECT_EQ(z.tag(), 'Z');
      EXPECT_FALSE(values.next(name, z));
    } else {
      ElementReader values = v.elements();
      ElementValue each;
      ASSERT_TRUE(values.next(name, each));
      EXPECT_EQ(each.text(), "n");
      ASSERT_TRUE(values.next(name, each));
      EXPECT_EQ(each.element_count(), 0);
      EXPECT_FALSE(values.next(name, each));
      name = "n";
    }
  }
  EXPECT_EQ(tags, "IJe@[c");
  EXPECT_FALSE(reader.next(a));
}

TEST(Annotations, OfParametersAndTypes) {
  ClassBuilder b;
  const unsigned type = b.utf8("La/A;");
  const Out one = Out().u2(type).u2(0);
  Out on_parameters;
  on_parameters.u1(3).u2(0).u2(1).raw(one).u2(2).raw(one).raw(one);
  Out on_types;
  on_types.u2(2);
  on_types.raw(Out{0x13, 1, 0, 0}).raw(one);
  on_types.raw(Out{0x40}).u2(1).u2(0).u2(1).u2(0).raw(Out{0}).raw(one);
  b.add_method(
      0x101, "m", "(III)V",
      {b.attribute("RuntimeVisibleParameterAnnotations", on_parameters),
       b.attribute("RuntimeInvisibleTypeAnnotations", on_types)});
  const Parsed cls(b);
  ASSERT_EQ(cls->unreadable_attributes(), 0u);
  const auto attributes = cls->methods()[0].attributes;
  AnnotationReader parameters(cls->pool(), attributes[0]);
  EXPECT_EQ(parameters.parameters(), 3u);
  AnnotationView a;
  std::vector<unsigned> where;
  while (parameters.next(a)) where.push_back(parameters.parameter());
  EXPECT_EQ(where, (std::vector<unsigned>{1, 2, 2}));
  AnnotationReader types(cls->pool(), attributes[1]);
  ASSERT_TRUE(types.next(a));
  EXPECT_EQ(types.target().size(), 4u);
  ASSERT_TRUE(types.next(a));
  EXPECT_EQ(types.target().size(), 10u);
  EXPECT_EQ(a.type(), "La/A;");
  EXPECT_FALSE(types.next(a));
}

}  // namespace
}  // namespace rejig::classfile
