// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/recorder.h"

#include <ctime>
#include <unistd.h>

#include <new>

#include "apps/agent/log.h"

namespace rejig::agent {
namespace {

constexpr std::uint32_t kBuckets = 1 << 14;
constexpr std::uint32_t kClinit = 0x80000000;
constexpr std::size_t kFlushAt = 256 * 1024;
constexpr std::size_t kLongRow = 64 * 1024;

// The atom kinds that rows of this recorder answer for; see ROWS.md.
constexpr const char* kAtoms[] = {"m",    "inst", "init", "load",   "ext",
                                  "miss", "refl", "res",  "resmiss", "stackapi"};

std::uint32_t hash(std::string_view s, std::uint32_t seed) {
  std::uint32_t h = seed * 0x9e3779b9u + 2166136261u;
  for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return (h ^ h >> 15) & (kBuckets - 1);
}

void write_ids(const Ids& ids, Buffer& out) {
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out.zigzag(static_cast<std::int32_t>(ids[i] - last));
    last = ids[i];
  }
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

}  // namespace

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
  Work work;
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

Recorder::Recorder() { pthread_mutex_init(&mutex_, nullptr); }

Recorder::~Recorder() {
  while (open_ != nullptr) {
    Scope* s = open_;
    open_ = s->next;
    destroy(s);
  }
  while (inits_ != nullptr) {
    Init* i = inits_;
    inits_ = i->next;
    destroy(i);
  }
  std::free(method_class_);
  std::free(targets_);
  std::free(classes_);
  std::free(facts_);
  pthread_mutex_destroy(&mutex_);
}

std::uint64_t Recorder::now() {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000u +
         static_cast<std::uint64_t>(t.tv_nsec) / 1000u;
}

bool Recorder::start(std::string_view directory, std::string_view suite,
                     const char* properties, const Host& host) {
  const Locked locked(*this);
  if (started_) return ready_;
  started_ = true;
  host_ = host;
  method_class_ =
      static_cast<std::uint32_t*>(std::calloc(kMaxMethods, sizeof(uint32_t)));
  classes_ = static_cast<ClassKey**>(std::calloc(kBuckets, sizeof(ClassKey*)));
  facts_ = static_cast<FactKey**>(std::calloc(kBuckets, sizeof(FactKey*)));
  if (method_class_ == nullptr || classes_ == nullptr || facts_ == nullptr) {
    return false;
  }
  if (!file_.create(directory)) return false;
  ready_ = true;
  Buffer& out = file_.open(Record::kJvm);
  out.u8(now());
  out.u4(static_cast<std::uint32_t>(::getpid()));
  out.u4(static_cast<std::uint32_t>(::getppid()));
  out.text(suite);
  out.u2(sizeof kAtoms / sizeof kAtoms[0]);
  for (const char* atom : kAtoms) out.text(atom);
  const std::size_t count_at = out.size();
  unsigned n = 0;
  out.u2(0);
  for (const char* p = properties; *p != 0; ++n) {
    for (int part = 0; part < 2; ++part) {
      const std::string_view text(p);
      out.text(text);
      p += text.size() + 1;
    }
  }
  out.set_u2(count_at, n);
  file_.close();
  choose_targets();
  return file_.flush();
}

void Recorder::finish() {
  const Locked locked(*this);
  if (!ready_) return;
  write_inits();
  write_containers();
  file_.open(Record::kExit).u8(now());
  file_.close();
  flush();
}

std::uint32_t Recorder::source(std::string_view location) {
  const Locked locked(*this);
  const std::uint32_t number = next_source_++;
  Buffer& out = file_.open(Record::kSource);
  out.u4(number);
  out.text(location);
  file_.close();
  return number;
}

ClassSlot Recorder::reserve(std::string_view name, const Digest& digest,
                            std::uint32_t methods) {
  const Locked locked(*this);
  ClassSlot slot;
  ClassKey*& bucket = classes_[hash(name, 1)];
  for (const ClassKey* k = bucket; k != nullptr; k = k->next) {
    if (k->name == name && k->digest == digest) {
      slot.number = k->number;
      slot.first_method = k->first_method;
      slot.known = true;
      return slot;
    }
  }
  slot.number = next_class_++;
  slot.refused = methods > kMaxMethods - next_method_;
  slot.first_method = next_method_;
  if (!slot.refused) {
    for (std::uint32_t i = 0; i < methods; ++i) {
      method_class_[next_method_++] = slot.number;
    }
  }
  auto* key = names_.array<ClassKey>(1);
  if (key != nullptr) {
    *key = {bucket, names_.copy(name), digest, slot.number, slot.first_method};
    bucket = key;
  }
  return slot;
}

void Recorder::publish(const ClassSlot& slot, const ClassInfo& info,
                       const Digest& digest, Origin origin,
                       std::string_view reason, std::uint32_t source,
                       bool with_methods) {
  const Locked locked(*this);
  Buffer& out = file_.open(Record::kClass);
  out.u4(slot.number);
  out.u1(static_cast<unsigned char>(origin));
  out.text(reason);
  out.text(info.name);
  out.bytes(digest.bytes, sizeof digest.bytes);
  out.u4(source);
  out.u2(info.access);
  out.text(info.super);
  out.u2(info.interface_count);
  for (unsigned i = 0; i < info.interface_count; ++i) {
    out.text(info.interfaces[i]);
  }
  if (!with_methods) {
    out.u2(0);
    out.u4(0);
    out.u2(0);
    file_.close();
    return;
  }
  out.u2(info.name_count);
  for (unsigned i = 0; i < info.name_count; ++i) out.text(info.names[i]);
  out.u4(slot.first_method);
  out.u2(info.method_count);
  std::uint32_t method = slot.first_method;
  for (unsigned i = 0; i < info.method_count; ++i) {
    const MethodInfo& m = info.methods[i];
    out.u2(m.access);
    out.text(m.name);
    out.text(m.descriptor);
    out.u1((m.has_code ? 1u : 0u) | (m.clones ? 2u : 0u));
    out.varint(m.use_count);
    for (unsigned u = 0; u < m.use_count; ++u) {
      out.varint(m.uses[u].name << 2 | m.uses[u].use);
    }
    if (m.has_code && origin == Origin::kRewritten && method < kMaxMethods) {
      if (m.name == "<clinit>") method_class_[method] |= kClinit;
      ++method;
    }
  }
  file_.close();
  if (file_.waiting() > kFlushAt) flush();
}

void Recorder::loaded(std::uint32_t class_number, Thread thread) {
  const Locked locked(*this);
  add_everywhere(&Work::loads, class_number, thread);
}

void Recorder::early(std::string_view name, std::uint32_t source,
                     bool has_source) {
  const Digest unknown{};
  {
    const Locked locked(*this);
    for (const ClassKey* k = classes_[hash(name, 1)]; k != nullptr;
         k = k->next) {
      if (k->name == name) return;
    }
  }
  ClassInfo info;
  info.name = name;
  const ClassSlot slot = reserve(name, unknown, 0);
  publish(slot, info, unknown,
          has_source ? Origin::kExternal : Origin::kGenerated, "early", source,
          false);
  const Locked locked(*this);
  if (!session_.loads.add(slot.number)) lose("no memory");
}

void Recorder::announce_epoch() {
  const Locked locked(*this);
  if (host_.set_epoch != nullptr) host_.set_epoch(epoch_);
}

void Recorder::add_everywhere(Ids Work::*list, std::uint32_t value,
                              Thread thread) {
  bool fine = true;
  for (std::size_t i = 0; i < target_count_; ++i) {
    fine &= (targets_[i]->*list).add(value);
  }
  for (Init* i = inits_; i != nullptr; i = i->next) {
    if (i->thread == thread) fine &= (i->work.*list).add(value);
  }
  if (!fine) lose("no memory");
}

bool Recorder::inside_all_inits(Thread thread) {
  bool all = true;
  for (Init** at = &inits_; *at != nullptr;) {
    Init* i = *at;
    if (host_.is_initialized(i->cls)) {
      *at = i->next;
      write_work(Record::kInit, i->class_number, true, i->work);
      host_.release_class(i->cls);
      destroy(i);
      continue;
    }
    all &= i->thread == thread;
    at = &i->next;
  }
  return all;
}

void Recorder::open_init(std::uint32_t method, Thread thread) {
  void* cls = host_.initializing_class();
  Init* i = cls == nullptr ? nullptr : make<Init>();
  if (i == nullptr) {
    lose("the class of an initializer is unknown");
    return;
  }
  i->thread = thread;
  i->cls = cls;
  i->class_number = method_class_[method] & ~kClinit;
  i->next = inits_;
  inits_ = i;
  new_epoch();
}

std::uint32_t Recorder::enter(std::uint32_t method, Thread thread) {
  const Locked locked(*this);
  if (!ready_ || method >= next_method_) return epoch_;
  bool inside = inits_ == nullptr || inside_all_inits(thread);
  if ((method_class_[method] & kClinit) != 0) {
    open_init(method, thread);
    inside = inits_ == nullptr || inside_all_inits(thread);
  }
  add_everywhere(&Work::methods, method, thread);
  return inside ? epoch_ : 0;
}

std::uint32_t Recorder::fact_number(unsigned kind, std::string_view text) {
  FactKey*& bucket = facts_[hash(text, kind)];
  for (const FactKey* k = bucket; k != nullptr; k = k->next) {
    if (k->kind == kind && k->text == text) return k->number;
  }
  auto* key = names_.array<FactKey>(1);
  const std::string_view kept =
      key == nullptr ? std::string_view{} : names_.copy(text);
  if (kept.data() == nullptr) {
    lose("no memory");
    return 0;
  }
  *key = {bucket, kept, kind, next_fact_++};
  bucket = key;
  Buffer& out = file_.open(Record::kFact);
  out.u4(key->number);
  out.u1(kind);
  out.text(text);
  file_.close();
  return key->number;
}

std::uint32_t Recorder::found(unsigned kind, std::string_view text,
                              Thread thread) {
  const Locked locked(*this);
  if (!ready_) return started_ ? epoch_ : 0;
  const bool inside = inits_ == nullptr || inside_all_inits(thread);
  const std::uint32_t number = fact_number(kind, text);
  if (number != 0) add_everywhere(&Work::facts, number, thread);
  return inside ? epoch_ : 0;
}

void Recorder::write_work(Record kind, std::uint32_t number, bool done,
                          Work& work) {
  Buffer& out = file_.open(kind);
  out.u4(number);
  if (kind == Record::kInit) out.u1(done ? 1 : 0);
  out.u4(static_cast<std::uint32_t>(work.methods.size()));
  out.u4(static_cast<std::uint32_t>(work.loads.size()));
  out.u4(static_cast<std::uint32_t>(work.facts.size()));
  write_ids(work.methods, out);
  write_ids(work.loads, out);
  write_ids(work.facts, out);
  file_.close();
  work.methods.clear();
  work.loads.clear();
  work.facts.clear();
}

void Recorder::write_containers() {
  if (!session_.empty()) write_work(Record::kRow, 0, true, session_);
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (s->work.empty()) continue;
    if (s->kind == ScopeKind::kContainer || s->work.methods.size() > kLongRow) {
      write_work(Record::kRow, s->number, true, s->work);
    }
  }
}

