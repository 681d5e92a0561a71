// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/recorder.h"

#include <unistd.h>
#include <ctime>

#include "apps/agent/hooks.h"
#include "apps/agent/log.h"
#include "apps/agent/recorder_parts.h"

namespace rejig::agent {
namespace {

constexpr std::size_t kFlushAt = std::size_t{256} * 1024;
constexpr std::size_t kLongRow = std::size_t{64} * 1024;
// A JVM that never runs a test is not to keep all that it reads.
constexpr std::uint32_t kMostEarly = 20000;

// The atom kinds that rows of this recorder answer for; see ROWS.md.
constexpr const char* kAtoms[] = {"m",       "inst",    "init", "load",
                                  "ext",     "miss",    "refl", "res",
                                  "resmiss", "stackapi", "state", "left"};
constexpr const char* kReceiverAtom = "recv";

void write_ids(const Ids& ids, Buffer& out) {
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out.zigzag(static_cast<std::int32_t>(ids[i] - last));
    last = ids[i];
  }
}

}  // namespace

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
  std::free(told_);
  std::free(targets_);
  std::free(facts_);
  if (classes_ != nullptr) destroy(classes_);
  if (receivers_ != nullptr) destroy(receivers_);
  if (globals_ != nullptr) destroy(globals_);
  pthread_mutex_destroy(&mutex_);
}

std::uint64_t Recorder::now() {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000u +
         static_cast<std::uint64_t>(t.tv_nsec) / 1000u;
}

bool Recorder::start(std::string_view directory, std::string_view suite,
                     const char* properties, const Host& host,
                     bool receivers) {
  const Locked locked(*this);
  if (started_) return ready_;
  started_ = true;
  host_ = host;
  method_class_ = static_cast<std::uint32_t*>(
      std::calloc(kMaxMethods, sizeof *method_class_));
  if (receivers) {
    told_ =
        static_cast<std::uint32_t*>(std::calloc(kMaxMethods, sizeof *told_));
  }
  classes_ = make<Table<ClassKey>>();
  receivers_ = receivers ? make<Table<ReceiverKey>>() : nullptr;
  if (method_class_ == nullptr || classes_ == nullptr || !make_facts() ||
      (receivers && (receivers_ == nullptr || told_ == nullptr))) {
    return false;
  }
  if (!file_.create(directory) || !log_.start(host.spawn)) return false;
  ready_ = true;
  Buffer& out = rows_.open(Record::kJvm);
  out.u8(now());
  out.u4(static_cast<std::uint32_t>(::getpid()));
  out.u4(static_cast<std::uint32_t>(::getppid()));
  out.text(suite);
  out.u2(sizeof kAtoms / sizeof kAtoms[0] + (receivers ? 1 : 0));
  for (const char* atom : kAtoms) out.text(atom);
  if (receivers) out.text(kReceiverAtom);
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
  rows_.close();
  choose_targets();
  began_at_ = now();
  if (next_fact_ > kMostEarly) lose("too much was read before the tests");
  for (std::uint32_t f = 1; f < next_fact_; ++f) {
    static_cast<void>(session_.facts.add(f));
  }
  return file_.write(rows_) && file_.write(early_);
}

bool Recorder::make_facts() {
  if (facts_ == nullptr) {
    facts_ = static_cast<FactKey**>(std::calloc(kBuckets, sizeof(FactKey*)));
  }
  return facts_ != nullptr;
}

void Recorder::finish() {
  const Locked locked(*this);
  if (!ready_) return;
  take_marks();
  look_at_state();
  look_behind();
  write_inits();
  write_containers();
  rows_.open(Record::kExit).u8(now());
  rows_.close();
  flush();
}

std::uint32_t Recorder::source(std::string_view location) {
  return log_.source(location);
}

