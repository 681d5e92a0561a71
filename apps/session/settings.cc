// SPDX-License-Identifier: Apache-2.0
#include "apps/session/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "apps/session/toml_file.h"
#include "classfile/base/file.h"

#define TOML_ENABLE_PARSER 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>


namespace rejig::app {

namespace fs = std::filesystem;

namespace {

base::Error usage(std::string what, std::string where) {
  return {base::Errc::kUsage, std::move(what), std::move(where)};
}

std::string place(const std::string& file, const toml::source_region& at) {
  return file + ":" + std::to_string(at.begin.line);
}

// One key of one table: where it goes, and its variable, if it has one.
struct Key {
  std::string_view table;
  std::string_view name;
  const char* variable;
  std::optional<std::string> Config::*text = nullptr;
  std::optional<unsigned> Config::*number = nullptr;
  std::optional<bool> Config::*flag = nullptr;
  std::optional<std::vector<std::string>> Config::*list = nullptr;
};

const std::vector<Key>& keys() {
  static const std::vector<Key> kKeys = [] {
    std::vector<Key> out;
    const auto text = [&](std::string_view table, std::string_view name,
                          const char* variable,
                          std::optional<std::string> Config::*to) {
      Key key{table, name, variable};
      key.text = to;
      out.push_back(key);
    };
    const auto number = [&](std::string_view name, const char* variable,
                            std::optional<unsigned> Config::*to) {
      Key key{"select", name, variable};
      key.number = to;
      out.push_back(key);
    };
    const auto list = [&](std::string_view table, std::string_view name,
                          const char* variable,
                          std::optional<std::vector<std::string>> Config::*to) {
      Key key{table, name, variable};
      key.list = to;
      out.push_back(key);
    };
    text("select", "coverage", "REJIG_COVERAGE", &Config::coverage);
    text("select", "suite", "REJIG_SUITE", &Config::suite);
    text("select", "surefire-version", "REJIG_SUREFIRE_VERSION",
         &Config::surefire_version);
    list("select", "assume", "REJIG_ASSUME", &Config::assume);
    Key lower{"select", "allow-lower-bound", "REJIG_ALLOW_LOWER_BOUND"};
    lower.flag = &Config::allow_lower_bound;
    out.push_back(lower);
    number("max-age-days", "REJIG_MAX_AGE_DAYS", &Config::max_age_days);
    number("max-selections", "REJIG_MAX_SELECTIONS", &Config::max_selections);
    text("inputs", "old", "REJIG_OLD", &Config::old_path);
    text("inputs", "new", "REJIG_NEW", &Config::new_path);
    text("inputs", "lib", "REJIG_LIB", &Config::lib);
    text("inputs", "old-lib", "REJIG_OLD_LIB", &Config::old_lib);
    text("inputs", "new-lib", "REJIG_NEW_LIB", &Config::new_lib);
    text("inputs", "jdk", "REJIG_JDK", &Config::jdk);
    text("inputs", "old-jdk", "REJIG_OLD_JDK", &Config::old_jdk);
    text("inputs", "new-jdk", "REJIG_NEW_JDK", &Config::new_jdk);
    text("inputs", "rename", "REJIG_RENAME", &Config::rename);
    text("remote", "url", "REJIG_REMOTE", &Config::remote);
    list("remote", "keys", "REJIG_REMOTE_KEYS", &Config::remote_keys);
    list("classes", "internal", "REJIG_INTERNAL", &Config::internal);
    list("classes", "external", "REJIG_EXTERNAL", &Config::external);
    return out;
  }();
  return kKeys;
}

std::string suggestion(std::string_view word,
                       const std::vector<std::string_view>& known) {
  const auto near = coverage::nearest(word, known);
  return near.empty() ? "" : ", did you mean '" + std::string(near) + "'?";
}

base::Result<std::vector<std::string>> checked_assumptions(
    std::vector<std::string> names, const std::string& where) {
  for (const auto& name : names) {
    const auto known = coverage::assumed_absent(name);
    if (!known.ok()) return usage(known.error().what, where);
  }
  return names;
}

class FileReader {
 public:
  explicit FileReader(std::string file) : file_(std::move(file)) {}

