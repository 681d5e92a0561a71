// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "apps/rejig/report/report.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::Answer;

namespace {

// Another method runs: the place is the change that decided it, which is not
// where the entity is.
bool is_elsewhere(const classfile::Delta& delta) {
  return delta.channel == classfile::Channel::kSelection;
}

}  // namespace

std::string position_of_entity(const classfile::Delta& delta,
                               const ReportOptions& options) {
  return is_elsewhere(delta) ? "" : position(delta, options);
}

std::string position(const classfile::Delta& delta,
                     const ReportOptions& options) {
  if (delta.file.empty() || delta.file == delta.entity) return "";
  std::string text = one_line(source_path(delta.file, options));
  if (delta.line != 0) text += ":" + std::to_string(delta.line);
  return text;
}

std::string edge_text(const Answer& answer, std::uint32_t edge, bool name,
                      const ReportOptions& options) {
  const auto& d = answer.edges[edge].delta;
  std::string line = "  " + coverage::edge_id(edge) + " " +
                     std::string(classfile::name_of(d.rule)) + " " +
                     std::string(classfile::name_of(d.channel));
  if (name) line += " " + d.entity;
  const std::string where = is_elsewhere(d) ? position(d, options) : "";
  if (!where.empty()) {
    line += ", " + where;
  } else if (d.line != 0) {
    line += ", line " + std::to_string(d.line);
  }
  if (!d.label.empty()) line += ", " + d.label;
  if (!d.why.empty()) line += ": " + d.why;
  std::string out = one_line(line) + "\n";
  if (!d.old_fact.empty() || !d.new_fact.empty()) {
    out += "      " +
           one_line((d.old_fact.empty() ? "nothing" : d.old_fact) + " -> " +
                    (d.new_fact.empty() ? "nothing" : d.new_fact)) +
           "\n";
  }
  if (options.verbose) {
    for (const auto& item : answer.edges[edge].all_items()) {
      out += "      who: " + item_text(item) + "\n";
    }
  }
  return out;
}

void write_widened(const Answer& answer, Output& out) {
  for (const auto& widened : answer.widened) {
    out.write(
        one_line("widened: " + (widened.where.empty()
                                    ? widened.what
                                    : widened.where + ": " + widened.what)) +
        "\n");
  }
}

std::string classes_text(const Answer& answer) {
  return std::to_string(answer.edges.size()) + " dangerous edge" +
         (answer.edges.size() == 1 ? "" : "s") + "; " +
         std::to_string(answer.changed_classes) + " of " +
         std::to_string(answer.classes) + " classes changed";
}

namespace {

void write_edges(const Answer& answer, const ReportOptions& options,
                 Output& out) {
  std::string entity;
  for (std::uint32_t e = 0; e < answer.edges.size(); ++e) {
    const auto& d = answer.edges[e].delta;
    if (d.entity != entity || e == 0) {
      entity = d.entity;
      const std::string where = position_of_entity(d, options);
      out.write("\n" + one_line(entity) + (where.empty() ? "" : "  " + where) +
                "\n");
    }
    out.write(edge_text(answer, e, false, options));
  }
}

}  // namespace

void select_text(const Answer& answer, const ReportOptions& options,
                 Output& out) {
  out.write(counts_text(answer.counts) + "\n" + classes_text(answer) + "\n");
  for (const auto& reason : answer.reasons) {
    out.write("all tests, because " + one_line(reason) + "\n");
  }
  write_widened(answer, out);
  if (!answer.selected.empty()) out.write("\nselected:\n");
  for (const auto& test : answer.selected) {
    out.write("  " + one_line(test.key.test));
    if (test.key.suite != "default")
      out.write("  (" + one_line(test.key.suite) + ")");
    out.write("\n");
    for (const auto& forced : test.forced) {
      out.write("    " + std::string(name_of(forced.rule)) + " " +
                one_line(forced.why) + "\n");
    }
    const auto hits = answer.hits_of(test);
    constexpr std::size_t kShown = 3;
    const std::size_t shown =
        options.verbose ? hits.size() : std::min(hits.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& edge = answer.edges[hits[i].edge];
      out.write("    " + coverage::edge_id(hits[i].edge) + " " +
                std::string(classfile::name_of(edge.delta.rule)) + " " +
                (hits[i].item < edge.items.size()
                     ? item_text(edge.items[hits[i].item])
                     : "every test") +
                (hits[i].unknown ? " (not recorded)" : "") + "\n");
    }
    if (shown < hits.size()) {
      out.write("    and " + std::to_string(hits.size() - shown) +
                " more reasons\n");
    }
  }
  if (!answer.edges.empty()) {
    out.write("\ndangerous edges:\n");
    write_edges(answer, options, out);
  }
  if (!answer.unaffected.empty()) {
    out.write("\nthe verdict on the " +
              std::to_string(answer.unaffected.size()) +
              " unaffected tests rests on:\n");
    for (const auto& text : answer.assumptions) {
      out.write("  " + one_line(text) + "\n");
    }
  }
}

void select_ids(const Answer& answer, Output& out) {
  if (answer.mode == coverage::Mode::kAll) {
    out.write("# all: " +
              one_line(answer.reasons.empty() ? "everything is selected"
                                              : answer.reasons.front()) +
              "\n");
  }
  std::set<std::string> ids;
  for (const auto& test : answer.selected) ids.insert(one_line(test.key.test));
  for (const auto& id : ids) out.write(id + "\n");
}

}  // namespace rejig::app
