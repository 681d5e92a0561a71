// SPDX-License-Identifier: Apache-2.0
#include "traversal/answer/wide_fixtures.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "classfile/words/frameworks.h"
#include "jig/world/annotation_meaning.h"
#include "traversal/shell/shell_text.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::Delta;
using classfile::FrameworkReach;

namespace {

// By member ("class" is the class itself): what is said about it.
using Wide = std::map<std::string, std::string>;

bool is_wide(const jig::AnnotationMeaning& meaning) {
  return meaning.reach >= FrameworkReach::kGroup;
}

// One version of the program.
class Side {
 public:
  explicit Side(const jig::World& world) : world_(world), meanings_(world) {}

  Wide of(const ClassView& view) {
    Wide out;
    std::set<std::string> wide;
    for (const auto& method : view.methods()) {
      if (is_wide(meanings_.of(
              jig::visible_annotations(view, method.attributes)))) {
        wide.insert(std::string(method.name) + std::string(method.descriptor));
      }
    }
    const bool of_class = is_wide(
        meanings_.of(jig::visible_annotations(view, view.attributes())));
    if (!wide.empty() || of_class) {
      const ShellText text = shell_text(view);
      for (const auto& key : wide) {
        const auto at = text.found_by_frameworks.find(key);
        out[key] = at == text.found_by_frameworks.end()
                       ? "?"
                       : at->second.line + at->second.rest;
      }
      if (of_class) out["class"] = text.class_annotations;
    }
    for (const auto& known : classfile::kFrameworkSupertypes) {
      if (world_.is_subtype(view.name(), known.supertype)) {
        out["supertypes"] += std::string(known.supertype) + "\n";
      }
    }
    return out;
  }

  // What an internal class declares; nothing when it is none. What cannot be
  // read has edges of its own.
  const Wide& declared(Name name) {
    const auto [at, fresh] = known_.try_emplace(std::string(name));
    if (fresh && may_be_wide(name)) {
      const auto loaded = world_.load_internal(name);
      if (loaded.ok() && loaded->view) at->second = of(*loaded->view);
    }
    return at->second;
  }

  // Supertypes that declare something wide.
  std::set<std::string> inherited(Name name) {
    std::set<std::string> out;
    for (const Name super : world_.supers(name).names) {
      if (!declared(super).empty()) out.emplace(super);
    }
    return out;
  }

 private:
  bool may_be_wide(Name name) const {
    if (world_.internal().class_place(name) == classfile::Program::kNoClass) {
      return false;
    }
    const jig::Glance* glance = world_.glance(name);
    if (glance == nullptr) return true;
    for (const auto& known : classfile::kFrameworkSupertypes) {
      if (world_.is_subtype(name, known.supertype)) return true;
    }
    // Composed annotations are mentioned by their own names.
    return glance->has_visible_annotations;
  }

  const jig::World& world_;
  jig::AnnotationMeanings meanings_;
  std::map<std::string, Wide> known_;
};

class Comparer {
 public:
  Comparer(const Matching& matching, const std::vector<TestMethod>& tests,
           Findings& findings)
      : matching_(matching),
        tests_(tests),
        findings_(findings),
        old_(matching.worlds.old_world),
        new_(matching.worlds.new_world) {}

  void run() {
    for (const ClassPair& pair : matching_.changed) {
      if (!pair.old_class.view || !pair.new_class.view || pair.forced) continue;
      const Wide before = old_.of(*pair.old_class.view);
      const Wide after = new_.of(*pair.new_class.view);
      tell(pair.old_name, before, after);
      const auto above = old_.inherited(pair.old_name);
      const auto now = new_.inherited(pair.new_name);
      std::vector<std::string> apart;
      std::ranges::set_symmetric_difference(above, now,
                                            std::back_inserter(apart));
      for (const auto& name : apart) tell_all(name, old_, new_);
    }
    for (const Name name : matching_.added) {
      tell(name, {}, new_.declared(name));
      for (const auto& above : new_.inherited(name)) {
        if (!lives_elsewhere(above, name)) tell_all(above, old_, new_);
      }
    }
    for (const Name name : matching_.removed) {
      tell(name, old_.declared(name), {});
      for (const auto& above : old_.inherited(name)) {
        if (!lives_elsewhere(above, name)) tell_all(above, old_, new_);
      }
    }
  }

 private:
  // Does it run already, and still, for a test of another class that is in both
  // versions?
  bool lives_elsewhere(const std::string& above, Name without) {
    return std::ranges::any_of(tests_, [&](const TestMethod& test) {
      const auto name = classfile::slashed(test.class_name);
      return name != without &&
             matching_.worlds.new_world.find(name) != nullptr &&
             matching_.worlds.old_world.is_subtype(name, above) &&
             matching_.worlds.new_world.is_subtype(name, above);
    });
  }

  void tell_all(const std::string& name, Side& before, Side& after) {
    const Wide& old_ones = before.declared(name);
    for (const auto& [key, text] :
         old_ones.empty() ? after.declared(name) : old_ones) {
      tell_one(name, key);
    }
  }

  void tell(Name name, const Wide& before, const Wide& after) {
    std::set<std::string> keys;
    for (const auto& [key, text] : before) keys.insert(key);
    for (const auto& [key, text] : after) keys.insert(key);
    for (const auto& key : keys) {
      const auto x = before.find(key);
      const auto y = after.find(key);
      if (x != before.end() && y != after.end() && x->second == y->second) {
        continue;
      }
      tell_one(std::string(name), key);
    }
  }

  void tell_one(const std::string& name, const std::string& key) {
    const std::string entity =
        classfile::dotted(name) +
        (key == "class" || key == "supertypes" ? std::string() : "." + key);
    if (!told_.insert(entity).second) return;
    Delta d;
    d.rule = classfile::Rule::kD18;
    d.channel = classfile::Channel::kTest;
    d.entity = entity;
    d.label = "test shell";
    d.old_fact = "as recorded";
    d.new_fact = "runs for other classes, too";
    d.why = "the framework runs every test another way: `" + entity +
            "` is for the tests of all classes";
    findings_.edges.push_back(std::move(d));
  }

  const Matching& matching_;
  const std::vector<TestMethod>& tests_;
  Findings& findings_;
  Side old_;
  Side new_;
  std::set<std::string> told_;
};

}  // namespace

void compare_wide_fixtures(const Matching& matching,
                           const std::vector<TestMethod>& old_tests,
                           Findings& findings) {
  if (old_tests.empty()) return;
  Comparer(matching, old_tests, findings).run();
}

}  // namespace rejig::traversal
