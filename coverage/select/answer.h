// SPDX-License-Identifier: Apache-2.0
// Which tests can a change affect, why each one, and on what does the silence
// about the others rest? An Answer is plain data: what select() found, ready
// for every report, runner file and explanation. Tests are sorted by (suite,
// id), edges by number. "All" is an answer, never an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/delta.h"
#include "classfile/words/entity.h"
#include "coverage/select/adaptor.h"

namespace rejig::coverage {

enum class Mode : std::uint8_t { kNone, kSome, kAll };
// "none", "some", "all"
std::string_view name_of(Mode mode);

// Why a test is selected although no edge names it. Listed, with what each one
// means, in coverage/SELECTING.md.
enum class TestRule : std::uint8_t {
  kNew = 1,     // T1  no row: never seen by the matrix
  kPartial,     // T2  its row is partial: aborted, crashed, killed, skipped
  kForeign,     // T3  its row was recorded on other bytes than OLD
  kLowerBound,  // T4  its row comes from a source that is not entry-true
  kNotPassed,   // T5  its last result was not a pass
  kPolicy,      // T6  an `always` pattern of the configuration names it
  kEdited,      // T7  the test, its fixture or its container was edited
  kContainer,   // T8  the row of its class or container is doubtful
  kEverything,  // T9  everything is selected
  kState,       // T10 it met state that a test which can change left behind
  kProvider,    // T11 a test that runs needs what it leaves behind
};
// "T1"
std::string_view name_of(TestRule rule);

struct TestKey {
  std::string suite;
  std::string test;  // contract.md §1: "a.b.FooTest#one()"
  friend bool operator==(const TestKey&, const TestKey&) = default;
  friend auto operator<=>(const TestKey&, const TestKey&) = default;
};

// "a.b.FooTest#one(int)" -> "a.b.FooTest", "one(int)" -> "one"
std::string_view class_of_test(std::string_view id);
std::string_view method_of_test(std::string_view id);
// "#*": runs, but can only be skipped with its class.
bool is_whole_class(std::string_view id);

// A dangerous edge with its number and what it maps to.
struct Edge {
  classfile::Delta delta;
  std::vector<classfile::Conjunction> items;  // empty: nobody has asked yet

  // What it maps to, asked now if need be.
  std::vector<classfile::Conjunction> all_items() const;
};
// "E12" for index 11.
std::string edge_id(std::size_t index);

struct Hit {
  std::uint32_t edge = 0;  // index into Answer::edges
  std::uint32_t item = 0;  // which conjunction of it
  bool unknown = false;    // an atom of it was not recorded, so it counts
  friend bool operator==(const Hit&, const Hit&) = default;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};

struct Forced {
  TestRule rule = TestRule::kNew;
  std::string why;  // one sentence
};

struct SelectedTest {
  TestKey key;
  std::vector<Forced> forced;
  std::vector<Hit> hits;  // sorted; besides, all of Answer::broad
};

struct Widened {
  std::string what;
  std::string where;
};

struct Counts {
  std::size_t known = 0;     // rows of the matrix
  std::size_t selected = 0;  // new ones included
  std::size_t unaffected = 0;
  std::size_t fresh = 0;  // in NEW, without a row
  std::size_t gone = 0;   // a row, but not in NEW any more
};

struct Answer {
  Mode mode = Mode::kNone;
  std::vector<std::string> reasons;      // why all
  std::vector<std::string> assumptions;  // "A15 deterministic tests"
  std::vector<std::string> notes;        // once on stderr, e.g. policies in use
  Counts counts;
  std::vector<SelectedTest> selected;
  std::vector<TestKey> unaffected;
  // Where several runs were asked (proofs.h): which of `runs` proves each of the
  // unaffected; an empty name is the store's own baseline.
  std::vector<std::string> runs;
  std::vector<std::uint32_t> proved_by;
  std::vector<TestKey> gone;
  std::vector<Edge> edges;
  std::vector<Hit> broad;  // hits of every known test: what selects all
  std::vector<Widened> widened;
  std::size_t classes = 0;
  std::size_t changed_classes = 0;

  // All hits of one selected test, broad ones included, sorted.
  std::vector<Hit> hits_of(const SelectedTest& test) const;
  // nullptr when that test is not selected; an empty suite means any.
  const SelectedTest* find_selected(std::string_view suite,
                                    std::string_view test) const;
};

// Numbers the deltas: sorted by what they say, so that the numbers do not
// depend on the order in which they were found. The items of many receivers and
// observers are many: who only shows the edges goes without (nullopt).
std::vector<Edge> numbered(std::vector<classfile::Delta> deltas,
                           std::optional<Detail> items = Detail::kMethods);

}  // namespace rejig::coverage
