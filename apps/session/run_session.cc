// SPDX-License-Identifier: Apache-2.0
// A run has one folder below .rejig, which is gone at its end. Before the command
// starts, the recorder was found and the folder made; else it runs as it would
// alone. From then on its exit code is the answer, and what fails here is said.
// While it runs, questions of its JVMs are answered; after it the row files are
// read, joined and committed.
#include "apps/session/run_session.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "apps/session/build_steps.h"
#include "apps/session/run_answers.h"
#include "apps/session/run_commit.h"
#include "apps/session/recorder_files.h"
#include "apps/session/run_folder.h"
#include "apps/session/run_process.h"
#include "apps/session/run_shadow.h"
#include "apps/session/settings.h"
#include "apps/session/team_remote.h"
#include "classfile/base/file.h"
#include "classfile/program/program.h"
#include "coverage/plan/shard_report.h"
#include "coverage/row/row_file.h"
#include "coverage/row/row_file_join.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

std::string joined(const std::vector<std::string>& words, char between) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ':');) {
    if (!part.empty()) out.push_back(part);
  }
  return out;
}

RunEnd failed(Work& work, const Error& error, int code = 0) {
  work.listener.error(error.message());
  return {code, true, false, {}};
}

class Session {
 public:
  Session(SessionOptions options, Work& work)
      : o_(std::move(options)), work_(work) {}
  ~Session() {
    std::error_code error;
    if (!folder_.empty()) fs::remove_all(folder_, error);
  }

  base::Result<void> prepare() {
    REJIG_TRY(const Config config, load_config(work_));
    if (o_.store.empty()) {
      o_.store = config.coverage.value_or(coverage::kDefaultStore);
    }
    if (o_.suite.empty()) o_.suite = config.suite.value_or("");
    if (o_.internal.empty() && config.internal) {
      o_.internal = joined(*config.internal, ':');
    }
    if (o_.external.empty() && config.external) {
      o_.external = joined(*config.external, ':');
    }
    for (const auto& text : config.narrowing) {
      if (o_.selects) work_.listener.note("narrowed by " + text);
    }
    for (const auto& rule : config.resources) {
      if (!o_.selects || rule.verdict != coverage::ResourceVerdict::kInert) {
        continue;
      }
      work_.listener.note("narrowed by " + rule.from + ": changes of '" +
                              rule.files + "' select nobody");
    }
    const char* receivers = std::getenv("REJIG_RECEIVERS");
    o_.receivers = o_.receivers || (receivers != nullptr &&
                                    std::string_view(receivers) == "1");
    REJIG_TRY(recorder_, find_recorder());
    o_.dry_run = o_.dry_run || o_.shadow;
    REJIG_TRY_VOID(read_shard());
    if (!o_.remote_timeout.empty()) {
      REJIG_TRY(timeout_ms_, milliseconds_of(o_.remote_timeout));
    }
    std::error_code error;
    project_ = fs::current_path(error).string();
    o_.store = fs::absolute(o_.store, error).string();
    open_remote_of(config);
    const fs::path beside = fs::path(o_.store).parent_path();
    REJIG_TRY(folder_, make_run_folder(beside.string()));
    for (const auto& root :
         classfile::Program::split_path_list(o_.internal_root)) {
      internal_.push_back(fs::weakly_canonical(root, error).string());
    }
    if (internal_.empty()) internal_.push_back(project_);
    return {};
  }

