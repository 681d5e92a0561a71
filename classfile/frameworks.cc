// SPDX-License-Identifier: Apache-2.0
#include "classfile/frameworks.h"

#include <algorithm>
#include <array>

namespace rejig::classfile {

namespace {

using enum FrameworkRole;
using enum FrameworkReach;

constexpr FrameworkAnnotation kAnnotations[] = {
#define REJIG_ANNOTATION(type, framework, role, reach, composed) \
  {type, framework, role, reach, composed},
#define REJIG_MEMBER(supertype, name, framework, role, reach)
#define REJIG_ABOVE(supertype, framework, role, reach)
#include "classfile/frameworks.def"
#undef REJIG_ANNOTATION
#undef REJIG_MEMBER
#undef REJIG_ABOVE
};

constexpr FrameworkMember kMembers[] = {
#define REJIG_ANNOTATION(type, framework, role, reach, composed)
#define REJIG_MEMBER(supertype, name, framework, role, reach) \
  {supertype, name, framework, role, reach},
#define REJIG_ABOVE(supertype, framework, role, reach)
#include "classfile/frameworks.def"
#undef REJIG_ANNOTATION
#undef REJIG_MEMBER
#undef REJIG_ABOVE
};

constexpr FrameworkAbove kSupertypes[] = {
#define REJIG_ANNOTATION(type, framework, role, reach, composed)
#define REJIG_MEMBER(supertype, name, framework, role, reach)
#define REJIG_ABOVE(supertype, framework, role, reach) \
  {supertype, framework, role, reach},
#include "classfile/frameworks.def"
#undef REJIG_ANNOTATION
#undef REJIG_MEMBER
#undef REJIG_ABOVE
};

}  // namespace

std::span<const FrameworkAnnotation> framework_annotations() {
  return kAnnotations;
}

std::span<const FrameworkMember> framework_members() { return kMembers; }

std::span<const FrameworkAbove> framework_supertypes() { return kSupertypes; }

const FrameworkAnnotation* framework_annotation(std::string_view type) {
  const auto* at =
      std::ranges::find_if(kAnnotations, [&](const FrameworkAnnotation& one) {
        return one.type.ends_with('/') ? type.starts_with(one.type)
                                       : type == one.type;
      });
  return at == std::end(kAnnotations) ? nullptr : at;
}

bool is_meant(const FrameworkMember& member, std::string_view name,
              std::string_view descriptor) {
  if (!member.name.ends_with('*')) return name == member.name;
  return descriptor == "()V" &&
         name.starts_with(member.name.substr(0, member.name.size() - 1));
}

bool is_known_package(std::string_view type) {
  constexpr std::string_view kHeads[] = {
      "java/",      "javax/", "jakarta/", "kotlin/",      "scala/",
      "groovy/",    "org/junit/",         "org/testng/",  "org/jetbrains/",
      "org/apiguardian/", "org/opentest4j/", "org/spockframework/"};
  return std::ranges::any_of(
      kHeads, [&](auto head) { return type.starts_with(head); });
}

}  // namespace rejig::classfile
