// SPDX-License-Identifier: Apache-2.0
#include "apps/session/git_history.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

#include "coverage/remote/run_entry.h"

namespace rejig::app {

namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20U;
constexpr const char* kFar = "200";
constexpr const char* kBeside = "50";

std::string read_all(int from, coverage::Deadline deadline) {
  std::string out;
  std::array<char, 4096> some{};
  while (out.size() < kMostOutput) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return {};
    pollfd waiting{from, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return {};
    const auto n = ::read(from, some.data(), some.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0 ? out : std::string();
    out.append(some.data(), static_cast<std::size_t>(n));
  }
  return {};
}

// What git prints; nothing when it fails or takes too long.
std::string git(const std::string& project, std::vector<std::string> words,
                coverage::Deadline deadline) {
  // No program of the repository's settings runs.
  words.insert(words.begin(), {"git", "-C", project, "-c", "core.fsmonitor=false"});
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(ends[1], 1);
    ::dup2(nothing, 2);
    ::setenv("GIT_OPTIONAL_LOCKS", "0", 1);
    ::setenv("GIT_TERMINAL_PROMPT", "0", 1);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string out;
  if (child > 0) {
    out = read_all(ends[0], deadline);
    if (std::chrono::steady_clock::now() >= deadline) ::kill(child, SIGKILL);
  }
  ::close(ends[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool good = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return good ? out : std::string();
}

std::vector<std::string> commits_in(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (coverage::is_commit(line)) out.push_back(line);
  }
  return out;
}

std::vector<std::string> parents_in(const std::string& commit) {
  std::vector<std::string> out;
  std::istringstream lines(commit);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (line.starts_with("parent ") && coverage::is_commit(line.substr(7))) {
      out.push_back(line.substr(7));
    }
  }
  return out;
}

std::vector<std::string> values_of(const std::vector<const char*>& names) {
  std::vector<std::string> out;
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') out.emplace_back(value);
  }
  return out;
}

}  // namespace

History history_of(const std::string& project, coverage::Deadline deadline) {
  History out;
  std::set<std::string> known;
  const auto add = [&](const std::vector<std::string>& commits) {
    for (const auto& one : commits) {
      if (coverage::is_commit(one) && known.insert(one).second) {
        out.near.push_back(one);
      }
    }
  };
  const auto ask = [&](std::vector<std::string> words) {
    return git(project, std::move(words), deadline);
  };
  const auto heads = commits_in(ask({"rev-parse", "HEAD"}));
  if (!heads.empty()) {
    out.head = heads.front();
    add(heads);
    const auto parents = parents_in(ask({"cat-file", "commit", "HEAD"}));
    add(parents);
    add(commits_in(ask({"rev-list", "--first-parent", "-n", kFar, "HEAD"})));
    for (std::size_t i = 1; i < parents.size(); ++i) {
      add(commits_in(
          ask({"rev-list", "--first-parent", "-n", kBeside, parents[i]})));
    }
    add(commits_in(ask({"rev-list", "-n", kFar, "HEAD"})));
    out.changed =
        !ask({"status", "--porcelain", "--untracked-files=no"}).empty();
    out.branch = ask({"symbolic-ref", "--short", "-q", "HEAD"});
    while (out.branch.ends_with('\n')) out.branch.pop_back();
  }
  out.branches = values_of({"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
                            "CHANGE_TARGET", "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
                            "CI_DEFAULT_BRANCH"});
  for (const char* usual : {"main", "master"}) out.branches.emplace_back(usual);
  if (!out.head.empty()) {
    for (const auto& branch : out.branches) {
      if (branch.starts_with('-')) continue;
      for (const std::string& name :
           {"refs/remotes/origin/" + branch, "refs/heads/" + branch}) {
        const auto base = commits_in(ask({"merge-base", "HEAD", name}));
        if (base.empty()) continue;
        add(base);
        add(commits_in(
            ask({"rev-list", "--first-parent", "-n", kBeside, base.front()})));
        add(commits_in(ask({"rev-list", "--first-parent", "-n", "20", name})));
      }
    }
  }
  add(values_of({"GITHUB_SHA", "CI_COMMIT_SHA", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
                 "CI_MERGE_REQUEST_DIFF_BASE_SHA",
                 "CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_COMMIT_BEFORE_SHA",
                 "BUILDKITE_COMMIT", "CIRCLE_SHA1",
                 "SYSTEM_PULLREQUEST_SOURCECOMMITID", "GIT_COMMIT",
                 "GIT_PREVIOUS_SUCCESSFUL_COMMIT", "GIT_PREVIOUS_COMMIT"}));
  const auto named = values_of({"GITHUB_REF_NAME", "CI_COMMIT_BRANCH", "BRANCH_NAME",
                                "BUILDKITE_BRANCH", "CIRCLE_BRANCH"});
  if (!named.empty()) out.branch = named.front();
  return out;
}

}  // namespace rejig::app
