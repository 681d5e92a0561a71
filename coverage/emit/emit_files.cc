// SPDX-License-Identifier: Apache-2.0
// Runner files that are XML documents or build scripts.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/emit/emit_plan.h"

namespace rejig::coverage {

namespace {

constexpr std::string_view kXmlHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// Bytes of the UTF-8 character at text[i], 0 when it is none that XML allows.
std::size_t xml_character(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(i);
  if (first < 0x80) {
    const bool legal =
        first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
    return legal && first != 0x7f ? 1 : 0;
  }
  const std::size_t length = first >= 0xf0   ? 4
                             : first >= 0xe0 ? 3
                             : first >= 0xc2 ? 2
                                             : 0;
  if (length == 0 || first > 0xf4) return 0;
  std::uint32_t value = first & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80) return 0;
    value = value << 6 | (byte(i + k) & 0x3fU);
  }
  const bool shortest = value >= (length == 4   ? 0x10000U
                                  : length == 3 ? 0x800U
                                                : 0x80U);
  const bool legal = shortest && value <= 0x10ffff &&
                     (value < 0xd800 || value > 0xdfff) && value != 0xfffe &&
                     value != 0xffff;
  return legal ? length : 0;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = xml_character(text, i);
    if (length == 0) {
      static constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[i]);
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      ++i;
      continue;
    }
    const char c = text[i];
    if (length > 1) {
      out += text.substr(i, length);
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out += c;
    }
    i += length;
  }
  return out;
}

// The skip list must be an input of the task: otherwise a partial run would be
// up to date, or come back from the build cache, for a full one.
Emitted emit_gradle_init(const EmitPlan& plan) {
  Emitted out;
  out.content =
      "// Skips what the list of `rejig select --emit skip-list` names.\n"
      "// selected=" +
      std::to_string(plan.selected.size()) +
      " unaffected=" + std::to_string(plan.unaffected.size()) +
      "\n"
      "// Use: REJIG_SKIP_FILE=... REJIG_FILTER_JAR=... "
      "gradle -I rejig.init.gradle test\n"
      "def rejigSkip = System.getenv('REJIG_SKIP_FILE')\n"
      "def rejigJar = System.getenv('REJIG_FILTER_JAR')\n"
      "if (rejigSkip && rejigJar && new File(rejigSkip).canRead()) {\n"
      "  allprojects { project ->\n"
      "    project.afterEvaluate { project.tasks.withType(Test) { t ->\n"
      "      t.inputs.file(rejigSkip).withPropertyName('rejigSkip')\n"
      "      t.classpath += files(rejigJar)\n"
      "      t.systemProperty 'rejig.skip', new File(rejigSkip).absolutePath\n"
      "      t.filter { failOnNoMatchingTests = false }\n"
      "    } }\n"
      "  }\n"
      "}\n";
  return out;
}

Emitted emit_sbt(const EmitPlan& plan) {
  constexpr std::size_t kChunk =
      60'000;  // a class file's string limit is 65535
  Emitted out;
  std::vector<std::string> chunks(1);
  std::size_t unsaid = 0;
  for (const auto& [name, cls] : plan.classes) {
    if (!cls.skip_whole) continue;
    if (!plain_class(name)) {
      ++unsaid;
      continue;
    }
    if (chunks.back().size() + name.size() + 1 > kChunk) chunks.emplace_back();
    if (!chunks.back().empty()) chunks.back() += '\n';
    chunks.back() += name;
  }
  out.content = "// rejig: whole test classes that the change cannot affect\n";
  std::string all;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::string name = "rejigSkip" + std::to_string(i);
    out.content += "def " + name + " = \"\"\"" + chunks[i] + "\"\"\"\n";
    all += (i == 0 ? "" : ", ") + name;
  }
  out.content +=
      "lazy val rejigSkip = Seq(" + all +
      ").flatMap(_.split('\\n')).filter(_.nonEmpty).toSet\n"
      "ThisBuild / Test / testOptions += Tests.Filter(n => !rejigSkip(n))\n";
  if (unsaid != 0) {
    out.notes.push_back("not skipped, because of their names: " +
                        std::to_string(unsaid));
  }
  return out;
}

