// SPDX-License-Identifier: Apache-2.0
// String concatenation (N15): javac up to 8, ecj and people write a chain of
// StringBuilder.append, later compilers one invokedynamic of
// StringConcatFactory. Both become one kConcat node that says what is glued
// together; `append(Object)` becomes the String.valueOf(Object) that javac
// writes there since 19, so that toString() runs where it did.
// Folded only where the JVM cannot tell the difference: straight-line code that
// nothing jumps into and whose builder nobody else sees; strings, ints, longs,
// chars, booleans and objects (float and double are not: both sides have
// algorithms of their own in some releases); and a result that is certainly not
// empty, since who makes a new empty string is a matter of the release.
// Left alone: objects that the call site converts itself, behind the evaluation
// of the operands to their right (JDK-8273914).
#include <algorithm>
#include <optional>

#include "classfile/reader/descriptor.h"
#include "traversal/code/body_graph.h"
#include "traversal/code/stack_effect.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::MemberRef;
using classfile::Opcode;
using classfile::Tag;

namespace {

constexpr std::string_view kBuilder = "java/lang/StringBuilder";
constexpr std::string_view kString = "Ljava/lang/String;";
constexpr std::size_t kWork = 1'000'000;

// What is glued together: constants, and types of operands.
class Recipe {
 public:
  void constant(std::string_view text) {
    if (text.empty()) return;
    if (!ends_in_constant_) begin();
    ends_in_constant_ = true;
    certain_ = true;
    constant_ += text;
  }
  // I, J, C, Z or S for a string.
  void operand(char type) {
    flush();
    begin();
    out_ += '@';
    out_ += type;
    certain_ = certain_ || type != 'S';
  }
  // nullopt: not folded.
  std::optional<std::string> text() {
    flush();
    if (pieces_ < 2 || !certain_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void begin() { ++pieces_; }
  void flush() {
    if (!ends_in_constant_) return;
    out_ += '"' + std::to_string(constant_.size()) + ':' + constant_;
    constant_.clear();
    ends_in_constant_ = false;
  }

  std::string out_;
  std::string constant_;
  bool ends_in_constant_ = false;
  bool certain_ = false;  // the result is not empty
  unsigned pieces_ = 0;
};

// As the constant pool would write it.
std::string modified_utf8(unsigned c) {
  std::string out;
  auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (c != 0 && c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xc0 | c >> 6);
    add(0x80 | (c & 0x3f));
  } else {
    add(0xe0 | c >> 12);
    add(0x80 | (c >> 6 & 0x3f));
    add(0x80 | (c & 0x3f));
  }
  return out;
}

// The text of an operand that is one constant.
std::optional<std::string> constant_text(const ClassView& cls,
                                         const BodyNode& node, char type) {
  if (type == 'S' && node.kind == NodeKind::kPoolConst &&
      cls.pool().tag(node.index) == Tag::kString) {
    return std::string(cls.pool().text(node.index));
  }
  if (type == 'J' && node.kind == NodeKind::kLongConst) {
    return std::to_string(static_cast<std::int64_t>(node.bits));
  }
  if (node.kind != NodeKind::kIntConst) return std::nullopt;
  const std::int32_t value = node.value;
  if (type == 'I') return std::to_string(value);
  if (type == 'Z' && (value == 0 || value == 1)) {
    return value == 0 ? "false" : "true";
  }
  if (type == 'C' && value >= 0 && value <= 0xffff) {
    return modified_utf8(static_cast<unsigned>(value));
  }
  return std::nullopt;
}

// I, J, C, Z, S (string), O (object), or 0.
char operand_type(std::string_view descriptor) {
  if (descriptor == kString) return 'S';
  if (descriptor == "Ljava/lang/Object;") return 'O';
  const bool known = descriptor == "I" || descriptor == "J" ||
                     descriptor == "C" || descriptor == "Z";
  return known ? descriptor[0] : '\0';
}

char appended_type(const MemberRef& ref) {
  const std::string_view d = ref.descriptor;
  constexpr std::string_view kEnd = ")Ljava/lang/StringBuilder;";
  if (ref.owner != kBuilder || ref.name != "append" || !d.ends_with(kEnd)) {
    return '\0';
  }
  return operand_type(d.substr(1, d.size() - kEnd.size() - 1));
}

struct Chain {
  std::uint32_t first = 0;  // new
  std::uint32_t last = 0;   // toString()
  std::vector<std::uint32_t> gone;
  std::vector<std::uint32_t> objects;  // append(Object)
  std::string recipe;
};

class Chains {
 public:
  Chains(const ClassView& cls, std::span<const BodyNode> nodes)
      : cls_(cls), nodes_(nodes) {}