// Only where the name is known must the digest be.
ClassSlot Recorder::reserve(std::string_view name, Bytes cls,
                            std::uint32_t methods, bool external) {
  const Locked locked(*this);
  ClassSlot slot;
  const std::uint32_t bucket = hash(name, 1);
  Digest digest{};
  bool again = false;
  for (std::uint32_t k = classes_->first(bucket); k != 0;
       k = (*classes_)[k].next) {
    const ClassKey& key = (*classes_)[k];
    if (key.name() != name) continue;
    if (!again) {
      again = true;
      digest = sha256(cls);
      log_.drain();
    }
    if (log_.has_digest(k, digest)) {
      slot.number = k;
      slot.first_method = key.first_method;
      slot.known = true;
      return slot;
    }
  }
  slot.refused = methods > kMaxMethods - next_method_;
  slot.first_method = next_method_;
  slot.name = names_.copy(name);
  ClassKey key;
  key.size = static_cast<std::uint32_t>(slot.name.size());
  key.text = slot.name.data();
  key.first_method = next_method_;
  key.external = external;
  if (key.text != nullptr) slot.number = classes_->add(bucket, key);
  if (slot.number == 0) {
    lose("no memory");
    slot.refused = true;
  }
  if (again && slot.number != 0) log_.set_digest(slot.number, digest);
  if (!slot.refused) {
    for (std::uint32_t i = 0; i < methods; ++i) {
      method_class_[next_method_++] = slot.number;
    }
  }
  return slot;
}

bool Recorder::is_of_library(std::string_view dotted) {
  char text[1024];
  if (dotted.size() > sizeof text) return false;
  for (std::size_t i = 0; i < dotted.size(); ++i) {
    text[i] = dotted[i] == '.' ? '/' : dotted[i];
  }
  const std::string_view name(text, dotted.size());
  const Locked locked(*this);
  if (!ready_) return false;
  bool external = false;
  const std::uint32_t bucket = hash(name, 1);
  for (std::uint32_t k = classes_->first(bucket); k != 0;
       k = (*classes_)[k].next) {
    const ClassKey& key = (*classes_)[k];
    if (key.name() != name) continue;
    if (!key.external) return false;
    external = true;
  }
  return external;
}

void Recorder::publish(const ClassSlot& slot, Bytes cls, Origin origin,
                       std::string_view reason, std::uint32_t source,
                       bool with_methods) {
  if (slot.number == 0) return;
  log_.add({slot.number, slot.first_method, source, origin, with_methods,
            slot.name, reason},
           cls);
}

void Recorder::publish(const ClassSlot& slot, const ClassInfo& info,
                       const Digest& digest, Origin origin,
                       std::string_view reason, std::uint32_t source,
                       bool with_methods) {
  if (slot.number == 0) return;
  log_.write({slot.number, slot.first_method, source, origin, with_methods,
              slot.name, reason},
             info, digest);
}

void Recorder::loaded(std::uint32_t class_number, Thread thread) {
  const Locked locked(*this);
  add_to_scopes(&Work::loads, class_number);
  add_to_inits(&Work::loads, class_number, thread);
  if (rows_.size() > kFlushAt) flush();
}

void Recorder::early(std::string_view name, std::uint32_t source,
                     Origin origin) {
  {
    const Locked locked(*this);
    const std::uint32_t bucket = hash(name, 1);
    for (std::uint32_t k = classes_->first(bucket); k != 0;
         k = (*classes_)[k].next) {
      if ((*classes_)[k].name() == name) return;
    }
  }
  const ClassSlot slot = reserve(name, {}, 0, origin == Origin::kExternal);
  ClassInfo info;
  info.name = name;
  publish(slot, info, Digest{}, origin, "early", source, false);
  const Locked locked(*this);
  if (!session_.loads.add(slot.number)) lose("no memory");
}

void Recorder::add_to_scopes(Ids Work::*list, std::uint32_t value) {
  for (std::size_t i = 0; i < target_count_; ++i) {
    if (!(targets_[i]->*list).add(value)) lose("no memory");
  }
}

void Recorder::add_to_inits(Ids Work::*list, std::uint32_t value,
                            Thread thread) {
  for (Init* i = inits_; i != nullptr; i = i->next) {
    if (i->thread != thread) continue;
    if (list == &Work::methods && !i->first_time(value)) continue;
    if (list == &Work::facts && i->work.facts.has(value)) continue;
    if (list == &Work::receivers && i->work.receivers.has(value)) continue;
    if (!(i->work.*list).add(value)) lose("no memory");
  }
}

bool Recorder::inside_all_inits(Thread thread) {
  bool all = true;
  for (Init** at = &inits_; *at != nullptr;) {
    if (host_.is_initialized((*at)->cls)) {
      close_init(at);
      continue;
    }
    all &= (*at)->thread == thread;
    at = &(*at)->next;
  }
  return all;
}

void Recorder::take_marks() {
  ++epoch_;
  marked_.clear();
  if (host_.collect != nullptr) host_.collect(epoch_, next_method_, marked_);
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    const std::uint32_t method = marked_[i];
    add_to_scopes(&Work::methods, method);
    if (!unlooked_.add(method)) lose("no memory");
    for (Init* init = inits_; init != nullptr; init = init->next) {
      if (init->first_time(method) && !init->work.methods.add(method)) {
        lose("no memory");
      }
    }
  }
}

