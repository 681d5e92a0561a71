// SPDX-License-Identifier: Apache-2.0
// What does a report look like where it is not a terminal: in a pull request, a
// browser, a code scanner? One page of plain data and its three forms. All text
// may come from archives: each form escapes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rejig::app {

struct PageItem {
  std::string title;
  std::string place;  // "a/b/C.java:17"
  std::string id;     // "E12"
  std::vector<std::string> words;
};

struct PageSection {
  std::string title;
  std::vector<PageItem> items;
  std::size_t left_out = 0;
  bool open = true;
};

struct Page {
  std::string title;  // "rejig diff"
  std::vector<std::string> verdict;
  std::vector<PageSection> sections;
  std::vector<std::string> footer;
};

// What the report can show beside the page: members of one JSON object, which
// page/report.js reads.
struct PageData {
  std::string kind;  // "diff", "run", …
  std::string version;
  std::string when;
  std::vector<std::pair<std::string, std::string>> members;  // name, JSON
};

// For pull requests and $GITHUB_STEP_SUMMARY.
std::string page_markdown(const Page& page);
// One file that loads nothing and opens from anywhere.
std::string page_html(const Page& page, const PageData& data = {});

struct Finding {
  std::string rule;  // "D7"
  enum class Level : std::uint8_t { kNote, kWarning, kError };
  Level level = Level::kNote;
  std::string message;
  std::string path;  // empty: nowhere in particular
  unsigned line = 0;
  std::string subject;  // what stays the same from run to run
};
// SARIF 2.1.0; the rules are those of the findings.
std::string findings_sarif(const std::vector<Finding>& findings,
                           std::string_view version);

}  // namespace rejig::app
