// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/explain_edge.h"

#include <algorithm>
#include <charconv>

#include "apps/rejig/report/last_diff.h"
#include "apps/rejig/report/report_diff.h"
#include "apps/rejig/report/report_format.h"
#include "apps/rejig/report/rule_page.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

namespace {

bool is_number_behind(std::string_view word, char letter) {
  return word.size() > 1 && word[0] == letter &&
         std::ranges::all_of(word.substr(1),
                             [](char c) { return c >= '0' && c <= '9'; });
}

void list(std::string& out, std::string_view sign,
          const std::vector<std::string>& lines, const std::string& cls) {
  for (const auto& line : lines) {
    out += "  " + std::string(sign) + " " +
           one_line(traversal::java_text(line.find('(') == std::string::npos
                                             ? line
                                             : traversal::java_member(line, cls))) +
           "\n";
  }
}

// The item of a digest that the edge belongs to.
const DigestItem* item_of(const Digest& digest, std::uint32_t edge) {
  const DigestItem* found = nullptr;
  for (const auto& item : digest.items) {
    if (std::ranges::find(item.edges, edge) == item.edges.end()) continue;
    if (found == nullptr || item.has_body) found = &item;
  }
  return found;
}

std::string edge_page(const DiffReport& report, std::uint32_t edge) {
  const auto& d = report.answer.edges[edge].delta;
  const auto& rule = classfile::row_of(d.rule);
  const auto line = [](const std::string& text) { return one_line(text) + "\n"; };
  std::string out = line(coverage::edge_id(edge) + " " + std::string(rule.id) +
                         " " + std::string(rule.name) + ": " + d.entity);
  if (!d.file.empty() && d.file != d.entity) {
    out += line("  at " + d.file +
                (d.line == 0 ? "" : ":" + std::to_string(d.line)) +
                (d.label.empty() ? "" : ", " + d.label));
  }
  out += "\n" + line(traversal::java_text(d.why));
  if (!d.old_fact.empty() || !d.new_fact.empty()) {
    out += line("  old: " + d.old_fact) + line("  new: " + d.new_fact);
  }
  constexpr std::size_t kThree = 3;
  if (std::max(d.lost.size(), d.gained.size()) > kThree) {
    list(out, "−", d.lost, d.entity);
    list(out, "+", d.gained, d.entity);
  }
  const Digest digest = digest_of(report);
  constexpr std::size_t kFacts = 100;
  if (const auto* item = item_of(digest, edge)) {
    const auto words =
        words_of(*item, report.answer.edges, report.versions, kFacts);
    if (!words.empty()) out += "\n" + line("in all, " + item->title + ":");
    for (const auto& one : words) out += line("  " + one);
    if (item->edges.size() > 1) {
      out += line("  " + counted(item->edges.size(), "edge", "edges") +
                  " of this cause");
    }
  }
  const traversal::CompatibilityJudge judge(report.versions);
  std::string broken;
  for (const auto name : traversal::names_of(judge.of(d))) {
    broken += (broken.empty() ? "" : ", ") + std::string(name);
  }
  out += "\nBreaks: " + (broken.empty() ? "nothing" : broken) + "\n";
  out += "A test meets it if its row has";
  const auto items = report.answer.edges[edge].all_items();
  constexpr std::size_t kItems = 10;
  if (items.size() == 1) {
    out += " " + item_text(items.front()) + "\n";
  } else {
    out += " one of:\n";
    for (std::size_t i = 0; i < items.size() && i < kItems; ++i) {
      out += "  " + item_text(items[i]) + "\n";
    }
    if (items.size() > kItems) {
      out += "  … " + std::to_string(items.size() - kItems) + " more\n";
    }
  }
  return out + "\n" + std::string(rule.id) + ": " +
         std::string(rule.sentence) + " (rejig explain " +
         std::string(rule.id) + ")\n";
}

}  // namespace

bool names_rule(std::string_view word) {
  return word == "rules" || is_number_behind(word, 'D');
}

bool names_edge(std::string_view word) { return is_number_behind(word, 'E'); }

int explain_rule(const std::string& word, Context& context) {
  std::string text;
  if (word == "rules") {
    text = context.format == "json"       ? rules_json()
           : context.format == "markdown" ? rules_markdown()
                                          : rules_text();
  } else {
    const auto* row = classfile::find_rule(word);
    if (row == nullptr) {
      return context.trouble(
          {base::Errc::kNotFound,
           "no such rule; there are D1 to D" +
               std::to_string(classfile::kRules) + " (rejig explain rules)",
           word});
    }
    text = context.format == "json" ? rule_json(*row) + "\n" : rule_page(*row);
  }
  context.out->allow_pager();
  context.out->write(text);
  return kExitOk;
}

int explain_edge(const std::string& id, InputOptions inputs, Context& context) {
  if (inputs.new_path.empty() && inputs.class_path.empty()) {
    auto last = last_diff();
    if (!last) {
      return context.trouble(
          {base::Errc::kUsage,
           "no comparison to look it up in: give OLD and NEW, or run rejig "
           "diff OLD NEW first",
           id});
    }
    inputs = std::move(*last);
    context.messages->note("of rejig diff " + inputs.old_path + " " +
                           inputs.new_path);
  }
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  complete_inputs(inputs, *config);
  inputs.discover_tests = false;
  inputs.facets_for_rows = false;
  auto compared = compare_inputs(inputs, context);
  if (!compared.ok()) return context.trouble(compared.error());
  Compared& all = context.keep(std::move(compared).value());
  auto made = report_of(all.comparison, {});
  if (!made.ok()) return context.trouble(made.error());
  const DiffReport& report =
      context.keep(std::make_unique<DiffReport>(std::move(made).value()));
  const auto edge = coverage::edge_named(report.answer, id);
  if (!edge) {
    return context.trouble(
        {base::Errc::kNotFound,
         report.answer.edges.empty()
             ? std::string("there is no edge")
             : "there are the edges E1 to E" +
                   std::to_string(report.answer.edges.size()),
         id});
  }
  if (context.format == "json") {
    const traversal::CompatibilityJudge judge(report.versions);
    const auto broken = judge.of(report.answer.edges[*edge].delta);
    context.out->write(edge_json(report.answer, *edge, "", &broken) + "\n");
    return kExitOk;
  }
  context.out->allow_pager();
  context.out->write(edge_page(report, *edge));
  return kExitOk;
}

}  // namespace rejig::app
