// SPDX-License-Identifier: Apache-2.0
// The answer of rejig audit for browsers, pull requests and code scanners.
#include "apps/rejig/audit/audit_report.h"

namespace rejig::app {

namespace {

std::string count(std::size_t n) { return std::to_string(n); }

PageItem item_of(const coverage::TestKey& key, std::string words) {
  PageItem out;
  out.title = key.test;
  if (key.suite != "default") out.place = key.suite;
  if (!words.empty()) out.words.push_back(std::move(words));
  return out;
}

void add(Page& page, PageSection section) {
  if (!section.items.empty()) page.sections.push_back(std::move(section));
}

}  // namespace

Page audit_page(const Audit& audit) {
  Page out;
  out.title = "rejig audit";
  out.verdict.push_back(audit.clean() ? "nothing missed" : "missed");
  out.verdict.push_back(
      count(audit.cases) + " test cases in " + count(audit.files) +
      " files; " + count(audit.known) + " tests known, " + count(audit.failing) +
      " fail now, " + count(audit.changed) + " end otherwise than before, " +
      count(audit.affected) + " executed changed code (" + audit.basis + "); " +
      count(audit.unclear) + " test cases are not known to be one test");
  PageSection selectors;
  selectors.title = "Selectors";
  for (const auto& one : audit.selectors) {
    PageItem item;
    item.title = selector_title(one);
    item.words = {
        "selected: " + (one.everything ? "everything" : count(one.selected)),
        "hard misses: " + count(one.hard.size()),
        "of the tests that executed changed code, not selected: " +
            rate_text(one.missed.size(), audit.affected),
        "of their classes: " +
            rate_text(one.missed_classes, one.affected_classes),
        "without a result: " + count(one.unobserved.size())};
    selectors.items.push_back(std::move(item));
  }
  add(out, std::move(selectors));
  for (const auto& one : audit.selectors) {
    const std::string title = selector_title(one);
    PageSection hard;
    hard.title = "Missed by " + title;
    for (const auto& miss : one.hard) {
      hard.items.push_back(item_of(miss.key, miss_text(miss)));
    }
    add(out, std::move(hard));
    PageSection missed;
    missed.title = "Executed changed code (" + audit.basis +
                   "), not selected by " + title;
    for (const auto& [key, code] : one.missed) {
      missed.items.push_back(item_of(key, code));
    }
    add(out, std::move(missed));
    PageSection unobserved;
    unobserved.title = "Not selected by " + title + ", and without a result";
    unobserved.open = false;
    for (const auto& key : one.unobserved) {
      unobserved.items.push_back(item_of(key, ""));
    }
    add(out, std::move(unobserved));
  }
  PageSection flaky;
  flaky.title = "Flaky, not counted";
  flaky.open = false;
  for (const auto& name : audit.flaky) flaky.items.push_back({name, "", "", {}});
  add(out, std::move(flaky));
  return out;
}

// Only what is missed is an alert.
std::vector<Finding> audit_findings(const Audit& audit) {
  std::vector<Finding> out;
  for (const auto& one : audit.selectors) {
    const auto finding = [&](const coverage::TestKey& key, const char* rule,
                             Finding::Level level, const std::string& text) {
      Finding f;
      f.rule = rule;
      f.level = level;
      f.message = key.test + " is not selected by " + selector_title(one) +
                  ": " + text;
      f.subject = key.suite + " " + key.test + " " + one.selector;
      out.push_back(std::move(f));
    };
    for (const auto& miss : one.hard) {
      finding(miss.key, "missed", Finding::Level::kError, miss_text(miss));
    }
    for (const auto& [key, code] : one.missed) {
      finding(key, "not-selected", Finding::Level::kWarning,
              "it executed " + code);
    }
  }
  return out;
}

}  // namespace rejig::app
