// SPDX-License-Identifier: Apache-2.0
#include "traversal/artefact/libraries.h"

#include <algorithm>
#include <unordered_set>

#include "classfile/words/frameworks.h"
#include "classfile/words/kept_state.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Tag;

namespace {

bool is_of_jdk(std::string_view name) {
  return name.starts_with("java/") || name.starts_with("javax/") ||
         name.starts_with("jdk/") || name.starts_with("sun/") ||
         name.starts_with("com/sun/") || name.starts_with("org/w3c/") ||
         name.starts_with("org/xml/sax/");
}

// "[Lp/A;" names p/A, and so does "p.A" in a text.
std::string class_in(std::string_view text) {
  const auto from = text.find_first_not_of('[');
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from);
  if (text.size() > 2 && text[0] == 'L' && text.back() == ';') {
    text = text.substr(1, text.size() - 2);
  }
  return classfile::slashed(text);
}

}  // namespace

LibraryReach::LibraryReach(const Matching& matching) : matching_(matching) {
  const auto& inputs = matching.worlds.inputs;
  std::unordered_set<const Program*> done;
  const auto each = [&](auto&& visit) {
    done.clear();
    for (const auto* list : {&inputs.old_external, &inputs.new_external}) {
      for (const Program* program : *list) {
        const bool is_platform = program == inputs.old_platform ||
                                 program == inputs.new_platform;
        if (!is_platform && done.insert(program).second) visit(*program);
      }
    }
  };
  same_paths_ = same_library_paths(matching.worlds);
  each([&](const Program& program) {
    for (const auto& file : program.classes()) id_of(file.name);
  });
  each([&](const Program& program) { read(program, false); });
  each([&](const Program& program) { read_services(program); });
  read_services(*inputs.old_internal);
  read_services(*inputs.new_internal);
  read(*inputs.old_internal, true);
  read(*inputs.new_internal, true);
  for (Id user = 0; user < classes_.size(); ++user) {
    auto& names = classes_[user].names;
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const Id named : names) classes_[named].named_by.push_back(user);
  }
  for (const auto* list : {&matching.external_changed, &matching.external_added,
                           &matching.external_removed}) {
    for (const Name name : *list) seeds_.push_back(id_of(name));
  }
}

LibraryReach::Id LibraryReach::id_of(std::string_view name) {
  const auto [at, fresh] =
      ids_.try_emplace(std::string(name), static_cast<Id>(classes_.size()));
  if (fresh) {
    classes_.emplace_back();
    classes_.back().name = matching_.worlds.names.intern(name);
  }
  return at->second;
}

void LibraryReach::read(const Program& program, bool internal) {
  for (const auto& file : program.classes()) {
    const Id id = id_of(file.name);
    classes_[id].internal = classes_[id].internal || internal;
    read_class(program, file, classes_[id]);
  }
}

// A library asks for its own version; the program for anybody's.
bool LibraryReach::asks_of_differing(const Program& program,
                                     const ProgramFile& file,
                                     const Class& cls) const {
  return cls.internal || !same_paths_.contains(program.artefact_of(file).path());
}

// Two versions of a class name what either names.
void LibraryReach::read_class(const Program& program, const ProgramFile& file,
                              Class& out) {
  base::Buffer buffer;
  const auto bytes = program.read(file, buffer);
  const auto view = bytes.ok() ? ClassView::parse_layout(*bytes, file.name)
                               : base::Result<ClassView>(bytes.error());
  if (!view.ok()) {
    // What it does nobody knows.
    if (!out.internal) seeds_.push_back(id_of(file.name));
    return;
  }
  const auto& pool = view->pool();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    std::string_view text = pool.utf8(i);
    if (pool.tag(i) == Tag::kClass || pool.tag(i) == Tag::kString) {
      text = pool.text(i);
    } else if (text.find_first_of("./;") == std::string_view::npos) {
      continue;  // "Z" is also the type boolean
    }
    const std::string name = class_in(text);
    if (name == "java/lang/Package" && asks_of_differing(program, file, out)) {
      out.packages = true;
    }
    if (out.internal) continue;
    if (const auto at = ids_.find(name);
        at != ids_.end() && name != out.name) {
      out.names.push_back(at->second);
    }
  }
  if (out.internal) return;
  classfile::KeptState kept;
  for (const auto& field : view->fields()) {
    kept.field(field.access, field.descriptor);
  }
  out.keeps = out.keeps || kept;
  const auto above = [&](std::string_view name) {
    if (const auto at = ids_.find(name); at != ids_.end()) {
      out.supers.push_back(at->second);
    }
  };
  above(view->super_name());
  for (const auto interface : view->interfaces()) above(interface);
}

