// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/answer.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace rejig::coverage {

std::string_view name_of(Mode mode) {
  static constexpr std::array<std::string_view, 3> kNames = {"none", "some",
                                                             "all"};
  return kNames[static_cast<std::size_t>(mode)];
}

std::string_view name_of(TestRule rule) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "T0", "T1", "T2", "T3", "T4",  "T5",
      "T6", "T7", "T8", "T9", "T10", "T11"};
  return kNames[static_cast<std::size_t>(rule)];
}

std::string_view class_of_test(std::string_view id) {
  return id.substr(0, id.find('#'));
}

std::string_view method_of_test(std::string_view id) {
  const auto hash = id.find('#');
  if (hash == std::string_view::npos) return {};
  const auto rest = id.substr(hash + 1);
  return rest.substr(0, rest.rfind('('));
}

bool is_whole_class(std::string_view id) {
  return id.find('#') == std::string_view::npos || id.ends_with("#*");
}

std::string edge_id(std::size_t index) {
  return "E" + std::to_string(index + 1);
}

std::vector<Hit> Answer::hits_of(const SelectedTest& test) const {
  std::vector<Hit> out = test.hits;
  const bool is_new =
      !test.forced.empty() && test.forced.front().rule == TestRule::kNew;
  if (!is_new) out.insert(out.end(), broad.begin(), broad.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const SelectedTest* Answer::find_selected(std::string_view suite,
                                          std::string_view test) const {
  const auto at =
      std::find_if(selected.begin(), selected.end(), [&](const auto& s) {
        return s.key.test == test && (suite.empty() || s.key.suite == suite);
      });
  return at == selected.end() ? nullptr : &*at;
}

std::vector<classfile::Conjunction> Edge::all_items() const {
  return items.empty() ? items_of(delta) : items;
}

std::vector<Edge> numbered(std::vector<classfile::Delta> deltas,
                           std::optional<Detail> items) {
  const auto before = [](const classfile::Delta& a, const classfile::Delta& b) {
    const auto key = [](const classfile::Delta& d) {
      return std::tie(d.entity, d.rule, d.label, d.old_fact, d.new_fact, d.line,
                      d.subject, d.target, d.receivers, d.at, d.makers, d.edges,
                      d.channel, d.file, d.why, d.everybody);
    };
    return key(a) < key(b);
  };
  // A comparison gives them in this order; with others between them they are
  // not.
  if (!std::is_sorted(deltas.begin(), deltas.end(), before)) {
    std::sort(deltas.begin(), deltas.end(), before);
  }
  std::vector<Edge> edges;
  edges.reserve(deltas.size());
  for (auto& delta : deltas) {
    auto list =
        items ? items_of(delta, *items) : std::vector<classfile::Conjunction>();
    edges.push_back({std::move(delta), std::move(list)});
  }
  return edges;
}

}  // namespace rejig::coverage