  base::Result<Config> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string_view name = key.str();
      if (name == "always" || name == "resources") {
        const toml::array* entries = node.as_array();
        if (entries == nullptr) return wrong(name, node, "an array of tables");
        for (const auto& entry : *entries) {
          REJIG_TRY_VOID(read_rule(name, entry));
        }
        continue;
      }
      if (name != "select" && name != "inputs" && name != "classes" &&
          name != "remote") {
        return usage("unknown key '" + std::string(name) + "'" +
                         suggestion(name, {"always", "classes", "inputs",
                                           "remote", "resources", "select"}),
                     place(file_, key.source()));
      }
      const toml::table* table = node.as_table();
      if (table == nullptr) return wrong(name, node, "a table");
      for (const auto& [inner, value] : *table) {
        REJIG_TRY_VOID(read_key(name, inner, value));
      }
    }
    return std::move(config_);
  }

 private:
  base::Error wrong(std::string_view name, const toml::node& node,
                    std::string_view wanted) const {
    std::ostringstream type;
    type << node.type();
    return usage("'" + std::string(name) + "' is " + type.str() +
                     ", it must be " + std::string(wanted),
                 place(file_, node.source()));
  }

  base::Result<void> read_key(std::string_view table, const toml::key& name,
                              const toml::node& value) {
    std::vector<std::string_view> known;
    for (const auto& key : keys()) {
      if (key.table != table) continue;
      if (key.name == name.str()) return assign(key, value);
      known.push_back(key.name);
    }
    return usage("unknown key '" + std::string(name.str()) + "' in [" +
                     std::string(table) + "]" + suggestion(name.str(), known),
                 place(file_, name.source()));
  }

  base::Result<void> assign(const Key& key, const toml::node& value) {
    if (key.text != nullptr) {
      const auto text = value.value_exact<std::string>();
      if (!text) return wrong(key.name, value, "a string");
      config_.*key.text = *text;
    } else if (key.flag != nullptr) {
      const auto flag = value.value_exact<bool>();
      if (!flag) return wrong(key.name, value, "true or false");
      config_.*key.flag = *flag;
    } else if (key.number != nullptr) {
      const auto number = value.value_exact<std::int64_t>();
      if (!number || *number < 0 || *number > 1'000'000) {
        return wrong(key.name, value, "a number from 0 to 1000000");
      }
      config_.*key.number = static_cast<unsigned>(*number);
    } else {
      const toml::array* entries = value.as_array();
      if (entries == nullptr)
        return wrong(key.name, value, "a list of strings");
      std::vector<std::string> list;
      for (const auto& entry : *entries) {
        const auto text = entry.value_exact<std::string>();
        if (!text) return wrong(key.name, entry, "a list of strings");
        list.push_back(*text);
      }
      if (key.name == "assume") {
        REJIG_TRY(list, checked_assumptions(std::move(list),
                                            place(file_, value.source())));
      }
      config_.*key.list = std::move(list);
    }
    return {};
  }

