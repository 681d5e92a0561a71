// SPDX-License-Identifier: Apache-2.0
// What follows from what a test did.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/unit/coverage_rows/jvm.h"

namespace rejig::coverage {
namespace {

TEST(RowAtoms, LoadsWhatEnteredCodeResolves) {
  Jvm jvm;
  jvm.cls("p/A", {"p/Super"});
  jvm.cls("p/Super");
  jvm.cls("p/Unused");
  jvm.cls("p/T", {"java/lang/Object"});
  jvm.enter(jvm.method("x", {{"p/A"}}));
  jvm.method("other", {{"p/Unused"}});
  EXPECT_EQ(jvm.row(),
            (Atoms{"m:p.T.x()V", "init:p.T", "load:p.A", "load:p.Super",
                   "load:p.T"}));
}

TEST(RowAtoms, TriggersAndCreations) {
  Jvm jvm;
  jvm.cls("p/I").is_interface = true;
  jvm.cls("p/A", {"p/I"});
  jvm.method("<init>");
  const auto made = static_cast<std::uint32_t>(jvm.file().methods.size() - 1);
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"p/A", kCreates | kTriggers}}));
  jvm.enter(made);
  // The interface has no code for instances: it is not initialized.
  EXPECT_EQ(jvm.row(),
            (Atoms{"m:p.A.<init>()V", "m:p.T.x()V", "inst:p.A", "init:p.A",
                   "init:p.T", "load:p.A", "load:p.I", "load:p.T"}));
}

TEST(RowAtoms, StaticFieldsMayBeASuperinterfaces) {
  Jvm jvm;
  jvm.cls("p/I").is_interface = true;
  jvm.cls("p/A", {"p/I"});
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"p/A", kTriggers | kFields}}));
  EXPECT_TRUE(jvm.row().contains("init:p.I"));
}

TEST(RowAtoms, InitializersServeEverybodyWhoTriggersThem) {
  Jvm jvm;
  jvm.cls("p/Helper");
  const auto helps = jvm.method("helps");
  jvm.cls("p/A");
  const auto clinit = jvm.method("<clinit>");
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"p/A", kTriggers}}));
  jvm.test(3, "p.U#first()");
  jvm.work(3).methods = {clinit, helps};
  jvm.file().inits[1].methods = {clinit, helps};
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("m:p.Helper.helps()V"));
  EXPECT_TRUE(row.contains("init:p.A"));
}

TEST(RowAtoms, ReadingMembersInitializesNothing) {
  Jvm jvm;
  jvm.cls("p/A");
  jvm.cls("p/Native");
  jvm.method("n");
  jvm.last().is_static = true;
  jvm.last().has_code = false;
  jvm.file().methods.pop_back();
  for (const char* name : {"p/B", "p/C", "p/D", "p/E"}) jvm.cls(name);
  jvm.found(jvm.fact(FactKind::kReflected, "p.A"));
  jvm.found(jvm.fact(FactKind::kListed, "p.Native"));
  jvm.found(jvm.fact(FactKind::kInitialized, "p.B"));
  jvm.found(jvm.fact(FactKind::kAskedClass, "p.C"));
  jvm.found(jvm.fact(FactKind::kLoadedClass, "p.D"));
  jvm.found(jvm.fact(FactKind::kCreated, "p.E"));
  EXPECT_EQ(jvm.row(),
            (Atoms{"inst:p.E", "init:p.B", "init:p.C", "init:p.E",
                   "init:p.Native", "load:p.C", "load:p.D", "refl:p.A",
                   "refl:p.B", "refl:p.E", "refl:p.Native"}));
}

TEST(RowAtoms, ReflectionReachesSupertypesAndTypesOfMembers) {
  Jvm jvm;
  jvm.cls("p/Type");
  jvm.cls("p/Super");
  jvm.cls("p/A", {"p/Super"});
  jvm.names("p/Type");
  jvm.found(jvm.fact(FactKind::kListed, "p.A"));
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("refl:p.Super"));
  EXPECT_TRUE(row.contains("load:p.Type"));
}

