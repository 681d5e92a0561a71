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

constexpr std::size_t kFilesAtATime = 4;  // a thread, and more

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
      jvms_.push_back({recorded_kinds(file),
                       options_.suite_of ? options_.suite_of(file) : file.suite,
                       {}});
      children_[file.parent_pid].push_back(i);
      report_.losses.insert(report_.losses.end(), file.losses.begin(),
                            file.losses.end());
    }
    for (std::size_t i = 0; i < files_.size(); ++i) plan(i);
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
    bool disabled = false;
    bool overlapped = false;
    bool has_child = false;
  };
  // A row that is wanted of a JVM: of a test, or of what it started.
  struct Wanted {
    const Scope* test = nullptr;
    JvmRows::Number number = 0;
    std::size_t planned = 0;
  };
  struct Jvm {
    Facts kinds;
    std::string suite;
    std::vector<Wanted> wanted;
  };

  void plan(std::size_t i) {
    const RowFile& file = files_[i];
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
      next.disabled = was_disabled(file, test);
      next.overlapped = test.overlapped;
      next.partial = options_.all_partial || !test.has_end || next.aborted ||
                     !file.losses.empty();
      next.failed = !test.has_end || test.result == ScopeResult::kFailed;
      jvms_[i].wanted.push_back({&test, number, planned_.size()});
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
      jvms_[k].wanted.push_back(
          {main.get(), JvmRows::kWholeSession, planned_.size()});
      mains_.push_back(std::move(main));
    }
  }

  // Many files at a time, or many tests of one.
  void derive() {
    base::ThreadPool one(1);
    base::ThreadPool& pool = options_.pool != nullptr ? *options_.pool : one;
    std::vector<JvmRows::Scratch> scratch(pool.workers());
    if (files_.size() >= kFilesAtATime * pool.workers()) {
      pool.for_each(files_.size(), [&](unsigned worker, std::size_t i) {
        const auto rows = prepare(i);
        for (std::size_t g = 0; g < rows->groups(); ++g) {
          derive(i, *rows, g, scratch[worker]);
        }
        scratch[worker] = {};
      });
      return;
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const auto rows = prepare(i);
      pool.for_each(rows->groups(), [&](unsigned worker, std::size_t g) {
        derive(i, *rows, g, scratch[worker]);
      });
      for (auto& one_of : scratch) one_of = {};
    }
  }

  std::unique_ptr<JvmRows> prepare(std::size_t i) {
    auto rows = std::make_unique<JvmRows>(files_[i], builder_, options_,
                                          sources_);
    const RecordedClasses& classes = rows->classes();
    for (std::uint32_t c = 0; c < files_[i].classes.size(); ++c) {
      const auto id = classes.of_class(c);
      if (classes.is_internal(id) && !classes.is_generated(id)) {
        builder_.add_class(dotted(classes.name(id)),
                           files_[i].classes[c].digest);
      }
    }
    for (const Wanted& wanted : jvms_[i].wanted) {
      rows->request(*wanted.test, wanted.number);
      if (wanted.number == JvmRows::kWholeSession) continue;
      const RowScopes& scopes = rows->scopes();
      Planned& planned = planned_[wanted.planned];
      planned.partial = planned.partial || scopes.broken_above(wanted.number);
      planned.failed = planned.failed || scopes.failed_above(wanted.number);
    }
    rows->prepare();
    return rows;
  }

  void derive(std::size_t i, JvmRows& rows, std::size_t group,
              JvmRows::Scratch& scratch) {
    rows.derive(group, scratch, [&](JvmRows::Derived&& row) {
      add(jvms_[i].wanted[row.request], std::move(row));
    });
    if (!options_.progress) return;
    const std::scoped_lock lock(progress_);
    done_ += rows.tests_in(group);
    options_.progress(done_, planned_.size() + mains_.size());
  }

  // Each is of one test or of what it started, and these unite: that of the
  // test says how it ended.
  void add(const Wanted& wanted, JvmRows::Derived&& derived) {
    Planned& planned = planned_[wanted.planned];
    Row row = planned.row;
    if (wanted.number != JvmRows::kWholeSession) {
      if (derived.started_child && !planned.has_child) planned.partial = true;
      row.grade = planned.partial      ? Grade::kPartial
                  : planned.overlapped ? Grade::kShared
                                       : Grade::kComplete;
      row.result = planned.failed    ? Outcome::kFail
                   : planned.aborted ? Outcome::kSkip
                                     : Outcome::kPass;
    }
    builder_.add_row(row, derived.sets, std::move(derived.atoms));
  }

  void sum_up() {
    struct Verdict {
      bool partial = false;
      bool failed = false;
      bool disabled = true;
    };
    std::map<std::pair<std::string_view, std::string_view>, Verdict> verdicts;
    for (const Planned& planned : planned_) {
      auto& verdict = verdicts[{planned.row.suite, planned.row.test}];
      verdict.partial = verdict.partial || planned.partial;
      verdict.failed = verdict.failed || planned.failed;
      verdict.disabled = verdict.disabled && planned.disabled;
    }
    report_.rows = verdicts.size();
    for (const auto& [key, verdict] : verdicts) {
      report_.disabled += verdict.disabled ? 1 : 0;
      report_.partial += verdict.partial && !verdict.disabled ? 1 : 0;
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

bool was_disabled(const RowFile& file, const Scope& test) {
  if (!test.has_end || test.result != ScopeResult::kAborted) return false;
  // "p.T#a(int)[1]" is a test in T.a(int).
  std::string_view method = test.id;
  method.remove_prefix(std::min(method.find('#') + 1, method.size()));
  method = method.substr(0, method.find('('));
  return std::ranges::none_of(test.work.methods, [&](std::uint32_t m) {
    const auto [c, slot] = file.methods[m];
    return file.classes[c].methods[slot].name == method;
  });
}

JoinReport join_row_files(const std::vector<RowFile>& files,
                          const JoinOptions& options, MatrixBuilder& builder) {
  return Join(files, options, builder).run();
}

}  // namespace rejig::coverage
