// SPDX-License-Identifier: Apache-2.0
// Who holds this mutex? Whoever has a Locked of it, to the end of the block.
#pragma once

#include <pthread.h>

namespace rejig::agent {

class Locked {
 public:
  explicit Locked(pthread_mutex_t& mutex) : mutex_(mutex) {
    pthread_mutex_lock(&mutex_);
  }
  ~Locked() { pthread_mutex_unlock(&mutex_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

}  // namespace rejig::agent