  base::Result<void> read_rule(std::string_view array, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(array, node, "an array of tables");
    const bool always = array == "always";
    const std::vector<std::string_view> known =
        always ? std::vector<std::string_view>{"reason", "tests"}
               : std::vector<std::string_view>{"files", "select"};
    std::string first;
    std::string second;
    for (const auto& [key, value] : *table) {
      if (key.str() != known[0] && key.str() != known[1]) {
        return usage("unknown key '" + std::string(key.str()) + "' in [[" +
                         std::string(array) + "]]" +
                         suggestion(key.str(), known),
                     place(file_, key.source()));
      }
      const auto text = value.value_exact<std::string>();
      if (!text) return wrong(key.str(), value, "a string");
      (key.str() == known[0] ? first : second) = *text;
    }
    const auto missing = [&](std::string_view key) {
      return usage(
          "[[" + std::string(array) + "]] needs '" + std::string(key) + "'",
          place(file_, node.source()));
    };
    if (first.empty()) return missing(known[0]);
    if (second.empty()) return missing(known[1]);
    if (always) {
      config_.always.push_back({second, first});
      return {};
    }
    coverage::ResourceRule rule{first, coverage::ResourceVerdict::kTests};
    if (second == "all") {
      rule.verdict = coverage::ResourceVerdict::kAll;
    } else if (second == "inert") {
      rule.verdict = coverage::ResourceVerdict::kInert;
    } else if (second != "tests") {
      return usage("'select' is '" + second +
                       "', it must be tests, all or inert",
                   place(file_, node.source()));
    }
    config_.resources.push_back(std::move(rule));
    return {};
  }

  std::string file_;
  Config config_;
};

std::optional<uid_t> owner_of(const fs::path& path, bool of_link) {
  struct stat info {};
  const int failed = of_link ? ::lstat(path.c_str(), &info)
                             : ::stat(path.c_str(), &info);
  if (failed != 0) return std::nullopt;
  return info.st_uid;
}

std::optional<fs::path> project_file(std::vector<std::string>& refused) {
  std::error_code error;
  fs::path folder = fs::current_path(error);
  if (error) return std::nullopt;
  const auto owner = owner_of(folder, false);
  const auto mine = [&](std::optional<uid_t> who) {
    return who && (who == owner || *who == ::geteuid());
  };
  while (true) {
    const fs::path file = folder / "rejig.toml";
    if (fs::exists(file, error)) {
      const auto target = owner_of(file, false);
      const auto link = owner_of(file, true);
      if ((mine(target) || target == 0) && (mine(link) || link == 0)) {
        return file;
      }
      refused.push_back(file.string() +
                        " belongs to another user and is not followed");
      return std::nullopt;
    }
    if (fs::exists(folder / ".git", error)) return std::nullopt;
    const fs::path parent = folder.parent_path();
    if (parent == folder || !mine(owner_of(parent, false))) {
      return std::nullopt;
    }
    folder = parent;
  }
}

// As a person would write it: relative where that is shorter.
std::string short_name(const std::string& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error || !fs::path(path).is_absolute()) return path;
  const std::string relative = fs::path(path).lexically_relative(here).string();
  return relative.empty() || relative.size() > path.size() ? path : relative;
}

// `from` fills up `config`: what of it makes answers smaller?
void note_narrowing(const Config& config, const std::string& name,
                    Config& from) {
  if (!config.assume && from.assume) {
    for (const auto& what : *from.assume) {
      from.narrowing.push_back(name + ": assume " + what);
    }
  }
  if (!config.allow_lower_bound && from.allow_lower_bound.value_or(false)) {
    from.narrowing.push_back(name + ": allow-lower-bound");
  }
  if (!config.external && from.external) {
    for (const auto& what : *from.external) {
      from.narrowing.push_back(name + ": external " + what);
    }
  }
  for (auto& rule : from.resources) rule.from = name;
}

std::optional<fs::path> user_file() {
  std::error_code error;
  fs::path folder;
  if (const char* xdg = std::getenv("XDG_CONFIG_HOME");
      xdg != nullptr && *xdg == '/') {
    folder = xdg;
  } else if (const char* home = std::getenv("HOME");
             home != nullptr && *home == '/') {
    folder = fs::path(home) / ".config";
  } else {
    return std::nullopt;
  }
  const fs::path file = folder / "rejig" / "config.toml";
  if (fs::exists(file, error)) return file;
  return std::nullopt;
}

base::Result<Config> config_of_file(const std::string& path) {
  REJIG_TRY(const std::string text, base::read_file(path));
  return parse_config(text, path);
}

