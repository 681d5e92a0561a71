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

bool Recorder::has_note(const Scope& s, std::uint32_t global) {
  for (std::size_t i = 0; i < s.changed.size(); i += 3) {
    if (s.changed[i] == global) return true;
  }
  return false;
}

// As with work: of a container only what is done while nothing is open in it.
void Recorder::turn(Global& g, std::uint64_t before, std::uint64_t after) {
  const std::uint32_t number = globals_->number_of(g);
  for (Scope* s = open_; s != nullptr; s = s->next) {
    if (s->number == g.noted_in || !is_target(*s) || has_note(*s, number)) {
      continue;
    }
    g.noted_in = s->number;
    if (!s->changed.add(number) ||
        !s->changed.add(static_cast<std::uint32_t>(before >> 32)) ||
        !s->changed.add(static_cast<std::uint32_t>(before))) {
      lose("no memory");
    }
  }
  g.now = after;
}

void Recorder::writes(std::string_view name, std::string_view writer) {
  const Locked locked(*this);
  if (!ready_) return;
  if (Global* g = global_of(name)) {
    g->writer = writer.empty() ? kNobody : writer_name(writer, g->writer);
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
  if (open_->number == g->noted_in) return;
  turn(*g, host_.state_of_file(path), 0);
}

void Recorder::settle(Scope& s) {
  for (std::size_t i = 0; i + 2 < s.changed.size(); i += 3) {
    const Global& g = (*globals_)[s.changed[i]];
    const std::uint64_t was =
        std::uint64_t{s.changed[i + 1]} << 32 | s.changed[i + 2];
    std::string_view path = g.name;
    if (g.is_file) path.remove_prefix(kFilePrefix.size());
    const std::uint64_t is = g.is_file ? host_.state_of_file(path) : g.now;
    if (is == was) continue;
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

}  // namespace rejig::agent
