// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/json_answers.h"
#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using coverage::Answer;
using coverage::TestExplanation;
using coverage::TestStatus;

namespace {

std::string_view status_word(TestStatus status) {
  switch (status) {
    case TestStatus::kSelected:
      return "selected";
    case TestStatus::kUnaffected:
      return "unaffected";
    case TestStatus::kGone:
      return "gone";
    case TestStatus::kUnheardOf:
      break;
  }
  return "unknown";
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

}  // namespace

void explain_json(const Answer& answer, const Explanation& e, Sink& out) {
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

}  // namespace rejig::app
