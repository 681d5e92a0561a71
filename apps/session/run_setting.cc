// SPDX-License-Identifier: Apache-2.0
// A setting is a set of lines "KEY NAME DIGEST". Each source of a difference adds
// its own: arguments in their order, properties one by one, the zone, files that
// an argument or a property names, the JDK's own files. Two settings are the same
// when the sets are; what differs is named by comparison with the nearest one.
#include "apps/session/run_setting.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "coverage/row/build_choice.h"

namespace rejig::app {

namespace fs = std::filesystem;

namespace {

bool is_of_the_run(std::string_view property) {
  constexpr std::string_view kHeads[] = {"java.class.path=",
                                         "jdk.module.path=",
                                         "sun.java.command=",
                                         "surefire.",
                                         "org.gradle.test.worker=",
                                         "REJIG_",
                                         "java.vm.compressedOopsMode=",
                                         "user.timezone="};
  return std::ranges::any_of(
      kHeads, [&](auto head) { return property.starts_with(head); });
}

// Said by other means: the class path, properties, the recorder.
bool is_said_elsewhere(std::string_view argument) {
  return argument.starts_with("-D") ||
         argument.find("librejig-agent") != std::string_view::npos;
}

// Properties that name a file which the JDK or a library reads by itself,
// often before anybody can see it.
bool names_a_file(std::string_view property) {
  constexpr std::string_view kParts[] = {"config",     "propert",  "polic",
                                         "trustStore", "keyStore", "krb5.conf",
                                         "hosts.file"};
  return std::ranges::any_of(kParts, [&](auto part) {
    return property.find(part) != std::string_view::npos;
  });
}

std::string in_folder(const std::string& path, const std::string& folder) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

std::string content_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "absent";
  if (S_ISREG(info.st_mode)) {
    if (const auto bytes = base::read_file(path); bytes.ok()) {
      return base::to_hex(base::sha256(
          std::as_bytes(std::span<const char>(bytes->data(), bytes->size()))));
    }
  }
  return "unread " + std::to_string(info.st_size) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

// All files below a folder, by name and content; of a file, its content.
std::string tree_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return content_of(path);
  std::vector<std::string> lines;
  for (auto at = fs::recursive_directory_iterator(
           path, fs::directory_options::follow_directory_symlink, error);
       !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    if (fs::is_directory(at->path(), error)) continue;
    lines.push_back(at->path().lexically_relative(path).string() + " " +
                    content_of(at->path().string()));
  }
  std::sort(lines.begin(), lines.end());
  std::string out = error ? "folder, not all of it\n" : "folder\n";
  for (const auto& line : lines) out += line + "\n";
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string zone_of_machine() {
  constexpr std::string_view kFolder = "/zoneinfo/";
  std::error_code error;
  const auto link = fs::canonical("/etc/localtime", error).string();
  const auto at = link.find(kFolder);
  if (!error && at != std::string::npos) {
    return link.substr(at + kFolder.size());
  }
  const auto text = base::read_file("/etc/timezone");
  return text.ok() ? text->substr(0, text->find('\n')) : "";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<std::string> parts_of(std::string_view list, char between) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const auto end = std::min(list.find(between), list.size());
    if (end != 0) out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

}  // namespace

std::string value_of(const std::vector<std::string>& entries,
                     std::string_view name) {
  for (const auto& entry : entries) {
    if (entry.size() > name.size() && entry.starts_with(name) &&
        entry[name.size()] == '=') {
      return entry.substr(name.size() + 1);
    }
  }
  return {};
}

std::string repository_of(const Start& start) {
  std::string out = value_of(start.properties, "maven.repo.local");
  if (out.empty()) out = value_of(start.properties, "localRepository");
  if (out.empty()) {
    const std::string home = value_of(start.properties, "user.home");
    if (!home.empty()) out = home + "/.m2/repository";
  }
  return out;
}

Setting::Setting(const Start& start, Places places)
    : places_(std::move(places)) {
  add_arguments(start);
  add_properties(start);
  add_zone(start);
  add_jdk(start.home);
  std::string all;
  for (const auto& word : words_that_matter(start)) {
    all += word;
    all += '\0';
    const auto end = std::min({word.find('='), word.find(": "), word.size()});
    put("main", word.substr(0, end), word.substr(end));
  }
  put("order", "of what the main class is told", all);
  for (const auto& status : start.assertions) put("assertions", status, "");
  const std::string preloaded = value_of(start.variables, "LD_PRELOAD");
  put("variable", "LD_PRELOAD", preloaded);
  put_files_of("preloaded", preloaded, start.cwd);
}

// "/home/x/project/a" is "$PROJECT/a"; "/home/x/project2" is not.
std::string Setting::without_places(std::string_view text) const {
  const auto goes_on = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           c == '-' || c == '.';
  };
  std::string out;
  while (!text.empty()) {
    bool found = false;
    for (const auto& [place, name] :
         {std::pair<std::string_view, std::string_view>{places_.project,
                                                        "$PROJECT"},
          {places_.repository, "$REPOSITORY"}}) {
      if (place.size() < 2 || !text.starts_with(place) ||
          (!out.empty() && goes_on(out.back())) ||
          (text.size() > place.size() && goes_on(text[place.size()]))) {
        continue;
      }
      out += name;
      text.remove_prefix(place.size());
      found = true;
      break;
    }
    if (found) continue;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

void Setting::put(std::string_view key, std::string_view name,
                  std::string_view value) {
  const std::string text = without_places(value);
  lines_.insert(std::string(key) + " " + one_line(without_places(name)) + " " +
                base::to_hex(base::sha256(std::as_bytes(std::span(text)))));
}

void Setting::put_file(std::string_view key, const std::string& path,
                       const std::string& folder) {
  put(key, path, tree_of(in_folder(path, folder)));
}

void Setting::put_files_of(std::string_view key, std::string_view list,
                           const std::string& folder) {
  for (const auto& path : parts_of(list, ':')) put_file(key, path, folder);
}

void Setting::add_arguments(const Start& start) {
  constexpr std::string_view kLists[] = {
      "-Xbootclasspath/a:", "-Xbootclasspath/p:", "-Xbootclasspath:",
      "--upgrade-module-path="};
  constexpr std::string_view kFiles[] = {
      "-XX:Flags=", "-XX:VMOptionsFile=", "-XX:CompileCommandFile="};
  std::string all;
  for (const auto& argument : start.arguments) {
    if (is_said_elsewhere(argument)) continue;
    all += argument;
    all += '\0';
    const auto equals = std::min(argument.find('='), argument.size());
    put("option", argument.substr(0, equals), argument.substr(equals));
    for (const auto head : kLists) {
      if (argument.starts_with(head)) {
        put_files_of("file", argument.substr(head.size()), start.cwd);
      }
    }
    for (const auto head : kFiles) {
      if (argument.starts_with(head)) {
        put_file("file", argument.substr(head.size()), start.cwd);
      }
    }
    for (const std::string_view head : {"-javaagent:", "-agentpath:"}) {
      if (!argument.starts_with(head)) continue;
      put_file("file", argument.substr(head.size(), equals - head.size()),
               start.cwd);
    }
    if (argument.starts_with("--patch-module=")) {
      const auto path = argument.find('=', equals + 1);
      if (path != std::string::npos) {
        put_files_of("file", argument.substr(path + 1), start.cwd);
      }
    }
  }
  put("order", "of the JVM's options", all);
}

void Setting::add_properties(const Start& start) {
  for (const auto& property : start.properties) {
    if (is_of_the_run(property)) continue;
    const auto equals = std::min(property.find('='), property.size());
    const auto name = property.substr(0, equals);
    // Who asks for such a one has it in the row.
    if (coverage::chooses_tests(name)) continue;
    put("property", name, property.substr(equals));
    if (!names_a_file(name) || equals + 1 >= property.size()) continue;
    // A second = says that it stands alone; some are URLs.
    std::string path = property.substr(equals + 1);
    if (path.starts_with('=')) path.erase(0, 1);
    for (const std::string_view head : {"file://", "file:"}) {
      if (path.starts_with(head)) path.erase(0, head.size());
    }
    std::error_code error;
    if (fs::is_regular_file(in_folder(path, start.directory), error)) {
      put_file("file", path, start.directory);
    }
  }
}

// user.timezone is set when somebody first asks for the zone, to that of TZ or
// of the machine.
void Setting::add_zone(const Start& start) {
  std::string zone = value_of(start.properties, "user.timezone");
  if (zone.empty()) zone = value_of(start.variables, "TZ");
  if (zone.starts_with(':')) zone.erase(0, 1);
  if (zone.starts_with("posix/")) zone.erase(0, 6);
  if (zone.empty()) zone = zone_of_machine();
  if (zone.empty()) zone = "GMT";
  put("time", "zone", zone);
}

// What the JVM and its libraries read from the JDK, classes aside: settings,
// security, time zones. Debian has much of it behind symbolic links.
void Setting::add_jdk(const std::string& home) {
  std::error_code error;
  for (const std::string& base : {home, home + "/jre"}) {
    for (const char* folder : {"conf", "lib/security"}) {
      const std::string path = base + "/" + folder;
      if (!fs::is_directory(path, error)) continue;
      for (auto at = fs::recursive_directory_iterator(
               path, fs::directory_options::follow_directory_symlink, error);
           !error && at != fs::recursive_directory_iterator();
           at.increment(error)) {
        if (fs::is_directory(at->path(), error)) continue;
        put("jdk", at->path().lexically_relative(base).string(),
            content_of(at->path().string()));
      }
      if (error) put("jdk", folder, "not all of it");
    }
    for (const auto& entry : fs::directory_iterator(base + "/lib", error)) {
      constexpr std::string_view kEnds[] = {".dat", ".properties", ".cfg",
                                            ".bfc", ".conf"};
      const std::string name = entry.path().filename().string();
      if (std::ranges::any_of(kEnds,
                              [&](auto end) { return name.ends_with(end); })) {
        put("jdk", "lib/" + name, content_of(entry.path().string()));
      }
    }
  }
  put("jdk", "release", content_of(home + "/release"));
}

std::string Setting::text() const {
  std::string out;
  for (const auto& line : lines_) out += line + "\n";
  return out;
}

std::string Setting::differences(const std::set<std::string>& texts) const {
  constexpr std::size_t kMost = 8;
  std::optional<std::vector<std::string>> nearest;
  for (const auto& text : texts) {
    const auto other = lines_of(text);
    std::vector<std::string> apart;
    std::set_symmetric_difference(lines_.begin(), lines_.end(), other.begin(),
                                  other.end(), std::back_inserter(apart));
    if (!nearest || apart.size() < nearest->size()) nearest = std::move(apart);
  }
  // A line of each, where both have one; the order of options follows from them.
  std::set<std::string> names;
  for (const auto& line : nearest.value_or(std::vector<std::string>())) {
    names.insert(line.substr(0, line.rfind(' ')));
  }
  if (names.size() > 1) {
    std::erase_if(names, [](const auto& n) { return n.starts_with("order "); });
  }
  std::string out;
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (shown++ == kMost) {
      out += " and " + std::to_string(names.size() - kMost) + " more";
      break;
    }
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

}  // namespace rejig::app
