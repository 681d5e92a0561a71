// SPDX-License-Identifier: Apache-2.0
#include "apps/session/last_program.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "apps/session/joined_answers.h"
#include "apps/session/run_answers.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::string_view kPrefix = "baseline/";
constexpr const char* kNoRun =
    "NEW is needed: there was no `rejig run` here whose class path could be "
    "taken (rejig select OLD NEW)";

// Those that are there.
std::string joined(const std::vector<std::string>& roots) {
  std::string out;
  std::error_code error;
  for (const auto& root : roots) {
    if (!fs::exists(root, error)) continue;
    if (!out.empty()) out += ':';
    out += root;
  }
  return out;
}

std::string problem_of(const Snapshot& snapshot) {
  std::error_code error;
  for (const auto& root : snapshot.roots) {
    if (!fs::exists(root, error)) {
      return root + " of the last run is not there (is it compiled?)";
    }
  }
  return other_library(snapshot);
}

// Tests of suites that have rows and nothing to be compared with.
base::Result<void> add_suites_without_baseline(
    coverage::Matrix& matrix, const std::set<std::string>& known,
    coverage::Answer& answer) {
  REJIG_TRY(const auto rows, matrix.rows());
  std::set<std::string> said;
  for (const auto& row : rows) {
    const std::string suite(row.suite);
    if (known.count(suite) != 0) continue;
    answer.selected.push_back({{suite, std::string(row.test)},
                               {{coverage::TestRule::kEverything,
                                 "its suite has no baseline"}},
                               {}});
    if (said.insert(suite).second) {
      answer.widened.push_back({"suite " + suite + " has no baseline", ""});
    }
  }
  return {};
}

// New to this suite, known in another one: its class is on this class path, too.
void leave_to_others(coverage::Answer& answer,
                     const std::set<std::string>& elsewhere) {
  std::erase_if(answer.selected, [&](const auto& test) {
    const bool fresh = std::ranges::any_of(test.forced, [](const auto& one) {
      return one.rule == coverage::TestRule::kNew;
    });
    return fresh && elsewhere.count(test.key.test) != 0;
  });
}

SelectOptions for_suite(const SelectOptions& all, const LastProgram& last) {
  SelectOptions out = all;
  out.suite = last.suite;
  out.only_path_is_new = false;
  auto& inputs = out.inputs;
  inputs.old_path = last.snapshot.copies();
  inputs.new_path = joined(last.snapshot.roots);
  inputs.as_listed = true;
  inputs.lib = last.snapshot.library_list();
  inputs.jdk = last.snapshot.java_home;
  return out;
}

}  // namespace

base::Result<std::vector<LastProgram>> last_programs(const std::string& store) {
  REJIG_TRY(const auto matrix, coverage::open_store(store));
  REJIG_TRY(const auto environment, matrix->environment());
  std::vector<LastProgram> out;
  const fs::path folder = fs::path(store).parent_path() / "baseline";
  for (const auto& entry : environment) {
    if (!entry.key.starts_with(kPrefix)) continue;
    LastProgram& one = out.emplace_back();
    one.suite = entry.key.substr(kPrefix.size());
    auto snapshot = read_snapshot((folder / entry.value).string());
    if (snapshot.ok()) {
      one.snapshot = std::move(snapshot).value();
      one.problem = problem_of(one.snapshot);
    } else {
      one.problem = "its baseline cannot be read: " + snapshot.error().message();
    }
  }
  return out;
}

base::Result<std::unique_ptr<Selected>> select_given_or_last(
    SelectOptions options, Work& work) {
  const auto& inputs = options.inputs;
  if (inputs.old_path.empty() && inputs.new_path.empty() &&
      inputs.class_path.empty()) {
    REJIG_TRY(const Config config, load_config(work.config));
    if (!config.old_path && !config.new_path) {
      return select_since_last_run(std::move(options), work);
    }
  }
  return run_selection(std::move(options), work);
}

base::Result<std::unique_ptr<Selected>> select_since_last_run(
    SelectOptions o, Work& work) {
  REJIG_TRY(const Config config, load_config(work.config));
  if (o.coverage.empty()) {
    o.coverage = config.coverage.value_or(coverage::kDefaultStore);
  }
  if (o.suite.empty()) o.suite = config.suite.value_or("");
  const bool one_suite = !o.suite.empty();
  auto programs = last_programs(o.coverage);
  if (!programs.ok()) {
    if (programs.error().code != Errc::kNotFound) {
      return std::move(programs).error();
    }
    return Error{Errc::kUsage, kNoRun, o.coverage};
  }
  std::erase_if(*programs, [&](const auto& one) {
    return one_suite && one.suite != o.suite;
  });
  if (programs->empty()) return Error{Errc::kUsage, kNoRun, o.coverage};
  std::set<std::string> everywhere;
  for (const auto& one : *programs) everywhere.insert(one.suite);

  std::unique_ptr<Selected> out;
  coverage::Answer together;
  for (const auto& one : *programs) {
    SelectOptions asked = for_suite(o, one);
    if (asked.inputs.new_path.empty()) {
      return Error{Errc::kNotFound, one.problem, "suite " + one.suite};
    }
    if (!one.problem.empty()) asked.all_because.push_back(one.problem);
    REJIG_TRY(auto selected, run_selection(asked, work));
    std::set<std::string> elsewhere;
    if (selected->matrix) {
      REJIG_TRY(const auto rows, selected->matrix->rows());
      for (const auto& row : rows) {
        if (row.suite != one.suite) elsewhere.emplace(row.test);
      }
    }
    leave_to_others(selected->answer, elsewhere);
    for (auto& test : selected->tests) test.suite = one.suite;
    add_answer(together, std::move(selected->answer), one.suite);
    if (out == nullptr) {
      out = std::move(selected);
    } else {
      out->tests.insert(out->tests.end(), selected->tests.begin(),
                        selected->tests.end());
      // Each has a program of its own: what a row implies is not asked of them.
      out->implied = {};
    }
  }
  if (!one_suite && out->matrix) {
    REJIG_TRY_VOID(
        add_suites_without_baseline(*out->matrix, everywhere, together));
  }
  together.assumptions.push_back(
      "the class path, libraries, Java and options of the JVMs are those of the "
      "last run");
  if (!together.reasons.empty()) select_everything(together);
  finish_answer(together);
  out->answer = std::move(together);
  return out;
}

}  // namespace rejig::app