Recorder::FactKey* Recorder::change_of(std::uint32_t name) {
  const std::string_view slashed = log_.text(name);
  char text[1024];
  if (slashed.size() > sizeof text) {
    lose("a class has a long name");
    return nullptr;
  }
  for (std::size_t i = 0; i < slashed.size(); ++i) {
    text[i] = slashed[i] == '/' ? '.' : slashed[i];
  }
  return fact_of(kChangedState, {text, slashed.size()});
}

void Recorder::note_change(std::uint32_t name) {
  const FactKey* fact = change_of(name);
  if (fact != nullptr) add_to_scopes(&Work::facts, fact->number);
}

void Recorder::look_at_state() {
  look_at_reached();
  if (unlooked_.size() == 0) return;
  if (!statics_.empty() && host_.state_of != nullptr) {
    log_.settle();
    changed_.clear();
    statics_.look(unlooked_, host_.state_of, [this](std::uint32_t name) {
      if (!changed_.add(name)) lose("no memory");
    });
    for (std::size_t i = 0; i < changed_.size(); ++i) note_change(changed_[i]);
    look_at_libraries();
  }
  unlooked_.clear();
}

void Recorder::keeps_state(const ClassSlot& slot, bool has_initializer) {
  const Locked locked(*this);
  if (slot.number == 0) return;
  (*classes_)[slot.number].keeps =
      has_initializer ? Keeps::kFromInitializer : Keeps::kFromStart;
}

Recorder::Keeps Recorder::keeps_state(std::string_view name) {
  const Locked locked(*this);
  if (!ready_) return Keeps::kNothing;
  for (std::uint32_t k = classes_->first(hash(name, 1)); k != 0;
       k = (*classes_)[k].next) {
    const ClassKey& key = (*classes_)[k];
    if (key.keeps != Keeps::kNothing && key.name() == name) return key.keeps;
  }
  return Keeps::kNothing;
}

void Recorder::prepared(std::string_view name, void* mirror, StateOf state) {
  if (!statics_.add(log_.name(name), mirror, state)) lost("no memory");
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
  i->class_number = method_class_[method];
  i->next = inits_;
  inits_ = i;
}

void Recorder::close_init(Init** at) {
  take_marks();
  Init* i = *at;
  *at = i->next;
  write_work(Record::kInit, i->class_number, true, i->work);
  host_.release_class(i->cls);
  destroy(i);
}

void Recorder::initializes(std::uint32_t method, Thread thread) {
  const Locked locked(*this);
  if (!ready_ || method >= next_method_) return;
  inside_all_inits(thread);
  take_marks();
  open_init(method, thread);
  add_to_scopes(&Work::methods, method);
  add_to_inits(&Work::methods, method, thread);
}

void Recorder::initialized(std::uint32_t method, Thread thread) {
  const Locked locked(*this);
  if (!ready_ || method >= next_method_) return;
  for (Init** at = &inits_; *at != nullptr; at = &(*at)->next) {
    if ((*at)->thread == thread &&
        (*at)->class_number == method_class_[method]) {
      if (host_.state_of != nullptr && !statics_.empty()) {
        void* cls = (*at)->cls;
        const ClassKey& key = (*classes_)[(*at)->class_number];
        if (key.keeps != Keeps::kNothing) {
          statics_.begin(log_.name(key.name()), host_.state_of(cls),
                         [&](void* m) { return host_.same_class(m, cls); });
        }
      }
      return close_init(at);
    }
  }
}

Recorder::ReceiverKey* Recorder::receiver_of(std::uint32_t method,
                                             std::uint32_t name) {
  const std::uint32_t bucket =
      (method * 0x9e3779b9u + name * 0x85ebca6bu) >> 7 & (kBuckets - 1);
  for (std::uint32_t k = receivers_->first(bucket); k != 0;
       k = (*receivers_)[k].next) {
    ReceiverKey& key = (*receivers_)[k];
    if (key.method == method && key.name == name) return &key;
  }
  const std::uint32_t number = receivers_->add(bucket, {0, method, name, 0});
  if (number == 0) {
    lose("no memory");
    return nullptr;
  }
  Buffer& out = rows_.open(Record::kReceiver);
  out.u4(number);
  out.u4(method);
  out.u4(name);
  rows_.close();
  return &(*receivers_)[number];
}

