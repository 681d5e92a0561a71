// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "apps/rejig/study/study.h"
#include "apps/session/toml_file.h"
#include "classfile/base/file.h"

#define TOML_ENABLE_PARSER 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>


namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

class Reader {
 public:
  Reader(std::string file, fs::path artifacts)
      : file_(std::move(file)), artifacts_(std::move(artifacts)) {}

  base::Result<Study> study(const toml::table& table) const {
    REJIG_TRY_VOID(known(table, {"command", "program"}));
    Study out;
    REJIG_TRY(out.command, words(table, "command", true));
    const auto* programs = table["program"].as_array();
    if (programs == nullptr) return wrong("no [[program]]", table);
    for (const auto& node : *programs) {
      if (!node.is_table()) return wrong("a program is a table", node);
      REJIG_TRY(auto one, program(*node.as_table()));
      out.programs.push_back(std::move(one));
    }
    return out;
  }

 private:
  Error wrong(std::string what, const toml::node& node) const {
    return {Errc::kUsage, std::move(what),
            file_ + ":" + std::to_string(node.source().begin.line)};
  }

  base::Result<void> known(const toml::table& table,
                           const std::vector<std::string_view>& keys) const {
    for (const auto& [key, node] : table) {
      bool found = false;
      for (const auto one : keys) found = found || key.str() == one;
      if (!found) {
        return wrong("unknown key " + std::string(key.str()), node);
      }
    }
    return {};
  }

  base::Result<std::string> text(const toml::table& table,
                                 std::string_view key) const {
    const auto value = table[key].value<std::string>();
    if (!value || value->empty()) {
      return wrong(std::string(key) + " is missing", table);
    }
    return *value;
  }

  base::Result<std::vector<std::string>> words(const toml::table& table,
                                               std::string_view key,
                                               bool required) const {
    std::vector<std::string> out;
    const auto* list = table[key].as_array();
    if (list != nullptr) {
      for (const auto& node : *list) {
        const auto value = node.value<std::string>();
        if (!value) return wrong(std::string(key) + " holds texts", node);
        out.push_back(*value);
      }
    } else if (table.contains(key)) {
      return wrong(std::string(key) + " is a list", table);
    }
    if (out.empty() && required) {
      return wrong(std::string(key) + " is missing", table);
    }
    return out;
  }

  base::Result<std::vector<std::string>> files(const toml::table& table,
                                               std::string_view key,
                                               bool required) const {
    REJIG_TRY(auto out, words(table, key, required));
    for (auto& name : out) {
      name = fs::absolute(artifacts_ / name).lexically_normal().string();
      std::error_code error;
      if (!fs::exists(name, error)) {
        return Error{Errc::kNotFound, "no such file", name};
      }
    }
    return out;
  }

  base::Result<StudyProgram> program(const toml::table& table) const {
    REJIG_TRY_VOID(known(table, {"name", "lib", "arguments", "baseline",
                                 "seconds", "version"}));
    StudyProgram out;
    REJIG_TRY(out.name, text(table, "name"));
    if (table.contains("baseline")) {
      REJIG_TRY(const std::string baseline, text(table, "baseline"));
      if (baseline != "first" && baseline != "neighbour") {
        return wrong("baseline is \"first\" or \"neighbour\"", table);
      }
      out.variants = baseline == "first";
    }
    if (table.contains("seconds")) {
      const auto seconds = table["seconds"].value<unsigned>();
      if (!seconds) return wrong("seconds is a number", table);
      out.seconds = *seconds;
    }
    REJIG_TRY(out.lib, files(table, "lib", false));
    REJIG_TRY(out.arguments, words(table, "arguments", false));
    const auto* versions = table["version"].as_array();
    if (versions == nullptr || versions->size() < 2) {
      return wrong("a program needs two versions", table);
    }
    for (const auto& node : *versions) {
      if (!node.is_table()) return wrong("a version is a table", node);
      const auto& one = *node.as_table();
      REJIG_TRY_VOID(known(one, {"name", "kind", "jars", "tests"}));
      StudyVersion version;
      REJIG_TRY(version.name, text(one, "name"));
      if (one.contains("kind")) {
        REJIG_TRY(version.kind, text(one, "kind"));
      }
      REJIG_TRY(version.jars, files(one, "jars", true));
      REJIG_TRY(version.tests, files(one, "tests", true));
      out.versions.push_back(std::move(version));
    }
    return out;
  }

  std::string file_;
  fs::path artifacts_;
};

}  // namespace

base::Result<Study> read_study(const std::string& path,
                               const std::string& artifacts) {
  REJIG_TRY(const std::string content, base::read_file(path));
  REJIG_TRY(const auto table, parse_toml(content, path));
  return Reader(path, artifacts).study(*table);
}

}  // namespace rejig::app
