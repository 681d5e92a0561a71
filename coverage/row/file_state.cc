// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/file_state.h"

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

constexpr std::string_view kPrefixes[] = {"file:",  "look:", "mode:",
                                          "there:", "real:", "make:"};
constexpr Look kLooks[] = {Look::kContent, Look::kAttributes, Look::kMode,
                           Look::kExists,  Look::kRealPath,   Look::kFolder};
constexpr std::string_view kAbsent = "absent";
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

// Of the environment, or of the properties that stand beside it ("-DNAME").
std::string environment_state(const Environment& variables, bool properties) {
  std::array<std::uint8_t, 32> sum{};
  for (const std::string_view entry : variables) {
    if (is_of_the_run(entry) || entry.starts_with("-D") != properties) continue;
    // Surefire tells each JVM of its own files; the class path has a state.
    if (entry.starts_with("-Dsurefire.") ||
        entry.starts_with("-Djava.class.path=")) {
      continue;
    }
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

// Names and kinds; rejig's own folder is nobody's input.
std::optional<std::string> folder_state(const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    std::string name = entry.path().filename().string();
    if (name == ".rejig") continue;
    std::error_code broken;
    const auto status = entry.status(broken);
    name += fs::is_directory(status)      ? '/'
            : fs::is_regular_file(status) ? ' '
                                          : '?';
    names.push_back(std::move(name));
  }
  if (error) return std::nullopt;
  std::sort(names.begin(), names.end());
  std::string text = "folder";
  for (const auto& name : names) text += '\n' + name;
  return base::to_hex(base::digest256(text));
}

std::string relative_to(const std::string& project, const std::string& path) {
  const std::string below = project + "/";
  const bool inside = !project.empty() && path.starts_with(below);
  return inside ? path.substr(below.size()) : path;
}

// What is not there leads where its folder leads.
std::optional<std::string> real_path_state(const std::string& path,
                                           const std::string& project,
                                           bool there) {
  std::error_code error;
  const auto real = fs::weakly_canonical(path, error);
  if (error) return std::nullopt;
  const auto home = fs::weakly_canonical(project, error).string();
  return base::to_hex(base::digest256((there ? "there " : "absent ") +
                                    relative_to(home, real.string())));
}

// Mode bits and the text of a link.
std::optional<std::string> mode_state(const std::string& path) {
  std::error_code error;
  std::string out;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    out = "link " + fs::read_symlink(path, error).string() + " ";
    if (error) return std::nullopt;
  }
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return out;
  if (error) return std::nullopt;
  return out + std::to_string(static_cast<unsigned>(status.permissions()));
}

// Without the links on the way.
std::optional<std::string> plain_state(const std::string& path, Look look) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return std::string(kAbsent);
  if (error) return std::nullopt;
  if (look == Look::kFolder) return fs::is_directory(status) ? kAbsent.data() : "file";
  if (fs::is_directory(status)) {
    return look == Look::kContent ? folder_state(path) : "folder";
  }
  if (!fs::is_regular_file(status)) return "special";
  if (look == Look::kExists || look == Look::kMode) return "there";
  const auto content = base::read_file(path);
  if (!content.ok()) return std::nullopt;
  return base::to_hex(base::digest256(std::string_view(*content)));
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
  for (std::string_view states = text.substr(0, colon); now;) {
    const auto slash = states.find('/');
    if (states.substr(0, slash) == *now) return std::nullopt;
    if (slash == std::string_view::npos) break;
    states.remove_prefix(slash + 1);
  }
  return name;
}

}  // namespace

std::optional<std::string> file_state(const std::string& path, Look look,
                                      const std::string& project) {
  if (look == Look::kRealPath) {
    std::error_code error;
    const bool there = fs::exists(path, error);
    if (error) return std::nullopt;
    return real_path_state(path, project, there);
  }
  auto plain = plain_state(path, look);
  if (!plain || (look != Look::kAttributes && look != Look::kMode)) {
    return plain;
  }
  const auto mode = mode_state(path);
  if (!mode) return std::nullopt;
  if (mode->empty()) return plain;
  return base::to_hex(base::digest256(*mode + " " + *plain));
}

std::string file_atom(const std::string& path, Look look,
                      const std::string& project, Known known) {
  const auto now = [&] {
    return file_state(path, look, project).value_or("unreadable");
  };
  const auto absent = [&] {
    return look == Look::kRealPath
               ? real_path_state(path, project, false).value_or("unreadable")
               : std::string(kAbsent);
  };
  std::string state = "unknown";
  switch (known) {
    case Known::kNothing:
      break;
    case Known::kNow:
      state = now();
      break;
    case Known::kAbsent:
      state = absent();
      break;
    case Known::kMade:
      state = absent() + "/" + now();
      break;
  }
  return std::string(kPrefixes[static_cast<std::size_t>(look)]) + state + ":" +
         relative_to(project, path);
}

std::uint64_t file_changed(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return 0;
  return static_cast<std::uint64_t>(found.st_ctim.tv_sec) * 1'000'000 +
         static_cast<std::uint64_t>(found.st_ctim.tv_nsec) / 1'000;
}

std::string variable_state(const std::string& name,
                           const Environment& variables) {
  if (name == "*") return environment_state(variables, false);
  if (name == "-D*") return environment_state(variables, true);
  for (const std::string_view entry : variables) {
    if (entry.size() > name.size() && entry[name.size()] == '=' &&
        entry.starts_with(name)) {
      return digest_of(entry.substr(name.size() + 1));
    }
  }
  return std::string(kUnset);
}

std::string variable_atom(const std::string& state) {
  const auto equals = state.rfind('=');
  const std::string name = state.substr(0, equals);
  return std::string(kVariable) +
         (equals == std::string::npos ? std::string(kUnset)
                                      : state.substr(equals + 1)) +
         ":" + name;
}

Environment own_environment() {
  Environment out;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    out.emplace_back(*at);
  }
  return out;
}

base::Result<std::vector<std::pair<RowId, std::string>>> rows_on_changed_files(
    Matrix& matrix, const std::string& project, const Environment& variables) {
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
  for (const auto look : kLooks) {
    REJIG_TRY_VOID(look_for(
        kPrefixes[static_cast<std::size_t>(look)], "the file ",
        [&](const std::string& name) {
          return file_state(full_path(name, project), look, project);
        }));
  }
  REJIG_TRY_VOID(
      look_for(kVariable, "the variable ", [&](const std::string& name) {
        return std::optional<std::string>(variable_state(name, variables));
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
