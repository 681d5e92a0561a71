// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/upgrade/upgrade_page.h"

#include <algorithm>
#include <map>

#include "apps/rejig/report/digest.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using traversal::java_method;
using traversal::java_method_name;
using traversal::java_text;

namespace {

std::string place_of(const std::string& file, unsigned line,
                     const ReportOptions& options) {
  if (file.empty()) return {};
  const std::string path = source_path(file, options);
  return line == 0 ? path : path + ":" + std::to_string(line);
}

// "NoSuchMethodError: List.f()", "Base.f() → Derived.f()".
std::string words_of(const UpgradeFinding& one) {
  if (!one.error.empty()) return one.error + ": " + java_text(one.what);
  if (one.before.empty() || one.after.empty()) return java_text(one.why);
  if (one.before == "links") return java_text(one.after);
  return java_text(one.before) + " → " + java_text(one.after);
}

// One item for each thing that is used, with the places that use it: a removed
// method is one cause.
PageSection findings_section(const std::string& title,
                             const std::vector<UpgradeFinding>& findings,
                             const ReportOptions& options) {
  PageSection out;
  out.title = title;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const auto& one : findings) {
    const std::string what = words_of(one);
    const auto [at, fresh] =
        index.try_emplace({one.method, what}, out.items.size());
    if (!fresh) continue;
    out.items.push_back({java_method(one.method),
                         place_of(one.file, one.line, options),
                         "",
                         {what}});
  }
  return out;
}

std::string way_text(const UpgradeReach& one) {
  std::string out;
  const auto& path = one.way.path;
  constexpr std::size_t kEnds = 2;  // shown at both ends of a long way
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path.size() > 2 * kEnds + 1 && i == kEnds) {
      out += " → … " + std::to_string(path.size() - 2 * kEnds) + " more";
      i = path.size() - kEnds - 1;
      continue;
    }
    out += (i == 0 ? "→ " : " → ") + java_method_name(path[i]);
  }
  return out + " (changed)";
}

}  // namespace

Page upgrade_page(const UpgradeAnswer& answer, const ReportOptions& options) {
  Page page;
  page.title = "rejig upgrade";
  if (answer.is_empty()) {
    page.verdict.push_back(
        answer.reach_known
            ? "nothing of the application breaks or runs other code"
            : "nothing of the application breaks; what its methods reach in "
              "the platform was not searched");
  } else {
    std::string text =
        answer.breaks.empty()
            ? "nothing breaks"
            : counted(answer.breaks.size(), "place breaks", "places break");
    text += "; " + counted(answer.other.size(), "behaves", "behave") +
            " differently; " +
            counted(answer.reach.size(), "method calls", "methods call") +
            " into library code that changed";
    page.verdict.push_back(std::move(text));
  }
  if (answer.changed_methods != 0) {
    page.verdict.push_back(
        counted(answer.changed_methods, "method", "methods") +
        " of the libraries changed");
  }
  if (answer.needs_java && *answer.needs_java > answer.java_before) {
    page.verdict.push_back("needs Java " + std::to_string(*answer.needs_java) +
                           " (was " + std::to_string(answer.java_before) +
                           ")");
  }
  auto add = [&page](PageSection section) {
    if (!section.items.empty()) page.sections.push_back(std::move(section));
  };
  add(findings_section("Breaks", answer.breaks, options));
  add(findings_section("Behaves differently", answer.other, options));
  PageSection untested;
  untested.title = "Changed, used by you, run by no test";
  PageSection reach;
  reach.title = "Calls into changed library code, nearest first";
  for (const auto& one : answer.reach) {
    PageItem item{java_method(one.way.method), "", "", {way_text(one)}};
    if (one.tests && *one.tests == 0) {
      untested.items.push_back(std::move(item));
      continue;
    }
    if (one.tests) {
      item.words.push_back("run by " + counted(*one.tests, "test", "tests") +
                           ": " + some_of(one.some_tests, 2));
    }
    reach.items.push_back(std::move(item));
  }
  add(std::move(untested));
  add(std::move(reach));
  if (!answer.reach_known && !answer.is_empty()) {
    page.footer.push_back(
        "what methods reach inside the platform was not searched");
  }
  for (const auto& text : answer.widened) {
    page.footer.push_back("widened: " + text);
  }
  return page;
}

std::vector<Finding> upgrade_findings(const UpgradeAnswer& answer,
                                      const ReportOptions& options) {
  std::vector<Finding> out;
  const auto add = [&](const UpgradeFinding& one, Finding::Level level) {
    Finding finding;
    finding.rule = std::string(classfile::name_of(one.rule));
    finding.level = level;
    finding.message = java_method(one.method) + ": " + words_of(one);
    finding.path = source_path(one.file, options);
    finding.line = one.line;
    finding.subject = one.method + " " + one.what;
    out.push_back(std::move(finding));
  };
  for (const auto& one : answer.breaks) add(one, Finding::Level::kError);
  for (const auto& one : answer.other) add(one, Finding::Level::kWarning);
  return out;
}

}  // namespace rejig::app
