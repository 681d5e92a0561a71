// SPDX-License-Identifier: Apache-2.0
// rejig self-check: does rejig work on this machine? For each JDK that is found
// a program of two tests is compiled, recorded, changed, and run again: only
// one of the tests may run then. What could not be tried is said, and is no
// failure.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/version.h"
#include "apps/session/recorder_files.h"
#include "apps/session/run_process.h"
#include "apps/session/runner_jars.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;

namespace {

constexpr int kExitBroken = 1;
constexpr std::size_t kKeyWidth = 12;

struct Options {
  std::string runner;
  std::vector<std::string> jdks;
};

constexpr const char* kProduct[] = {
    "package p; public class A { static int f() { return 1; } }\n",
    "package p; public class A { static int f() { return 1 + 0 * "
    "\"x\".length(); } }\n"};
constexpr const char* kTest =
    "package p; public class %T {\n"
    "  @org.junit.Test public void t() { System.out.println(\"RAN:%T\"); %B }\n"
    "}\n";

std::string filled(std::string text, const std::string& key,
                   const std::string& value) {
  for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos;
       at += value.size()) {
    text.replace(at, key.size(), value);
  }
  return text;
}

// What the `release` file of a JDK says; empty: it is none.
std::string version_of(const fs::path& home) {
  const auto text = base::read_file((home / "release").string());
  if (!text.ok()) return {};
  constexpr std::string_view kKey = "JAVA_VERSION=\"";
  const auto at = text->find(kKey);
  if (at == std::string::npos) return {};
  const auto from = at + kKey.size();
  return text->substr(from, text->find('"', from) - from);
}

// $JAVA_HOME, `java` of the PATH, and where systems and SDKMAN put them.
std::vector<fs::path> homes() {
  std::vector<fs::path> out;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& home) {
    std::error_code error;
    const auto real = fs::canonical(home, error);
    if (error || version_of(real).empty() ||
        !fs::is_regular_file(real / "bin/java", error)) {
      return;
    }
    if (seen.insert(real).second) out.push_back(real);
  };
  if (const char* home = std::getenv("JAVA_HOME")) add(home);
  if (const char* path = std::getenv("PATH")) {
    const std::string list(path);
    for (std::size_t from = 0; from <= list.size();) {
      const std::size_t to = std::min(list.find(':', from), list.size());
      std::error_code error;
      const auto java =
          fs::canonical(fs::path(list.substr(from, to - from)) / "java", error);
      if (!error) add(java.parent_path().parent_path());
      from = to + 1;
    }
  }
  std::vector<fs::path> places = {"/usr/lib/jvm", "/opt"};
  if (const char* home = std::getenv("HOME")) {
    places.emplace_back(fs::path(home) / ".sdkman/candidates/java");
    places.emplace_back(fs::path(home) / ".jdks");
  }
  for (const auto& place : places) {
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator each(place, error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
      found.push_back(each->path());
    }
    std::sort(found.begin(), found.end());
    for (const auto& home : found) add(home);
  }
  return out;
}

class SelfCheck {
 public:
  SelfCheck(const Options& o, Context& context) : o_(o), context_(context) {}

  int run() {
    std::string version = version_text();
    say("", version.substr(0, version.find('\n')));
    const auto recorder = find_recorder();
    if (!recorder.ok()) {
      say("recorder", recorder.error().message());
      return kExitBroken;
    }
    say("recorder", recorder->agent);
    const auto runner = junit4_jars(o_.runner);
    say("JUnit",
        runner.ok() ? *runner : "not tried: " + runner.error().message());
    std::vector<fs::path> all(o_.jdks.begin(), o_.jdks.end());
    if (all.empty()) all = homes();
    if (all.empty())
      say("JDK", "none found; set JAVA_HOME, or name one: --jdk HOME");
    if (runner.ok()) {
      for (const auto& home : all) check(home, *runner);
    } else {
      for (const auto& home : all)
        say("JDK " + version_of(home), home.string());
    }
    if (broken_) {
      context_.out->write("\nSomething does not work here; see above.\n");
      return kExitBroken;
    }
    context_.out->write(
        tried_ == 0 ? "\nNothing was found that fails, but no JDK was tried.\n"
                    : "\nEverything works here.\n");
    return kExitOk;
  }

 private:
  void say(const std::string& key, const std::string& text) {
    std::string line = key;
    line.resize(std::max(kKeyWidth, key.size() + 1), ' ');
    context_.out->write(line + text + "\n");
  }