void Recorder::write_inits() {
  for (Init* i = inits_; i != nullptr; i = i->next) {
    if (!i->work.empty()) {
      write_work(Record::kInit, i->class_number, false, i->work);
    }
  }
}

void Recorder::new_epoch() {
  ++epoch_;
  if (host_.set_epoch != nullptr) host_.set_epoch(epoch_);
}

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
    bool leaf = true;
    for (const Scope* o = open_; o != nullptr; o = o->next) {
      leaf &= o->parent != s->number;
    }
    if (leaf || s->kind == ScopeKind::kTest) {
      targets_[target_count_++] = &s->work;
    }
  }
  if (target_count_ == 0) targets_[target_count_++] = &session_;
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
    Buffer& out = file_.open(Record::kJoin);
    out.u4(fresh.number);
    out.u4(n.scope);
    file_.close();
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
  Buffer& out = file_.open(Record::kBegin);
  out.u4(s->number);
  out.u1(static_cast<unsigned char>(kind));
  out.u4(s->parent);
  out.u8(now());
  out.text(id);
  file_.close();

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
  new_epoch();
  flush();
  return s->number;
}

void Recorder::end(std::uint32_t number, Result result, Thread thread) {
  const Locked locked(*this);
  Scope* s = scope(number);
  if (s == nullptr) return;
  if (result != Result::kPass) worsen(*s, result);
  inside_all_inits(thread);
  write_inits();
  write_containers();
  if (!s->work.empty()) write_work(Record::kRow, number, true, s->work);
  const std::uint64_t at = now();
  Buffer& out = file_.open(Record::kEnd);
  out.u4(number);
  out.u1(static_cast<unsigned char>(s->result));
  out.u1(s->overlapped ? 1 : 0);
  out.u8(at);
  file_.close();
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
  new_epoch();
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

void Recorder::lost(std::string_view why) {
  const Locked locked(*this);
  lose(why);
}

void Recorder::lose(std::string_view why) {
  if (lost_) return;
  lost_ = true;
  say("rows of this JVM are partial: ", why);
  file_.open(Record::kLoss).text(why);
  file_.close();
}

void Recorder::flush() {
  const bool was_open = file_.is_open();
  if (!file_.flush() && was_open) {
    say("the row file cannot be written; nothing more is recorded");
  }
}

}  // namespace rejig::agent
