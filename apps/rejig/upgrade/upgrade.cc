// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/upgrade/upgrade.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "apps/rejig/report/report_format.h"
#include "coverage/select/adaptor.h"

namespace rejig::app {

using classfile::Delta;
using classfile::Rule;

namespace {

// The last word of a fact that ends in Error: "NoSuchMethodError".
std::string error_in(std::string_view fact) {
  constexpr std::string_view kError = "Error";
  const auto at = fact.rfind(kError);
  if (at == std::string_view::npos) return {};
  const auto end = at + kError.size();
  std::size_t begin = at;
  while (begin > 0 && std::isalnum(static_cast<unsigned char>(fact[begin - 1]))) {
    --begin;
  }
  return std::string(fact.substr(begin, end - begin));
}

constexpr std::string_view kNotThere = "a class that is not there";

std::string error_of(const Delta& d) {
  if (d.new_fact.find("nobody knows") != std::string::npos) return {};
  // It was there before, and what was given is what there will be.
  if (d.new_fact.starts_with(kNotThere)) {
    return d.old_fact.starts_with(kNotThere) ? "" : "NoClassDefFoundError";
  }
  const std::string now = error_in(d.new_fact);
  if (!now.empty()) return now == error_in(d.old_fact) ? std::string() : now;
  if (d.rule != Rule::kD14 || d.new_fact == "links" ||
      d.new_fact.find("verification") != std::string::npos) {
    return {};
  }
  return "LinkageError";
}

bool concerns_the_application(const Delta& d) {
  switch (d.rule) {
    case Rule::kD20:  // files are those of the application, and as they were
    case Rule::kD21:
    case Rule::kD22:
    case Rule::kD23:
    case Rule::kD24:
      return false;
    default:
      return true;
  }
}

std::string list_of(const std::vector<UpgradeFinding>& findings, bool breaks) {
  std::string out;
  for (const auto& one : findings) {
    out += std::string(out.empty() ? "" : ",") + "\n    {\"method\":" +
           json_string(one.method) + ",\"file\":" + json_string(one.file) +
           ",\"line\":" + std::to_string(one.line);
    if (breaks) out += ",\"error\":" + json_string(one.error);
    out += ",\"what\":" + json_string(one.what) + ",\"rule\":" +
           json_string(classfile::name_of(one.rule)) + ",\"why\":" +
           json_string(one.why) + "}";
  }
  return out.empty() ? "[]" : "[" + out + "\n  ]";
}

}  // namespace

void take_edges(std::span<const Delta> edges, UpgradeAnswer& answer) {
  for (const Delta& d : edges) {
    if (!concerns_the_application(d)) continue;
    UpgradeFinding one;
    one.method = d.entity;
    one.file = d.file;
    one.line = d.line;
    one.error = error_of(d);
    one.rule = d.rule;
    one.why = d.why;
    one.before = d.old_fact;
    one.after = d.new_fact;
    // What it meant before, unless that says less than what it means now.
    one.what = d.old_fact.empty() || d.rule == Rule::kD14 ? d.new_fact
                                                          : d.old_fact;
    (one.error.empty() ? answer.other : answer.breaks).push_back(std::move(one));
  }
  // Some rules tell the same break of a place twice.
  const auto same = [](const UpgradeFinding& a, const UpgradeFinding& b) {
    return std::tie(a.method, a.line, a.error, a.what) ==
           std::tie(b.method, b.line, b.error, b.what);
  };
  auto& breaks = answer.breaks;
  breaks.erase(std::unique(breaks.begin(), breaks.end(), same), breaks.end());
}

base::Result<void> take_tests(coverage::Matrix& matrix, UpgradeAnswer& answer) {
  REJIG_TRY(const auto rows, matrix.rows());
  for (auto& one : answer.reach) {
    REJIG_TRY(const auto atom,
              matrix.find_atom(coverage::method_atom(one.way.method)));
    std::vector<coverage::RowId> ids;
    if (atom != coverage::AtomId::none()) {
      REJIG_TRY_VOID(matrix.append_rows_with(atom, ids));
    }
    one.tests = ids.size();
    constexpr std::size_t kSome = 3;
    for (const auto id : ids) {
      if (one.some_tests.size() == kSome) break;
      one.some_tests.emplace_back(rows[id.index()].test);
    }
    if (ids.empty()) answer.untested.push_back(one.way.method);
  }
  return {};
}

std::string upgrade_json(const UpgradeAnswer& answer,
                         std::string_view version) {
  const auto count = [](std::string_view name, std::size_t n) {
    return json_string(name) + ":" + std::to_string(n);
  };
  std::string out =
      "{\n  \"schema\": \"rejig.upgrade/1\",\n  \"rejig\": " +
      json_string(version) + ",\n  \"counts\": {" +
      count("breaks", answer.breaks.size()) + "," +
      count("other", answer.other.size()) + "," +
      count("reach", answer.reach.size()) + "," +
      count("untested", answer.untested.size()) + "," +
      count("changed_methods", answer.changed_methods) + "},\n  \"breaks\": " +
      list_of(answer.breaks, true) + ",\n  \"other\": " +
      list_of(answer.other, false) + ",\n  \"reach\": [";
  bool first = true;
  for (const auto& one : answer.reach) {
    out += std::string(first ? "" : ",") + "\n    {\"method\":" +
           json_string(one.way.method) + ",\"path\":" +
           json_list(one.way.path) + ",\"changed\":" +
           json_string(one.way.path.back());
    if (one.tests) out += ",\"tests\":" + std::to_string(*one.tests);
    out += "}";
    first = false;
  }
  out += first ? "],\n" : "\n  ],\n";
  return out + "  \"reach_known\": " + (answer.reach_known ? "true" : "false") +
         ",\n  \"untested\": " + json_list(answer.untested) +
         ",\n  \"needs_java\": " +
         (answer.needs_java ? std::to_string(*answer.needs_java) : "null") +
         ",\n  \"widened\": " + json_list(answer.widened) + "\n}\n";
}

}  // namespace rejig::app
