// SPDX-License-Identifier: Apache-2.0
// Which runs does a team share, and are they whole? What is fetched is checked
// against its names: a run counts when the entries of all its shards are there,
// signed where keys are given, and each segment has its bytes. Anything else is
// an Error that says what is missing, and the run is none. Objects are never
// overwritten with something else, so any order of writers is right, and
// deleting anything is safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coverage/remote/run_entry.h"
#include "coverage/remote/transport.h"

namespace rejig::base {
class ThreadPool;
}

namespace rejig::coverage {

struct RemoteOptions {
  std::vector<std::string> keys;  // who may say something; empty: anybody
  std::string secret;             // with which we sign; empty: not
  std::string cache;              // folder of segments that were fetched
  base::ThreadPool* pool = nullptr;
};

struct FetchedRun {
  RunPlace place;
  std::string store;  // a file, all shards in one
  std::vector<RunEntry> shards;
};

struct Publication {
  std::vector<RunPlace> places;  // one for each way its JVMs were started
  unsigned index = 1;
  unsigned of = 1;
  RunEntry entry;       // but for the segment
  std::string segment;  // a file
  std::vector<std::string> words;
  std::string branch;  // which gets the hint; empty: none
};

// What is there, told by the names only.
struct Inventory {
  struct Run {
    RunPlace place;
    std::vector<std::string> entries;  // "1-of-2"
  };
  std::vector<Run> runs;
  std::vector<Listed> objects;
};

class Remote {
 public:
  Remote(std::unique_ptr<Transport> transport, RemoteOptions options)
      : transport_(std::move(transport)), o_(std::move(options)) {}

  // The first few of these places where a run may be, in their order.
  base::Result<std::vector<RunPlace>> find(const std::vector<RunPlace>& places,
                                           std::size_t most,
                                           Deadline deadline);
  base::Result<FetchedRun> fetch(const RunPlace& place, Deadline deadline);
  base::Result<void> publish(const Publication& run, Deadline deadline);
  // The commit that a branch had last, as far as anybody said.
  base::Result<std::string> head(const std::string& branch, Deadline deadline);

  base::Result<Inventory> inventory(Deadline deadline);
  // What is damaged or missing, a line each.
  base::Result<std::vector<std::string>> verify(Deadline deadline);
  struct Pruned {
    std::size_t runs = 0;
    std::size_t objects = 0;
  };
  // Runs that are older, and segments that nobody names any more.
  base::Result<Pruned> prune(std::int64_t older_than, Deadline deadline);

 private:
  base::Result<RunEntry> entry_at(const std::string& key, Deadline deadline);
  // Into the cache, or found there.
  base::Result<std::string> segment(const RunEntry& entry, Deadline deadline);

  std::unique_ptr<Transport> transport_;
  RemoteOptions o_;
};

}  // namespace rejig::coverage
