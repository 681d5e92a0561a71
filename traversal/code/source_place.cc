// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/source_place.h"

#include "classfile/reader/code.h"
#include "jig/world/shell.h"

namespace rejig::traversal {

using classfile::ClassView;

std::string source_file(const ClassView& cls) {
  const auto* attribute = cls.attribute("SourceFile");
  if (attribute == nullptr) return {};
  return std::string(
      cls.pool().utf8(base::ByteReader(attribute->content).u2()));
}

std::string source_path(const ClassView& cls) {
  const std::string file = source_file(cls);
  if (file.empty()) return {};
  const auto package = jig::package_of(cls.name());
  return package.empty() ? file : std::string(package) + "/" + file;
}

unsigned first_line(const ClassView& cls,
                    const classfile::MemberView& method) {
  const auto code = classfile::CodeView::of(cls, method);
  unsigned line = 0;
  if (!code) return line;
  for (const auto& row : classfile::line_numbers(*code)) {
    if (line == 0 || row.line < line) line = row.line;
  }
  return line;
}

}  // namespace rejig::traversal
