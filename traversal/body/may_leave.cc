// SPDX-License-Identifier: Apache-2.0
// Which methods of the old program may come to one that leaves something in the
// state that others meet, by calls that were perhaps never made? Another value
// makes unchanged code take another way: `if (K.on()) S.start()`, where start()
// registers. Followed are calls by name, of objects where one method only can be
// meant, what lambdas and references to methods stand for, and initializers of
// classes that are used. Not followed: calls with several targets, and what code
// outside of the program does with objects that it gets. (Both select up to 2.5
// points more of the tests of commons-codec and commons-validator.)
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include "classfile/reader/code.h"
#include "classfile/reader/descriptor.h"
#include "classfile/words/kept_state.h"
#include "classfile/words/may_change.h"
#include "traversal/body/outside_state.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::LeavingMethods;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

namespace {

constexpr unsigned kStatic = 0x0008;
constexpr unsigned kAbstract = 0x0400;

struct Call {
  std::string_view owner;
  std::string_view name;
  std::string_view descriptor;
  bool is_virtual = false;

  friend auto operator<=>(const Call&, const Call&) = default;
};

// What one method does, in words of its own class file.
struct Doings {
  std::set<Call> calls;
  std::set<std::string_view> initializes;
  // Owners of static fields; true: of those that only get a constant.
  std::set<std::pair<std::string_view, bool>> writes;
  std::set<std::string_view> leaves;  // that the JDK keeps
};

class MethodReader {
 public:
  MethodReader(const ClassView& cls, const MemberView& method, bool holds_itself)
      : cls_(cls), method_(method), holds_itself_(holds_itself) {}

  Doings read() {
    const auto code = CodeView::of(cls_, method_);
    if (!code) return {};
    classfile::InstructionReader in(code->code);
    classfile::Instruction at;
    unsigned before = 0;
    while (in.next(at)) {
      look(at, before);
      before = static_cast<unsigned>(at.op);
    }
    for (const auto& [owner, by] : held_) {
      if ((by & changes_) != 0) out_.writes.emplace(owner, false);
    }
    if (holds_itself_ && (method_.access & kStatic) == 0 &&
        method_.name != "<init>" &&
        (changes_itself_ || (own_changes_ & changes_) != 0)) {
      out_.writes.emplace(cls_.name(), false);
    }
    return std::move(out_);
  }

 private:
  void look(const classfile::Instruction& at, unsigned before) {
    switch (at.op) {
      case Opcode::k_getstatic:
      case Opcode::k_putstatic:
      case Opcode::k_getfield:
      case Opcode::k_putfield:
        field(at, before);
        break;
      case Opcode::k_invokevirtual:
      case Opcode::k_invokeinterface:
      case Opcode::k_invokespecial:
      case Opcode::k_invokestatic: {
        const auto ref = cls_.pool().member(at.index);
        call(ref, at.op == Opcode::k_invokevirtual ||
                      at.op == Opcode::k_invokeinterface);
        if (at.op == Opcode::k_invokestatic) out_.initializes.insert(ref.owner);
        break;
      }
      case Opcode::k_new:
        out_.initializes.insert(cls_.pool().text(at.index));
        break;
      case Opcode::k_invokedynamic:
        site(at.index);
        break;
      default:
        if (stores_.changes(static_cast<unsigned>(at.op), before)) {
          changes_ |= classfile::kArrays;
        }
    }
  }

  void field(const classfile::Instruction& at, unsigned before) {
    constexpr unsigned kConstNull = 0x01, kLastConst = 0x0f;
    const auto ref = cls_.pool().member(at.index);
    const bool holds =
        !ref.descriptor.empty() && !classfile::holds_for_ever(ref.descriptor);
    if (at.op == Opcode::k_putstatic) {
      out_.initializes.insert(ref.owner);
      out_.writes.emplace(ref.owner,
                          before >= kConstNull && before <= kLastConst);
    } else if (at.op == Opcode::k_getstatic) {
      out_.initializes.insert(ref.owner);
      if (holds) held_[ref.owner] |= classfile::changes_of(ref.descriptor);
    } else if (ref.owner == cls_.name()) {
      changes_itself_ |= at.op == Opcode::k_putfield;
      if (holds) own_changes_ |= classfile::changes_of(ref.descriptor);
    }
  }

  template <class Ref>
  void call(const Ref& ref, bool is_virtual) {
    changes_ |= classfile::changes_by(ref.owner, ref.name);
    out_.calls.insert({ref.owner, ref.name, ref.descriptor, is_virtual});
    const auto what = left_outside(ref.owner, ref.name);
    if (what.starts_with("kept ") && what != "kept anywhere" &&
        what != "kept files") {
      out_.leaves.insert(what);
    }
  }

  void handle(std::uint16_t index) {
    constexpr unsigned kInvokeVirtual = 5, kInvokeInterface = 9;
    const auto handle = cls_.pool().handle(index);
    if (handle.ref.field) return;
    call(handle.ref, handle.kind == kInvokeVirtual ||
                         handle.kind == kInvokeInterface);
    out_.initializes.insert(handle.ref.owner);
  }