template <class T>
void fill(std::optional<T>& strong, const std::optional<T>& weak) {
  if (!strong) strong = weak;
}

}  // namespace

base::Result<Config> parse_config(std::string_view text,
                                  const std::string& where) {
  REJIG_TRY(const auto table, parse_toml(text, where));
  return FileReader(where).read(*table);
}

base::Result<Config> config_of_environment(
    const std::function<const char*(const char*)>& get) {
  Config config;
  for (const auto& key : keys()) {
    const char* raw = get(key.variable);
    if (raw == nullptr || *raw == '\0') continue;
    const std::string value = raw;
    if (key.text != nullptr) {
      config.*key.text = value;
    } else if (key.flag != nullptr) {
      if (value != "true" && value != "false" && value != "1" && value != "0") {
        return usage("'" + value + "', it must be true or false", key.variable);
      }
      config.*key.flag = value == "true" || value == "1";
    } else if (key.number != nullptr) {
      unsigned number = 0;
      const char* end = value.data() + value.size();
      const auto [at, error] = std::from_chars(value.data(), end, number);
      if (error != std::errc() || at != end || number > 1'000'000) {
        return usage("'" + value + "', it must be a number from 0 to 1000000",
                     key.variable);
      }
      config.*key.number = number;
    } else {
      std::vector<std::string> list;
      std::istringstream parts(value);
      for (std::string part; std::getline(parts, part, ',');) {
        if (!part.empty()) list.push_back(part);
      }
      if (key.name == "assume") {
        REJIG_TRY(list, checked_assumptions(std::move(list), key.variable));
      }
      config.*key.list = std::move(list);
    }
  }
  return config;
}

Config merged(Config strong, const Config& weak) {
  for (const auto& key : keys()) {
    if (key.text != nullptr) fill(strong.*key.text, weak.*key.text);
    if (key.flag != nullptr) fill(strong.*key.flag, weak.*key.flag);
    if (key.number != nullptr) fill(strong.*key.number, weak.*key.number);
    if (key.list != nullptr) fill(strong.*key.list, weak.*key.list);
  }
  strong.always.insert(strong.always.end(), weak.always.begin(),
                       weak.always.end());
  strong.resources.insert(strong.resources.end(), weak.resources.begin(),
                          weak.resources.end());
  strong.narrowing.insert(strong.narrowing.end(), weak.narrowing.begin(),
                          weak.narrowing.end());
  return strong;
}

base::Result<Config> load_config(const std::string& explicit_path) {
  REJIG_TRY(Config config, config_of_environment([](const char* name) {
              return static_cast<const char*>(std::getenv(name));
            }));
  note_narrowing({}, "the environment", config);
  std::vector<std::string> refused;
  const auto add = [&](const std::string& path) -> base::Result<void> {
    REJIG_TRY(Config weak, config_of_file(path));
    note_narrowing(config, short_name(path), weak);
    config = merged(std::move(config), weak);
    return {};
  };
  if (!explicit_path.empty()) {
    REJIG_TRY_VOID(add(explicit_path));
  } else if (const auto file = project_file(refused)) {
    REJIG_TRY_VOID(add(file->string()));
  }
  if (const auto file = user_file()) REJIG_TRY_VOID(add(file->string()));
  config.refused = std::move(refused);
  return config;
}

base::Result<Config> load_config(Work& work) {
  auto config = load_config(work.config);
  if (config.ok()) {
    for (const auto& text : config->refused) work.listener.warning(text);
  }
  return config;
}

coverage::Policy policy_of(const Config& config) {
  coverage::Policy policy;
  policy.always = config.always;
  policy.resources = config.resources;
  policy.assume = config.assume.value_or(std::vector<std::string>());
  policy.allow_lower_bound = config.allow_lower_bound.value_or(false);
  policy.narrowing = config.narrowing;
  policy.max_age_days = config.max_age_days;
  policy.max_selections = config.max_selections;
  return policy;
}

}  // namespace rejig::app
