// SPDX-License-Identifier: Apache-2.0
// What stands behind the main class of a test JVM says which tests run, where
// their reports go, and what tests themselves can ask for (configuration
// parameters, parameters of TestNG's suites). Only the last is of interest, and
// every word that nobody here knows. Of words that name files the content
// counts.
#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/session/run_setting.h"
#include "classfile/base/file.h"
#include "coverage/row/build_choice.h"

namespace rejig::app {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;
using Names = std::vector<std::string_view>;

constexpr std::uintmax_t kLargestFile = 1 << 24;

bool is_one_of(std::string_view word, const Names& names) {
  return std::ranges::find(names, word) != names.end();
}

std::string in_folder(const std::string& path, const std::string& folder) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// As argument files are written: words between blanks, quotes around some, a
// line of # is a comment.
Words words_of(const std::string& text) {
  Words out;
  std::string word;
  bool open = false;
  char quote = 0;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (comment) {
      comment = c != '\n';
      continue;
    }
    if (quote != 0) {
      if (c == '\\' && i + 1 < text.size()) {
        word += text[++i];
      } else if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
      continue;
    }
    if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      if (open) out.push_back(word);
      word.clear();
      open = false;
    } else if (c == '#' && !open) {
      comment = true;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) out.push_back(word);
  return out;
}

Words with_argument_files(const Words& words, const std::string& folder,
                          int depth) {
  constexpr int kDeepest = 8;
  Words out;
  for (const auto& word : words) {
    const std::string path = word.size() > 1 && word[0] == '@' && word[1] != '@'
                                 ? in_folder(word.substr(1), folder)
                                 : "";
    const auto text = path.empty() || depth > kDeepest || !is_file(path)
                          ? base::Result<std::string>(base::Error{})
                          : base::read_file(path);
    if (!text.ok()) {
      out.push_back(word);
      continue;
    }
    const auto inner = with_argument_files(words_of(*text), folder, depth + 1);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

// Options that are left out: with their value, and without one.
struct Dropped {
  Names with_value;
  Names alone;
  std::string_view short_letters;  // -cVALUE
  bool plain_words = false;        // names of tests
};

Words without(const Words& words, const Dropped& dropped) {
  Words out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto name =
        std::string_view(word).substr(0, std::min(word.find('='), word.size()));
    if (is_one_of(name, dropped.with_value)) {
      if (name.size() == word.size() && i + 1 < words.size()) ++i;
      continue;
    }
    // Their value may be left out.
    if (is_one_of(name, dropped.alone)) {
      const bool value = name.starts_with("--scan-") &&
                         name.size() == word.size() && i + 1 < words.size() &&
                         !words[i + 1].starts_with('-');
      if (value) ++i;
      continue;
    }
    if (word.size() > 2 && word[0] == '-' && word[1] != '-' &&
        !word.starts_with("-cp") &&
        dropped.short_letters.find(word[1]) != std::string_view::npos) {
      continue;
    }
    if (dropped.plain_words && !word.starts_with('-')) continue;
    out.push_back(word);
  }
  return out;
}

const Dropped& of_console() {
  static const Dropped dropped{
      {"-c",
       "-m",
       "-p",
       "-u",
       "-f",
       "-d",
       "-o",
       "-r",
       "-i",
       "-n",
       "-N",
       "-t",
       "-T",
       "-e",
       "-E",
       "--uid",
       "--select",
       "--select-class",
       "--select-method",
       "--select-package",
       "--select-uri",
       "--select-file",
       "--select-directory",
       "--select-module",
       "--select-resource",
       "--select-iteration",
       "--select-unique-id",
       "--include-classname",
       "--exclude-classname",
       "--include-methodname",
       "--exclude-methodname",
       "--include-package",
       "--exclude-package",
       "--include-tag",
       "--exclude-tag",
       "--include-engine",
       "--exclude-engine",
       "--reports-dir",
       "--details",
       "--details-theme",
       "--color-palette"},
      {"--scan-classpath", "--scan-class-path", "--scan-modules",
       "--disable-banner", "--disable-ansi-colors", "--single-color",
       "--fail-if-no-tests", "execute"},
      "cmpufdorinNtTeE"};
  return dropped;
}

const Dropped& of_testng() {
  static const Dropped dropped{
      {"-testclass", "-methods", "-groups", "-excludegroups", "-testnames",
       "-d", "-suitename", "-testname", "-verbose", "-log"},
      {},
      ""};
  return dropped;
}

const Dropped& of_scalatest() {
  static const Dropped dropped{{"-s", "-w", "-m", "-n", "-l", "-t", "-z", "-A",
                                "-i", "-q", "-u", "-h", "-f", "-fW"},
                               {"-o", "-oW", "-oF", "-oD", "-oDF"},
                               ""};
  return dropped;
}

Words of_ant(const Words& words) {
  constexpr std::string_view kHeads[] = {
      "propsfile=",  "formatter=",          "methods=",
      "testsfile=",  "crashfile=",          "threadid=",
      "showoutput=", "outputtoformatters=", "logtestlistenerevents="};
  Words out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (std::ranges::none_of(
            kHeads, [&](auto head) { return words[i].starts_with(head); })) {
      out.push_back(words[i]);
    }
  }
  return out;
}

