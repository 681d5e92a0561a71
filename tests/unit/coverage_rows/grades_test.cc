// SPDX-License-Identifier: Apache-2.0
// Which scopes are whose, and what a row is worth: containers and the session,
// joined scopes, kills, losses, child JVMs.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/coverage_rows/jvm.h"

namespace rejig::coverage {
namespace {

constexpr const char* kTest = "p.T#x()";

class Grades : public testing::Test {
 protected:
  void SetUp() override {
    jvm_.cls("p/T");
    jvm_.enter(jvm_.method("x"));
  }
  // A method of a class of its own, entered in that scope.
  std::string in_scope(std::uint32_t scope) {
    const std::string name = "p/In" + std::to_string(scope);
    jvm_.cls(name);
    jvm_.work(scope).methods.push_back(jvm_.method("m"));
    return "m:p.In" + std::to_string(scope) + ".m()V";
  }
  std::uint32_t container(std::uint32_t number, const std::string& id,
                          std::uint32_t parent = 0) {
    jvm_.test(number, id, parent);
    jvm_.file().scopes[number].is_test = false;
    return number;
  }
  Scope& scope(std::uint32_t number) { return jvm_.file().scopes[number]; }
  Joined joined(const JoinOptions& options = {}) {
    return Joined({jvm_.file()}, options);
  }
  Jvm jvm_;
};

TEST_F(Grades, APassedTestIsComplete) {
  const Joined all = joined();
  EXPECT_EQ(all.grade(kTest), Grade::kComplete);
  EXPECT_EQ(all.result(kTest), Outcome::kPass);
  EXPECT_EQ(all.report().rows, 1u);
  EXPECT_EQ(all.report().partial, 0u);
}

TEST_F(Grades, WorkOfContainersIsThatOfTheirMembers) {
  const auto session = in_scope(0);
  const auto fixture = in_scope(1);
  const auto suite = in_scope(container(5, "suite"));
  scope(1).parent = 5;
  // TestNG opens one for each fixture method of a class.
  const auto again = in_scope(container(6, "p.T"));
  const auto other = in_scope(container(7, "p.Other"));
  const auto row = joined().atoms(kTest);
  for (const auto& atom : {session, fixture, suite, again}) {
    EXPECT_TRUE(row.contains(atom)) << atom;
  }
  EXPECT_FALSE(row.contains(other));
}

TEST_F(Grades, JoinedScopesAreSharedTransitively) {
  for (std::uint32_t n = 3; n < 6; ++n) {
    jvm_.test(n, "p.T#n" + std::to_string(n) + "()", 1);
  }
  const auto direct = in_scope(3);
  const auto beyond = in_scope(4);
  const auto stranger = in_scope(5);
  scope(2).joined = {3};
  scope(3).joined = {4};
  scope(4).joined = {2};
  const auto row = joined().atoms(kTest);
  EXPECT_TRUE(row.contains(direct));
  EXPECT_TRUE(row.contains(beyond));
  EXPECT_FALSE(row.contains(stranger));
}

// What a framework keeps was made once, in the name of whoever came first.
TEST_F(Grades, WhoIsHandedWhatIsKeptHasMadeIt) {
  for (std::uint32_t n = 3; n < 6; ++n) {
    jvm_.test(n, "p.T#n" + std::to_string(n) + "()", 1);
  }
  const auto made = in_scope(3);
  const auto made_too = in_scope(container(6, "p.Other"));
  const auto other = in_scope(4);
  const auto makes = jvm_.fact(FactKind::kMakesShared, "");
  jvm_.work(3).facts = {makes};
  jvm_.work(6).facts = {makes};
  jvm_.found(jvm_.fact(FactKind::kUsesShared, ""));
  const Joined all = joined();
  EXPECT_TRUE(all.atoms(kTest).contains(made));
  EXPECT_TRUE(all.atoms(kTest).contains(made_too));
  EXPECT_FALSE(all.atoms(kTest).contains(other));
  EXPECT_FALSE(all.atoms("p.T#n5()").contains(made));
}

TEST_F(Grades, NeighboursMakeARowShared) {
  scope(2).overlapped = true;
  EXPECT_EQ(joined().grade(kTest), Grade::kShared);
}

TEST_F(Grades, AKilledTestIsPartialAndFailed) {
  jvm_.test(3, "p.T#before()", 1);
  scope(2).has_end = false;
  scope(1).has_end = false;
  const Joined all = joined();
  EXPECT_EQ(all.grade(kTest), Grade::kPartial);
  EXPECT_EQ(all.result(kTest), Outcome::kFail);
  // Its container dies with it: who ended before keeps a row.
  EXPECT_EQ(all.grade("p.T#before()"), Grade::kComplete);
}

TEST_F(Grades, AContainerThatDiesInItsAfterAllTakesItsMembersAlong) {
  scope(1).has_end = false;
  EXPECT_EQ(joined().grade(kTest), Grade::kPartial);
}

TEST_F(Grades, AFixtureMethodThatDiesTakesTheTestsOfItsClassAlong) {
  scope(container(6, "p.T")).has_end = false;
  EXPECT_EQ(joined().grade(kTest), Grade::kPartial);
}

TEST_F(Grades, AFailedFixtureFailsItsMembers) {
  scope(1).result = ScopeResult::kFailed;
  const Joined all = joined();
  EXPECT_EQ(all.result(kTest), Outcome::kFail);
  EXPECT_FALSE(all.row(kTest).justifies_skip());
}

TEST_F(Grades, AbortedTestsArePartial) {
  scope(2).result = ScopeResult::kAborted;
  const Joined all = joined();
  EXPECT_EQ(all.grade(kTest), Grade::kPartial);
  EXPECT_EQ(all.result(kTest), Outcome::kSkip);
}

TEST_F(Grades, ALossMakesEveryRowPartial) {
  jvm_.file().losses = {"no memory"};
  const Joined all = joined();
  EXPECT_EQ(all.grade(kTest), Grade::kPartial);
  EXPECT_EQ(all.report().losses, std::vector<std::string>{"no memory"});
}

TEST_F(Grades, SomethingUnreadableMakesEveryRowPartial) {
  JoinOptions options;
  options.all_partial = true;
  EXPECT_EQ(joined(options).grade(kTest), Grade::kPartial);
}

TEST_F(Grades, ATestThatRanTwiceKeepsTheWorse) {
  const auto second = in_scope(2);
  jvm_.test(3, kTest, 1);
  scope(3).result = ScopeResult::kFailed;
  const Joined all = joined();
  EXPECT_EQ(all.result(kTest), Outcome::kFail);
  EXPECT_TRUE(all.atoms(kTest).contains(second));
  EXPECT_EQ(all.report().rows, 1u);
  EXPECT_EQ(all.report().failed, 1u);
}

TEST_F(Grades, SuitesAreNamedByWhoKnowsThem) {
  JoinOptions options;
  options.suite_of = [](const RowFile& file) { return file.suite + "-a"; };
  jvm_.file().suite = "s";
  EXPECT_EQ(joined(options).row(kTest).suite, "s-a");
  EXPECT_EQ(joined().row(kTest).suite, "s");
}

// The test started a JVM, between its begin and its end, and that JVM's main
// program entered p.Child.main.
class Children : public Grades {
 protected:
  void SetUp() override {
    Grades::SetUp();
    jvm_.found(jvm_.fact(FactKind::kChild, ""));
    jvm_.file().pid = 10;
    scope(2).begun = 1000;
    scope(2).ended = 2000;
    child_.cls("p/Child");
    child_.work(0).methods.push_back(child_.method("main"));
    RowFile& file = child_.file();
    file.scopes.erase(1);
    file.scopes.erase(2);
    file.pid = 11;
    file.parent_pid = 10;
    file.started = 1500;
    file.has_exit = true;
  }
  Joined both() { return Joined({jvm_.file(), child_.file()}); }
  Jvm child_;
};

TEST_F(Children, DidTheWorkOfTheTestThatStartedThem) {
  const Joined all = both();
  EXPECT_EQ(all.grade(kTest), Grade::kComplete);
  EXPECT_TRUE(all.atoms(kTest).contains("m:p.Child.main()V"));
}

TEST_F(Children, ThatLeftNoFileMayHaveDoneAnything) {
  EXPECT_EQ(joined().grade(kTest), Grade::kPartial);
}

TEST_F(Children, OfOthersAreNotMine) {
  child_.file().parent_pid = 12;
  const Joined all = both();
  EXPECT_EQ(all.grade(kTest), Grade::kPartial);
  EXPECT_FALSE(all.atoms(kTest).contains("m:p.Child.main()V"));
}

TEST_F(Children, ThatStartedLaterAreNotMine) {
  child_.file().started = 2001;
  EXPECT_EQ(both().grade(kTest), Grade::kPartial);
}

TEST_F(Children, ThatDiedOrLostSomethingMakeItPartial) {
  child_.file().has_exit = false;
  EXPECT_EQ(both().grade(kTest), Grade::kPartial);
  child_.file().has_exit = true;
  child_.file().losses = {"no memory"};
  EXPECT_EQ(both().grade(kTest), Grade::kPartial);
}

TEST_F(Children, RecordNoMoreThanBothDo) {
  child_.file().atom_kinds = {"m"};
  const Joined all = both();
  EXPECT_TRUE(all.row(kTest).recorded(classfile::AtomKind::kMethod));
  EXPECT_FALSE(all.row(kTest).recorded(classfile::AtomKind::kInst));
}

}  // namespace
}  // namespace rejig::coverage
