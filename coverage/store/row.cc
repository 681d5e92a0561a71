// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/row.h"

#include <array>

namespace rejig::coverage {
namespace {

constexpr std::array<std::string_view, kGrades> kGradeNames = {
    "complete", "shared", "lower-bound", "partial", "foreign"};
constexpr std::array<std::string_view, kOutcomes> kOutcomeNames = {
    "pass", "unknown", "skip", "fail", "error"};

template <class E, std::size_t N>
std::optional<E> named(const std::array<std::string_view, N>& names,
                       std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Grade grade) {
  return kGradeNames[static_cast<std::size_t>(grade)];
}
std::optional<Grade> grade_of(std::string_view name) {
  return named<Grade>(kGradeNames, name);
}
std::string_view name_of(Outcome outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}
std::optional<Outcome> outcome_of(std::string_view name) {
  return named<Outcome>(kOutcomeNames, name);
}

}  // namespace rejig::coverage
