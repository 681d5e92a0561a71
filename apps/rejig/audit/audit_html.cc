// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/audit/audit_report.h"
#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 sans-serif;margin:2em auto;max-width:70em;"
    "padding:0 1em;color:#111;background:#fff}"
    "table{border-collapse:collapse;width:100%;margin:1em 0}"
    "th,td{border:1px solid #999;padding:.3em .6em;text-align:left;"
    "overflow-wrap:anywhere}"
    "th{background:#eee}caption{text-align:left;font-weight:bold}"
    ".bad{color:#a00000;font-weight:bold}.good{color:#005000}";

// json_string makes it valid UTF-8.
std::string escaped(std::string_view text) {
  const std::string safe = json_string(one_line(text));
  return html_text(std::string_view(safe).substr(1, safe.size() - 2));
}

std::string cell(std::string_view text) { return "<td>" + escaped(text); }

std::string bad_if(bool bad, std::string_view text) {
  return std::string("<td class=\"") + (bad ? "bad" : "good") + "\">" +
         escaped(text);
}

void head(Output& out, std::string_view caption,
          std::initializer_list<std::string_view> columns) {
  out.write("<table><caption>" + escaped(caption) + "</caption><thead><tr>");
  for (const auto column : columns) {
    out.write("<th scope=\"col\">" + escaped(column));
  }
  out.write("</thead><tbody>\n");
}

void details(const Audit& audit, const AuditOf& one, Output& out) {
  const std::string title = selector_title(one);
  if (!one.hard.empty()) {
    head(out, "Missed by " + title, {"Suite", "Test", "Outcome"});
    for (const auto& miss : one.hard) {
      out.write("<tr>" + cell(miss.key.suite) + cell(miss.key.test) +
                cell(miss_text(miss)) + "\n");
    }
    out.write("</tbody></table>\n");
  }
  if (!one.missed.empty()) {
    head(out,
         "Executed changed code (" + audit.basis + "), not selected by " +
             title,
         {"Suite", "Test", "Changed code"});
    for (const auto& [key, code] : one.missed) {
      out.write("<tr>" + cell(key.suite) + cell(key.test) + cell(code) + "\n");
    }
    out.write("</tbody></table>\n");
  }
  if (!one.unobserved.empty()) {
    head(out, "Not selected by " + title + ", and without a result",
         {"Suite", "Test"});
    for (const auto& key : one.unobserved) {
      out.write("<tr>" + cell(key.suite) + cell(key.test) + "\n");
    }
    out.write("</tbody></table>\n");
  }
}

}  // namespace

void audit_html(const Audit& audit, Output& out) {
  out.write(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<title>rejig audit</title><style>");
  out.write(kStyle);
  out.write("</style></head><body><main><h1>rejig audit: ");
  out.write(audit.clean() ? "<span class=\"good\">nothing missed</span>"
                          : "<span class=\"bad\">missed</span>");
  out.write("</h1>\n<p>" + std::to_string(audit.cases) + " test cases in " +
            std::to_string(audit.files) + " files; " +
            std::to_string(audit.known) + " tests known, " +
            std::to_string(audit.failing) + " fail now, " +
            std::to_string(audit.changed) + " end otherwise than before, " +
            std::to_string(audit.affected) + " executed changed code (" +
            audit.basis + "). " + std::to_string(audit.unclear) +
            " test cases are not known to be one test.</p>\n");
  head(out, "Selectors",
       {"Selector", "Selected", "Hard misses", "LR, tests", "LR, classes",
        "At least one", "Unobserved"});
  for (const auto& one : audit.selectors) {
    out.write(
        "<tr><th scope=\"row\">" + escaped(selector_title(one)) +
        cell(one.everything ? "everything" : std::to_string(one.selected)) +
        bad_if(!one.hard.empty(), std::to_string(one.hard.size())) +
        bad_if(!one.missed.empty(),
               rate_text(one.missed.size(), audit.affected)) +
        bad_if(!one.missed.empty(),
               rate_text(one.missed_classes, one.affected_classes)) +
        bad_if(!one.missed.empty(), one.missed.empty() ? "no" : "yes") +
        bad_if(!one.unobserved.empty(),
               std::to_string(one.unobserved.size())) +
        "\n");
  }
  out.write("</tbody></table>\n");
  for (const auto& one : audit.selectors) details(audit, one, out);
  if (!audit.flaky.empty()) {
    head(out, "Flaky, not counted", {"Test"});
    for (const auto& name : audit.flaky) out.write("<tr>" + cell(name) + "\n");
    out.write("</tbody></table>\n");
  }
  out.write("<p>rejig " + escaped(version_number()) +
            "</p></main></body></html>\n");
}

}  // namespace rejig::app