  Variables variables() const {
    // In front: other agents' rewriting must not come between the class files
    // and the recorder.
    const bool quote = recorder_.agent.find(' ') != std::string::npos;
    std::string tool = quote ? "\"-agentpath:" + recorder_.agent + "\""
                             : "-agentpath:" + recorder_.agent;
    const char* inherited = std::getenv("JAVA_TOOL_OPTIONS");
    if (inherited != nullptr && *inherited != '\0') {
      tool += std::string(" ") + inherited;
    }
    // A Gradle daemon would hand the folders of its first run to later ones.
    const char* gradle = std::getenv("GRADLE_OPTS");
    return {{"GRADLE_OPTS", std::string(gradle == nullptr ? "" : gradle) +
                                " -Dorg.gradle.daemon=false"},
            {"JAVA_TOOL_OPTIONS", tool},
            {"REJIG_OUT", folder_ + "/rows"},
            {"REJIG_JAR", recorder_.jar},
            {"REJIG_INTERNAL_ROOT", joined(internal_, ':')},
            {"REJIG_INTERNAL", o_.internal},
            {"REJIG_EXTERNAL", o_.external},
            {"REJIG_SUITE", o_.suite.empty() ? "default" : o_.suite},
            {"REJIG_RECEIVERS", o_.receivers ? "1" : "0"},
            {"REJIG_SKIP_FILE", folder_ + "/ask"}};
  }

  RunEnd run(const BesideBuild& live) {
    AnswerOptions answer_options;
    answer_options.store = o_.store;
    answer_options.folder = folder_;
    answer_options.baseline = baseline();
    answer_options.internal = internal_;
    answer_options.project = project_;
    answer_options.suite = o_.suite;
    answer_options.internal_globs = parts_of(o_.internal);
    answer_options.external_globs = parts_of(o_.external);
    answer_options.selects = o_.selects;
    answer_options.dry_run = o_.dry_run;
    answer_options.reports = o_.reports;
    answer_options.source_roots = o_.source_roots;
    answer_options.remote = remote_.get();
    answer_options.shard = shard_;
    answer_options.shards = shards_;
    answer_options.plan = o_.plan;
    Answers answers(answer_options, work_);
    BuildSteps steps(o_.store, folder_, answers, work_);
    auto code = [&] {
      const auto phase = work_.phases.scope("command");
      return live({variables(), folder_ + "/ask", [&] { answers.serve(); },
                   steps});
    }();
    if (!code.ok()) return failed(work_, code.error());
    const auto done = record(answers);
    steps.remember(row_folders_);
    story_.store = o_.store;
    story_.selects = o_.selects;
    story_.dry_run = o_.dry_run;
    tell_suites(answers, story_);
    if (!done.ok()) {
      RunEnd end = failed(work_, done.error(), *code);
      end.ran = true;
      end.story = std::move(story_);
      return end;
    }
    return {*code, false, true, std::move(story_)};
  }

 private:
  void open_remote_of(const Config& config) {
    const std::string url = config.remote.value_or("");
    if (url.empty() || o_.offline) {
      if (o_.publish) {
        work_.listener.warning("nothing is published: no remote is configured");
      }
      return;
    }
    TeamOptions team;
    team.url = url;
    team.keys = config.remote_keys.value_or(std::vector<std::string>());
    team.timeout_ms = timeout_ms_;
    team.commit = o_.commit;
    team.project = project_;
    team.store = o_.store;
    team.internal_globs = parts_of(o_.internal);
    team.external_globs = parts_of(o_.external);
    remote_ = std::make_unique<TeamRemote>(std::move(team), work_);
  }

  // "2/8"
  base::Result<void> read_shard() {
    if (o_.shard.empty()) return {};
    std::istringstream text(o_.shard);
    char slash = 0;
    constexpr unsigned kMost = 1000;
    if (!(text >> shard_ >> slash >> shards_) || slash != '/' || shard_ == 0 ||
        shard_ > shards_ || shards_ > kMost || text.peek() != EOF) {
      return Error{Errc::kUsage, "--shard is I/N, not '" + o_.shard + "'", ""};
    }
    if (!o_.selects) {
      return Error{Errc::kUsage, "--shard divides what is selected: not with --all", ""};
    }
    std::error_code error;
    if (!o_.plan.empty()) o_.plan = fs::absolute(o_.plan, error).string();
    return {};
  }

