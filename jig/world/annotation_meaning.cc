// SPDX-License-Identifier: Apache-2.0
#include "jig/world/annotation_meaning.h"

#include <algorithm>

#include "classfile/reader/annotations.h"

namespace rejig::jig {

using classfile::FrameworkReach;
using classfile::FrameworkRole;

std::vector<std::string> visible_annotations(
    const classfile::ClassView& cls,
    std::span<const classfile::AttributeView> attributes) {
  std::vector<std::string> out;
  for (const auto& attribute : attributes) {
    if (attribute.name != "RuntimeVisibleAnnotations") continue;
    // The JVM may read what we cannot: it may say that this is a test.
    if (!attribute.readable) out.emplace_back("org/junit/jupiter/api/Test");
    classfile::AnnotationReader reader(cls.pool(), attribute);
    classfile::AnnotationView annotation;
    while (reader.next(annotation)) {
      const auto type = annotation.type();
      if (type.size() > 2) out.emplace_back(type.substr(1, type.size() - 2));
    }
  }
  return out;
}

void AnnotationMeanings::add(const AnnotationMeaning& from,
                             AnnotationMeaning& to) {
  if (to.test.empty()) to.test = from.test;
  to.fixture = to.fixture || from.fixture;
  to.reach = std::max(to.reach, from.reach);
  to.unknown = to.unknown || from.unknown;
}

AnnotationMeaning AnnotationMeanings::of(std::string_view type) {
  return of(type, 0);
}

AnnotationMeaning AnnotationMeanings::of(
    const std::vector<std::string>& types) {
  AnnotationMeaning out;
  for (const auto& type : types) add(of(type, 0), out);
  return out;
}

AnnotationMeaning AnnotationMeanings::of(std::string_view type,
                                         unsigned depth) {
  constexpr unsigned kDeepest = 16;
  AnnotationMeaning out;
  if (const auto* known = classfile::framework_annotation(type)) {
    if (known->role == FrameworkRole::kTest) {
      out.test = known->framework;
    } else if (known->role != FrameworkRole::kFeature &&
               known->reach != FrameworkReach::kOwn) {
      out.fixture = true;
      out.reach = known->reach;
    }
    return out;
  }
  if (classfile::is_known_package(type)) return out;
  if (const auto at = known_.find(type); at.value != nullptr) return *at.value;
  if (depth > kDeepest) {
    out.unknown = true;
    return out;
  }
  const ClassNode* node = world_.find(type);
  if (node == nullptr || !node->readable()) {
    out.unknown = true;
  } else {
    const auto loaded = world_.load(*node);
    if (!loaded.ok()) {
      out.unknown = true;
    } else {
      const auto& view = *loaded->view;
      for (const auto& meta : visible_annotations(view, view.attributes())) {
        if (meta == type) continue;
        auto inner = of(meta, depth + 1);
        const auto* direct = classfile::framework_annotation(meta);
        // Frameworks that look at an annotation's own annotations only.
        if (direct != nullptr && !direct->composed) continue;
        add(inner, out);
      }
    }
  }
  // What a cycle or the limit cut off is not kept.
  if (depth == 0) known_.insert(type, out);
  return out;
}

}  // namespace rejig::jig
