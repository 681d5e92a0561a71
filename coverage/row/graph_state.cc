// SPDX-License-Identifier: Apache-2.0
// What does a row say of state beside the static fields that it met? What its
// methods may write, what libraries keep behind what they were asked, what was
// left elsewhere, and what it borrows: which methods need that somebody made the object that they are called on? An
// instance method needs a constructor of its class or of one below it; the body
// of a lambda needs the method that it stands in. A row that enters the one and
// not the other borrows the object, wherever it was kept in the meantime.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/row/graph.h"

namespace rejig::coverage {

using classfile::dotted;

namespace {

constexpr unsigned kFields = 4;
constexpr unsigned kWrites = 8;
constexpr unsigned kMarks = 16;

bool is_initializer(const RecordedMethod& method) {
  return method.name == "<clinit>";
}

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

void RowGraph::meets(std::uint32_t index, Id id) {
  for (std::size_t i = met_begin_.back(); i < met_.size(); ++i) {
    if (met_[i].id == id) return;
  }
  atom(codes_.of_class(AtomKind::kState, id));
  met_.push_back({index, id});
}

bool RowGraph::is_extension(Id id) {
  return classes_.is_internal(id) && classes_.has_parts(id) &&
         std::ranges::any_of(classes_.up(id), [this](Id above) {
           return classes_.name(above).starts_with(
               "org/junit/jupiter/api/extension/");
         });
}

void RowGraph::add_writes() {
  for (std::uint32_t m = 0; m < file_.methods.size(); ++m) add_may_write(m);
  may_begin_.push_back(static_cast<std::uint32_t>(may_.size()));
}

// Classes whose static fields, or what is below them, it changes; `how`: kWrites,
// or kMarks for those that it only sets to a constant.
std::vector<RowGraph::Id> RowGraph::written_by(const RecordedMethod& m,
                                               const RecordedClass& owner,
                                               Id self, unsigned how) {
  std::vector<Id> out;
  bool own_fields = false;
  for (const auto use : m.uses) {
    own_fields = own_fields || (use & (kWrites | kFields)) == kWrites;
    const unsigned is = (use & kWrites) != 0 ? kWrites : use & kMarks;
    if ((use & kFields) == 0 || is != how) continue;
    for (const Id id : classes_.up(classes_.of_name(owner.names[use >> 5]))) {
      if (classes_.is_internal(id) && classes_.keeps_state(id) &&
          !(is_initializer(m) && id == self)) {
        out.push_back(id);
      }
    }
  }
  // An instance that a static field of its own class holds.
  if (how == kWrites && own_fields && classes_.keeps_state(self)) {
    out.push_back(self);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// It did not, as far as anybody knows; with other code before it, it might.
void RowGraph::add_may_write(std::uint32_t index) {
  may_begin_.push_back(static_cast<std::uint32_t>(may_.size()));
  const auto [c, slot] = file_.methods[index];
  const auto& owner = file_.classes[c];
  const Id self = classes_.of_class(c);
  for (const auto& [how, word] : {std::pair{kWrites, "may "}, {kMarks, "mark "}}) {
    for (const Id id : written_by(owner.methods[slot], owner, self, how)) {
      may_.push_back(codes_.of_text(AtomKind::kState,
                                    word + dotted(classes_.name(id))));
    }
  }
}

// Where static methods and fields of a library's class may lead: as far as the
// recorder looks, to what it names and what is named there.
const std::vector<RowGraph::Id>& RowGraph::keepers_behind(Id library) {
  constexpr int kSteps = 2;
  const auto [at, fresh] = keepers_.try_emplace(library);
  if (!fresh) return at->second;
  std::set<Id> met{library};
  std::vector<Id> last{library};
  for (int step = 0; step < kSteps; ++step) {
    std::vector<Id> reached;
    for (const Id id : last) {
      for (const auto record : classes_.records(id)) {
        const auto& one = file_.classes[record];
        if (one.origin != Origin::kExternal) continue;
        for (std::uint32_t n = 0; n < one.constants && n < one.names.size();
             ++n) {
          const Id named = classes_.of_name(one.names[n]);
          if (classes_.is_external(named) && met.insert(named).second) {
            reached.push_back(named);
          }
        }
      }
    }
    last = std::move(reached);
  }
  for (const Id id : met) {
    if (classes_.is_external(id) && !classes_.is_internal(id) &&
        classes_.keeps_state(id)) {
      at->second.push_back(id);
    }
  }
  return at->second;
}

// Of what is kept elsewhere the recorder says itself who left it; files have the
// names that rows have for whoever looks at them.
void RowGraph::left_there(
    const std::string& what,
    const std::function<std::string(const std::string&)>& written) {
  constexpr std::string_view kFile = "file ";
  const auto bar = what.rfind('|');
  if (!what.starts_with(kFile) || bar == std::string::npos) {
    return text(AtomKind::kLeft, what);
  }
  const std::string name =
      written(what.substr(kFile.size(), bar - kFile.size()));
  if (name.empty()) return;
  text(AtomKind::kLeft, std::string(kFile) + name + what.substr(bar));
}

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
