// SPDX-License-Identifier: Apache-2.0
// Pages and findings of `diff` and `select`: Markdown, HTML, SARIF, and the few
// annotations that GitHub shows.
#include <algorithm>
#include <filesystem>
#include <map>

#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/page.h"
#include "apps/rejig/report/report_diff.h"
#include "apps/rejig/report/report_format.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using coverage::Answer;

namespace {

constexpr std::size_t kMostAnnotations = 10;  // of a kind, for each step

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += "; ";
    out += word;
  }
  return out;
}

// The file as it lies here; empty: nobody knows where.
std::string real_path(const std::string& file, const ReportOptions& options) {
  if (file.empty()) return {};
  const std::string path = source_path(file, options);
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path : std::string();
}

std::string place_of(const std::string& file, unsigned line,
                     const ReportOptions& options) {
  if (file.empty()) return {};
  const std::string path = source_path(file, options);
  return line == 0 ? path : path + ":" + std::to_string(line);
}

void annotation(const Finding& one, Output& out) {
  std::string command =
      one.level == Finding::Level::kNote ? "::notice " : "::warning ";
  if (!one.path.empty()) {
    command += "file=" + github_property(one.path) +
               ",line=" + std::to_string(std::max(one.line, 1U)) + ",";
  }
  out.write(command + "title=rejig " + github_property(one.rule) +
            "::" + github_message(one.message) + "\n");
}

std::string more_line(std::size_t left) {
  return "::notice title=rejig::" + std::to_string(left) +
         " more, which weigh less (rejig diff --all)\n";
}

Finding finding_of(const DiffReport& report, const DigestItem& item,
                   const ReportOptions& options) {
  constexpr std::size_t kFacts = 5;
  Finding out;
  const auto& edge = report.answer.edges[item.edges.front()];
  out.rule = std::string(classfile::name_of(edge.delta.rule));
  out.level = item.part == Part::kApiBroken ? Finding::Level::kWarning
                                            : Finding::Level::kNote;
  const auto words =
      words_of(item, report.answer.edges, report.versions, kFacts);
  out.message = coverage::edge_id(item.edges.front()) + " " + item.title +
                (words.empty() ? "" : ": " + joined(words));
  out.path = real_path(item.file, options);
  out.line = item.line;
  out.subject = std::string(title_of(item.part)) + " " + item.entity;
  return out;
}

}  // namespace

Page diff_page(const DiffReport& report, const DiffOptions& options,
               bool whole) {
  constexpr std::size_t kFacts = 12;
  constexpr std::size_t kShown = 50;
  const Digest digest = digest_of(report);
  Page page;
  page.title = "rejig diff";
  page.verdict = verdict_of(digest, report.answer.edges.size());
  const bool all = options.screen.rows == 0 || whole;
  for (std::size_t p = 0; p < kParts; ++p) {
    const Part part = static_cast<Part>(p);
    const auto items = digest.of(part);
    if (items.empty()) continue;
    PageSection section;
    section.title = std::string(title_of(part));
    section.open = p < 3;
    for (const auto& item : items) {
      if (!all && section.items.size() == kShown) break;
      PageItem one;
      one.title = item.title;
      one.place = place_of(item.file, item.line, options.report);
      if (!item.edges.empty() && part != Part::kApiAdded) {
        one.id = coverage::edge_id(item.edges.front());
      }
      one.words =
          words_of(item, report.answer.edges, report.versions, kFacts);
      section.items.push_back(std::move(one));
    }
    section.left_out = items.size() - section.items.size();
    page.sections.push_back(std::move(section));
  }
  page.footer = footer_of(digest);
  if (!report.hidden.empty()) {
    page.footer.push_back("hidden by --ignore: " + hidden_text(report));
  }
  for (const auto& widened : report.answer.widened) {
    page.footer.push_back("widened: " + widened.where + ": " + widened.what);
  }
  return page;
}

void diff_sarif(const DiffReport& report, const ReportOptions& options,
                Output& out) {
  const Digest digest = digest_of(report);
  std::vector<Finding> findings;
  for (const auto& item : digest.items) {
    if (item.part == Part::kApiAdded) continue;
    findings.push_back(finding_of(report, item, options));
    if (findings.back().path.empty()) findings.back().path = item.file;
  }
  out.write(findings_sarif(findings, version_number()));
}

void diff_annotations(const DiffReport& report, const ReportOptions& options,
                      Output& out) {
  const Digest digest = digest_of(report);
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const auto& item : digest.items) {
    if (shown == kMostAnnotations) {
      ++left;
      continue;
    }
    ++shown;
    annotation(finding_of(report, item, options), out);
  }
  if (left != 0) out.write(more_line(left));
}

