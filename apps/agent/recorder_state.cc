// SPDX-License-Identifier: Apache-2.0
// What scopes leave behind outside static fields of the program: system
// properties, what the JDK keeps, files. Whoever sets something back before the
// scope ends has left nothing.
#include "apps/agent/hooks.h"
#include "apps/agent/recorder_parts.h"

namespace rejig::agent {
namespace {

constexpr std::string_view kFilePrefix = "file ";
constexpr std::string_view kStorePrefix = "junit store ";
// Nobody's method: whoever meets it cannot have written it by itself.
constexpr std::string_view kNobody = "?";

// One key in one of JUnit's stores; which store says nothing to others.
std::string_view name_to_tell(std::string_view name) {
  if (!starts_with(name, kStorePrefix)) return name;
  std::string_view out = name;
  while (!out.empty() && out.back() != '@') out.remove_suffix(1);
  if (out.empty()) return name;
  out.remove_suffix(1);
  return out;
}

bool is_saved_by_habit(std::string_view name) {
  for (const std::string_view one :
       {"kept locale", "kept time zone", "jvm standard streams",
        "jvm test thread"}) {
    if (name == one) return true;
  }
  return false;
}

}  // namespace

bool Recorder::is_of_program(std::string_view dotted) {
  char text[1024];
  if (dotted.size() > sizeof text) return false;
  for (std::size_t i = 0; i < dotted.size(); ++i) {
    text[i] = dotted[i] == '.' ? '/' : dotted[i];
  }
  const std::string_view name(text, dotted.size());
  const Locked locked(*this);
  if (!ready_) return false;
  for (std::uint32_t k = classes_->first(hash(name, 1)); k != 0;
       k = (*classes_)[k].next) {
    const ClassKey& key = (*classes_)[k];
    if (key.name() == name && !key.external) return true;
  }
  return false;
}

Recorder::Global* Recorder::global_of(std::string_view name) {
  if (globals_ == nullptr) globals_ = make<Table<Global>>();
  if (globals_ == nullptr) {
    lose("no memory");
    return nullptr;
  }
  const std::uint32_t bucket = hash(name, 4);
  for (std::uint32_t k = globals_->first(bucket); k != 0;
       k = (*globals_)[k].next) {
    if ((*globals_)[k].name == name) return &(*globals_)[k];
  }
  Global g;
  g.name = names_.copy(name);
  const std::uint32_t number =
      g.name.data() == nullptr ? 0 : globals_->add(bucket, g);
  if (number == 0) {
    lose("no memory");
    return nullptr;
  }
  return &(*globals_)[number];
}

// Mostly it is the one that wrote it the last time.
std::string_view Recorder::writer_name(std::string_view writer,
                                       std::string_view known) {
  return writer.empty() || writer == known ? known : names_.copy(writer);
}

// A note: the global, what it was in two halves, and how often the program set
// it, twice; the last bit says that what it was is known.
struct Recorder::Note {
  static constexpr std::size_t kSize = 4;
  std::uint32_t global = 0;
  std::uint64_t was = 0;
  std::uint32_t sets = 0;
  bool known = false;

  static Note at(const Ids& list, std::size_t i) {
    return {list[i], std::uint64_t{list[i + 1]} << 32 | list[i + 2],
            list[i + 3] >> 1, (list[i + 3] & 1) != 0};
  }
  void put(Ids& list, std::size_t i) const {
    list.set(i, global);
    list.set(i + 1, static_cast<std::uint32_t>(was >> 32));
    list.set(i + 2, static_cast<std::uint32_t>(was));
    list.set(i + 3, sets << 1 | (known ? 1 : 0));
  }
};

// As with work: of a container only what is done while nothing is open in it.
template <class Change>
void Recorder::note(Global& g, Change&& change) {
  const std::uint32_t number = globals_->number_of(g);
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (!is_target(*s)) continue;
    Ids& list = s->changed;
    std::size_t at = 0;
    while (at < list.size() && list[at] != number) at += Note::kSize;
    if (at == list.size()) {
      if (!list.add(number) || !list.add(0) || !list.add(0) || !list.add(0)) {
        return lose("no memory");
      }
    }
    Note one = Note::at(list, at);
    change(one);
    one.put(list, at);
  }
}