  // Also those in which nothing ran: what proves that may be of use to others.
  std::set<std::string> suites_to_commit(const Answers& answers,
                                         std::set<std::string> with_rows) const {
    if (!o_.publish && shards_ == 0) return with_rows;
    for (const auto& [suite, answer] : answers.suites()) {
      if (answer.answered && answer.all_answered()) with_rows.insert(suite);
    }
    return with_rows;
  }

  void note_rows(const Answers& answers, const coverage::MatrixBuilder& fresh) {
    shard_report_.index = std::max(shard_, 1U);
    shard_report_.of = std::max(shards_, 1U);
    for (const auto& [suite, answer] : answers.suites()) {
      auto& said = shard_report_.suites[suite];
      said.selected = answer.selected;
      if (answer.all_answered()) said.proved = answer.skipped;
      if (answer.plan != "-") shard_report_.plan = answer.plan;
      for (const auto& test : answer.elsewhere) {
        if (fresh.find_row(suite, test) == nullptr) others_[suite].insert(test);
      }
    }
    fresh.each_row([&](const coverage::Row& row) {
      shard_report_.suites[std::string(row.suite)].ran.emplace(row.test);
    });
  }

  // What the store holds of these suites now, for others.
  void publish(const Answers& answers, const std::set<std::string>& suites) {
    std::vector<SharedSuite> out;
    for (const auto& [suite, answer] : answers.suites()) {
      if (suites.count(suite) == 0 || answer.conflict) continue;
      const auto pointer = baseline_pointer(o_.store, suite);
      if (!pointer.ok() || pointer->empty()) continue;
      auto snapshot = read_snapshot(baseline() + "/" + *pointer);
      if (!snapshot.ok()) continue;
      SharedSuite one;
      one.suite = suite;
      one.snapshot = std::move(*snapshot);
      one.index = shard_report_.index;
      one.of = shard_report_.of;
      one.plan = answer.plan;
      one.without = others_[suite];
      one.ran = shard_report_.suites[suite].ran.size();
      if (shards_ != 0) {
        one.shard = coverage::shard_text({one.index, one.of, one.plan,
                                          {{suite, shard_report_.suites[suite]}}});
      }
      out.push_back(std::move(one));
    }
    remote_->publish(out, folder_);
  }

  std::string baseline() const {
    return (fs::path(o_.store).parent_path() / "baseline").string();
  }

  // Files that cannot be read leave every row partial.
  std::vector<coverage::RowFile> read_rows(coverage::JoinOptions& options) {
    const auto phase = work_.phases.scope("read rows");
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& file :
         fs::recursive_directory_iterator(folder_ + "/rows", error)) {
      if (!file.is_directory(error)) paths.push_back(file.path().string());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<base::Result<coverage::RowFile>> read(paths.size(),
                                                      coverage::RowFile());
    work_.pool().for_each(paths.size(), [&](unsigned, std::size_t i) {
      read[i] = coverage::read_row_file(paths[i]);
    });
    std::vector<coverage::RowFile> files;
    for (std::size_t i = 0; i < read.size(); ++i) {
      auto& file = read[i];
      auto& left = row_folders_[fs::path(paths[i]).parent_path().string()];
      left.insert(file.ok() ? file->pid : 0);
      if (file.ok()) {
        files.push_back(std::move(*file));
      } else {
        work_.listener.warning(
            "recordings of this run are incomplete and will not be used to "
            "skip tests: " +
            file.error().message());
        options.all_partial = true;
      }
    }
    return files;
  }

  base::Result<coverage::JoinReport> join(Answers& answers,
                                          coverage::MatrixBuilder& builder) {
    coverage::JoinOptions options;
    options.project = project_;
    options.own_folders = {folder_, project_ + "/.rejig"};
    options.pool = &work_.pool();
    options.suite_of = [&](const coverage::RowFile& file) {
      return answers.suite_of(file);
    };
    options.skipped_in =
        [&](const coverage::RowFile& file) -> const std::set<std::string>* {
      const auto at = answers.suites().find(answers.suite_of(file));
      return at == answers.suites().end() ? nullptr : &at->second.told;
    };
    options.choices_of = [&](const coverage::RowFile& file) {
      return answers.choices_of(file.pid);
    };
    options.progress = [&](std::size_t done, std::size_t all) {
      work_.listener.progress("rows of tests joined:", done, all);
    };
    auto files = read_rows(options);
    tell_tests(answers, files, story_);
    REJIG_TRY(const auto refused, refuse_strangers(answers, files));
    const auto phase = work_.phases.scope("join");
    work_.listener.begin_progress();
    auto report = coverage::join_row_files(files, options, builder);
    work_.listener.end_progress();
    report.suites.insert(refused.begin(), refused.end());
    return report;
  }

