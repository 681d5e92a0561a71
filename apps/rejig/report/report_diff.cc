// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/report_diff.h"

#include <algorithm>

#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using classfile::Delta;
using classfile::Rule;
using coverage::Answer;

namespace {

// "a.b.C.x(I)V" and "a.b.C" -> "a.b.C"; a path stays one.
std::string class_of(const std::string& entity) {
  const auto open = entity.find('(');
  if (open == std::string::npos) return entity;
  const auto dot = entity.rfind('.', open);
  return dot == std::string::npos ? entity : entity.substr(0, dot);
}

std::string group_of(const Delta& d, GroupBy by) {
  if (by == GroupBy::kClass) return class_of(d.entity);
  if (by == GroupBy::kMethod) return d.entity;
  return std::string(classfile::name_of(d.rule)) + " " +
         std::string(classfile::name_of(d.channel));
}

bool same_group(const Delta& a, const Delta& b, GroupBy by) {
  if (by == GroupBy::kRule) return a.rule == b.rule && a.channel == b.channel;
  return a.entity == b.entity;
}

template <class Map>
std::string counted(const Map& counts) {
  std::string out;
  for (const auto& [name, count] : counts) {
    if (!out.empty()) out += ", ";
    out += std::string(name) + " " + std::to_string(count);
  }
  return out;
}

void write_head(const DiffReport& report, Output& out) {
  const Answer& answer = report.answer;
  if (answer.edges.empty()) {
    out.write("no difference in behaviour; " +
              std::to_string(answer.changed_classes) + " of " +
              std::to_string(answer.classes) + " classes changed\n");
  } else {
    std::size_t bodies = 0;
    std::string_view last;  // edges of one entity are neighbours
    std::map<classfile::Channel, std::size_t> channels;
    for (const auto& edge : answer.edges) {
      const Delta& d = edge.delta;
      ++channels[d.channel];
      if ((d.rule == Rule::kD1 || d.rule == Rule::kD2) &&
          d.entity != last && d.entity.find('(') != std::string::npos) {
        ++bodies;
        last = d.entity;
      }
    }
    std::vector<std::pair<std::string_view, std::size_t>> named;
    for (const auto& [channel, count] : channels) {
      named.emplace_back(classfile::name_of(channel), count);
    }
    out.write(classes_text(answer) + "\n" + std::to_string(bodies) +
              (bodies == 1 ? " method" : " methods") +
              " with another body; edges by channel: " + counted(named) + "\n");
  }
  if (!report.hidden.empty()) {
    out.write("hidden by --ignore: " + hidden_text(report) + "\n");
  }
  if (!report.facets.empty()) {
    std::map<std::string, std::size_t> facets;
    for (const Delta& d : report.facets) ++facets[d.label];
    out.write("facets, not behaviour: " + counted(facets) + "\n");
  }
  write_widened(answer, out);
}

// Groups in the order of their first edge, by rule in the order of rules.
std::vector<std::pair<std::string, std::vector<std::uint32_t>>> groups_of(
    const DiffReport& report, GroupBy by) {
  std::vector<std::uint32_t> order = report.shown;
  if (by == GroupBy::kRule) {
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      const Delta& x = report.answer.edges[a].delta;
      const Delta& y = report.answer.edges[b].delta;
      return std::tie(x.rule, x.channel) < std::tie(y.rule, y.channel);
    });
  }
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> out;
  std::map<std::string, std::size_t> index;
  const Delta* last = nullptr;
  std::size_t group = 0;
  for (const auto e : order) {
    const Delta& delta = report.answer.edges[e].delta;
    if (last == nullptr || !same_group(*last, delta, by)) {
      const auto [at, fresh] = index.emplace(group_of(delta, by), out.size());
      if (fresh) out.emplace_back(at->first, std::vector<std::uint32_t>());
      group = at->second;
    }
    last = &delta;
    out[group].second.push_back(e);
  }
  return out;
}

}  // namespace

std::string hidden_text(const DiffReport& report) {
  std::vector<std::pair<std::string_view, std::size_t>> named;
  for (const auto& [rule, count] : report.hidden) {
    named.emplace_back(classfile::name_of(rule), count);
  }
  return counted(named);
}

Digest digest_of(const DiffReport& report) {
  Digest out = digest_of(report.answer.edges, report.shown, report.facets,
                         report.versions);
  out.classes = report.answer.classes;
  out.changed_classes = report.answer.changed_classes;
  return out;
}

void diff_text(const DiffReport& report, const DiffOptions& options,
               Output& out) {
  if (options.by || options.summary) {
    diff_listing(report, options, out);
    return;
  }
  const Digest digest = digest_of(report);
  DigestView view{digest, report.answer.edges, report.versions};
  if (!options.report.source_roots.empty() || options.report.absolute_paths) {
    view.place = [](const std::string& file, const void* context) {
      return source_path(file, *static_cast<const ReportOptions*>(context));
    };
    view.place_context = &options.report;
  }
  std::string text = digest_text(view, options.screen);
  if (!report.hidden.empty()) {
    text += "hidden by --ignore: " + hidden_text(report) + "\n";
  }
  out.write(text);
  write_widened(report.answer, out);
}

void diff_listing(const DiffReport& report, const DiffOptions& options,
                  Output& out) {
  write_head(report, out);
  const GroupBy by = options.by.value_or(GroupBy::kRule);
  auto groups = groups_of(report, by);
  if (options.summary) {
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) {
                       return a.second.size() > b.second.size();
                     });
    if (!groups.empty()) out.write("\n");
    for (const auto& [name, edges] : groups) {
      const std::string count = std::to_string(edges.size());
      constexpr std::size_t kWidth = 7;
      out.write(std::string(kWidth - std::min(kWidth, count.size()), ' ') +
                count + " " + one_line(name) + "\n");
    }
    return;
  }
  write_each(out, *options.report.pool, groups.size(), [&](std::size_t g) {
    const auto& [name, edges] = groups[g];
    const std::string where =
        by == GroupBy::kRule
            ? ""
            : position_of_entity(report.answer.edges[edges.front()].delta,
                                 options.report);
    std::string text =
        "\n" + one_line(name) + (where.empty() ? "" : "  " + where) + "\n";
    for (const auto e : edges) {
      text += edge_text(report.answer, e,
                        by != GroupBy::kMethod &&
                            report.answer.edges[e].delta.entity != name,
                        options.report);
    }
    return text;
  });
  if (!report.facets.empty()) out.write("\nfacets, not behaviour:\n");
  write_each(out, *options.report.pool, report.facets.size(),
             [&](std::size_t i) {
               const Delta& d = report.facets[i];
               return "  " +
                      one_line(std::string(classfile::name_of(d.rule)) + " " +
                               d.entity + ", " + d.label + ": " + d.why) +
                      "\n";
             });
}

void write_diff(std::string_view format, const DiffReport& report,
                const DiffOptions& options, Output& out) {
  if (format == "json") {
    diff_json(report, *options.report.pool, out);
  } else if (format == "ndjson") {
    diff_ndjson(report, *options.report.pool, out);
  } else if (format == "gcc") {
    diff_lines(report, options.report, out);
  } else if (format == "github") {
    diff_annotations(report, options.report, out);
  } else if (format == "markdown" || format == "html") {
    diff_page(format, report, options, out);
  } else if (format == "sarif") {
    diff_sarif(report, options.report, out);
  } else if (format == "dot") {
    diff_dot(report, options.report, out);
  } else {
    diff_text(report, options, out);
  }
}

}  // namespace rejig::app