void Recorder::turn(Global& g, std::uint64_t before, std::uint64_t after) {
  note(g, [&](Note& one) {
    if (!one.known) one.was = before;
    one.known = true;
  });
  g.now = after;
}

void Recorder::writes(std::string_view name, std::string_view writer) {
  const Locked locked(*this);
  if (!ready_) return;
  if (Global* g = global_of(name)) {
    g->writer = writer.empty() ? kNobody : writer_name(writer, g->writer);
    if (writer.empty()) return;
    g->left_by = g->writer;
    note(*g, [](Note& one) { ++one.sets; });
  }
}

void Recorder::changed(std::string_view name, std::uint64_t before,
                       std::uint64_t after) {
  const Locked locked(*this);
  if (!ready_) return;
  const std::string_view told = name_to_tell(name);
  Global* teller = global_of(told);
  if (teller == nullptr) return;
  const std::string_view writer =
      teller->writer.empty() ? kNobody : teller->writer;
  teller->writer = {};
  Global* g = told == name ? teller : global_of(name);
  if (g == nullptr) return;
  g->left_by = writer;
  turn(*g, before, after);
}

void Recorder::toggled(std::string_view name, std::uint64_t item,
                       std::string_view writer) {
  const Locked locked(*this);
  if (!ready_) return;
  Global* g = global_of(name);
  if (g == nullptr) return;
  g->left_by = writer.empty() ? kNobody : writer_name(writer, g->left_by);
  turn(*g, g->now, g->now ^ item);
}

void Recorder::writes_file(std::string_view path, std::string_view writer) {
  const Locked locked(*this);
  if (!ready_ || host_.state_of_file == nullptr || open_ == nullptr) return;
  char text[kFilePrefix.size() + 4096];
  if (path.size() > sizeof text - kFilePrefix.size()) {
    return lose("a file has a long name");
  }
  std::memcpy(text, kFilePrefix.data(), kFilePrefix.size());
  if (!path.empty()) std::memcpy(text + kFilePrefix.size(), path.data(), path.size());
  Global* g = global_of({text, kFilePrefix.size() + path.size()});
  if (g == nullptr) return;
  g->is_file = true;
  g->left_by = writer.empty() ? kNobody : writer_name(writer, g->left_by);
  // Mostly a scope that writes a file does so again and again.
  if (g->noted_in == open_->number) return;
  g->noted_in = open_->number;
  turn(*g, host_.state_of_file(path), 0);
}

void Recorder::settle(Scope& s) {
  for (std::size_t i = 0; i < s.changed.size(); i += Note::kSize) {
    const Note one = Note::at(s.changed, i);
    const Global& g = (*globals_)[one.global];
    std::string_view path = g.name;
    if (g.is_file) path.remove_prefix(kFilePrefix.size());
    const std::uint64_t is = g.is_file ? host_.state_of_file(path) : g.now;
    // Set once and no other than before: it may be another one with other code,
    // but where people save and restore whatever they do in between.
    const bool other = one.known && is != one.was;
    if (!other && (one.sets != 1 || is_saved_by_habit(g.name))) continue;
    char text[8192];
    const std::string_view name = name_to_tell(g.name);
    if (name.size() + 1 + g.left_by.size() > sizeof text) {
      lose("what a test left has a long name");
      continue;
    }
    std::memcpy(text, name.data(), name.size());
    text[name.size()] = '|';
    std::memcpy(text + name.size() + 1, g.left_by.data(), g.left_by.size());
    const FactKey* fact =
        fact_of(kLeftThere, {text, name.size() + 1 + g.left_by.size()});
    if (fact != nullptr && !s.work.facts.add(fact->number)) lose("no memory");
  }
  s.changed.clear();
}

