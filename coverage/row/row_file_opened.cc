// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/row_file_opened.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "coverage/row/code_source.h"

namespace rejig::coverage {

using classfile::AtomKind;
using classfile::dotted;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClass = ".class";

bool is_about_file(FactKind kind) {
  return kind == FactKind::kFile || kind == FactKind::kAttributes ||
         kind == FactKind::kExists || kind == FactKind::kRealPath ||
         kind == FactKind::kDeclared;
}

Look look_of(const RecordedFact& fact) {
  switch (fact.kind) {
    case FactKind::kAttributes:
      return Look::kAttributes;
    case FactKind::kExists:
      return fact.by_runner ? Look::kFolder : Look::kExists;
    case FactKind::kRealPath:
      return Look::kRealPath;
    default:
      return Look::kContent;
  }
}

// A folder, or what may have been one.
bool may_be_folder(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return !fs::is_regular_file(status);
}

std::optional<std::string> sha256_of(const std::string& path) {
  const auto bytes = base::read_file(path);
  if (!bytes.ok()) return std::nullopt;
  return base::to_hex(
      base::sha256(std::as_bytes(std::span(bytes->data(), bytes->size()))));
}

}  // namespace

OpenedFiles::OpenedFiles(const RowFile& file, const JoinOptions& options)
    : file_(file), options_(options) {
  std::set<std::uint32_t> internal;
  for (const auto& c : file.classes) {
    if (c.origin != Origin::kInternal && c.origin != Origin::kUntouched) {
      continue;
    }
    digests_[c.name].insert(c.digest);
    internal.insert(c.source);
  }
  for (const auto& [id, location] : file.sources) {
    std::string path = path_of_url(location);
    while (path.ends_with('/')) path.pop_back();
    if (!path.empty()) sources_.push_back({path, internal.count(id) != 0});
  }
  std::unordered_set<std::string> seen;
  for (const auto& f : file.facts) {
    if (f.kind == FactKind::kNative) {
      libraries_.insert(f.text.substr(f.text.rfind('/') + 1));
    } else if (is_about_file(f.kind)) {
      // In the order in which the JVM looked.
      const std::string path = absolute(f.text);
      if (seen.insert(path).second && f.absent) made_.insert(path);
    }
  }
}

std::string OpenedFiles::property(const char* key) const {
  const auto at = file_.environment.find(key);
  return at == file_.environment.end() ? std::string() : at->second;
}

std::string OpenedFiles::absolute(const std::string& written) const {
  return written.starts_with('/') ? written
                                  : property("user.dir") + "/" + written;
}

bool OpenedFiles::is_nobodys(const std::string& path) const {
  const std::string home = property("java.home");
  if (!home.empty() && path.starts_with(home + "/")) return true;
  // What the kernel says of the moment is nobody's input (A15).
  for (const char* folder : {"/proc/", "/sys/", "/dev/"}) {
    if (path.starts_with(folder)) return true;
  }
  return std::ranges::any_of(options_.own_folders, [&](const auto& folder) {
    return path == folder || path.starts_with(folder + "/");
  });
}

void OpenedFiles::atoms(const RecordedFact& fact, std::uint64_t seen_by,
                        bool native_code, const Put& put) {
  changed_ = 0;
  if (fact.kind == FactKind::kEntry) return entry(fact, seen_by, put);
  if (fact.kind == FactKind::kNative) return native(fact, seen_by, put);
  const std::string path = absolute(fact.text);
  if (is_nobodys(path)) return;
  if (fact.kind == FactKind::kDeclared) {
    return declared(path, fact, seen_by, put);
  }
  const Look seen = look_of(fact);
  if (fact.by_loader && is_own_reading(path, seen)) return;
  look(path, seen, fact, seen_by, put);
  if (native_code && seen != Look::kContent && seen != Look::kRealPath) {
    look(path, Look::kContent, fact, seen_by, put);
  }
}

std::string OpenedFiles::name_of_written(const std::string& path) const {
  const std::string whole = absolute(path);
  return is_nobodys(whole) ? std::string() : names_of(whole).front();
}

void OpenedFiles::look(const std::string& path, Look look,
                       const RecordedFact& fact, std::uint64_t seen_by,
                       const Put& put) {
  const Source* source = source_of(path);
  const auto state = [&](Look as) {
    put(AtomKind::kRes, state_of(path, as, fact, seen_by));
  };
  if (look == Look::kRealPath || look == Look::kFolder) return state(look);
  const bool reads = look == Look::kContent || look == Look::kAttributes;
  if (source == nullptr) {
    state(look);
  } else if (look == Look::kAttributes) {
    state(Look::kMode);
  }
  const bool is_root = source != nullptr && source->path == path;
  if (is_root && reads && !may_be_folder(path)) {
    if (source->internal) put(AtomKind::kRes, "!/");
    return;
  }
  const bool lists = look == Look::kContent && may_be_folder(path);
  if (lists && source != nullptr) state(look);
  if (is_root && lists) put(AtomKind::kRes, "/");
  for (const auto& name : names_of(path)) {
    if (reads) put(AtomKind::kRes, name);
    put(AtomKind::kResMiss, name);
    if (lists) put(AtomKind::kRes, name + "/");
  }
}

