// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/build_choice.h"

#include <algorithm>
#include <string>

namespace rejig::coverage {

namespace {

constexpr std::string_view kProperty = "property ";
constexpr std::string_view kAll = "kept properties";

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

std::string choice_seen(std::string_view met, const Environment* choices) {
  std::string name;
  if (met == kAll) {
    name = "-D*";
  } else if (met.starts_with(kProperty) &&
             chooses_tests(met.substr(kProperty.size()))) {
    name = "-D" + std::string(met.substr(kProperty.size()));
  } else {
    return {};
  }
  if (choices == nullptr) return name + "=unknown";
  const std::string state = variable_state(name, *choices);
  return state == kUnset ? name : name + "=" + state;
}

}  // namespace rejig::coverage
