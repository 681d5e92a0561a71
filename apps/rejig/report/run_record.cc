// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/run_record.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/answer_data.h"
#include "apps/rejig/report/report_format.h"
#include "apps/session/joined_answers.h"
#include "classfile/base/file.h"

namespace rejig::app {

using coverage::Answer;
using coverage::JsonReader;
using coverage::TestRule;

namespace {

constexpr std::string_view kSchema = "rejig.run/1";

std::string time_text(std::int64_t now) {
  const std::time_t seconds = static_cast<std::time_t>(now);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  const auto n = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, n};
}

// Everything of the suite ran: what was found out about it is told all the same.
Answer answer_without_skips(Answer from, const std::set<std::string>& ran,
                            const SuiteStory& suite) {
  std::string why;
  for (const auto& reason : suite.everything_because) {
    why += (why.empty() ? "" : "; ") + reason;
  }
  std::map<std::string, coverage::SelectedTest> known;
  for (auto& test : from.selected) {
    const std::string id = test.key.test;
    known[id] = std::move(test);
  }
  from.selected.clear();
  from.unaffected.clear();
  for (const auto& id : ran) {
    coverage::SelectedTest test;
    if (const auto at = known.find(id); at != known.end()) {
      test = std::move(at->second);
    }
    test.key = {suite.suite, id};
    test.forced.push_back({TestRule::kEverything, why});
    from.selected.push_back(std::move(test));
  }
  from.reasons.assign(1, "suite " + suite.suite + ": " + why);
  return from;
}

}  // namespace

RunRecord record_of(const RunStory& story, std::int64_t now) {
  RunRecord out;
  out.when = time_text(now);
  out.summary = story.summary;
  out.tests = story.tests;
  std::map<std::string, std::set<std::string>> ran;
  for (const auto& test : story.tests) ran[test.suite].insert(test.test);
  for (const auto& suite : story.suites) {
    auto answer = answer_of(suite.answer, suite.suite);
    Answer one = answer.ok() ? std::move(*answer) : Answer();
    SuiteStory told = suite;
    if (!answer.ok() && told.everything_because.empty()) {
      told.everything_because.push_back("nothing is known of the answer");
    }
    if (!told.everything_because.empty()) {
      one = answer_without_skips(std::move(one), ran[suite.suite], told);
    }
    out.first_edges.push_back(out.answer.edges.size());
    add_answer(out.answer, std::move(one), suite.suite);
  }
  finish_answer(out.answer);
  return out;
}

std::string run_data(const RunRecord& r) {
  std::string out = "{\"schema\":" + json_string(kSchema) +
                    ",\"rejig\":" + json_string(version_number()) +
                    ",\"when\":" + json_string(r.when) +
                    ",\"summary\":" + json_string(r.summary) + ",\n\"ran\":[";
  for (bool first = true; const auto& test : r.tests) {
    if (!first) out += ",\n";
    first = false;
    out += "[" + json_string(test.suite) + "," + json_string(test.test) + "," +
           json_string(test.result) + "," + std::to_string(test.begun) + "," +
           std::to_string(test.ms) + "," + std::to_string(test.pid) + "]";
  }
  return out + "],\n\"answer\":" + answer_data(r.answer) + "}\n";
}

std::string last_run_file(const std::string& store) {
  return (std::filesystem::path(store).parent_path() / "last-run.json").string();
}

base::Result<void> keep_run(const RunRecord& record, const std::string& store) {
  return base::write_file_atomically(last_run_file(store), run_data(record));
}

namespace {

TestStory read_test(JsonReader& json) {
  TestStory out;
  unsigned at = 0;
  json.array([&] {
    std::uint64_t number = 0;
    switch (at++) {
      case 0:
        json.text(out.suite);
        return;
      case 1:
        json.text(out.test);
        return;
      case 2:
        json.text(out.result);
        return;
      case 3:
        json.integer(out.begun);
        return;
      case 4:
        json.integer(out.ms);
        return;
      case 5:
        json.integer(number);
        out.pid = static_cast<std::uint32_t>(number);
        return;
      default:
        json.skip();
    }
  });
  return out;
}

}  // namespace

base::Result<RunRecord> last_run(const std::string& store) {
  const std::string path = last_run_file(store);
  REJIG_TRY(const std::string text, base::read_file(path));
  JsonReader json(text);
  RunRecord out;
  std::string schema;
  json.object([&](std::string_view key) {
    if (key == "schema") {
      json.text(schema);
    } else if (key == "when") {
      json.text(out.when);
    } else if (key == "summary") {
      json.text(out.summary);
    } else if (key == "ran") {
      json.array([&] { out.tests.push_back(read_test(json)); });
    } else if (key == "answer") {
      read_answer_data(json, out.answer);
    } else {
      json.skip();
    }
  });
  if (!json.failed() && schema != kSchema) json.reject("not " + std::string(kSchema));
  if (json.failed()) {
    return base::Error{base::Errc::kMalformed, json.what(),
                       path + " @" + std::to_string(json.offset())};
  }
  return out;
}

}  // namespace rejig::app
