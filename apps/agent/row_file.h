// SPDX-License-Identifier: Apache-2.0
// How do rows reach the disk? Append-only records, each with its checksum, as
// ROWS.md lays them out. Records collect in memory until they are put into the
// file with one write; what was written survives the JVM's death.
// A failed write makes the file stop for good: the reader sees a torn tail,
// grades what it has as partial, and nothing is skipped because of it.
#pragma once

#include <pthread.h>

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

// Records that wait for the file.
class Records {
 public:
  // Begins a record; its payload goes into the returned buffer until close().
  Buffer& open(Record kind);
  Buffer& now() { return out_; }
  void close();
  std::size_t size() const { return out_.size(); }

 private:
  friend class RowFile;
  Buffer out_;
  std::size_t record_at_ = 0;
};

// Its functions may be called from any thread.
class RowFile {
 public:
  RowFile();
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  // A fresh file in the directory; false with errno set.
  bool create(std::string_view directory);
  // Takes the records away. True while everything handed over is on its way to
  // the disk.
  bool write(Records& records);

 private:
  bool put(const Buffer& bytes);

  pthread_mutex_t mutex_;
  int fd_ = -1;
};

}  // namespace rejig::agent
