// SPDX-License-Identifier: Apache-2.0
#include "traversal/answer/test_shells.h"

#include <algorithm>
#include <map>
#include <set>

#include "jig/world/annotation_meaning.h"
#include "traversal/same/shell_same.h"
#include "traversal/shell/shell_text.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
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
  const ClassPair* pair = nullptr;
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

// What a version of a class says to frameworks.
struct Side {
  const ClassView* view = nullptr;  // null: not there
  jig::AnnotationMeanings* meanings = nullptr;

  std::vector<std::string> annotations_of(const std::string& key) const {
    if (view != nullptr) {
      for (const auto& method : view->methods()) {
        if (key.starts_with(method.name) &&
            key.size() == method.name.size() + method.descriptor.size() &&
            key.ends_with(method.descriptor)) {
          return jig::visible_annotations(*view, method.attributes);
        }
      }
    }
    return {};
  }
};

// Its annotations run nothing for other tests, as far as anybody knows.
bool is_of_its_own(const Side& side, const std::string& key) {
  const auto meaning = side.meanings->of(side.annotations_of(key));
  return !meaning.fixture && !meaning.unknown;
}

// A test, and nothing about it makes a framework refuse the whole class.
bool is_plain_test(const Side& side, const std::string& key,
                   const ShellText::Member& member) {
  const auto has = [](const std::string& in, std::string_view what) {
    return in.find(what) != std::string::npos;
  };
  const auto types = side.annotations_of(key);
  const auto meaning = side.meanings->of(types);
  if (meaning.test.empty() || meaning.fixture || meaning.unknown) return false;
  if (has(member.line, "private ") || has(member.line, "static ") ||
      has(member.line, "abstract ") || !member.line.ends_with(")V\n")) {
    return false;
  }
  return meaning.test != "junit4" ||
         (has(member.line, "public ") && member.line.ends_with("()V\n"));
}

// Of a class that tests are made of. What a test method says of itself is its
// own; how it is declared, and every other member that a framework finds, is
// everybody's.
void compare_members(Findings& findings, const std::string& test_class,
                     const std::string& name,
                     const std::vector<const TestMethod*>& tests,
                     const ShellText& before, const ShellText& after,
                     const Side& old_side, const Side& new_side) {
  std::set<std::string> keys;
  for (const auto& [key, member] : before.found_by_frameworks) keys.insert(key);
  for (const auto& [key, member] : after.found_by_frameworks) keys.insert(key);
  bool all = false;
  for (const auto& key : keys) {
    const auto x = before.found_by_frameworks.find(key);
    const auto y = after.found_by_frameworks.find(key);
    const bool was = x != before.found_by_frameworks.end();
    const bool is = y != after.found_by_frameworks.end();
    if (was && is && x->second == y->second) continue;
    bool of_test = false;
    for (const auto* test : tests) {
      if (simple_name(method_part(test->id)) != simple_name(key)) continue;
      of_test = true;
      findings.edges.push_back(
          test_delta(test->id, Rule::kD19, "annotations of " + key));
    }
    const bool alone =
        was && is ? of_test && x->second.line == y->second.line &&
                        is_of_its_own(old_side, key) &&
                        is_of_its_own(new_side, key)
        : was     ? is_plain_test(old_side, key, x->second)
                  : is_plain_test(new_side, key, y->second);
    if (alone || all) continue;
    all = true;
    findings.edges.push_back(test_delta(
        test_class, Rule::kD18, "annotations of " + name + "." + key));
  }
}

}  // namespace

void compare_test_shells(const Matching& matching,
                         const std::vector<TestMethod>& old_tests,
                         Findings& findings) {
  std::vector<const ClassPair*> pairs;
  for (const ClassPair& pair : matching.changed) {
    if (pair.old_class.view && pair.new_class.view && !pair.forced &&
        !same_shell_at_sight(*pair.old_class.view, *pair.new_class.view)) {
      pairs.push_back(&pair);
    }
  }
  if ((pairs.empty() && matching.other_metadata.empty()) || old_tests.empty()) {
    return;
  }
  jig::AnnotationMeanings old_meanings(matching.worlds.old_world);
  jig::AnnotationMeanings new_meanings(matching.worlds.new_world);
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
    shells.pair = pair;
    changed.emplace(classfile::dotted(pair->old_name), std::move(shells));
  }
  for (const auto& [class_name, tests] : by_class) {
    const std::string internal = classfile::slashed(class_name);
    // The classes around it are looked at as well.
    std::vector<std::string> chain;
    for (std::string c = internal;; c.resize(c.rfind('$'))) {
      if (matching.worlds.old_world.find(c) != nullptr) {
        chain.push_back(classfile::dotted(c));
        for (const Name super : matching.worlds.old_world.supers(c).names) {
          chain.push_back(classfile::dotted(super));
        }
      }
      if (c.rfind('$') == std::string::npos) break;
    }
    std::sort(chain.begin(), chain.end());
    chain.erase(std::unique(chain.begin(), chain.end()), chain.end());
    const std::size_t told = findings.edges.size();
    for (const auto& name : chain) {
      const auto at = changed.find(name);
      if (at == changed.end()) {
        if (matching.other_metadata.contains(classfile::slashed(name))) {
          findings.edges.push_back(test_delta(class_name, Rule::kD18,
                                             "annotations of " + name));
        }
        continue;
      }
      const ShellText& before = at->second.before;
      const ShellText& after = at->second.after;
      if (before.class_annotations != after.class_annotations) {
        findings.edges.push_back(test_delta(class_name, Rule::kD18,
                                           "annotations of " + name));
      }
      if (before.facets.at("hierarchy") != after.facets.at("hierarchy")) {
        findings.edges.push_back(
            test_delta(class_name, Rule::kD18, "supertypes of " + name));
      }
      const ClassPair& pair = *at->second.pair;
      compare_members(findings, class_name, name, tests, before, after,
                      {&*pair.old_class.view, &old_meanings},
                      {&*pair.new_class.view, &new_meanings});
    }
    // A class with a runner of its own (a suite) runs others.
    if (findings.edges.size() != told &&
        std::ranges::any_of(tests, [](const TestMethod* test) {
          return test->id.ends_with("#*");
        })) {
      Delta of_all = test_delta(class_name, Rule::kD18, "its runner's fixtures");
      of_all.subject.clear();
      findings.edges.push_back(std::move(of_all));
    }
  }
}

}  // namespace rejig::traversal
