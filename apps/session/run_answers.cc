// SPDX-License-Identifier: Apache-2.0
// A question is answered once for each suite; later JVMs of the same suite get the
// same list, if they have the same program and a setting that the baseline knows.
// Every way out but the last one gives the empty list: nothing is skipped for a
// reason that was not found.
#include "apps/session/run_answers.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

#include "apps/session/recorder_files.h"
#include "apps/session/run_process.h"
#include "apps/session/run_question.h"
#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "classfile/program/program.h"
#include "coverage/plan/plan.h"
#include "coverage/row/build_choice.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

// But for what Surefire tells each JVM of its own files.
bool same_choices(std::vector<std::string> a, std::vector<std::string> b) {
  for (auto* list : {&a, &b}) {
    std::erase_if(*list, [](const std::string& one) {
      return one.starts_with("-Dsurefire.");
    });
    std::ranges::sort(*list);
  }
  return a == b;
}

constexpr const char* kNothing = "rejig-skip 1\nend 0\n";

base::Result<std::set<std::string>> only_in_other_suites(
    const std::string& store, const std::string& suite) {
  std::set<std::string> out;
  const auto matrix = coverage::open_store(store);
  if (!matrix.ok()) {
    if (matrix.error().code == Errc::kNotFound) return out;
    return matrix.error();
  }
  REJIG_TRY(const auto rows, (*matrix)->rows());
  for (const auto& row : rows) {
    if (row.suite != suite) out.emplace(row.test);
  }
  for (const auto& row : rows) {
    if (row.suite == suite) out.erase(std::string(row.test));
  }
  return out;
}

}  // namespace

base::Result<std::string> baseline_pointer(const std::string& store,
                                           const std::string& suite) {
  auto matrix = coverage::open_store(store);
  if (!matrix.ok()) {
    if (matrix.error().code == Errc::kNotFound) return std::string();
    return std::move(matrix).error();
  }
  REJIG_TRY(const auto environment, (*matrix)->environment());
  std::string out;
  for (const auto& entry : environment) {
    if (entry.key != baseline_key(suite)) continue;
    if (!out.empty()) {
      return Error{Errc::kMalformed, "two baselines of one suite", store};
    }
    out = std::string(entry.value);
  }
  return out;
}

void Answers::serve() {
  std::error_code error;
  std::vector<fs::path> asked;
  for (const auto& file : fs::directory_iterator(o_.folder + "/ask", error)) {
    if (file.path().extension() == ".ask" &&
        done_.count(file.path().string()) == 0) {
      asked.push_back(file.path());
    }
  }
  std::sort(asked.begin(), asked.end());
  for (const auto& path : asked) {
    done_.insert(path.string());
    auto seen = path;
    static_cast<void>(
        base::write_file_atomically(seen.replace_extension(".seen"), ""));
    Question question;
    auto variables = path;
    variables.replace_extension(".environ");
    std::string content = kNothing;
    const auto done = [&]() -> base::Result<void> {
      REJIG_TRY(const std::string text, base::read_file(path.string()));
      REJIG_TRY_VOID(parse_question(
          text, base::read_file(variables.string()), o_.project, question));
      const std::string out = value_of(question.start.variables, "REJIG_OUT");
      questions_[out].insert(question_text(text, question));
      content = answer(question);
      return {};
    }();
    if (question.pid != 0) asked_.insert(question.pid);
    if (!done.ok()) say_once("everything runs: " + done.error().message());
    auto answered = path;
    static_cast<void>(base::write_file_atomically(
        answered.replace_extension(".answer"), content));
  }
}

std::string Answers::below_project(const std::string& named,
                                   const std::string& directory) const {
  if (!o_.suite.empty()) return named;
  const std::string relative =
      fs::path(directory).lexically_relative(o_.project).string();
  return relative.empty() || relative == "." || directory.empty() ? named
                                                                  : relative;
}

