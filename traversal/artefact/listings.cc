// SPDX-License-Identifier: Apache-2.0
// Which folders of the program hold other names now? Whoever listed a folder
// (data-driven tests, component scans, migrations) sees a file or class that
// came or went without ever naming it. Facets for rows, by the folder's name
// and a slash: "cases/", "/" for the roots, "**/" for folders that came or
// went, "!/" for anything at all (an archive that was read as a whole).
#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Rule;

namespace {

using Files = std::span<const ProgramFile>;

// Calls back for each name that one list has more often; both are sorted.
template <class F>
void each_difference(Files a, Files b, F&& found) {
  std::size_t j = 0;
  for (const ProgramFile& file : a) {
    while (j < b.size() && b[j].name < file.name) found(b[j++].name);
    if (j < b.size() && b[j].name == file.name) {
      ++j;
    } else {
      found(file.name);
    }
  }
  for (; j < b.size(); ++j) found(b[j].name);
}

bool has_below(Files files, const std::string& folder) {
  const auto at = std::ranges::lower_bound(files, std::string_view(folder), {},
                                           &ProgramFile::name);
  return at != files.end() && at->name.starts_with(folder);
}

bool has_folder(const Program& program, const std::string& folder) {
  return has_below(program.classes(), folder) ||
         has_below(program.resources(), folder) ||
         has_below(program.shadowed(), folder);
}

using Programs = std::vector<const Program*>;

bool has_folder(const Programs& programs, const std::string& folder) {
  return std::ranges::any_of(programs, [&](const Program* one) {
    return has_folder(*one, folder);
  });
}

class Listings {
 public:
  Listings(const Worlds& worlds, Findings& findings)
      : worlds_(worlds), findings_(findings) {}

  void run() {
    const Program& a = *worlds_.inputs.old_internal;
    const Program& b = *worlds_.inputs.new_internal;
    const Programs olds = {&a};
    const Programs news = {&b};
    const auto note = [&](std::string_view path) {
      other_names(path, olds, news);
    };
    each_difference(a.classes(), b.classes(), note);
    each_difference(a.shadowed(), b.shadowed(), note);
    each_difference(a.resources(), b.resources(), note);
    libraries();
    for (const auto& folder : folders_) add(folder, "changed");
    for (const auto& folder : moved_) add(folder, "added or deleted");
    if (!moved_.empty()) add("**/", "changed");
    const auto is_artefact = [](const Delta& d) {
      return d.rule == Rule::kD20 && d.channel == Channel::kArtefact;
    };
    if (std::ranges::any_of(findings_.edges, is_artefact) ||
        std::ranges::any_of(findings_.facets, is_artefact)) {
      add("!/", "changed");
    }
  }

 private:
  // Of all of them together: which one has a file says another order.
  void libraries() {
    const auto& in = worlds_.inputs;
    if (in.old_external == in.new_external) return;
    const auto files = [](const std::vector<const Program*>& programs,
                          const Program* platform) {
      std::vector<ProgramFile> out;
      for (const Program* one : programs) {
        if (one == platform) continue;
        for (const Files list :
             {one->classes(), one->shadowed(), one->resources()}) {
          out.insert(out.end(), list.begin(), list.end());
        }
      }
      std::ranges::stable_sort(out, {}, &ProgramFile::name);
      return out;
    };
    const auto before = files(in.old_external, in.old_platform);
    const auto now = files(in.new_external, in.new_platform);
    each_difference(Files(before), Files(now), [&](std::string_view path) {
      other_names(path, in.old_external, in.new_external);
    });
  }

  // A file came or went; so did folders that only one program has.
  void other_names(std::string_view path, const Programs& olds,
                   const Programs& news) {
    while (true) {
      const auto slash = path.rfind('/');
      if (slash == std::string_view::npos) {
        folders_.insert("/");
        return;
      }
      path = path.substr(0, slash);
      const std::string folder = std::string(path) + "/";
      if (!folders_.insert(folder).second) return;
      if (has_folder(olds, folder) && has_folder(news, folder)) return;
      moved_.insert(std::string(path));
    }
  }

  void add(const std::string& name, const char* now) {
    Delta d;
    d.rule = Rule::kD20;
    d.channel = Channel::kArtefact;
    d.entity = name;
    d.subject = name;
    d.label = "names";
    d.old_fact = "there";
    d.new_fact = now;
    d.file = name;
    d.why = "the names in `" + name + "` are others now";
    findings_.facets.push_back(std::move(d));
  }

  const Worlds& worlds_;
  Findings& findings_;
  std::set<std::string> folders_;  // with a slash behind
  std::set<std::string> moved_;
};

}  // namespace

void compare_listings(const Worlds& worlds, Findings& findings) {
  Listings(worlds, findings).run();
}

}  // namespace rejig::traversal
