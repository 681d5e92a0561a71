// SPDX-License-Identifier: Apache-2.0
// State that tests hand to each other: who lives on what changes, and who must
// run with whom. A slow model says the same of random rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "coverage/select/select.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {
namespace {

using classfile::Atom;
using classfile::AtomKind;

using World = std::map<std::string, std::set<std::string>>;  // atoms by test

SelectionInput body(const std::string& method) {
  classfile::Delta d;
  d.entity = method;
  d.at = {method};
  SelectionInput input;
  input.edges = {d};
  return input;
}

Answer answer_of(const World& world, SelectionInput input,
                 const std::set<std::string>& failed = {}) {
  MatrixBuilder builder;
  for (const auto& [test, atoms] : world) {
    Row row;
    row.suite = "default";
    row.test = test;
    row.facts = Facts::all();
    row.result = failed.contains(test) ? Outcome::kFail : Outcome::kPass;
    std::vector<Atom> parsed;
    for (const auto& atom : atoms) {
      parsed.push_back(classfile::parse_atom(atom).value());
    }
    builder.add_row(row, std::span<const Atom>(parsed));
  }
  const auto matrix = builder.finish();
  return select(std::move(input), matrix.get(), Policy{});
}

std::set<std::string> selected(const Answer& answer) {
  std::set<std::string> out;
  for (const auto& test : answer.selected) out.insert(test.key.test);
  return out;
}

const World kSingleton = {
    {"T#first()", {"m:S.load()V", "m:S.get()V", "state:S", "left:S|S.get()V"}},
    {"T#second()", {"m:S.get()V", "state:S"}},
    {"T#other()", {"m:Q.x()V"}}};

TEST(SharedState, WhoMeetsWhatAnAffectedTestLeavesIsSelected) {
  const auto answer = answer_of(kSingleton, body("S.load()V"));
  EXPECT_EQ(selected(answer),
            (std::set<std::string>{"T#first()", "T#second()"}));
  const auto* second = answer.find_selected("", "T#second()");
  ASSERT_NE(second, nullptr);
  ASSERT_EQ(second->forced.size(), 1u);
  EXPECT_EQ(name_of(second->forced[0].rule), "T10");
  EXPECT_EQ(second->forced[0].why,
            "it meets the static fields of S, where T#first() leaves something");
}

TEST(SharedState, WhoFillsTheSameNeedsNobody) {
  World world = kSingleton;
  world["T#second()"].insert("m:Q.y()V");
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            (std::set<std::string>{"T#second()"}));
}

TEST(SharedState, WhoAddsToWhatOthersLeftNeedsThem) {
  const World world = {
      {"T#adds()", {"m:R.add()V", "state:R", "left:R|R.add()V"}},
      {"T#counts()", {"m:R.add()V", "m:Q.y()V", "state:R", "left:R|R.add()V"}},
      {"T#other()", {"m:Q.x()V"}}};
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            (std::set<std::string>{"T#adds()", "T#counts()"}));
}

TEST(SharedState, WhoInstallsWhatARunningTestMeetsRunsWithIt) {
  const World world = {
      {"T#installs()", {"m:R.set()V", "state:R", "left:R|R.set()V"}},
      {"T#reads()", {"m:R.get()V", "m:Q.y()V", "state:R"}},
      {"T#other()", {"m:Q.x()V"}}};
  const auto answer = answer_of(world, body("Q.y()V"));
  EXPECT_EQ(selected(answer),
            (std::set<std::string>{"T#installs()", "T#reads()"}));
  const auto* provider = answer.find_selected("", "T#installs()");
  ASSERT_NE(provider, nullptr);
  EXPECT_EQ(name_of(provider->forced[0].rule), "T11");
}

TEST(SharedState, WhatAGoneTestLeftIsMissed) {
  SelectionInput input;
  input.deleted = {"T#first()"};
  for (const char* test : {"T#second()", "T#other()"}) {
    input.tests.push_back({"default", test, "jupiter", {}});
  }
  const auto answer = answer_of(kSingleton, std::move(input));
  EXPECT_EQ(selected(answer), (std::set<std::string>{"T#second()"}));
}

TEST(SharedState, ATestThatOnlyFailedLeavesWhatItLeft) {
  const auto answer = answer_of(kSingleton, SelectionInput{}, {"T#first()"});
  EXPECT_EQ(selected(answer), (std::set<std::string>{"T#first()"}));
}

