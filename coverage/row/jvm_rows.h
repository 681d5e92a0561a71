// SPDX-License-Identifier: Apache-2.0
// Which atoms has the row of each test of one JVM? All that its work reaches in
// the RowGraph, with that of its scopes. The same things are found once: what
// all tests have (BaseRow), then what those of one test class have beside it,
// then what is left of a test. So the work is that of the file and of what is
// written, not of tests times classes. Groups of tests can be derived at the
// same time. Private to coverage/.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "coverage/row/atom_codes.h"
#include "coverage/row/base_row.h"
#include "coverage/row/code_source.h"
#include "coverage/row/file_atoms.h"
#include "coverage/row/found_changed.h"
#include "coverage/row/graph.h"
#include "coverage/row/row_file_join.h"
#include "coverage/row/scopes.h"

namespace rejig::coverage {

class JvmRows {
 public:
  using Id = RowGraph::Id;
  using Node = RowGraph::Node;
  using LocalAtom = AtomCodes::LocalAtom;
  using SetId = MatrixBuilder::SetId;
  using Number = RowScopes::Number;
  // Everything that the session did: of the main program of a child JVM.
  static constexpr Number kWholeSession = 0xFFFFFFFF;

  struct Derived {
    std::size_t request = 0;
    std::span<const SetId> sets;
    std::vector<LocalAtom> atoms;
    bool started_child = false;
  };
  using Sink = std::function<void(Derived&&)>;
  // What one thread works with.
  class Scratch;

  JvmRows(const RowFile& file, SharedBuilder& builder,
          const JoinOptions& options, CodeSources& sources);
  ~JvmRows();

  const RecordedClasses& classes() const { return classes_; }
  const RowScopes& scopes() const { return scopes_; }

  // A row that is wanted; they are numbered from 0. The scope must live.
  std::size_t request(const Scope& test, Number number);
  // Behind all requests.
  void prepare();
  std::size_t groups() const { return groups_.size(); }
  std::size_t tests_in(std::size_t group) const {
    return groups_[group].requests.size();
  }
  void derive(std::size_t group, Scratch& scratch, const Sink& sink);

 private:
  struct Request {
    const Scope* test = nullptr;
    Number number = 0;
    const RowScopes::Family* family = nullptr;
  };
  // Tests of one class that have the same scopes, or of any class that ran
  // beside others, one after the other.
  struct Group {
    BaseRow* base = nullptr;
    const RowScopes::Family* family = nullptr;  // null: of any
    BaseRow::Step step = 0;
    std::vector<std::uint32_t> requests;
  };
  // From that scope on it counts for every test.
  struct Lasting {
    Number from = 0;
    std::uint32_t fact = 0;
    friend auto operator<=>(const Lasting&, const Lasting&) = default;
  };
  // What the tests of one group have.
  struct Common {
    SetId set = MatrixBuilder::kNoSet;
    std::vector<std::uint32_t> files;
    std::vector<std::uint32_t> guarded;
    std::vector<Id> loaded;
    std::vector<Id> extensions;
    std::vector<Id> changed;  // in the base as well
    std::unordered_map<Id, std::vector<std::uint32_t>> met;
    bool native = false;
    // Made when somebody asks, of so many of the above.
    SetId kinds = MatrixBuilder::kNoSet;
    std::size_t kinds_of = 0;
    SetId base_files = MatrixBuilder::kNoSet;
    SetId own_files = MatrixBuilder::kNoSet;
    std::size_t files_of = 0;
    bool of_native = false;
    std::vector<std::uint32_t> open;
    // What nobody gave yet, and the atoms of all of them, when a test gives none.
    std::vector<RowGraph::Need> needs;
    SetId borrowed = MatrixBuilder::kNoSet;
  };

  void find_lasting();
  void append_lasting(const Lasting& one, std::vector<Node>& out) const;
  BaseRow::Step step_of(Number number) const;
  std::size_t base_for(const RowScopes::Reach& reach);
  void group_requests();
  void group_beside(const std::vector<std::uint32_t>& requests);
  void derive_class(const Group& group, Scratch& scratch, const Sink& sink);
  void derive_beside(const Group& group, Scratch& scratch, const Sink& sink);
  void begin_common(const Group& group, Common& common, Scratch& scratch);
  template <class Guard>
  void extend(const Group& group, Common& common, Scratch& scratch,
              Guard&& guard);
  void take_needs(const Group& group, std::span<const RowGraph::Need> needs,
                  Common& common, Scratch& scratch) const;
  void may_write(const Work& work, std::vector<LocalAtom>& out);
  void borrowed(const Group& group, Common& common, Scratch& scratch,
                std::vector<SetId>& sets);
  void left_unseen(const Group& group, const Common& common, Found& found);
  void seal(Common& common, Scratch& scratch);
  void take_family(const RowScopes::Family& family, Scratch& scratch) const;
  void append_guarded(std::span<const std::uint32_t> facts,
                      Scratch& scratch) const;
  void append_instances(const Group& group, const Common& common,
                        const RowScopes::Family& family,
                        std::vector<LocalAtom>& out);
  void derive_test(const Group& group, const Request& request, Common& common,
                   Scratch& scratch, const Sink& sink);
  void files_of(const Group& group, Common& common, std::uint64_t seen_by,
                bool native, std::vector<SetId>& sets,
                std::vector<LocalAtom>& out);
  SetId kinds_of(const Group& group, Common& common);
  void share(const std::string& what, std::vector<LocalAtom>& out);

  const RowFile& file_;
  SharedBuilder& builder_;
  RecordedClasses classes_;
  RowScopes scopes_;
  AtomCodes codes_;
  FileAtoms files_;
  const std::vector<std::string>* choices_;
  std::vector<AtomCodes::Code> everybodys_;  // which choices all tests met
  std::optional<RowGraph> graph_;
  AlsoMet also_met_;
  std::vector<Request> requests_;
  std::vector<Lasting> lasting_;  // in order
  std::vector<std::size_t> steps_;  // where each ends in lasting_
  std::map<std::pair<std::vector<Number>, bool>, std::size_t> base_of_;
  std::vector<std::unique_ptr<BaseRow>> bases_;
  std::vector<Group> groups_;
  std::uint64_t first_end_ = 0;
};

class JvmRows::Scratch {
 public:
  Scratch() = default;

 private:
  friend class JvmRows;

  // Reached in the base, by the test class, or in this round.
  struct Marks {
    const BaseRow::Step* base = nullptr;
    BaseRow::Step step = 0;
    std::vector<std::uint32_t> rounds;
    std::uint32_t common = 0;
    std::uint32_t round = 0;

    bool has(Node node) const {
      return base[node] <= step || rounds[node] == common ||
             rounds[node] == round;
    }
    bool add(Node node) {
      if (has(node)) return false;
      rounds[node] = round;
      return true;
    }
  };
  // The round in which it was needed, or given.
  struct NeedMark {
    std::uint32_t needed = 0;
    std::uint32_t given = 0;
  };
  void use(const JvmRows& rows);

  const JvmRows* rows_ = nullptr;
  Marks marks_;
  std::uint32_t rounds_ = 0;
  std::vector<std::uint32_t> own_;  // classes that tests are made of, by round
  std::uint32_t own_round_ = 0;
  std::vector<NeedMark> needs_;
  std::vector<Node> todo_;
  std::vector<SetId> sets_;
  Found found_;
};

}  // namespace rejig::coverage
