// SPDX-License-Identifier: Apache-2.0
// rejig ide idea|vscode|eclipse|vim: a key that runs the affected tests.
#include <algorithm>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/desk/build_found.h"
#include "apps/rejig/desk/ide_files.h"
#include "apps/rejig/desk/new_file.h"

namespace rejig::app {

namespace {

struct Options {
  std::string ide;
  std::vector<std::string> command;
};

IdeAsks asks_of(const std::vector<std::string>& command) {
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  auto words = command;
  if (words.empty()) words = build_of(here).test_command;
  const auto with = [&](const char* what) {
    std::vector<std::string> all = {"rejig", what, "--"};
    all.insert(all.end(), words.begin(), words.end());
    return shell_words(all);
  };
  IdeAsks out{with("run"), with("watch"),
              {"select", "--format", "gcc", "--path-style", "absolute"}};
  for (const auto& folder : source_folders(here)) {
    out.select.insert(out.select.end(), {"--source-root", folder});
  }
  return out;
}

int run_ide(const Options& o, Context& context) {
  const auto& names = ide_names();
  if (std::ranges::find(names, o.ide) == names.end()) {
    return context.trouble({base::Errc::kUsage,
                            "there is idea, vscode, eclipse and vim" +
                                did_you_mean(o.ide, names),
                            o.ide});
  }
  std::error_code error;
  if (o.command.empty() &&
      build_of(std::filesystem::current_path(error)).test_command.empty()) {
    return context.trouble({base::Errc::kUsage,
                            "no build file that rejig knows: say how tests are "
                            "run, rejig ide " +
                                o.ide + " -- CMD",
                            ""});
  }
  for (const auto& file : ide_files(o.ide, asks_of(o.command))) {
    const auto made = write_new(file.path, file.text);
    if (!made.ok()) return context.trouble(made.error());
    if (*made == NewFile::kOther) {
      context.messages->warning(file.path +
                                " is there and left as it is; what rejig would "
                                "write:");
      context.out->write(file.text);
      continue;
    }
    context.out->write((*made == NewFile::kWritten ? "wrote " : "there is ") +
                       file.path + "\n");
  }
  for (const auto& step : ide_steps(o.ide)) context.out->write(step + "\n");
  return kExitOk;
}

}  // namespace

Run declare_ide(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("IDE", o->ide, "idea, vscode, eclipse or vim");
  line.words("IDE", ide_names());
  line.rest(o->command, "what runs the tests (default: as rejig init finds it)");
  line.footer("Never writes over a file.\nExit codes: 0; 2 trouble.\n");
  return [o](Context& context) { return run_ide(*o, context); };
}

}  // namespace rejig::app
