// SPDX-License-Identifier: Apache-2.0
#include "traversal/same/pool_map.h"

#include <bit>
#include <cstring>

#include "classfile/base/hash.h"

namespace rejig::traversal {

using classfile::ConstantPool;
using classfile::Tag;

namespace {

// By tag: the pass in which an entry is compared; kNone: it is none.
constexpr std::uint8_t kNone = 0xff;
constexpr std::array<std::uint8_t, 32> kPassOf = [] {
  std::array<std::uint8_t, 32> out{};
  out.fill(kNone);
  const auto set = [&](Tag tag, std::uint8_t pass) {
    out[static_cast<std::size_t>(tag)] = pass;
  };
  set(Tag::kUtf8, 0);
  for (const Tag tag :
       {Tag::kInteger, Tag::kFloat, Tag::kLong, Tag::kDouble, Tag::kClass,
        Tag::kString, Tag::kNameAndType, Tag::kMethodType, Tag::kModule,
        Tag::kPackage}) {
    set(tag, 1);
  }
  for (const Tag tag :
       {Tag::kFieldref, Tag::kMethodref, Tag::kInterfaceMethodref,
        Tag::kDynamic, Tag::kInvokeDynamic}) {
    set(tag, 2);
  }
  set(Tag::kMethodHandle, 3);
  return out;
}();

constexpr std::uint64_t two(std::uint16_t high, std::uint16_t low) {
  return std::uint64_t{high} << 16 | low;
}

}  // namespace

void PoolMap::list(const ConstantPool& pool, Lists& out) {
  for (auto& one : out) one.clear();
  const std::uint16_t count = pool.count();
  for (std::uint16_t i = 1; i < count; ++i) {
    const auto tag = static_cast<std::size_t>(pool.tag(i));
    const std::uint8_t pass = tag < kPassOf.size() ? kPassOf[tag] : kNone;
    if (pass != kNone) out[pass].push_back(i);
  }
}

PoolMap::Content PoolMap::own_content(const ConstantPool& olds,
                                      std::uint16_t i) {
  Content out;
  out.tag = olds.tag(i);
  switch (out.tag) {
    case Tag::kInteger:
      out.bits = static_cast<std::uint32_t>(olds.int_value(i));
      break;
    case Tag::kFloat:
      out.bits = olds.float_bits(i);
      break;
    case Tag::kLong:
      out.bits = static_cast<std::uint64_t>(olds.long_value(i));
      break;
    case Tag::kDouble:
      out.bits = olds.double_bits(i);
      break;
    case Tag::kMethodHandle:
      out.bits = two(olds.handle_kind(i), olds.part(i, 1));
      break;
    case Tag::kClass:
    case Tag::kString:
    case Tag::kMethodType:
    case Tag::kModule:
    case Tag::kPackage:
      out.bits = olds.part(i, 0);
      break;
    default:
      out.bits = two(olds.part(i, 0), olds.part(i, 2));
  }
  return out;
}

bool PoolMap::content_of(const ConstantPool& news, std::uint16_t i,
                         Content& out) const {
  out.tag = news.tag(i);
  std::uint16_t first = 0;
  std::uint16_t second = 0;
  switch (out.tag) {
    case Tag::kInteger:
    case Tag::kFloat:
    case Tag::kLong:
    case Tag::kDouble:
      out = own_content(news, i);
      return true;
    case Tag::kMethodHandle:
      second = old_of(news.part(i, 1));
      out.bits = two(news.handle_kind(i), second);
      return second != 0;
    case Tag::kClass:
    case Tag::kString:
    case Tag::kMethodType:
    case Tag::kModule:
    case Tag::kPackage:
      first = old_of(news.part(i, 0));
      out.bits = first;
      return first != 0;
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      second = old_of(news.part(i, 2));
      out.bits = two(news.part(i, 0), second);
      return second != 0;
    default:
      first = old_of(news.part(i, 0));
      second = old_of(news.part(i, 2));
      out.bits = two(first, second);
      return first != 0 && second != 0;
  }
}

template <class Same, class HashOld, class HashNew>
void PoolMap::compare(std::span<const std::uint16_t> olds,
                      std::span<const std::uint16_t> news, Same&& same,
                      HashOld&& hash_old, HashNew&& hash_new) {
  bool indexed = false;
  std::size_t mask = 0;
  const auto index = [&] {
    indexed = true;
    slots_.assign(std::bit_ceil(olds.size() * 2 + 1), 0);
    mask = slots_.size() - 1;
    for (std::size_t k = 0; k < olds.size(); ++k) {
      std::size_t at = hash_old(k) & mask;
      while (slots_[at] != 0) at = (at + 1) & mask;
      slots_[at] = static_cast<std::uint16_t>(k + 1);
    }
  };
  std::size_t next = 0;
  for (const std::uint16_t j : news) {
    std::size_t found = next;
    if (next == olds.size() || !same(next, j)) {
      if (!indexed) index();
      std::size_t at = hash_new(j) & mask;
      while (slots_[at] != 0 && !same(slots_[at] - 1u, j)) {
        at = (at + 1) & mask;
      }
      if (slots_[at] == 0) continue;
      found = slots_[at] - 1u;
    }
    old_of_[j] = olds[found];
    known_old_[olds[found]] = 1;
    known_new_[j] = 1;
    next = found + 1;
  }
}

void PoolMap::compare_texts(const ConstantPool& olds,
                            const ConstantPool& news) {
  const auto& list = olds_[kTexts];
  compare(
      list, news_[kTexts],
      [&](std::size_t k, std::uint16_t j) {
        return olds.utf8(list[k]) == news.utf8(j);
      },
      [&](std::size_t k) { return base::hash64(olds.utf8(list[k])); },
      [&](std::uint16_t j) { return base::hash64(news.utf8(j)); });
}

void PoolMap::compare_others(const ConstantPool& olds,
                             const ConstantPool& news, std::size_t pass) {
  const auto& list = olds_[pass];
  const auto hash = [](const Content& content) {
    return base::mix64(content.bits * 32 +
                       static_cast<std::uint64_t>(content.tag));
  };
  // Of the new entry at hand.
  std::uint16_t of = 0;
  bool known = false;
  Content content;
  const auto look_at = [&](std::uint16_t j) {
    if (of == j) return;
    of = j;
    known = content_of(news, j, content);
  };
  compare(
      list, news_[pass],
      [&](std::size_t k, std::uint16_t j) {
        look_at(j);
        return known && own_content(olds, list[k]) == content;
      },
      [&](std::size_t k) { return hash(own_content(olds, list[k])); },
      [&](std::uint16_t j) {
        look_at(j);
        return hash(content);
      });
}

void PoolMap::build(const ConstantPool& olds, const ConstantPool& news) {
  list(olds, olds_);
  list(news, news_);
  old_of_.assign(news.count(), 0);
  known_old_.assign(olds.count(), 0);
  known_new_.assign(news.count(), 0);
  compare_texts(olds, news);
  for (std::size_t pass = kTexts + 1; pass <= kHandles; ++pass) {
    compare_others(olds, news, pass);
  }
  only_old_.clear();
  only_new_.clear();
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    for (const std::uint16_t i : olds_[pass]) {
      if (known_old_[i] == 0) only_old_.push_back(i);
    }
    for (const std::uint16_t j : news_[pass]) {
      if (known_new_[j] == 0) only_new_.push_back(j);
    }
  }
}

}  // namespace rejig::traversal