  // Inner ones first, by walking backwards; an inner one is a value of the
  // outer one.
  std::vector<Chain> find() {
    std::vector<Chain> found;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (work_ > kWork) return {};
      if (!is_new_builder(static_cast<std::uint32_t>(i))) continue;
      if (auto chain = read(static_cast<std::uint32_t>(i))) {
        ends_.emplace_back(chain->first, chain->last);
        found.push_back(std::move(*chain));
      }
    }
    return found;
  }

 private:
  bool is_new_builder(std::uint32_t i) const {
    return nodes_[i].kind == NodeKind::kType && nodes_[i].op == Opcode::k_new &&
           cls_.pool().text(nodes_[i].index) == kBuilder &&
           i + 3 < nodes_.size() && nodes_[i + 1].op == Opcode::k_dup;
  }
  bool is_call(std::uint32_t i, Opcode op, std::string_view name,
               std::string_view descriptor) const {
    if (nodes_[i].kind != NodeKind::kCall || nodes_[i].op != op) return false;
    const auto ref = cls_.pool().member(nodes_[i].index);
    return ref.owner == kBuilder && ref.name == name &&
           ref.descriptor == descriptor;
  }
  // The end of the inner chain that begins here, or 0.
  std::uint32_t inner(std::uint32_t i) const {
    const auto at =
        std::find_if(ends_.rbegin(), ends_.rend(),
                     [&](const auto& pair) { return pair.first == i; });
    return at == ends_.rend() ? 0 : at->second;
  }

  std::optional<Chain> read(std::uint32_t first) {
    Chain chain;
    chain.first = first;
    chain.gone = {first, first + 1};
    Recipe recipe;
    std::uint32_t i = first + 2;
    if (is_call(i, Opcode::k_invokespecial, "<init>", "()V")) {
      chain.gone.push_back(i);
    } else if (is_call(i + 1, Opcode::k_invokespecial, "<init>",
                       "(Ljava/lang/String;)V")) {
      const auto text = constant_text(cls_, nodes_[i], 'S');
      if (!text) return std::nullopt;
      recipe.constant(*text);
      chain.gone.insert(chain.gone.end(), {i, i + 1});
      ++i;
    } else {
      return std::nullopt;
    }
    int depth = 0;  // slots above the builder
    std::uint32_t operand = ++i;
    for (; i < nodes_.size(); ++i) {
      ++work_;
      const BodyNode& node = nodes_[i];
      if (node.kind == NodeKind::kType && node.op == Opcode::k_new) {
        if (const std::uint32_t end = inner(i)) {
          i = end;
          ++depth;
          continue;
        }
      }
      if (depth == 0 && is_call(i, Opcode::k_invokevirtual, "toString",
                                "()Ljava/lang/String;")) {
        auto text = recipe.text();
        if (!text) return std::nullopt;
        chain.last = i;
        chain.recipe = std::move(*text);
        return chain;
      }
      const char type =
          node.kind == NodeKind::kCall && node.op == Opcode::k_invokevirtual
              ? appended_type(cls_.pool().member(node.index))
              : '\0';
      if (type != '\0' && depth == (type == 'J' ? 2 : 1)) {
        const auto text = operand + 1 == i
                              ? constant_text(cls_, nodes_[operand], type)
                              : std::nullopt;
        if (text) {
          recipe.constant(*text);
          chain.gone.push_back(operand);
        } else {
          recipe.operand(type == 'O' ? 'S' : type);
        }
        (type == 'O' ? chain.objects : chain.gone).push_back(i);
        depth = 0;
        operand = i + 1;
        continue;
      }
      const auto effect = stack_effect(cls_, node);
      if (!effect || effect->looks_at > depth) return std::nullopt;
      depth += effect->change;
    }
    return std::nullopt;
  }

