// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/json_answers.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::Answer;
using coverage::Hit;
using coverage::SelectedTest;

namespace {

std::string member(std::string_view name, std::string_view value) {
  return json_string(name) + ":" + std::string(value);
}

std::string counts_json(const coverage::Counts& counts) {
  return "{" + member("known", std::to_string(counts.known)) + "," +
         member("selected", std::to_string(counts.selected)) + "," +
         member("unaffected", std::to_string(counts.unaffected)) + "," +
         member("new", std::to_string(counts.fresh)) + "," +
         member("gone", std::to_string(counts.gone)) + "}";
}

std::string diff_counts_json(const DiffReport& report,
                             const traversal::ApiCounts& api) {
  const Answer& answer = report.answer;
  std::string out =
      "{" + member("classes", std::to_string(answer.classes)) + "," +
      member("changed_classes", std::to_string(answer.changed_classes)) + "," +
      member("edges", std::to_string(answer.edges.size()));
  if (!report.hidden.empty()) {
    out += "," + member("hidden", std::to_string(report.hidden_edges()));
  }
  const auto count = [&](std::string_view name, std::size_t n) {
    return member(name, std::to_string(n));
  };
  out += "," + json_string("api") + ":{" + count("added", api.added) + "," +
         count("removed", api.removed) + "," + count("changed", api.changed) +
         "," + count("binary", api.binary) + "," + count("source", api.source) +
         "}";
  return out + "}";
}

std::string atoms_json(const classfile::Conjunction& item) {
  std::vector<std::string> texts;
  for (const auto& atom : item) texts.push_back(classfile::to_string(atom));
  return json_list(texts);
}

std::string key_json(const coverage::TestKey& key) {
  return member("suite", json_string(key.suite)) + "," +
         member("test", json_string(key.test));
}

// Which run says so, where several were asked.
std::string proof_json(const Answer& answer, std::size_t unaffected) {
  if (unaffected >= answer.proved_by.size()) return {};
  const auto& run = answer.runs[answer.proved_by[unaffected]];
  return "," + member("proof", "{" + member("run", json_string(
                                   run.empty() ? "baseline" : run)) + "}");
}

std::string hit_json(const Answer& answer, const Hit& hit) {
  const auto& edge = answer.edges[hit.edge];
  std::string out =
      "{" + member("rule", json_string(classfile::name_of(edge.delta.rule))) +
      "," + member("edge", json_string(coverage::edge_id(hit.edge))) + "," +
      member("atoms", hit.item < edge.items.size()
                          ? atoms_json(edge.items[hit.item])
                          : "[]");
  if (hit.unknown) out += "," + member("recorded", "false");
  return out + "}";
}

std::string selected_json(const Answer& answer, const SelectedTest& test,
                          std::string_view type) {
  std::string out = "{" + std::string(type) + key_json(test.key) + "," +
                    json_string("why") + ":[";
  bool first = true;
  for (const auto& forced : test.forced) {
    if (!first) out += ",";
    first = false;
    out += "{" + member("rule", json_string(coverage::name_of(forced.rule))) +
           "," + member("edge", "\"\"") + "," + member("atoms", "[]") + "," +
           member("why", json_string(forced.why)) + "}";
  }
  for (const auto& hit : answer.hits_of(test)) {
    if (!first) out += ",";
    first = false;
    out += hit_json(answer, hit);
  }
  return out + "]}";
}

std::string widened_json(const coverage::Widened& widened,
                         std::string_view type) {
  return "{" + std::string(type) + member("what", json_string(widened.what)) +
         "," + member("where", json_string(widened.where)) + "}";
}

// "name": [ one element a line ]
template <class List, class F>
void array(Sink& out, std::string_view name, const List& list, F&& text,
           bool last = false) {
  out.write("  " + json_string(name) + ": [");
  bool first = true;
  for (const auto& item : list) {
    out.write(first ? "\n    " : ",\n    ");
    first = false;
    out.write(text(item));
  }
  out.write(first ? "]" : "\n  ]");
  out.write(last ? "\n" : ",\n");
}

void edges_array(Sink& out, const Answer& answer, bool last) {
  std::uint32_t next = 0;
  array(
      out, "edges", answer.edges,
      [&](const auto&) { return edge_json(answer, next++, ""); }, last);
}

std::string facet_json(const classfile::Delta& d, std::string_view type) {
  return "{" + std::string(type) +
         member("rule", json_string(classfile::name_of(d.rule))) + "," +
         member("facet", json_string(d.label)) + "," +
         member("entity", json_string(d.entity)) + "," +
         member("old", json_string(d.old_fact)) + "," +
         member("new", json_string(d.new_fact)) + "," +
         member("file", json_string(d.file)) + "," +
         member("why", json_string(d.why)) + ",\"breaks\":[]}";
}

constexpr std::string_view kSelected = "\"type\":\"selected\",";
constexpr std::string_view kUnaffected = "\"type\":\"unaffected\",";
constexpr std::string_view kGone = "\"type\":\"gone\",";
constexpr std::string_view kEdge = "\"type\":\"edge\",";
constexpr std::string_view kFacet = "\"type\":\"facet\",";
constexpr std::string_view kWidened = "\"type\":\"widened\",";

std::string select_head(const Answer& answer) {
  std::string out = member("schema", "\"rejig.select/1\"") + "," +
                    member("rejig", json_string(version_number())) + "," +
                    member("mode", json_string(name_of(answer.mode))) + ",";
  if (answer.mode == coverage::Mode::kAll) {
    out += member("reasons", json_list(answer.reasons)) + ",";
  }
  return out + member("assumptions", json_list(answer.assumptions)) + "," +
         member("counts", counts_json(answer.counts));
}

std::string diff_head(const DiffReport& report,
                      const traversal::ApiCounts& api) {
  return member("schema", "\"rejig.diff/1\"") + "," +
         member("rejig", json_string(version_number())) + "," +
         member("mode", report.answer.edges.empty() ? "\"none\"" : "\"some\"") +
         "," + member("counts", diff_counts_json(report, api));
}

// There are eight answers, and many edges.
std::string_view breaks_json(traversal::Compatibility broken) {
  static const auto kTexts = [] {
    std::array<std::string, 8> texts;
    for (unsigned bits = 0; bits < texts.size(); ++bits) {
      texts[bits] = ",\"breaks\":[";
      for (bool first = true; const auto name : traversal::names_of(
               {(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0})) {
        if (!first) texts[bits] += ',';
        first = false;
        texts[bits] += json_string(name);
      }
      texts[bits] += ']';
    }
    return texts;
  }();
  return kTexts[(broken.behaviour ? 1U : 0U) | (broken.binary ? 2U : 0U) |
                (broken.source ? 4U : 0U)];
}

}  // namespace

std::string edge_json(const Answer& answer, std::uint32_t edge,
                      std::string_view type,
                      const traversal::Compatibility* broken) {
  const auto& d = answer.edges[edge].delta;
  std::string out = "{" + std::string(type);
  const auto text = [&](std::string_view name, std::string_view value) {
    out += name;
    add_json_string(out, value);
  };
  text("\"id\":", coverage::edge_id(edge));
  text(",\"rule\":", classfile::name_of(d.rule));
  text(",\"channel\":", classfile::name_of(d.channel));
  text(",\"entity\":", d.entity);
  text(",\"label\":", d.label);
  text(",\"old\":", d.old_fact);
  text(",\"new\":", d.new_fact);
  text(",\"file\":", d.file);
  out += ",\"line\":" + std::to_string(d.line);
  text(",\"why\":", d.why);
  const auto list = [&](std::string_view name, const auto& texts) {
    out += name;
    for (bool first = true; const auto& one : texts) {
      if (!first) out += ',';
      first = false;
      add_json_string(out, one);
    }
    out += ']';
  };
  if (!d.lost.empty()) list(",\"removed\":[", d.lost);
  if (!d.gained.empty()) list(",\"added\":[", d.gained);
  if (broken != nullptr) out += breaks_json(*broken);
  const auto items =
      [&](std::string_view name,
          const std::vector<classfile::Conjunction>& conjunctions) {
        out += name;
        out += ":[";
        bool first = true;
        for (const auto& item : conjunctions) {
          if (!first) out += ",";
          first = false;
          out += atoms_json(item);
        }
        out += "]";
      };
  items(",\"atoms\"", answer.edges[edge].all_items());
  if (!d.edges.empty()) {
    items(",\"edge_atoms\"", coverage::items_of(d, coverage::Detail::kEdges));
  }
  return out + "}";
}

void select_json(const Answer& answer, Sink& out) {
  out.write("{\n  \"schema\": \"rejig.select/1\",\n  \"rejig\": " +
            json_string(version_number()) +
            ",\n  \"mode\": " + json_string(name_of(answer.mode)) + ",\n");
  if (answer.mode == coverage::Mode::kAll) {
    out.write("  \"reasons\": " + json_list(answer.reasons) + ",\n");
  }
  out.write("  \"assumptions\": " + json_list(answer.assumptions) +
            ",\n  \"counts\": " + counts_json(answer.counts) + ",\n");
  array(out, "selected", answer.selected, [&](const SelectedTest& test) {
    return selected_json(answer, test, "");
  });
  const auto key = [](const coverage::TestKey& k) {
    return "{" + key_json(k) + "}";
  };
  std::size_t next = 0;
  array(out, "unaffected", answer.unaffected, [&](const auto& k) {
    return "{" + key_json(k) + proof_json(answer, next++) + "}";
  });
  array(out, "gone", answer.gone, key);
  edges_array(out, answer, false);
  array(
      out, "widened", answer.widened,
      [](const auto& w) { return widened_json(w, ""); }, true);
  out.write("}\n");
}

void diff_json(const DiffReport& report, base::ThreadPool& pool, Sink& out) {
  const Answer& answer = report.answer;
  const Judged judgement = judged(report, pool);
  out.write("{\n  \"schema\": \"rejig.diff/1\",\n  \"rejig\": " +
            json_string(version_number()) + ",\n  \"mode\": " +
            (answer.edges.empty() ? "\"none\"" : "\"some\"") +
            ",\n  \"counts\": " + diff_counts_json(report, judgement.api) + ",\n");
  out.write("  \"edges\": [");
  write_each(out, pool, report.shown.size(), [&](std::size_t i) {
    return (i == 0 ? "\n    " : ",\n    ") +
           edge_json(answer, report.shown[i], "",
                     &judgement.edges[report.shown[i]]);
  });
  out.write(report.shown.empty() ? "],\n" : "\n  ],\n");
  array(out, "facets", report.facets,
        [](const auto& d) { return facet_json(d, ""); });
  array(
      out, "widened", answer.widened,
      [](const auto& w) { return widened_json(w, ""); }, true);
  out.write("}\n");
}

void select_ndjson(const Answer& answer, Sink& out) {
  out.write("{\"type\":\"header\"," + select_head(answer) + "}\n");
  for (std::uint32_t e = 0; e < answer.edges.size(); ++e) {
    out.write(edge_json(answer, e, kEdge) + "\n");
  }
  for (const auto& test : answer.selected) {
    out.write(selected_json(answer, test, kSelected) + "\n");
  }
  std::size_t next_unaffected = 0;
  for (const auto& key : answer.unaffected) {
    out.write("{" + std::string(kUnaffected) + key_json(key) +
              proof_json(answer, next_unaffected++) + "}\n");
  }
  for (const auto& key : answer.gone) {
    out.write("{" + std::string(kGone) + key_json(key) + "}\n");
  }
  for (const auto& widened : answer.widened) {
    out.write(widened_json(widened, kWidened) + "\n");
  }
  out.write("{\"type\":\"end\"}\n");
}

void diff_ndjson(const DiffReport& report, base::ThreadPool& pool, Sink& out) {
  const Judged judgement = judged(report, pool);
  out.write("{\"type\":\"header\"," + diff_head(report, judgement.api) + "}\n");
  write_each(out, pool, report.shown.size(), [&](std::size_t i) {
    return edge_json(report.answer, report.shown[i], kEdge,
                     &judgement.edges[report.shown[i]]) +
           "\n";
  });
  write_each(out, pool, report.facets.size(), [&](std::size_t i) {
    return facet_json(report.facets[i], kFacet) + "\n";
  });
  for (const auto& widened : report.answer.widened) {
    out.write(widened_json(widened, kWidened) + "\n");
  }
  out.write("{\"type\":\"end\"}\n");
}

}  // namespace rejig::app
