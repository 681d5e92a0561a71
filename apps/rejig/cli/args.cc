// SPDX-License-Identifier: Apache-2.0
// One command line is read by one CLI::App: the first word that is no option
// picks the command, so only that command's options are ever declared.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/option_table.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/cli/version.h"

namespace rejig::app {
namespace {

struct Shared {
  std::string output;
  std::string color = "auto";
  std::string stats;
  std::string config;
  std::string log_file;
  bool version = false;
  bool quiet = false;
  bool no_pager = false;
  int verbose = 0;
  unsigned jobs = 0;
  std::string format;
};

constexpr char kSharedGroup[] = "Options of every command";

constexpr unsigned kMostJobs = 1024;

std::function<std::string(const std::string&)> one_of(
    std::vector<std::string> allowed) {
  return [allowed = std::move(allowed)](const std::string& got) {
    if (std::find(allowed.begin(), allowed.end(), got) != allowed.end()) {
      return std::string();
    }
    std::string text = "'" + got + "' is not one of";
    for (const std::string& each : allowed) text += " " + each;
    return text + did_you_mean(got, allowed);
  };
}

class CliCommandLine : public CommandLine {
 public:
  CliCommandLine(CLI::App& app, Shared& shared)
      : app_(app), shared_(shared) {}

  void positional(const std::string& name, std::string& value,
                  const std::string& help, bool required) override {
    app_.add_option(name, value, help)
        ->required(required)
        ->type_name("");
  }
  void positionals(const std::string& name, std::vector<std::string>& values,
                   const std::string& help, bool required) override {
    app_.add_option(name, values, help)
        ->required(required)
        ->type_name("");
  }
  void option(const std::string& names, std::string& value,
              const std::string& help, const std::string& value_name) override {
    app_.add_option(names, value, help)->type_name(value_name);
  }
  void option(const std::string& names, unsigned& value,
              const std::string& help, const std::string& value_name) override {
    app_.add_option(names, value, help)->type_name(value_name);
  }
  void options(const std::string& names, std::vector<std::string>& values,
               const std::string& help,
               const std::string& value_name) override {
    app_.add_option(names, values, help)
        ->type_name(value_name)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  void pair(const std::string& names, std::vector<std::string>& values,
            const std::string& help,
            const std::string& value_names) override {
    app_.add_option(names, values, help)->type_name(value_names)->expected(2);
  }
  void flag(const std::string& names, bool& value,
            const std::string& help) override {
    app_.add_flag(names, value, help);
  }
  void choice(const std::string& names, std::string& value,
              const std::vector<std::string>& allowed,
              const std::string& help) override {
    std::string list;
    for (const std::string& each : allowed) {
      list += list.empty() ? each : "|" + each;
    }
    app_.add_option(names, value, help)
        ->type_name(list)
        ->check(one_of(allowed));
  }
  void words(const std::string&, const std::vector<std::string>&) override {}
  void formats(const std::vector<std::string>& allowed) override {
    shared_.format = allowed.front();
    choice("--format", shared_.format, allowed, format_help(allowed));
  }
  void rest(std::vector<std::string>& values,
            const std::string& help) override {
    rest_ = &values;
    app_.footer(app_.get_footer() + "  -- CMD...  " + help + "\n");
  }
  void footer(const std::string& text) override {
    app_.footer(app_.get_footer() + text);
  }

  std::vector<std::string>* rest() const { return rest_; }

 private:
  CLI::App& app_;
  Shared& shared_;
  std::vector<std::string>* rest_ = nullptr;
};

void declare_shared(CLI::App& app, Shared& s) {
  app.set_help_flag(kHelpOption.names, kHelpOption.help)->group(kSharedGroup);
  const auto flag = [&](const SharedOption& o, auto& value) {
    app.add_flag(o.names, value, o.help)->group(kSharedGroup);
  };
  const auto option = [&](const SharedOption& o, auto& value) {
    return app.add_option(o.names, value, o.help)
        ->type_name(o.value)
        ->group(kSharedGroup);
  };
  flag(kVersionOption, s.version);
  flag(kQuietOption, s.quiet);
  flag(kVerboseOption, s.verbose);
  flag(kPagerOption, s.no_pager);
  option(kLogOption, s.log_file);
  option(kOutputOption, s.output);
  option(kColorOption, s.color)->check(one_of({"auto", "always", "never"}));
  option(kJobsOption, s.jobs)->check([](const std::string& got) -> std::string {
    unsigned n = 0;
    const bool number = CLI::detail::lexical_cast(got, n);
    return number && n >= 1 && n <= kMostJobs
               ? ""
               : "'" + got + "' is not a number of 1 to " +
                     std::to_string(kMostJobs);
  });
  app.add_flag(std::string(kStatsOption.names) + "{text}", s.stats,
               kStatsOption.help)
      ->group(kSharedGroup);
  option(kConfigOption, s.config);
}

bool takes_value(std::string_view word) {
  return word == "-o" || word == "--output" || word == "--color" ||
         word == "-j" || word == "--jobs" || word == "--config" ||
         word == "--format";
}

std::vector<std::string> shared_option_names() {
  std::vector<std::string> names = {"--format"};
  for (const OptionRow& row : shared_rows()) {
    names.insert(names.end(), row.names.begin(), row.names.end());
  }
  return names;
}

// As it stands in front of the command: "-q", "-vv", "-j4", "--color=never".
bool is_shared_option(const std::string& word) {
  const auto names = shared_option_names();
  const std::string name = word.starts_with("--")
                               ? word.substr(0, word.find('='))
                               : word.substr(0, 2);
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string usage() {
  std::string text =
      "rejig: which tests can a change to JVM classes affect?\n\n"
      "Usage: rejig COMMAND [OPTIONS] ...\n\nCommands:\n";
  for (const Command& c : commands()) {
    if (c.hidden) continue;
    std::string name = c.name;
    name.resize(std::max<std::size_t>(name.size() + 1, 12), ' ');
    text += "  " + name + c.help + "\n";
  }
  return text +
         "\n'rejig COMMAND --help' shows the options of a command, "
         "'rejig --version' the version.\n"
         "Exit codes: 0 success, 1 command-specific, 2 error, 3 everything "
         "selected (with --strict).\n";
}

void put(std::FILE* to, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

int usage_error(const std::string& text, const std::string& command) {
  put(stderr, "rejig: error: " + text + "\nTry 'rejig " +
                  (command.empty() ? "" : command + " ") + "--help'.\n");
  return kExitTrouble;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string explain(const CLI::ParseError& e, const CLI::App& app,
                    const std::string& command, bool has_rest) {
  const std::vector<std::string> left = app.remaining();
  if (dynamic_cast<const CLI::ExtrasError*>(&e) == nullptr || left.empty()) {
    return e.what();
  }
  const std::string word = left.front().substr(0, left.front().find('='));
  if (!word.starts_with('-')) {
    std::string text = "unexpected argument '" + word + "'";
    if (has_rest) {
      text += "; the command to run stands behind --: rejig " + command + " --";
      for (const auto& one : left) text += " " + one;
    }
    return text;
  }
  return "unknown option '" + word + "'" +
         did_you_mean(word, option_names(app));
}

void print_stats(const Context& context, const std::string& form) {
  std::string text;
  if (form == "json") text = "{\"phases\":[";
  bool first = true;
  for (const auto& phase : context.phases.phases()) {
    char row[160];
    if (form == "json") {
      std::snprintf(row, sizeof row,
                    "%s{\"name\":\"%s\",\"depth\":%u,\"wall_ms\":%.3f,"
                    "\"cpu_ms\":%.3f}",
                    first ? "" : ",", phase.name.c_str(), phase.depth,
                    phase.wall_ms, phase.cpu_ms);
    } else {
      std::snprintf(row, sizeof row, "%*s%-*s %9.1f ms wall %9.1f ms cpu\n",
                    static_cast<int>(2 * phase.depth), "",
                    static_cast<int>(30 - 2 * std::min(phase.depth, 10u)),
                    phase.name.c_str(), phase.wall_ms, phase.cpu_ms);
    }
    text += row;
    first = false;
  }
  const auto left = context.memory_left;
  if (const auto use = memory_use()) {
    constexpr double kMegabyte = 1 << 20;
    if (form == "json") {
      text += "],\"memory\":{\"peak_bytes\":" + std::to_string(use->peak);
      if (left) text += ",\"left_bytes\":" + std::to_string(left->own);
      text += "}}\n";
    } else {
      char row[160];
      std::snprintf(row, sizeof row, "%-30s %9.1f MB peak", "memory",
                    static_cast<double>(use->peak) / kMegabyte);
      text += row;
      if (left) {
        std::snprintf(row, sizeof row, " %9.1f MB still in use when it was done",
                      static_cast<double>(left->own) / kMegabyte);
        text += row;
      }
      text += "\n";
    }
  } else if (form == "json") {
    text += "]}\n";
  }
  put(stderr, text);
}

int run_command(const Command& command, std::vector<std::string> words) {
  CLI::App app(command.help, std::string("rejig ") + command.name);
  Shared shared;
  CliCommandLine line(app, shared);
  const Run body = command.declare(line);
  declare_shared(app, shared);

  if (line.rest() != nullptr) {
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (dashes != words.end()) {
      line.rest()->assign(dashes + 1, words.end());
      words.erase(dashes, words.end());
    }
  }
  try {
    std::reverse(words.begin(), words.end());  // CLI11 wants the last one first
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    std::string text = app.help();
    const auto at = text.find("[OPTIONS]");
    if (line.rest() != nullptr && at != std::string::npos) {
      const auto end = std::min(text.find('\n', at), text.size());
      text.insert(end, " -- CMD...");
    }
    put(stdout, text);
    return kExitOk;
  } catch (const CLI::ParseError& e) {
    if (shared.version) {
      put(stdout, version_text());
      return kExitOk;
    }
    return usage_error(
        explain(e, app, command.name, line.rest() != nullptr), command.name);
  }
  if (shared.version) {
    put(stdout, version_text());
    return kExitOk;
  }

  const ColorMode color = shared.color == "always"  ? ColorMode::kAlways
                          : shared.color == "never" ? ColorMode::kNever
                                                    : ColorMode::kAuto;
  Messages messages(color, shared.quiet);
  Output out(shared.output, !shared.no_pager);
  Context context(out, messages);
  context.quiet = shared.quiet;
  context.verbose = shared.verbose;
  context.format = shared.format;
  context.jobs = shared.jobs;
  context.stats = !shared.stats.empty();
  context.color = color;
  context.config = shared.config;
  if (!shared.log_file.empty()) {
    const auto logs = messages.log_to(shared.log_file, command.name);
    if (!logs.ok()) return context.trouble(logs.error());
  }
  if (auto opened = out.open(); !opened.ok()) {
    return context.trouble(opened.error());
  }
  int code = kExitTrouble;
  {
    const auto all = context.phases.scope(command.name);
    code = body(context);
    messages.end_progress();
    if (auto closed = out.close(); !closed.ok()) {
      code = context.trouble(closed.error());
    }
  }
  if (!shared.stats.empty()) print_stats(context, shared.stats);
  return code;
}

}  // namespace

std::vector<std::shared_ptr<void>>& Context::kept() {
  static auto* const all = new std::vector<std::shared_ptr<void>>;
  return *all;
}

Screen screen_of(const Context& context, bool all) {
  Screen out;
  if (const auto size = context.out->terminal()) {
    constexpr unsigned kLeast = 20;
    out.width = size->width;
    out.rows = std::max(size->rows, kLeast);
  }
  if (all) out.rows = 0;
  out.color = context.out->color(context.color);
  out.verbose = context.verbose > 0;
  return out;
}

int Context::trouble(const base::Error& error) {
  messages->error(error.message());
  return kExitTrouble;
}

int run(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-')) {
    const std::string& word = words[at];
    if (word == "--version") {
      put(stdout, version_text());
      return kExitOk;
    }
    if (word == "-h" || word == "--help") {
      put(stdout, usage());
      return kExitOk;
    }
    if (!is_shared_option(word)) {
      return usage_error("unknown option '" + word + "'" +
                             did_you_mean(word, shared_option_names()),
                         "");
    }
    at += takes_value(word) ? 2 : 1;
  }
  if (at >= words.size()) {
    put(stderr, usage());
    return kExitTrouble;
  }
  std::string name = words[at];
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
  if (name == "help") {
    if (words.empty()) {
      put(stdout, usage());
      return kExitOk;
    }
    name = words.front();
    words = {"--help"};
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return run_command(command, std::move(words));
    if (!command.hidden) names.push_back(command.name);
  }
  return usage_error("unknown command '" + name + "'" +
                         did_you_mean(name, names),
                     "");
}

}  // namespace rejig::app