// Surefire's booter is told everything by property files with new names each
// time; of their content only what chooses tests, or is the run's own, is left
// out.
Words of_surefire(const Start& start) {
  constexpr std::string_view kHeads[] = {"#",
                                         "pluginPid=",
                                         "forkTestSet",
                                         "preferTestsFromInStream=",
                                         "requestedTest",
                                         "specificTest",
                                         "includes",
                                         "excludes",
                                         "tc.",
                                         "classPathUrl.",
                                         "surefireClassPathUrl.",
                                         "inprocClassPathUrl.",
                                         "providerUnitClassPathUrl",
                                         "reportsDirectory=",
                                         "runStatisticsFile=",
                                         "testClassesDirectory=",
                                         "surefire.",
                                         "childDelegation=",
                                         "forkNumber",
                                         "rerunFailingTestsCount=",
                                         "failIfNoTests=",
                                         "runOrderRandomSeed=",
                                         "mainCliOptions",
                                         "forkNodeConnectionString=",
                                         "shutdown=",
                                         "systemExitTimeout=",
                                         "isTrimStackTrace=",
                                         "failFastCount=",
                                         "java.class.path=",
                                         "user.timezone=",
                                         "basedir=",
                                         "localRepository="};
  Words out;
  const std::string folder = start.main.size() > 1 ? start.main[1] : "";
  for (std::size_t i = 1; i < start.main.size(); ++i) {
    for (const auto& path : {start.main[i], in_folder(start.main[i], folder)}) {
      if (!path.starts_with('/') || !is_file(path)) continue;
      const auto text = base::read_file(path);
      if (!text.ok()) continue;
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        const bool left_out = std::ranges::any_of(
            kHeads, [&](auto head) { return line.starts_with(head); });
        // System properties, too, which rows speak of.
        if (left_out ||
            coverage::chooses_tests(line.substr(0, line.find('=')))) {
          continue;
        }
        out.push_back(line);
        // TestNG's suites say what their tests are given.
        if (line.find("SuiteXmlFiles") == std::string::npos) continue;
        std::string named = line.substr(line.find('=') + 1);
        std::erase(named, '\\');
        const auto suite = base::read_file(in_folder(named, start.cwd));
        out.push_back(suite.ok() ? "content of " + named + ": " + *suite
                                 : "unread " + named);
      }
      break;
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_hidden(std::string_view main) {
  constexpr std::string_view kHeads[] = {"worker.org.gradle.",
                                         "org.gradle.",
                                         "com.intellij.",
                                         "org.eclipse.jdt.",
                                         "com.microsoft.java.",
                                         "sbt.",
                                         "mill.",
                                         "com.google.testing."};
  return std::ranges::any_of(kHeads,
                             [&](auto head) { return main.starts_with(head); });
}

}  // namespace

std::vector<std::string> words_that_matter(const Start& start) {
  if (!start.matters.empty()) return start.matters;
  if (start.main.empty()) return {};
  const std::string main = start.main[0];
  const std::string name = fs::path(main).filename().string();
  if (start.runner == "surefire" || main.ends_with(".ForkedBooter")) {
    auto out = of_surefire(start);
    out.insert(out.begin(), "surefire");
    return out;
  }
  if (start.runner == "gradle" || is_hidden(main)) return {"build-tool"};
  Words words(start.main.begin() + 1, start.main.end());
  if (main == "org.junit.platform.console.ConsoleLauncher" ||
      main.ends_with("/org.junit.platform.console.ConsoleLauncher") ||
      name.starts_with("junit-platform-console-standalone")) {
    words = without(with_argument_files(words, start.cwd, 0), of_console());
  } else if (main == "org.junit.runner.JUnitCore" ||
             main.starts_with("junit.textui.")) {
    words = without(words, {{"--filter"}, {}, "", true});
  } else if (main == "org.testng.TestNG") {
    words = without(with_argument_files(words, start.cwd, 0), of_testng());
  } else if (main == "org.scalatest.tools.Runner") {
    words = without(words, of_scalatest());
  } else if (main.ends_with(".junit.JUnitTestRunner")) {
    words = of_ant(words);
  } else if (main.ends_with(".junitlauncher.StandaloneLauncher")) {
    words = without(words, {{"--properties", "--launch-definition"}, {}, ""});
  } else {
    words = with_argument_files(words, start.cwd, 0);
  }
  Words out{main};
  for (const auto& word : words) {
    out.push_back(word);
    const std::string path = in_folder(word, start.cwd);
    std::error_code error;
    if (!is_file(path) || fs::file_size(path, error) > kLargestFile) continue;
    const auto text = base::read_file(path);
    out.push_back(text.ok() ? "content of " + word + ": " + *text
                            : "unread " + word);
  }
  return out;
}

}  // namespace rejig::app
