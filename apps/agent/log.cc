// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/log.h"

#include <cstring>
#include <unistd.h>

namespace rejig::agent {

void say(std::string_view a, std::string_view b, std::string_view c,
         std::string_view d) {
  char line[1024];
  std::size_t n = 0;
  for (const std::string_view part :
       {std::string_view("rejig-agent: "), a, b, c, d}) {
    for (const char ch : part) {
      if (n + 1 < sizeof line) line[n++] = ch == '\n' ? ' ' : ch;
    }
  }
  line[n++] = '\n';
  for (std::size_t at = 0; at < n;) {
    const ssize_t done = ::write(2, line + at, n - at);
    if (done <= 0) return;
    at += static_cast<std::size_t>(done);
  }
}

}  // namespace rejig::agent
