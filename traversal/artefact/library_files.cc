// SPDX-License-Identifier: Apache-2.0
// Another version of a library: its files, what its manifest tells the JVM, and
// whom its classes concern. Only rows can say who met any of it, so nobody else
// is told (`rejig upgrade` looks at libraries from the program's side).
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traversal/artefact/libraries.h"
#include "traversal/describe/edge_texts.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Rule;

namespace {

constexpr std::string_view kManifest = "META-INF/MANIFEST.MF";

struct File {
  const Program* program = nullptr;
  const ProgramFile* file = nullptr;
};
using Files = std::map<std::string_view, std::vector<File>>;

std::vector<const Program*> libraries(const std::vector<const Program*>& all,
                                      const Program* platform) {
  std::vector<const Program*> out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&](auto* one) { return one != platform; });
  return out;
}

Files files_of(const std::vector<const Program*>& programs) {
  Files out;
  for (const Program* program : programs) {
    for (const auto& file : program->resources()) {
      out[file.name].push_back({program, &file});
    }
  }
  return out;
}

const std::string& path_of(const File& one) {
  return one.program->artefact_of(*one.file).path();
}

// Every release has others of these. Who reads one all the same has it in its
// row.
bool tells_release(std::string_view name) {
  if (!name.starts_with("META-INF/")) return false;
  const auto rest = name.substr(9);
  const auto ends = [&](auto... tails) { return (rest.ends_with(tails) || ...); };
  return name == kManifest || rest.starts_with("maven/") ||
         rest.starts_with("LICENSE") || rest.starts_with("NOTICE") ||
         rest.starts_with("DEPENDENCIES") ||
         ends(".SF", ".RSA", ".DSA", ".EC", "INDEX.LIST");
}

// Lines of a manifest that a JVM acts upon, and those that Package gives.
struct Manifest {
  std::vector<std::string> acts;
  std::vector<std::string> versions;
  auto operator<=>(const Manifest&) const = default;
};

Manifest read_manifest(std::string_view text) {
  std::string whole;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') continue;
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] == ' ') {
      ++i;
      continue;
    }
    whole += text[i];
  }
  Manifest out;
  for (std::size_t from = 0; from < whole.size();) {
    const auto to = std::min(whole.find('\n', from), whole.size());
    std::string line = whole.substr(from, to - from);
    from = to + 1;
    std::string key = line.substr(0, line.find(':'));
    std::ranges::transform(key, key.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (key.starts_with("implementation-") || key.starts_with("specification-")) {
      out.versions.push_back(std::move(line));
      // (Which version folders count is known: `Program`.)
    } else if (key.ends_with("agent-class") || key == "premain-class" ||
               key == "class-path" ||
               key == "sealed" ||
               key.starts_with("add-") || key.starts_with("can-") ||
               key == "boot-class-path" || key == "enable-native-access") {
      out.acts.push_back(std::move(line));
    }
  }
  return out;
}

class LibraryFiles {
 public:
  LibraryFiles(const Matching& matching, Findings& findings)
      : findings_(findings) {
    const auto& in = matching.worlds.inputs;
    olds_ = files_of(libraries(in.old_external, in.old_platform));
    news_ = files_of(libraries(in.new_external, in.new_platform));
  }

  void compare() {
    for (const auto& [name, files] : olds_) {
      const auto other = news_.find(name);
      if (other == news_.end()) {
        say(name, "there", "deleted");
      } else if (!equal(files, other->second)) {
        say(name, "there", "changed");
      }
    }
    for (const auto& [name, files] : news_) {
      if (!olds_.contains(name)) say(name, "absent", "added");
    }
  }

  // What the JVM does otherwise; empty: nothing.
  std::string acts() const {
    const auto lines = [](const std::vector<Manifest>& all) {
      std::vector<std::string> out;
      for (const auto& one : all) {
        out.insert(out.end(), one.acts.begin(), one.acts.end());
      }
      return out;
    };
    const auto before = lines(manifests(olds_));
    const auto now = lines(manifests(news_));
    if (before == now) return {};
    const auto [a, b] = std::ranges::mismatch(before, now);
    return a != before.end() ? *a : b != now.end() ? *b : std::string();
  }
  bool other_versions() const { return manifests(olds_) != manifests(news_); }

