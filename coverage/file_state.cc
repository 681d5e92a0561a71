// SPDX-License-Identifier: Apache-2.0
#include "coverage/file_state.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::coverage {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefixes[] = {"file:", "look:", "there:"};
constexpr std::string_view kVariable = "env:";
constexpr std::size_t kDigits = 32;

std::string digest_of(std::string_view text) {
  return base::to_hex(
             base::sha256(std::as_bytes(std::span(text.data(), text.size()))))
      .substr(0, kDigits);
}

// Other in each run, by the shell, the build tool or by rejig; the recorder
// leaves out the same.
bool is_of_the_run(std::string_view entry) {
  constexpr std::string_view kHeads[] = {
      "REJIG_", "JAVA_TOOL_OPTIONS=",   "_=", "PWD=", "OLDPWD=",
      "SHLVL=", "SUREFIRE_FORK_NUMBER="};
  return std::ranges::any_of(
      kHeads, [&](auto head) { return entry.starts_with(head); });
}

std::string environment_state() {
  std::array<std::uint8_t, 32> sum{};
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    if (is_of_the_run(entry)) continue;
    const auto one =
        base::sha256(std::as_bytes(std::span(entry.data(), entry.size())));
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] =
          static_cast<std::uint8_t>(sum[i] ^ static_cast<std::uint8_t>(one[i]));
    }
  }
  std::string out;
  for (std::size_t i = 0; i < kDigits / 2; ++i) {
    out += "0123456789abcdef"[sum[i] >> 4];
    out += "0123456789abcdef"[sum[i] & 15];
  }
  return out;
}

std::string variable_state(const std::string& name) {
  if (name == "*") return environment_state();
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "unset" : digest_of(value);
}

std::optional<std::string> folder_state(const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    names.push_back(entry.path().filename().string());
  }
  if (error) return std::nullopt;
  std::sort(names.begin(), names.end());
  std::string text = "folder";
  for (const auto& name : names) text += '\n' + name;
  return base::to_hex(base::digest256(text));
}

std::string full_path(const std::string& name, const std::string& project) {
  return name.starts_with('/') ? name : project + "/" + name;
}

// "STATE:NAME" is not so any more; the name.
std::optional<std::string> changed(
    std::string_view text, std::string_view prefix,
    const std::function<std::optional<std::string>(const std::string&)>&
        state_now) {
  text.remove_prefix(prefix.size());
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string name(text.substr(colon + 1));
  const auto now = state_now(name);
  if (now && *now == text.substr(0, colon)) return std::nullopt;
  return name;
}

}  // namespace

std::optional<std::string> file_state(const std::string& path, Look look) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "absent";
  if (error) return std::nullopt;
  if (fs::is_directory(status)) {
    return look == Look::kContent ? folder_state(path) : "folder";
  }
  if (look == Look::kExists) return "there";
  if (!fs::is_regular_file(status)) return "special";
  const auto content = base::read_file(path);
  if (!content.ok()) return std::nullopt;
  return base::to_hex(base::digest256(std::string_view(*content)));
}

std::string file_atom(const std::string& path, Look look,
                      const std::string& project, bool known) {
  const std::string below = project + "/";
  const bool inside = !project.empty() && path.starts_with(below);
  return std::string(kPrefixes[static_cast<std::size_t>(look)]) +
         (known ? file_state(path, look).value_or("unreadable") : "unknown") +
         ":" + (inside ? path.substr(below.size()) : path);
}

std::uint64_t file_changed(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return 0;
  return static_cast<std::uint64_t>(found.st_ctim.tv_sec) * 1'000'000 +
         static_cast<std::uint64_t>(found.st_ctim.tv_nsec) / 1'000;
}

std::string variable_atom(const std::string& state) {
  const auto equals = state.rfind('=');
  const std::string name = state.substr(0, equals);
  return std::string(kVariable) +
         (equals == std::string::npos ? "unset" : state.substr(equals + 1)) +
         ":" + name;
}

base::Result<std::vector<std::pair<RowId, std::string>>> rows_on_changed_files(
    Matrix& matrix, const std::string& project) {
  std::vector<std::pair<AtomId, std::string>> found;
  const auto look_for = [&](std::string_view prefix, const std::string& kind,
                            const auto& state_now) {
    return matrix.each_atom(
        classfile::AtomKind::kRes, prefix,
        [&](AtomId id, std::string_view text) {
          if (const auto name = changed(text, prefix, state_now)) {
            found.emplace_back(id, kind + *name);
          }
        });
  };
  for (const auto look : {Look::kContent, Look::kAttributes, Look::kExists}) {
    REJIG_TRY_VOID(look_for(kPrefixes[static_cast<std::size_t>(look)],
                            "the file ", [&](const std::string& name) {
                              return file_state(full_path(name, project), look);
                            }));
  }
  REJIG_TRY_VOID(
      look_for(kVariable, "the variable ", [](const std::string& name) {
        return std::optional<std::string>(variable_state(name));
      }));
  std::vector<std::pair<RowId, std::string>> out;
  for (const auto& [id, name] : found) {
    std::vector<RowId> rows;
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    for (const RowId row : rows) out.emplace_back(row, name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace rejig::coverage
