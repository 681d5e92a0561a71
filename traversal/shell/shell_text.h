// SPDX-License-Identifier: Apache-2.0
// What do reflection, serialization and annotation readers see of a class
// (channel C8)? Its shell facets as canonical text, one for each facet, without
// pool indexes or the order of anything that has none: two classes with equal
// text look the same through that facet.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "classfile/reader/class_view.h"

namespace rejig::traversal {

struct ShellText {
  // "members", "hierarchy", "annotations", "generics", "exceptions", "record",
  // "nest", "inner".
  std::map<std::string, std::string> facets;
  // Names and flags of MethodParameters.
  std::string parameters;
  // What differs from compiler to compiler: members it invented (lambda bodies,
  // accessors, captured variables, $VALUES), signatures that say what the
  // descriptor says, the method a class stands in, the bodies of an enum's
  // constants as permitted subclasses.
  std::string synthetic;
  // Constructors and methods in the order of the file, and member classes; those
  // of one name by themselves. Of the whole class, whatever is left out.
  std::string order;
  std::string overloads;
  // What a test framework reads: annotations of the class and of every method
  // but the tests' own, by method.
  std::string class_annotations;
  std::map<std::string, std::string> method_annotations;  // name+descriptor
  // What a framework finds by itself in a test class, or anybody sees without
  // looking at single members: members with annotations, constructors,
  // `suite()`, and "class": generics, records, permitted classes, how it is
  // nested. By name+descriptor, of fields name:descriptor.
  struct Member {
    std::string line;  // modifiers and key
    std::string rest;  // annotations, generics, exceptions, parameters

    friend bool operator==(const Member&, const Member&) = default;
  };
  std::map<std::string, Member> found_by_frameworks;
};

ShellText shell_text(const classfile::ClassView& cls);
// For a comparison with one that has these in the same words: not the methods
// with a mark, nor fields, nor language metadata.
struct ShellParts {
  std::span<const std::uint8_t> without_methods;
  bool without_fields = false;
  bool without_metadata = false;
};
ShellText shell_text(const classfile::ClassView& cls, const ShellParts& parts);

}  // namespace rejig::traversal