// In a build: the first folder of the program, which is where the tests are;
// and whether the module itself is there as an archive, as integration tests
// have it, because these are JVMs of another kind.
std::string Answers::suite_of(const Question& q) const {
  const std::string by_place = below_project(q.suite, q.start.directory);
  if (q.start.runner.empty() || !o_.suite.empty()) return by_place;
  std::error_code error;
  std::string tests;
  bool packaged = false;
  const fs::path module = fs::weakly_canonical(q.start.directory, error);
  for (const auto& entry : q.class_path) {
    const fs::path full = fs::weakly_canonical(entry, error);
    if (fs::is_directory(full, error)) {
      if (tests.empty() && is_below(full, o_.project)) {
        tests = full.lexically_relative(o_.project).string();
      }
    } else if (is_below(full, module) && fs::exists(full, error)) {
      packaged = true;
    }
  }
  if (tests.empty()) return by_place;
  return packaged ? tests + "+archive" : tests;
}

std::string Answers::suite_of(const coverage::RowFile& file) const {
  const auto asked = suites_of_.find(file.pid);
  if (asked != suites_of_.end() && asked->second.size() == 1) {
    return *asked->second.begin();
  }
  const auto at = file.environment.find("user.dir");
  return below_project(file.suite,
                       at == file.environment.end() ? "" : at->second);
}

void Answers::say_once(const std::string& text) {
  if (said_.insert(text).second) work_.listener.warning(text);
}

// For the report; a person has been told.
void Answers::everything(SuiteAnswer& suite, const std::string& reason) {
  auto& all = suite.everything_because;
  if (std::ranges::find(all, reason) == all.end()) all.push_back(reason);
}

// Never says, and never leaves behind, more than the JVM itself would: what was
// foreseen wrongly only means that it is asked.
base::Result<Foreseen> Answers::foresee(const std::string& text,
                                        const std::string& variables) {
  Question question;
  REJIG_TRY_VOID(parse_question(text, variables, o_.project, question));
  Foreseen out;
  out.suite = suite_of(question);
  if (!o_.selects || o_.dry_run || o_.shards != 0) return out;
  note_choices(question);
  const SuiteAnswer* suite = compared(question, out.suite);
  if (suite == nullptr || !suite->compared ||
      !same_choices(suite->choices, choices_[question.pid]) ||
      suite->known_settings.count(question.setting.text()) == 0) {
    return out;
  }
  out.left_out = suite->skipped.size();
  out.nothing = suite->content != kNothing && suite->answered &&
                suite->all_answered() && !suite->all_selected &&
                suite->selected.empty() && !suite->skipped.empty();
  return out;
}

// What the build told this JVM that rows ask for: choices of tests, the class
// path.
void Answers::note_choices(const Question& q) {
  auto& told = choices_[q.pid];
  told = coverage::choices_of(q.start.properties);
  std::string class_path;
  for (const auto& entry : q.class_path) class_path += entry + ":";
  told.push_back(
      coverage::class_path_told(q.setting.without_places(class_path)));
}

SuiteAnswer* Answers::compared(const Question& q, const std::string& suite) {
  const std::string signature = signature_of(q.class_path);
  const auto [at, fresh] = suites_.try_emplace(suite);
  SuiteAnswer& out = at->second;
  if (!fresh) {
    const bool same = out.class_path == q.class_path &&
                      out.signature == signature &&
                      out.snapshot.java == q.java;
    return same ? &out : nullptr;
  }
  out.class_path = q.class_path;
  out.signature = signature;
  out.content = kNothing;
  out.choices = choices_[q.pid];
  const auto done = select(q, suite, out);
  if (!done.ok()) {
    out.skipped.clear();
    out.proofs.clear();
    out.elsewhere.clear();
    out.told.clear();
    out.content = kNothing;
    everything(out, done.error().message());
    say_once("everything runs: " + done.error().message());
  }
  return &out;
}