namespace {

// The edges that select most tests, with how many.
std::vector<coverage::EdgeCount> causes_of(const Answer& answer) {
  auto out = coverage::top_edges(answer);
  std::erase_if(out, [](const auto& one) { return one.tests == 0; });
  return out;
}

Finding cause_finding(const Answer& answer, const coverage::EdgeCount& cause,
                      const ReportOptions& options) {
  const auto& d = answer.edges[cause.edge].delta;
  Finding out;
  out.rule = std::string(classfile::name_of(d.rule));
  out.message = coverage::edge_id(cause.edge) + " " +
                traversal::java_method(d.entity) + ": " +
                traversal::java_text(d.why) + "; selects " +
                counted(cause.tests, "test", "tests");
  out.path = real_path(d.file, options);
  out.line = d.line;
  out.subject = d.entity + " " + d.label;
  return out;
}

std::string why_of(const Answer& answer, const coverage::SelectedTest& test) {
  if (!test.forced.empty()) {
    return std::string(coverage::name_of(test.forced.front().rule)) + " " +
           test.forced.front().why;
  }
  const auto hits = answer.hits_of(test);
  if (hits.empty()) return {};
  const auto& d = answer.edges[hits.front().edge].delta;
  return coverage::edge_id(hits.front().edge) + " " +
         traversal::java_method(d.entity);
}

}  // namespace

Page select_page(const Answer& answer, const ReportOptions& options,
                 bool whole) {
  constexpr std::size_t kCauses = 10;
  constexpr std::size_t kTests = 200;
  Page page;
  page.title = "rejig select";
  page.verdict.push_back(counts_text(answer.counts));
  for (const auto& reason : answer.reasons) {
    page.verdict.push_back("all tests, because " + reason);
  }
  const auto causes = causes_of(answer);
  PageSection why;
  why.title = "What selects most";
  for (const auto& cause : causes) {
    if (why.items.size() == kCauses) break;
    const auto& d = answer.edges[cause.edge].delta;
    PageItem one;
    one.title = traversal::java_method(d.entity);
    one.place = place_of(d.file == d.entity ? "" : d.file, d.line, options);
    one.id = coverage::edge_id(cause.edge);
    one.words = {traversal::java_text(d.why),
                 "selects " + counted(cause.tests, "test", "tests")};
    why.items.push_back(std::move(one));
  }
  why.left_out = causes.size() - why.items.size();
  if (!why.items.empty()) page.sections.push_back(std::move(why));
  PageSection tests;
  tests.title = "Selected tests";
  tests.open = answer.selected.size() <= kCauses;
  for (const auto& test : answer.selected) {
    if (!whole && tests.items.size() == kTests) break;
    PageItem one;
    one.title = test.key.test;
    if (test.key.suite != "default") one.place = test.key.suite;
    one.words = {why_of(answer, test)};
    tests.items.push_back(std::move(one));
  }
  tests.left_out = answer.selected.size() - tests.items.size();
  if (!answer.selected.empty()) page.sections.push_back(std::move(tests));
  if (!answer.unaffected.empty()) {
    page.footer.push_back("the verdict on the " +
                          counted(answer.unaffected.size(), "unaffected test",
                                  "unaffected tests") +
                          " rests on: " + joined(answer.assumptions));
  }
  for (const auto& widened : answer.widened) {
    page.footer.push_back("widened: " + widened.where + ": " + widened.what);
  }
  return page;
}

void select_sarif(const Answer& answer, const ReportOptions& options,
                  Output& out) {
  std::vector<Finding> findings;
  for (const auto& cause : causes_of(answer)) {
    findings.push_back(cause_finding(answer, cause, options));
    if (findings.back().path.empty()) {
      findings.back().path = answer.edges[cause.edge].delta.file;
    }
  }
  out.write(findings_sarif(findings, version_number()));
}

void select_annotations(const Answer& answer, const ReportOptions& options,
                        Output& out) {
  std::size_t shown = 0;
  for (const auto& reason : answer.reasons) {
    Finding all;
    all.rule = "all";
    all.level = Finding::Level::kWarning;
    all.message = "all tests, because " + reason;
    if (shown++ < kMostAnnotations) annotation(all, out);
  }
  const auto causes = causes_of(answer);
  std::size_t left = 0;
  for (const auto& cause : causes) {
    if (shown == kMostAnnotations) {
      ++left;
      continue;
    }
    ++shown;
    annotation(cause_finding(answer, cause, options), out);
  }
  if (left != 0) {
    out.write("::notice title=rejig::" + std::to_string(left) +
              " more edges select tests (rejig explain --top)\n");
  }
}

}  // namespace rejig::app