  const ClassView& cls_;
  std::span<const BodyNode> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;
  std::size_t work_ = 0;
};

// The recipe of a call site; nullopt when it is not one, or not folded.
std::optional<std::string> site_recipe(const ClassView& cls,
                                       std::uint16_t index) {
  const auto& pool = cls.pool();
  const auto site = pool.dynamic(index);
  const auto& all = cls.bootstrap_methods();
  constexpr std::uint16_t kJava9 = 53;  // where the factory is
  if (cls.major() < kJava9 || site.bootstrap >= all.size()) return std::nullopt;
  const auto& boot = all[site.bootstrap];
  const auto factory = pool.handle(boot.handle);
  if (factory.kind != 6 ||
      factory.ref.owner != "java/lang/invoke/StringConcatFactory" ||
      factory.ref.name != "makeConcatWithConstants" || boot.arguments.empty() ||
      pool.tag(boot.arguments[0]) != Tag::kString) {
    return std::nullopt;
  }
  classfile::MethodDescriptor descriptor(site.descriptor);
  if (descriptor.result_text() != kString) return std::nullopt;
  Recipe recipe;
  std::size_t next_constant = 1;
  for (const char c : pool.text(boot.arguments[0])) {
    if (c == '\1') {
      classfile::TypeView type;
      if (!descriptor.next(type)) return std::nullopt;
      const char kind = operand_type(type.text);
      if (kind == '\0' || kind == 'O') return std::nullopt;
      recipe.operand(kind);
    } else if (c == '\2') {
      if (next_constant >= boot.arguments.size()) return std::nullopt;
      const auto argument = boot.arguments[next_constant++];
      if (pool.tag(argument) != Tag::kString) return std::nullopt;
      recipe.constant(pool.text(argument));
    } else {
      recipe.constant(std::string_view(&c, 1));
    }
  }
  classfile::TypeView more;
  if (next_constant != boot.arguments.size() || descriptor.next(more)) {
    return std::nullopt;
  }
  return recipe.text();
}

}  // namespace

bool BodyGraph::entered_between(std::uint32_t first, std::uint32_t last) const {
  auto inside = [&](std::uint32_t to) { return to > first && to <= last; };
  const bool jumped =
      std::any_of(nodes_.begin(), nodes_.end(), [&](const BodyNode& node) {
        const bool jumps =
            node.kind == NodeKind::kBranch || node.kind == NodeKind::kGoto ||
            node.kind == NodeKind::kJsr || node.kind == NodeKind::kSwitch;
        return jumps && inside(node.target);
      });
  return jumped ||
         std::any_of(
             cases_.begin(), cases_.end(),
             [&](const SwitchCase& one) { return inside(one.target); }) ||
         std::any_of(handler_lists_.begin(), handler_lists_.end(),
                     [&](const std::vector<HandlerEdge>& list) {
                       return std::any_of(list.begin(), list.end(),
                                          [&](const HandlerEdge& handler) {
                                            return inside(handler.target);
                                          });
                     });
}

void BodyGraph::fold_concats() {
  auto fold = [&](std::uint32_t at, std::string recipe) {
    nodes_[at].kind = NodeKind::kConcat;
    nodes_[at].value = static_cast<std::int32_t>(recipes_.size());
    recipes_.push_back(std::move(recipe));
  };
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind != NodeKind::kDynamic) continue;
    if (auto recipe = site_recipe(cls(), nodes_[i].index)) {
      fold(i, std::move(*recipe));
    }
  }
  for (Chain& chain : Chains(cls(), nodes_).find()) {
    if (entered_between(chain.first, chain.last)) continue;
    for (const std::uint32_t i : chain.gone) {
      nodes_[i].kind = NodeKind::kNop;
      nodes_[i].throws = false;
    }
    for (const std::uint32_t i : chain.objects) {
      nodes_[i].kind = NodeKind::kStringOf;
    }
    fold(chain.last, std::move(chain.recipe));
  }
}

}  // namespace rejig::traversal