// TestNG 6 knows this DTD by its http address only; both 6 and 7 have it inside.
// Whole classes, so that dependsOnMethods and dependsOnGroups inside a class
// stay closed; classes reached by a known dependency come along.
Emitted emit_testng_xml(const EmitPlan& plan) {
  Emitted out;
  std::set<std::string> classes;
  std::vector<std::string> open;
  const auto need = [&](std::string_view id) {
    const std::string name(class_of_test(id));
    if (classes.insert(name).second) open.push_back(name);
  };
  for (const auto& [name, cls] : plan.classes) {
    if (!cls.run.empty() || (plan.all && !cls.exists.empty())) need(name);
  }
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    const auto at = plan.classes.find(name);
    if (at == plan.classes.end()) continue;
    for (const auto& id : at->second.exists) {
      const auto depends = plan.depends.find(id);
      if (depends == plan.depends.end()) continue;
      for (const auto& other : depends->second) need(other);
    }
  }
  out.content = std::string(kXmlHead) +
                "<!DOCTYPE suite SYSTEM "
                "\"http://testng.org/testng-1.0.dtd\">\n"
                "<suite name=\"rejig\">\n  <test name=\"selected\">\n"
                "    <classes>\n";
  for (const auto& name : classes) {
    const auto at = plan.classes.find(name);
    if (at == plan.classes.end() || at->second.exists.empty()) {
      ++out.unnamed;
      out.notes.push_back("NEW is not known to have " + name +
                          ": run it by other means");
      continue;
    }
    if (at->second.frameworks.count("testng") == 0) continue;
    out.content += "      <class name=\"" + xml_escaped(name) + "\"/>\n";
    ++out.named;
  }
  out.content += "    </classes>\n  </test>\n</suite>\n";
  if (out.named == 0) {
    out.notes.push_back("selected=0: the runner need not be started");
  }
  return out;
}

Emitted emit_idea_run(const EmitPlan& plan) {
  Emitted out;
  out.content =
      "<component name=\"ProjectRunConfigurationManager\">\n"
      "  <configuration default=\"false\" name=\"rejig: affected tests\" "
      "type=\"JUnit\" factoryName=\"JUnit\">\n"
      "    <option name=\"TEST_OBJECT\" value=\"pattern\" />\n"
      "    <option name=\"TEST_SEARCH_SCOPE\">\n"
      "      <value defaultName=\"wholeProject\" />\n"
      "    </option>\n"
      "    <patterns>\n";
  for (const auto& [name, cls] : plan.classes) {
    std::set<std::string> patterns;
    for (const auto& id : cls.run) {
      const bool exact = !is_whole_class(id) && id.ends_with("()");
      patterns.insert(exact ? name + "," + std::string(method_of_test(id))
                            : name);
    }
    if (patterns.count(name) != 0) patterns = {name};
    out.named += patterns.size();
    for (const auto& pattern : patterns) {
      out.content +=
          "      <pattern testClass=\"" + xml_escaped(pattern) + "\" />\n";
    }
  }
  out.content +=
      "    </patterns>\n    <method v=\"2\" />\n  </configuration>\n"
      "</component>\n";
  return out;
}

Emitted emit_junit_xml(const EmitPlan& plan) {
  Emitted out;
  const std::string n = std::to_string(plan.all ? 0 : plan.unaffected.size());
  out.content = std::string(kXmlHead) +
                "<testsuites>\n  <testsuite name=\"rejig\" tests=\"" + n +
                "\" failures=\"0\" errors=\"0\" skipped=\"" + n + "\">\n";
  if (!plan.all) {
    for (const auto& key : plan.unaffected) {
      const auto hash = key.test.find('#');
      const std::string name =
          hash == std::string::npos ? "*" : key.test.substr(hash + 1);
      out.content += "    <testcase classname=\"" +
                     xml_escaped(class_of_test(key.test)) + "\" name=\"" +
                     xml_escaped(name) +
                     "\"><skipped message=\"not affected by the change\"/>"
                     "</testcase>\n";
    }
  }
  out.content += "  </testsuite>\n</testsuites>\n";
  return out;
}

}  // namespace rejig::coverage
