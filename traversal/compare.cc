// SPDX-License-Identifier: Apache-2.0
// Compare(P, P'): match what is the same, walk what is not, and ask of every
// unchanged instruction that a changed shell can reach whether it still means
// the same. One line a phase; each phase only adds edges.
#include "traversal/compare.h"

#include <algorithm>
#include <tuple>

#include "traversal/session.h"
#include "traversal/test_shells.h"

namespace rejig::traversal {

using classfile::Delta;

namespace {

auto order_of(const Delta& d) {
  return std::tie(d.entity, d.rule, d.label, d.old_fact, d.new_fact, d.line,
                  d.subject, d.target, d.receivers, d.at, d.makers, d.edges);
}

void settle(std::vector<Delta>& deltas) {
  std::sort(deltas.begin(), deltas.end(), [](const Delta& a, const Delta& b) {
    return order_of(a) < order_of(b);
  });
  deltas.erase(std::unique(deltas.begin(), deltas.end(),
                           [](const Delta& a, const Delta& b) {
                             return order_of(a) == order_of(b);
                           }),
               deltas.end());
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
  // Bodies of changed classes, walked side by side.
  phase(s, "compare bodies", compare_classes);
  // What reflection, serialization and frameworks see of them.
  phase(s, "compare shells", compare_shells);
  // Which names can mean something else now. From here on `doubtful` is final.
  phase(s, "find structure", find_structure);
  phase(s, "resolution", compare_references);
  phase(s, "selection", compare_selection);
  phase(s, "subtyping", compare_subtypes);
  phase(s, "initialization", compare_initialization);
  phase(s, "linking", compare_linking);
  phase(s, "artefacts", compare_artefacts);
  phase(s, "modules", compare_modules);

  Comparison out;
  if (inputs.discover_tests) {
    phase(s, "discover tests", [&](Session& session_ref) {
      const bool known = inputs.old_tests != nullptr;
      out.old_tests = known ? *inputs.old_tests
                            : discover_tests(session_ref.old_world,
                                             session_ref.pool);
      out.new_tests = known && has_same_tests(session_ref)
                          ? out.old_tests
                          : discover_tests(session_ref.new_world,
                                           session_ref.pool);
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
