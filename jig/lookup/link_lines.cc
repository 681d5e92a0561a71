// SPDX-License-Identifier: Apache-2.0
#include "jig/lookup/link_lines.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "classfile/dump/dump_json.h"
#include "classfile/dump/ordered_output.h"
#include "jig/lookup/call_targets.h"
#include "jig/lookup/references.h"

namespace rejig::jig {

using classfile::JsonLine;
using classfile::Opcode;

namespace {

struct Key {
  Opcode op;
  bool interface = false;
  Name from;  // interned, as the others
  Name owner;
  Name name;
  Name descriptor;

  friend bool operator==(const Key& a, const Key& b) {
    return a.op == b.op && a.interface == b.interface &&
           a.from.data() == b.from.data() &&
           a.owner.data() == b.owner.data() &&
           a.name.data() == b.name.data() &&
           a.descriptor.data() == b.descriptor.data();
  }
};

struct KeyHash {
  std::uint64_t operator()(const Key& key) const {
    std::uint64_t h = static_cast<std::uint64_t>(key.op) * 2 + key.interface;
    for (const Name name : {key.from, key.owner, key.name, key.descriptor}) {
      h = base::mix64(h * 31 + reinterpret_cast<std::uintptr_t>(name.data()));
    }
    return h;
  }
};

bool before(const Key& a, const Key& b) {
  return std::tie(a.owner, a.name, a.descriptor, a.op, a.interface, a.from) <
         std::tie(b.owner, b.name, b.descriptor, b.op, b.interface, b.from);
}

bool is_field(Opcode op) { return op <= Opcode::k_putfield; }

constexpr std::size_t kLinesAtATime = 256;
constexpr std::size_t kWaitingBytes = std::size_t{16} << 20;

// Pieces of lines, in order, from all workers.
template <class Body>
void write_pieces(base::ThreadPool& pool, std::size_t n,
                  const std::function<void(std::string_view)>& write,
                  const Body& body) {
  classfile::OrderedOutput output(write, kWaitingBytes);
  pool.for_ranges(n, kLinesAtATime,
                  [&](unsigned worker, std::size_t begin, std::size_t end) {
                    if (output.stopped()) return;
                    std::string out;
                    for (std::size_t i = begin; i < end; ++i) {
                      body(worker, i, out);
                    }
                    output.put(begin / kLinesAtATime, out);
                  });
}

// Answers references of one thread.
class Linker {
 public:
  Linker(const World& world, const ClassHierarchy& hierarchy)
      : world_(world), hierarchy_(hierarchy), targets_(hierarchy) {}

  void line(const Key& key, std::string& out) {
    resolved_.clear();
    found_.clear();
    receivers_ = outside_ = errors_ = 0;
    if (is_field(key.op)) {
      resolve_field_of(key);
    } else {
      resolve_method_of(key);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    JsonLine line(out, "link", "");
    line.text("op", classfile::mnemonic(key.op));
    line.text_or_null("from", key.from, !key.from.empty());
    line.text("owner", key.owner);
    line.text("name", key.name);
    line.text("desc", key.descriptor);
    line.flag("itf", key.interface);
    line.text("resolved", resolved_);
    line.number("receivers", receivers_);
    std::string& list = line.at("targets");
    list += '[';
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i != 0) list += ',';
      classfile::append_quoted(list, found_[i]);
    }
    list += ']';
    line.number("outside", outside_);
    line.number("errors", errors_);
  }

 private:
  static std::string text(Name holder, const MethodShell& method) {
    std::string out(holder);
    out += '.';
    out += method.name;
    out += method.descriptor;
    return out;
  }
  static std::string text(LinkError error) {
    std::string out = "!";
    out += name_of(error);
    return out;
  }

  void resolve_field_of(const Key& key) {
    const auto answer =
        resolve_field(world_, key.owner, key.name, key.descriptor);
    const bool is_static =
        key.op == Opcode::k_getstatic || key.op == Opcode::k_putstatic;
    if (!answer.unknown.empty()) {
      resolved_ = "?";
    } else if (!answer.found()) {
      resolved_ = text(answer.error);
    } else if (answer.field->is(classfile::kAccStatic) != is_static) {
      resolved_ = text(LinkError::kIncompatibleClassChange);
    } else {
      resolved_ = answer.holder->name;
      resolved_ += '.';
      resolved_ += key.name;
      resolved_ += ':';
      resolved_ += key.descriptor;
    }
  }

  void resolve_method_of(const Key& key) {
    const MethodReference ref{key.owner, key.name, key.descriptor,
                              key.interface};
    const auto answer = resolve_method(world_, ref);
    if (!answer.unknown.empty()) {
      resolved_ = "?";
      return;
    }
    if (!answer.found()) {
      resolved_ = text(answer.error);
      return;
    }
    if (answer.method->is(classfile::kAccStatic) !=
        (key.op == Opcode::k_invokestatic)) {
      resolved_ = text(LinkError::kIncompatibleClassChange);
      return;
    }
    resolved_ = text(answer.holder->name, *answer.method);
    if (key.op == Opcode::k_invokestatic) {
      add(answer);
    } else if (key.op == Opcode::k_invokespecial) {
      add(resolve_special(world_, key.from, ref));
    } else {
      select_for_receivers(key, answer);
    }
  }

