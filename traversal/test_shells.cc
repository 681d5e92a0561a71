// SPDX-License-Identifier: Apache-2.0
#include "traversal/test_shells.h"

#include <algorithm>

#include "traversal/shell_same.h"
#include "traversal/shell_text.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;

namespace {

// "one(int)" of "a.b.T#one(int)".
std::string method_part(const std::string& id) {
  const auto hash = id.find('#');
  return hash == std::string::npos ? std::string() : id.substr(hash + 1);
}

std::string simple_name(const std::string& member) {
  return member.substr(0, member.find('('));
}

struct Shells {
  ShellText before;
  ShellText after;
  std::vector<std::string> supers_before;
  std::vector<std::string> supers_after;
};

Delta test_delta(const std::string& subject, Rule rule,
                 const std::string& what) {
  Delta d;
  d.rule = rule;
  d.channel = Channel::kTest;
  d.entity = subject;
  d.subject = subject;
  d.label = "test shell";
  d.old_fact = "as recorded";
  d.new_fact = what;
  d.why = "the framework runs `" + subject + "` another way: " + what;
  return d;
}

}  // namespace

void compare_test_shells(Session& session,
                         const std::vector<TestMethod>& old_tests) {
  std::vector<const ClassPair*> pairs;
  for (const ClassPair& pair : session.changed) {
    if (pair.old_class.view && pair.new_class.view && !pair.forced &&
        !same_shell_at_sight(*pair.old_class.view, *pair.new_class.view)) {
      pairs.push_back(&pair);
    }
  }
  if (pairs.empty() || old_tests.empty()) return;
  // Test classes, and the classes they inherit from.
  std::map<std::string, std::vector<const TestMethod*>> by_class;
  for (const TestMethod& test : old_tests) {
    by_class[test.class_name].push_back(&test);
  }
  std::map<std::string, Shells> changed;
  for (const ClassPair* pair : pairs) {
    Shells shells;
    shells.before = shell_text(*pair->old_class.view);
    shells.after = shell_text(*pair->new_class.view);
    changed.emplace(classfile::dotted(pair->old_name), std::move(shells));
  }
  for (const auto& [class_name, tests] : by_class) {
    const std::string internal = classfile::slashed(class_name);
    std::vector<std::string> chain = {class_name};
    for (const Name super : session.old_world.supers(internal).names) {
      chain.push_back(classfile::dotted(super));
    }
    std::set<std::string> test_names;
    for (const auto* test : tests) {
      test_names.insert(simple_name(method_part(test->id)));
    }
    for (const auto& name : chain) {
      const auto at = changed.find(name);
      if (at == changed.end()) continue;
      const ShellText& before = at->second.before;
      const ShellText& after = at->second.after;
      if (before.class_annotations != after.class_annotations) {
        session.edges.push_back(test_delta(class_name, Rule::kD18,
                                           "annotations of " + name));
      }
      if (before.facets.at("hierarchy") != after.facets.at("hierarchy")) {
        session.edges.push_back(
            test_delta(class_name, Rule::kD18, "supertypes of " + name));
      }
      std::set<std::string> keys;
      for (const auto& [key, text] : before.method_annotations) {
        keys.insert(key);
      }
      for (const auto& [key, text] : after.method_annotations) {
        keys.insert(key);
      }
      for (const auto& key : keys) {
        const auto x = before.method_annotations.find(key);
        const auto y = after.method_annotations.find(key);
        const std::string a =
            x == before.method_annotations.end() ? "" : x->second;
        const std::string b =
            y == after.method_annotations.end() ? "" : y->second;
        if (a == b) continue;
        bool of_test = false;
        for (const auto* test : tests) {
          if (simple_name(method_part(test->id)) != simple_name(key)) continue;
          of_test = true;
          session.edges.push_back(
              test_delta(test->id, Rule::kD19, "annotations of " + key));
        }
        const bool new_test =
            a.empty() && (b.find("Test;") != std::string::npos ||
                          b.find("Test(") != std::string::npos);
        if (!of_test && !new_test) {
          session.edges.push_back(test_delta(
              class_name, Rule::kD18, "annotations of " + name + "." + key));
        }
      }
      // Public fields with annotations are rules and injected values.
      if (before.facets.at("annotations") != after.facets.at("annotations") &&
          before.class_annotations == after.class_annotations &&
          before.method_annotations == after.method_annotations) {
        session.edges.push_back(test_delta(class_name, Rule::kD18,
                                           "annotated members of " + name));
      }
    }
  }
}

}  // namespace rejig::traversal
