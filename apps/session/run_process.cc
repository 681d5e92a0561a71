// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_process.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "apps/session/waiting.h"
#include "classfile/base/file.h"

namespace rejig::app {

using base::Errc;
using base::Error;

namespace {

volatile sig_atomic_t forward_to = 0;

struct Inherited {
  struct sigaction pipe {};
  struct sigaction child {};
};
Inherited& inherited() {
  static Inherited all;
  return all;
}

void forward(int signal) {
  if (forward_to > 0) ::kill(static_cast<pid_t>(forward_to), signal);
}

}  // namespace

void set_signals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(SIGPIPE, &ignore, &inherited().pipe);
  ::sigaction(SIGCHLD, &usual, &inherited().child);
}

base::Result<int> run_process(const std::vector<std::string>& words,
                              const Variables& variables,
                              const std::function<void()>& idle,
                              const std::string& folder) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction pass_on {};
  pass_on.sa_handler = forward;
  std::array<struct sigaction, 4> before{};
  ::sigaction(SIGINT, &ignore, &before[0]);
  ::sigaction(SIGQUIT, &ignore, &before[1]);

  const pid_t child = ::fork();
  if (child < 0) return Error{Errc::kIo, base::errno_text(errno), "fork"};
  if (child == 0) {
    ::sigaction(SIGINT, &before[0], nullptr);
    ::sigaction(SIGQUIT, &before[1], nullptr);
    ::sigaction(SIGPIPE, &inherited().pipe, nullptr);
    ::sigaction(SIGCHLD, &inherited().child, nullptr);
    for (const auto& [key, value] : variables) {
      ::setenv(key.c_str(), value.c_str(), 1);
    }
    ::execvp(argv[0], argv.data());
    const std::string text = "rejig: error: " + words[0] + ": " +
                             base::errno_text(errno) + "\n";
    static_cast<void>(!::write(2, text.data(), text.size()));
    ::_exit(127);
  }
  const auto outer = forward_to;
  forward_to = child;
  ::sigaction(SIGTERM, &pass_on, &before[2]);
  ::sigaction(SIGHUP, &pass_on, &before[3]);
  int status = 0;
  int unknown = 0;
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  const Waiting waiting(ended, folder);
  while (true) {
    const pid_t done = ::waitpid(child, &status, idle ? WNOHANG : 0);
    if (done == child) break;
    if (done < 0 && errno != EINTR) {
      unknown = errno;
      break;
    }
    if (done != 0) continue;
    idle();
    waiting.wait();
  }
  forward_to = outer;
  if (ended >= 0) ::close(ended);
  ::sigaction(SIGINT, &before[0], nullptr);
  ::sigaction(SIGQUIT, &before[1], nullptr);
  ::sigaction(SIGTERM, &before[2], nullptr);
  ::sigaction(SIGHUP, &before[3], nullptr);
  if (unknown != 0) {
    return Error{Errc::kIo,
                 "how it ended is not known: " + base::errno_text(unknown),
                 words[0]};
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool switched_off() {
  const char* off = std::getenv("REJIG_OFF");
  return off != nullptr && *off != '\0' && std::string(off) != "0";
}

}  // namespace rejig::app