// Below an internal root, and below each folder on the way, which may be a root
// of the class path.
std::vector<std::string> OpenedFiles::names_of(const std::string& path) const {
  std::size_t best = 0;
  for (const auto& root : file_.internal_roots) {
    if (path.starts_with(root + "/")) best = std::max(best, root.size() + 1);
  }
  std::vector<std::string> out{path.substr(best)};
  for (std::size_t at = out[0].find('/'); best != 0 && at != std::string::npos;
       at = out[0].find('/', at + 1)) {
    out.push_back(out[0].substr(at + 1));
  }
  return out;
}

// An archive on the class path is compared entry by entry.
void OpenedFiles::entry(const RecordedFact& fact, std::uint64_t seen_by,
                        const Put& put) {
  const auto mark = fact.text.find("!/");
  if (mark == std::string::npos) return;
  const std::string path = path_of_url("file:" + fact.text.substr(0, mark));
  if (path.empty() || is_nobodys(path)) return;
  std::string name = fact.text.substr(mark + 2);
  const Source* source = source_of(path);
  if (source == nullptr || source->path != path) {
    put(AtomKind::kRes, state_of(path, Look::kContent, fact, seen_by));
  } else if (name.empty() && source->internal) {
    put(AtomKind::kRes, "!/");
  }
  if (name.empty()) return;
  put(AtomKind::kRes, name);
  if (name.ends_with('/')) name.pop_back();
  put(AtomKind::kResMiss, name);
}

void OpenedFiles::declared(const std::string& path, const RecordedFact& fact,
                           std::uint64_t seen_by, const Put& put) {
  const Source* source = source_of(path);
  if (source == nullptr || !source->internal || fact.absent) {
    return look(path, Look::kContent, fact, seen_by, put);
  }
  std::string name = path.substr(source->path.size() + 1);
  put(AtomKind::kResMiss, name);
  name.resize(name.size() - kClass.size());
  put(AtomKind::kRefl, dotted(name));
}

// A name for which no file was tried: nobody knows what was loaded.
void OpenedFiles::native(const RecordedFact& fact, std::uint64_t seen_by,
                         const Put& put) {
  if (fact.text.find('/') != std::string::npos) {
    const std::string path = absolute(fact.text);
    if (!is_nobodys(path)) look(path, Look::kContent, fact, seen_by, put);
  } else if (libraries_.count("lib" + fact.text + ".so") == 0) {
    put(AtomKind::kRes, file_atom("native library " + fact.text, Look::kContent,
                                  "", Known::kNothing));
  }
}

// The state of a file is read once; whether it was so then depends on the
// test.
const std::string& OpenedFiles::state_of(const std::string& path, Look look,
                                         const RecordedFact& fact,
                                         std::uint64_t seen_by) {
  auto& known = states_[{path, look}];
  const auto take = [&](std::string& out, Known what) -> const std::string& {
    if (out.empty()) out = file_atom(path, look, options_.project, what);
    return out;
  };
  if (fact.absent) return take(known.absent, Known::kAbsent);
  // Where the program is elsewhere now, it is compared by names.
  if (source_of(path) != nullptr && (look == Look::kMode || look == Look::kContent)) {
    return take(known.made, Known::kMade);
  }
  if (known.now.empty()) {
    take(known.now, Known::kNow);
    known.changed = look == Look::kContent || look == Look::kAttributes
                        ? file_changed(path)
                        : 0;
  }
  changed_ = std::max(changed_, known.changed);
  if (known.changed > seen_by) return take(known.then, Known::kNothing);
  return was_made(path) ? take(known.made, Known::kMade) : known.now;
}

// The path, or a folder on the way.
bool OpenedFiles::was_made(const std::string& path) const {
  for (auto end = path.size(); end != 0 && end != std::string::npos;
       end = path.rfind('/', end - 1)) {
    if (made_.count(path.substr(0, end)) != 0) return true;
  }
  return false;
}

const OpenedFiles::Source* OpenedFiles::source_of(
    const std::string& path) const {
  const Source* out = nullptr;
  for (const auto& source : sources_) {
    if (path != source.path && !path.starts_with(source.path + "/")) continue;
    if (out == nullptr || out->path.size() < source.path.size()) out = &source;
  }
  return out;
}

// A class file read for a class of the program that has exactly its bytes; what
// a loader asked for where classes of the program came from, or such an archive.
bool OpenedFiles::is_own_reading(const std::string& path, Look look) {
  const Source* source = source_of(path);
  const bool compared = source != nullptr && source->internal;
  if (!path.ends_with(kClass)) return compared && source->path == path;
  if (look != Look::kContent) return compared;
  const auto [at, fresh] = bytes_.try_emplace(path);
  if (fresh) at->second = sha256_of(path);
  return at->second && has_bytes_of_class(path, *at->second);
}

// Below whatever root.
bool OpenedFiles::has_bytes_of_class(std::string_view path,
                                     const std::string& digest) const {
  path.remove_suffix(kClass.size());
  while (true) {
    const auto at = digests_.find(std::string(path));
    if (at != digests_.end() && at->second.count(digest) != 0) return true;
    const auto slash = path.find('/');
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace rejig::coverage
