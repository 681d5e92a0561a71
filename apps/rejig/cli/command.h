// SPDX-License-Identifier: Apache-2.0
// What is a command of rejig? A function that declares its options and returns
// what runs once they are read.
//
// To add the command `foo`: write cmd_foo.cc with
//
//     Run declare_foo(CommandLine& line) {
//       auto o = std::make_shared<FooOptions>();
//       line.positional("OLD", o->old_path, "path list of the old version");
//       line.formats({"text", "json"});
//       return [o](Context& context) { return run_foo(*o, context); };
//     }
//
// add `REJIG_COMMAND(foo, "one line of help")` to commands.def, and cmd_foo.cc
// to CMakeLists.txt. main.cc and args.cc stay as they are. The number returned is
// the exit code (contract: 0, 1, 2 trouble, 3).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/cli/memory_use.h"
#include "apps/rejig/cli/output.h"
#include "apps/rejig/report/digest_text.h"
#include "apps/session/work.h"
#include "classfile/base/diagnostics.h"

namespace rejig::app {

inline constexpr int kExitOk = 0;
inline constexpr int kExitTrouble = 2;

// Where a command declares what it accepts. The variables must live until the
// command has run (hold them by a shared_ptr in the returned function).
class CommandLine {
 public:
  virtual ~CommandLine() = default;

  // Names as users write them: "--release", "-x,--extra".
  virtual void positional(const std::string& name, std::string& value,
                          const std::string& help, bool required = true) = 0;
  virtual void positionals(const std::string& name,
                           std::vector<std::string>& values,
                           const std::string& help, bool required = true) = 0;
  virtual void option(const std::string& names, std::string& value,
                      const std::string& help,
                      const std::string& value_name = "TEXT") = 0;
  virtual void option(const std::string& names, unsigned& value,
                      const std::string& help,
                      const std::string& value_name = "N") = 0;
  // May be given several times.
  virtual void options(const std::string& names,
                       std::vector<std::string>& values,
                       const std::string& help,
                       const std::string& value_name = "TEXT") = 0;
  // Two values behind one name: "--jdk OLD NEW".
  virtual void pair(const std::string& names, std::vector<std::string>& values,
                    const std::string& help,
                    const std::string& value_names) = 0;
  virtual void flag(const std::string& names, bool& value,
                    const std::string& help) = 0;
  // One of `allowed`; anything else is a usage error.
  virtual void choice(const std::string& names, std::string& value,
                      const std::vector<std::string>& allowed,
                      const std::string& help) = 0;
  // Completion offers these for an option ("--emit") or a positional ("ACTION"),
  // which may be something else, too.
  virtual void words(const std::string& of,
                     const std::vector<std::string>& some) = 0;
  // The values of --format; the first is the default.
  virtual void formats(const std::vector<std::string>& allowed) = 0;
  // Takes everything behind `--` (a command to run).
  virtual void rest(std::vector<std::string>& values,
                    const std::string& help) = 0;
  // Text below the options in --help.
  virtual void footer(const std::string& text) = 0;
};

// What every command is given: the options shared by all, the two streams.
struct Context : Work {
  Context(Output& answers, Messages& says)
      : Work(says), out(&answers), messages(&says) {}

  bool quiet = false;
  std::string format;
  bool stats = false;  // the phases are printed at the end
  ColorMode color = ColorMode::kAuto;

  Output* out;         // the answer, and nothing else
  Messages* messages;  // everything else
  // Once the work is done and what it worked with is gone; --stats prints it.
  std::optional<MemoryUse> memory_left;

  // Says the error and returns kExitTrouble.
  int trouble(const base::Error& error);
  // Leaves something large to the end of the process: the system takes it back
  // faster than anyone can take it apart.
  template <class T>
  T& keep(std::unique_ptr<T> what) {
    T& stays = *what;
    kept().push_back(std::shared_ptr<void>(std::move(what)));
    return stays;
  }

 private:
  static std::vector<std::shared_ptr<void>>& kept();
};

// How much a report may show where it goes; `all`: as much as it has.
Screen screen_of(const Context& context, bool all);

using Run = std::function<int(Context&)>;

#define REJIG_COMMAND(name, help) Run declare_##name(CommandLine& line);
#define REJIG_HIDDEN_COMMAND REJIG_COMMAND
#include "apps/rejig/cli/commands.def"
#undef REJIG_COMMAND
#undef REJIG_HIDDEN_COMMAND

// Reads argv, runs the command, returns the exit code.
int run(int argc, const char* const* argv);

}  // namespace rejig::app
