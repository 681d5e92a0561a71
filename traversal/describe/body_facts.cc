// SPDX-License-Identifier: Apache-2.0
#include "traversal/describe/body_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "classfile/reader/code.h"
#include "classfile/words/entity.h"
#include "traversal/code/describe.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/java_names.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::Instruction;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Tag;

namespace {

// What every second line of Java compiles to.
constexpr std::array<std::string_view, 9> kBuilders = {
    "java/lang/StringBuilder", "java/lang/StringBuffer",
    "java/lang/AssertionError", "java/util/Iterator", "java/lang/Object",
    "java/util/Objects", "java/lang/Iterable", "java/lang/Class",
    "java/lang/String"};
constexpr std::array<std::string_view, 12> kHumdrumNames = {
    "append", "toString", "<init>", "hasNext", "next",  "requireNonNull",
    "length", "valueOf",  "equals", "iterator", "getClass",
    "desiredAssertionStatus"};
constexpr std::array<std::string_view, 8> kBoxes = {
    "java/lang/Integer", "java/lang/Long",  "java/lang/Boolean",
    "java/lang/Short",   "java/lang/Byte",  "java/lang/Character",
    "java/lang/Float",   "java/lang/Double"};

template <std::size_t N>
bool one_of(std::string_view text,
            const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool is_humdrum(const MemberRef& ref) {
  if (one_of(ref.owner, kBoxes)) {
    return ref.name == "valueOf" || ref.name.ends_with("Value");
  }
  return one_of(ref.owner, kBuilders) && one_of(ref.name, kHumdrumNames);
}

std::string call_name(const MemberRef& ref) {
  if (ref.name == "<init>") return "new " + java_class(ref.owner);
  return java_class(ref.owner.starts_with('[') ? "array" : ref.owner) + "." +
         std::string(ref.name);
}

class Reader {
 public:
  explicit Reader(const ClassView& cls) : cls_(cls) {}

  BodyFacts read(const MemberView& method) {
    out_.is_synchronized = method.is(classfile::kAccSynchronized);
    body(method);
    return std::move(out_);
  }

 private:
  void add(FactKind kind, std::string text) {
    out_.facts.push_back({kind, std::move(text)});
  }

  void body(const MemberView& method) {
    const auto code = classfile::CodeView::of(cls_, method);
    if (!code || !seen_.insert(&method).second) return;
    const auto& pool = cls_.pool();
    std::set<std::string> caught;
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      const auto type = code->handler(i).type;
      if (type != 0) caught.insert(java_class(pool.text(type)));
    }
    for (const auto& type : caught) add(FactKind::kCatch, "catch " + type);
    classfile::InstructionReader reader(code->code);
    Instruction at;
    std::string_view made;  // by the call just before
    while (reader.next(at)) {
      ++out_.instructions;
      std::string_view now_made;
      switch (classfile::operand_kind(at.op)) {
        case classfile::OperandKind::k_call:
        case classfile::OperandKind::k_interface_call:
          now_made = call(pool.member(at.index));
          break;
        case classfile::OperandKind::k_dynamic_call:
          dynamic(at.index);
          break;
        case classfile::OperandKind::k_field:
          field(pool.member(at.index), at.op);
          break;
        case classfile::OperandKind::k_type:
          type(at, pool.text(at.index));
          break;
        case classfile::OperandKind::k_ldc:
        case classfile::OperandKind::k_ldc_w:
          constant(at.index);
          break;
        case classfile::OperandKind::k_branch:
        case classfile::OperandKind::k_branch_w:
          if (at.op != Opcode::k_goto && at.op != Opcode::k_goto_w) {
            ++out_.branches;
          }
          break;
        case classfile::OperandKind::k_tableswitch:
        case classfile::OperandKind::k_lookupswitch:
          out_.branches += at.cases;
          break;
        default:
          plain(at, made);
      }
      made = now_made;
    }
  }

  // The class of the exception that a constructor has just made.
  std::string_view call(const MemberRef& ref) {
    if (is_accessor_name(ref.name)) return {};
    add(is_humdrum(ref) ? FactKind::kHumdrum : FactKind::kCall, call_name(ref));
    return ref.name == "<init>" ? ref.owner : std::string_view();
  }

  static bool is_accessor_name(std::string_view name) {
    return name.starts_with("access$");
  }

  void dynamic(std::uint16_t index) {
    const auto site = cls_.pool().dynamic(index);
    if (site.bootstrap >= cls_.bootstrap_methods().size()) return;
    const auto& boot = cls_.bootstrap_methods()[site.bootstrap];
    const auto factory = cls_.pool().handle(boot.handle).ref;
    if (factory.owner == "java/lang/invoke/StringConcatFactory") {
      concatenation(boot);
      return;
    }
    if (factory.owner == "java/lang/invoke/LambdaMetafactory") {
      for (const auto argument : boot.arguments) {
        if (cls_.pool().tag(argument) == Tag::kMethodHandle) {
          lambda(cls_.pool().handle(argument).ref);
        }
      }
      return;
    }
    add(FactKind::kCall, java_class(factory.owner) + "." +
                             std::string(factory.name) + " of " +
                             std::string(site.name));
  }

  void lambda(const MemberRef& ref) {
    if (ref.owner == cls_.name()) {
      const auto* body_of = find_method(cls_, ref.name, ref.descriptor);
      if (body_of != nullptr && body_of->is(classfile::kAccSynthetic)) {
        body(*body_of);
        return;
      }
    }
    add(FactKind::kCall,
        java_class(ref.owner) + "::" +
            (ref.name == "<init>" ? "new" : std::string(ref.name)));
  }

  // The fixed pieces of a recipe.
  void concatenation(const classfile::BootstrapMethod& boot) {
    if (boot.arguments.empty()) return;
    std::string piece;
    const auto flush = [&] {
      if (!piece.empty()) text(piece);
      piece.clear();
    };
    for (const char c : cls_.pool().text(boot.arguments[0])) {
      if (c == '\1' || c == '\2') {
        flush();
      } else {
        piece += c;
      }
    }
    flush();
  }

  void text(std::string_view value) {
    constexpr std::size_t kLongest = 40;
    std::size_t end = std::min(kLongest, value.size());
    while (end > 0 && end < value.size() &&
           (static_cast<unsigned char>(value[end]) & 0xc0U) == 0x80) {
      --end;
    }
    const bool whole = end == value.size();
    add(value.size() < 2 ? FactKind::kNumber : FactKind::kText,
        "\"" + std::string(value.substr(0, end)) + (whole ? "\"" : "…\""));
  }

  void constant(std::uint16_t index) {
    const auto& pool = cls_.pool();
    if (pool.tag(index) == Tag::kString) {
      text(pool.text(index));
    } else if (pool.tag(index) == Tag::kClass) {
      const auto name = pool.text(index);
      const std::string of_array = java_type(name);
      add(FactKind::kType,
          (of_array.empty() ? java_class(name) : of_array) + ".class");
    } else {
      add(FactKind::kNumber, describe_constant(cls_, index));
    }
  }

  void field(const MemberRef& ref, Opcode op) {
    if (ref.name.starts_with("this$") || ref.name.starts_with("val$") ||
        is_switch_map_field(ref.name) || ref.name == "$assertionsDisabled") {
      return;
    }
    const bool writes = op == Opcode::k_putfield || op == Opcode::k_putstatic;
    add(FactKind::kField, java_class(ref.owner) + "." + std::string(ref.name) +
                              (writes ? " =" : ""));
  }

  void type(const Instruction& at, std::string_view name) {
    const std::string of_array = java_type(name);
    const std::string shown = of_array.empty() ? java_class(name) : of_array;
    if (at.op == Opcode::k_instanceof) {
      add(FactKind::kType, "instanceof " + shown);
    } else if (at.op == Opcode::k_checkcast) {
      add(FactKind::kHumdrum, "(" + shown + ")");
    } else if (at.op == Opcode::k_anewarray) {
      add(FactKind::kHumdrum, "new " + shown + "[]");
    }
  }

  void plain(const Instruction& at, std::string_view made) {
    switch (at.op) {
      case Opcode::k_athrow:
        if (!made.empty()) add(FactKind::kThrow, "throw " + java_class(made));
        break;
      case Opcode::k_monitorenter:
        ++out_.monitors;
        break;
      case Opcode::k_bipush:
      case Opcode::k_sipush:
        add(FactKind::kNumber, std::to_string(at.value));
        break;
      default:
        if (at.op >= Opcode::k_iconst_m1 && at.op <= Opcode::k_iconst_5) {
          add(FactKind::kHumdrum,
              std::to_string(static_cast<int>(at.op) -
                             static_cast<int>(Opcode::k_iconst_0)));
        }
    }
  }

  const ClassView& cls_;
  BodyFacts out_;
  std::set<const MemberView*> seen_;
};

// What `here` has more often than `there`.
std::vector<Fact> surplus(const std::vector<Fact>& here,
                          const std::vector<Fact>& there) {
  std::map<Fact, int> left;
  for (const Fact& fact : there) ++left[fact];
  std::set<Fact> out;
  std::vector<Fact> ordered;
  for (const Fact& fact : here) {
    if (left[fact]-- <= 0 && out.insert(fact).second) ordered.push_back(fact);
  }
  std::ranges::stable_sort(ordered, {}, &Fact::kind);
  return ordered;
}

bool only_humdrum(const std::vector<Fact>& facts) {
  return std::ranges::all_of(
      facts, [](const Fact& f) { return f.kind >= FactKind::kNumber; });
}

std::string list(const std::vector<Fact>& facts, std::size_t most,
                 bool with_humdrum) {
  std::string out;
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const Fact& fact : facts) {
    if (fact.kind >= FactKind::kNumber && !with_humdrum) continue;
    if (shown == most) {
      ++left;
      continue;
    }
    if (shown++ != 0) out += ", ";
    out += fact.text;
  }
  if (left != 0) out += ", " + std::to_string(left) + " more";
  return out;
}

}  // namespace