std::string Answers::answer(const Question& q) {
  const std::string suite = suite_of(q);
  suites_of_[q.pid].insert(suite);
  note_choices(q);
  SuiteAnswer* const found = compared(q, suite);
  if (found == nullptr) {
    SuiteAnswer& other = suites_.at(suite);
    other.conflict = true;
    everything(other, "its JVMs have different class paths");
    say_once("suite " + suite +
             ": its JVMs have different class paths; everything runs");
    return kNothing;
  }
  SuiteAnswer& out = *found;
  // The answer is for those who were told the same.
  if (!same_choices(choices_[q.pid], out.choices)) {
    const std::string reason =
        "its JVMs were given different properties that choose tests";
    everything(out, reason);
    say_once("running all tests of " + suite + ": " + reason);
    out.strange_setting = true;
    return kNothing;
  }
  out.settings.insert(q.setting.text());
  if (!out.compared ||
      out.known_settings.count(q.setting.text()) != 0) {
    return out.content;
  }
  if (out.content != kNothing) {
    const std::string reason =
        "JVM options or properties differ from the baseline: " +
        q.setting.differences(out.known_settings);
    everything(out, reason);
    say_once("running all tests of " + suite + ": " + reason);
  }
  out.strange_setting = true;
  return kNothing;
}

base::Result<void> Answers::select(const Question& q, const std::string& suite,
                                   SuiteAnswer& out) {
  const std::string here =
      o_.folder + "/program-" + std::to_string(suites_.size());
  auto snapshot = take_snapshot(q.class_path, o_.internal, here);
  if (!snapshot.ok()) {
    out.conflict = true;
    return std::move(snapshot).error();
  }
  out.snapshot = std::move(*snapshot);
  out.snapshot.java = q.java;
  out.snapshot.java_home = q.start.home;
  if (const auto written = write_snapshot(out.snapshot); !written.ok()) {
    out.conflict = true;
    return written.error();
  }
  if (signature_of(q.class_path) != out.signature) {
    out.conflict = true;
    return Error{Errc::kIo, "the class path changed while it was copied",
                 suite};
  }
  REJIG_TRY(out.old_pointer, baseline_pointer(o_.store, suite));
  if (!o_.selects) return {};
  std::vector<NearRun> runs;
  if (o_.remote != nullptr) {
    runs = o_.remote->near(suite, out.snapshot, q.setting.text());
  }
  Snapshot old;
  REJIG_TRY(const std::string own,
            compare_baseline(q, suite, !runs.empty(), out, old));
  if (!own.empty()) {
    if (runs.empty() && out.old_pointer.empty()) {
      everything(out, "no baseline yet");
      work_.listener.note("suite " + suite + ": " + own);
      if (o_.shards == 0) return {};
    } else if (runs.empty()) {
      if (o_.shards == 0) return Error{Errc::kUnsupported, own, suite};
      everything(out, own);
      say_once("everything runs: " + suite + ": " + own);
    }
    out.known_settings = runs.empty() ? std::set{q.setting.text()}
                                      : runs.front().settings;
  }
  // Another JVM of the suite must be one that all of these had.
  for (const auto& run : runs) {
    std::erase_if(out.known_settings, [&](const auto& setting) {
      return run.settings.count(setting) == 0;
    });
  }
  out.compared = true;
  // A process of its own: whatever happens to a comparison of these files must
  // not happen to the command. The variables of the JVM are data: as its
  // environment they would say how rejig itself works.
  std::string self = o_.program;
  if (self.empty()) {
    REJIG_TRY(self, this_program());
  }
  std::vector<std::string> words = {self, "select"};
  if (own.empty()) {
    words.insert(words.end(), {old.copies(), out.snapshot.copies(),
                               "--coverage", o_.store});
  } else {
    words.insert(words.end(), {out.snapshot.copies(), "--coverage",
                               here + ".none"});
  }
  for (const auto& run : runs) {
    words.insert(words.end(), {"--proof", run.name + "=" + run.store});
  }
  std::string variables;
  for (const auto& one : q.start.variables) variables += one + '\0';
  for (const auto& one : choices_[q.pid]) variables += one + '\0';
  REJIG_TRY_VOID(base::write_file_atomically(here + ".variables", variables));
  const auto more = words_of_select(q, suite, out, here);
  words.insert(words.end(), more.begin(), more.end());
  REJIG_TRY(const int code, run_process(words, {}, {}));
  if (code != 0) {
    return Error{Errc::kIo, "rejig select failed", suite};
  }
  if (!runs.empty()) {
    REJIG_TRY_VOID(read_proofs(here + ".proofs", suite, runs, out));
    std::string text;
    for (const auto& run : runs) {
      const auto proved = std::ranges::count_if(
          out.proofs, [&](const auto& one) { return one.second == run.store; });
      if (proved == 0) continue;
      text += text.empty() ? " " : ", ";
      text += std::to_string(proved) + " by run " + run.name;
    }
    if (!text.empty()) {
      work_.listener.note("suite " + suite + ": unaffected as proved by others:" + text);
    }
  }
  REJIG_TRY_VOID(read_list(q, suite, here, out));
  return o_.shards == 0 ? base::Result<void>() : divide(q, suite, here, out);
}

