// SPDX-License-Identifier: Apache-2.0
// What do reflection, serialization and annotation readers see of a class
// (channel C8)? Its shell facets as canonical text, one for each facet, without
// pool indexes or the order of anything that has none: two classes with equal
// text look the same through that facet.
#pragma once

#include <map>
#include <string>

#include "classfile/class_view.h"

namespace rejig::traversal {

struct ShellText {
  // "members", "hierarchy", "annotations", "generics", "parameters",
  // "exceptions", "record", "nest", "inner", "module".
  std::map<std::string, std::string> facets;
  // Members the compiler invented (lambda bodies, accessors, $SwitchMap$): seen
  // by getDeclaredMethods() only.
  std::string synthetic;
  // What a test framework reads: annotations of the class and of every method
  // but the tests' own, by method.
  std::string class_annotations;
  std::map<std::string, std::string> method_annotations;  // name+descriptor
};

ShellText shell_text(const classfile::ClassView& cls);

}  // namespace rejig::traversal
