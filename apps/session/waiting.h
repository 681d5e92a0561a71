// SPDX-License-Identifier: Apache-2.0
// Until when does a run sleep? Until something is to be read from a descriptor, a
// file was made in a folder, or a while.
#pragma once

#include <string>

namespace rejig::app {

class Waiting {
 public:
  // The descriptor stays the caller's; negative: the system has none.
  Waiting(int descriptor, const std::string& folder);
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting();

  // Whether there is something to be read, or nobody will ever write again.
  bool wait() const;

 private:
  int descriptor_;
  int folder_;
  bool told_ = false;
};

}  // namespace rejig::app
