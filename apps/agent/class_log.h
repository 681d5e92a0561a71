// SPDX-License-Identifier: Apache-2.0
// How do classes get into the row file without holding up the thread that loads
// them? It only leaves the bytes here. Their digest, what their methods resolve
// and the records are made beside it, on a thread of the log's own, some
// classes at a time; or by whoever needs them in the file first. NAME, SOURCE
// and CLASS records define numbers: settle() puts all of them into the file
// before anything is written that uses one.
//
// Knows no JVM. All functions may be called from any thread.
#pragma once

#include <pthread.h>

#include "apps/agent/class_info.h"
#include "apps/agent/row_file.h"
#include "apps/agent/sha256.h"
#include "apps/agent/statics.h"

namespace rejig::agent {

class NameTable;

enum class Origin : unsigned char {
  kRewritten = 0,  // internal, its methods are recorded
  kUntouched = 1,  // internal, not rewritten: Verdict says why
  kExternal = 2,
  kGenerated = 3,  // defined at run time, without a code source
};

// A class as its record has it, except for what its bytes say.
struct ClassEntry {
  std::uint32_t number = 0;
  std::uint32_t first_method = 0;
  std::uint32_t source = 0;
  Origin origin = Origin::kExternal;
  bool with_methods = false;
  std::string_view name;    // lives as long as the log
  std::string_view reason;  // so does this
};

class ClassLog {
 public:
  // Runs body(of) beside everything else; false when that cannot be.
  using Spawn = bool (*)(void (*body)(void*), void* of);

  // `statics` is told which methods meet static fields.
  ClassLog(RowFile& file, Statics& statics);
  ~ClassLog();
  ClassLog(const ClassLog&) = delete;
  ClassLog& operator=(const ClassLog&) = delete;

  // Without a thread classes are read where they are added.
  bool start(Spawn spawn);

  // The number of a code source, and of the name of a class.
  std::uint32_t source(std::string_view location);
  std::uint32_t name(std::string_view text);
  std::string_view text(std::uint32_t name);
  void add(const ClassEntry& entry, Bytes cls);
  // The same at once, of a class that was read or has no bytes.
  void write(const ClassEntry& entry, const ClassInfo& info,
             const Digest& digest);

  // Digests are those of classes that were added before drain().
  void drain();
  bool has_digest(std::uint32_t number, const Digest& digest);
  void set_digest(std::uint32_t number, const Digest& digest);

  void settle();
  // Something could not be kept.
  bool failed() const { return __atomic_load_n(&failed_, __ATOMIC_ACQUIRE); }

 private:
  static void run(void* log);
  void serve();
  void read_waiting();  // with batch_ held
  void describe(const ClassEntry& entry, Bytes cls);
  // These with tables_ held.
  std::uint32_t number_of(std::string_view name, bool kept);
  void write_record(const ClassEntry& entry, const ClassInfo& info,
                    const Digest& digest);
  void write_methods(const ClassInfo& info);
  void note_statics(const ClassEntry& entry, const ClassInfo& info);
  void keep_digest(std::uint32_t number, const Digest& digest);
  void fail() { __atomic_store_n(&failed_, true, __ATOMIC_RELEASE); }

  RowFile& file_;
  Statics& statics_;

  // Taken in this order. One batch is read at a time.
  pthread_mutex_t batch_;
  Buffer taken_;
  Arena arena_;

  pthread_mutex_t tables_;
  NameTable* names_ = nullptr;
  Arena texts_;
  Records records_;
  Ids numbers_;  // of the names of the class that is being written
  Ids some_;
  struct Half {
    unsigned char bytes[16];
    bool known;
  };
  Half* digests_ = nullptr;  // of each class the first half
  std::size_t digests_size_ = 0;
  std::uint32_t next_source_ = 1;

  pthread_mutex_t queue_;
  pthread_cond_t changed_;
  Buffer waiting_;
  bool threaded_ = false;
  bool stopping_ = false;
  bool stopped_ = false;

  bool failed_ = false;
};

}  // namespace rejig::agent
