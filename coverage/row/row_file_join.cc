// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/row_file_join.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "classfile/base/parallel.h"
#include "classfile/words/entity.h"
#include "coverage/row/code_source.h"
#include "coverage/row/jvm_rows.h"

namespace rejig::coverage {

using classfile::dotted;

namespace {

Facts recorded_kinds(const RowFile& file) {
  Facts out;
  for (const auto& kind : file.atom_kinds) {
    if (const auto known = classfile::atom_kind(kind)) out = out.with(*known);
  }
  return out;
}

// The files of one run.
class Join {
 public:
  Join(const std::vector<RowFile>& files, const JoinOptions& options,
       MatrixBuilder& builder)
      : files_(files), options_(options), builder_(builder) {}

  JoinReport run() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const RowFile& file = files_[i];
      jvms_.push_back({std::make_unique<JvmRows>(file, builder_, options_,
                                                 sources_),
                       recorded_kinds(file),
                       options_.suite_of ? options_.suite_of(file) : file.suite,
                       {}});
      children_[file.parent_pid].push_back(i);
      add_classes(i);
      report_.losses.insert(report_.losses.end(), file.losses.begin(),
                            file.losses.end());
    }
    for (std::size_t i = 0; i < files_.size(); ++i) plan(i);
    for (auto& jvm : jvms_) jvm.rows->prepare();
    derive();
    sum_up();
    return std::move(report_);
  }

 private:
  struct Planned {
    Row row;
    bool partial = false;
    bool failed = false;
    bool aborted = false;
    bool overlapped = false;
    bool has_child = false;
  };
  struct Jvm {
    std::unique_ptr<JvmRows> rows;
    Facts kinds;
    std::string suite;
    std::vector<std::size_t> planned;  // of each request
  };
  struct Piece {
    std::size_t jvm = 0;
    std::size_t group = 0;
  };

  void add_classes(std::size_t i) {
    const RecordedClasses& classes = jvms_[i].rows->classes();
    for (std::uint32_t c = 0; c < files_[i].classes.size(); ++c) {
      const auto id = classes.of_class(c);
      if (classes.is_internal(id) && !classes.is_generated(id)) {
        builder_.add_class(dotted(classes.name(id)),
                           files_[i].classes[c].digest);
      }
    }
  }

  void want(std::size_t jvm, const Scope& test, JvmRows::Number number) {
    jvms_[jvm].rows->request(test, number);
    jvms_[jvm].planned.push_back(planned_.size());
  }

  void plan(std::size_t i) {
    const RowFile& file = files_[i];
    const RowScopes& scopes = jvms_[i].rows->scopes();
    for (const auto& [number, test] : file.scopes) {
      if (!test.is_test) continue;
      Planned next;
      next.row.suite = jvms_[i].suite;
      next.row.test = test.id;
      next.row.facts = jvms_[i].kinds;
      next.row.ms = test.has_end && test.ended > test.begun
                        ? (test.ended - test.begun) / 1000
                        : 0;
      next.aborted = test.result == ScopeResult::kAborted;
      next.overlapped = test.overlapped;
      next.partial = options_.all_partial || !test.has_end || next.aborted ||
                     !file.losses.empty() || scopes.broken_above(number);
      next.failed = !test.has_end || test.result == ScopeResult::kFailed ||
                    scopes.failed_above(number);
      want(i, test, number);
      plan_children(i, test, next);
      planned_.push_back(next);
      report_.suites.insert(jvms_[i].suite);
    }
  }

  // JVMs that it started.
  void plan_children(std::size_t i, const Scope& test, Planned& next) {
    const auto started = children_.find(files_[i].pid);
    if (started == children_.end() || !test.has_end) return;
    for (const std::size_t k : started->second) {
      const RowFile& child = files_[k];
      if (k == i || child.started < test.begun || child.started > test.ended) {
        continue;
      }
      next.has_child = true;
      next.partial = next.partial || !child.has_exit || !child.losses.empty();
      next.row.facts = next.row.facts & jvms_[k].kinds;
      auto main = std::make_unique<Scope>();
      main->id = test.id;
      main->has_end = true;
      main->ended = test.ended;
      want(k, *main, JvmRows::kWholeSession);
      mains_.push_back(std::move(main));
    }
  }

  void derive() {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < jvms_.size(); ++i) {
      for (std::size_t g = 0; g < jvms_[i].rows->groups(); ++g) {
        pieces.push_back({i, g});
      }
    }
    base::ThreadPool one(1);
    base::ThreadPool& pool = options_.pool != nullptr ? *options_.pool : one;
    std::vector<JvmRows::Scratch> scratch(pool.workers());
    pool.for_each(pieces.size(), [&](unsigned worker, std::size_t p) {
      const Jvm& jvm = jvms_[pieces[p].jvm];
      const std::size_t tests = jvm.rows->tests_in(pieces[p].group);
      jvm.rows->derive(pieces[p].group, scratch[worker],
                       [&](JvmRows::Derived&& row) { add(jvm, std::move(row)); });
      if (!options_.progress) return;
      const std::scoped_lock lock(progress_);
      done_ += tests;
      options_.progress(done_, planned_.size());
    });
  }

  // Each is of one test and its children only, which unite to the same.
  void add(const Jvm& jvm, JvmRows::Derived&& derived) {
    Planned& planned = planned_[jvm.planned[derived.request]];
    Row row = planned.row;
    bool partial = planned.partial;
    if (derived.started_child && !planned.has_child) {
      partial = planned.partial = true;
    }
    row.grade = partial              ? Grade::kPartial
                : planned.overlapped ? Grade::kShared
                                     : Grade::kComplete;
    row.result = planned.failed    ? Outcome::kFail
                 : planned.aborted ? Outcome::kSkip
                                   : Outcome::kPass;
    builder_.add_row(row, derived.sets, std::move(derived.atoms));
  }

  void sum_up() {
    struct Verdict {
      bool partial = false;
      bool failed = false;
    };
    std::map<std::pair<std::string_view, std::string_view>, Verdict> verdicts;
    for (const Planned& planned : planned_) {
      auto& verdict = verdicts[{planned.row.suite, planned.row.test}];
      verdict.partial = verdict.partial || planned.partial;
      verdict.failed = verdict.failed || planned.failed;
    }
    report_.rows = verdicts.size();
    for (const auto& [key, verdict] : verdicts) {
      report_.partial += verdict.partial ? 1 : 0;
      report_.failed += verdict.failed ? 1 : 0;
    }
  }

  const std::vector<RowFile>& files_;
  const JoinOptions& options_;
  SharedBuilder builder_;
  CodeSources sources_;
  JoinReport report_;
  std::vector<Jvm> jvms_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> children_;
  std::vector<Planned> planned_;
  std::vector<std::unique_ptr<Scope>> mains_;
  std::mutex progress_;
  std::size_t done_ = 0;
};

}  // namespace

JoinReport join_row_files(const std::vector<RowFile>& files,
                          const JoinOptions& options, MatrixBuilder& builder) {
  return Join(files, options, builder).run();
}

}  // namespace rejig::coverage
