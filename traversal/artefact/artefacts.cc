// SPDX-License-Identifier: Apache-2.0
// Which resources, services, manifests, modules and classes came, went or
// changed (channels C9, C11)? Named by path; who opened or missed one is for
// the matrix to say.
#include <algorithm>
#include <iterator>
#include <span>

#include "classfile/program/sight.h"
#include "traversal/artefact/libraries.h"
#include "traversal/describe/edge_texts.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Rule;

namespace {

using FileList = std::vector<const ProgramFile*>;

// Sorted by path; of one path in the order of the search.
std::vector<FileList> by_path(const Program& program) {
  std::vector<FileList> out;
  for (const auto& file : program.resources()) {
    if (out.empty() || out.back().front()->name != file.name) out.emplace_back();
    out.back().push_back(&file);
  }
  return out;
}

// What sight does not tell is read.
bool same_file(const Program& a, const ProgramFile& in_a, const Program& b,
               const ProgramFile& in_b, classfile::Sight seen,
               std::vector<Widened>& widened) {
  if (seen != classfile::Sight::kUnknown) {
    return seen == classfile::Sight::kEqual;
  }
  base::Buffer buffer_a;
  base::Buffer buffer_b;
  const auto x = a.read(in_a, buffer_a);
  const auto y = b.read(in_b, buffer_b);
  if (!x.ok() || !y.ok()) {
    const auto& error = x.ok() ? y.error() : x.error();
    widened.push_back(
        {error.what + "; the file counts as changed", error.where});
    return false;
  }
  return std::ranges::equal(x.value(), y.value());
}

void resources(const Matching& matching, Findings& findings) {
  const Program& a = *matching.worlds.inputs.old_internal;
  const Program& b = *matching.worlds.inputs.new_internal;
  const auto olds = by_path(a);
  const auto news = by_path(b);
  const auto path = [](const FileList& files) { return files.front()->name; };
  // Of paths that have as many files now as before.
  std::vector<classfile::FilePair> pairs;
  std::size_t j = 0;
  for (const FileList& files : olds) {
    while (j < news.size() && path(news[j]) < path(files)) {
      findings.edges.push_back(file_delta(path(news[j++]), "absent", "added"));
    }
    if (j == news.size() || path(news[j]) != path(files)) {
      findings.edges.push_back(file_delta(path(files), "there", "deleted"));
      continue;
    }
    const FileList& others = news[j++];
    if (others.size() != files.size()) {
      Delta count = file_delta(path(files), "there", "changed");
      count.label = "files";
      findings.edges.push_back(std::move(count));
      continue;
    }
    for (std::size_t k = 0; k < files.size(); ++k) {
      pairs.push_back({files[k], others[k]});
    }
  }
  for (; j < news.size(); ++j) {
    findings.edges.push_back(file_delta(path(news[j]), "absent", "added"));
  }
  const auto seen =
      classfile::compare_at_sight(a, b, pairs, matching.worlds.pool);
  std::string_view changed;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [x, y] = pairs[i];
    if (changed == x->name && !changed.empty()) continue;
    if (same_file(a, *x, b, *y, seen[i], findings.widened)) continue;
    changed = x->name;
    findings.edges.push_back(file_delta(changed, "there", "changed"));
  }
}

// Names that only the numbers of other classes make new.
std::vector<Name> new_numbers(const Matching& matching) {
  std::vector<Name> out;
  for (const auto& [old_name, new_name] : matching.renumbered) {
    if (matching.worlds.inputs.old_internal->find_class(new_name) == nullptr) {
      out.push_back(new_name);
    }
  }
  return out;
}

// A class file that is read as a resource counts by its bytes.
void class_files(const Matching& matching, Findings& findings) {
  auto add = [&](Name name, const char* before, const char* after) {
    findings.facets.push_back(
        file_delta(std::string(name) + ".class", before, after));
  };
  for (const ClassPair& pair : matching.changed) {
    if (!pair.forced) add(pair.old_name, "there", "changed");
  }
  for (const Name name : matching.alike) add(name, "there", "changed");
  for (const Name name : matching.removed) add(name, "there", "deleted");
  for (const Name name : matching.added) add(name, "absent", "added");
  for (const Name name : new_numbers(matching)) add(name, "absent", "added");
}

void absence(const Matching& matching, Findings& findings) {
  auto add = [&](Name name, bool was_external) {
    Delta d;
    d.rule = was_external ? Rule::kD21 : Rule::kD22;
    d.channel = was_external ? Channel::kArtefact : Channel::kAbsence;
    d.entity = classfile::dotted(name);
    d.subject = d.entity;
    d.label = "class";
    d.old_fact = was_external ? "an external class" : "absent";
    d.new_fact = "added";
    d.why = was_external ? "`" + d.entity + "` now hides an external class"
                         : "`" + d.entity + "` can be found now";
    findings.edges.push_back(std::move(d));
  };
  for (const Name name : matching.added) {
    const ClassNode* before = matching.worlds.old_world.find(name);
    if (before != nullptr && before->internal) continue;
    add(name, before != nullptr);
  }
  // Who looked for the number finds a class that others call otherwise.
  const auto edges = findings.edges.size();
  for (const Name name : new_numbers(matching)) {
    add(name, matching.worlds.old_world.find(name) != nullptr);
    findings.edges.back().label = "class name";
  }
  std::move(findings.edges.begin() + static_cast<std::ptrdiff_t>(edges),
            findings.edges.end(), std::back_inserter(findings.facets));
  findings.edges.erase(
      findings.edges.begin() + static_cast<std::ptrdiff_t>(edges),
      findings.edges.end());
}

