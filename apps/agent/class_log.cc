// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/class_log.h"

#include "apps/agent/locked.h"
#include "apps/agent/tables.h"
#include "classfile/words/kept_state.h"

namespace rejig::agent {

using classfile::keeps_for_programs;

namespace {

// The thread is woken for so many bytes of classes, some thirty: a class alone
// is read faster than a thread wakes up.
constexpr std::size_t kBatch = std::size_t{128} * 1024;
// With so many waiting, who adds one reads them.
constexpr std::size_t kMost = std::size_t{4} * 1024 * 1024;
constexpr std::size_t kFlushAt = std::size_t{64} * 1024;
// What is kept of buffers while no more than a class now and then is loaded.
constexpr std::size_t kKept = std::size_t{16} * 1024;

// What stands in front of the bytes of a class that waits.
struct Waiting {
  ClassEntry entry;
  std::size_t size;
};

}  // namespace

ClassLog::ClassLog(RowFile& file, Statics& statics)
    : file_(file), statics_(statics) {
  pthread_mutex_init(&batch_, nullptr);
  pthread_mutex_init(&tables_, nullptr);
  pthread_mutex_init(&queue_, nullptr);
  pthread_cond_init(&changed_, nullptr);
}

ClassLog::~ClassLog() {
  {
    const Locked queue(queue_);
    stopping_ = true;
    pthread_cond_broadcast(&changed_);
    while (threaded_ && !stopped_) pthread_cond_wait(&changed_, &queue_);
  }
  if (names_ != nullptr) destroy(names_);
  std::free(digests_);
  pthread_cond_destroy(&changed_);
  pthread_mutex_destroy(&queue_);
  pthread_mutex_destroy(&tables_);
  pthread_mutex_destroy(&batch_);
}

bool ClassLog::start(Spawn spawn) {
  const Locked queue(queue_);
  names_ = make<NameTable>();
  if (names_ == nullptr) return false;
  threaded_ = spawn != nullptr && spawn(run, this);
  return true;
}

void ClassLog::run(void* log) { static_cast<ClassLog*>(log)->serve(); }

void ClassLog::serve() {
  pthread_mutex_lock(&queue_);
  while (!stopping_) {
    if (waiting_.size() < kBatch) {
      pthread_cond_wait(&changed_, &queue_);
      continue;
    }
    pthread_mutex_unlock(&queue_);
    drain();
    pthread_mutex_lock(&queue_);
  }
  stopped_ = true;
  pthread_cond_broadcast(&changed_);
  pthread_mutex_unlock(&queue_);
}

void ClassLog::add(const ClassEntry& entry, Bytes cls) {
  const Waiting head{entry, cls.size()};
  bool full = false;
  {
    const Locked queue(queue_);
    const std::size_t before = waiting_.size();
    const bool was_batch = before >= kBatch;
    waiting_.bytes(&head, sizeof head);
    waiting_.bytes(cls);
    if (waiting_.failed()) {
      waiting_.truncate(before);  // half of it would be read as something else
      fail();
    }
    full = waiting_.size() >= (threaded_ ? kMost : kBatch);
    if (threaded_ && !was_batch && waiting_.size() >= kBatch) {
      pthread_cond_signal(&changed_);
    }
  }
  if (full) drain();
}

void ClassLog::drain() {
  const Locked batch(batch_);
  read_waiting();
}

void ClassLog::read_waiting() {
  {
    const Locked queue(queue_);
    if (waiting_.size() == 0) return;
    taken_.swap(waiting_);
  }
  const unsigned char* at = taken_.data();
  const unsigned char* const end = at + taken_.size();
  while (at != end) {
    Waiting head;
    std::memcpy(&head, at, sizeof head);
    at += sizeof head;
    describe(head.entry, {reinterpret_cast<const std::byte*>(at), head.size});
    at += head.size;
  }
  taken_.drop(2 * kBatch);
}

// Whoever rewrote the class has looked at all that read_class() refuses; it can
// only lack memory.
void ClassLog::describe(const ClassEntry& entry, Bytes cls) {
  ClassInfo info;
  ClassEntry known = entry;
  if (!(entry.with_methods ? read_class(cls, arena_, info)
                           : read_names(cls, arena_, info))) {
    if (entry.origin != Origin::kUntouched && entry.with_methods) fail();
    known.with_methods = false;
    info = ClassInfo{};
    if (!read_head(cls, arena_, info)) info = ClassInfo{};
  }
  info.name = entry.name;
  const Digest digest = sha256(cls);
  write(known, info, digest);
  arena_.clear();
}

std::uint32_t ClassLog::source(std::string_view location) {
  const Locked tables(tables_);
  const std::uint32_t number = next_source_++;
  Buffer& out = records_.open(Record::kSource);
  out.u4(number);
  out.text(location);
  records_.close();
  return number;
}

std::uint32_t ClassLog::name(std::string_view text) {
  const Locked tables(tables_);
  return number_of(text, false);
}

std::string_view ClassLog::text(std::uint32_t name) {
  const Locked tables(tables_);
  return names_->text(name);
}

std::uint32_t ClassLog::number_of(std::string_view name, bool kept) {
  bool fresh = false;
  const std::uint32_t number = names_->number(name, texts_, kept, fresh);
  if (number == 0) fail();
  if (!fresh) return number;
  Buffer& out = records_.open(Record::kName);
  out.u4(number);
  out.text(name);
  records_.close();
  return number;
}

void ClassLog::write(const ClassEntry& entry, const ClassInfo& info,
                     const Digest& digest) {
  const Locked tables(tables_);
  keep_digest(entry.number, digest);
  // Defines them before the record of the class begins.
  number_of(entry.name, true);
  numbers_.clear();
  for (unsigned i = 0; i < info.name_count; ++i) {
    if (!numbers_.add(number_of(info.names[i], false))) fail();
  }
  note_statics(entry, info);
  write_record(entry, info, digest);
  if (records_.size() > kFlushAt) file_.write(records_);
}

// Its own initializer is where what a class holds begins.
void ClassLog::note_statics(const ClassEntry& entry, const ClassInfo& info) {
  some_.clear();
  for (unsigned i = 0; i <= info.interface_count; ++i) {
    const auto super = i == 0 ? info.super : info.interfaces[i - 1];
    if (super.empty() || starts_with(super, "java/")) continue;
    if (!some_.add(number_of(super, false))) fail();
  }
  if (some_.size() != 0 &&
      !statics_.inherits(number_of(entry.name, true), some_)) {
    fail();
  }
  if (entry.origin == Origin::kExternal && keeps_for_programs(entry.name)) {
    some_.clear();
    for (unsigned i = 0; i < info.constant_count; ++i) {
      if (!some_.add(numbers_[i])) fail();
    }
    if (!statics_.refers(number_of(entry.name, true), some_)) fail();
  }
  if (!entry.with_methods) return;
  std::uint32_t number = entry.first_method;
  for (unsigned i = 0; i < info.method_count; ++i) {
    const MethodInfo& m = info.methods[i];
    if (!m.has_code) continue;
    some_.clear();
    for (unsigned u = 0; u < m.use_count; ++u) {
      const std::string_view name = info.names[m.uses[u].name];
      if ((m.uses[u].use & kFields) == 0 ||
          (m.name == "<clinit>" && name == info.name)) {
        continue;
      }
      if (!some_.add(numbers_[m.uses[u].name])) fail();
    }
    if (some_.size() != 0 && !statics_.touches(number, some_)) fail();
    some_.clear();
    for (unsigned u = 0; u < m.use_count; ++u) {
      if ((m.uses[u].use & kTriggers) == 0) continue;
      if (!some_.add(numbers_[m.uses[u].name])) fail();
    }
    if (some_.size() != 0 && !statics_.asks(number, some_)) fail();
    ++number;
  }
}

void ClassLog::write_record(const ClassEntry& entry, const ClassInfo& info,
                            const Digest& digest) {
  Buffer& out = records_.open(Record::kClass);
  out.u4(entry.number);
  out.u1(static_cast<unsigned char>(entry.origin));
  out.text(entry.reason);
  out.text(info.name);
  out.bytes(digest.bytes, sizeof digest.bytes);
  out.u4(entry.source);
  constexpr unsigned kKeepsState = 0x0002, kHasParts = 0x0004;
  const bool keeps = info.keeps_state && (entry.origin != Origin::kExternal ||
                                          keeps_for_programs(entry.name));
  // No class file has these flags.
  out.u2(info.access | (keeps ? kKeepsState : 0u) |
         (info.has_parts ? kHasParts : 0u));
  out.text(info.super);
  out.u2(info.interface_count);
  for (unsigned i = 0; i < info.interface_count; ++i) {
    out.text(info.interfaces[i]);
  }
  out.varint(info.constant_count);
  out.varint(static_cast<std::uint32_t>(numbers_.size()));
  for (std::size_t i = 0; i < numbers_.size(); ++i) out.varint(numbers_[i]);
  out.u4(entry.first_method);
  out.u2(entry.with_methods ? info.method_count : 0);
  if (entry.with_methods) write_methods(info);
  records_.close();
}

void ClassLog::write_methods(const ClassInfo& info) {
  Buffer& out = records_.now();
  for (unsigned i = 0; i < info.method_count; ++i) {
    const MethodInfo& m = info.methods[i];
    out.u2(m.access);
    out.text(m.name);
    out.text(m.descriptor);
    out.u1((m.has_code ? 1u : 0u) | (m.clones ? 2u : 0u) | (m.asks ? 4u : 0u) |
           (m.provides ? 8u : 0u) | (m.is_test ? 16u : 0u));
    out.varint(m.use_count);
    for (unsigned u = 0; u < m.use_count; ++u) {
      out.varint(m.uses[u].name << 5 | m.uses[u].use);
    }
  }
}

void ClassLog::keep_digest(std::uint32_t number, const Digest& digest) {
  if (number >= digests_size_) {
    const std::size_t wanted = number < 256 ? 512 : std::size_t{number} * 2;
    void* p = std::realloc(digests_, wanted * sizeof *digests_);
    if (p == nullptr) return;  // a class of these bytes gets numbers again
    digests_ = static_cast<Half*>(p);
    std::memset(static_cast<void*>(digests_ + digests_size_), 0,
                (wanted - digests_size_) * sizeof *digests_);
    digests_size_ = wanted;
  }
  Half& half = digests_[number];
  std::memcpy(half.bytes, digest.bytes, sizeof half.bytes);
  half.known = true;
}

void ClassLog::set_digest(std::uint32_t number, const Digest& digest) {
  const Locked tables(tables_);
  keep_digest(number, digest);
}

bool ClassLog::has_digest(std::uint32_t number, const Digest& digest) {
  const Locked tables(tables_);
  return number < digests_size_ && digests_[number].known &&
         std::memcmp(digests_[number].bytes, digest.bytes,
                     sizeof digests_[number].bytes) == 0;
}

void ClassLog::settle() {
  const Locked batch(batch_);
  read_waiting();
  taken_.drop(kKept);
  {
    const Locked queue(queue_);
    if (waiting_.size() == 0) waiting_.drop(kKept);
  }
  const Locked tables(tables_);
  if (records_.size() != 0) file_.write(records_);
}

}  // namespace rejig::agent