void Recorder::reached_by_reflection(std::string_view dotted) {
  char text[1024];
  if (dotted.size() > sizeof text) return lose("a class has a long name");
  for (std::size_t i = 0; i < dotted.size(); ++i) {
    text[i] = dotted[i] == '.' ? '/' : dotted[i];
  }
  const std::uint32_t name = log_.name({text, dotted.size()});
  if (!reached_.has(name) && !reached_.add(name)) lose("no memory");
}

void Recorder::look_at_reached() {
  if (reached_.size() == 0) return;
  if (!statics_.empty() && host_.state_of != nullptr) {
    changed_.clear();
    statics_.look_at_libraries(reached_, false, host_.state_of,
                               [this](std::uint32_t name) {
                                 if (!changed_.add(name)) lose("no memory");
                               });
    for (std::size_t i = 0; i < changed_.size(); ++i) note_change(changed_[i]);
  }
  reached_.clear();
}

void Recorder::began(std::string_view name, void* cls) {
  const Locked locked(*this);
  if (!ready_ || host_.state_of == nullptr || statics_.empty()) return;
  statics_.begin(log_.name(name), host_.state_of(cls),
                 [&](void* m) { return host_.same_class(m, cls); });
}

void Recorder::tell(std::uint32_t number, std::uint32_t fact) {
  Scope* s = scope(number);
  if (number == 0 || s != nullptr) {
    if (!(number == 0 ? session_ : s->work).facts.add(fact)) lose("no memory");
    return;
  }
  Work late;
  if (!late.facts.add(fact)) return lose("no memory");
  write_work(Record::kRow, number, true, late);
}

// It may have been any of those who could have changed it since somebody looked.
void Recorder::note_library(std::uint32_t name) {
  const FactKey* fact = change_of(name);
  if (fact == nullptr) return;
  std::uint32_t last = 0;
  bool told = false;
  for (std::size_t i = 0; i < behind_.size(); i += 2) {
    if (told && behind_[i] == last) continue;
    last = behind_[i];
    told = statics_.reaches(behind_[i + 1], name);
    if (told) tell(last, fact->number);
  }
}

void Recorder::look_at_libraries() {
  // One part in so many of the time that the JVM runs, and a little at first.
  constexpr std::uint64_t kShare = 64;
  constexpr std::uint64_t kAtFirst = 5000;
  asked_.clear();
  statics_.each_asked(unlooked_, [&](std::uint32_t name) {
    if (!asked_.add(name)) lose("no memory");
  });
  if (asked_.size() == 0) return;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    bool open = false;
    for (const Scope* s = open_; s != nullptr; s = s->next) {
      if (!is_target(*s)) continue;
      open = true;
      if (!behind_.add(s->number) || !behind_.add(asked_[i])) lose("no memory");
    }
    if (!open && (!behind_.add(0) || !behind_.add(asked_[i]))) lose("no memory");
  }
  const std::uint64_t from = now();
  changed_.clear();
  statics_.look_at_libraries(asked_, false, host_.state_of,
                             [this](std::uint32_t name) {
                               if (!changed_.add(name)) lose("no memory");
                             });
  for (std::size_t i = 0; i < changed_.size(); ++i) note_library(changed_[i]);
  if (looked_for_ < (from - began_at_) / kShare + kAtFirst) look_behind();
  looked_for_ += now() - from;
}

void Recorder::look_behind() {
  if (behind_.size() == 0 || host_.state_of == nullptr) return;
  asked_.clear();
  for (std::size_t i = 0; i < behind_.size(); i += 2) {
    if (!asked_.has(behind_[i + 1]) && !asked_.add(behind_[i + 1])) {
      lose("no memory");
    }
  }
  changed_.clear();
  statics_.look_at_libraries(asked_, true, host_.state_of,
                             [this](std::uint32_t name) {
                               if (!changed_.add(name)) lose("no memory");
                             });
  for (std::size_t i = 0; i < changed_.size(); ++i) note_library(changed_[i]);
  behind_.clear();
}

}  // namespace rejig::agent