TEST(RowAtoms, ConstantsOfAnEnumAreMadeOnce) {
  Jvm jvm;
  jvm.cls("p/E");
  jvm.method("values");
  jvm.last().is_static = true;
  jvm.found(jvm.fact(FactKind::kConstants, "p.E"));
  EXPECT_EQ(jvm.row(), (Atoms{"m:p.E.values()V", "init:p.E", "load:p.E"}));
}

TEST(RowAtoms, WhatLibraryClassesNeedWasLoadedForSomebodyElse) {
  Jvm jvm;
  for (const char* name : {"q/Z", "q/Y", "q/Unused"}) {
    jvm.cls(name, {}, Origin::kExternal);
  }
  jvm.cls("q/W", {}, Origin::kExternal);
  jvm.names("q/Z");
  jvm.cls("q/X", {}, Origin::kExternal);
  jvm.names("q/W");
  jvm.names("q/Absent");
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"q/X"}}));
  EXPECT_EQ(jvm.row(), (Atoms{"m:p.T.x()V", "init:p.T", "load:p.T", "ext:q.W",
                              "ext:q.X", "ext:q.Z"}));
}

TEST(RowAtoms, WhoAsksForKindsSeesNoMembers) {
  Jvm jvm;
  jvm.cls("p/Super");
  jvm.cls("p/A", {"p/Super"});
  jvm.cls("p/Unmet");
  jvm.cls("q/X", {}, Origin::kExternal);
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"p/A"}, {"q/X"}}));
  jvm.last().asks = true;
  EXPECT_EQ(jvm.row(),
            (Atoms{"m:p.T.x()V", "init:p.T", "load:p.A", "load:p.Super",
                   "load:p.T", "ext:q.X", "refl:p.A|kind",
                   "refl:p.Super|kind", "refl:p.T|kind"}));
}

TEST(RowAtoms, ClonesAreOfAnySubtype) {
  Jvm jvm;
  jvm.cls("p/A");
  jvm.enter(jvm.method("copy"));
  jvm.last().clones = true;
  jvm.cls("p/B", {"p/A"});
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("inst:p.A"));
  EXPECT_TRUE(row.contains("inst:p.B"));
}

// A constructor handle makes instances whenever somebody calls it.
TEST(RowAtoms, WhatCanBeCreatedMayBeByLaterTests) {
  Jvm jvm;
  jvm.cls("p/A");
  jvm.test(3, "p.T#later()");
  jvm.work(2).facts = {jvm.fact(FactKind::kCreatable, "p.A")};
  EXPECT_TRUE(jvm.row("p.T#later()").contains("inst:p.A"));
  jvm.test(1, "p.T#earlier()");
  EXPECT_FALSE(jvm.row("p.T#earlier()").contains("inst:p.A"));
}

TEST(RowAtoms, ClassesThatNobodyHasAreMissing) {
  Jvm jvm;
  jvm.cls("p/A");
  jvm.found(jvm.fact(FactKind::kMissingClass, "p.Gone"));
  jvm.found(jvm.fact(FactKind::kMissingClass, "p/A"));
  jvm.found(jvm.fact(FactKind::kMissingClass, "p.Gone2 is a sentence"));
  jvm.found(jvm.fact(FactKind::kAskedClass, "p.Not a name"));
  EXPECT_EQ(jvm.row(), (Atoms{"miss:p.Gone", "miss:p.Not a name"}));
}

TEST(RowAtoms, ArraysAreAboutTheirElements) {
  Jvm jvm;
  jvm.cls("p/A");
  jvm.found(jvm.fact(FactKind::kListed, "[[Lp.A;"));
  EXPECT_EQ(jvm.row(), (Atoms{"refl:p.A"}));
}

