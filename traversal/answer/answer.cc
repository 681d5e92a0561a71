// SPDX-License-Identifier: Apache-2.0
#include "traversal/answer/answer.h"

#include <algorithm>
#include <tuple>

#include "classfile/base/string_order.h"
#include "traversal/answer/test_shells.h"
#include "traversal/answer/wide_fixtures.h"

namespace rejig::traversal {

using classfile::Delta;

namespace {

auto order_of(const Delta& d) {
  return std::tie(d.entity, d.rule, d.label, d.old_fact, d.new_fact, d.line,
                  d.subject, d.target, d.receivers, d.at, d.makers, d.edges);
}

// Sorted, each once. What is sorted is small: a part of the entity, and the
// place.
void settle(std::vector<Delta>& deltas) {
  std::vector<std::string_view> entities;
  entities.reserve(deltas.size());
  for (const Delta& d : deltas) entities.push_back(d.entity);
  std::vector<std::uint32_t> order = base::order_of(entities);
  for (auto at = order.begin(); at != order.end();) {
    auto next = at + 1;
    while (next != order.end() && entities[*next] == entities[*at]) ++next;
    if (next - at > 1) {
      std::sort(at, next, [&](std::uint32_t x, std::uint32_t y) {
        return order_of(deltas[x]) < order_of(deltas[y]);
      });
    }
    at = next;
  }
  std::vector<Delta> sorted;
  sorted.reserve(deltas.size());
  for (const std::uint32_t i : order) {
    if (sorted.empty() || order_of(sorted.back()) != order_of(deltas[i])) {
      sorted.push_back(std::move(deltas[i]));
    }
  }
  deltas = std::move(sorted);
}

void find_tests(Session& session, NewTests way, Comparison& out) {
  out.old_tests = session.inputs.old_tests != nullptr
                      ? *session.inputs.old_tests
                      : discover_tests(session.old_world, session.pool);
  out.new_tests = way == NewTests::kAll
                      ? discover_tests(session.new_world, session.pool)
                      : new_tests_of(session, out.old_tests);
  compare_test_shells(session, out.old_tests);
  compare_wide_fixtures(session, out.old_tests);
}

void settle_widened(Session& session) {
  auto& widened = session.widened;
  for (const jig::World* world : {&session.old_world, &session.new_world}) {
    const auto unreadable = world->take_diagnostics();
    for (const auto& item : unreadable.items()) {
      widened.push_back({item.what, item.where});
    }
  }
  std::sort(widened.begin(), widened.end(),
            [](const Widened& a, const Widened& b) {
              return std::tie(a.where, a.what) < std::tie(b.where, b.what);
            });
  // Several steps may have asked for the same unreadable class.
  widened.erase(std::unique(widened.begin(), widened.end(),
                            [](const Widened& a, const Widened& b) {
                              return a.where == b.where && a.what == b.what;
                            }),
                widened.end());
}

}  // namespace

Comparison answer_of(Session& s, NewTests way) {
  Comparison out;
  if (s.inputs.discover_tests) {
    if (s.inputs.timer == nullptr) {
      find_tests(s, way, out);
    } else {
      const auto scope = s.inputs.timer->scope("discover tests");
      find_tests(s, way, out);
    }
  }
  settle_widened(s);
  settle(s.edges);
  settle(s.facets);
  out.edges = std::move(s.edges);
  out.facets = std::move(s.facets);
  out.newly_read = std::move(s.newly_read);
  out.widened = std::move(s.widened);
  // A class and its partner are one.
  out.changed_classes = s.added.size() + s.removed.size();
  out.classes = out.changed_classes + s.equal_sorted.size();
  for (const Name name : s.removed) {
    out.changed_class_names.push_back(classfile::dotted(name));
  }
  for (const Name name : s.added) {
    out.added_class_names.push_back(classfile::dotted(name));
  }
  out.changed_classes += s.alike.size();
  for (const Name name : s.alike) {
    out.changed_class_names.push_back(classfile::dotted(name));
  }
  for (const ClassPair& pair : s.changed) {
    if (!pair.forced) {
      ++out.changed_classes;
      ++out.classes;
      out.changed_class_names.push_back(classfile::dotted(pair.old_name));
    }
    if (pair.old_name != pair.new_name) {
      out.renamed.emplace_back(classfile::dotted(pair.old_name),
                               classfile::dotted(pair.new_name));
    }
  }
  std::sort(out.changed_class_names.begin(), out.changed_class_names.end());
  std::sort(out.added_class_names.begin(), out.added_class_names.end());
  out.implied = make_implied(s.inputs);
  return out;
}

}  // namespace rejig::traversal
