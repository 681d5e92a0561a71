// SPDX-License-Identifier: Apache-2.0
// What does an annotation mean to a test framework in this world? What the
// table of frameworks says of it, and of the annotations that it is composed
// of, as far up as these go. It errs towards meaning more: an annotation type
// that nobody here can read, and that is none of the platform's or a
// framework's, is unknown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/append_table.h"
#include "classfile/reader/class_view.h"
#include "classfile/words/frameworks.h"
#include "jig/world/world.h"

namespace rejig::jig {

struct AnnotationMeaning {
  std::string_view test;  // the framework that makes a test of it, or empty
  // It is, or is composed of, something that runs beside tests.
  bool fixture = false;
  classfile::FrameworkReach reach = classfile::FrameworkReach::kOwn;  // widest
  bool unknown = false;
};

// Types of the annotations that are visible at run time, internal names.
std::vector<std::string> visible_annotations(
    const classfile::ClassView& cls,
    std::span<const classfile::AttributeView> attributes);

// May be asked from any thread.
class AnnotationMeanings {
 public:
  explicit AnnotationMeanings(const World& world)
      : world_(world), known_(kKnownBits) {}

  // `type` is an internal name.
  AnnotationMeaning of(std::string_view type);
  // Of all of them together.
  AnnotationMeaning of(const std::vector<std::string>& types);

 private:
  static constexpr unsigned kKnownBits = 8;
  AnnotationMeaning of(std::string_view type, unsigned depth);
  static void add(const AnnotationMeaning& from, AnnotationMeaning& to);

  const World& world_;
  base::AppendTable<AnnotationMeaning> known_;
};

}  // namespace rejig::jig