void LibraryReach::read_services(const Program& program) {
  constexpr std::string_view kServices = "META-INF/services/";
  for (const auto& file : program.resources()) {
    if (!file.name.starts_with(kServices)) continue;
    const std::string service =
        classfile::slashed(file.name.substr(kServices.size()));
    base::Buffer buffer;
    const auto bytes = program.read(file, buffer);
    if (!bytes.ok()) {
      everybody_ = "nobody can read which services " + program.where(file) +
                   " lists: " + bytes.error().what;
      continue;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()),
                                bytes->size());
    for (std::size_t from = 0; from < text.size();) {
      const auto to = std::min(text.find('\n', from), text.size());
      std::string_view line = text.substr(from, to - from);
      from = to + 1;
      line = line.substr(0, std::min(line.find('#'), line.size()));
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r' ||
                               line.back() == '\t')) {
        line.remove_suffix(1);
      }
      while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) {
        line.remove_prefix(1);
      }
      const auto provider = ids_.find(classfile::slashed(line));
      if (provider == ids_.end()) continue;
      const auto at = ids_.find(service);
      if (at != ids_.end() && !classfile::is_of_framework(service)) {
        classes_[at->second].names.push_back(provider->second);
      } else if (is_there(service)) {
        serves_.emplace(provider->second, service);
      }
    }
  }
}

// Of a class that is nowhere nobody asks for services.
bool LibraryReach::is_there(const std::string& service) const {
  const Worlds& worlds = matching_.worlds;
  return worlds.old_world.find(service) != nullptr ||
         worlds.new_world.find(service) != nullptr ||
         (worlds.inputs.new_platform == nullptr && is_of_jdk(service));
}

void LibraryReach::concern(Id id, std::string_view because) {
  if (concerned_[id]) return;
  concerned_[id] = true;
  todo_.push_back(id);
  const Class& cls = classes_[id];
  if (!everybody_.empty()) return;
  std::string text = "`" + classfile::dotted(cls.name) + "`";
  if (!because.empty()) {
    text += ", which uses `" + classfile::dotted(because) + "`,";
  }
  const auto [first, last] = serves_.equal_range(id);
  for (auto at = first; at != last; ++at) {
    if (at->second == "java/sql/Driver") {
      drivers_ = true;  // the JDK keeps them, and rows say who met them
    } else {
      everybody_ = text + " of a library serves `" +
                   classfile::dotted(at->second) +
                   "`, which anybody may ask for";
    }
  }
  if (classfile::is_of_framework(cls.name)) {
    everybody_ = text + " is the test framework's";
  } else if (is_of_jdk(cls.name)) {
    everybody_ = text + " may take the place of the platform's";
  } else if (cls.internal && !because.empty()) {
    everybody_ = text + " asks for versions of packages";
  }
}

void LibraryReach::spread() {
  concerned_.assign(classes_.size(), false);
  for (const Id id : seeds_) concern(id, {});
  for (Id id = 0; asks_packages_ && id < classes_.size(); ++id) {
    if (classes_[id].packages) concern(id, "java/lang/Package");
  }
  while (!todo_.empty()) {
    const Class& cls = classes_[todo_.back()];
    todo_.pop_back();
    for (const Id user : cls.named_by) concern(user, cls.name);
    for (const Id above : cls.supers) {
      // An extension runs where somebody names it, or as a service.
      if (!classfile::is_of_framework(classes_[above].name)) {
        concern(above, cls.name);
      }
    }
  }
}

std::vector<Name> LibraryReach::reached() const {
  std::vector<bool> differs(classes_.size(), false);
  for (const Id id : seeds_) differs[id] = true;
  std::vector<Name> out;
  for (Id id = 0; id < classes_.size(); ++id) {
    if (concerned_[id] && !differs[id] && !classes_[id].internal) {
      out.push_back(classes_[id].name);
    }
  }
  return out;
}

std::vector<Name> LibraryReach::kept_behind() const {
  std::vector<bool> met(classes_.size(), false);
  std::vector<Id> todo;
  const auto meet = [&](Id id) {
    if (met[id] || !classfile::keeps_for_programs(classes_[id].name)) return;
    met[id] = true;
    todo.push_back(id);
  };
  for (const Id id : seeds_) meet(id);
  std::vector<Name> out;
  while (!todo.empty()) {
    const Class& cls = classes_[todo.back()];
    todo.pop_back();
    if (cls.keeps) out.push_back(cls.name);
    for (const Id named : cls.names) meet(named);
  }
  return out;
}

}  // namespace rejig::traversal
