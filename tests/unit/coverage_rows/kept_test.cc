// SPDX-License-Identifier: Apache-2.0
// What a test borrows, leaves to others, or could leave.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/coverage_rows/jvm.h"

namespace rejig::coverage {
namespace {

bool borrows(const Atoms& row, const std::string& maker) {
  return row.contains("state:borrowed " + maker);
}

TEST(RowAtoms, WhoEntersAMethodOfAnObjectThatItDidNotMakeBorrowedIt) {
  Jvm jvm;
  jvm.cls("p/C");
  const auto makes = jvm.method("<init>");
  const auto uses = jvm.method("get");
  jvm.cls("p/T");
  jvm.enter(uses);
  EXPECT_TRUE(borrows(jvm.whole_row(), "p.C.<init>"));
  jvm.enter(makes);
  EXPECT_FALSE(borrows(jvm.whole_row(), "p.C.<init>"));
}

TEST(RowAtoms, WhatReflectionOrAnInitializerMadeIsNotBorrowed) {
  Jvm jvm;
  jvm.cls("p/C");
  jvm.enter(jvm.method("get"));
  jvm.cls("p/Sub", {"p/C"});
  jvm.cls("p/E");
  const auto starts = jvm.method("<clinit>");
  const auto makes = jvm.method("<init>");
  jvm.enter(jvm.method("one"));
  jvm.cls("p/T");
  jvm.found(jvm.fact(FactKind::kCreated, "p.Sub"));
  jvm.file().inits[2].methods = {starts, makes};
  const auto row = jvm.whole_row();
  EXPECT_FALSE(borrows(row, "p.C.<init>"));
  EXPECT_FALSE(borrows(row, "p.E.<init>"));
}

TEST(RowAtoms, TheBodyOfALambdaNeedsWhoeverMadeIt) {
  Jvm jvm;
  jvm.cls("p/C");
  const auto installs = jvm.method("install");
  const auto body = jvm.method("lambda$install$0");
  jvm.last().is_static = true;
  jvm.cls("p/T");
  jvm.enter(body);
  EXPECT_TRUE(borrows(jvm.whole_row(), "p.C.install"));
  jvm.enter(installs);
  EXPECT_FALSE(borrows(jvm.whole_row(), "p.C.install"));
}

TEST(RowAtoms, InterfacesAndStaticMethodsNeedNoObjectOfTheirs) {
  Jvm jvm;
  jvm.cls("p/I").is_interface = true;
  jvm.enter(jvm.method("standard"));
  jvm.cls("p/C");
  jvm.enter(jvm.method("of"));
  jvm.last().is_static = true;
  jvm.cls("p/T");
  EXPECT_EQ(jvm.whole_row(), jvm.row());
}

TEST(RowAtoms, WhatIsKeptElsewhereIsNamed) {
  Jvm jvm;
  jvm.cls("p/T");
  jvm.file().environment["user.dir"] = "/project";
  jvm.found(jvm.fact(FactKind::kMet, "property k"));
  jvm.found(jvm.fact(FactKind::kLeftThere, "property l|p.T.x()V"));
  jvm.found(jvm.fact(FactKind::kLeftThere, "file out/f|p.T.x()V"));
  // What the session leaves it leaves again.
  jvm.work(0).facts = {jvm.fact(FactKind::kLeftThere, "property s|?"),
                       jvm.fact(FactKind::kMet, "property s")};
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("state:property k"));
  EXPECT_TRUE(row.contains("left:property l|p.T.x()V"));
  EXPECT_TRUE(row.contains("left:file /project/out/f|p.T.x()V"));
  EXPECT_FALSE(row.contains("state:property s"));
  EXPECT_FALSE(row.contains("left:property s|?"));
}

TEST(RowAtoms, WhatALibraryKeepsIsLeftByWhoAskedIt) {
  Jvm jvm;
  jvm.cls("l/Far", {}, Origin::kExternal).keeps_state = true;
  jvm.cls("l/Near", {}, Origin::kExternal);
  jvm.names("l/Far");
  jvm.file().classes.back().constants = 1;
  jvm.cls("p/T");
  jvm.enter(jvm.method("asks", {{"l/Near", kTriggers}}));
  jvm.enter(jvm.method("names", {{"l/Near"}}));
  jvm.found(jvm.fact(FactKind::kChangedState, "l.Far"));
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("left:l.Far|p.T.asks()V"));
  EXPECT_FALSE(row.contains("left:l.Far|p.T.names()V"));
}

TEST(RowAtoms, AMethodThatWritesMayLeaveSomethingElse) {
  Jvm jvm;
  jvm.cls("p/C").keeps_state = true;
  jvm.cls("p/D").keeps_state = true;
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"p/C", kTriggers | kFields | kWrites},
                             {"p/D", kTriggers | kFields}}));
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("state:may p.C"));
  EXPECT_TRUE(row.contains("state:p.D"));
  EXPECT_FALSE(row.contains("state:may p.D"));
}

}  // namespace
}  // namespace rejig::coverage
