// SPDX-License-Identifier: Apache-2.0
// Whom does a difference break? Behaviour: somebody can observe it. Binary: code
// that was compiled against OLD may fail to link with NEW (JLS 13). Source: it
// may not compile any more. API is what code outside the package can name: public
// and protected members of public classes. Errs towards broken. For reports; no
// test is selected by it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/delta.h"
#include "traversal/describe/versions.h"

namespace rejig::traversal {

struct Compatibility {
  bool behaviour = false;
  bool binary = false;
  bool source = false;

  bool api() const { return binary || source; }
  friend bool operator==(const Compatibility&, const Compatibility&) = default;
};
// "behaviour", "binary", "source", those that are broken.
std::vector<std::string_view> names_of(Compatibility broken);

struct ApiChange {
  enum class What : std::uint8_t { kAdded, kRemoved, kChanged };
  What what = What::kAdded;
  std::string class_name;  // "a.b.C"
  std::string member;      // a member line of the class; empty: the class itself
  std::string how;         // "now final", "no longer a Closeable"; may be empty
  bool binary = false;
  bool source = false;
};

struct ApiCounts {
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t changed = 0;
  std::size_t binary = 0;  // changes that break it
  std::size_t source = 0;

  void count(const ApiChange& change);
  void add(const ApiCounts& other);
};

// A manifest, pom.properties, licence, signature or bill of materials: about the
// artefact, not of the program.
bool is_metadata(std::string_view path);

class CompatibilityJudge {
 public:
  explicit CompatibilityJudge(const Versions* versions)
      : versions_(versions) {}

  // nullptr versions: what the delta says by itself.
  Compatibility of(const classfile::Delta& edge) const;
  // The same, of whose changes() are known.
  Compatibility of(const classfile::Delta& edge,
                   const std::vector<ApiChange>& its) const;
  // What of the API the edge says is other; nothing for edges about behaviour.
  std::vector<ApiChange> changes(const classfile::Delta& edge) const;

 private:
  bool is_api_class(Side side, std::string_view name) const {
    return versions_ != nullptr && is_api(*versions_, side, name);
  }
  bool is_api_method(Side side, std::string_view entity) const;
  bool inherits(std::string_view class_name, std::string_view key) const;
  bool is_below(std::string_view class_name, std::string_view super) const;
  void member_changes(const classfile::Delta& d,
                      std::vector<ApiChange>& out) const;
  void hierarchy_changes(const classfile::Delta& d,
                         std::vector<ApiChange>& out) const;
  void source_changes(const classfile::Delta& d,
                      std::vector<ApiChange>& out) const;

  const Versions* versions_;
};

}  // namespace rejig::traversal
