// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/run_page.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/answer_data.h"
#include "apps/rejig/report/digest.h"
#include "apps/rejig/report/report_format.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace {

std::string time_text(std::uint64_t ms) {
  constexpr std::uint64_t kSecond = 1000;
  constexpr std::uint64_t kMinute = 60 * kSecond;
  if (ms < kSecond) return std::to_string(ms) + " ms";
  if (ms < 2 * kMinute) return std::to_string(ms / kSecond) + " s";
  return std::to_string(ms / kMinute) + " min";
}

}  // namespace

Page run_page(const RunRecord& record, const ReportOptions& options,
              bool whole) {
  Page out = select_page(record.answer, options, whole);
  out.title = "rejig run";
  std::size_t failed = 0;
  std::uint64_t ms = 0;
  PageSection bad;
  bad.title = "Ran and did not pass";
  for (const auto& test : record.tests) {
    ms += test.ms;
    if (test.result == "pass") continue;
    ++failed;
    PageItem one;
    one.title = test.test;
    if (test.suite != "default") one.place = test.suite;
    one.words = {test.result};
    bad.items.push_back(std::move(one));
  }
  const auto& c = record.answer.counts;
  std::string verdict = std::to_string(record.tests.size()) + " of " +
                        counted(record.tests.size() + c.unaffected, "test",
                                "tests") +
                        " ran in " + time_text(ms);
  if (c.unaffected != 0) {
    verdict += "; " + std::to_string(c.unaffected) + " not selected, on proof";
  }
  if (failed != 0) verdict += "; " + std::to_string(failed) + " did not pass";
  out.verdict.assign(1, verdict);
  for (const auto& reason : record.answer.reasons) {
    out.verdict.push_back("everything ran: " + reason);
  }
  if (!bad.items.empty()) out.sections.insert(out.sections.begin(), bad);
  return out;
}

PageData run_page_data(const RunRecord& record, const RunStory& story) {
  constexpr std::size_t kItems = 3;
  PageData out;
  out.kind = "run";
  out.version = version_number();
  out.when = record.when;
  out.members.emplace_back("answer", answer_data(record.answer, kItems));
  std::string ran = "[";
  for (const auto& test : record.tests) {
    if (ran.size() > 1) ran += ",\n";
    ran += "[" + json_string(test.suite) + "," + json_string(test.test) + "," +
           json_string(test.result) + "," + std::to_string(test.begun) + "," +
           std::to_string(test.ms) + "," + std::to_string(test.pid) + "]";
  }
  out.members.emplace_back("ran", ran + "]");
  // Each suite numbered its edges from 1.
  std::string suites = "[";
  for (std::size_t i = 0; i < story.suites.size(); ++i) {
    if (story.suites[i].page.empty()) continue;
    if (suites.size() > 1) suites += ",\n";
    suites += "{\"shift\":" + std::to_string(record.first_edges[i]) +
              ",\"page\":" + story.suites[i].page + "}";
  }
  out.members.emplace_back("suites", suites + "]");
  return out;
}

base::Result<void> add_step_summary(const std::string& path,
                                    const std::string& text) {
  using base::Errc;
  using base::Error;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                        0644);
  if (fd < 0) return Error{Errc::kIo, base::errno_text(errno), path};
  std::size_t at = 0;
  int failure = 0;
  while (at < text.size() && failure == 0) {
    const auto n = ::write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) failure = errno;
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  ::close(fd);
  if (failure != 0) return Error{Errc::kIo, base::errno_text(failure), path};
  return {};
}

}  // namespace rejig::app
