// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/log.h"

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

#include "apps/rejig/report/report_format.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace {

using Message = spdlog::details::log_msg;
using Line = spdlog::memory_buf_t;

void append(Line& line, std::string_view text) {
  line.append(text.data(), text.data() + text.size());
}

std::string_view word_for(spdlog::level::level_enum level) {
  return level == spdlog::level::err    ? "error"
         : level == spdlog::level::warn ? "warning"
                                        : "note";
}

// "rejig: warning: …"; line ends are ours, everything else is escaped.
class ForPeople : public spdlog::formatter {
 public:
  explicit ForPeople(bool color) : color_(color) {}

  void format(const Message& message, Line& line) override {
    append(line, "rejig: ");
    if (message.level >= spdlog::level::warn) {
      if (color_) {
        append(line, message.level == spdlog::level::err ? "\033[1;31m"
                                                         : "\033[1;33m");
      }
      append(line, word_for(message.level));
      append(line, color_ ? "\033[0m: " : ": ");
    }
    const std::string_view text(message.payload.data(), message.payload.size());
    for (std::size_t at = 0; at <= text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      if (at != 0) append(line, "\n");
      append(line, one_line(text.substr(at, end - at)));
      at = end + 1;
    }
    append(line, "\n");
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<ForPeople>(color_);
  }

 private:
  bool color_;
};

// {"time":"2026-11-20T09:00:00.123Z","pid":1,"command":"run","level":"note","text":"…"}
class ForMachines : public spdlog::formatter {
 public:
  explicit ForMachines(std::string command) : command_(std::move(command)) {}

  void format(const Message& message, Line& line) override {
    using std::chrono::milliseconds;
    const auto since = message.time.time_since_epoch();
    const auto ms = std::chrono::duration_cast<milliseconds>(since).count();
    const std::time_t seconds = ms / 1000;
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    char time[40];
    const std::size_t used =
        std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
    append(line, "{\"time\":\"");
    append(line, {time, used});
    std::string rest = std::to_string(1000 + ms % 1000);
    rest[0] = '.';
    rest += "Z\",\"pid\":" + std::to_string(::getpid()) + ",\"command\":" +
            json_string(command_) + ",\"level\":\"";
    append(line, rest);
    append(line, word_for(message.level));
    append(line, "\",\"text\":");
    append(line, json_string({message.payload.data(), message.payload.size()}));
    append(line, "}\n");
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<ForMachines>(command_);
  }

 private:
  std::string command_;
};

}  // namespace

struct Log::Sinks {
  std::shared_ptr<spdlog::sinks::stderr_sink_mt> screen;
  spdlog::logger logger{"rejig"};
};

Log::Log(bool color, bool quiet) : sinks_(std::make_unique<Sinks>()) {
  sinks_->screen = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  sinks_->screen->set_formatter(std::make_unique<ForPeople>(color));
  sinks_->screen->set_level(quiet ? spdlog::level::err : spdlog::level::trace);
  sinks_->logger.sinks().push_back(sinks_->screen);
  sinks_->logger.set_level(spdlog::level::trace);
  sinks_->logger.flush_on(spdlog::level::trace);
  // A full disk must not end the work, and says nothing twice.
  sinks_->logger.set_error_handler([](const std::string&) {});
}

Log::~Log() = default;

base::Result<void> Log::open(const std::string& path,
                             const std::string& command) {
  // A pipe that nobody reads would hold the command up.
  const int fd = ::open(path.c_str(),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK,
                        0666);
  if (fd < 0) {
    return base::Error{base::Errc::kIo, base::errno_text(errno), path};
  }
  ::close(fd);
  try {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    file->set_formatter(std::make_unique<ForMachines>(command));
    sinks_->logger.sinks().push_back(std::move(file));
  } catch (const spdlog::spdlog_ex& error) {
    return base::Error{base::Errc::kIo, error.what(), path};
  }
  return {};
}

void Log::write(Level level, std::string_view text) {
  const auto as = level == Level::kError     ? spdlog::level::err
                  : level == Level::kWarning ? spdlog::level::warn
                                             : spdlog::level::info;
  sinks_->logger.log(as, spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace rejig::app
