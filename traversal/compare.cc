// SPDX-License-Identifier: Apache-2.0
// Compare(P, P'): match what is the same, walk what is not, and ask of every
// unchanged instruction that a changed shell can reach whether it still means
// the same. One line a phase; each phase only adds edges.
#include "traversal/compare.h"

#include <algorithm>
#include <tuple>

#include "classfile/base/string_order.h"
#include "traversal/session.h"
#include "traversal/test_shells.h"

namespace rejig::traversal {

using classfile::Delta;

namespace {

auto order_of(const Delta& d) {
  return std::tie(d.entity, d.rule, d.label, d.old_fact, d.new_fact, d.line,
                  d.subject, d.target, d.receivers, d.at, d.makers);
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

template <class Step>
void phase(Session& session, const char* name, Step&& step) {
  if (session.inputs.timer == nullptr) {
    step(session);
    return;
  }
  const auto scope = session.inputs.timer->scope(name);
  step(session);
}

}  // namespace

base::Result<Comparison> compare(const CompareInputs& inputs) {
  auto session = std::make_shared<Session>(inputs);
  Session& s = *session;

  // Which old class is which new one; equal files are done.
  phase(s, "match classes", match_classes);
  // Which names can mean something else now. From here on `doubtful` is final.
  phase(s, "find structure", find_structure);
  // Bodies of changed classes, walked side by side.
  phase(s, "compare bodies", compare_classes);
  // What reflection, serialization and frameworks see of them.
  phase(s, "compare shells", compare_shells);
  // Which of them link. Whether classes are nest mates depends on it.
  phase(s, "linking", compare_linking);
  phase(s, "resolution", compare_references);
  phase(s, "selection", compare_selection);
  phase(s, "subtyping", compare_subtypes);
  phase(s, "initialization", compare_initialization);
  phase(s, "verification", compare_verification);
  phase(s, "artefacts", compare_artefacts);
  phase(s, "modules", compare_modules);

  Comparison out;
  if (inputs.discover_tests) {
    phase(s, "discover tests", [&](Session& session_ref) {
      out.old_tests = inputs.old_tests != nullptr
                          ? *inputs.old_tests
                          : discover_tests(session_ref.old_world,
                                           session_ref.pool);
      out.new_tests = new_tests_of(session_ref, out.old_tests);
      compare_test_shells(session_ref, out.old_tests);
    });
  }
  for (const jig::World* world : {&s.old_world, &s.new_world}) {
    const auto unreadable = world->take_diagnostics();
    for (const auto& item : unreadable.items()) {
      s.widened.push_back({item.what, item.where});
    }
  }
  std::sort(s.widened.begin(), s.widened.end(),
            [](const Widened& a, const Widened& b) {
              return std::tie(a.where, a.what) < std::tie(b.where, b.what);
            });
  // Several steps may have asked for the same unreadable class.
  s.widened.erase(std::unique(s.widened.begin(), s.widened.end(),
                              [](const Widened& a, const Widened& b) {
                                return a.where == b.where && a.what == b.what;
                              }),
                  s.widened.end());
  settle(s.edges);
  settle(s.facets);
  out.edges = std::move(s.edges);
  out.facets = std::move(s.facets);
  out.widened = std::move(s.widened);
  out.classes = inputs.new_internal->classes().size() + s.removed.size();
  out.changed_classes = s.added.size() + s.removed.size();
  for (const Name name : s.removed) {
    out.changed_class_names.push_back(classfile::dotted(name));
  }
  for (const Name name : s.added) {
    out.added_class_names.push_back(classfile::dotted(name));
  }
  for (const ClassPair& pair : s.changed) {
    out.changed_classes += pair.forced ? 0 : 1;
    if (!pair.forced) {
      out.changed_class_names.push_back(classfile::dotted(pair.old_name));
    }
    if (pair.old_name != pair.new_name) {
      out.renamed.emplace_back(classfile::dotted(pair.old_name),
                               classfile::dotted(pair.new_name));
    }
  }
  std::sort(out.changed_class_names.begin(), out.changed_class_names.end());
  std::sort(out.added_class_names.begin(), out.added_class_names.end());
  out.implied = make_implied(session);
  return out;
}

}  // namespace rejig::traversal