void external(const Matching& matching, Findings& findings) {
  auto add = [&](Name name, Rule rule, const char* before, const char* after) {
    Delta d;
    d.rule = rule;
    d.channel = rule == Rule::kD22 ? Channel::kAbsence : Channel::kArtefact;
    d.entity = classfile::dotted(name);
    d.subject = d.entity;
    d.label = "external class";
    d.old_fact = before;
    d.new_fact = after;
    d.why = "the external class `" + d.entity + "` was " + before +
            " and is " + after;
    findings.edges.push_back(std::move(d));
  };
  for (const Name name : matching.external_changed) {
    add(name, Rule::kD21, "there", "changed");
  }
  for (const Name name : matching.external_removed) {
    add(name, Rule::kD21, "there", "deleted");
  }
  for (const Name name : matching.external_added) {
    add(name, Rule::kD22, "absent", "added");
  }
}

// An archive that a JVM refuses, or cannot open inside another one: what it
// holds is not what the program runs with.
void refused_archives(const Matching& matching, Findings& findings) {
  auto check = [&](const Program& program, const char* side) {
    for (const auto& root : program.roots()) {
      std::vector<std::pair<std::string, std::string>> found;
      for (const auto& container : root->containers()) {
        if (!container.refused.empty()) {
          found.emplace_back(container.prefix, container.refused);
        }
      }
      for (const auto& nested : root->unreadable()) {
        found.emplace_back(nested.in, nested.error.what);
      }
      for (const auto& [in, why] : found) {
        Delta d;
        d.rule = Rule::kD20;
        d.channel = Channel::kArtefact;
        const std::string& path = root->path();
        d.entity = path.substr(path.rfind('/') + 1) + (in.empty() ? "" : "!/") +
                   in;
        d.subject = d.entity;
        d.label = side;
        d.old_fact = d.new_fact = "unusable";
        d.why = "a JVM cannot use `" + d.entity + "`: " + why;
        d.everybody = true;
        findings.widened.push_back({why, d.entity});
        findings.edges.push_back(std::move(d));
      }
    }
  };
  check(*matching.worlds.inputs.old_internal, "old");
  check(*matching.worlds.inputs.new_internal, "new");
  if (matching.worlds.inputs.old_external ==
      matching.worlds.inputs.new_external)
    return;
  for (const Program* one : matching.worlds.inputs.old_external)
    check(*one, "old");
  for (const Program* one : matching.worlds.inputs.new_external)
    check(*one, "new");
}

// Sorted; two archives of one name are there twice.
using DoubtedArchives = std::vector<std::pair<std::string, std::string>>;

// Archives that the JVM of this program may refuse, and why. A stored program
// says in one artefact, which has no file, what lay in which archive.
DoubtedArchives refused_by_some(const Program& internal,
                                std::span<const Program* const> external) {
  DoubtedArchives out;
  const auto add = [&](const Program& program) {
    for (const auto& root : program.roots()) {
      const bool stored = root->file() == nullptr &&
                          root->kind() != classfile::ArtefactKind::kDirectory;
      std::string name;
      if (!stored) {
        name = root->path().substr(root->path().rfind('/') + 1) + "!/";
      }
      for (const auto& container : root->containers()) {
        if (container.refused_by_some.empty()) continue;
        out.emplace_back(name + std::string(container.prefix),
                         container.refused_by_some);
      }
    }
  };
  add(internal);
  for (const Program* one : external) add(*one);
  std::sort(out.begin(), out.end());
  return out;
}

// Whether the JVM in force takes such an archive nobody knows; what both
// programs have it does with both.
void doubted_archives(const Matching& matching, Findings& findings) {
  const auto& in = matching.worlds.inputs;
  const bool same_outside = in.old_external == in.new_external;
  const auto outside = [&](const std::vector<const Program*>& external) {
    return same_outside ? std::span<const Program* const>() : external;
  };
  const auto before =
      refused_by_some(*in.old_internal, outside(in.old_external));
  const auto now = refused_by_some(*in.new_internal, outside(in.new_external));
  const auto add = [&](const auto& these, const auto& those, const char* side) {
    DoubtedArchives only;
    std::ranges::set_difference(these, those, std::back_inserter(only));
    for (const auto& [name, why] : only) {
      Delta d;
      d.rule = Rule::kD20;
      d.channel = Channel::kArtefact;
      d.entity = d.subject = name;
      d.label = side;
      d.old_fact = d.new_fact = "refused by some JVMs";
      d.why = "some JVMs refuse `" + name + "`: " + why;
      d.everybody = true;
      findings.widened.push_back({why, name});
      findings.edges.push_back(std::move(d));
    }
  };
  add(before, now, "old");
  add(now, before, "new");
}

void platform(const Matching& matching, Findings& findings) {
  if (!matching.platform_changed) return;
  Delta d = file_delta("platform", "one JDK", "another one");
  d.file.clear();
  d.label = "environment";
  d.why = "the classes of the platform differ, and everything runs on it";
  d.everybody = true;
  findings.edges.push_back(std::move(d));
}

}  // namespace

void compare_artefacts(const Matching& matching, Findings& findings) {
  resources(matching, findings);
  refused_archives(matching, findings);
  doubted_archives(matching, findings);
  platform(matching, findings);
  compare_libraries(matching, findings);
  if (matching.worlds.inputs.facets_for_rows) {
    class_files(matching, findings);
    compare_listings(matching.worlds, findings);
  }
  absence(matching, findings);
  external(matching, findings);
}

}  // namespace rejig::traversal