  void add(const MethodAnswer& answer) {
    if (!answer.found() || !answer.holder->internal) return;
    found_.push_back(text(answer.holder->name, *answer.method));
  }

  void select_for_receivers(const Key& key, const MethodAnswer& answer) {
    const TypeId owner = hierarchy_.find(key.owner);
    if (!owner.valid()) return;
    targets_.begin(answer, key.op == Opcode::k_invokeinterface);
    chosen_.clear();
    for (const TypeId receiver : hierarchy_.receivers(owner)) {
      ++receivers_;
      const Chosen chosen = targets_.choose(receiver);
      if (chosen.kind == Chosen::Kind::kError) {
        ++errors_;
      } else if (chosen.kind == Chosen::Kind::kUnknown ||
                 !hierarchy_.node(chosen.type)->internal) {
        ++outside_;
      } else {
        chosen_.push_back({chosen.type, chosen.method});
      }
    }
    auto type_before = [](const Declaration& a, const Declaration& b) {
      return a.type < b.type;
    };
    std::sort(chosen_.begin(), chosen_.end(), type_before);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (i != 0 && chosen_[i].type == chosen_[i - 1].type) continue;
      found_.push_back(
          text(hierarchy_.name(chosen_[i].type), *chosen_[i].method));
    }
  }

  const World& world_;
  const ClassHierarchy& hierarchy_;
  CallTargets targets_;
  std::string resolved_;
  std::vector<std::string> found_;
  std::vector<Declaration> chosen_;
  std::int64_t receivers_ = 0;
  std::int64_t outside_ = 0;
  std::int64_t errors_ = 0;
};

}  // namespace

struct LinkLines::State {
  struct Worker {
    std::vector<ClassShell> shells;
    base::HashMap<Key, char, KeyHash> seen;
    std::vector<Key> keys;
  };
  Names names;
  bool references = false;
  std::vector<Worker> workers;
};

LinkLines::LinkLines(unsigned workers, bool references)
    : state_(std::make_unique<State>()) {
  state_->workers.resize(workers);
  state_->references = references;
}
LinkLines::~LinkLines() = default;

void LinkLines::add(unsigned worker, const classfile::ClassView& cls) {
  if (cls.name() == "module-info") return;
  State::Worker& mine = state_->workers[worker];
  Names& names = state_->names;
  mine.shells.push_back(make_shell(cls, names));
  if (!state_->references) return;
  for (const Reference& each : references_of(cls)) {
    Key key;
    key.op = each.op;
    key.interface = !each.ref.field && each.ref.interface;
    if (each.from_caller) key.from = mine.shells.back().name;
    key.owner = names.intern(each.ref.owner);
    key.name = names.intern(each.ref.name);
    key.descriptor = names.intern(each.ref.descriptor);
    if (mine.seen.try_emplace(key, 0).second) mine.keys.push_back(key);
  }
}

void LinkLines::write(const std::vector<const classfile::Program*>& external,
                      bool hierarchy_lines, base::ThreadPool& pool,
                      const std::function<void(std::string_view)>& write) {
  const classfile::Program nothing;
  World world(state_->names, nothing, external);
  std::vector<Name> internal;
  std::vector<Key> keys;
  for (auto& worker : state_->workers) {
    for (auto& shell : worker.shells) {
      internal.push_back(shell.name);
      world.adopt(std::move(shell));
    }
    keys.insert(keys.end(), worker.keys.begin(), worker.keys.end());
    worker = {};
  }
  std::sort(internal.begin(), internal.end());
  const ClassHierarchy hierarchy(world, internal, pool);
  if (hierarchy_lines) {
    write_pieces(
        pool, internal.size(), write,
        [&](unsigned, std::size_t i, std::string& out) {
          const TypeId id = hierarchy.find(internal[i]);
          JsonLine line(out, "hierarchy", "");
          line.text("class", internal[i]);
          std::string& list = line.at("supers");
          list += '[';
          bool first = true;
          for (const TypeId above : hierarchy.supers(id)) {
            if (!first) list += ',';
            first = false;
            classfile::append_quoted(list, hierarchy.name(above));
          }
          list += ']';
          line.flag("open", hierarchy.open(id));
        });
  }
  if (!state_->references) return;
  std::sort(keys.begin(), keys.end(), before);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<std::unique_ptr<Linker>> linkers(pool.workers());
  write_pieces(pool, keys.size(), write,
               [&](unsigned worker, std::size_t i, std::string& out) {
                 auto& linker = linkers[worker];
                 if (!linker) {
                   linker = std::make_unique<Linker>(world, hierarchy);
                 }
                 linker->line(keys[i], out);
               });
}

}  // namespace rejig::jig
