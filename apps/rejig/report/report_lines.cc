// SPDX-License-Identifier: Apache-2.0
// Lines that other programs make clickable (gcc), and graphs (dot).
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "apps/rejig/report/report_diff.h"
#include "apps/rejig/report/report_format.h"
#include "classfile/base/file.h"

namespace rejig::app {

using coverage::Answer;

namespace {

void line(Output& out, const std::string& path, unsigned number,
          const std::string& text, std::string_view rule) {
  const std::string at = std::to_string(std::max(number, 1U));
  out.write(one_line(path.empty() ? "rejig" : path) + ":" + at +
            ":1: info: " + one_line(text) + " [" + std::string(rule) + "]\n");
}

void write_line(const Answer& answer, std::uint32_t e,
                const ReportOptions& options, const std::string& more,
                Output& out) {
  const auto& d = answer.edges[e].delta;
  std::string text = coverage::edge_id(e) + " " + d.entity;
  if (!d.why.empty()) text += ": " + d.why;
  line(out, source_path(d.file, options), d.line, text + more,
       classfile::name_of(d.rule));
}

// The file of a test class as javac would have it; there is no better guess.
std::string file_of_test(std::string_view id) {
  std::string name = classfile::slashed(coverage::class_of_test(id));
  name = name.substr(0, name.find('$'));
  return name + ".java";
}

struct TestPlace {
  std::string path;  // empty: its source is not here
  unsigned line = 1;
};

// Where a person would look: the method in the test's own file, if that is below
// a source root.
TestPlace place_of_test(std::string_view id, const ReportOptions& options) {
  TestPlace out;
  const std::string path = source_path(file_of_test(id), options);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return out;
  out.path = path;
  const auto text = base::read_file(path);
  if (!text.ok()) return out;
  const std::string name(coverage::method_of_test(id));
  const auto at =
      text->find(" " + name.substr(0, name.find('(')) + "(");
  if (at == std::string::npos) return out;
  out.line += static_cast<unsigned>(std::count(
      text->begin(), text->begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  return out;
}

constexpr std::string_view kDotHead =
    "digraph rejig {\n  rankdir=LR;\n  node [shape=box, fontsize=10];\n";

std::string edge_node(const Answer& answer, std::uint32_t e) {
  const auto& d = answer.edges[e].delta;
  std::string label = coverage::edge_id(e) + " " +
                      std::string(classfile::name_of(d.rule)) + " " + d.entity;
  if (!d.why.empty()) label += ": " + d.why;
  return "  " + dot_string(coverage::edge_id(e)) +
         " [label=" + dot_string(label) + ", style=rounded];\n";
}

}  // namespace

void select_lines(const Answer& answer, const ReportOptions& options,
                  Output& out) {
  for (const auto& reason : answer.reasons) {
    line(out, "", 1, "all tests, because " + reason, "all");
  }
  std::map<std::uint32_t, std::size_t> tests;
  for (const auto& count : coverage::top_edges(answer)) {
    tests[count.edge] = count.tests;
  }
  for (std::uint32_t e = 0; e < answer.edges.size(); ++e) {
    const auto at = tests.find(e);
    const std::size_t n = at == tests.end() ? 0 : at->second;
    write_line(
        answer, e, options,
        "; selects " + std::to_string(n) + (n == 1 ? " test" : " tests"), out);
  }
  for (const auto& test : answer.selected) {
    const auto hits = answer.hits_of(test);
    if (hits.empty()) {
      const auto& forced = test.forced.front();
      line(out, source_path(file_of_test(test.key.test), options), 1,
           test.key.test + ": " + forced.why, name_of(forced.rule));
      continue;
    }
    const auto& d = answer.edges[hits.front().edge].delta;
    const auto place = place_of_test(test.key.test, options);
    line(out, place.path.empty() ? source_path(d.file, options) : place.path,
         place.path.empty() ? d.line : place.line,
         test.key.test + " can be affected by " +
             coverage::edge_id(hits.front().edge) + " " + d.entity,
         classfile::name_of(d.rule));
  }
}

void diff_lines(const DiffReport& report, const ReportOptions& options,
                Output& out) {
  for (const std::uint32_t e : report.shown) {
    write_line(report.answer, e, options, "", out);
  }
}

void select_dot(const Answer& answer, const ReportOptions& options,
                Output& out) {
  out.write(kDotHead);
  std::size_t nodes = 0;
  std::set<std::uint32_t> drawn;
  std::size_t left_out = 0;
  for (const auto& test : answer.selected) {
    if (nodes >= options.max_nodes) {
      ++left_out;
      continue;
    }
    const std::string id = dot_string(test.key.suite + " " + test.key.test);
    out.write("  " + id + " [label=" + dot_string(test.key.test) + "];\n");
    ++nodes;
    for (const auto& forced : test.forced) {
      const std::string rule(name_of(forced.rule));
      out.write("  " + dot_string(rule) + " -> " + id + ";\n");
    }
    const auto hits = answer.hits_of(test);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (i != 0 && hits[i].edge == hits[i - 1].edge) continue;
      if (drawn.insert(hits[i].edge).second) {
        if (nodes >= options.max_nodes) {
          drawn.erase(hits[i].edge);
          ++left_out;
          continue;
        }
        out.write(edge_node(answer, hits[i].edge));
        ++nodes;
      }
      out.write("  " + dot_string(coverage::edge_id(hits[i].edge)) + " -> " +
                id + ";\n");
    }
  }
  if (left_out != 0) {
    out.write(
        "  " +
        dot_string("and " + std::to_string(left_out) + " more (--max-nodes)") +
        ";\n");
  }
  out.write("}\n");
}

void diff_dot(const DiffReport& report, const ReportOptions& options,
              Output& out) {
  const Answer& answer = report.answer;
  out.write(kDotHead);
  std::size_t nodes = 0;
  std::set<std::string> entities;
  std::size_t left_out = 0;
  for (const std::uint32_t e : report.shown) {
    if (nodes >= options.max_nodes) {
      ++left_out;
      continue;
    }
    const auto& entity = answer.edges[e].delta.entity;
    out.write(edge_node(answer, e));
    ++nodes;
    if (entities.insert(entity).second) ++nodes;
    out.write("  " + dot_string(entity) + " -> " +
              dot_string(coverage::edge_id(e)) + ";\n");
  }
  if (left_out != 0) {
    out.write(
        "  " +
        dot_string("and " + std::to_string(left_out) + " more (--max-nodes)") +
        ";\n");
  }
  out.write("}\n");
}

}  // namespace rejig::app