// What other shards run is on the list, too. What the plan does not know, or two
// shards have, runs here.
base::Result<void> Answers::divide(const Question& q, const std::string& suite,
                                   const std::string& here,
                                   SuiteAnswer& out) const {
  const std::string file = o_.plan.empty() ? here + ".plan" : o_.plan;
  REJIG_TRY(const std::string text, base::read_file(file));
  REJIG_TRY(const auto plan, coverage::parse_plan(text, file));
  if (plan.shards.size() != o_.shards) {
    return Error{Errc::kMalformed,
                 "the plan is for " + std::to_string(plan.shards.size()) +
                     " shards, not " + std::to_string(o_.shards), file};
  }
  // Plans by names may differ between machines, and leave nothing out.
  out.plan = o_.plan.empty() ? base::to_hex(base::digest256(
                                   "by name, " + std::to_string(o_.shards)))
                             : plan.digest();
  for (const auto& id : out.selected) {
    const bool plain = std::ranges::none_of(
        id, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (plain && plan.is_elsewhere(o_.shard, suite, id)) {
      out.elsewhere.insert(id);
    }
  }
  if (o_.dry_run) return {};
  out.told.insert(out.elsewhere.begin(), out.elsewhere.end());
  std::string list = "rejig-skip 1\n";
  for (const auto& id : out.told) list += q.suite + "\t" + id + "\n";
  out.content = list + "end " + std::to_string(out.told.size()) + "\n";
  return {};
}

base::Result<std::string> Answers::compare_baseline(const Question& q,
                                                    const std::string& suite,
                                                    bool has_others,
                                                    SuiteAnswer& out,
                                                    Snapshot& old) const {
  if (out.old_pointer.empty()) {
    return std::string("no baseline yet, everything runs");
  }
  auto read = read_snapshot(o_.baseline + "/" + out.old_pointer);
  if (!read.ok()) {
    if (has_others) return read.error().message();
    return Error{read.error().code, read.error().what, suite};
  }
  old = std::move(*read);
  out.known_settings.insert(old.settings.begin(), old.settings.end());
  if (old.java != q.java) {
    return "another Java (" + old.java + ", now " + q.java + ")";
  }
  if (!same_libraries(old, out.snapshot)) {
    // As code, if those of the baseline are still there.
    const std::string gone = other_library(old);
    if (has_others || !gone.empty()) {
      return "other libraries than in the baseline" +
             (gone.empty() ? std::string() : " (" + gone + ")");
    }
    out.old_libraries = old.library_list();
    work_.listener.note("suite " + suite +
                        ": other libraries than in the baseline, compared as code");
  }
  // Without others it is said, and everything runs.
  if (has_others && out.known_settings.count(q.setting.text()) == 0) {
    return std::string("another setting than in the baseline");
  }
  return std::string();
}

std::vector<std::string> Answers::words_of_select(
    const Question& q, const std::string& suite, const SuiteAnswer& out,
    const std::string& here) const {
  std::vector<std::string> words = {"--as-listed",
                                    "--suite",
                                    suite,
                                    "--emit",
                                    "skip-list=" + here + ".skip",
                                    "--proofs-to",
                                    here + ".proofs",
                                    "-o",
                                    here + ".ids",
                                    "--format",
                                    "ids",
                                    "--keep",
                                    here + ".json",
                                    "-q"};
  if (o_.reports) {
    words.insert(words.end(), {"--report", here + ".report.json"});
    for (const auto& root : o_.source_roots) {
      words.insert(words.end(), {"--source-root", root});
    }
  }
  if (o_.shards != 0 && o_.plan.empty()) {
    words.insert(words.end(), {"--plan-to", here + ".plan", "--shards",
                               std::to_string(o_.shards)});
  }
  for (const auto& glob : o_.internal_globs) {
    words.insert(words.end(), {"--internal", glob});
  }
  for (const auto& glob : o_.external_globs) {
    words.insert(words.end(), {"--external", glob});
  }
  words.insert(words.end(), {"--variables", here + ".variables"});
  if (!q.start.home.empty()) words.insert(words.end(), {"--jdk", q.start.home});
  const std::string libraries = out.snapshot.library_list();
  if (out.old_libraries) {
    const auto& olds = *out.old_libraries;
    if (!olds.empty()) words.insert(words.end(), {"--old-lib", olds});
    if (!libraries.empty()) words.insert(words.end(), {"--new-lib", libraries});
  } else if (!libraries.empty()) {
    words.insert(words.end(), {"--lib", libraries});
  }
  return words;
}

base::Result<void> Answers::read_proofs(const std::string& path,
                                        const std::string& suite,
                                        const std::vector<NearRun>& runs,
                                        SuiteAnswer& out) const {
  REJIG_TRY(const std::string text, base::read_file(path));
  std::istringstream lines(text);
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find('\t');
    if (first == std::string::npos) {
      if (line == "end " + std::to_string(n)) return {};
      break;
    }
    ++n;
    const auto second = line.find('\t', first + 1);
    if (second == std::string::npos) break;
    const std::string run = line.substr(0, first);
    if (run.empty() || line.substr(first + 1, second - first - 1) != suite) {
      continue;
    }
    for (const auto& one : runs) {
      if (one.name == run) out.proofs[line.substr(second + 1)] = one.store;
    }
  }
  return Error{Errc::kMalformed, "a list of proofs without end", suite};
}