std::uint32_t Recorder::received(std::uint32_t method, std::string_view name,
                                 void* cls, Thread thread) {
  const Locked locked(*this);
  if (!ready_ || receivers_ == nullptr || method >= next_method_) {
    if (host_.mark_receiver != nullptr) host_.mark_receiver(method, cls);
    return epoch_;
  }
  const bool inside = inside_all_inits(thread);
  if (told_[method] != epoch_) {
    told_[method] = epoch_;
    add_to_scopes(&Work::methods, method);
    if (!unlooked_.add(method)) lose("no memory");
  }
  add_to_inits(&Work::methods, method, thread);
  if (!name.empty()) {
    ReceiverKey* key = receiver_of(method, log_.name(name));
    if (key == nullptr) return 0;
    const std::uint32_t number = receivers_->number_of(*key);
    if (key->told != epoch_) {
      key->told = epoch_;
      add_to_scopes(&Work::receivers, number);
    }
    add_to_inits(&Work::receivers, number, thread);
  }
  if (inside && host_.mark_receiver != nullptr) {
    host_.mark_receiver(method, cls);
  }
  return inside ? epoch_ : 0;
}

Recorder::FactKey* Recorder::fact_of(unsigned kind, std::string_view text) {
  FactKey*& bucket = facts_[hash(text, kind)];
  for (FactKey* k = bucket; k != nullptr; k = k->next) {
    if (k->kind == kind && k->text == text) return k;
  }
  auto* key = names_.array<FactKey>(1);
  const std::string_view kept =
      key == nullptr ? std::string_view{} : names_.copy(text);
  if (kept.data() == nullptr) {
    lose("no memory");
    return nullptr;
  }
  *key = {bucket, kept, kind, next_fact_++, 0};
  bucket = key;
  Records& records = ready_ ? rows_ : early_;
  Buffer& out = records.open(Record::kFact);
  out.u4(key->number);
  out.u1(kind);
  out.text(text);
  records.close();
  return key;
}

bool Recorder::knows(unsigned kind, std::string_view text) {
  const Locked locked(*this);
  if (!ready_) return true;
  for (const FactKey* k = facts_[hash(text, kind)]; k != nullptr; k = k->next) {
    if (k->kind == kind && k->text == text) return true;
  }
  return false;
}

std::uint32_t Recorder::found(unsigned kind, std::string_view text,
                              Thread thread) {
  const Locked locked(*this);
  if (!started_) {
    if (!make_facts()) return 0;
    FactKey* fact = next_fact_ > kMostEarly ? nullptr : fact_of(kind, text);
    if (fact != nullptr) fact->told = epoch_;
    return epoch_;
  }
  if (!ready_) return epoch_;
  if (kind == kInitialized) reached_by_reflection(text);
  const bool inside = inside_all_inits(thread);
  FactKey* fact = fact_of(kind, text);
  if (fact == nullptr) return 0;
  if (fact->told != epoch_) {
    fact->told = epoch_;
    add_to_scopes(&Work::facts, fact->number);
  }
  add_to_inits(&Work::facts, fact->number, thread);
  return inside ? epoch_ : 0;
}

void Recorder::write_work(Record kind, std::uint32_t number, bool done,
                          Work& work) {
  Buffer& out = rows_.open(kind);
  out.u4(number);
  if (kind == Record::kInit) out.u1(done ? 1 : 0);
  out.u4(static_cast<std::uint32_t>(work.methods.size()));
  out.u4(static_cast<std::uint32_t>(work.loads.size()));
  out.u4(static_cast<std::uint32_t>(work.facts.size()));
  out.u4(static_cast<std::uint32_t>(work.receivers.size()));
  for (Ids* ids :
       {&work.methods, &work.loads, &work.facts, &work.receivers}) {
    write_ids(*ids, out);
    ids->clear();
  }
  rows_.close();
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

void Recorder::lost(std::string_view why) {
  const Locked locked(*this);
  lose(why);
}

void Recorder::lose(std::string_view why) {
  if (lost_) return;
  lost_ = true;
  say("rows of this JVM are partial: ", why);
  rows_.open(Record::kLoss).text(why);
  rows_.close();
}

// Classes, names and sources come before what uses their numbers.
void Recorder::flush() {
  log_.settle();
  if (log_.failed()) lose("no memory");
  file_.write(rows_);
}

}  // namespace rejig::agent