TEST(SharedState, ChangedCodeThatMayLeaveSomethingAsksWhoMetIt) {
  classfile::Delta d;
  d.rule = classfile::Rule::kD24;
  d.entity = d.subject = "S";
  SelectionInput input;
  input.facets = {d};
  EXPECT_EQ(selected(answer_of(kSingleton, std::move(input))),
            (std::set<std::string>{"T#first()", "T#second()"}));
}

TEST(SharedState, WhoCanWriteAndMeetsChangedCodePassesItOn) {
  const World world = {
      {"T#could()", {"m:Q.y()V", "m:R.set()V", "state:R", "state:may R"}},
      {"T#only_reads()", {"m:R.get()V", "state:R"}},
      {"T#other()", {"m:Q.x()V"}}};
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            (std::set<std::string>{"T#could()", "T#only_reads()"}));
  EXPECT_EQ(selected(answer_of(world, body("R.get()V"))),
            (std::set<std::string>{"T#only_reads()"}));
}

TEST(SharedState, WhatTheJvmHasEverybodyMeets) {
  const World world = {
      {"T#sets()", {"m:Q.y()V", "left:jvm locale|T.sets()V"}},
      {"T#other()", {"m:Q.x()V"}}};
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            (std::set<std::string>{"T#other()", "T#sets()"}));
  EXPECT_EQ(selected(answer_of(world, body("Q.x()V"))),
            (std::set<std::string>{"T#other()", "T#sets()"}));
}

TEST(SharedState, PropertiesAreMetOneByOneOrAllTogether) {
  const World world = {
      {"T#all()", {"state:kept properties"}},
      {"T#one()", {"state:property k"}},
      {"T#other()", {"state:property l"}},
      {"T#sets()", {"m:Q.y()V", "left:property k|Q.y()V"}}};
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            (std::set<std::string>{"T#all()", "T#one()", "T#sets()"}));
}

TEST(SharedState, WhoLooksAtAFileMeetsWhoWroteIt) {
  const World world = {
      {"T#asks()", {"resmiss:/d/f"}},
      {"T#below()", {"res:/d/f/x"}},
      {"T#lists()", {"res:/d/"}},
      {"T#other()", {"res:/d/g"}},
      {"T#writes()", {"m:Q.y()V", "left:file /d/f|?"}}};
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            (std::set<std::string>{"T#asks()", "T#below()", "T#lists()",
                                   "T#writes()"}));
}

TEST(SharedState, ChangedCodeMayLeaveSomethingOutsideTheProgram) {
  const World world = {{"T#asks()", {"res:file:0:f"}},
                       {"T#junit()", {"state:property junit.x"}},
                       {"T#loads()", {"ext:l.L"}},
                       {"T#other()", {"ext:l.M"}},
                       {"T#reads()", {"state:property k"}}};
  const auto left = [&](const std::string& what) {
    classfile::Delta d;
    d.rule = classfile::Rule::kD24;
    d.entity = d.subject = what;
    SelectionInput input;
    input.facets = {d};
    return selected(answer_of(world, std::move(input)));
  };
  using Tests = std::set<std::string>;
  EXPECT_EQ(left("library l.L"), Tests{"T#loads()"});
  EXPECT_EQ(left("kept properties"), Tests{"T#reads()"});
  EXPECT_EQ(left("kept files"), Tests{"T#asks()"});
  EXPECT_EQ(left("kept anywhere"), (Tests{"T#junit()", "T#reads()"}));
  EXPECT_EQ(left("jvm locale").size(), world.size());
}

TEST(SharedState, ACacheOfALibraryCallsForNobody) {
  World world = {{"T#reads()", {"m:Q.y()V", "ext:l.L", "state:l.L"}}};
  for (const char* n : {"1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
    const std::string method = std::string("M.m") + n + "()V";
    world[std::string("T#fills") + n + "()"] = {
        "ext:l.L", "state:l.L", "m:" + method, "left:l.L|" + method};
  }
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))),
            std::set<std::string>{"T#reads()"});
  world.erase("T#fills9()");
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))).size(), world.size());
}

TEST(SharedState, WhoBorrowsNeedsWhoMakes) {
  const World world = {
      {"T#borrows()", {"m:C.get()V", "state:borrowed C.<init>"}},
      {"T#makes()", {"m:C.<init>(I)V", "m:Q.y()V"}},
      {"T#other()", {"m:Q.x()V"}}};
  const std::set<std::string> both{"T#borrows()", "T#makes()"};
  EXPECT_EQ(selected(answer_of(world, body("Q.y()V"))), both);
  EXPECT_EQ(selected(answer_of(world, body("C.get()V"))), both);
}

