// SPDX-License-Identifier: Apache-2.0
// rejig init: how does one begin here? Finds the build, writes what a project
// needs where nothing is yet, and says the two commands.
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/desk/build_found.h"
#include "apps/rejig/desk/new_file.h"

namespace rejig::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kIgnored =
    "# What rejig keeps here is of this machine: the recorded rows and the last "
    "program.\n*\n";

std::string settings_of(const BuildFound& build) {
  std::string out = "# Settings of rejig for this project.";
  if (!build.tool.empty()) {
    out += " Tests are run by: rejig run -- " + shell_words(build.test_command);
  }
  return out + R"(
# A line without # counts; an unknown key is an error.

[select]
# Where the recorded rows are; a file that CI jobs share, too.
# coverage = ".rejig/matrix.db"
# Select everything when the rows are older, or have been used as often as this.
# max-age-days = 14
# max-selections = 200

[classes]
# Classes that belong to the program wherever they come from, and those that do not.
# internal = ["com.example.*"]
# external = ["com.example.generated.*"]

# Tests that run whatever changed.
# [[always]]
# tests = "*SmokeTest*"
# reason = "they look at the machine, not at the program"

# What a change of a file that nobody was seen to read means: tests, all or inert.
# [[resources]]
# files = "docs/*"
# select = "inert"
)";
}

int run_init(Context& context) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const BuildFound build = build_of(here);
  Output& out = *context.out;
  out.write(build.tool.empty()
                ? "no build file that rejig knows (Maven, Gradle, sbt, Ant): "
                  "any command that runs tests will do\n"
                : "found " + build.tool + " (" + build.file + ")\n");
  const std::pair<const char*, std::string> files[] = {
      {"rejig.toml", settings_of(build)}, {".rejig/.gitignore", kIgnored}};
  for (const auto& [path, text] : files) {
    const auto made = write_new(path, text);
    if (!made.ok()) return context.trouble(made.error());
    out.write((*made == NewFile::kWritten ? "wrote " : "there is a ") +
              std::string(path) +
              (*made == NewFile::kOther ? ", left as it is\n" : "\n"));
  }
  for (const auto& note : build.notes) context.messages->warning(note);
  const std::string command = build.test_command.empty()
                                  ? "CMD"
                                  : shell_words(build.test_command);
  out.write("\n  rejig run -- " + command +
            "\n      the first time everything runs and is recorded; from then "
            "on only what a change can affect\n"
            "  rejig select\n"
            "      after a change: which tests these are, and why (rejig "
            "explain TEST)\n");
  return kExitOk;
}

}  // namespace

Run declare_init(CommandLine& line) {
  line.footer("Never writes over a file.\nExit codes: 0; 2 trouble.\n");
  return [](Context& context) { return run_init(context); };
}

}  // namespace rejig::app
