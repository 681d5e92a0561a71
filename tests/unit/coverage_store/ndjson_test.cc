// SPDX-License-Identifier: Apache-2.0
// The exchange format: what goes out comes in again, what is wrong is named
// with line and column, and undeclared facts are read on the safe side.
#include "coverage/import/ndjson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/coverage_store/model.h"

namespace rejig::coverage::test {
namespace {

using classfile::Atom;
using classfile::AtomKind;
using testing::HasSubstr;

ReadBytes reader(std::string text, std::size_t piece = 1 << 16) {
  return [text = std::move(text), piece, at = std::size_t{0}](
             char* buffer, std::size_t size) mutable {
    const std::size_t n = std::min({size, piece, text.size() - at});
    std::copy_n(text.data() + at, n, buffer);
    at += n;
    return base::Result<std::size_t>(n);
  };
}

struct Imported {
  Model model;
  ImportReport report;
};
Imported imported(const std::string& text, std::size_t piece = 1 << 16) {
  MatrixBuilder builder;
  const auto report =
      import_ndjson(reader(text, piece), "m.ndjson", "default", builder);
  EXPECT_TRUE(report.ok()) << report.error().message();
  const auto matrix = builder.finish();
  return {model_of(*matrix), report.ok() ? *report : ImportReport()};
}

std::string error_of(const std::string& text) {
  MatrixBuilder builder;
  const auto report =
      import_ndjson(reader(text), "m.ndjson", "default", builder);
  EXPECT_FALSE(report.ok()) << text;
  return report.ok() ? "" : report.error().message();
}

std::string exported(const Model& model) {
  MatrixBuilder builder;
  model.add_to(builder);
  std::string out;
  EXPECT_TRUE(export_ndjson(*builder.finish(), [&](std::string_view text) {
                out += text;
              }).ok());
  return out;
}

std::string row(const std::string& rest) {
  return R"j({"v":1,"test":"a.T#x()","grade":"complete","result":"pass",)j" +
         rest + "}\n";
}

// A receiver and an edge of a method say that it was entered.
Model with_methods(Model model) {
  for (auto& [key, value] : model.rows) {
    const auto atoms = value.atoms;
    for (const Atom& atom : atoms) {
      if (atom.kind == AtomKind::kRecv) {
        value.atoms.insert(
            {AtomKind::kMethod, atom.text.substr(atom.text.find('|') + 1)});
      } else if (atom.kind == AtomKind::kEdge) {
        value.atoms.insert(
            {AtomKind::kMethod, atom.text.substr(0, atom.text.rfind('#'))});
      }
    }
  }
  return model;
}

TEST(Ndjson, ReceiversAndEdgesSayWhatWasEntered) {
  const auto got = imported(row(
      R"j("facts":["m","recv","e"],"atoms":["recv:p.B|p.A.f()V","e:p.C.g(I)I#12T"])j"));
  EXPECT_EQ(got.model.rows.begin()->second.atoms,
            (std::set<Atom>{{AtomKind::kRecv, "p.B|p.A.f()V"},
                            {AtomKind::kMethod, "p.A.f()V"},
                            {AtomKind::kEdge, "p.C.g(I)I#12T"},
                            {AtomKind::kMethod, "p.C.g(I)I"}}));
}

TEST(Ndjson, WhatGoesOutComesInAgain) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 300; ++i) {
    Model model = with_methods(random_model(random));
    const auto text = exported(model);
    model.facts.clear();  // opaque bytes do not travel
    const auto again = imported(text, 1 + random() % 300);
    ASSERT_EQ(again.model, model);
    EXPECT_TRUE(again.report.header);
    EXPECT_EQ(again.report.rows, model.rows.size());
    ASSERT_EQ(exported(again.model), text);
  }
}

TEST(Ndjson, TheDocumentedLineIsRead) {
  const auto got = imported(
      R"j({"v":1,"suite":"s","test":"a.b.FooTest#one()","grade":"shared",)j"
      R"j("result":"pass","ms":12,"atoms":["m:a.b.C.add(II)I","stackapi"]})j");
  ASSERT_EQ(got.model.rows.size(), 1U);
  const auto& [key, value] = *got.model.rows.begin();
  EXPECT_EQ(key, Model::Key("s", "a.b.FooTest#one()"));
  EXPECT_EQ(value.grade, Grade::kShared);
  EXPECT_EQ(value.ms, 12U);
  EXPECT_EQ(value.atoms, (std::set<Atom>{{AtomKind::kMethod, "a.b.C.add(II)I"},
                                         {AtomKind::kStackApi, ""}}));
  EXPECT_FALSE(got.report.header);
}

// Names as the JVM keeps them: modified UTF-8, unpaired surrogates included.
TEST(Ndjson, NamesMayBeAnyText) {
  const std::string nul("\xC0\x80", 2);
  const std::string smile("\xED\xA0\xBD\xED\xB8\x80", 6);  // U+1F600
  const std::string lone("\xED\xA0\xBD", 3);
  Model model;
  auto& to = model.rows[{"s \"q\" \\", "T#" + smile + "()"}];
  to.facts = Facts::all().bits();
  for (const auto& name : {nul, smile, lone, smile + lone, std::string("\t\n"),
                           std::string("\xC3\xBC")}) {
    to.atoms.insert({AtomKind::kRes, "x" + name});
  }
  const auto text = exported(model);
  EXPECT_THAT(text, HasSubstr("x\\u0000"));
  EXPECT_THAT(text, HasSubstr("x\\ud83d\""));
  EXPECT_THAT(text, HasSubstr("x\xF0\x9F\x98\x80\""));
  EXPECT_EQ(imported(text).model, model);
  EXPECT_EQ(imported(row(R"("atoms":["res:\ud83d\ude00"])"))
                .model.rows.begin()
                ->second.atoms,
            (std::set<Atom>{{AtomKind::kRes, smile}}));
}

TEST(Ndjson, ErrorsNameLineAndColumn) {
  const std::string good = row(R"("atoms":[])");
  EXPECT_EQ(error_of(good + "\n{\"v\":1,\n"),
            "m.ndjson:3:8: a string is expected");
  EXPECT_EQ(error_of("{\"v\":2}"),
            "m.ndjson:1:6: version 2, this rejig reads version 1");
  EXPECT_EQ(error_of(good + row(R"j("atoms":["m:a.B.c()V","what:x"])j")),
            "m.ndjson:2:82: \"what:x\" is not an atom");
  EXPECT_EQ(error_of(row(R"("facts":["m","metod"],"atoms":[])")),
            "m.ndjson:1:73: \"metod\" is not a kind of atoms");
  EXPECT_EQ(error_of(R"({"v":1,"v":1})"),
            "m.ndjson:1:8: the member \"v\" occurs twice");
  EXPECT_EQ(error_of(R"({"test":"x"})"),
            "m.ndjson:1:13: the member \"v\" is missing");
  EXPECT_THAT(error_of(R"({"v":1,"test":"x"})"),
              HasSubstr("the member \"grade\" of a row is missing"));
  EXPECT_THAT(error_of(row(R"("grade":"complete")")), HasSubstr("twice"));
  EXPECT_THAT(error_of(row(R"("ms":-1,"atoms":[])")), HasSubstr("the time is"));
  EXPECT_THAT(error_of(row(R"("ms":01,"atoms":[])")), HasSubstr("number"));
  EXPECT_THAT(error_of(row(R"("atoms":["m:)"
                           "\xC3"
                           R"("])")),
              HasSubstr("UTF-8"));
  EXPECT_THAT(error_of(row(R"("atoms":["m:\q"])")), HasSubstr("escape"));
  EXPECT_THAT(error_of(row(R"("atoms":[],)")), HasSubstr("string is expected"));
  EXPECT_THAT(error_of(good + "[1]"), HasSubstr("2:1: '{' is expected"));
  EXPECT_THAT(error_of(good.substr(0, good.size() - 1) + " 1"),
              HasSubstr("more text"));
  EXPECT_THAT(error_of(good + R"({"v":1,"type":"matrix"})"),
              HasSubstr("a header behind rows that have none"));
  EXPECT_THAT(error_of(R"({"v":1,"type":"matrix","classes":[{"name":"x"}]})"),
              HasSubstr("a class needs a name and a digest"));
}

TEST(Ndjson, HostileTextIsBounded) {
  EXPECT_THAT(error_of("{\"v\":1,\"x\":" + std::string(100'000, '[')),
              HasSubstr("nested deeper than 64"));
  MatrixBuilder builder;
  const auto endless = import_ndjson(
      [](char* buffer, std::size_t size) {
        std::fill_n(buffer, size, ' ');
        return base::Result<std::size_t>(size);
      },
      "m.ndjson", "default", builder);
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.error().code, base::Errc::kLimit);
  EXPECT_THAT(endless.error().message(), HasSubstr("m.ndjson:1:1: the line"));
}

// Whatever happens to the text: an error, or rows with nothing but its atoms.
TEST(Ndjson, MutatedTextNeverAddsAnything) {
  std::mt19937_64 random(32);
  std::size_t errors = 0;
  for (int i = 0; i < 3000; ++i) {
    auto text = exported(random_model(random, {3, 4, 3}));
    for (auto n = 1 + random() % 3; n > 0 && !text.empty(); --n) {
      const auto at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
      }
    }
    MatrixBuilder builder;
    const auto report =
        import_ndjson(reader(text), "m.ndjson", "default", builder);
    if (!report.ok()) {
      ++errors;
      EXPECT_THAT(report.error().where, HasSubstr("m.ndjson:"));
      continue;
    }
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    EXPECT_LE(report->rows, static_cast<std::size_t>(lines));
  }
  EXPECT_GT(errors, 500U);
}

std::uint16_t bits(std::initializer_list<AtomKind> kinds) {
  Facts out = Facts().with(AtomKind::kTest).with(AtomKind::kTestClass);
  for (const AtomKind kind : kinds) out = out.with(kind);
  return out.bits();
}
std::uint16_t facts_of(const std::string& text, const std::string& test) {
  const auto got = imported(text);
  const auto at = got.model.rows.find({"default", test});
  EXPECT_NE(at, got.model.rows.end());
  return at == got.model.rows.end() ? std::uint16_t{0} : at->second.facts;
}
std::string named(const std::string& test, const std::string& rest) {
  return R"({"v":1,"test":")" + test +
         R"(","grade":"complete","result":"pass",)" + rest + "}\n";
}

