// SPDX-License-Identifier: Apache-2.0
#include "apps/session/joined_answers.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace rejig::app {

using coverage::Answer;
using coverage::TestKey;

namespace {

void spread(Answer& answer) {
  if (answer.broad.empty()) return;
  for (auto& test : answer.selected) test.hits = answer.hits_of(test);
  answer.broad.clear();
}

}  // namespace

void add_answer(Answer& to, Answer from, const std::string& suite) {
  const auto of_another = [&](const TestKey& key) {
    return key.suite != suite;
  };
  const auto shift = static_cast<std::uint32_t>(to.edges.size());
  const auto move = [](auto& all, auto& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  std::erase_if(from.selected,
                [&](const auto& test) { return of_another(test.key); });
  std::erase_if(from.unaffected, of_another);
  std::erase_if(from.gone, of_another);
  // What every test of one suite meets no test of another one does.
  const bool alone = to.edges.empty() && to.selected.empty();
  if (!alone) {
    spread(to);
    spread(from);
  } else {
    to.broad = from.broad;
  }
  for (auto& test : from.selected) {
    for (auto& hit : test.hits) hit.edge += shift;
    const bool fresh = std::ranges::any_of(test.forced, [](const auto& f) {
      return f.rule == coverage::TestRule::kNew;
    });
    if (fresh) ++to.counts.fresh;
  }
  for (const auto& reason : from.reasons) {
    to.reasons.push_back(reason);
  }
  move(to.assumptions, from.assumptions);
  move(to.notes, from.notes);
  move(to.widened, from.widened);
  move(to.edges, from.edges);
  move(to.selected, from.selected);
  move(to.unaffected, from.unaffected);
  move(to.gone, from.gone);
  to.classes += from.classes;
  to.changed_classes += from.changed_classes;
}

void select_everything(Answer& answer) {
  for (auto& key : answer.unaffected) {
    answer.selected.push_back({std::move(key),
                               {{coverage::TestRule::kEverything,
                                 "everything is selected"}},
                               {}});
  }
  answer.unaffected.clear();
}

void finish_answer(Answer& answer) {
  const auto distinct = [](auto& all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  };
  distinct(answer.reasons);
  distinct(answer.assumptions);
  distinct(answer.notes);
  distinct(answer.unaffected);
  distinct(answer.gone);
  std::ranges::sort(answer.selected, {}, &coverage::SelectedTest::key);
  auto& c = answer.counts;
  c.selected = answer.selected.size();
  c.unaffected = answer.unaffected.size();
  c.gone = answer.gone.size();
  c.known = c.selected + c.unaffected + c.gone - std::min(c.fresh, c.selected);
  answer.mode = !answer.reasons.empty() && answer.unaffected.empty()
                    ? coverage::Mode::kAll
                : c.selected == 0 ? coverage::Mode::kNone
                                  : coverage::Mode::kSome;
}

}  // namespace rejig::app
