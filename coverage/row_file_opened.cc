// SPDX-License-Identifier: Apache-2.0
#include "coverage/row_file_opened.h"

#include <algorithm>

namespace rejig::coverage {

using classfile::AtomKind;
using classfile::slashed;

OpenedFiles::OpenedFiles(const RowFile& file, const JoinOptions& options)
    : file_(file), options_(options) {
  for (const auto& c : file.classes) classes_.insert(c.name);
  for (const auto& f : file.facts) {
    if (f.kind == FactKind::kAskedClass || f.kind == FactKind::kLoadedClass) {
      classes_.insert(slashed(f.text));
    }
  }
}

std::string OpenedFiles::property(const char* key) const {
  const auto at = file_.environment.find(key);
  return at == file_.environment.end() ? std::string() : at->second;
}

void OpenedFiles::atoms(const std::string& written, Look look,
                        std::uint64_t seen_by, const Put& put) {
  const std::string path =
      written.starts_with('/') ? written : property("user.dir") + "/" + written;
  const std::string home = property("java.home");
  if (!home.empty() && path.starts_with(home + "/")) return;
  // What the kernel says of the moment is nobody's input (A15).
  for (const char* folder : {"/proc/", "/sys/", "/dev/"}) {
    if (path.starts_with(folder)) return;
  }
  for (const auto& folder : options_.own_folders) {
    if (path.starts_with(folder + "/")) return;
  }
  std::size_t best = 0;
  for (const auto& root : file_.internal_roots) {
    if (path.starts_with(root + "/")) best = std::max(best, root.size() + 1);
  }
  const std::string name = path.substr(best);
  if (is_own_reading(name)) return;
  if (!on_class_path(path)) {
    put(AtomKind::kRes, state_of(path, look, seen_by));
  }
  put(AtomKind::kRes, name);
  put(AtomKind::kResMiss, name);
  // The class path's roots below an internal root name the same file so.
  for (std::size_t at = name.find('/'); best != 0 && at != std::string::npos;
       at = name.find('/', at + 1)) {
    put(AtomKind::kRes, name.substr(at + 1));
    put(AtomKind::kResMiss, name.substr(at + 1));
  }
}

// The state of a file is read once; whether it was so then depends on the
// test.
const std::string& OpenedFiles::state_of(const std::string& path, Look look,
                                         std::uint64_t seen_by) {
  auto& known = states_[{path, look}];
  if (known.now.empty()) {
    known.now = file_atom(path, look, options_.project, true);
    known.then = file_atom(path, look, options_.project, false);
    known.changed = look == Look::kExists ? 0 : file_changed(path);
  }
  return known.changed > seen_by ? known.then : known.now;
}

// Below a folder, or the archive, that classes came from: compared with the
// program.
bool OpenedFiles::on_class_path(const std::string& path) const {
  for (const auto& [id, location] : file_.sources) {
    constexpr std::string_view kScheme = "file:";
    if (!location.starts_with(kScheme)) continue;
    std::string root = location.substr(kScheme.size());
    while (root.ends_with('/')) root.pop_back();
    if (path == root || path.starts_with(root + "/")) return true;
  }
  return false;
}

// A class file that a loader read for a class that was loaded or asked for,
// below whatever root.
bool OpenedFiles::is_own_reading(std::string_view path) const {
  if (!path.ends_with(".class")) return false;
  path.remove_suffix(6);
  while (true) {
    if (classes_.count(std::string(path)) != 0) return true;
    const auto slash = path.find('/');
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace rejig::coverage
