// SPDX-License-Identifier: Apache-2.0
// Compare(P, P') in its collapsed form: match what is the same, walk what is
// not, and ask of every unchanged instruction that a changed shell can reach
// whether it still means the same. One line a phase; each phase only adds
// edges. walk.cc has the other form, which prunes nothing.
#include "traversal/compare.h"

#include <utility>

#include "traversal/answer/answer.h"
#include "traversal/describe/versions.h"
#include "traversal/session/session.h"

namespace rejig::traversal {

namespace {

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
  auto session = std::make_unique<Session>(inputs);
  Session& s = *session;

  // Which old class is which new one; equal files are done.
  phase(s, "match classes", [](Session& each) {
    const bool trusted = each.inputs.trust_alike && !each.inputs.exhaustive;
    match_classes(each, trusted ? Alike::kLikeEqual : Alike::kLikeChanged);
  });
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
  // What changed code leaves behind for the first time.
  phase(s, "left state", find_left_state);
  phase(s, "artefacts", compare_artefacts);
  phase(s, "modules", compare_modules);
  Comparison answer = answer_of(s, NewTests::kWhereTheyMayDiffer);
  std::shared_ptr<Session> done = std::move(session);
  answer.versions = versions_of(done);
  answer.working_memory = std::move(done);
  return answer;
}

}  // namespace rejig::traversal
