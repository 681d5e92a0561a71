// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/code_source.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "classfile/base/diagnostics.h"
#include "classfile/program/program.h"

namespace rejig::coverage {

namespace fs = std::filesystem;

namespace {

// "a/b/C" of "a/b/C.class" and of "META-INF/versions/17/a/b/C.class".
std::string class_of_entry(std::string_view entry) {
  constexpr std::string_view kVersions = "META-INF/versions/";
  constexpr std::string_view kClass = ".class";
  if (!entry.ends_with(kClass)) return {};
  entry.remove_suffix(kClass.size());
  if (entry.starts_with(kVersions)) {
    entry.remove_prefix(kVersions.size());
    const auto slash = entry.find('/');
    if (slash != std::string_view::npos) entry.remove_prefix(slash + 1);
  }
  return std::string(entry);
}

}  // namespace

std::string path_of_url(std::string_view location) {
  constexpr std::string_view kScheme = "file:";
  if (!location.starts_with(kScheme)) return {};
  location.remove_prefix(kScheme.size());
  if (location.starts_with("//")) location.remove_prefix(2);
  std::string out;
  for (std::size_t i = 0; i < location.size(); ++i) {
    if (location[i] != '%' || i + 2 >= location.size()) {
      out += location[i];
      continue;
    }
    const std::string hex(location.substr(i + 1, 2));
    char* end = nullptr;
    const long value = std::strtol(hex.c_str(), &end, 16);
    if (end != hex.c_str() + 2) return {};
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

CodeSources::Names CodeSources::look(const std::string& location) {
  Names out;
  const std::string path = path_of_url(location);
  std::error_code error;
  if (path.empty()) return out;
  if (fs::is_directory(path, error)) {
    out.readable = true;
    out.folder = path;
    return out;
  }
  if (!fs::is_regular_file(path, error)) return out;
  base::Diagnostics diagnostics;
  classfile::ProgramOptions options;
  options.follow_class_path = false;
  const auto program = classfile::Program::load({path}, options, diagnostics);
  if (!program.ok() || program->roots().size() != 1) return out;
  for (const auto& entry : program->roots()[0]->entries()) {
    out.held.insert(class_of_entry(entry.name));
  }
  out.readable = true;
  return out;
}

bool CodeSources::lacks(const std::string& location, const std::string& name) {
  const std::scoped_lock lock(mutex_);
  auto at = known_.find(location);
  if (at == known_.end()) at = known_.emplace(location, look(location)).first;
  const Names& names = at->second;
  if (!names.readable) return false;
  if (names.folder.empty()) return names.held.count(name) == 0;
  std::error_code error;
  return !fs::exists(names.folder + "/" + name + ".class", error) && !error;
}

}  // namespace rejig::coverage
