// SPDX-License-Identifier: Apache-2.0
// rejig watch -- CMD: `rejig run -- CMD` whenever a file of the project is saved,
// and when somebody presses a key. One run at a time; what is saved meanwhile is
// run afterwards.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/desk/watch_files.h"
#include "apps/session/last_program.h"
#include "apps/session/recorder_files.h"
#include "apps/session/settings.h"
#include "classfile/base/file.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::vector<std::string> folders;
  std::vector<std::string> ignored;
  std::string store;
  unsigned debounce = 200;
  std::vector<std::string> command;
};

volatile sig_atomic_t interrupted = 0;
void interrupt(int signal) { interrupted = signal; }

// Keys one by one, while this lives; standard input is nobody else's.
class Keyboard {
 public:
  Keyboard() {
    fd_ = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
    if (::tcgetattr(fd_, &before_) != 0) return;
    terminal_ = true;
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 0;
    keys.c_cc[VTIME] = 0;
    ::tcsetattr(fd_, TCSANOW, &keys);
  }
  ~Keyboard() {
    if (terminal_) ::tcsetattr(fd_, TCSANOW, &before_);
    if (fd_ >= 0) ::close(fd_);
  }
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  int fd() const { return ended_ ? -1 : fd_; }
  bool terminal() const { return terminal_; }
  // '\0': none.
  char read() {
    char key = '\0';
    const auto n = ::read(fd_, &key, 1);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) ended_ = true;
    return n == 1 ? key : '\0';
  }

 private:
  int fd_ = -1;
  bool terminal_ = false;
  bool ended_ = false;
  termios before_{};
};

// A process group of its own: a key ends all of it.
class Child {
 public:
  bool running() const { return pid_ > 0; }
  int fd() const { return fd_; }

  base::Result<void> start(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const auto& word : words) {
      argv.push_back(const_cast<char*>(word.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0) {
      return base::Error{base::Errc::kIo, base::errno_text(errno), "fork"};
    }
    if (child == 0) {
      ::setpgid(0, 0);
      const int nothing = ::open("/dev/null", O_RDONLY);
      if (nothing >= 0) ::dup2(nothing, 0);
      for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTTOU}) {
        ::signal(signal, SIG_DFL);
      }
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::setpgid(child, child);
    pid_ = child;
    fd_ = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    return {};
  }

  // -1: it goes on.
  int ended() {
    int status = 0;
    if (pid_ <= 0 || ::waitpid(pid_, &status, WNOHANG) != pid_) return -1;
    forget();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  void end() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGINT);
    int status = 0;
    constexpr int kPatienceMs = 5000;
    constexpr int kStepMs = 20;
    for (int waited = 0; waited < kPatienceMs; waited += kStepMs) {
      if (::waitpid(pid_, &status, WNOHANG) == pid_) return forget();
      ::poll(nullptr, 0, kStepMs);
    }
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, &status, 0);
    forget();
  }

 private:
  void forget() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    pid_ = 0;
  }

  pid_t pid_ = 0;
  int fd_ = -1;
};

class Watch {
 public:
  Watch(const Options& o, Context& context) : o_(o), context_(context) {}

  base::Result<int> go() {
    REJIG_TRY(self_, this_program());
    REJIG_TRY_VOID(
        files_.watch(o_.folders.empty() ? std::vector<std::string>{"."}
                                        : o_.folders));
    ignore_outputs();
    if (keyboard_.terminal()) {
      keys_ = "; enter or r runs, a runs everything, q quits";
    }
    REJIG_TRY_VOID(start(false));
    while (true) {
      if (interrupted != 0) {
        child_.end();
        return 128 + static_cast<int>(interrupted);
      }
      wait();
      if (const int code = child_.ended(); code >= 0) told(code);
      if (!take_keys()) {
        child_.end();
        return kExitOk;
      }
      take_files();
      if (child_.running()) continue;
      const bool due = changed_ && Clock::now() >= due_;
      if (asked_ || due) REJIG_TRY_VOID(start(all_));
    }
  }

