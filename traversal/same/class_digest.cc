// SPDX-License-Identifier: Apache-2.0
#include "traversal/same/class_digest.h"

#include <algorithm>
#include <span>

#include "classfile/reader/code.h"
#include "traversal/code/numbered_names.h"

namespace rejig::traversal {

using classfile::CodeView;
using classfile::Tag;

namespace {

constexpr unsigned kDeepest = 4;

std::uint64_t joined(std::uint64_t a, std::uint64_t b) {
  return base::mix64(a * 31 + b + 1);
}

}  // namespace

base::Digest128 ClassDigest::of(const classfile::ClassView& cls,
                                std::string_view outer) {
  cls_ = &cls;
  prefix_.assign(outer);
  prefix_ += '$';
  known_.assign(cls.pool().count(), 0);
  members_.clear();
  tokens_.clear();
  for (const auto& field : cls.fields()) {
    add(field.access);
    add(text(field.name));
    add(text(field.descriptor));
    members_.push_back(taken());
  }
  for (const auto& method : cls.methods()) {
    add(~std::uint64_t{method.access});
    add(text(method.name));
    add(text(method.descriptor));
    if (const auto code = CodeView::of(cls, method)) add_code(*code);
    members_.push_back(taken());
  }
  std::sort(members_.begin(), members_.end());
  add(cls.access());
  add(text(cls.super_name()));
  for (const auto itf : cls.interfaces()) add(text(itf));
  for (const auto& member : members_) {
    add(member.high);
    add(member.low);
  }
  return taken();
}

base::Digest128 ClassDigest::taken() {
  const auto out = base::hash128(std::as_bytes(std::span(tokens_)));
  tokens_.clear();
  return out;
}

void ClassDigest::add_code(const CodeView& code) {
  if (!graph_.build(*cls_, code)) return;
  for (const BodyNode& node : graph_.nodes()) {
    add(joined(static_cast<std::uint64_t>(node.kind),
               static_cast<std::uint64_t>(node.op)));
    switch (node.kind) {
      case NodeKind::kIntConst:
      case NodeKind::kPush:
        add(static_cast<std::uint64_t>(node.value));
        break;
      case NodeKind::kLongConst:
      case NodeKind::kFloatConst:
      case NodeKind::kDoubleConst:
        add(node.bits);
        break;
      case NodeKind::kIncrement:
        add(static_cast<std::uint64_t>(node.value));
        [[fallthrough]];
      case NodeKind::kLocal:
        add(node.index);
        break;
      case NodeKind::kPoolConst:
      case NodeKind::kField:
      case NodeKind::kCall:
      case NodeKind::kDynamic:
      case NodeKind::kType:
        add(entry(node.index));
        break;
      case NodeKind::kSwitch:
        for (const SwitchCase& one : graph_.cases(node)) {
          add(static_cast<std::uint64_t>(one.key));
        }
        break;
      default:
        break;
    }
  }
}

// Numbers behind the prefix do not count: "a/B$12" is "a/B$#".
std::uint64_t ClassDigest::text(std::string_view text) const {
  auto at = text.find(prefix_);
  if (at == std::string_view::npos) return base::hash64(text);
  std::string out;
  while (at != std::string_view::npos) {
    const auto end = std::min(text.find_first_of(";<", at), text.size());
    out += text.substr(0, at);
    out += without_numbers(text.substr(at, end - at));
    text.remove_prefix(end);
    at = text.find(prefix_);
  }
  out += text;
  return base::hash64(out);
}

std::uint64_t ClassDigest::text(std::uint16_t utf8) {
  if (utf8 >= known_.size()) return 0;
  if (known_[utf8] == 0) known_[utf8] = text(cls_->pool().utf8(utf8)) | 1;
  return known_[utf8];
}

std::uint64_t ClassDigest::bootstrap(std::uint16_t row, unsigned depth) {
  const auto& rows = cls_->bootstrap_methods();
  if (row >= rows.size()) return 0;
  std::uint64_t out = entry(rows[row].handle, depth);
  for (const std::uint16_t argument : rows[row].arguments) {
    out = joined(out, entry(argument, depth));
  }
  return out;
}

std::uint64_t ClassDigest::entry(std::uint16_t index, unsigned depth) {
  const auto& pool = cls_->pool();
  const Tag tag = pool.tag(index);
  if (tag == Tag::kNone || depth > kDeepest) return 0;
  if (tag == Tag::kUtf8) return text(index);
  if (known_[index] != 0) return known_[index];
  std::uint64_t out = 0;
  switch (tag) {
    case Tag::kInteger:
      out = static_cast<std::uint64_t>(pool.int_value(index));
      break;
    case Tag::kFloat:
      out = pool.float_bits(index);
      break;
    case Tag::kLong:
      out = static_cast<std::uint64_t>(pool.long_value(index));
      break;
    case Tag::kDouble:
      out = pool.double_bits(index);
      break;
    case Tag::kMethodHandle:  // compilers choose its kind
      out = entry(pool.part(index, 1), depth);
      break;
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      out = joined(bootstrap(pool.part(index, 0), depth + 1),
                   entry(pool.part(index, 2), depth));
      break;
    case Tag::kNameAndType:
      out = joined(text(pool.part(index, 0)), text(pool.part(index, 2)));
      break;
    case Tag::kFieldref:
    case Tag::kMethodref:
    case Tag::kInterfaceMethodref:
      out = joined(entry(pool.part(index, 0), depth),
                   entry(pool.part(index, 2), depth));
      break;
    default:
      out = text(pool.part(index, 0));
  }
  return known_[index] = joined(static_cast<std::uint64_t>(tag), out) | 1;
}

}  // namespace rejig::traversal
