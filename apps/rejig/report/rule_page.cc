// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/rule_page.h"

#include <array>
#include <utility>

#include "apps/rejig/report/report_format.h"

namespace rejig::app {

using classfile::RuleRow;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 13>
    kMeanings = {{{"m:", "entered that method"},
                  {"recv:", "entered that method with a receiver of exactly "
                            "that class"},
                  {"inst:", "made an instance of exactly that class"},
                  {"init:", "triggered the initialization of the class, or of "
                            "one whose initialization runs it"},
                  {"load:", "loaded or linked that class of the program"},
                  {"ext:", "loaded that class of a library or the platform"},
                  {"miss:", "looked that class up in vain"},
                  {"refl:", "loaded the class and used a reflective API"},
                  {"res:", "opened that resource or file"},
                  {"resmiss:", "looked for that resource or file in vain"},
                  {"testclass:", "belongs to that test class"},
                  {"test:", "is that test"},
                  {"state:", "met static fields of the class that can hold "
                             "something else later"}}};

template <class F>
void each_rule(F&& f) {
  for (unsigned i = 1; i <= classfile::kRules; ++i) {
    f(classfile::row_of(static_cast<classfile::Rule>(i)));
  }
}

std::string capital(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') {
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  }
  return out;
}

std::string bare(std::string text) {
  std::erase(text, '`');
  return text;
}

}  // namespace

std::vector<std::string> atoms_meant(const RuleRow& row) {
  std::vector<std::string> out;
  const std::string items = classfile::items_text(row);
  for (const auto& [prefix, meaning] : kMeanings) {
    if (items.find("`" + std::string(prefix)) == std::string::npos) continue;
    out.push_back(std::string(prefix) + "  " + std::string(meaning));
  }
  if (items.find("`stackapi`") != std::string::npos) {
    out.push_back("stackapi  looked at a stack trace");
  }
  return out;
}

std::string rule_page(const RuleRow& row) {
  std::string out = std::string(row.id) + " " + std::string(row.name) + ": " +
                    std::string(row.sentence) + "\n\nFor example: " +
                    std::string(row.example) + "\n\nChannel: " +
                    std::string(classfile::name_of(row.channel)) +
                    "\nA test meets such an edge if its row has " +
                    bare(classfile::items_text(row)) + ":\n";
  for (const auto& line : atoms_meant(row)) out += "  " + line + "\n";
  return out +
         "What a row did not record counts as if it had been met. All rules: "
         "rejig explain rules, rejig-rules(7).\n";
}

std::string rule_json(const RuleRow& row) {
  return "{\"rule\":" + json_string(row.id) + ",\"name\":" +
         json_string(row.name) + ",\"channel\":" +
         json_string(classfile::name_of(row.channel)) + ",\"sentence\":" +
         json_string(row.sentence) + ",\"example\":" +
         json_string(row.example) + ",\"atoms\":" +
         json_string(bare(classfile::items_text(row))) + "}";
}

std::string rules_text() {
  std::string out;
  each_rule([&](const RuleRow& row) {
    std::string id(row.id);
    id.resize(5, ' ');
    out += id + std::string(row.name) + ": " + std::string(row.sentence) + "\n";
  });
  return out;
}

std::string rules_json() {
  std::string out = "{\n  \"schema\": \"rejig.rules/1\",\n  \"rules\": [";
  bool first = true;
  each_rule([&](const RuleRow& row) {
    out += std::string(first ? "" : ",") + "\n    " + rule_json(row);
    first = false;
  });
  return out + "\n  ]\n}\n";
}

std::string rules_markdown() {
  std::string out =
      "| rule | name | channel | what it is | a test meets it if its row has "
      "|\n|---|---|---|---|---|\n";
  each_rule([&](const RuleRow& row) {
    std::string items;
    for (const char c : classfile::items_text(row)) {
      if (c == '|') items += '\\';
      items += c;
    }
    out += "| " + std::string(row.id) + " | " + std::string(row.name) + " | " +
           std::string(classfile::name_of(row.channel)) + " | " +
           capital(row.sentence) + " | " + items + " |\n";
  });
  return out;
}

}  // namespace rejig::app
