// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/report_explain.h"

#include <algorithm>

#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::Answer;
using coverage::TestExplanation;
using coverage::TestStatus;

namespace {

std::string_view status_text(TestStatus status) {
  switch (status) {
    case TestStatus::kSelected:
      return "selected";
    case TestStatus::kUnaffected:
      return "unaffected";
    case TestStatus::kGone:
      return "gone: the new program does not have it";
    case TestStatus::kUnheardOf:
      break;
  }
  return "unknown";
}

std::string_view status_word(TestStatus status) {
  const auto text = status_text(status);
  return text.substr(0, text.find(':'));
}

std::string name_of_test(const coverage::TestKey& key) {
  return one_line(key.test) +
         (key.suite == "default" ? "" : "  (" + one_line(key.suite) + ")");
}

std::string fact(const classfile::Delta& d) {
  if (d.old_fact.empty() && d.new_fact.empty()) return "";
  return one_line((d.old_fact.empty() ? "nothing" : d.old_fact) + " -> " +
                  (d.new_fact.empty() ? "nothing" : d.new_fact));
}

std::string place(const classfile::Delta& d, const ReportOptions& options) {
  if (d.file.empty()) return "";
  std::string text = one_line(source_path(d.file, options));
  if (d.line != 0) text += ":" + std::to_string(d.line);
  return text;
}

void edge_text(const Answer& answer, std::uint32_t edge,
               const std::string& indent, const ReportOptions& options,
               Output& out) {
  const auto& d = answer.edges[edge].delta;
  out.write(indent + edge_line(answer, edge) + "\n");
  const std::string changed = fact(d);
  if (!changed.empty()) out.write(indent + "  changed: " + changed + "\n");
  const std::string where = place(d, options);
  if (!where.empty()) out.write(indent + "  at " + where + "\n");
}

void test_text(const Answer& answer, const TestExplanation& test,
               const ReportOptions& options, Output& out) {
  out.write(name_of_test(test.key) + ": " +
            std::string(status_text(test.status)) + "\n");
  for (const auto& forced : test.forced) {
    out.write("  " + std::string(name_of(forced.rule)) + " " +
              one_line(forced.why) + "\n");
  }
  for (const auto& chain : test.chains) {
    edge_text(answer, chain.edge, "  ", options, out);
    for (const auto& atom : chain.atoms) {
      out.write("    " + one_line(classfile::to_string(atom.atom)) + ": " +
                std::string(text_of(atom.state)) + "\n");
    }
  }
}

void assumptions_text(const Answer& answer, Output& out) {
  out.write("  this rests on:\n");
  for (const auto& text : answer.assumptions) {
    out.write("    " + one_line(text) + "\n");
  }
}

void skip_text(const Answer& answer, const coverage::SkipExplanation& skip,
               const ReportOptions& options, Output& out) {
  test_text(answer, skip.test, options, out);
  if (skip.test.status != TestStatus::kUnaffected) return;
  for (const auto& group : skip.groups) {
    constexpr std::size_t kShown = 8;
    std::string edges;
    for (std::size_t i = 0; i < group.edges.size() && i < kShown; ++i) {
      edges += (i == 0 ? "" : ", ") + coverage::edge_id(group.edges[i]);
    }
    if (group.edges.size() > kShown) {
      edges += " and " + std::to_string(group.edges.size() - kShown) + " more";
    }
    out.write("  its row lacks " + one_line(classfile::to_string(group.atom)) +
              ", which is needed to meet " + edges + "\n");
  }
  assumptions_text(answer, out);
}

std::string test_json(const Answer& answer, const TestExplanation& test) {
  std::string out = "{\"suite\":" + json_string(test.key.suite) +
                    ",\"test\":" + json_string(test.key.test) +
                    ",\"status\":" + json_string(status_word(test.status)) +
                    ",\"forced\":[";
  bool first = true;
  for (const auto& forced : test.forced) {
    out += std::string(first ? "" : ",") +
           "{\"rule\":" + json_string(name_of(forced.rule)) +
           ",\"why\":" + json_string(forced.why) + "}";
    first = false;
  }
  out += "],\"chain\":[";
  first = true;
  for (const auto& chain : test.chains) {
    out += std::string(first ? "" : ",") + "{\"atoms\":[";
    first = false;
    bool inner = true;
    for (const auto& atom : chain.atoms) {
      out += std::string(inner ? "" : ",") +
             "{\"atom\":" + json_string(classfile::to_string(atom.atom)) +
             ",\"state\":" + json_string(text_of(atom.state)) + "}";
      inner = false;
    }
    out += "],\"edge\":" + edge_json(answer, chain.edge, "") + "}";
  }
  return out + "]}";
}

std::string skip_json(const Answer& answer,
                      const coverage::SkipExplanation& skip) {
  std::string out =
      "{\"test\":" + test_json(answer, skip.test) + ",\"lacking\":[";
  bool first = true;
  for (const auto& group : skip.groups) {
    std::vector<std::string> edges;
    for (const auto edge : group.edges) {
      edges.push_back(coverage::edge_id(edge));
    }
    out += std::string(first ? "" : ",") +
           "{\"atom\":" + json_string(classfile::to_string(group.atom)) +
           ",\"edges\":" + json_list(edges) + "}";
    first = false;
  }
  return out + "]}";
}

template <class List, class F>
std::string array(const List& list, F&& text) {
  std::string out = "[";
  for (const auto& item : list) {
    out += (out.size() == 1 ? "\n    " : ",\n    ") + text(item);
  }
  return out + (out.size() == 1 ? "]" : "\n  ]");
}

void json(const Answer& answer, const Explanation& e, Output& out) {
  out.write("{\n  \"schema\": \"rejig.explain/1\",\n  \"rejig\": " +
            json_string(version_number()) +
            ",\n  \"assumptions\": " + json_list(answer.assumptions) + ",\n");
  out.write("  \"tests\": " +
            array(e.tests,
                  [&](const auto& test) { return test_json(answer, test); }) +
            ",\n");
  out.write("  \"not\": " + array(e.skips, [&](const auto& skip) {
              return skip_json(answer, skip);
            }));
  if (e.edge) {
    out.write(
        ",\n  \"edge\": " + edge_json(answer, *e.edge, "") +
        ",\n  \"edge_tests\": " + array(e.edge_tests, [](const auto& key) {
          return "{\"suite\":" + json_string(key.suite) +
                 ",\"test\":" + json_string(key.test) + "}";
        }));
  }
  if (e.top_asked) {
    out.write(",\n  \"top\": " + array(e.top, [](const auto& count) {
                return "{\"edge\":" +
                       json_string(coverage::edge_id(count.edge)) +
                       ",\"tests\":" + std::to_string(count.tests) + "}";
              }));
  }
  out.write("\n}\n");
}

}  // namespace

