// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/describe.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "classfile/words/entity.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::MemberRef;
using classfile::Tag;

namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string member_text(const MemberRef& ref) {
  std::string out = classfile::dotted(ref.owner);
  out += '.';
  out += ref.name;
  if (ref.field) out += ':';
  out += ref.descriptor;
  return out;
}

constexpr std::size_t kLongest = 60;

// The beginning of a character at `at` or before.
std::size_t whole_characters(std::string_view text, std::size_t at) {
  constexpr unsigned kMask = 0xc0;
  constexpr unsigned kFollows = 0x80;
  while (at > 0 && at < text.size() &&
         (static_cast<unsigned char>(text[at]) & kMask) == kFollows) {
    --at;
  }
  return std::min(at, text.size());
}

std::string quoted(std::string_view text, std::size_t longest) {
  std::string out = "\"";
  out += text.substr(0, whole_characters(text, longest));
  if (text.size() > longest) out += "…";
  out += '"';
  return out;
}

// A recipe of body_concat.cc: `"<" + string + int`.
std::string recipe_text(std::string_view recipe, std::size_t longest) {
  std::string out;
  while (!recipe.empty()) {
    if (!out.empty()) out += " + ";
    if (recipe[0] == '@') {
      const char type = recipe[1];
      out += type == 'S' ? "string" : type == 'I' ? "int" : type == 'J' ? "long"
             : type == 'C' ? "char" : "boolean";
      recipe.remove_prefix(2);
      continue;
    }
    const auto colon = recipe.find(':');
    const std::size_t size = std::stoul(std::string(recipe.substr(1, colon)));
    out += quoted(recipe.substr(colon + 1, size), longest);
    recipe.remove_prefix(colon + 1 + size);
  }
  return out;
}

std::string constant_text(const ClassView& cls, std::uint16_t index,
                          std::size_t longest);

std::string call_site_text(const ClassView& cls, std::uint16_t index,
                           std::size_t longest) {
  const auto site = cls.pool().dynamic(index);
  std::string out(site.name);
  out += site.descriptor;
  if (site.bootstrap >= cls.bootstrap_methods().size()) return out;
  const auto& boot = cls.bootstrap_methods()[site.bootstrap];
  out += " by " + member_text(cls.pool().handle(boot.handle).ref);
  out += " [";
  for (std::size_t i = 0; i < boot.arguments.size() && i < 8; ++i) {
    if (i != 0) out += ", ";
    out += constant_text(cls, boot.arguments[i], longest);
  }
  return out + "]";
}

std::string constant_text(const ClassView& cls, std::uint16_t index,
                          std::size_t longest) {
  const auto& pool = cls.pool();
  switch (pool.tag(index)) {
    case Tag::kInteger:
      return std::to_string(pool.int_value(index));
    case Tag::kLong:
      return std::to_string(pool.long_value(index)) + "L";
    case Tag::kFloat:
      return number(std::bit_cast<float>(pool.float_bits(index))) + "f";
    case Tag::kDouble:
      return number(std::bit_cast<double>(pool.double_bits(index)));
    case Tag::kString:
      return quoted(pool.text(index), longest);
    case Tag::kClass:
      return classfile::dotted(pool.text(index));
    case Tag::kMethodType:
      return std::string(pool.text(index));
    case Tag::kMethodHandle:
      return member_text(pool.handle(index).ref);
    case Tag::kDynamic:
      return "constant " + std::string(pool.dynamic(index).name);
    default:
      return "?";
  }
}

std::string node_text(const BodyGraph& body, std::uint32_t at,
                      std::size_t longest) {
  if (at >= body.nodes().size()) return "(endless loop)";
  const BodyNode& node = body.nodes()[at];
  const auto& pool = body.cls().pool();
  const std::string op(classfile::mnemonic(node.op));
  switch (node.kind) {
    case NodeKind::kIntConst:
      return "int " + std::to_string(node.value);
    case NodeKind::kLongConst:
      return "long " + std::to_string(static_cast<std::int64_t>(node.bits));
    case NodeKind::kFloatConst:
      return "float " + number(std::bit_cast<float>(
                            static_cast<std::uint32_t>(node.bits)));
    case NodeKind::kDoubleConst:
      return "double " + number(std::bit_cast<double>(node.bits));
    case NodeKind::kPoolConst:
      return "constant " + constant_text(body.cls(), node.index, longest);
    case NodeKind::kLocal:
      return op + " " + std::to_string(node.index);
    case NodeKind::kIncrement:
      return op + " " + std::to_string(node.index) + " by " +
             std::to_string(node.value);
    case NodeKind::kField:
    case NodeKind::kCall:
      return op + " " + member_text(pool.member(node.index));
    case NodeKind::kDynamic:
      return op + " " + call_site_text(body.cls(), node.index, longest);
    case NodeKind::kType:
      return op + " " + classfile::dotted(pool.text(node.index));
    case NodeKind::kStringOf:
      return "String.valueOf";
    case NodeKind::kConcat:
      return "concatenation " + recipe_text(body.recipe(node), longest);
    case NodeKind::kPush:
      return op + " " + std::to_string(node.value);
    case NodeKind::kSwitch: {
      std::string out = "switch {";
      unsigned shown = 0;
      for (const SwitchCase& one : body.cases(node)) {
        if (shown++ == 8) {
          out += " …";
          break;
        }
        out += " " + std::to_string(one.key);
      }
      return out + " }";
    }
    default:
      return op;
  }
}

// A piece of `text` around `at`.
std::string around(const std::string& text, std::size_t at) {
  constexpr std::size_t kBefore = 20;
  const std::size_t from =
      at <= kBefore ? 0 : whole_characters(text, at - kBefore);
  const std::size_t to = whole_characters(text, at + kLongest);
  return (from == 0 ? "" : "…") + text.substr(from, to - from) +
         (to < text.size() ? "…" : "");
}

}  // namespace

std::string describe_constant(const ClassView& cls, std::uint16_t index) {
  return constant_text(cls, index, kLongest);
}

std::string describe(const BodyGraph& body, std::uint32_t node) {
  return node_text(body, node, kLongest);
}

void tell_apart(const BodyGraph& old_body, std::uint32_t old_node,
                const BodyGraph& new_body, std::uint32_t new_node,
                std::string& old_text, std::string& new_text) {
  const std::string whole_old =
      node_text(old_body, old_node, std::string::npos);
  const std::string whole_new =
      node_text(new_body, new_node, std::string::npos);
  if (whole_old != whole_new) {
    const auto at = static_cast<std::size_t>(
        std::ranges::mismatch(whole_old, whole_new).in1 - whole_old.begin());
    const std::string op = whole_old.substr(0, whole_old.find(' ') + 1);
    old_text = around(whole_old, at);
    new_text = around(whole_new, at);
    if (!old_text.starts_with(op)) {
      old_text.insert(0, op);
      new_text.insert(0, op);
    }
    return;
  }
  const bool local = old_node < old_body.nodes().size() &&
                     (old_body.nodes()[old_node].kind == NodeKind::kLocal ||
                      old_body.nodes()[old_node].kind == NodeKind::kIncrement);
  new_text += local ? " (another value)" : " (another meaning)";
}

}  // namespace rejig::traversal
