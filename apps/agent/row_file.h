// SPDX-License-Identifier: Apache-2.0
// How do rows reach the disk? Append-only records, each with its checksum, as
// ROWS.md lays them out. Records collect in memory until flush() puts them
// into the file with one write; what was flushed survives the JVM's death.
// A failed write makes the file stop for good: the reader sees a torn tail,
// grades what it has as partial, and nothing is skipped because of it.
#pragma once

#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {

enum class Record : unsigned char {
  kJvm = 1,
  kClass = 2,
  kSource = 3,
  kFact = 4,
  kBegin = 5,
  kRow = 6,
  kEnd = 7,
  kInit = 8,
  kJoin = 9,
  kLoss = 10,
  kExit = 11,
  kName = 12,
  kReceiver = 13,
};

class RowFile {
 public:
  RowFile();
  ~RowFile();

  // A fresh file in the directory; false with errno set.
  bool create(std::string_view directory);
  bool is_open() const { return fd_ >= 0; }

  // Begins a record; its payload goes into the returned buffer until close().
  Buffer& open(Record kind);
  Buffer& now() { return out_; }
  void close();
  // True while everything handed over is on its way to the disk.
  bool flush();
  std::size_t waiting() const { return out_.size(); }

 private:
  Buffer out_;
  std::size_t record_at_ = 0;
  int fd_ = -1;
};

}  // namespace rejig::agent