TEST(RowAtoms, StacksAndMessages) {
  Jvm jvm;
  jvm.found(jvm.fact(FactKind::kStack, ""));
  EXPECT_EQ(jvm.row(), (Atoms{"stackapi"}));
}

class OwnClass : public testing::Test {
 protected:
  void SetUp() override {
    jvm_.cls("p/Base");
    jvm_.cls("p/T", {"p/Base"});
    const auto x = jvm_.method("x");
    jvm_.last().is_test = true;
    jvm_.enter(x);
    jvm_.cls("p/Other");
  }
  Atoms looks() {
    Atoms out;
    for (const auto& atom : jvm_.row()) {
      if (atom.starts_with("refl:")) out.insert(atom);
    }
    return out;
  }
  Jvm jvm_;
};

TEST_F(OwnClass, IsReadByEverybody) {
  jvm_.found(jvm_.fact(FactKind::kReflected, "p.T"));
  jvm_.found(jvm_.fact(FactKind::kCreated, "p.T"));
  jvm_.found(jvm_.fact(FactKind::kListed, "p.T", true));
  jvm_.found(jvm_.fact(FactKind::kInitialized, "p.Base", true));
  EXPECT_EQ(looks(), Atoms{});
}

TEST_F(OwnClass, IsListedByTheTest) {
  jvm_.found(jvm_.fact(FactKind::kListed, "p.T", true));
  jvm_.found(jvm_.fact(FactKind::kListed, "p.T"));
  EXPECT_EQ(looks(), (Atoms{"refl:p.Base", "refl:p.T"}));
}

TEST_F(OwnClass, AndOthersAreNobodysOwn) {
  jvm_.found(jvm_.fact(FactKind::kListed, "p.Other", true));
  EXPECT_EQ(looks(), (Atoms{"refl:p.Other"}));
}

TEST_F(OwnClass, OfAFrameworkThatNobodyKnowsIsRead) {
  jvm_.file().classes[1].methods[0].is_test = false;
  jvm_.found(jvm_.fact(FactKind::kReflected, "p.T"));
  EXPECT_EQ(looks(), (Atoms{"refl:p.Base", "refl:p.T"}));
}

TEST_F(OwnClass, OfJUnit3IsKnownByNames) {
  auto& methods = jvm_.file().classes[1].methods;
  methods[0].is_test = false;
  methods[0].name = "testX";
  jvm_.file().classes[1].supertypes = {"junit/framework/TestCase"};
  jvm_.found(jvm_.fact(FactKind::kReflected, "p.T"));
  EXPECT_EQ(looks(), Atoms{});
}

TEST(RowAtoms, ParametersOfOtherTestsAreNotMine) {
  Jvm jvm;
  jvm.cls("p/U");
  const auto data = jvm.method("data");
  jvm.last().provides = true;
  const auto helper = jvm.method("helper");
  jvm.test(3, "p.U#u()");
  jvm.work(0).methods = {data, helper};
  EXPECT_FALSE(jvm.row().contains("m:p.U.data()V"));
  EXPECT_TRUE(jvm.row().contains("m:p.U.helper()V"));
  EXPECT_TRUE(jvm.row("p.U#u()").contains("m:p.U.data()V"));
}

TEST(RowAtoms, ServicesOfTheJdkCountForLaterTests) {
  Jvm jvm;
  const auto java =
      jvm.fact(FactKind::kResource, "META-INF/services/java.sql.Driver");
  const auto mine = jvm.fact(FactKind::kResource, "META-INF/services/p.S");
  jvm.found(java);
  jvm.found(mine);
  jvm.test(3, "p.T#later()");
  EXPECT_EQ(jvm.row("p.T#later()"),
            (Atoms{"res:META-INF/services/java.sql.Driver",
                   "resmiss:META-INF/services/java.sql.Driver"}));
}

