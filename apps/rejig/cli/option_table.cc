// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/option_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace rejig::app {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

OptionRow row(const std::string& names, std::string value, std::string help) {
  OptionRow r;
  r.names = split(names, ',');
  if (value.find('|') != std::string::npos) r.allowed = split(value, '|');
  r.value = std::move(value);
  r.help = std::move(help);
  return r;
}

// Declares into a row instead of a parser.
class Collector : public CommandLine {
 public:
  explicit Collector(CommandRow& command) : command_(command) {}

  void positional(const std::string& name, std::string&,
                  const std::string& help, bool required) override {
    command_.positionals.push_back({name, help, required, false});
  }
  void positionals(const std::string& name, std::vector<std::string>&,
                   const std::string& help, bool required) override {
    command_.positionals.push_back({name, help, required, true});
  }
  void option(const std::string& names, std::string&, const std::string& help,
              const std::string& value_name) override {
    command_.options.push_back(row(names, value_name, help));
  }
  void option(const std::string& names, unsigned&, const std::string& help,
              const std::string& value_name) override {
    command_.options.push_back(row(names, value_name, help));
  }
  void options(const std::string& names, std::vector<std::string>&,
               const std::string& help,
               const std::string& value_name) override {
    command_.options.push_back(row(names, value_name, help));
    command_.options.back().repeated = true;
  }
  void pair(const std::string& names, std::vector<std::string>&,
            const std::string& help, const std::string& value_names) override {
    command_.options.push_back(row(names, value_names, help));
  }
  void flag(const std::string& names, bool&, const std::string& help) override {
    command_.options.push_back(row(names, "", help));
  }
  void choice(const std::string& names, std::string&,
              const std::vector<std::string>& allowed,
              const std::string& help) override {
    std::string list;
    for (const std::string& each : allowed) {
      list += list.empty() ? each : "|" + each;
    }
    command_.options.push_back(row(names, list, help));
    command_.options.back().allowed = allowed;
  }
  void words(const std::string& of,
             const std::vector<std::string>& some) override {
    for (auto& o : command_.options) {
      if (std::ranges::find(o.names, of) != o.names.end()) o.words = some;
    }
    for (auto& p : command_.positionals) {
      if (p.name == of) p.words = some;
    }
  }
  void formats(const std::vector<std::string>& allowed) override {
    std::string unused;
    choice("--format", unused, allowed, format_help(allowed));
  }
  void rest(std::vector<std::string>&, const std::string& help) override {
    command_.rest = help;
  }
  void footer(const std::string& text) override { command_.footer += text; }

 private:
  CommandRow& command_;
};

}  // namespace

namespace {

// "self_check" is written self-check.
std::string spelled(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
#define REJIG_COMMAND(name, help) \
  {spelled(#name), help, &declare_##name, false},
#define REJIG_HIDDEN_COMMAND(name, help) \
  {spelled(#name), help, &declare_##name, true},
#include "apps/rejig/cli/commands.def"
#undef REJIG_COMMAND
#undef REJIG_HIDDEN_COMMAND
  };
  return all;
}

std::string format_help(const std::vector<std::string>& allowed) {
  return "form of the answer (default " + allowed.front() + ")";
}

bool OptionRow::takes_path() const {
  static constexpr std::string_view kPaths[] = {"FILE", "DIR",   "LIST",
                                                "HOME", "STORE", "JAR"};
  return std::find(std::begin(kPaths), std::end(kPaths), value) !=
         std::end(kPaths);
}

std::vector<CommandRow> command_table() {
  std::vector<CommandRow> table;
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    CommandRow& r = table.emplace_back();
    r.name = command.name;
    r.help = command.help;
    Collector collector(r);
    command.declare(collector);
  }
  return table;
}

std::vector<OptionRow> shared_rows() {
  std::vector<OptionRow> rows;
  for (const SharedOption& o : kSharedOptions) {
    rows.push_back(row(o.names, o.value, o.help));
  }
  return rows;
}

}  // namespace rejig::app
