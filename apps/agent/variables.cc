// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/variables.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "apps/agent/options.h"
#include "apps/agent/sha256.h"

namespace rejig::agent {
namespace {

constexpr std::size_t kShown = 16;

Digest digest_of(std::string_view text) {
  return sha256(
      Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size()));
}

// Other in each run, by the shell, the build tool or by rejig.
bool is_of_the_run(std::string_view entry) {
  for (const std::string_view head :
       {std::string_view("REJIG_"), std::string_view("JAVA_TOOL_OPTIONS="),
        std::string_view("_="), std::string_view("PWD="),
        std::string_view("OLDPWD="), std::string_view("SHLVL="),
        std::string_view("SUREFIRE_FORK_NUMBER=")}) {
    if (starts_with(entry, head)) return true;
  }
  return false;
}

}  // namespace

std::string_view variable_state(std::string_view name, Arena& arena) {
  char* key = arena.array<char>(name.size() + 2 * kShown + 3);
  if (key == nullptr) return name;
  std::memcpy(key, name.data(), name.size());
  key[name.size()] = 0;
  Digest digest = {};
  std::size_t size = name.size();
  if (name.empty()) {
    key[size++] = '*';
    for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
      if (is_of_the_run(*at)) continue;
      const Digest one = digest_of(*at);
      for (unsigned i = 0; i < sizeof digest.bytes; ++i) {
        digest.bytes[i] =
            static_cast<unsigned char>(digest.bytes[i] ^ one.bytes[i]);
      }
    }
  } else {
    const char* value = std::getenv(key);
    if (value == nullptr) return {key, size};
    digest = digest_of(value);
  }
  key[size++] = '=';
  for (std::size_t i = 0; i < kShown; ++i) {
    key[size++] = "0123456789abcdef"[digest.bytes[i] >> 4];
    key[size++] = "0123456789abcdef"[digest.bytes[i] & 15];
  }
  return {key, size};
}

}  // namespace rejig::agent
