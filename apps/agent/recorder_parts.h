// SPDX-License-Identifier: Apache-2.0
// What the recorder is made of; for recorder.cc and recorder_scopes.cc only.
#pragma once

#include <new>

#include "apps/agent/recorder.h"

namespace rejig::agent {

inline constexpr std::uint32_t kBuckets = 1 << 14;

inline std::uint32_t hash(std::string_view s, std::uint32_t seed) {
  std::uint32_t h = seed * 0x9e3779b9u + 2166136261u;
  for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return (h ^ h >> 15) & (kBuckets - 1);
}

template <class T>
T* make() {
  void* p = std::calloc(1, sizeof(T));
  return p == nullptr ? nullptr : ::new (p) T;
}

template <class T>
void destroy(T* p) {
  p->~T();
  std::free(p);
}

struct Recorder::Scope {
  Scope* next = nullptr;
  std::uint32_t number = 0;
  std::uint32_t parent = 0;
  ScopeKind kind = ScopeKind::kContainer;
  Result result = Result::kPass;
  bool overlapped = false;
  unsigned inner_tests = 0;
  Thread thread = nullptr;
  std::uint32_t id_hash = 0;
  Work work;
};

struct Recorder::Init {
  Init* next = nullptr;
  Thread thread = nullptr;
  void* cls = nullptr;
  std::uint32_t class_number = 0;
  unsigned char* seen = nullptr;  // methods already in the row, a bit each
  Work work;
  ~Init() { std::free(seen); }
  // False when the method is in the row.
  bool first_time(std::uint32_t method) {
    if (seen == nullptr) {
      seen = static_cast<unsigned char*>(std::calloc(kMaxMethods / 8, 1));
    }
    if (seen == nullptr || method >= kMaxMethods) return true;
    const auto bit = static_cast<unsigned char>(1u << (method % 8));
    const bool fresh = (seen[method / 8] & bit) == 0;
    seen[method / 8] = static_cast<unsigned char>(seen[method / 8] | bit);
    return fresh;
  }
};

struct Recorder::ClassKey {
  ClassKey* next = nullptr;
  std::string_view name;
  Digest digest{};
  std::uint32_t number = 0;
  std::uint32_t first_method = 0;
};

struct Recorder::FactKey {
  FactKey* next = nullptr;
  std::string_view text;
  unsigned kind = 0;
  std::uint32_t number = 0;
  std::uint32_t told = 0;  // epoch in which the open scopes got it
};

class Recorder::Locked {
 public:
  explicit Locked(Recorder& r) : r_(r) { pthread_mutex_lock(&r.mutex_); }
  ~Locked() { pthread_mutex_unlock(&r_.mutex_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Recorder& r_;
};

}  // namespace rejig::agent