TEST(RowAtoms, ReceiversAreExact) {
  Jvm jvm;
  jvm.file().atom_kinds.push_back("recv");
  jvm.cls("p/A");
  const auto a = jvm.method("a");
  jvm.cls("p/B", {"p/A"});
  jvm.cls("p/Final").is_final = true;
  const auto f = jvm.method("f");
  jvm.enter(a);
  jvm.enter(f);
  jvm.receiver(a, "p/B");
  const auto row = jvm.row();
  EXPECT_TRUE(row.contains("recv:p.B|p.A.a()V"));
  EXPECT_FALSE(row.contains("recv:p.A|p.A.a()V"));
  EXPECT_TRUE(row.contains("recv:p.Final|p.Final.f()V"));
}

TEST(RowAtoms, ReceiversThatNoProgramHasCountAsWhatTheyExtend) {
  Jvm jvm;
  jvm.file().atom_kinds.push_back("recv");
  jvm.cls("p/A");
  const auto a = jvm.method("a");
  jvm.cls("p/B", {"p/A"});
  jvm.cls("p/B$Mock", {"p/B"}, Origin::kGenerated);
  jvm.enter(a);
  jvm.receiver(a, "p/B$Mock");
  EXPECT_TRUE(jvm.row().contains("recv:p.B|p.A.a()V"));
  EXPECT_FALSE(jvm.row().contains("recv:p.B$Mock|p.A.a()V"));
  jvm.receiver(a, "p/Unknown");
  EXPECT_TRUE(jvm.row().contains("recv:p.A|p.A.a()V"));
}

TEST(RowAtoms, WhoMeetsAClassWithoutRecordsMayHaveDoneAllOfIt) {
  Jvm jvm;
  jvm.file().atom_kinds.push_back("recv");
  jvm.cls("p/Big", {}, Origin::kUntouched);
  jvm.method("a");
  jvm.file().methods.pop_back();
  jvm.cls("p/Sub", {"p/Big"});
  jvm.cls("p/T");
  jvm.enter(jvm.method("x", {{"p/Big"}}));
  const auto row = jvm.row();
  for (const char* atom : {"m:p.Big.a()V", "inst:p.Big", "refl:p.Big",
                           "init:p.Big", "recv:p.Sub|p.Big.a()V"}) {
    EXPECT_TRUE(row.contains(atom)) << atom;
  }
}

// What nobody asked for is found when everything else is: by who loads a class,
// in the work of its initializer.
TEST(RowAtoms, WhatIsFoundLastCountsAsMuch) {
  Jvm jvm;
  jvm.file().atom_kinds.push_back("recv");
  jvm.file().environment["user.dir"] = "/nowhere";
  jvm.cls("p/Late");
  const auto entered = jvm.method("never");
  jvm.cls("p/L");
  const auto clinit = jvm.method("<clinit>");
  const auto run = jvm.method("run");
  jvm.cls("p/T");
  jvm.enter(jvm.method("x"));
  jvm.work().classes = {1};
  jvm.test(3, "p.T#first()", 1);
  jvm.work(3).methods = {clinit};
  Work& init = jvm.file().inits[1];
  init.facts = {jvm.fact(FactKind::kRedefined, "p.Late"),
                jvm.fact(FactKind::kNative, "/nowhere/lib.so")};
  jvm.found(jvm.fact(FactKind::kAttributes, "/nowhere/data"));
  jvm.file().receivers.push_back({run, 0});
  jvm.file().names.push_back("p/L");
  init.receivers = {0};
  ASSERT_EQ(entered, 0u);
  const Atoms row = jvm.row();
  EXPECT_TRUE(row.contains("recv:p.L|p.L.run()V"));
  EXPECT_TRUE(row.contains("m:p.Late.never()V"));
  // Native code may have read what the program only asked for.
  EXPECT_TRUE(row.contains("res:file:absent:/nowhere/data"));
}

}  // namespace
}  // namespace rejig::coverage
