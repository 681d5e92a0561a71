// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/build_choice.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "classfile/words/entity.h"
#include "coverage/row/row_file_classes.h"

namespace rejig::coverage {

namespace {

constexpr std::string_view kProperty = "property ";
constexpr std::string_view kAll = "kept properties";
constexpr std::string_view kClassPath = "java.class.path";

}  // namespace

bool chooses_tests(std::string_view property) {
  constexpr std::string_view kNames[] = {"test", "it.test", "skipTests",
                                         "skipITs", "failIfNoTests"};
  constexpr std::string_view kHeads[] = {"maven.", "surefire.", "failsafe."};
  // Not a choice: where artefacts are, which is a setting of its own.
  if (property == "maven.repo.local") return false;
  return property.ends_with(".skip") ||
         std::ranges::find(kNames, property) != std::end(kNames) ||
         std::ranges::any_of(kHeads, [&](auto head) {
           return property.starts_with(head);
         });
}

Environment choices_of(const Environment& properties) {
  Environment out;
  for (const auto& one : properties) {
    if (chooses_tests(std::string_view(one).substr(0, one.find('=')))) {
      out.push_back("-D" + one);
    }
  }
  return out;
}

std::string class_path_told(std::string_view list) {
  return "-D" + std::string(kClassPath) + "=" + std::string(list);
}

std::string choice_seen(std::string_view met, const Environment* choices) {
  std::string name;
  if (met == kAll) {
    name = "-D*";
  } else if (met.starts_with(kProperty) &&
             (chooses_tests(met.substr(kProperty.size())) ||
              met.substr(kProperty.size()) == kClassPath)) {
    name = "-D" + std::string(met.substr(kProperty.size()));
  } else {
    return {};
  }
  if (choices == nullptr) return name + "=unknown";
  const std::string state = variable_state(name, *choices);
  return state == kUnset ? name : name + "=" + state;
}

std::set<std::string> choices_of_everybody(const RowFile& file,
                                           RecordedClasses& classes,
                                           const Environment* choices) {
  std::set<std::string> out;
  const auto add = [&](const Work& work) {
    for (const auto f : work.facts) {
      if (file.facts[f].kind != FactKind::kMet) continue;
      // A runner that looks for tests on the class path is answered by their
      // classes; one that looks at all (JUnit formats a text) wants no choice.
      if (file.facts[f].by_runner) continue;
      auto seen = choice_seen(file.facts[f].text, choices);
      if (!seen.empty()) out.insert(std::move(seen));
    }
  };
  std::unordered_set<RecordedClasses::Id> initialized;
  for (const auto& [number, scope] : file.scopes) {
    const bool of_class = classes.find(classfile::slashed(scope.id)) !=
                          RecordedClasses::kNone;
    if (scope.is_test || (number != 0 && of_class)) continue;
    add(scope.work);
    for (const auto m : scope.work.methods) {
      const auto [c, slot] = file.methods[m];
      if (file.classes[c].methods[slot].name == "<clinit>") {
        initialized.insert(classes.of_class(c));
      }
    }
  }
  for (const auto& [c, work] : file.inits) {
    if (initialized.contains(classes.of_class(c))) add(work);
  }
  return out;
}

}  // namespace rejig::coverage
