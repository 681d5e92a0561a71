// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/run_setting.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <vector>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::app {

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

std::string zone_of_machine() {
  constexpr std::string_view kFolder = "/zoneinfo/";
  std::error_code error;
  const auto link =
      std::filesystem::canonical("/etc/localtime", error).string();
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

}  // namespace

void Setting::put(std::string_view key, std::string_view value) {
  const auto end = std::min(value.find('='), value.size());
  lines_.insert(std::string(key) + " " + std::string(value.substr(0, end)) +
                " " + base::to_hex(base::digest256(value.substr(end))));
}

void Setting::add(std::string_view key, const std::string& value) {
  if (key == "property") {
    if (!is_of_the_run(value)) put(key, value);
    return;
  }
  if (key == "option") return put(key, value);
  for (const std::string_view name :
       {"JAVA_TOOL_OPTIONS=", "JDK_JAVA_OPTIONS=", "_JAVA_OPTIONS="}) {
    if (!value.starts_with(name)) continue;
    std::istringstream words(value.substr(name.size()));
    for (std::string word; words >> word;) {
      if (word.find("librejig-agent") == std::string::npos) put("option", word);
    }
  }
}

void Setting::add_zone(const std::string& property,
                       const std::string& variable) {
  std::string zone = property.empty() ? variable : property;
  if (zone.empty()) zone = zone_of_machine();
  if (zone.starts_with(':')) zone.erase(0, 1);
  for (const char* same : {"", "GMT", "UTC", "Etc/GMT", "Etc/UCT"}) {
    if (zone == same) zone = "Etc/UTC";
  }
  put("zone", "=" + zone);
}

std::string Setting::text() const {
  std::string out;
  for (const auto& line : lines_) out += line + "\n";
  return out;
}

std::string Setting::first_difference(
    const std::set<std::string>& texts) const {
  std::vector<std::string> nearest;
  for (const auto& text : texts) {
    const auto other = lines_of(text);
    std::vector<std::string> apart;
    std::set_symmetric_difference(lines_.begin(), lines_.end(), other.begin(),
                                  other.end(), std::back_inserter(apart));
    if (nearest.empty() || apart.size() < nearest.size()) nearest = apart;
  }
  return nearest.empty() ? "" : nearest[0].substr(0, nearest[0].rfind(' '));
}

}  // namespace rejig::app
