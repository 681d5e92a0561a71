// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/resolve.h"

#include <gtest/gtest.h>

#include "jig/lookup/call_targets.h"
#include "tests/unit/jig/world_of.h"

namespace rejig::jig {
namespace {

using classfile::kAccAbstract;
using classfile::kAccInterface;
using classfile::kAccPrivate;
using classfile::kAccPublic;

constexpr std::uint16_t kInterface =
    kAccPublic | kAccInterface | kAccAbstract;
const ShellSpec kRoot = {"java/lang/Object", "", {}, kAccPublic, {}};

std::string chosen(CallTargets& targets, const ClassHierarchy& hierarchy,
                   std::string_view receiver) {
  const Chosen got = targets.choose(hierarchy.find(receiver));
  if (got.kind == Chosen::Kind::kError) return std::string(name_of(got.error));
  if (got.kind == Chosen::Kind::kUnknown) return "?";
  return std::string(hierarchy.name(got.type));
}

TEST(Resolve, ConstructorsAreNotInherited) {
  WorldOf w({kRoot,
             {"A", "java/lang/Object", {}, kAccPublic, {{"<init>(I)V", 1}}},
             {"B", "A", {}, kAccPublic, {{"<init>()V", 1}}}});
  EXPECT_TRUE(resolve_method(w.world, {"B", "<init>", "()V"}).found());
  EXPECT_EQ(resolve_method(w.world, {"B", "<init>", "(I)V"}).error,
            LinkError::kNoSuchMethod);
}

TEST(Resolve, CyclesAreUnknownAndEnd) {
  WorldOf w({{"A", "B", {}, kAccPublic, {}},
             {"B", "A", {}, kAccPublic, {}},
             {"C", "A", {"Gone"}, kAccPublic, {}}});
  EXPECT_FALSE(resolve_method(w.world, {"A", "m", "()V"}).unknown.empty());
  EXPECT_FALSE(resolve_field(w.world, "A", "f", "I").unknown.empty());
  EXPECT_EQ(link_problem(w.world, "C"), "ClassCircularityError: C");
}

TEST(Resolve, DiamondLaddersAreWalkedOnce) {
  std::vector<ShellSpec> specs = {kRoot};
  for (int i = 0; i < 60; ++i) {
    const std::string below = std::to_string(i - 1);
    std::vector<std::string> above;
    if (i != 0) above = {"L" + below, "R" + below};
    for (const char* side : {"L", "R"}) {
      specs.push_back({side + std::to_string(i), "java/lang/Object", above,
                       kInterface, {}});
    }
  }
  specs.push_back({"C", "java/lang/Object", {"L59", "R59"}, kAccPublic, {}});
  WorldOf w(specs);
  EXPECT_EQ(resolve_field(w.world, "C", "f", "I").error,
            LinkError::kNoSuchField);
  EXPECT_TRUE(init_sequence(w.world, "C").empty());
  EXPECT_EQ(link_problem(w.world, "C"), "");
}

TEST(Resolve, LinkingMeetsTheSuperclassFirst) {
  WorldOf w({kRoot,
             {"I", "java/lang/Object", {}, kInterface, {}},
             {"A", "Missing", {}, kAccPublic, {}},
             {"B", "A", {"A"}, kAccPublic, {}}});
  EXPECT_EQ(link_problem(w.world, "B"),
            "unknown Missing, then IncompatibleClassChangeError: A is no "
            "interface");
  EXPECT_EQ(link_problem(w.world, "A"), "unknown Missing");
}

// What is not in the world may have the member or not; the same class in two
// worlds is no reason to forget what stands behind it.
TEST(Resolve, WhatStandsBehindAClassThatIsNotThere) {
  WorldOf w({kRoot,
             {"I", "java/lang/Object", {}, kInterface, {{"m()V", kAccPublic}}},
             {"A", "Missing", {"I"}, kAccPublic, {}}});
  const auto method = resolve_method(w.world, {"A", "m", "()V", false});
  EXPECT_FALSE(method.found());
  EXPECT_EQ(method.unknown, "Missing");
  EXPECT_EQ(rest_of(method), ", else I.m()V 1");
  const auto none = resolve_method(w.world, {"A", "n", "()V", false});
  EXPECT_EQ(none.unknown, "Missing");
  EXPECT_EQ(rest_of(none), "");
}

TEST(Resolve, ProtectedInstanceMembersNeedTheCallersLine) {
  WorldOf w({kRoot,
             {"p/A", "java/lang/Object", {}, kAccPublic, {}},
             {"q/B", "p/A", {}, kAccPublic, {}},
             {"q/C", "p/A", {}, kAccPublic, {}}});
  const auto& holder = *w.world.find("p/A");
  using classfile::kAccProtected;
  using classfile::kAccStatic;
  EXPECT_TRUE(
      member_accessible(w.world, "q/B", "q/B", holder, kAccProtected));
  EXPECT_FALSE(
      member_accessible(w.world, "q/B", "q/C", holder, kAccProtected));
  EXPECT_TRUE(member_accessible(w.world, "q/B", "q/C", holder,
                                kAccProtected | kAccStatic));
}

// HotSpot looks past the static method and meets the one that it made for the
// abstract superclass; it makes them where any interface has a default.
TEST(Select, AStaticMethodHidesAnInheritedDefaultFromHotSpot) {
  using classfile::kAccStatic;
  constexpr std::uint16_t kAbstract = kAccPublic | kAccAbstract;
  for (const std::uint16_t other : {std::uint16_t{kAccPublic}, kAbstract}) {
    WorldOf w({kRoot,
               {"A", "java/lang/Object", {}, kInterface,
                {{"m()V", kAbstract}, {"n()V", other}}},
               {"E", "java/lang/Object", {}, kInterface, {{"m()V", kAccPublic}}},
               {"F", "java/lang/Object", {"A"}, kAbstract, {}},
               {"H", "F", {"E"}, kAccPublic, {{"m()V", kAccStatic}}},
               {"I", "F", {"E"}, kAccPublic, {}},
               {"J", "java/lang/Object", {"E"}, kAccPublic,
                {{"m()V", kAccStatic}}}});
    const auto resolved = resolve_method(w.world, {"E", "m", "()V", true});
    const auto hidden = select_method(w.world, *w.world.find("H"), resolved);
    EXPECT_TRUE(hidden.specified.found());
    EXPECT_EQ(hidden.hotspot.error, other == kAbstract
                                        ? LinkError::kNone
                                        : LinkError::kAbstractMethod);
    for (const auto* plain : {"I", "J"}) {
      EXPECT_TRUE(select_method(w.world, *w.world.find(plain), resolved)
                      .hotspot.found())
          << plain;
    }
  }
}

// q/E closes what p/B opened: an old p/F gets a slot of its own, and B's slot
// still holds E's method (case 83739 of the linkage oracle).
TEST(Select, OldClassesReplaceOnlyWhatTheirSuperclassHas) {
  const std::vector<ShellSpec> specs = {
      kRoot,
      {"p/B", "java/lang/Object", {}, kAccPublic, {{"n()V", kAccPublic}}},
      {"q/E", "p/B", {}, kAccPublic, {{"n()V", 0}}},
      {"p/F", "q/E", {}, kAccPublic, {{"n()V", kAccPublic}}},
      {"p/G", "p/F", {}, kAccPublic, {}}};
  for (const std::uint16_t major : {std::uint16_t{48}, std::uint16_t{52}}) {
    WorldOf w(specs, major);
    const auto resolved = resolve_method(w.world, {"p/B", "n", "()V", false});
    const auto chosen = select_method(w.world, *w.world.find("p/G"), resolved);
    ASSERT_TRUE(chosen.specified.found() && chosen.hotspot.found());
    EXPECT_EQ(chosen.specified.holder->name, "p/F");
    EXPECT_EQ(chosen.hotspot.holder->name, major == 48 ? "q/E" : "p/F");
  }
}

// The same where p/E closes what an interface opened: a call that names p/B finds
// its slot, one that names the interface does not ask slots (case 26128).
TEST(Select, OldClassesReplaceOnlyWhatTheirSuperclassHasOfAnInterface) {
  constexpr std::uint16_t kAbstract = kAccPublic | kAccAbstract;
  const std::vector<ShellSpec> specs = {
      kRoot,
      {"p/A", "java/lang/Object", {}, kInterface, {{"n()V", kAbstract}}},
      {"p/B", "java/lang/Object", {"p/A"}, kAbstract, {}},
      {"p/E", "p/B", {}, kAccPublic, {{"n()V", 0}}},
      {"q/I", "p/E", {}, kAccPublic, {{"n()V", kAccPublic}}}};
  for (const std::uint16_t major : {std::uint16_t{50}, std::uint16_t{51}}) {
    WorldOf w(specs, major);
    const auto resolved = resolve_method(w.world, {"p/B", "n", "()V", false});
    ASSERT_TRUE(resolved.found());
    EXPECT_EQ(resolved.holder->name, "p/A");
    const auto& receiver = *w.world.find("q/I");
    const auto by_class = select_method(w.world, receiver, resolved, "p/B");
    ASSERT_TRUE(by_class.specified.found() && by_class.hotspot.found());
    EXPECT_EQ(by_class.specified.holder->name, "q/I");
    EXPECT_EQ(by_class.hotspot.holder->name, major == 50 ? "p/E" : "q/I");
    const auto by_interface = select_method(w.world, receiver, resolved);
    ASSERT_TRUE(by_interface.hotspot.found());
    EXPECT_EQ(by_interface.hotspot.holder->name, "q/I");
  }
}

// An invokespecial comes to a private method of p/E only where no class before it
// was given one that throws (case 36739).
TEST(Resolve, SpecialMeetsTheThrowingMethodOfAnAbstractClass) {
  constexpr std::uint16_t kAbstract = kAccPublic | kAccAbstract;
  for (const std::uint16_t other : {std::uint16_t{kAccPublic}, kAbstract}) {
    WorldOf w({kRoot,
               {"p/A", "java/lang/Object", {}, kInterface,
                {{"n()V", kAbstract}, {"m()V", other}}},
               {"p/E", "java/lang/Object", {}, kAccPublic,
                {{"n()V", classfile::kAccPrivate}}},
               {"p/G", "p/E", {"p/A"}, kAbstract, {}},
               {"p/H", "p/G", {}, kAccPublic, {{"n()V", kAccPublic}}}});
    const auto found =
        resolve_special(w.world, "p/H", {"p/E", "n", "()V", false});
    EXPECT_EQ(found.error, other == kAbstract ? LinkError::kNone
                                              : LinkError::kAbstractMethod);
    EXPECT_EQ(found.found(), other == kAbstract);
  }
}

TEST(CallTargets, ClassWinsDefaultsAndReAbstraction) {
  WorldOf w({kRoot,
             {"I", "java/lang/Object", {}, kInterface, {{"m()V", kAccPublic}}},
             {"J", "java/lang/Object", {"I"}, kInterface,
              {{"m()V", kAccPublic}}},
             {"K", "java/lang/Object", {}, kInterface, {{"m()V", kAccPublic}}},
             {"A", "java/lang/Object", {"I"}, kAccPublic, {}},
             {"B", "A", {"J"}, kAccPublic, {}},
             {"C", "B", {"K"}, kAccPublic, {}},
             {"D", "C", {}, kAccPublic, {{"m()V", kAccPublic}}},
             {"E", "D", {"I"}, kAccPublic, {{"m()V", kAccPrivate}}},
             {"F", "D", {}, kAccPublic | kAccAbstract,
              {{"m()V", kAccPublic | kAccAbstract}}},
             {"G", "F", {"I"}, kAccPublic, {}},
             {"H", "A", {"Gone"}, kAccPublic, {}}});
  base::ThreadPool pool(1);
  const ClassHierarchy hierarchy(w.world, w.classes, pool);
  CallTargets targets(hierarchy);
  targets.begin(resolve_method(w.world, {"I", "m", "()V", true}), true);
  EXPECT_EQ(chosen(targets, hierarchy, "A"), "I");
  EXPECT_EQ(chosen(targets, hierarchy, "B"), "J");
  EXPECT_EQ(chosen(targets, hierarchy, "C"), "IncompatibleClassChangeError");
  EXPECT_EQ(chosen(targets, hierarchy, "D"), "D");
  EXPECT_EQ(chosen(targets, hierarchy, "E"), "D");
  EXPECT_EQ(chosen(targets, hierarchy, "G"), "AbstractMethodError");
  EXPECT_EQ(chosen(targets, hierarchy, "H"), "?");
  EXPECT_TRUE(hierarchy.open(hierarchy.find("H")));
}

}  // namespace
}  // namespace rejig::jig
