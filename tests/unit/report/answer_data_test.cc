// SPDX-License-Identifier: Apache-2.0
// An answer that was written comes back as it was; what is not one is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "apps/rejig/report/answer_data.h"

namespace rejig::app {
namespace {

using coverage::Answer;
using coverage::TestRule;

std::string name(std::mt19937& random) {
  static const std::vector<std::string> kOdd = {
      "a.b.C.m(I)V", "\"quoted\"", "tab\there", "</script>", "\xC3\xA9", "",
      "line\nend", "\xED\xA0\xBD\xED\xB8\x80"};
  return kOdd[random() % kOdd.size()] + std::to_string(random() % 100);
}

Answer made(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) {
    return static_cast<unsigned>(random() % n);
  };
  Answer out;
  out.mode = static_cast<coverage::Mode>(below(3));
  for (unsigned i = below(3); i > 0; --i) {
    out.reasons.push_back(name(random));
    out.assumptions.push_back(name(random));
    out.widened.push_back({name(random), name(random)});
  }
  for (unsigned i = below(5); i > 0; --i) {
    coverage::Edge edge;
    edge.delta.rule = static_cast<classfile::Rule>(1 + below(classfile::kRules));
    edge.delta.channel = classfile::row_of(edge.delta.rule).channel;
    edge.delta.entity = name(random);
    edge.delta.label = name(random);
    edge.delta.old_fact = name(random);
    edge.delta.new_fact = name(random);
    edge.delta.file = name(random);
    edge.delta.line = below(100);
    edge.delta.why = name(random);
    for (unsigned k = 1 + below(3); k > 0; --k) {
      edge.items.push_back({{classfile::AtomKind::kMethod, "a.b.C.m(I)V"},
                            {classfile::AtomKind::kInit, "a.b.C"}});
    }
    out.edges.push_back(std::move(edge));
  }
  const auto hits = [&] {
    std::vector<coverage::Hit> all;
    for (std::uint32_t e = 0; e < out.edges.size(); ++e) {
      if (below(2) == 0) all.push_back({e, below(2), below(2) == 0});
    }
    return all;
  };
  out.broad = hits();
  for (unsigned i = below(6); i > 0; --i) {
    const coverage::TestKey key{"suite " + std::to_string(below(2)),
                                "t.T#" + name(random) + std::to_string(i)};
    switch (below(3)) {
      case 0:
        out.unaffected.push_back(key);
        break;
      case 1:
        out.gone.push_back(key);
        break;
      default:
        out.selected.push_back(
            {key, {{static_cast<TestRule>(1 + below(11)), name(random)}}, hits()});
    }
  }
  for (auto* keys : {&out.unaffected, &out.gone}) std::ranges::sort(*keys);
  out.counts = {below(9), out.selected.size(), out.unaffected.size(), 0,
                out.gone.size()};
  out.classes = below(1000);
  out.changed_classes = below(100);
  return out;
}

TEST(AnswerData, ComesBackAsItWas) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Answer before = made(seed);
    const std::string text = answer_data(before);
    const auto after = answer_of(text, "here");
    ASSERT_TRUE(after.ok()) << seed << " " << after.error().message() << text;
    EXPECT_EQ(text, answer_data(*after)) << seed;
    EXPECT_EQ(before.mode, after->mode);
    EXPECT_EQ(before.unaffected, after->unaffected);
    EXPECT_EQ(before.broad, after->broad);
    ASSERT_EQ(before.selected.size(), after->selected.size());
    for (std::size_t i = 0; i < before.selected.size(); ++i) {
      EXPECT_EQ(before.selected[i].key, after->selected[i].key);
      EXPECT_EQ(before.selected[i].hits, after->selected[i].hits);
      EXPECT_EQ(before.selected[i].forced[0].why, after->selected[i].forced[0].why);
    }
    ASSERT_EQ(before.edges.size(), after->edges.size());
    for (std::size_t i = 0; i < before.edges.size(); ++i) {
      EXPECT_EQ(before.edges[i].items, after->edges[i].items);
      EXPECT_EQ(before.edges[i].delta.rule, after->edges[i].delta.rule);
      EXPECT_EQ(before.edges[i].delta.line, after->edges[i].delta.line);
    }
  }
}

TEST(AnswerData, WhatIsTornIsAnError) {
  const std::string text = answer_data(made(7));
  for (std::size_t n = 0; n < text.size(); ++n) {
    EXPECT_FALSE(answer_of(text.substr(0, n), "here").ok()) << n;
  }
  EXPECT_FALSE(answer_of("{\"mode\":\"some\"}", "here").ok());
  EXPECT_FALSE(answer_of("{\"selected\":[[\"\",\"t\",[],[[0,0]]]],\"end\":true}", "here").ok());
  EXPECT_FALSE(answer_of("{\"mode\":\"perhaps\",\"end\":true}", "here").ok());
  EXPECT_FALSE(answer_of("{\"edges\":[{\"rule\":\"D99\"}],\"end\":true}", "here").ok());
}

}  // namespace
}  // namespace rejig::app
