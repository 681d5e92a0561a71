// SPDX-License-Identifier: Apache-2.0
#include "jig/glance.h"

#include <algorithm>

#include "classfile/base/hash.h"
#include "classfile/constant_pool.h"
#include "jig/shell.h"

namespace rejig::jig {

using classfile::Tag;

namespace {

constexpr std::uint32_t kMagic = 0xCAFEBABE;
constexpr std::uint16_t kFirstMajor = 45;
// Of a method handle's successors to Utf8 (JVMS §4.4); 0: no constant.
constexpr std::uint8_t kContent[] = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4,
                                     4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

// One class file after the other, in buffers that stay.
class Reader {
 public:
  std::optional<Glance> read(base::Bytes bytes, Name name, Names& names) {
    bytes_ = bytes;
    base::ByteReader r(bytes);
    if (r.u4() != kMagic) return std::nullopt;
    r.skip(2);
    if (r.u2() < kFirstMajor || !index_pool(r)) return std::nullopt;
    Glance out;
    r.skip(2);
    const auto this_class = r.u2();
    const auto super = r.u2();
    if (r.failed() || class_name(this_class) != name) return std::nullopt;
    out.super = names.intern(class_name(super));
    if (out.super.empty() != (super == 0)) return std::nullopt;
    const unsigned interfaces = r.u2();
    for (unsigned i = 0; i < interfaces && !r.failed(); ++i) {
      const Name one = class_name(r.u2());
      if (one.empty()) return std::nullopt;
      out.interfaces.push_back(names.intern(one));
    }
    if (!mention_pool()) return std::nullopt;
    if (!skip_members(r, false) || !skip_members(r, true)) return std::nullopt;
    out.mentions = found_;
    return out;
  }

 private:
  bool index_pool(base::ByteReader& r) {
    const std::size_t count = r.u2();
    if (r.failed() || count == 0) return false;
    offsets_.assign(count, 0);
    described_.assign(count, 0);
    found_.clear();
    for (std::size_t i = 1; i < count; ++i) {
      offsets_[i] = static_cast<std::uint32_t>(r.pos());
      const unsigned tag = r.u1();
      if (tag >= std::size(kContent) || kContent[tag] == 0) return false;
      if (static_cast<Tag>(tag) == Tag::kUtf8) {
        r.skip(r.u2());
      } else {
        r.skip(kContent[tag]);
        if (kContent[tag] == 8) ++i;
      }
      if (r.failed()) return false;
    }
    return true;
  }

  bool mention_pool() {
    for (std::size_t i = 1; i < offsets_.size(); ++i) {
      switch (tag(i)) {
        case Tag::kClass: {
          const Name text = utf8(u2_at(offsets_[i] + 1));
          if (text.empty()) return false;
          const Name element = element_class(text);
          if (!element.empty()) found_.push_back(mention_of(element));
          break;
        }
        case Tag::kMethodType:
          if (!descriptor(u2_at(offsets_[i] + 1))) return false;
          break;
        case Tag::kNameAndType:
          if (!descriptor(u2_at(offsets_[i] + 3))) return false;
          break;
        default:
          break;
      }
    }
    return true;
  }

  bool descriptor(unsigned index) {
    Name d = utf8(index);
    if (d.empty()) return false;
    if (described_[index] != 0) return true;
    described_[index] = 1;
    while (true) {
      const auto begin = d.find('L');
      if (begin == Name::npos) return true;
      const auto end = d.find(';', begin);
      if (end == Name::npos) return true;
      found_.push_back(mention_of(d.substr(begin + 1, end - begin - 1)));
      d.remove_prefix(end + 1);
    }
  }

  bool skip_members(base::ByteReader& r, bool methods) {
    const unsigned count = r.u2();
    for (unsigned i = 0; i < count; ++i) {
      r.skip(4);
      const unsigned index = r.u2();
      if (r.failed() || (methods && !descriptor(index))) return false;
      for (unsigned left = r.u2(); left != 0; --left) {
        r.skip(2);
        r.skip(r.u4());
        if (r.failed()) return false;
      }
    }
    return !r.failed();
  }

  Tag tag(std::size_t i) const {
    return i < offsets_.size() && offsets_[i] != 0
               ? static_cast<Tag>(bytes_[offsets_[i]])
               : Tag::kNone;
  }
  // Only behind an offset that index_pool() has been at.
  unsigned u2_at(std::size_t at) const {
    return std::to_integer<unsigned>(bytes_[at]) << 8 |
           std::to_integer<unsigned>(bytes_[at + 1]);
  }
  Name utf8(unsigned i) const {
    if (tag(i) != Tag::kUtf8) return {};
    const base::Bytes text =
        bytes_.subspan(offsets_[i] + 3, u2_at(offsets_[i] + 1));
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  Name class_name(unsigned i) const {
    return tag(i) == Tag::kClass ? utf8(u2_at(offsets_[i] + 1)) : Name{};
  }

  base::Bytes bytes_;
  std::vector<std::uint32_t> offsets_;   // of the tag; 0: no entry
  std::vector<std::uint8_t> described_;  // by index: found as a descriptor
  std::vector<std::uint32_t> found_;
};

}  // namespace

std::optional<Glance> glance_at(base::Bytes class_file, Name name,
                                Names& names) {
  thread_local Reader reader;
  return reader.read(class_file, name, names);
}

void MentionSet::insert(std::uint32_t mention) {
  if (bits_.empty()) bits_.resize((std::size_t{kMask} + 1) / 64);
  const std::uint32_t bit = mention & kMask;
  bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  all_.insert(mention);
}

bool MentionSet::any_in(const Glance& glance) const {
  return std::any_of(glance.mentions.begin(), glance.mentions.end(),
                     [&](std::uint32_t m) { return contains(m); });
}

std::uint32_t mention_of(Name class_name) {
  return static_cast<std::uint32_t>(base::hash64(class_name));
}

}  // namespace rejig::jig
