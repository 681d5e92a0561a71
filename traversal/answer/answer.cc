// SPDX-License-Identifier: Apache-2.0
#include "traversal/answer/answer.h"

#include <algorithm>
#include <tuple>

#include "classfile/base/string_order.h"
#include "traversal/answer/test_shells.h"
#include "traversal/answer/wide_fixtures.h"
#include "traversal/describe/versions.h"

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

void find_tests(Compared& of, NewTests way, Comparison& out,
                Findings& findings) {
  Worlds& worlds = of.worlds;
  out.old_tests = worlds.inputs.old_tests != nullptr
                      ? *worlds.inputs.old_tests
                      : discover_tests(worlds.old_world, worlds.pool);
  out.new_tests = way == NewTests::kAll
                      ? discover_tests(worlds.new_world, worlds.pool)
                      : new_tests_of(worlds, *of.matching, out.old_tests);
  compare_test_shells(*of.matching, out.old_tests, findings);
  compare_wide_fixtures(*of.matching, out.old_tests, findings);
}

void settle_widened(const Worlds& worlds, std::vector<Widened>& widened) {
  for (const jig::World* world : {&worlds.old_world, &worlds.new_world}) {
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

Comparison answer_of(std::shared_ptr<Compared> done, Findings findings,
                     NewTests way) {
  const CompareInputs& inputs = done->worlds.inputs;
  const Matching& matching = *done->matching;
  Comparison out;
  if (inputs.discover_tests) {
    if (inputs.timer == nullptr) {
      find_tests(*done, way, out, findings);
    } else {
      const auto scope = inputs.timer->scope("discover tests");
      find_tests(*done, way, out, findings);
    }
  }
  settle_widened(done->worlds, findings.widened);
  settle(findings.edges);
  settle(findings.facets);
  out.edges = std::move(findings.edges);
  out.facets = std::move(findings.facets);
  out.newly_read = std::move(findings.newly_read);
  out.widened = std::move(findings.widened);
  // A class and its partner are one.
  out.changed_classes = matching.added.size() + matching.removed.size();
  out.classes = out.changed_classes + matching.equal_sorted.size();
  for (const Name name : matching.removed) {
    out.changed_class_names.push_back(classfile::dotted(name));
  }
  for (const Name name : matching.added) {
    out.added_class_names.push_back(classfile::dotted(name));
  }
  out.changed_classes += matching.alike.size();
  for (const Name name : matching.alike) {
    out.changed_class_names.push_back(classfile::dotted(name));
  }
  for (const ClassPair& pair : matching.changed) {
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
  out.implied = make_implied(inputs);
  out.may_leave = make_may_leave(inputs);
  out.versions = versions_of({done, done->matching.get()});
  out.working_memory = std::move(done);
  return out;
}

}  // namespace rejig::traversal
