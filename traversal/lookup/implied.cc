// SPDX-License-Identifier: Apache-2.0
// What does a row of methods alone say about the other atoms (the "M" column of
// the adaptor table)? Answers over-approximate: a constructor of C implies an
// instance of C, any method of a class whose initialization runs C's initializer
// and any method that holds a trigger implies the initialization, any method of
// C, of a subtype, or that refers to one implies the load. Needs one pass over
// the old program, made when the first such question is asked.
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "classfile/reader/code.h"
#include "classfile/reader/descriptor.h"
#include "jig/lookup/resolve.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Atom;
using classfile::AtomKind;
using classfile::ClassView;
using classfile::CodeView;
using classfile::Instruction;
using classfile::InstructionReader;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

namespace {

using MethodList = std::vector<std::string>;

// A world of its own: the comparison's is long gone.
struct Index {
  explicit Index(const CompareInputs& in)
      : inputs(in), world(names, *in.old_internal, in.old_external) {
    world.know_object();
  }

  const CompareInputs& inputs;
  jig::Names names;
  jig::World world;
  std::map<std::string, MethodList, std::less<>> methods;   // of a class
  std::map<std::string, MethodList, std::less<>> triggers;  // of a class
  std::map<std::string, MethodList, std::less<>> referrers;
  std::map<std::string, std::vector<std::string>, std::less<>> subtypes;
  // K -> classes whose initialization runs K's initializer.
  std::map<std::string, std::vector<std::string>, std::less<>> initializers_of;
  bool complete = true;  // every class could be read
};

struct ClassFacts {
  MethodList methods;
  std::vector<std::pair<std::string, std::string>> triggers;
  std::vector<std::pair<std::string, std::string>> referrers;
  bool readable = false;
};

ClassFacts facts_of(const ClassView& cls) {
  ClassFacts out;
  out.readable = true;
  const auto& pool = cls.pool();
  for (const MemberView& method : cls.methods()) {
    const auto code = CodeView::of(cls, method);
    if (!code) continue;
    const std::string entity = classfile::method_entity(
        cls.name(), method.name, method.descriptor);
    out.methods.push_back(entity);
    std::set<std::string> triggers;
    std::set<std::string> referred;
    // Linking a call site, a method handle or a method type loads what its
    // descriptor names; ordinary calls do not.
    auto types = [&](std::string_view text) {
      classfile::MethodDescriptor descriptor(text);
      auto one = descriptor.result();
      do {
        if (!one.class_name.empty()) referred.emplace(one.class_name);
      } while (descriptor.next(one));
    };
    auto handle = [&](std::uint16_t index) {
      const auto h = pool.handle(index);
      referred.emplace(jig::element_class(h.ref.owner));
      if (h.kind > 4) {
        types(h.ref.descriptor);
      } else {
        referred.emplace(
            classfile::type_of_descriptor(h.ref.descriptor).class_name);
      }
      if (h.kind == 2 || h.kind == 4 || h.kind == 6 || h.kind == 8) {
        triggers.emplace(h.ref.owner);
      }
    };
    InstructionReader reader(code->code);
    Instruction ins;
    while (reader.next(ins)) {
      switch (ins.op) {
        case Opcode::k_new:
          triggers.emplace(pool.text(ins.index));
          [[fallthrough]];
        case Opcode::k_anewarray:
        case Opcode::k_multianewarray:
        case Opcode::k_checkcast:
        case Opcode::k_instanceof:
          referred.emplace(jig::element_class(pool.text(ins.index)));
          break;
        case Opcode::k_getstatic:
        case Opcode::k_putstatic:
        case Opcode::k_invokestatic:
          triggers.emplace(pool.member(ins.index).owner);
          [[fallthrough]];
        case Opcode::k_getfield:
        case Opcode::k_putfield:
        case Opcode::k_invokevirtual:
        case Opcode::k_invokespecial:
        case Opcode::k_invokeinterface:
          referred.emplace(jig::element_class(pool.member(ins.index).owner));
          break;
        case Opcode::k_invokedynamic: {
          const auto site = pool.dynamic(ins.index);
          types(site.descriptor);
          if (site.bootstrap >= cls.bootstrap_methods().size()) break;
          const auto& boot = cls.bootstrap_methods()[site.bootstrap];
          handle(boot.handle);
          for (const auto argument : boot.arguments) {
            if (pool.tag(argument) == Tag::kMethodHandle) handle(argument);
            if (pool.tag(argument) == Tag::kClass) {
              referred.emplace(jig::element_class(pool.text(argument)));
            }
            if (pool.tag(argument) == Tag::kMethodType) {
              types(pool.text(argument));
            }
          }
          break;
        }
        case Opcode::k_ldc:
        case Opcode::k_ldc_w:
          if (pool.tag(ins.index) == Tag::kClass) {
            referred.emplace(jig::element_class(pool.text(ins.index)));
          } else if (pool.tag(ins.index) == Tag::kMethodHandle) {
            handle(ins.index);
          } else if (pool.tag(ins.index) == Tag::kMethodType) {
            types(pool.text(ins.index));
          }
          break;
        default:
          break;
      }
    }
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto handler = code->handler(i);
      if (handler.type != 0) referred.emplace(pool.text(handler.type));
    }
    for (const auto& name : triggers) out.triggers.emplace_back(name, entity);
    for (const auto& name : referred) out.referrers.emplace_back(name, entity);
  }
  return out;
}

