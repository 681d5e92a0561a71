// SPDX-License-Identifier: Apache-2.0
#include "coverage/row_file_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rejig::coverage {
namespace {

constexpr std::uint32_t kCreates = 1;
constexpr std::uint32_t kTriggers = 2;
constexpr std::uint32_t kFields = 4;

struct Use {
  std::string name;
  std::uint32_t use = 0;
};

// One JVM, as a test writes it down. Classes are internal unless said
// otherwise; the test is p.T#x() of class p/T.
class Jvm {
 public:
  Jvm() {
    file_.scopes[0].has_end = true;
    file_.scopes[0].result = ScopeResult::kPassed;
    file_.atom_kinds = {"m", "inst", "init", "load", "ext", "refl", "res"};
    Scope& container = file_.scopes[1];
    container.id = "p.T";
    end(container);
    test(2, "p.T#x()", 1);
  }

  RecordedClass& cls(const std::string& name,
                     std::vector<std::string> supertypes = {},
                     Origin origin = Origin::kInternal) {
    RecordedClass c;
    c.name = name;
    c.origin = origin;
    c.supertypes = std::move(supertypes);
    file_.classes.push_back(std::move(c));
    return file_.classes.back();
  }
  // The class that was added last refers to it.
  std::uint32_t names(const std::string& name) {
    auto& c = file_.classes.back();
    const auto at = std::find(file_.names.begin(), file_.names.end(), name);
    const auto index = static_cast<std::uint32_t>(at - file_.names.begin());
    if (at == file_.names.end()) file_.names.push_back(name);
    c.names.push_back(index);
    return static_cast<std::uint32_t>(c.names.size() - 1);
  }
  // The number of a method of the class that was added last.
  std::uint32_t method(const std::string& name, std::vector<Use> uses = {}) {
    RecordedMethod m;
    m.name = name;
    m.descriptor = "()V";
    m.has_code = true;
    for (const auto& use : uses) {
      m.uses.push_back(names(use.name) << 3 | use.use);
    }
    auto& c = file_.classes.back();
    file_.methods.emplace_back(file_.classes.size() - 1, c.methods.size());
    c.methods.push_back(std::move(m));
    return static_cast<std::uint32_t>(file_.methods.size() - 1);
  }
  RecordedMethod& last() { return file_.classes.back().methods.back(); }
  std::uint32_t fact(FactKind kind, const std::string& text,
                     bool by_runner = false) {
    file_.facts.push_back({kind, by_runner, text});
    return static_cast<std::uint32_t>(file_.facts.size() - 1);
  }
  void receiver(std::uint32_t method, const std::string& name) {
    const auto at = std::find(file_.names.begin(), file_.names.end(), name);
    const auto index = static_cast<std::uint32_t>(at - file_.names.begin());
    if (at == file_.names.end()) file_.names.push_back(name);
    work().receivers.push_back(
        static_cast<std::uint32_t>(file_.receivers.size()));
    file_.receivers.push_back({method, index});
  }
  void test(std::uint32_t number, const std::string& id,
            std::uint32_t parent = 0) {
    Scope& scope = file_.scopes[number];
    scope.is_test = true;
    scope.id = id;
    scope.parent = parent;
    end(scope);
  }
  Work& work(std::uint32_t scope = 2) { return file_.scopes[scope].work; }
  void enter(std::uint32_t method) { work().methods.push_back(method); }
  void found(std::uint32_t fact) { work().facts.push_back(fact); }
  RowFile& file() { return file_; }

  std::set<std::string> row(const std::string& test = "p.T#x()") {
    MatrixBuilder builder;
    join_row_files({file_}, {}, builder);
    const auto matrix = builder.finish();
    std::set<std::string> out;
    const auto id = matrix->find_row("", test);
    EXPECT_TRUE(id.ok() && *id) << test;
    const auto atoms = matrix->atoms_of(*id);
    EXPECT_TRUE(atoms.ok());
    for (const auto atom : *atoms) {
      out.insert(classfile::to_string(*matrix->atom(atom)));
    }
    return out;
  }

 private:
  static void end(Scope& scope) {
    scope.has_end = true;
    scope.result = ScopeResult::kPassed;
  }

  RowFile file_;
};

using Atoms = std::set<std::string>;

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

}  // namespace
}  // namespace rejig::coverage