TEST(Ndjson, DeclaredFactsAreTaken) {
  const std::string header = R"({"v":1,"type":"matrix","facts":["m","res"]})"
                             "\n";
  const auto text = header + named("a", R"("atoms":["inst:a.B"])") +
                    named("b", R"("facts":["m","inst"],"atoms":[])");
  EXPECT_EQ(facts_of(text, "a"), bits({AtomKind::kMethod, AtomKind::kRes}));
  EXPECT_EQ(facts_of(text, "b"), bits({AtomKind::kMethod, AtomKind::kInst}));
}

TEST(Ndjson, UndeclaredFactsAreReadOnTheSafeSide) {
  const auto text = named("methods", R"j("atoms":["m:a.B.c()V"])j") +
                    named("edges", R"j("atoms":["e:a.B.c()V#1"])j") +
                    named("sparse", R"j("atoms":["res:x","m:a.B.c()V"])j") +
                    named("dense", R"("atoms":["inst:a.B","load:a.B"])") +
                    named("empty", R"("atoms":[])");
  EXPECT_EQ(facts_of(text, "methods"), bits({AtomKind::kMethod}));
  EXPECT_EQ(facts_of(text, "empty"), bits({AtomKind::kMethod}));
  // Edges may be somebody else's: only who declares them means ours.
  EXPECT_EQ(facts_of(text, "edges"), bits({AtomKind::kMethod}));
  // res: counts as recorded only where a dense kind shows a real recorder.
  EXPECT_EQ(facts_of(text, "sparse"), bits({AtomKind::kMethod}));
  EXPECT_EQ(facts_of(text, "dense"), bits({AtomKind::kMethod, AtomKind::kInst,
                                           AtomKind::kLoad, AtomKind::kRes}));
}

// The rows that stand before the one that shows a sparse kind count as well.
TEST(Ndjson, SparseKindsAreThoseOfTheWholeStream) {
  const auto dense = named("dense", R"("atoms":["inst:a.B"])");
  const auto refl = named("refl", R"("atoms":["inst:a.B","refl:a.B"])");
  const auto expected =
      bits({AtomKind::kMethod, AtomKind::kInst, AtomKind::kRefl});
  EXPECT_EQ(facts_of(dense + refl, "dense"), expected);
  EXPECT_EQ(facts_of(refl + dense, "dense"), expected);
  EXPECT_EQ(facts_of(dense, "dense"),
            bits({AtomKind::kMethod, AtomKind::kInst}));
}

}  // namespace
}  // namespace rejig::coverage::test
