// SPDX-License-Identifier: Apache-2.0
// What the recorder is made of; for recorder.cc and recorder_scopes.cc only.
#pragma once

#include "apps/agent/recorder.h"
#include "apps/agent/tables.h"

namespace rejig::agent {

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
  // What changed in it, or was set: four numbers each, recorder_state.cc.
  Ids changed;
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

// By name; ClassLog has the digests.
struct Recorder::ClassKey {
  std::uint32_t next = 0;
  std::uint32_t size = 0;
  const char* text = nullptr;
  std::uint32_t first_method = 0;
  bool external = false;
  Keeps keeps = Keeps::kNothing;
  std::string_view name() const { return {text, size}; }
};

struct Recorder::ReceiverKey {
  std::uint32_t next = 0;
  std::uint32_t method = 0;
  std::uint32_t name = 0;
  std::uint32_t told = 0;  // epoch in which the open scopes got it
};

struct Recorder::FactKey {
  FactKey* next = nullptr;
  std::string_view text;
  unsigned kind = 0;
  std::uint32_t number = 0;
  std::uint32_t told = 0;  // epoch in which the open scopes got it
};

struct Recorder::Global {
  std::uint32_t next = 0;
  std::uint32_t noted_in = 0;  // the scope that was last to note a change
  std::string_view name;
  std::uint64_t now = 0;
  std::string_view writer;   // who said that it would write
  std::string_view left_by;  // who did
  bool is_file = false;
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