 private:
  // Roots of the class path are outputs, wherever they are, but for those that
  // somebody wants to be watched.
  void ignore_outputs() {
    std::vector<std::string> folders;
    std::error_code error;
    for (const auto& folder : o_.ignored) {
      folders.push_back(
          std::filesystem::weakly_canonical(folder, error).string());
    }
    const auto programs = last_programs(o_.store);
    if (programs.ok() && o_.folders.empty()) {
      for (const auto& program : *programs) {
        folders.insert(folders.end(), program.snapshot.roots.begin(),
                       program.snapshot.roots.end());
      }
    }
    files_.ignore(folders);
  }

  base::Result<void> start(bool all) {
    for (const auto& path : files_.begin_run()) {
      context_.messages->note(path +
                              " is written by the command: no longer watched");
    }
    std::vector<std::string> words = {self_, "run"};
    if (all) words.push_back("--all");
    words.insert(words.end(), {"--store", o_.store});
    if (!context_.config.empty()) {
      words.insert(words.end(), {"--config", context_.config});
    }
    words.push_back("--");
    words.insert(words.end(), o_.command.begin(), o_.command.end());
    asked_ = all_ = changed_ = false;
    return child_.start(words);
  }

  void told(int code) {
    take_files();  // what it wrote itself
    ignore_outputs();
    context_.messages->note((code == 0 ? std::string("passed")
                                       : "failed, exit code " +
                                             std::to_string(code)) +
                            "; watching " + std::to_string(files_.folders()) +
                            " folders" + keys_);
  }

  // Until something happens, or what was saved has been quiet for long enough.
  void wait() const {
    int timeout = -1;
    if (child_.running() && child_.fd() < 0) timeout = 50;
    if (changed_ && !child_.running()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          due_ - Clock::now());
      timeout = std::max(0, static_cast<int>(left.count()) + 1);
    }
    std::array<pollfd, 3> told{{{files_.fd(), POLLIN, 0},
                                {keyboard_.fd(), POLLIN, 0},
                                {child_.fd(), POLLIN, 0}}};
    ::poll(told.data(), told.size(), timeout);
  }

  void take_files() {
    const auto paths = files_.changed(child_.running());
    if (paths.empty()) return;
    changed_ = true;
    due_ = Clock::now() + std::chrono::milliseconds(o_.debounce);
    if (context_.verbose > 0) {
      context_.messages->note("changed: " + *paths.begin());
    }
  }

  // False: quit.
  bool take_keys() {
    pollfd one{keyboard_.fd(), POLLIN, 0};
    while (one.fd >= 0 && ::poll(&one, 1, 0) > 0) {
      switch (keyboard_.read()) {
        case 'q':
          return false;
        case 'a':
          all_ = true;
          [[fallthrough]];
        case 'r':
        case '\n':
        case '\r':
          asked_ = true;
          break;
        case '\0':
          return true;
        default:
          break;
      }
      one.fd = keyboard_.fd();
    }
    return true;
  }

  const Options& o_;
  Context& context_;
  std::string self_;
  std::string keys_;
  WatchedFiles files_;
  Keyboard keyboard_;
  Child child_;
  bool asked_ = false;
  bool all_ = false;
  bool changed_ = false;
  Clock::time_point due_{};
};

int run_watch(Options o, Context& context) {
  if (o.command.empty()) {
    return context.trouble({base::Errc::kUsage,
                            "a command is needed: rejig watch -- CMD", ""});
  }
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  if (o.store.empty()) {
    o.store = config->coverage.value_or(coverage::kDefaultStore);
  }
  struct sigaction action {};
  action.sa_handler = interrupt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaction(signal, &action, nullptr);
  }
  Watch watch(o, context);
  const auto code = watch.go();
  if (!code.ok()) return context.trouble(code.error());
  return *code;
}

}  // namespace

Run declare_watch(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.options("--watch", o->folders,
               "look at this folder (default: the project, without its outputs)",
               "DIR");
  line.options("--ignore", o->ignored, "do not look at this folder", "DIR");
  line.option("--debounce", o->debounce,
              "run when nothing was saved for so many milliseconds (default "
              "200)");
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "STORE");
  line.rest(o->command, "the command to run, as for rejig run");
  line.footer(
      "Keys: enter or r runs now, a runs everything, q quits. What failed runs "
      "again\nwith every run.\n"
      "Exit codes: 0 quit, 2 trouble, 130 interrupted.\n");
  return [o](Context& context) { return run_watch(*o, context); };
}

}  // namespace rejig::app
