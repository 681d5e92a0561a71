// SPDX-License-Identifier: Apache-2.0
#include "apps/session/waiting.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>

namespace rejig::app {

namespace {

constexpr int kIdleMs = 10;
// When the system says what happens. A file server may not.
constexpr int kToldIdleMs = 100;

}  // namespace

Waiting::Waiting(int descriptor, const std::string& folder)
    : descriptor_(descriptor),
      folder_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  told_ = descriptor_ >= 0 && folder_ >= 0 &&
          ::inotify_add_watch(folder_, folder.c_str(),
                              IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE) >= 0;
}

Waiting::~Waiting() {
  if (folder_ >= 0) ::close(folder_);
}

bool Waiting::wait() const {
  // A negative descriptor is passed over.
  std::array<pollfd, 2> told{{{descriptor_, POLLIN, 0}, {folder_, POLLIN, 0}}};
  ::poll(told.data(), told.size(), told_ ? kToldIdleMs : kIdleMs);
  std::array<char, 4096> events{};
  while (folder_ >= 0 && ::read(folder_, events.data(), events.size()) > 0) {
    continue;
  }
  return told[0].revents != 0;
}

}  // namespace rejig::app
