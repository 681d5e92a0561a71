// SPDX-License-Identifier: Apache-2.0
// Where do messages go? To standard error for people, and with --log-file to a
// file for machines: a line of JSON each, whatever -q hides, written at once so
// that nothing is lost when the process is killed. What came from an archive
// drives neither a terminal nor a reader of the file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "classfile/base/result.h"

namespace rejig::app {

class Log {
 public:
  enum class Level { kNote, kWarning, kError };

  // `color`: may a terminal be coloured? `quiet`: only errors are shown.
  Log(bool color, bool quiet);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Appends to the file from here on.
  base::Result<void> open(const std::string& path, const std::string& command);
  void write(Level level, std::string_view text);

 private:
  struct Sinks;
  std::unique_ptr<Sinks> sinks_;
};

}  // namespace rejig::app
