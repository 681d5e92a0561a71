// SPDX-License-Identifier: Apache-2.0
#include "traversal/code/describe.h"

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

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "\"";
  out += text.substr(0, kLongest);
  if (text.size() > kLongest) out += "…";
  out += '"';
  return out;
}

// A recipe of body_concat.cc: `"<" + string + int`.
std::string recipe_text(std::string_view recipe) {
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
    out += quoted(recipe.substr(colon + 1, size));
    recipe.remove_prefix(colon + 1 + size);
  }
  return out;
}

std::string call_site_text(const ClassView& cls, std::uint16_t index) {
  const auto site = cls.pool().dynamic(index);
  std::string out(site.name);
  out += site.descriptor;
  if (site.bootstrap >= cls.bootstrap_methods().size()) return out;
  const auto& boot = cls.bootstrap_methods()[site.bootstrap];
  out += " by " + member_text(cls.pool().handle(boot.handle).ref);
  out += " [";
  for (std::size_t i = 0; i < boot.arguments.size() && i < 8; ++i) {
    if (i != 0) out += ", ";
    out += describe_constant(cls, boot.arguments[i]);
  }
  return out + "]";
}

}  // namespace

std::string describe_constant(const ClassView& cls, std::uint16_t index) {
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
      return quoted(pool.text(index));
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

std::string describe(const BodyGraph& body, std::uint32_t at) {
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
      return "constant " + describe_constant(body.cls(), node.index);
    case NodeKind::kLocal:
      return op + " " + std::to_string(node.index);
    case NodeKind::kIncrement:
      return op + " " + std::to_string(node.index) + " by " +
             std::to_string(node.value);
    case NodeKind::kField:
    case NodeKind::kCall:
      return op + " " + member_text(pool.member(node.index));
    case NodeKind::kDynamic:
      return op + " " + call_site_text(body.cls(), node.index);
    case NodeKind::kType:
      return op + " " + classfile::dotted(pool.text(node.index));
    case NodeKind::kStringOf:
      return "String.valueOf";
    case NodeKind::kConcat:
      return "concatenation " + recipe_text(body.recipe(node));
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

}  // namespace rejig::traversal
