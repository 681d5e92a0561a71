// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/report.h"

#include <filesystem>

#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::Answer;

const std::vector<std::string>& select_formats() {
  static const std::vector<std::string> kFormats = {
      "text",   "ids", "json",     "ndjson", "gcc",
      "github", "dot", "markdown", "html",   "sarif"};
  return kFormats;
}

const std::vector<std::string>& diff_formats() {
  static const std::vector<std::string> kFormats = {
      "text", "json",     "ndjson", "gcc",  "github",
      "dot",  "markdown", "html",   "sarif"};
  return kFormats;
}

void write_select(std::string_view format, const Answer& answer,
                  const ReportOptions& options, Output& out,
                  const PageData& more) {
  if (format == "ids") {
    select_ids(answer, out);
  } else if (format == "json") {
    select_json(answer, out);
  } else if (format == "ndjson") {
    select_ndjson(answer, out);
  } else if (format == "gcc") {
    select_lines(answer, options, out);
  } else if (format == "github") {
    select_annotations(answer, options, out);
  } else if (format == "markdown") {
    out.write(page_markdown(select_page(answer, options, false)));
  } else if (format == "html") {
    out.write(page_html(select_page(answer, options, true), more));
  } else if (format == "sarif") {
    select_sarif(answer, options, out);
  } else if (format == "dot") {
    select_dot(answer, options, out);
  } else {
    select_text(answer, options, out);
  }
}

std::string source_path(const std::string& file, const ReportOptions& options) {
  namespace fs = std::filesystem;
  if (file.empty()) return file;
  std::error_code error;
  fs::path found = file;
  for (const auto& root : options.source_roots) {
    if (fs::exists(fs::path(root) / file, error)) {
      found = fs::path(root) / file;
      break;
    }
  }
  if (options.absolute_paths) {
    const fs::path full = fs::absolute(found, error);
    if (!error) found = full.lexically_normal();
  }
  return found.string();
}

std::string edge_line(const Answer& answer, std::uint32_t edge) {
  const auto& delta = answer.edges[edge].delta;
  std::string text = coverage::edge_id(edge) + " " +
                     std::string(classfile::name_of(delta.rule)) + " " +
                     delta.entity;
  if (!delta.why.empty()) text += ": " + delta.why;
  return one_line(text);
}

std::string item_text(const classfile::Conjunction& item) {
  std::string text;
  for (const auto& atom : item) {
    if (!text.empty()) text += " & ";
    text += classfile::to_string(atom);
  }
  return one_line(text.empty() ? "every test" : text);
}

std::string counts_text(const coverage::Counts& counts) {
  std::string text = "selected " +
                     std::to_string(counts.selected - counts.fresh) + " of " +
                     std::to_string(counts.known) + " known tests";
  if (counts.fresh != 0)
    text += " and " + std::to_string(counts.fresh) + " new";
  text += "; " + std::to_string(counts.unaffected) + " unaffected";
  if (counts.gone != 0) text += ", " + std::to_string(counts.gone) + " gone";
  return text;
}

}  // namespace rejig::app
