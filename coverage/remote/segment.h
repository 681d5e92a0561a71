// SPDX-License-Identifier: Apache-2.0
// What does one job give to others? A store of one suite that needs nothing
// beside it: rows, the digests of the classes that they were recorded on, the
// whole old program as facts, and what its JVMs were started with. Segments of
// the shards of one run become one store again, but only when all of them say
// the same about program, libraries and JVM: else nobody knows what the rows of
// one mean beside those of the other.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/store/matrix.h"

namespace rejig::base {
class ThreadPool;
}

namespace rejig::coverage {

struct SegmentContent {
  std::string suite;
  std::string snapshot;           // how its JVMs were started, opaque here
  std::set<std::string> without;  // tests whose rows other shards give
  std::string shard;              // what a shard says of itself; may be empty
};
// Into a file that is not there yet.
base::Result<void> write_segment(const std::string& path, Matrix& matrix,
                                 const SegmentContent& content,
                                 base::ThreadPool* pool);

struct SegmentFacts {
  std::string suite;
  std::string snapshot;
  std::size_t rows = 0;
};
// kMalformed: it is no segment, or not of one suite and one program.
base::Result<SegmentFacts> facts_of_segment(Matrix& matrix);

// What its shards say of themselves.
base::Result<std::vector<std::string>> shard_texts(Matrix& matrix);

base::Result<void> merge_segments(const std::vector<std::string>& paths,
                                  const std::string& into,
                                  base::ThreadPool* pool);

}  // namespace rejig::coverage
