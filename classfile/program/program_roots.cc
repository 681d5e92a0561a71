// SPDX-License-Identifier: Apache-2.0
#include "classfile/program/program_roots.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "classfile/archive/archive_manifest.h"
#include "classfile/base/hash_map.h"

namespace rejig::classfile {

namespace {


bool is_folder(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}
bool is_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}
bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

std::vector<std::string> files_ending(const std::string& folder,
                                      const std::vector<std::string>& ends) {
  std::vector<std::string> out;
  DIR* const dir = ::opendir(folder.c_str());
  if (dir == nullptr) return out;
  while (const dirent* const item = ::readdir(dir)) {
    const std::string_view name = item->d_name;
    const bool wanted = std::any_of(
        ends.begin(), ends.end(),
        [&](const std::string& end) { return name.ends_with(end); });
    if (wanted && name.find(':') == std::string_view::npos) {
      out.push_back(folder + "/" + std::string(name));
    }
  }
  ::closedir(dir);
  std::sort(out.begin(), out.end());
  return out;
}

// What a JDK home stands for; the path itself for everything else.
std::vector<std::string> platform_files(const std::string& path) {
  if (!is_folder(path) ||
      (!is_file(path + "/release") && !is_file(path + "/bin/java"))) {
    return {path};
  }
  if (is_file(path + "/lib/modules")) return {path + "/lib/modules"};
  if (is_file(path + "/jmods/java.base.jmod")) {
    return files_ending(path + "/jmods", {".jmod"});
  }
  for (const std::string& lib : {path + "/jre/lib", path + "/lib"}) {
    if (!is_file(lib + "/rt.jar")) continue;
    std::vector<std::string> out;
    // The order of sun.boot.class.path.
    for (const char* name :
         {"resources.jar", "rt.jar", "sunrsasign.jar", "jsse.jar", "jce.jar",
          "charsets.jar", "jfr.jar"}) {
      const std::string jar = lib + "/" + name;
      if (is_file(jar)) out.push_back(jar);
    }
    return out;
  }
  return {path};
}

std::string real_path(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string out = real;
  std::free(real);
  return out;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
        hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 +
                               hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// The path that a word of Class-Path names, seen from the jar; empty when it is
// no file URL.
std::string resolve(const std::string& jar, std::string_view word) {
  word = word.substr(0, word.find('#'));
  constexpr std::string_view kFile = "file:";
  if (word.starts_with(kFile)) {
    word.remove_prefix(kFile.size());
    if (word.starts_with("//")) {
      word.remove_prefix(2);
      const std::size_t slash = word.find('/');
      if (slash == std::string_view::npos) return "";
      const std::string_view host = word.substr(0, slash);
      if (!host.empty() && host != "localhost") return "";
      word.remove_prefix(slash);
    }
  } else {
    const std::size_t colon = word.find(':');
    const std::size_t slash = word.find('/');
    if (colon != std::string_view::npos && colon < slash) return "";
  }
  const std::string path = percent_decoded(word);
  if (path.empty() || path.front() == '/') return path;
  const std::size_t slash = jar.rfind('/');
  return slash == std::string::npos ? path : jar.substr(0, slash + 1) + path;
}

struct Root {
  std::string path;
  std::string named_by;  // the jar whose Class-Path names it; empty: the caller
};

std::vector<Root> class_path_of(const Artefact& artefact,
                                base::Diagnostics& diagnostics) {
  std::vector<Root> out;
  const EntryId manifest = artefact.containers()[0].manifest;
  if (artefact.kind() != ArtefactKind::kZip || !manifest) return out;
  base::Buffer buffer;
  const auto bytes = artefact.read(manifest, buffer);
  if (!bytes.ok()) {
    diagnostics.widened(bytes.error());
    return out;
  }
  for (const std::string& word : Manifest::parse(*bytes).class_path()) {
    const std::string path = resolve(artefact.path(), word);
    if (path.empty()) {
      diagnostics.note("Class-Path entry \"" + word + "\" is not a file",
                       artefact.path());
    } else {
      out.push_back({path, artefact.path()});
    }
  }
  return out;
}

// A class loader takes a URL that ends in '/' for a folder, any other for a
// jar.
bool loader_would_open(const Root& root) {
  if (!exists(root.path)) return false;
  return is_folder(root.path) == root.path.ends_with('/');
}

}  // namespace

void expand_wildcard(std::string_view item, std::vector<std::string>& out) {
  const bool wildcard =
      item.ends_with('*') && (item.size() == 1 || item[item.size() - 2] == '/');
  if (wildcard) {
    const std::string_view folder = item.substr(0, item.size() - 1);
    const auto jars = files_ending(
        folder.empty() ? "." : std::string(folder.substr(0, folder.size() - 1)),
        {".jar", ".JAR"});
    if (!jars.empty()) {
      out.insert(out.end(), jars.begin(), jars.end());
      return;
    }
  }
  out.emplace_back(item);
}

base::Result<std::vector<std::unique_ptr<Artefact>>> open_roots(
    const std::vector<std::string>& roots, bool follow_class_path,
    base::Diagnostics& diagnostics) {
  std::vector<Root> todo;  // the next one is at the back
  for (auto it = roots.rbegin(); it != roots.rend(); ++it) {
    const auto files = platform_files(*it);
    for (auto file = files.rbegin(); file != files.rend(); ++file) {
      todo.push_back({*file, ""});
    }
  }
  base::HashSet<std::string> seen;
  std::vector<std::unique_ptr<Artefact>> out;
  while (!todo.empty()) {
    const Root root = std::move(todo.back());
    todo.pop_back();
    if (!root.named_by.empty() && !loader_would_open(root)) {
      diagnostics.note(
          "Class-Path of " + root.named_by + " names a file that is not there",
          root.path);
      continue;
    }
    if (root.path.ends_with("/*") && !exists(root.path) &&
        is_folder(root.path.substr(0, root.path.size() - 1))) {
      diagnostics.note("no jar matches", root.path);
      continue;
    }
    if (!seen.insert(real_path(root.path))) continue;
    auto opened = Artefact::open(root.path, diagnostics);
    if (!opened.ok()) {
      if (root.named_by.empty()) return std::move(opened).error();
      diagnostics.widened(opened.error());
      continue;
    }
    out.push_back(std::move(opened).value());
    if (!follow_class_path) continue;
    auto more = class_path_of(*out.back(), diagnostics);
    todo.insert(todo.end(), std::make_move_iterator(more.rbegin()),
                std::make_move_iterator(more.rend()));
  }
  return out;
}

}  // namespace rejig::classfile