  void fail(const std::string& what, const std::string& output) {
    broken_ = true;
    say("", "FAILED: " + what);
    std::size_t lines = 0;
    for (std::size_t from = 0; from < output.size() && lines < 12; ++lines) {
      const std::size_t to = std::min(output.find('\n', from), output.size());
      context_.out->write("              | " + output.substr(from, to - from) +
                          "\n");
      from = to + 1;
    }
  }

  // Its output, both streams, in `out`.
  static int ran(const fs::path& folder, std::vector<std::string> words,
                 const std::string& home, std::string& out) {
    const std::string log = (folder / "log").string();
    words.insert(
        words.begin(),
        {"/bin/sh", "-c",
         "out=$1; cd \"$2\" || exit 2; shift 2; exec \"$@\" >\"$out\" 2>&1",
         "sh", log, folder.string()});
    Variables variables = {{"JAVA_HOME", home},   {"JAVA_TOOL_OPTIONS", ""},
                           {"_JAVA_OPTIONS", ""}, {"JDK_JAVA_OPTIONS", ""},
                           {"REJIG_OFF", ""},     {"REJIG_COVERAGE", ""}};
    const auto code = run_process(words, variables, {});
    const auto text = base::read_file(log);
    out = text.ok() ? *text : "";
    return code.ok() ? *code : -1;
  }

  static bool wrote(const fs::path& folder, const char* product) {
    bool all =
        base::write_file_atomically((folder / "src/A.java").string(), product)
            .ok();
    for (const auto& [name, body] :
         {std::pair{"AT", "org.junit.Assert.assertEquals(1, A.f());"},
          std::pair{"BT", ""}}) {
      const std::string text = filled(filled(kTest, "%T", name), "%B", body);
      all = all && base::write_file_atomically(
                       (folder / "src" / name).string() + ".java", text)
                       .ok();
    }
    return all;
  }

  void check(const fs::path& home, const std::string& runner) {
    say("JDK " + version_of(home), home.string());
    std::error_code error;
    if (!fs::is_regular_file(home / "bin/javac", error)) {
      say("", "not tried: it has no compiler");
      return;
    }
    std::string pattern =
        (fs::temp_directory_path(error) / "rejig-self-check-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      fail(
          "no folder can be made in " + fs::temp_directory_path(error).string(),
          "");
      return;
    }
    const fs::path folder = pattern;
    try_in(folder, home, runner);
    fs::remove_all(folder, error);
  }

  void try_in(const fs::path& folder, const fs::path& home,
              const std::string& runner) {
    const auto program = this_program();
    if (!program.ok()) return fail(program.error().message(), "");
    std::error_code error;
    fs::create_directories(folder / "src", error);
    fs::create_directories(folder / "main", error);
    ++tried_;
    const auto started = std::chrono::steady_clock::now();
    std::string out;
    for (int version = 0; version < 2; ++version) {
      if (!wrote(folder, kProduct[version]))
        return fail("the folder cannot be written", "");
      if (ran(folder,
              {(home / "bin/javac").string(), "-nowarn", "-cp", runner, "-d",
               "main", "src/A.java", "src/AT.java", "src/BT.java"},
              home.string(), out) != 0) {
        return fail("the compiler of this JDK does not compile two classes",
                    out);
      }
      const int code =
          ran(folder,
              {*program, "run", "--", (home / "bin/java").string(), "-cp",
               "main:" + runner, "org.junit.runner.JUnitCore", "p.AT", "p.BT"},
              home.string(), out);
      if (code != 0)
        return fail("rejig run ended with exit code " + std::to_string(code),
                    out);
      const bool first = out.find("RAN:AT") != std::string::npos;
      const bool second = out.find("RAN:BT") != std::string::npos;
      if (!first || (version == 0 && !second))
        return fail("a test that had to run did not", out);
      if (version == 1 && second) {
        return fail(
            "a test ran that the change cannot affect: nothing is selected "
            "here",
            out);
      }
    }
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - started;
    std::string seconds = std::to_string(took.count());
    seconds.resize(seconds.find_first_of(".,") + 2);
    say("",
        "ok: recorded 2 tests, changed a class, ran the 1 that it affects (" +
            seconds + " s)");
  }

  const Options& o_;
  Context& context_;
  unsigned tried_ = 0;
  bool broken_ = false;
};

}  // namespace

Run declare_self_check(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.options("--jdk", o->jdks, "try this one (default: all that are found)",
               "HOME");
  line.option("--runner", o->runner,
              "the jars of JUnit 4 (default: REJIG_RUNNER, else those in ~/.m2 "
              "or ~/.gradle)",
              "LIST");
  line.footer(
      "Exit codes: 0 all that was tried works, 1 something does not, 2 "
      "trouble.\n");
  return [o](Context& context) { return SelfCheck(*o, context).run(); };
}

}  // namespace rejig::app
