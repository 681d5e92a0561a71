// SPDX-License-Identifier: Apache-2.0
#include "apps/session/own_names.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "classfile/reader/class_view.h"

namespace rejig::app {

using classfile::Artefact;
using classfile::ArtefactKind;
using classfile::Program;
using classfile::ProgramFile;

namespace {

std::string name_of(const Program& program, const ProgramFile& file) {
  base::Buffer buffer;
  const auto bytes = program.read(file, buffer);
  if (!bytes.ok()) return {};
  const auto view = classfile::ClassView::parse(*bytes, "");
  return view.ok() ? std::string(view->name()) : std::string();
}

// A folder in which one class lies where it belongs is the root of a package.
bool is_package_root(const Program& program, std::uint32_t root) {
  return std::ranges::any_of(program.classes(), [&](const auto& file) {
    return file.root == root && name_of(program, file) == file.name;
  });
}

}  // namespace

std::optional<Program> named_as_they_say(const Program& program,
                                         std::deque<std::string>& names) {
  const auto roots = program.roots();
  std::vector<bool> lone(roots.size(), false);
  std::vector<bool> renamed(roots.size(), false);
  bool any = false;
  for (std::uint32_t r = 0; r < roots.size(); ++r) {
    const auto kind = roots[r]->kind();
    lone[r] = kind == ArtefactKind::kClassFile;
    const bool folder = kind == ArtefactKind::kDirectory &&
                        std::ranges::any_of(program.classes(), [&](const auto& f) {
                          return f.root == r;
                        });
    renamed[r] = lone[r] || (folder && !is_package_root(program, r));
    any = any || renamed[r];
  }
  if (!any) return std::nullopt;
  std::vector<ProgramFile> classes;
  std::vector<ProgramFile> resources;
  const auto add = [&](ProgramFile file, bool is_class) {
    if (file.root < renamed.size() && renamed[file.root] &&
        (is_class || lone[file.root])) {
      if (std::string name = name_of(program, file); !name.empty()) {
        file.name = names.emplace_back(std::move(name));
        is_class = true;
      }
    }
    (is_class ? classes : resources).push_back(file);
  };
  for (const auto& file : program.classes()) add(file, true);
  for (const auto& file : program.resources()) add(file, false);
  // The first of a name is the one that counts.
  std::ranges::stable_sort(classes, [](const auto& a, const auto& b) {
    return std::pair(a.name, a.root) < std::pair(b.name, b.root);
  });
  classes.erase(std::unique(classes.begin(), classes.end(),
                            [](const auto& a, const auto& b) {
                              return a.name == b.name;
                            }),
                classes.end());
  std::vector<const Artefact*> lent;
  for (const auto& root : roots) lent.push_back(root.get());
  return Program::of({}, std::move(classes), std::move(resources),
                     std::move(lent));
}

}  // namespace rejig::app