 private:
  bool equal(const std::vector<File>& a, const std::vector<File>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (path_of(a[i]) == path_of(b[i]) &&
          a[i].file->entry == b[i].file->entry) {
        continue;
      }
      base::Buffer in_a;
      base::Buffer in_b;
      const auto x = a[i].program->read(*a[i].file, in_a);
      const auto y = b[i].program->read(*b[i].file, in_b);
      if (!x.ok() || !y.ok() || !std::ranges::equal(*x, *y)) return false;
    }
    return true;
  }

  void say(std::string_view name, const char* before, const char* after) {
    Delta d = file_delta(name, before, after);
    d.label = "file of a library";
    (tells_release(name) ? findings_.facets : findings_.edges)
        .push_back(std::move(d));
  }

  static std::vector<Manifest> manifests(const Files& files) {
    std::vector<Manifest> out;
    const auto at = files.find(kManifest);
    if (at == files.end()) return out;
    for (const auto& one : at->second) {
      base::Buffer buffer;
      const auto bytes = one.program->read(*one.file, buffer);
      // Of one that cannot be read: as no other one.
      out.push_back(bytes.ok()
                        ? read_manifest({reinterpret_cast<const char*>(bytes->data()),
                                         bytes->size()})
                        : Manifest{{path_of(one)}, {}});
    }
    return out;
  }

  Findings& findings_;
  Files olds_;
  Files news_;
};

Delta other_library(std::string entity, std::string why) {
  Delta d;
  d.rule = Rule::kD21;
  d.channel = Channel::kArtefact;
  d.entity = d.subject = std::move(entity);
  d.label = "library";
  d.old_fact = "one version";
  d.new_fact = "another one";
  d.why = std::move(why);
  return d;
}

}  // namespace

std::set<std::string, std::less<>> same_library_paths(const Worlds& worlds) {
  const auto paths = [](const std::vector<const Program*>& all) {
    std::set<std::string, std::less<>> out;
    for (const Program* one : all) {
      for (const auto& root : one->roots()) out.insert(root->path());
    }
    return out;
  };
  const auto before = paths(worlds.inputs.old_external);
  const auto now = paths(worlds.inputs.new_external);
  std::set<std::string, std::less<>> out;
  std::ranges::set_intersection(before, now, std::inserter(out, out.end()));
  return out;
}

void compare_libraries(const Matching& matching, Findings& findings) {
  const auto& in = matching.worlds.inputs;
  if (!in.facets_for_rows || in.old_external == in.new_external) return;
  LibraryFiles files(matching, findings);
  files.compare();
  LibraryReach reach(matching);
  if (files.other_versions()) reach.ask_packages();
  reach.spread();
  std::string everybody = reach.everybody();
  if (const std::string line = files.acts(); !line.empty()) {
    everybody = "a library's manifest tells the JVM otherwise: " + line;
  }
  if (!everybody.empty()) {
    Delta d = other_library("libraries", everybody);
    d.everybody = true;
    findings.edges.push_back(std::move(d));
  }
  for (const Name name : reach.reached()) {
    const std::string text = classfile::dotted(name);
    findings.facets.push_back(other_library(
        text, "`" + text + "` may run a class of a library that differs"));
  }
  // Who opens the archive itself, and who asks where libraries lie.
  std::vector<std::string> states = {"property java.class.path"};
  for (const Program* one : libraries(in.old_external, in.old_platform)) {
    for (const auto& root : one->roots()) {
      if (!reach.is_in_both(root->path())) {
        states.push_back("archive " + root->path());
      }
    }
  }
  if (reach.other_drivers()) states.emplace_back("kept drivers");
  for (const Name name : reach.kept_behind()) {
    states.push_back(classfile::dotted(name));
  }
  for (const auto& state : states) {
    Delta d = other_library(state, "a library that differs may leave something "
                                   "else in `" + state + "`");
    d.rule = Rule::kD24;
    d.channel = Channel::kBody;
    findings.facets.push_back(std::move(d));
  }
}

}  // namespace rejig::traversal