  void site(std::uint16_t index) {
    const auto row = cls_.pool().dynamic(index).bootstrap;
    if (row >= cls_.bootstrap_methods().size()) return;
    const auto& bootstrap = cls_.bootstrap_methods()[row];
    handle(bootstrap.handle);
    for (const auto argument : bootstrap.arguments) {
      if (cls_.pool().tag(argument) == Tag::kMethodHandle) handle(argument);
    }
  }

  const ClassView& cls_;
  const MemberView& method_;
  bool holds_itself_;
  Doings out_;
  std::map<std::string_view, unsigned> held_;
  unsigned changes_ = 0;
  unsigned own_changes_ = 0;
  bool changes_itself_ = false;
  classfile::ArrayStores stores_;
};

// All internal classes, each method with who calls it.
class CallGraph {
 public:
  explicit CallGraph(const CompareInputs& inputs) {
    const auto& program = *inputs.old_internal;
    const auto files = program.classes();
    classes_.resize(files.size());
    std::vector<std::vector<Doings>> doings(files.size());
    base::ThreadPool pool(inputs.jobs);
    pool.for_ranges(files.size(), 16,
                    [&](unsigned, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        doings[i] = read(program, files[i], classes_[i]);
                      }
                    });
    link(doings);
  }

  LeavingMethods who_leaves(const std::set<std::string>& states,
                            const std::set<std::string>& tests) const {
    LeavingMethods out;
    for (const auto& test : tests) {
      std::string inner = classfile::slashed(test);
      for (auto dollar = inner.size(); dollar != std::string::npos;
           dollar = inner.rfind('$')) {
        inner.resize(dollar);
        const auto at = numbers_.find(inner);
        if (at == numbers_.end()) continue;
        upwards(at->second, [&](std::uint32_t c) {
          out.tests_of[classfile::dotted(classes_[c].view->name())].insert(test);
          return true;
        });
      }
    }
    for (const auto& state : states) {
      for (const bool constant : {false, true}) {
        const auto at = writers_.find({state, constant});
        if (at == writers_.end()) continue;
        for (const Id writer : at->second) {
          out.ways.push_back({state, writer, constant, callers_of(writer)});
        }
      }
    }
    for (const auto& method : methods_) {
      const Class& cls = classes_[method.cls];
      out.methods.push_back(classfile::method_entity(
          cls.view->name(), cls.view->methods()[method.slot].name,
          cls.view->methods()[method.slot].descriptor));
    }
    return out;
  }

 private:
  using Id = LeavingMethods::Place;