  base::Result<void> record(Answers& answers) {
    coverage::MatrixBuilder builder;
    REJIG_TRY(const auto report, join(answers, builder));
    std::set<std::string> said;
    for (const auto& loss : report.losses) {
      if (said.insert(loss).second) {
        work_.listener.warning("rows are partial: " + loss);
      }
    }
    for (const auto& suite : report.suites) {
      if (o_.selects && answers.suites().count(suite) == 0) {
        work_.listener.note(
            "suite " + suite +
            ": running all tests: the test JVM did not request a selection "
            "(unsupported runner, or tests run inside the build tool)");
      }
    }
    if (o_.selects) REJIG_TRY_VOID(write_selection(answers, {}));
    std::size_t skipped = 0;
    for (const auto& [suite, answer] : answers.suites()) {
      if (!answer.all_answered()) continue;
      for (const auto& test : answer.skipped) {
        if (o_.dry_run || builder.find_row(suite, test) == nullptr) ++skipped;
      }
    }
    note_rows(answers, builder);
    if (o_.shadow) {
      REJIG_TRY_VOID(judge_shadow(o_.store, answers, builder, work_));
    }
    if (shards_ != 0) {
      REJIG_TRY_VOID(base::write_file_atomically(
          shard_file(o_.store), coverage::shard_text(shard_report_)));
    }
    CommitReport committed;
    const auto suites = suites_to_commit(answers, report.suites);
    if (!suites.empty()) {
      CommitOptions commit;
      commit.store = o_.store;
      commit.baseline = baseline();
      commit.suites = suites;
      commit.dry_run = o_.dry_run;
      commit.internal_globs = parts_of(o_.internal);
      commit.external_globs = parts_of(o_.external);
      commit.pool = &work_.pool();
      const auto phase = work_.phases.scope("commit");
      REJIG_TRY(committed, commit_rows(commit, answers.suites(),
                                       std::move(builder)));
    }
    if (o_.selects && !committed.gone.empty()) {
      REJIG_TRY_VOID(write_selection(answers, committed.gone));
    }
    summarize(report, committed, skipped);
    if (o_.publish && remote_ && !committed.lost_race && !o_.dry_run) {
      publish(answers, suites);
    }
    return {};
  }

  // Whatever runs in the command can write files where the recorder does. A
  // suite whose JVMs ask takes rows of tests only from those that asked; others
  // cost it its rows, so that it runs.
  base::Result<std::set<std::string>> refuse_strangers(
      const Answers& answers, std::vector<coverage::RowFile>& files) {
    std::set<std::string> out;
    std::map<std::string, bool> asks;
    std::vector<coverage::RowFile> kept;
    for (auto& file : files) {
      const bool tests = std::ranges::any_of(
          file.scopes, [](const auto& scope) { return scope.second.is_test; });
      if (!tests || answers.asked(file.pid)) {
        kept.push_back(std::move(file));
        continue;
      }
      const std::string suite = answers.suite_of(file);
      const auto [at, fresh] = asks.try_emplace(suite, false);
      if (fresh) {
        REJIG_TRY(const auto pointer, baseline_pointer(o_.store, suite));
        at->second = !pointer.empty() || answers.suites().count(suite) != 0;
      }
      if (!at->second) {
        kept.push_back(std::move(file));
        continue;
      }
      work_.listener.warning(
          "suite " + suite + ": the rows of process " +
          std::to_string(file.pid) +
          " are not taken, it never asked which tests to run; the suite runs "
          "whole the next time");
      out.insert(suite);
    }
    for (auto& file : kept) {
      if (out.count(answers.suite_of(file)) != 0) {
        file.losses.push_back("a process that never asked wrote rows too");
      }
    }
    files = std::move(kept);
    return out;
  }

