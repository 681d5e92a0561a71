// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/audit/audit_report.h"

#include <cstdio>

#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::TestKey;

namespace {

std::string key_text(const TestKey& key) {
  return key.suite.empty() || key.suite == "default"
             ? key.test
             : key.suite + " " + key.test;
}

std::string key_json(const TestKey& key) {
  return "\"suite\":" + json_string(key.suite) +
         ",\"test\":" + json_string(key.test);
}

template <class List, class F>
std::string json_array(const List& list, F&& text) {
  std::string out = "[";
  for (const auto& item : list) {
    if (out.size() > 1) out += ",";
    out += text(item);
  }
  return out + "]";
}

std::string miss_json(const Miss& miss) {
  return "{" + key_json(miss.key) + ",\"old\":" +
         (miss.old_outcome.empty() ? "null" : json_string(miss.old_outcome)) +
         ",\"new\":" + json_string(miss.new_outcome) +
         ",\"match\":" + json_string(name_of(miss.match)) + "}";
}

// Thousandths are enough, and the same on every machine.
std::string ratio_json(std::size_t missed, std::size_t of) {
  if (of == 0) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6f",
                static_cast<double>(missed) / static_cast<double>(of));
  return text;
}

std::string level_json(std::size_t missed, std::size_t of) {
  return "{\"affected\":" + std::to_string(of) +
         ",\"missed\":" + std::to_string(missed) +
         ",\"lr\":" + ratio_json(missed, of) + "}";
}

std::string selector_json(const Audit& audit, const AuditOf& one) {
  return "{" +
         ("\"selector\":" + json_string(one.foreign ? "list" : "view")) +
         ",\"name\":" + json_string(one.selector) + ",\"all\":" +
         (one.everything ? "true" : "false") +
         ",\"selected\":" + std::to_string(one.selected) +
         ",\n     \"hard_misses\":" + json_array(one.hard, miss_json) +
         ",\n     \"lr\":{\"tests\":" +
         level_json(one.missed.size(), audit.affected) + ",\"classes\":" +
         level_json(one.missed_classes, one.affected_classes) +
         "},\"at_least_one\":" + (one.missed.empty() ? "false" : "true") +
         ",\n     \"missed\":" +
         json_array(one.missed,
                    [](const auto& item) {
                      return "{" + key_json(item.first) +
                             ",\"code\":" + json_string(item.second) + "}";
                    }) +
         ",\n     \"unobserved\":" +
         json_array(one.unobserved,
                    [](const auto& key) { return "{" + key_json(key) + "}"; }) +
         "}";
}

void audit_json(const Audit& audit, Output& out) {
  const auto number = [](std::string_view name, std::size_t value) {
    return "\"" + std::string(name) + "\":" + std::to_string(value);
  };
  out.write("{\n  \"schema\": \"rejig.audit/1\",\n  \"rejig\": " +
            json_string(version_number()) + ",\n  \"verdict\": " +
            (audit.clean() ? "\"nothing missed\"" : "\"missed\"") +
            ",\n  \"counts\": {" + number("known", audit.known) + "," +
            number("files", audit.files) + "," + number("cases", audit.cases) +
            "," + number("failing", audit.failing) + "," +
            number("changed", audit.changed) + "," +
            number("unclear", audit.unclear) + "," +
            number("flaky", audit.flaky.size()) + "},\n  \"flaky\": " +
            json_list(audit.flaky) +
            ",\n  \"executed_changed_code\": {\"basis\":" +
            json_string(audit.basis) + ",\"tests\":" +
            std::to_string(audit.affected) + "},\n  \"selectors\": [");
  bool first = true;
  for (const auto& one : audit.selectors) {
    out.write(first ? "\n    " : ",\n    ");
    first = false;
    out.write(selector_json(audit, one));
  }
  out.write("\n  ]\n}\n");
}

void audit_text(const Audit& audit, Output& out) {
  out.write(std::to_string(audit.cases) + " test cases in " +
            std::to_string(audit.files) + " files; " +
            std::to_string(audit.known) + " tests known, " +
            std::to_string(audit.failing) + " fail now, " +
            std::to_string(audit.changed) + " end otherwise than before, " +
            std::to_string(audit.affected) + " executed changed code (" +
            audit.basis + ")\n");
  if (audit.unclear != 0) {
    out.write(std::to_string(audit.unclear) +
              " test cases are not known to be one test\n");
  }
  for (const auto& name : audit.flaky) {
    out.write("flaky, not counted: " + one_line(name) + "\n");
  }
  for (const auto& one : audit.selectors) {
    out.write("\n" + one_line(selector_title(one)) + ": " +
              (one.everything ? "selected everything"
                              : "selected " + std::to_string(one.selected)) +
              "\n  hard misses  " + std::to_string(one.hard.size()) +
              "\n  LR           tests " +
              rate_text(one.missed.size(), audit.affected) + ", classes " +
              rate_text(one.missed_classes, one.affected_classes) +
              "\n  at least one " + (one.missed.empty() ? "no" : "yes") +
              "\n  unobserved   " + std::to_string(one.unobserved.size()) +
              "\n");
    for (const auto& miss : one.hard) {
      out.write("  MISSED " + one_line(key_text(miss.key)) + ": " +
                miss_text(miss) + "\n");
    }
    for (const auto& [key, code] : one.missed) {
      out.write("  not selected, but executed changed code: " +
                one_line(key_text(key)) + " (" + one_line(code) + ")\n");
    }
    for (const auto& key : one.unobserved) {
      out.write("  not selected, and without a result: " +
                one_line(key_text(key)) + "\n");
    }
  }
}

}  // namespace

std::string selector_title(const AuditOf& one) {
  return one.foreign ? "the list " + one.selector : "view " + one.selector;
}

std::string miss_text(const Miss& miss) {
  std::string out = miss.old_outcome.empty() ? "no row" : miss.old_outcome;
  out += ", now " + miss.new_outcome;
  if (miss.match == coverage::JunitMatch::kMethod) {
    out += " (this or another method of that name)";
  } else if (miss.match == coverage::JunitMatch::kClass) {
    out += " (some test of the class)";
  } else if (miss.match == coverage::JunitMatch::kNone) {
    out += " (no known test)";
  }
  return out;
}

std::string rate_text(std::size_t missed, std::size_t of) {
  if (of == 0) return "none";
  char text[32];
  std::snprintf(text, sizeof text, " (%.1f %%)",
                100 * static_cast<double>(missed) / static_cast<double>(of));
  return std::to_string(missed) + " of " + std::to_string(of) + text;
}

void write_audit(std::string_view format, const Audit& audit, Output& out) {
  if (format == "json") {
    audit_json(audit, out);
  } else if (format == "html") {
    out.write(page_html(audit_page(audit),
                        {"audit", version_number(), {}, {}}));
  } else if (format == "markdown") {
    out.write(page_markdown(audit_page(audit)));
  } else if (format == "sarif") {
    out.write(findings_sarif(audit_findings(audit), version_number()));
  } else {
    audit_text(audit, out);
  }
}

}  // namespace rejig::app
