// SPDX-License-Identifier: Apache-2.0
// How do bytes get to a place that a team shares, and back? By names, whole, and
// within a time. Nothing else is asked of the other side: no conditional
// writes, no order, no truth. kNotFound: nothing is there under that name; any
// other Error: nobody knows. Whoever reads checks what came.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::coverage {

using Deadline = std::chrono::steady_clock::time_point;
inline Deadline within(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

struct Listed {
  std::string key;
  std::uint64_t size = 0;
  std::int64_t modified = 0;  // seconds since 1970; 0: not known
};

class Transport {
 public:
  virtual ~Transport();

  // At most `limit` bytes; more is kLimit.
  virtual base::Result<std::string> get(const std::string& key,
                                        std::size_t limit,
                                        Deadline deadline) = 0;
  // All at once where that is faster; an answer each, in their order.
  virtual std::vector<base::Result<std::string>> get_all(
      const std::vector<std::string>& keys, std::size_t limit,
      Deadline deadline);
  virtual base::Result<void> put(const std::string& key,
                                 const std::string& bytes,
                                 Deadline deadline) = 0;
  virtual base::Result<void> remove(const std::string& key,
                                    Deadline deadline) = 0;
  // Everything below that folder ("v1/run"), sorted.
  virtual base::Result<std::vector<Listed>> list(const std::string& folder,
                                                 Deadline deadline) = 0;
};

// By "file:PATH", "http://…", "https://…" or "s3://BUCKET/PREFIX". kUnsupported:
// this build has no network.
base::Result<std::unique_ptr<Transport>> open_transport(const std::string& url);

// Of names that a server made: nothing that leads out of a folder.
bool is_plain_key(const std::string& key);

}  // namespace rejig::coverage
