// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_baseline.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "apps/session/library_digest.h"
#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr const char* kIndex = "class-path";
constexpr const char* kFirst = "rejig-baseline 3";

}  // namespace

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::string Snapshot::copies() const {
  std::string out;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const fs::path copy = fs::path(folder) / std::to_string(i);
    std::error_code error;
    if (!out.empty()) out += ':';
    out += fs::is_directory(copy, error)
               ? copy.string()
               : (copy.string() + fs::path(roots[i]).extension().string());
  }
  return out;
}

std::string Snapshot::library_list() const {
  std::string out;
  for (const auto& library : libraries) {
    if (!out.empty()) out += ':';
    out += library.path;
  }
  return out;
}

base::Result<Snapshot> take_snapshot(const std::vector<std::string>& class_path,
                                     const std::vector<std::string>& internal,
                                     const std::string& folder) {
  Snapshot out;
  out.folder = folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{Errc::kIo, error.message(), folder};
  for (const auto& entry : class_path) {
    const fs::path full = fs::weakly_canonical(entry, error);
    if (!fs::exists(full, error)) continue;
    const bool mine =
        std::any_of(internal.begin(), internal.end(),
                    [&](const auto& root) { return is_below(full, root); });
    const bool is_folder = fs::is_directory(full, error);
    if (!mine && !is_folder) {
      REJIG_TRY(std::string digest, library_digest(full.string()));
      out.libraries.push_back({full.string(), std::move(digest)});
      continue;
    }
    // A folder outside the project is copied too: its content may change.
    const fs::path copy =
        fs::path(folder) / (std::to_string(out.roots.size()) +
                            (is_folder ? "" : full.extension().string()));
    fs::copy(full, copy,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing,
             error);
    if (error) return Error{Errc::kIo, error.message(), full.string()};
    out.roots.push_back(full.string());
  }
  return out;
}

base::Result<std::string> snapshot_text(const Snapshot& s) {
  std::string text =
      std::string(kFirst) + "\njava " + s.java + "\nhome " + s.java_home + "\n";
  for (const auto& root : s.roots) text += "root " + root + "\n";
  for (const auto& library : s.libraries) {
    text += "library " + library.digest + " " + library.path + "\n";
  }
  if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) !=
      3 + s.roots.size() + s.libraries.size()) {
    return Error{Errc::kUnsupported, "a path has a line end", s.folder};
  }
  for (const auto& setting : s.settings) {
    text += "jvm\n";
    std::istringstream lines(setting);
    for (std::string line; std::getline(lines, line);) {
      text += "with " + line + "\n";
    }
  }
  return text + "end\n";
}

base::Result<void> write_snapshot(const Snapshot& snapshot) {
  REJIG_TRY(const std::string text, snapshot_text(snapshot));
  return base::write_file_atomically(snapshot.folder + "/" + kIndex, text);
}

base::Result<Snapshot> read_snapshot(const std::string& folder) {
  REJIG_TRY(const std::string text, base::read_file(folder + "/" + kIndex));
  REJIG_TRY(Snapshot out, parse_snapshot(text, folder));
  out.folder = folder;
  return out;
}

bool same_libraries(const Snapshot& a, const Snapshot& b) {
  return std::equal(a.libraries.begin(), a.libraries.end(), b.libraries.begin(),
                    b.libraries.end(), [](const auto& x, const auto& y) {
                      return fs::path(x.path).filename() ==
                                 fs::path(y.path).filename() &&
                             x.digest == y.digest;
                    });
}

base::Result<Snapshot> parse_snapshot(const std::string& text,
                                      const std::string& where) {
  std::istringstream lines(text);
  std::string line;
  Snapshot out;
  bool ended = false;
  if (!std::getline(lines, line) || line != kFirst) {
    return Error{Errc::kMalformed, "not a baseline of this version", where};
  }
  while (std::getline(lines, line)) {
    const auto blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value =
        blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "java") out.java = value;
    if (key == "home") out.java_home = value;
    if (key == "jvm") out.settings.emplace_back();
    if (key == "with" && !out.settings.empty()) {
      out.settings.back() += value + "\n";
    }
    if (key == "root") out.roots.push_back(value);
    if (key == "library") {
      const auto second = value.find(' ');
      if (second == std::string::npos) break;
      out.libraries.push_back(
          {value.substr(second + 1), value.substr(0, second)});
    }
    ended = key == "end";
  }
  if (!ended) return Error{Errc::kMalformed, "a baseline without end", where};
  return out;
}

std::string signature_of(const std::vector<std::string>& class_path) {
  std::vector<std::string> lines;
  const auto add = [&](const fs::path& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    const auto time = fs::last_write_time(path, error);
    lines.push_back(path.string() + "\n" + std::to_string(size) + "\n" +
                    std::to_string(time.time_since_epoch().count()));
  };
  std::string out;
  for (const auto& entry : class_path) {
    std::error_code error;
    lines.clear();
    if (fs::is_directory(entry, error)) {
      for (auto at = fs::recursive_directory_iterator(entry, error);
           !error && at != fs::recursive_directory_iterator();
           at.increment(error)) {
        add(at->path());
      }
    } else {
      add(entry);
    }
    std::sort(lines.begin(), lines.end());
    out += entry + "\n";
    for (const auto& line : lines) out += line + "\n";
  }
  return base::to_hex(base::digest256(out));
}

std::string baseline_key(const std::string& suite) {
  return "baseline/" + suite;
}

}  // namespace rejig::app