base::Result<void> Answers::read_list(const Question& q,
                                      const std::string& suite,
                                      const std::string& here,
                                      SuiteAnswer& out) {
  const std::string list = here + ".skip";
  REJIG_TRY(const std::string text, base::read_file(list));
  std::istringstream lines(text);
  std::string line;
  std::string kept;
  std::size_t entries = 0;
  std::size_t all = 0;
  bool ended = false;
  if (!std::getline(lines, line) || line != "rejig-skip 1") ended = false;
  while (std::getline(lines, line)) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) {
      ended = line == "end " + std::to_string(all);
      break;
    }
    ++all;
    if (line.substr(0, tab) != suite) continue;
    out.skipped.insert(line.substr(tab + 1));
    kept += q.suite + line.substr(tab) + "\n";
    ++entries;
  }
  if (!ended) return Error{Errc::kMalformed, "a skip list without end", suite};
  REJIG_TRY(const std::string ids, base::read_file(here + ".ids"));
  if (auto whole = base::read_file(here + ".json"); whole.ok()) {
    out.answer = std::move(*whole);
  }
  if (auto page = base::read_file(here + ".report.json"); page.ok()) {
    out.page = std::move(*page);
  }
  REJIG_TRY(const auto elsewhere, only_in_other_suites(o_.store, suite));
  std::istringstream chosen(ids);
  while (std::getline(chosen, line)) {
    if (line.starts_with("# all: ")) {
      say_once("suite " + suite + ": everything runs: " + line.substr(7));
    }
    const bool is_test = !line.starts_with("# ");
    if (is_test && elsewhere.count(line) == 0) out.selected.insert(line);
    out.all_selected = out.all_selected || !is_test;
  }
  out.answered = true;
  out.told = out.skipped;
  if (o_.dry_run) return {};
  out.content =
      "rejig-skip 1\n" + kept + "end " + std::to_string(entries) + "\n";
  return {};
}

}  // namespace rejig::app
