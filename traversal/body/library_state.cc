// SPDX-License-Identifier: Apache-2.0
#include "traversal/body/library_state.h"

#include <vector>

#include "classfile/words/kept_state.h"

namespace rejig::traversal {

namespace {

using classfile::ClassView;
using classfile::Tag;

bool keeps(const ClassView& cls) {
  classfile::KeptState kept;
  for (const auto& field : cls.fields()) {
    kept.field(field.access, field.descriptor);
  }
  return static_cast<bool>(kept);
}

}  // namespace

std::set<std::string> kept_behind(const Matching& matching,
                                  std::string_view library) {
  constexpr std::size_t kMost = 1000;
  std::set<std::string> out;
  std::set<Name> met{matching.worlds.names.intern(library)};
  std::vector<Name> last(met.begin(), met.end());
  while (!last.empty()) {
    if (met.size() > kMost) {
      out.insert("library " + classfile::dotted(library));
      return out;
    }
    std::vector<Name> named;
    for (const Name name : last) {
      const auto* node = matching.worlds.new_world.find(name);
      if (node != nullptr && node->internal) continue;
      const ClassView* cls =
          node != nullptr ? matching.new_view(name) : nullptr;
      if (cls == nullptr) {
        // What a class keeps that is not there, nobody meets.
        out.insert("library " + classfile::dotted(name));
        continue;
      }
      if (keeps(*cls)) out.insert(classfile::dotted(name));
      for (std::uint16_t i = 1; i < cls->pool().count(); ++i) {
        if (cls->pool().tag(i) != Tag::kClass) continue;
        const Name one = matching.worlds.names.intern(
            jig::element_class(matching.worlds.names.intern(cls->pool().text(i))));
        if (!one.empty() && classfile::keeps_for_programs(one) &&
            met.insert(one).second) {
          named.push_back(one);
        }
      }
    }
    last = std::move(named);
  }
  return out;
}

}  // namespace rejig::traversal
