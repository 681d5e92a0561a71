// SPDX-License-Identifier: Apache-2.0
// What can be typed? The one table of commands and options: args.cc parses with
// it, completion scripts and manual pages are written from it.
//
// The options of a command are those its declare_ function declares; those of
// every command stand here. The table owns its strings.
#pragma once

#include <string>
#include <vector>

#include "apps/rejig/cli/command.h"

namespace rejig::app {

struct Command {
  std::string name;
  const char* help;
  Run (*declare)(CommandLine&);
  bool hidden;
};

// Every command in the order of commands.def, hidden ones too.
const std::vector<Command>& commands();

struct SharedOption {
  const char* names;
  const char* value;  // "": a flag; "a|b": one of these
  const char* help;
};

inline constexpr SharedOption kHelpOption{"-h,--help", "", "this text"};
inline constexpr SharedOption kVersionOption{
    "--version", "", "the version, compiler and libraries"};
inline constexpr SharedOption kQuietOption{"-q,--quiet", "",
                                           "say only what is wrong"};
inline constexpr SharedOption kVerboseOption{"-v,--verbose", "",
                                             "say more; -vv even more"};
inline constexpr SharedOption kPagerOption{
    "--no-pager", "", "write to the terminal without REJIG_PAGER, PAGER or less"};
inline constexpr SharedOption kLogOption{
    "--log-file", "FILE",
    "append every message to FILE, a line of JSON each, those that -q hides too"};
inline constexpr SharedOption kOutputOption{
    "-o,--output", "FILE", "write the answer to FILE, whole or not at all"};
inline constexpr SharedOption kColorOption{"--color", "auto|always|never",
                                           "colours (default auto)"};
inline constexpr SharedOption kJobsOption{"-j,--jobs", "N",
                                          "threads (default: one a core)"};
inline constexpr SharedOption kStatsOption{
    "--stats", "",
    "time of each phase and memory on standard error; --stats=json"};
inline constexpr SharedOption kConfigOption{
    "--config", "FILE",
    "settings from FILE instead of the project's rejig.toml"};

inline constexpr SharedOption kSharedOptions[] = {
    kHelpOption,  kVersionOption, kQuietOption, kVerboseOption, kPagerOption,
    kLogOption,
    kOutputOption, kColorOption, kJobsOption,    kStatsOption, kConfigOption};

struct OptionRow {
  std::vector<std::string> names;  // with their dashes, short ones first
  std::string value;               // name of the value, "" for a flag
  std::vector<std::string> allowed;  // when the value is one of a few words
  std::string help;
  bool repeated = false;
  std::vector<std::string> words;  // that are worth offering

  // Whether the value is a path, which completion offers files for.
  bool takes_path() const;
};

struct PositionalRow {
  std::string name;
  std::string help;
  bool required;
  bool many;
  std::vector<std::string> words = {};
};

struct CommandRow {
  std::string name;
  std::string help;
  std::vector<PositionalRow> positionals;
  std::vector<OptionRow> options;  // its own only
  std::string rest;                // help of what stands behind `--`, or ""
  std::string footer;
};

// What --format says of itself.
std::string format_help(const std::vector<std::string>& allowed);

// The visible commands and what they declare.
std::vector<CommandRow> command_table();
// kSharedOptions as rows.
std::vector<OptionRow> shared_rows();

}  // namespace rejig::app
