// SPDX-License-Identifier: Apache-2.0
#include "coverage/import/import_classes.h"

#include <array>

#include "classfile/base/hash.h"
#include "classfile/reader/attributes.h"
#include "classfile/reader/code.h"
#include "classfile/words/entity.h"

namespace rejig::coverage {

using classfile::ClassView;
using classfile::CodeView;

std::uint64_t jacoco_class_id(base::Bytes class_file) {
  static constexpr auto kTable = [] {
    std::array<std::uint64_t, 256> table = {};
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      std::uint64_t v = i;
      for (int bit = 0; bit < 8; ++bit) {
        v = (v & 1) != 0 ? v >> 1 ^ 0xD800000000000000 : v >> 1;
      }
      table[i] = v;
    }
    return table;
  }();
  constexpr std::size_t kMajorLow = 7;
  constexpr auto kJava9 = std::byte{53};
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < class_file.size(); ++i) {
    auto byte = class_file[i];
    // JaCoCo reads classes of Java 9 as those of Java 8, and hashes what it
    // reads.
    if (i == kMajorLow && byte == kJava9 && class_file[6] == std::byte{0}) {
      byte = std::byte{52};
    }
    sum =
        sum >> 8 ^ kTable[(sum ^ std::to_integer<std::uint64_t>(byte)) & 0xff];
  }
  return sum;
}

base::Result<OldClasses> OldClasses::load(std::string_view path_list,
                                          base::Diagnostics& diagnostics) {
  REJIG_TRY(auto program, classfile::Program::load(
                              classfile::Program::split_path_list(path_list),
                              {}, diagnostics));
  return OldClasses(std::move(program));
}

base::Result<const OldClass*> OldClasses::find(const std::string& name) {
  if (const auto known = classes_.find(name); known != classes_.end()) {
    return static_cast<const OldClass*>(&known->second);
  }
  const auto* file = program_.find_class(name);
  if (file == nullptr) return static_cast<const OldClass*>(nullptr);
  base::Buffer buffer;
  REJIG_TRY(const auto bytes, program_.read(*file, buffer));
  REJIG_TRY(const auto cls, ClassView::parse(bytes, program_.where(*file)));
  OldClass out;
  out.jacoco_id = jacoco_class_id(bytes);
  out.digest = base::to_hex(base::sha256(bytes));
  for (const auto& method : cls.methods()) {
    if (!CodeView::of(cls, method)) continue;
    out.methods.push_back(
        classfile::method_entity(cls.name(), method.name, method.descriptor));
  }
  out.probes = jacoco_probes(cls);
  return static_cast<const OldClass*>(
      &classes_.emplace(name, std::move(out)).first->second);
}

base::Result<void> OldClasses::read_lines() {
  lines_.clear();
  base::Buffer buffer;
  for (const auto& file : program_.classes()) {
    REJIG_TRY(const auto bytes, program_.read(file, buffer));
    REJIG_TRY(const auto cls, ClassView::parse(bytes, program_.where(file)));
    const auto* source = cls.attribute("SourceFile");
    if (source == nullptr) continue;
    std::string path(cls.name().substr(0, cls.name().rfind('/') + 1));
    if (cls.name().find('/') == std::string_view::npos) path.clear();
    path += classfile::text_of(cls.pool(), *source);
    auto& lines = lines_[path];
    for (const auto& method : cls.methods()) {
      const auto code = CodeView::of(cls, method);
      if (!code) continue;
      const auto entity =
          classfile::method_entity(cls.name(), method.name, method.descriptor);
      std::map<unsigned, bool> seen;
      for (const auto& entry : classfile::line_numbers(*code)) {
        if (seen.emplace(entry.line, true).second) {
          lines.emplace(entry.line, entity);
        }
      }
    }
  }
  lines_read_ = true;
  return {};
}

base::Result<const OldClasses::Lines*> OldClasses::lines_of(
    std::string_view source_path) {
  if (!lines_read_) REJIG_TRY_VOID(read_lines());
  // Tools put folders of the project in front: the longest known end counts.
  for (auto path = source_path;;) {
    const auto at = lines_.find(path);
    if (at != lines_.end()) return static_cast<const Lines*>(&at->second);
    const auto slash = path.find('/');
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return static_cast<const Lines*>(nullptr);
}

}  // namespace rejig::coverage
