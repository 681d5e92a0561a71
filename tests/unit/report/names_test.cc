// SPDX-License-Identifier: Apache-2.0
// Names as a Java programmer says them.
#include <gtest/gtest.h>

#include "traversal/describe/java_names.h"

namespace rejig::traversal {
namespace {

TEST(JavaNames, Classes) {
  EXPECT_EQ("Outer.Inner", java_class("a.b.Outer$Inner"));
  EXPECT_EQ("Outer$1", java_class("a/b/Outer$1"));
  EXPECT_EQ("Obj$", java_class("a.Obj$"));
  EXPECT_EQ("$Proxy", java_class("$Proxy"));
}

TEST(JavaNames, Types) {
  EXPECT_EQ("String[][]", java_type("[[Ljava/lang/String;"));
  EXPECT_EQ("int", java_type("I"));
  EXPECT_EQ("", java_type("Q"));
  EXPECT_EQ("", java_type("Ljava/lang/String"));
  EXPECT_EQ("int, String, long[]", java_parameters("(ILjava/lang/String;[J)V"));
  EXPECT_EQ("?", java_parameters("(X)V"));
}

TEST(JavaNames, Methods) {
  EXPECT_EQ("C.add(int, int)", java_method("a.b.C.add(II)I"));
  EXPECT_EQ("new C.D(String)", java_method("a.C$D.<init>(Ljava/lang/String;)V"));
  EXPECT_EQ("initializer of C", java_method("a.C.<clinit>()V"));
  EXPECT_EQ("C", java_method("a.b.C"));
  EXPECT_EQ("a.b.C", class_part("a.b.C.add(II)I"));
  EXPECT_EQ("add(II)I", member_part("a.b.C.add(II)I"));
}

TEST(JavaNames, Members) {
  EXPECT_EQ("X", java_member("public static final enum X:La/B;", "a.B"));
  EXPECT_EQ("f(int)", java_member("public f(I)V", "a.B"));
  EXPECT_EQ("new B(int)", java_member("protected <init>(I)V", "a.B"));
  EXPECT_EQ("f()", java_member("f()V", "a.B"));
}

TEST(JavaNames, Sentences) {
  EXPECT_EQ("`C.x(int)` did `invokevirtual D.y()` and does `getfield D.z`",
            java_text("`a.C.x(I)V` did `invokevirtual a.D.y()La/E;` and does "
                      "`getfield a.D.z:I`"));
  EXPECT_EQ("loads GSSOutputStream, and META-INF/a.b.C stays",
            java_text("loads org.postgresql.gss.GSSOutputStream, and "
                      "META-INF/a.b.C stays"));
  // Nothing of this is a name.
  EXPECT_EQ("(why) x:y 1.5 a(b) ((", java_text("(why) x:y 1.5 a(b) (("));
}

}  // namespace
}  // namespace rejig::traversal