BodyFacts body_facts(const ClassView& cls, const MemberView& method) {
  return Reader(cls).read(method);
}

BodyChange change_of(const BodyFacts& before, const BodyFacts& after) {
  BodyChange out;
  out.gained = surplus(after.facts, before.facts);
  out.lost = surplus(before.facts, after.facts);
  out.old_size = before.instructions;
  out.new_size = after.instructions;
  out.branches =
      static_cast<int>(after.branches) - static_cast<int>(before.branches);
  const bool was = before.is_synchronized || before.monitors != 0;
  const bool is = after.is_synchronized || after.monitors != 0;
  out.became_synchronized = is && !was;
  out.was_synchronized = was && !is;
  return out;
}

bool BodyChange::says_little() const {
  return only_humdrum(gained) && only_humdrum(lost);
}

std::vector<std::string> words_of(const BodyChange& change, std::size_t most) {
  std::vector<std::string> out;
  const auto add = [&out](std::string text) { out.push_back(std::move(text)); };
  const bool plain = change.says_little();
  const std::string gained = list(change.gained, most, plain);
  const std::string lost = list(change.lost, most, plain);
  if (!gained.empty()) add("+ " + gained);
  if (!lost.empty()) add("− " + lost);
  if (change.became_synchronized) add("now synchronized");
  if (change.was_synchronized) add("no longer synchronized");
  if (change.branches != 0 && gained.empty() && lost.empty()) {
    add(std::to_string(std::abs(change.branches)) +
        (change.branches > 0 ? " more " : " fewer ") +
        (std::abs(change.branches) == 1 ? "branch" : "branches"));
  }
  if (change.old_size != change.new_size) {
    add(std::to_string(change.old_size) + " → " +
        std::to_string(change.new_size) + " instructions");
  }
  return out;
}

}  // namespace rejig::traversal
