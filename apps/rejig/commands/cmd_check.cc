// SPDX-License-Identifier: Apache-2.0
// rejig check: does the selection of this installation (this JDK, this runner,
// this recorder) hold its promises? Random evolving programs are run for real;
// the work is done by rejig-check.jar in a JVM, this finds what it needs.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/session/recorder_files.h"
#include "apps/session/run_process.h"
#include "apps/session/runner_jars.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr int kExitViolated = 1;
constexpr unsigned kPairs = 200;

struct Options {
  unsigned pairs = 0;
  unsigned seconds = 0;
  unsigned seed = 1;
  unsigned minimise = 40;
  std::string tool;
  std::string runner;
  std::string junit;
  std::string failures = "rejig-check";
  std::string only;
  std::string keep;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

base::Result<std::string> check_jar() {
  const std::string named = variable("REJIG_CHECK_JAR");
  if (!named.empty() && is_file(named)) return fs::absolute(named).string();
  auto jar = find_jar("rejig-check.jar");
  if (jar.ok()) return jar;
  return Error{Errc::kNotFound,
               "the checker's jar was not found; set REJIG_CHECK_JAR to its path",
               "rejig-check.jar"};
}

base::Result<int> run(const Options& o, Context& context) {
  REJIG_TRY(const std::string jar, check_jar());
  REJIG_TRY(const std::string runner, junit4_jars(o.runner));
  REJIG_TRY(const std::string program, this_program());
  REJIG_TRY_VOID(find_recorder());
  const std::string home = variable("JAVA_HOME");
  std::string java = home + "/bin/java";
  if (home.empty() || !is_file(java)) java = "java";
  std::string answer =
      (fs::temp_directory_path() / "rejig-check-XXXXXX").string();
  const int fd = ::mkstemp(answer.data());
  if (fd < 0) return Error{Errc::kIo, "cannot be written", answer};
  ::close(fd);
  const unsigned cores =
      std::max(1U, static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN)));
  unsigned pairs = o.pairs;
  if (pairs == 0 && o.seconds == 0) pairs = kPairs;
  std::vector<std::string> words = {
      java,
      "-Xmx1g",
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      // Class files of a part of what was analysed.
      "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
      "--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED",
      // Java does not ask TMPDIR by itself.
      "-Djava.io.tmpdir=" + fs::temp_directory_path().string(),
      "-cp",
      jar + ":" + runner,
      "rejig.check.Main",
      "rejig=" + program,
      "runner=" + runner,
      "out=" + answer,
      "format=" + context.format,
      "failures=" + o.failures,
      "pairs=" + std::to_string(pairs),
      "seconds=" + std::to_string(o.seconds),
      "seed=" + std::to_string(o.seed),
      "shrink=" + std::to_string(o.minimise),
      "jobs=" + std::to_string(context.jobs == 0 ? cores : context.jobs)};
  if (!o.tool.empty()) words.push_back("tool=" + o.tool);
  if (!o.junit.empty()) words.push_back("junit=" + o.junit);
  if (!o.only.empty()) words.push_back("only=" + o.only);
  if (!o.keep.empty()) words.push_back("keep=" + o.keep);
  if (context.quiet) {
    words.emplace_back("quiet=");
  } else if (::isatty(2) != 0) {
    words.emplace_back("progress=");
  }
  ::unsetenv("JAVA_TOOL_OPTIONS");
  const auto code = run_process(words, {{"REJIG_OFF", ""}}, {});
  const auto text = base::read_file(answer);
  if (code.ok() && *code <= kExitViolated && text.ok()) {
    context.out->write(*text);
  }
  ::unlink(answer.c_str());
  if (!code.ok()) return code.error();
  if (*code == 0 || *code == kExitViolated) return *code;
  return Error{Errc::kIo,
               "the check ended with exit code " + std::to_string(*code), java};
}

int run_check(const Options& o, Context& context) {
  const auto code = run(o, context);
  return code.ok() ? *code : context.trouble(code.error());
}

}  // namespace

Run declare_check(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.option("--pairs", o->pairs,
              "judge at least N pairs of versions (default 200)");
  line.option("--seconds", o->seconds, "begin nothing new after N seconds");
  line.option("--seed", o->seed, "the first program (default 1)", "S");
  line.option("--tool", o->tool,
              "judge this selector instead of rejig: a command that is given "
              "OLD NEW ROWS and prints tests",
              "CMD");
  line.option("--runner", o->runner,
              "the jars of JUnit 4 (default: REJIG_RUNNER, else those in ~/.m2 "
              "or ~/.gradle)",
              "LIST");
  line.option("--junit", o->junit, "write the rules as JUnit XML, too", "FILE");
  line.option("--failures", o->failures,
              "where minimal programs go (default rejig-check)", "DIR");
  line.option("--minimise", o->minimise,
              "seconds to make each of the first three programs small "
              "(default 40)");
  line.option("--only", o->only, "repeat one program or pair", "SEED[:K]");
  line.option("--keep", o->keep, "with --only: its folders stay in DIR", "DIR");
  line.formats({"text", "json"});
  line.footer(
      "The rules are those of RTSCheck (R1 to R7). A pair is named SEED:K and\n"
      "repeats with --only.\n"
      "Exit codes: 0 no rule violated, 1 violated, 2 trouble.\n");
  return [o](Context& context) { return run_check(*o, context); };
}

}  // namespace rejig::app
