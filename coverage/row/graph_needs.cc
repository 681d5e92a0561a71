// SPDX-License-Identifier: Apache-2.0
// Which methods need that somebody made the object that they are called on? An
// instance method needs a constructor of its class or of one below it; the body
// of a lambda needs the method that it stands in. A row that enters the one and
// not the other borrows the object, wherever it was kept in the meantime.
#include <map>
#include <string_view>
#include <utility>

#include "coverage/row/graph.h"

namespace rejig::coverage {

using classfile::dotted;

namespace {

// The method in which compilers found this body of a lambda; empty for others.
// javac: lambda$NAME$1; Kotlin: NAME$lambda$1, NAME$lambda-1; Scala:
// $anonfun$NAME$1.
std::string_view encloses(std::string_view name) {
  for (const std::string_view head : {"lambda$", "$anonfun$"}) {
    if (!name.starts_with(head)) continue;
    name.remove_prefix(head.size());
    const auto end = name.rfind('$');
    if (end == std::string_view::npos || end == 0) return {};
    name = name.substr(0, end);
    if (name == "new") return "<init>";
    if (name == "static") return "<clinit>";
    return name == "null" ? std::string_view{} : name;
  }
  const auto at = name.find("$lambda");
  return at == std::string_view::npos || at == 0 ? std::string_view{}
                                                 : name.substr(0, at);
}

}  // namespace

void RowGraph::find_needs() {
  std::map<std::pair<Id, std::string_view>, Need> known;
  for (const auto& [c, slot] : file_.methods) {
    const auto& owner = file_.classes[c];
    const auto& m = owner.methods[slot];
    std::string_view maker = encloses(m.name);
    if (maker.empty() && !m.is_static && m.name != "<init>" &&
        !owner.is_interface) {
      maker = "<init>";
    }
    const Id id = classes_.of_class(c);
    if (maker.empty() || !classes_.is_recorded(id)) {
      need_of_.push_back(kNoNeed);
      continue;
    }
    const auto [at, fresh] =
        known.try_emplace({id, maker}, static_cast<Need>(need_codes_.size()));
    if (fresh) {
      need_codes_.push_back(codes_.of_text(
          AtomKind::kState, "borrowed " + dotted(classes_.name(id)) + "." +
                                std::string(maker)));
    }
    need_of_.push_back(at->second);
  }
  for (const auto& [c, slot] : file_.methods) {
    gives_begin_.push_back(static_cast<std::uint32_t>(gives_.size()));
    const auto at = known.find(
        {classes_.of_class(c), file_.classes[c].methods[slot].name});
    if (at != known.end()) gives_.push_back(at->second);
  }
  gives_begin_.push_back(static_cast<std::uint32_t>(gives_.size()));
  for (Id id = 0; id < classes_.size(); ++id) {
    made_gives_begin_.push_back(static_cast<std::uint32_t>(made_gives_.size()));
    for (const Id above : classes_.up(id)) {
      const auto at = known.find({above, "<init>"});
      if (at != known.end()) made_gives_.push_back(at->second);
    }
  }
  made_gives_begin_.push_back(static_cast<std::uint32_t>(made_gives_.size()));
}

}  // namespace rejig::coverage
