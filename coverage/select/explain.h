// SPDX-License-Identifier: Apache-2.0
// Why is this test selected, why is that one safe to skip, and which edges
// select most? An explanation follows an Answer back into the matrix: test ->
// atom in its row -> dangerous edge -> changed fact. It decides nothing: it
// says what select() decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/words/delta.h"
#include "coverage/select/answer.h"
#include "coverage/select/policy.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

enum class AtomState : std::uint8_t {
  kInRow,    // the row has it
  kImplied,  // not recorded; something that the row has stands for it
  kUnknown,  // not recorded, so it counts as having happened
  kLacking,  // recorded kinds, and the row does not have it
};
// "in its row", "implied by its row", "not recorded", "not in its row"
std::string_view text_of(AtomState state);

struct ExplainedAtom {
  classfile::Atom atom;
  AtomState state = AtomState::kLacking;
};

struct ExplainedEdge {
  std::uint32_t edge = 0;  // index into Answer::edges
  std::vector<ExplainedAtom> atoms;
};

enum class TestStatus : std::uint8_t {
  kSelected,
  kUnaffected,
  kGone,
  kUnheardOf,  // neither a row nor in the new program
};
// "selected", "unaffected", "gone", "unknown"
std::string_view name_of(TestStatus status);

struct TestExplanation {
  TestKey key;
  TestStatus status = TestStatus::kUnheardOf;
  std::vector<Forced> forced;
  std::vector<ExplainedEdge> chains;  // selected: what holds, by edge
};

// What the row of a skipped test lacks: the edges that one atom keeps away.
struct LackingGroup {
  classfile::Atom atom;
  std::vector<std::uint32_t> edges;  // sorted
};

struct SkipExplanation {
  TestExplanation test;
  std::vector<LackingGroup> groups;  // most edges first
};

struct EdgeCount {
  std::uint32_t edge = 0;
  std::size_t tests = 0;
};

// The tests that `name` means: a test id, a class, or a glob over ids; empty
// when it means none. Searches selected, unaffected and gone tests.
std::vector<TestKey> tests_named(const Answer& answer, std::string_view name);

// `matrix` may be null, like that of select().
base::Result<TestExplanation> explain_test(const Answer& answer,
                                           const TestKey& key, Matrix* matrix,
                                           const classfile::Implied& implied,
                                           const Policy& policy);
base::Result<SkipExplanation> explain_skip(const Answer& answer,
                                           const TestKey& key, Matrix* matrix,
                                           const classfile::Implied& implied,
                                           const Policy& policy);

// The tests that one edge selects, in the order of the answer.
std::vector<TestKey> tests_of_edge(const Answer& answer, std::uint32_t edge);
// Edges by the number of tests they select, most first.
std::vector<EdgeCount> top_edges(const Answer& answer);
// "E12" -> 11, when the answer has that edge.
std::optional<std::uint32_t> edge_named(const Answer& answer,
                                        std::string_view id);

}  // namespace rejig::coverage
