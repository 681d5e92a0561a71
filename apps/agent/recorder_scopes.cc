// SPDX-License-Identifier: Apache-2.0
// Scopes of the recorder: which are open, who gets what happens now, who joins
// whom.
#include "apps/agent/recorder_parts.h"

namespace rejig::agent {

void Recorder::choose_targets() {
  target_count_ = 0;
  std::size_t wanted = 1;
  for (const Scope* s = open_; s != nullptr; s = s->next) ++wanted;
  if (wanted > target_capacity_) {
    void* p = std::realloc(targets_, 2 * wanted * sizeof *targets_);
    if (p == nullptr) return lose("no memory");
    targets_ = static_cast<Work**>(p);
    target_capacity_ = 2 * wanted;
  }
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (is_target(*s)) targets_[target_count_++] = &s->work;
  }
  if (target_count_ == 0) targets_[target_count_++] = &session_;
}

// A test, or a container that has nothing open inside.
bool Recorder::is_target(const Scope& s) const {
  bool leaf = true;
  for (const Scope* o = open_; o != nullptr; o = o->next) {
    leaf &= o->parent != s.number;
  }
  return leaf || s.kind == ScopeKind::kTest;
}

Recorder::Scope* Recorder::scope(std::uint32_t number) {
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (s->number == number) return s;
  }
  return nullptr;
}

Recorder::Scope* Recorder::innermost_of(Thread thread) {
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (s->thread == thread) return s;
  }
  return nullptr;
}

// What this thread did for the new scope before saying so went to the tests
// that were open meanwhile; the new scope takes their rows as well.
void Recorder::join_neighbours(Scope& fresh, Thread thread) {
  std::uint64_t since = 0;
  for (const Seen& seen : last_event_) {
    if (seen.thread == thread && seen.at > since) since = seen.at;
  }
  for (std::size_t i = 0; i < neighbour_count_; ++i) {
    const Neighbour& n = neighbours_[i];
    if (n.scope == fresh.parent || (n.ended != 0 && n.ended <= since)) continue;
    Buffer& out = rows_.open(Record::kJoin);
    out.u4(fresh.number);
    out.u4(n.scope);
    rows_.close();
  }
}

// The oldest that have ended go first; with too many open at once nothing can
// be told apart any more.
void Recorder::add_neighbour(std::uint32_t number) {
  if (neighbour_count_ == kNeighbours) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < neighbour_count_; ++i) {
      const bool old = i < kNeighbours / 2 && neighbours_[i].ended != 0;
      if (!old) neighbours_[kept++] = neighbours_[i];
    }
    neighbour_count_ = kept;
  }
  if (neighbour_count_ == kNeighbours) return lose("too many tests at once");
  neighbours_[neighbour_count_++] = {number, 0};
}

std::uint32_t Recorder::begin(ScopeKind kind, std::int64_t parent,
                              std::string_view id, Thread thread) {
  const Locked locked(*this);
  if (!ready_) return 0;
  Scope* s = make<Scope>();
  if (s == nullptr) {
    lose("no memory");
    return 0;
  }
  take_marks();
  look_at_state();
  write_containers();
  s->number = next_scope_++;
  s->kind = kind;
  s->thread = thread;
  s->id_hash = hash(id, 2);
  if (parent >= 0) {
    s->parent = static_cast<std::uint32_t>(parent);
  } else {
    const Scope* up = innermost_of(thread);
    for (Scope* o = open_; up == nullptr && o != nullptr; o = o->next) {
      if (o->parent == 0) up = o;
    }
    s->parent = up == nullptr ? 0 : up->number;
  }
  Buffer& out = rows_.open(Record::kBegin);
  out.u4(s->number);
  out.u1(static_cast<unsigned char>(kind));
  out.u4(s->parent);
  out.u8(now());
  out.text(id);
  rows_.close();

  for (Scope* o = open_; o != nullptr; o = o->next) {
    if (o->kind == ScopeKind::kTest && kind == ScopeKind::kTest &&
        o->number != s->parent) {
      o->overlapped = s->overlapped = true;
    }
  }
  join_neighbours(*s, thread);
  s->next = open_;
  open_ = s;
  if (kind == ScopeKind::kTest) add_neighbour(s->number);
  last_event_[s->number % kSeen] = {thread, now()};
  choose_targets();
  flush();
  return s->number;
}

void Recorder::end(std::uint32_t number, Result result, Thread thread) {
  const Locked locked(*this);
  Scope* s = scope(number);
  if (s == nullptr) return;
  if (result != Result::kPass) worsen(*s, result);
  inside_all_inits(thread);
  take_marks();
  look_at_state();
  settle(*s);
  write_inits();
  write_containers();
  if (!s->work.empty()) write_work(Record::kRow, number, true, s->work);
  const std::uint64_t at = now();
  Buffer& out = rows_.open(Record::kEnd);
  out.u4(number);
  out.u1(static_cast<unsigned char>(s->result));
  out.u1(s->overlapped ? 1 : 0);
  out.u8(at);
  rows_.close();
  for (std::size_t i = 0; i < neighbour_count_; ++i) {
    if (neighbours_[i].scope == number) neighbours_[i].ended = at;
  }
  for (Scope** p = &open_; *p != nullptr; p = &(*p)->next) {
    if (*p != s) continue;
    *p = s->next;
    break;
  }
  destroy(s);
  last_event_[number % kSeen] = {thread, at};
  choose_targets();
  flush();
}

// A failure is worse than a skip: it is never a reason to believe the row.
void Recorder::worsen(Scope& s, Result result) {
  if (result == Result::kFail || s.result == Result::kPass) s.result = result;
}

void Recorder::worsen(std::uint32_t number, Result result) {
  const Locked locked(*this);
  Scope* s = scope(number);
  if (s != nullptr) worsen(*s, result);
}

void Recorder::worsen_open(std::uint32_t number, Result result) {
  const Locked locked(*this);
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (number == 0 || s->number == number) worsen(*s, result);
  }
}

Recorder::Scope* Recorder::test_of(Thread thread) {
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (s->kind == ScopeKind::kTest && s->thread == thread) return s;
  }
  return nullptr;
}

std::uint32_t Recorder::open_test(Thread thread) {
  const Locked locked(*this);
  const Scope* s = test_of(thread);
  return s == nullptr ? 0 : s->number;
}

bool Recorder::inner_test_begins(Thread thread) {
  const Locked locked(*this);
  Scope* s = test_of(thread);
  if (s != nullptr) ++s->inner_tests;
  return s != nullptr;
}

bool Recorder::inner_test_ends(Thread thread) {
  const Locked locked(*this);
  Scope* s = test_of(thread);
  if (s == nullptr || s->inner_tests == 0) return false;
  --s->inner_tests;
  return true;
}

std::uint32_t Recorder::innermost(Thread thread) {
  const Locked locked(*this);
  const Scope* s = innermost_of(thread);
  return s == nullptr ? 0 : s->number;
}

std::uint32_t Recorder::find_open(ScopeKind kind, std::string_view id) {
  const Locked locked(*this);
  const std::uint32_t wanted = hash(id, 2);
  for (const Scope* s = open_; s != nullptr; s = s->next) {
    if (s->kind == kind && s->id_hash == wanted) return s->number;
  }
  return 0;
}

}  // namespace rejig::agent
