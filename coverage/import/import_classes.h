// SPDX-License-Identifier: Apache-2.0
// Which method of the old program is behind a probe, a line or a name that
// another tool recorded? The old classes, read once each on first use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/diagnostics.h"
#include "classfile/base/result.h"
#include "classfile/program/program.h"
#include "classfile/reader/class_view.h"

namespace rejig::coverage {

// JaCoCo's id of a class: CRC-64 (0xD800000000000000, reflected) of its bytes.
std::uint64_t jacoco_class_id(base::Bytes class_file);

struct MethodProbes {
  std::string entity;       // "a.b.C.add(II)I"
  std::uint32_t first = 0;  // its probes are first..end-1
  std::uint32_t end = 0;
};
// JaCoCo's numbering of a class, got by repeating its analysis. nullopt for a
// class with subroutines (jsr), which JaCoCo rewrites before numbering.
std::optional<std::vector<MethodProbes>> jacoco_probes(
    const classfile::ClassView& cls);

struct OldClass {
  std::uint64_t jacoco_id = 0;
  std::string digest;                // SHA-256, hex
  std::vector<std::string> methods;  // entities of all methods with code
  std::optional<std::vector<MethodProbes>> probes;
};

class OldClasses {
 public:
  static base::Result<OldClasses> load(std::string_view path_list,
                                       base::Diagnostics& diagnostics);

  // By internal name. nullptr: the old program has no such class.
  base::Result<const OldClass*> find(const std::string& internal_name);
  // Methods with code at that line of that source file ("a/b/C.java"), of all
  // classes that come from it. nullptr: no class comes from that file.
  using Lines = std::multimap<unsigned, std::string>;
  base::Result<const Lines*> lines_of(std::string_view source_path);

 private:
  explicit OldClasses(classfile::Program program)
      : program_(std::move(program)) {}
  base::Result<void> read_lines();

  classfile::Program program_;
  std::map<std::string, OldClass> classes_;
  bool lines_read_ = false;
  std::map<std::string, Lines, std::less<>> lines_;
};

}  // namespace rejig::coverage