TEST(SharedState, WhatCameByAFieldNeedsWhoFilledIt) {
  const World world = {
      {"T#first()", {"m:C.<init>(I)V", "m:C.one()V", "state:C", "left:C|C.one()V"}},
      {"T#second()", {"m:C.get()V", "m:C.one()V", "state:C", "state:borrowed C.<init>"}}};
  EXPECT_EQ(selected(answer_of(world, body("C.get()V"))),
            (std::set<std::string>{"T#second()"}));
}

// One round after the other, over plain sets.
std::set<std::string> by_the_book(const World& world,
                                  const std::string& changed) {
  std::set<std::string> affected;
  for (const auto& [test, atoms] : world) {
    if (atoms.contains("m:" + changed)) affected.insert(test);
  }
  const std::set<std::string> hit = affected;
  // Whoever has an atom that begins so.
  const auto has = [&](const std::string& test, const std::string& prefix) {
    const auto& atoms = world.at(test);
    const auto at = atoms.lower_bound(prefix);
    return at != atoms.end() && at->starts_with(prefix);
  };
  const auto explained = [&](const std::string& reader, const std::string& maker) {
    return std::any_of(world.begin(), world.end(), [&](const auto& one) {
      return one.first != reader && has(one.first, "m:" + maker + "(") &&
             std::any_of(one.second.begin(), one.second.end(), [&](const auto& atom) {
               return atom.starts_with("left:S") &&
                      world.at(reader).contains(
                          "state:" + atom.substr(5, atom.find('|') - 5));
             });
    });
  };
  std::set<std::string> runs;
  for (bool more = true; more;) {
    more = false;
    runs.insert(affected.begin(), affected.end());
    for (const auto& [reader, atoms] : world) {
      for (const auto& atom : atoms) {
        if (!atom.starts_with("state:borrowed ")) continue;
        const std::string maker = atom.substr(15);
        for (const auto& [other, unused] : world) {
          if (other == reader || !has(other, "m:" + maker + "(")) continue;
          if (affected.contains(other)) {
            more = affected.insert(reader).second || more;
          }
          if (runs.contains(reader) && !explained(reader, maker)) {
            more = runs.insert(other).second || more;
          }
        }
      }
      for (const auto& one : hit) {
        for (const auto& atom : world.at(one)) {
          if (one != reader && atom.starts_with("state:may ") &&
              atoms.contains("state:" + atom.substr(10))) {
            more = affected.insert(reader).second || more;
          }
        }
      }
    }
    for (const auto& [leaver, left] : world) {
      for (const auto& atom : left) {
        if (!atom.starts_with("left:")) continue;
        const auto bar = atom.find('|');
        const std::string what = atom.substr(5, bar - 5);
        const std::string method = atom.substr(bar + 1);
        for (const auto& [reader, atoms] : world) {
          const bool meets = what.starts_with("jvm ") ||
                             atoms.contains("state:" + what);
          if (!meets || reader == leaver) continue;
          if (affected.contains(leaver)) {
            more = affected.insert(reader).second || more;
          }
          if (runs.contains(reader) &&
              (!atoms.contains("m:" + method) || atoms.contains(atom))) {
            more = runs.insert(leaver).second || more;
          }
        }
      }
    }
  }
  runs.insert(affected.begin(), affected.end());
  return runs;
}

TEST(SharedState, SaysWhatTheModelSays) {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return std::to_string(random() % n); };
    World world;
    for (unsigned t = 0; t < 8; ++t) {
      auto& atoms = world["T#t" + std::to_string(t) + "()"];
      for (auto i = random() % 4; i > 0; --i) {
        atoms.insert("m:M.m" + below(6) + "()V");
      }
      for (auto i = random() % 3; i > 0; --i) {
        const std::string what = "S" + below(4);
        if (random() % 4 == 0) atoms.insert("state:may " + what);
        if (random() % 4 == 0) atoms.insert("state:borrowed M.m" + below(6));
        if (random() % 16 == 0) atoms.insert("left:jvm it|M.m" + below(6) + "()V");
        const std::string method = "M.m" + below(6) + "()V";
        atoms.insert("state:" + what);
        if (random() % 2 != 0) continue;
        atoms.insert("m:" + method);
        atoms.insert("left:" + what + "|" + method);
      }
    }
    const std::string changed = "M.m" + below(6) + "()V";
    EXPECT_EQ(selected(answer_of(world, body(changed))),
              by_the_book(world, changed));
  }
}

}  // namespace
}  // namespace rejig::coverage
