// SPDX-License-Identifier: Apache-2.0
// Where do answers and messages go? Output is the answer: standard output, or a
// file that appears whole or not at all (-o). Messages is everything else, on
// standard error, with a progress line that shows after a second on a terminal.
// A closed pipe takes no more, and changes nothing else: the exit code is what it
// would have been.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/rejig/cli/log.h"
#include "apps/rejig/report/sink.h"
#include "apps/session/work.h"
#include "classfile/base/result.h"

namespace rejig::app {

enum class ColorMode { kAuto, kAlways, kNever };

class Output : public Sink {
 public:
  // An empty path or "-" is standard output.
  explicit Output(std::string path, bool pages = true)
      : path_(std::move(path)), pages_(pages) {}
  ~Output() override;  // without close(): a file is not made
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Opens the file beside its final place; nothing to do for standard output.
  base::Result<void> open();
  void write(std::string_view text) override;
  // Flushes, and moves the file to its place. Reports an earlier failure too.
  base::Result<void> close();

  // Whether ANSI colours may be written.
  bool color(ColorMode mode) const;
  // Is it a terminal, and how large?
  struct Size {
    unsigned width = 80;
    unsigned rows = 24;
  };
  std::optional<Size> terminal() const;
  // On a terminal, more than a screen goes through REJIG_PAGER, PAGER or less.
  void allow_pager() { may_page_ = pages_; }

 private:
  void flush();
  void start_pager();
  bool to_file() const { return !path_.empty() && path_ != "-"; }

  static constexpr std::size_t kBufferSize = std::size_t{1} << 16;
  std::string path_;
  std::string temporary_;
  std::string buffer_;
  int fd_ = 1;
  int failure_ = 0;  // errno of the first write that failed
  bool pages_;
  bool may_page_ = false;
  int pager_ = 0;  // its process
};

class Messages : public Listener {
 public:
  Messages(ColorMode mode, bool quiet);

  // Everything is written to this file, too (log.h).
  base::Result<void> log_to(const std::string& path,
                            const std::string& command) {
    return log_.open(path, command);
  }

  void error(std::string_view text) override;    // "rejig: error: …"
  void warning(std::string_view text) override;  // "rejig: warning: …"
  void note(std::string_view text) override;     // "rejig: …"
  // Printed as it is, followed by a line end.
  void plain(std::string_view text);

  // Cheap enough to call often; shows on a terminal only, after a second, or
  // half a second after the phase began.
  void begin_progress() override;
  void progress(std::string_view what, std::uint64_t done,
                std::uint64_t all) override;
  void end_progress() override;

 private:
  Log log_;
  bool terminal_;
  bool quiet_;
  bool shown_ = false;
  std::chrono::milliseconds patience_{1000};
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

// NO_COLOR, FORCE_COLOR and TERM decide what `auto` means for a stream.
bool use_color(ColorMode mode, int fd);

}  // namespace rejig::app
