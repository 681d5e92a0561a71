// SPDX-License-Identifier: Apache-2.0
#include "classfile/words/frameworks.h"

#include <algorithm>
#include <iterator>

namespace rejig::classfile {

const FrameworkAnnotation* framework_annotation(std::string_view type) {
  const auto* at = std::ranges::find_if(
      kFrameworkAnnotations, [&](const FrameworkAnnotation& one) {
        return one.type.ends_with('/') ? type.starts_with(one.type)
                                       : type == one.type;
      });
  return at == std::end(kFrameworkAnnotations) ? nullptr : at;
}

bool is_meant(const FrameworkMember& member, std::string_view name,
              std::string_view descriptor) {
  if (!member.name.ends_with('*')) return name == member.name;
  return descriptor == "()V" &&
         name.starts_with(member.name.substr(0, member.name.size() - 1));
}

bool is_known_package(std::string_view type) {
  constexpr std::string_view kHeads[] = {
      "java/",           "javax/",
      "jakarta/",        "kotlin/",
      "scala/",          "groovy/",
      "org/junit/",      "org/testng/",
      "org/jetbrains/",  "org/apiguardian/",
      "org/opentest4j/", "org/spockframework/"};
  return std::ranges::any_of(kHeads,
                             [&](auto head) { return type.starts_with(head); });
}

bool is_of_framework(std::string_view name) {
  constexpr std::string_view kHeads[] = {
      "org/junit/",       "junit/",          "org/opentest4j/",
      "org/testng/",      "spock/",          "org/spockframework/",
      "io/kotest/",       "munit/",          "org/scalatest/",
      "io/cucumber/",     "cucumber/",       "org/apache/maven/surefire/",
      "org/gradle/",      "worker/org/gradle/"};
  return std::ranges::any_of(kHeads,
                             [&](auto head) { return name.starts_with(head); });
}

}  // namespace rejig::classfile
