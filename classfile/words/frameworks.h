// SPDX-License-Identifier: Apache-2.0
// What does an annotation, a method's name or a supertype mean to a test
// framework? The one table (frameworks.def) that test discovery, the comparison
// of test classes, the graph's outside and the recorder ask. Only what the
// frameworks themselves declare stands in it; annotations that are composed of
// these are found by whoever can read classes (jig/world/annotation_meaning.h). The
// tables need no library: the recorder includes this header only.
#pragma once

#include <cstdint>
#include <string_view>

namespace rejig::classfile {

enum class FrameworkRole : std::uint8_t {
  kTest,
  kFeature,    // a test to which a runner of its own gives a name
  kFixture,    // runs before or after
  kProvider,   // of arguments or instances
  kExtension,  // says how to run
  kRunner,     // runs a class its own way
};
// Whose tests run differently when it appears, goes or changes?
enum class FrameworkReach : std::uint8_t { kOwn, kClass, kGroup, kSuite };

struct FrameworkAnnotation {
  std::string_view type;  // internal name, or a package with its last `/`
  std::string_view framework;
  FrameworkRole role;
  FrameworkReach reach;
  bool composed;
};
struct FrameworkMember {
  std::string_view supertype;
  std::string_view name;
  std::string_view framework;
  FrameworkRole role;
  FrameworkReach reach;
};
struct FrameworkAbove {
  std::string_view supertype;
  std::string_view framework;
  FrameworkRole role;
  FrameworkReach reach;
};

inline constexpr FrameworkAnnotation kFrameworkAnnotations[] = {
#define REJIG_ANNOTATION(type, framework, role, reach, composed) \
  {type, framework, FrameworkRole::role, FrameworkReach::reach, composed},
#define REJIG_MEMBER(supertype, name, framework, role, reach)
#define REJIG_ABOVE(supertype, framework, role, reach)
#include "classfile/words/frameworks.def"
#undef REJIG_ANNOTATION
#undef REJIG_MEMBER
#undef REJIG_ABOVE
};

inline constexpr FrameworkMember kFrameworkMembers[] = {
#define REJIG_ANNOTATION(type, framework, role, reach, composed)
#define REJIG_MEMBER(supertype, name, framework, role, reach) \
  {supertype, name, framework, FrameworkRole::role, FrameworkReach::reach},
#define REJIG_ABOVE(supertype, framework, role, reach)
#include "classfile/words/frameworks.def"
#undef REJIG_ANNOTATION
#undef REJIG_MEMBER
#undef REJIG_ABOVE
};

inline constexpr FrameworkAbove kFrameworkSupertypes[] = {
#define REJIG_ANNOTATION(type, framework, role, reach, composed)
#define REJIG_MEMBER(supertype, name, framework, role, reach)
#define REJIG_ABOVE(supertype, framework, role, reach) \
  {supertype, framework, FrameworkRole::role, FrameworkReach::reach},
#include "classfile/words/frameworks.def"
#undef REJIG_ANNOTATION
#undef REJIG_MEMBER
#undef REJIG_ABOVE
};

// nullptr: no framework knows it. `type` is an internal name.
const FrameworkAnnotation* framework_annotation(std::string_view type);
// Is a method of this name and descriptor meant? Modifiers are not looked at.
bool is_meant(const FrameworkMember& member, std::string_view name,
              std::string_view descriptor);
// Annotations of the platform, of languages and of the frameworks themselves:
// what is not in the table is known to mean nothing there.
bool is_known_package(std::string_view type);
// Is the class a part of a framework, or of what starts it?
bool is_of_framework(std::string_view name);

}  // namespace rejig::classfile
