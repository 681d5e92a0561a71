// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/report_explain.h"

#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::Answer;
using coverage::TestExplanation;
using coverage::TestStatus;

namespace {

std::string_view status_text(TestStatus status) {
  switch (status) {
    case TestStatus::kSelected:
      return "selected";
    case TestStatus::kUnaffected:
      return "unaffected";
    case TestStatus::kGone:
      return "gone: the new program does not have it";
    case TestStatus::kUnheardOf:
      break;
  }
  return "unknown";
}

std::string name_of_test(const coverage::TestKey& key) {
  return one_line(key.test) +
         (key.suite == "default" ? "" : "  (" + one_line(key.suite) + ")");
}

std::string fact(const classfile::Delta& d) {
  if (d.old_fact.empty() && d.new_fact.empty()) return "";
  return one_line((d.old_fact.empty() ? "nothing" : d.old_fact) + " -> " +
                  (d.new_fact.empty() ? "nothing" : d.new_fact));
}

std::string place(const classfile::Delta& d, const ReportOptions& options) {
  if (d.file.empty()) return "";
  std::string text = one_line(source_path(d.file, options));
  if (d.line != 0) text += ":" + std::to_string(d.line);
  return text;
}

void edge_text(const Answer& answer, std::uint32_t edge,
               const std::string& indent, const ReportOptions& options,
               Output& out) {
  const auto& d = answer.edges[edge].delta;
  out.write(indent + edge_line(answer, edge) + "\n");
  const std::string changed = fact(d);
  if (!changed.empty()) out.write(indent + "  changed: " + changed + "\n");
  const std::string where = place(d, options);
  if (!where.empty()) out.write(indent + "  at " + where + "\n");
}

void test_text(const Answer& answer, const TestExplanation& test,
               const ReportOptions& options, Output& out) {
  out.write(name_of_test(test.key) + ": " +
            std::string(status_text(test.status)) + "\n");
  for (const auto& forced : test.forced) {
    out.write("  " + std::string(name_of(forced.rule)) + " " +
              one_line(forced.why) + "\n");
  }
  for (const auto& chain : test.chains) {
    edge_text(answer, chain.edge, "  ", options, out);
    for (const auto& atom : chain.atoms) {
      out.write("    " + one_line(classfile::to_string(atom.atom)) + ": " +
                std::string(text_of(atom.state)) + "\n");
    }
  }
}

void assumptions_text(const Answer& answer, Output& out) {
  out.write("  this rests on:\n");
  for (const auto& text : answer.assumptions) {
    out.write("    " + one_line(text) + "\n");
  }
}

void skip_text(const Answer& answer, const coverage::SkipExplanation& skip,
               const ReportOptions& options, Output& out) {
  test_text(answer, skip.test, options, out);
  if (skip.test.status != TestStatus::kUnaffected) return;
  for (const auto& group : skip.groups) {
    constexpr std::size_t kShown = 8;
    std::string edges;
    for (std::size_t i = 0; i < group.edges.size() && i < kShown; ++i) {
      edges += (i == 0 ? "" : ", ") + coverage::edge_id(group.edges[i]);
    }
    if (group.edges.size() > kShown) {
      edges += " and " + std::to_string(group.edges.size() - kShown) + " more";
    }
    out.write("  its row lacks " + one_line(classfile::to_string(group.atom)) +
              ", which is needed to meet " + edges + "\n");
  }
  assumptions_text(answer, out);
}

}  // namespace

void write_explanation(std::string_view format, const Answer& answer,
                       const Explanation& e, const ReportOptions& options,
                       Output& out) {
  if (format == "json") return explain_json(answer, e, out);
  for (const auto& test : e.tests) test_text(answer, test, options, out);
  for (const auto& skip : e.skips) skip_text(answer, skip, options, out);
  if (e.edge) {
    edge_text(answer, *e.edge, "", options, out);
    for (const auto& item : answer.edges[*e.edge].items) {
      out.write("  selects who has " + item_text(item) + "\n");
    }
    out.write("selects " + std::to_string(e.edge_tests.size()) + " test" +
              (e.edge_tests.size() == 1 ? "" : "s") + "\n");
    for (const auto& key : e.edge_tests) {
      out.write("  " + name_of_test(key) + "\n");
    }
  }
  for (const auto& count : e.top) {
    out.write(std::to_string(count.tests) + " test" +
              (count.tests == 1 ? "" : "s") + ": " +
              edge_line(answer, count.edge) + "\n");
  }
}

}  // namespace rejig::app