void build(Index& index) {
  const auto classes = index.inputs.old_internal->classes();
  std::vector<ClassFacts> facts(classes.size());
  base::ThreadPool pool(index.inputs.jobs);
  pool.for_ranges(
      classes.size(), 16, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto loaded =
              index.world.load(*index.world.find(classes[i].name));
          if (loaded.ok()) facts[i] = facts_of(*loaded.value().view);
        }
      });
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::string name(classes[i].name);
    index.complete = index.complete && facts[i].readable;
    index.methods[name] = std::move(facts[i].methods);
    for (auto& [k, m] : facts[i].triggers) index.triggers[k].push_back(m);
    for (auto& [k, m] : facts[i].referrers) index.referrers[k].push_back(m);
    for (const Name super : index.world.supers(classes[i].name).names) {
      index.subtypes[std::string(super)].push_back(name);
    }
    for (const auto& k : jig::init_sequence(index.world, name)) {
      index.initializers_of[k].push_back(name);
    }
  }
}

void append(MethodList& out,
            const std::map<std::string, MethodList, std::less<>>& from,
            const std::string& key) {
  const auto at = from.find(key);
  if (at != from.end()) {
    out.insert(out.end(), at->second.begin(), at->second.end());
  }
}

std::optional<MethodList> implied_by(const Index& index, const Atom& atom) {
  const std::string name = classfile::slashed(atom.text);
  const ClassNode* node = index.world.find(name);
  if (!index.complete || node == nullptr || !node->internal) {
    return std::nullopt;
  }
  MethodList out;
  switch (atom.kind) {
    case AtomKind::kInst: {
      const auto at = index.methods.find(name);
      if (at == index.methods.end()) return std::nullopt;
      const std::string constructor = atom.text + ".<init>(";
      for (const auto& method : at->second) {
        if (method.starts_with(constructor)) out.push_back(method);
      }
      return out;
    }
    case AtomKind::kInit: {
      std::vector<std::string> initialized = {name};
      // The sequence of K also starts at every class below it.
      if (const auto at = index.subtypes.find(name);
          at != index.subtypes.end()) {
        initialized.insert(initialized.end(), at->second.begin(),
                           at->second.end());
      }
      if (const auto at = index.initializers_of.find(name);
          at != index.initializers_of.end()) {
        initialized.insert(initialized.end(), at->second.begin(),
                           at->second.end());
      }
      for (const auto& k : initialized) {
        append(out, index.methods, k);
        append(out, index.triggers, k);
      }
      break;
    }
    case AtomKind::kLoad: {
      std::vector<std::string> loaded = {name};
      if (const auto at = index.subtypes.find(name);
          at != index.subtypes.end()) {
        loaded.insert(loaded.end(), at->second.begin(), at->second.end());
      }
      for (const auto& k : loaded) {
        append(out, index.methods, k);
        append(out, index.referrers, k);
      }
      break;
    }
    default:
      return std::nullopt;
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

classfile::Implied make_implied(CompareInputs inputs) {
  // These need not live as long.
  inputs.old_tests = nullptr;
  inputs.timer = nullptr;
  struct Asked {
    std::once_flag once;
    std::optional<Index> index;
  };
  return [inputs = std::move(inputs), asked = std::make_shared<Asked>()](
             const Atom& atom) -> std::optional<MethodList> {
    std::call_once(asked->once,
                   [&] { build(asked->index.emplace(inputs)); });
    return implied_by(*asked->index, atom);
  };
}

}  // namespace rejig::traversal