std::vector<coverage::TestKey> tests_meant(const Answer& answer,
                                           const std::string& name) {
  for (const auto& pattern :
       {name, name + "()", "*." + name, "*." + name + "()", "*." + name + "#*",
        "*." + name + "(*)", "*#" + name, "*#" + name + "(*)"}) {
    auto keys = coverage::tests_named(answer, pattern);
    if (!keys.empty()) return keys;
  }
  return {};
}

TestExplanation explain_kept(const Answer& answer,
                             const coverage::TestKey& key) {
  TestExplanation out;
  out.key = key;
  const auto has = [&](const auto& keys) {
    return std::binary_search(keys.begin(), keys.end(), key);
  };
  if (has(answer.unaffected)) out.status = TestStatus::kUnaffected;
  if (has(answer.gone)) out.status = TestStatus::kGone;
  const auto* test = answer.find_selected(key.suite, key.test);
  if (test == nullptr) return out;
  out.status = TestStatus::kSelected;
  out.forced = test->forced;
  for (const auto& hit : answer.hits_of(*test)) {
    coverage::ExplainedEdge chain{hit.edge, {}};
    const auto& items = answer.edges[hit.edge].items;
    if (hit.item < items.size()) {
      for (const auto& atom : items[hit.item]) {
        chain.atoms.push_back({atom, hit.unknown ? coverage::AtomState::kUnknown
                                                 : coverage::AtomState::kInRow});
      }
    }
    out.chains.push_back(std::move(chain));
  }
  return out;
}

void write_explanation(std::string_view format, const Answer& answer,
                       const Explanation& e, const ReportOptions& options,
                       Output& out) {
  if (format == "json") return json(answer, e, out);
  for (const auto& test : e.tests) test_text(answer, test, options, out);
  for (const auto& skip : e.skips) skip_text(answer, skip, options, out);
  if (e.edge) {
    edge_text(answer, *e.edge, "", options, out);
    for (const auto& item : answer.edges[*e.edge].items) {
      out.write("  selects who has " + item_text(item) + "\n");
    }
    out.write("selects " + std::to_string(e.edge_tests.size()) + " test" +
              (e.edge_tests.size() == 1 ? "" : "s") + "\n");
    for (const auto& key : e.edge_tests) {
      out.write("  " + name_of_test(key) + "\n");
    }
  }
  for (const auto& count : e.top) {
    out.write(std::to_string(count.tests) + " test" +
              (count.tests == 1 ? "" : "s") + ": " +
              edge_line(answer, count.edge) + "\n");
  }
}

}  // namespace rejig::app