  // Without tests that are gone: nobody can run them.
  base::Result<void> write_selection(const Answers& answers,
                                     const std::set<std::string>& gone) const {
    std::set<std::string> ids;
    std::string all;
    for (const auto& [suite, answer] : answers.suites()) {
      if (!answer.answered || !answer.all_answered()) {
        if (all.empty())
          all = "# all: suite " + suite + " could not be asked\n";
      }
      for (const auto& id : answer.selected) {
        if (answer.elsewhere.count(id) == 0) ids.insert(id);
      }
    }
    if (answers.suites().empty()) all = "# all: no JVM asked\n";
    std::string text = all;
    for (const auto& id : ids) {
      if (gone.count(id) == 0) text += id + "\n";
    }
    return base::write_file_atomically(selection_file(o_.store), text);
  }

  void summarize(const coverage::JoinReport& report,
                 const CommitReport& committed, std::size_t skipped) {
    if (committed.lost_race) {
      work_.listener.warning(
          "another run moved the baseline meanwhile; the rows of this one are "
          "not kept");
    }
    std::size_t elsewhere = 0;
    for (const auto& [suite, tests] : others_) elsewhere += tests.size();
    if (report.rows == 0 && skipped == 0 && elsewhere == 0) {
      work_.listener.warning(
          "no tests were recorded: no JVM ran a supported test runner");
      return;
    }
    std::string text = summary_of(
        report, {o_.selects, o_.dry_run, skipped, elsewhere, committed.pending});
    work_.listener.note(text);
    story_.summary = std::move(text);
  }

  SessionOptions o_;
  Work& work_;
  RunStory story_;
  RecorderPaths recorder_;
  std::string project_;
  std::string folder_;
  std::vector<std::string> internal_;
  unsigned timeout_ms_ = 5000;
  unsigned shard_ = 0;  // of shards_; none: not divided
  unsigned shards_ = 0;
  coverage::ShardReport shard_report_;
  std::map<std::string, std::set<std::string>> others_;  // by suite
  std::unique_ptr<TeamRemote> remote_;
  // Who left a file of rows where; 0: nobody knows who.
  std::map<std::string, std::set<std::uint32_t>> row_folders_;
};

}  // namespace

std::string selection_file(const std::string& store) {
  return (fs::path(store).parent_path() / "selection.ids").string();
}

std::string shard_file(const std::string& store) {
  return (fs::path(store).parent_path() / "shard.txt").string();
}

RunEnd run_session(SessionOptions options, Work& work) {
  if (options.command.empty()) {
    return failed(work, {Errc::kUsage, "a command is needed: rejig run -- CMD",
                         ""});
  }
  const auto command = options.command;
  const auto alone = [&]() -> RunEnd {
    const auto code = run_process(command, {}, {});
    if (!code.ok()) return failed(work, code.error());
    return {*code, false, true, {}};
  };
  if (switched_off()) return alone();
  Session session(std::move(options), work);
  if (const auto ready = session.prepare(); !ready.ok()) {
    work.listener.error(ready.error().message());
    work.listener.note("everything runs, nothing is recorded");
    RunEnd end = alone();
    end.trouble = true;
    return end;
  }
  return session.run([&](const Beside& beside) {
    return run_process(command, beside.variables, beside.serve, beside.folder);
  });
}

RunEnd run_session_beside(SessionOptions options, const BesideBuild& live,
                          Work& work) {
  Session session(std::move(options), work);
  if (const auto ready = session.prepare(); !ready.ok()) {
    return failed(work, ready.error());
  }
  return session.run(live);
}

}  // namespace rejig::app
