// SPDX-License-Identifier: Apache-2.0
#include "coverage/file_state.h"

#include <algorithm>
#include <filesystem>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::coverage {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "file:";

}  // namespace

std::optional<std::string> file_state(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "absent";
  if (error) return std::nullopt;
  if (fs::is_directory(status)) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      names.push_back(entry.path().filename().string());
    }
    if (error) return std::nullopt;
    std::sort(names.begin(), names.end());
    std::string text = "folder";
    for (const auto& name : names) text += '\n' + name;
    return base::to_hex(base::hash128(text));
  }
  if (!fs::is_regular_file(status)) return "special";
  const auto content = base::read_file(path);
  if (!content.ok()) return std::nullopt;
  return base::to_hex(base::hash128(std::string_view(*content)));
}

std::string file_atom(const std::string& path, const std::string& project) {
  const std::string below = project + "/";
  const bool inside = !project.empty() && path.starts_with(below);
  return std::string(kPrefix) + file_state(path).value_or("unreadable") + ":" +
         (inside ? path.substr(below.size()) : path);
}

base::Result<std::vector<std::pair<RowId, std::string>>> rows_on_changed_files(
    Matrix& matrix, const std::string& project) {
  std::vector<std::pair<AtomId, std::string>> changed;
  REJIG_TRY_VOID(matrix.each_atom(
      classfile::AtomKind::kRes, kPrefix,
      [&](AtomId id, std::string_view text) {
        text.remove_prefix(kPrefix.size());
        const auto colon = text.find(':');
        if (colon == std::string_view::npos) return;
        const std::string was(text.substr(0, colon));
        const std::string name(text.substr(colon + 1));
        const auto now =
            file_state(name.starts_with('/') ? name : project + "/" + name);
        if (!now || *now != was) changed.emplace_back(id, name);
      }));
  std::vector<std::pair<RowId, std::string>> out;
  for (const auto& [id, name] : changed) {
    std::vector<RowId> rows;
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    for (const RowId row : rows) out.emplace_back(row, name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace rejig::coverage
