// SPDX-License-Identifier: Apache-2.0
// Compare(P, P') in its collapsed form: match what is the same, walk what is
// not, and ask of every unchanged instruction that a changed shell can reach
// whether it still means the same. One line a phase; each phase only adds
// edges. walk.cc has the other form, which prunes nothing.
#include "traversal/compare.h"

#include <memory>
#include <utility>

#include "traversal/answer/answer.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

base::Result<Comparison> compare(const CompareInputs& inputs) {
  auto done = std::make_shared<Compared>(inputs);
  Findings findings;
  const auto phase = [&](const char* name, auto&& step) {
    if (inputs.timer == nullptr) return step();
    const auto scope = inputs.timer->scope(name);
    return step();
  };

  // Which old class is which new one; equal files are done.
  phase("match classes", [&] {
    const bool trusted = inputs.trust_alike && !inputs.exhaustive;
    done->matching =
        match_classes(done->worlds,
                      trusted ? Alike::kLikeEqual : Alike::kLikeChanged,
                      findings);
  });
  const Matching& matching = *done->matching;
  // Which names can mean something else now. From here on `doubtful` is final.
  const auto structure = phase("find structure", [&] {
    return find_structure(done->worlds, matching, findings);
  });
  const Worlds& worlds = done->worlds;  // and so are the worlds
  // Bodies of changed classes, walked side by side.
  const Bodies bodies = phase("compare bodies", [&] {
    return compare_classes(*done->matching, findings);
  });
  // What reflection, serialization and frameworks see of them.
  phase("compare shells", [&] { compare_shells(matching, findings); });
  // Which of them link. Whether classes are nest mates depends on it.
  const Linking linking =
      phase("linking", [&] { return compare_linking(*structure, findings); });
  phase("resolution", [&] {
    compare_references(*structure, bodies, linking, findings);
  });
  phase("selection", [&] { compare_selection(*structure, findings); });
  phase("subtyping", [&] { compare_subtypes(*structure, findings); });
  phase("initialization",
        [&] { compare_initialization(*structure, findings); });
  phase("verification",
        [&] { compare_verification(*structure, linking, findings); });
  // What changed code leaves behind for the first time.
  phase("left state", [&] { find_left_state(matching, bodies, findings); });
  phase("artefacts", [&] { compare_artefacts(matching, findings); });
  phase("modules", [&] { compare_modules(worlds, findings); });
  return answer_of(std::move(done), std::move(findings),
                   NewTests::kWhereTheyMayDiffer);
}

}  // namespace rejig::traversal