  // All from which calls lead to it.
  std::vector<Id> callers_of(Id writer) const {
    std::vector<bool> met(methods_.size(), false);
    std::vector<Id> out = {writer};
    met[writer] = true;
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (const Id caller : callers_[out[i]]) {
        if (met[caller]) continue;
        met[caller] = true;
        out.push_back(caller);
      }
    }
    out.erase(out.begin());
    return out;
  }

  struct Class {
    base::Buffer buffer;
    std::optional<ClassView> view;
    bool keeps = false;
    Id first = 0;  // of its methods
    std::vector<std::uint32_t> below;  // classes directly below it
  };
  struct Method {
    std::uint32_t cls = 0;
    std::uint16_t slot = 0;
  };

  static std::vector<Doings> read(const classfile::Program& program,
                                  const classfile::ProgramFile& file,
                                  Class& out) {
    const auto bytes = program.read(file, out.buffer);
    if (!bytes.ok()) return {};
    auto view = ClassView::parse(*bytes, file.name);
    // Of one that nobody can read rows say nothing either.
    if (!view.ok() || (*view).name() != file.name) return {};
    out.view.emplace(std::move(view).value());
    classfile::KeptState kept;
    bool holds_itself = false;
    for (const auto& field : out.view->fields()) {
      kept.field(field.access, field.descriptor);
      holds_itself =
          holds_itself ||
          ((field.access & kStatic) != 0 &&
           classfile::type_of_descriptor(field.descriptor).class_name ==
               out.view->name());
    }
    out.keeps = static_cast<bool>(kept);
    std::vector<Doings> doings;
    for (const auto& method : out.view->methods()) {
      doings.push_back(MethodReader(*out.view, method, holds_itself).read());
    }
    return doings;
  }

  void link(const std::vector<std::vector<Doings>>& doings) {
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
      Class& cls = classes_[c];
      cls.first = static_cast<Id>(methods_.size());
      if (!cls.view) continue;
      numbers_.emplace(cls.view->name(), c);
      for (std::uint16_t i = 0; i < cls.view->methods().size(); ++i) {
        methods_.push_back({c, i});
      }
    }
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
      each_above(c, [&](std::uint32_t above) {
        classes_[above].below.push_back(c);
      });
    }
    callers_.resize(methods_.size());
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
      for (std::size_t i = 0; i < doings[c].size(); ++i) {
        link(c, static_cast<std::uint16_t>(i), doings[c][i]);
      }
    }
    for (auto& callers : callers_) {
      std::ranges::sort(callers);
      callers.erase(std::unique(callers.begin(), callers.end()), callers.end());
    }
  }

  void link(std::uint32_t c, std::uint16_t slot, const Doings& does) {
    const Id self = classes_[c].first + slot;
    for (const auto& call : does.calls) {
      const auto at = numbers_.find(call.owner);
      if (at == numbers_.end()) continue;
      follow(call, at->second, self);
    }
    for (const auto name : does.initializes) {
      if (const auto at = numbers_.find(name);
          at != numbers_.end() && at->second != c) {
        if (const auto it = declared(at->second, "<clinit>", "()V")) {
          callers_[*it].push_back(self);
        }
      }
    }
    const bool initializes =
        classes_[c].view->methods()[slot].name == "<clinit>";
    for (const auto& [owner, constant] : does.writes) {
      writes(owner, constant, self, initializes ? c : kNobody);
    }
    for (const auto what : does.leaves) {
      writers_[{std::string(what), false}].push_back(self);
    }
  }

  static constexpr std::uint32_t kNobody = 0xffffffff;

  template <class F>
  void each_above(std::uint32_t c, F&& found) const {
    if (!classes_[c].view) return;
    const auto look = [&](std::string_view name) {
      const auto at = numbers_.find(name);
      if (at != numbers_.end()) found(at->second);
    };
    look(classes_[c].view->super_name());
    for (const auto name : classes_[c].view->interfaces()) look(name);
  }

  // Where what a class holds begins is its own initializer.
  void writes(std::string_view owner, bool constant, Id self,
              std::uint32_t own_initializer) {
    const auto at = numbers_.find(owner);
    if (at == numbers_.end()) return;
    upwards(at->second, [&](std::uint32_t c) {
      if (classes_[c].keeps && c != own_initializer) {
        writers_[{classfile::dotted(classes_[c].view->name()), constant}]
            .push_back(self);
      }
      return true;
    });
  }

  std::optional<Id> declared(std::uint32_t c, std::string_view name,
                             std::string_view descriptor) const {
    const auto& all = classes_[c].view->methods();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name && all[i].descriptor == descriptor) {
        return classes_[c].first + static_cast<Id>(i);
      }
    }
    return std::nullopt;
  }

  // A call by name of an object: of one method only, by whatever class. Where
  // several may be meant, which one it is mostly says nothing.
  void follow(const Call& call, std::uint32_t owner, Id caller) {
    std::vector<Id> found;
    const auto look = [&](std::uint32_t c) {
      const auto method = declared(c, call.name, call.descriptor);
      if (method) found.push_back(*method);
      return !method;
    };
    // The nearest that has it, and all interfaces' that do.
    upwards(owner, look);
    if (call.is_virtual) {
      below(owner, look);
      std::erase_if(found, [&](Id id) {
        return (classes_[methods_[id].cls].view->methods()[methods_[id].slot]
                    .access & kAbstract) != 0;
      });
      if (found.size() > 1) return;
    }
    for (const Id id : found) callers_[id].push_back(caller);
  }

  // What `c` is below, itself first, as far as `goes_on` says.
  template <class F>
  void upwards(std::uint32_t c, F&& goes_on) const {
    std::vector<std::uint32_t> todo = {c};
    std::set<std::uint32_t> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
      const auto one = todo.back();
      todo.pop_back();
      if (!goes_on(one)) continue;
      each_above(one, [&](std::uint32_t above) {
        if (seen.insert(above).second) todo.push_back(above);
      });
    }
  }

  template <class F>
  void below(std::uint32_t c, F&& visit) const {
    std::vector<std::uint32_t> todo = classes_[c].below;
    std::set<std::uint32_t> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
      const auto one = todo.back();
      todo.pop_back();
      visit(one);
      for (const auto next : classes_[one].below) {
        if (seen.insert(next).second) todo.push_back(next);
      }
    }
  }

  std::vector<Class> classes_;
  std::vector<Method> methods_;
  std::vector<std::vector<Id>> callers_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::map<std::pair<std::string, bool>, std::vector<Id>> writers_;
};

}  // namespace

classfile::MayLeave make_may_leave(CompareInputs inputs) {
  inputs.old_tests = nullptr;
  inputs.timer = nullptr;
  struct Asked {
    std::once_flag once;
    std::optional<CallGraph> graph;
  };
  return [inputs = std::move(inputs), asked = std::make_shared<Asked>()](
             const std::set<std::string>& states,
             const std::set<std::string>& tests) {
    std::call_once(asked->once, [&] { asked->graph.emplace(inputs); });
    return asked->graph->who_leaves(states, tests);
  };
}

}  // namespace rejig::traversal
