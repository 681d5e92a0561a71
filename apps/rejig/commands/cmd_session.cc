// SPDX-License-Identifier: Apache-2.0
// rejig session: what `rejig run` does around a command, beside a build tool
// that starts its test JVMs itself (apps/maven, apps/gradle). Hidden: its
// client comes with it. One line a word, on the two ends of a pipe:
//
//     out: rejig-session 1, variable NAME=VALUE…, ready
//     in:  step NAME, key KEY, set NAME=VALUE…, unset NAME…, go
//     out: run FOLDER (REJIG_OUT of its JVMs), or: none N (tests left out)
//     in:  good FOLDER (that step went well)
//     in:  end
//
// A backslash stands before a backslash, and before n for a line end. When
// nobody writes any more the build is over, too; what was recorded is kept. A
// word that is not understood ends it with an Error: the client then runs
// everything.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/commands/run_options.h"
#include "apps/session/build_steps.h"
#include "apps/session/one_line.h"
#include "apps/session/run_session.h"
#include "apps/session/waiting.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace {

using base::Errc;
using base::Error;

class Client {
 public:
  explicit Client(const Beside& beside) : beside_(beside) {}

  base::Result<int> talk() {
    std::string hello = "rejig-session 1\n";
    for (const auto& [name, value] : beside_.variables) {
      hello += "variable " + escaped(name + "=" + value) + "\n";
    }
    if (!say(hello + "ready")) return 0;
    const Waiting waiting(STDIN_FILENO, beside_.folder);
    while (!over_) {
      beside_.serve();
      if (!waiting.wait()) continue;
      REJIG_TRY_VOID(listen());
    }
    beside_.serve();
    return 0;
  }

 private:
  base::Result<void> listen() {
    std::array<char, 65536> piece{};
    const auto n = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    if (n <= 0) {
      over_ = true;
      return {};
    }
    heard_.append(piece.data(), static_cast<std::size_t>(n));
    for (auto end = heard_.find('\n'); end != std::string::npos && !over_;
         end = heard_.find('\n')) {
      const std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      REJIG_TRY_VOID(take(line));
    }
    return {};
  }

  base::Result<void> take(const std::string& line) {
    const auto blank = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, blank);
    const std::string rest =
        blank == line.size() ? "" : unescaped(line.substr(blank + 1));
    if (word == "end") {
      over_ = true;
    } else if (word == "step") {
      step_ = {};
      step_.name = rest;
    } else if (word == "key") {
      step_.key = rest;
    } else if (word == "set") {
      const auto equals = std::min(rest.find('='), rest.size());
      step_.set.emplace_back(
          rest.substr(0, equals),
          equals == rest.size() ? "" : rest.substr(equals + 1));
    } else if (word == "unset") {
      step_.unset.push_back(rest);
    } else if (word == "good") {
      beside_.steps.went_well(rest);
    } else if (word == "go") {
      REJIG_TRY(const StepAnswer answer, beside_.steps.begin(step_));
      const std::string text = answer.runs
                                   ? "run " + escaped(answer.rows)
                                   : "none " + std::to_string(answer.left_out);
      over_ = !say(text);
    } else {
      return Error{Errc::kMalformed, "not a word of a session: '" + word + "'",
                   "standard input"};
    }
    return {};
  }

  // Whether somebody still reads.
  static bool say(std::string text) {
    text += '\n';
    for (std::string_view left = text; !left.empty();) {
      const auto n = ::write(STDOUT_FILENO, left.data(), left.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      left.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  const Beside& beside_;
  std::string heard_;
  Step step_;
  bool over_ = false;
};

// The build gets them, too, and ends by itself.
void outlive_the_build() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP}) {
    ::sigaction(signal, &ignore, nullptr);
  }
}

int run_beside(const RunOptions& o, Context& context) {
  const auto session = session_of(o);
  if (!session.ok()) return context.trouble(session.error());
  outlive_the_build();
  RunEnd end = run_session_beside(
      *session, [](const Beside& beside) { return Client(beside).talk(); },
      context);
  return run_is_over(o, std::move(end), context);
}

}  // namespace

Run declare_session(CommandLine& line) {
  auto o = std::make_shared<RunOptions>();
  declare_session_options(line, o->session);
  declare_run_options(line, *o);
  return [o](Context& context) { return run_beside(*o, context); };
}

}  // namespace rejig::app
