// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_story.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "apps/session/run_answers.h"

namespace rejig::app {

namespace {

constexpr std::uint64_t kMicros = 1000;  // a millisecond

std::string with_commas(std::size_t n) {
  std::string out = std::to_string(n);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

std::string_view result_word(coverage::ScopeResult result) {
  return result == coverage::ScopeResult::kPassed   ? "pass"
         : result == coverage::ScopeResult::kFailed ? "fail"
                                                    : "aborted";
}

}  // namespace

void tell_tests(const Answers& answers,
                const std::vector<coverage::RowFile>& files, RunStory& story) {
  std::uint64_t first = 0;
  for (const auto& file : files) {
    for (const auto& [number, scope] : file.scopes) {
      if (!scope.is_test) continue;
      if (first == 0 || scope.begun < first) first = scope.begun;
    }
  }
  for (const auto& file : files) {
    const std::string suite = answers.suite_of(file);
    for (const auto& [number, scope] : file.scopes) {
      if (!scope.is_test) continue;
      const auto ended = std::max(scope.begun, scope.ended);
      story.tests.push_back(
          {suite, scope.id,
           std::string(coverage::was_disabled(file, scope) ? "skip"
                       : scope.has_end ? result_word(scope.result)
                                       : "aborted"),
           (scope.begun - first) / kMicros, (ended - scope.begun) / kMicros,
           file.pid});
    }
  }
  std::ranges::sort(story.tests, [](const auto& a, const auto& b) {
    return std::tie(a.suite, a.test, a.begun) <
           std::tie(b.suite, b.test, b.begun);
  });
}

std::string summary_of(const coverage::JoinReport& report,
                       const RunCounts& counts) {
  const std::size_t ran = report.rows - report.disabled;
  std::string text;
  if (counts.dry_run) {
    text = with_commas(ran) + " tests run, " + with_commas(counts.skipped) +
           " of them are unaffected (dry run)";
  } else if (counts.selects) {
    text = with_commas(ran) + " of " + with_commas(ran + counts.skipped) +
           " tests run, " + with_commas(counts.skipped) +
           " unaffected (rejig explain)";
  } else {
    text = "recorded " + with_commas(ran) + " tests";
  }
  const auto add = [&](std::size_t n, const char* what) {
    if (n != 0) text += "; " + with_commas(n) + what;
  };
  add(report.disabled, " disabled");
  add(counts.elsewhere, " for other shards");
  add(report.partial,
      report.partial == 1 ? " row is partial" : " rows are partial");
  add(report.failed, " failed");
  add(counts.pending, " pending");
  return text;
}

void tell_suites(const Answers& answers, RunStory& story) {
  std::set<std::string> ran;
  for (const auto& test : story.tests) ran.insert(test.suite);
  for (const auto& [suite, answer] : answers.suites()) {
    ran.erase(suite);
    SuiteStory& one = story.suites.emplace_back();
    one.suite = suite;
    one.everything_because = answer.everything_because;
    one.answer = answer.answer;
    one.page = answer.page;
    if (answer.all_answered() && !story.dry_run) one.skipped = answer.skipped;
  }
  for (const auto& suite : ran) {
    story.suites.push_back({suite, {"its JVM did not ask"}, {}, {}, {}});
  }
}

}  // namespace rejig::app
