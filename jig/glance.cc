// SPDX-License-Identifier: Apache-2.0
#include "jig/glance.h"

#include <algorithm>
#include <cstring>

#include "classfile/base/hash.h"
#include "classfile/constant_pool.h"
#include "jig/shell.h"

namespace rejig::jig {

using classfile::Tag;

namespace {

constexpr std::uint32_t kMagic = 0xCAFEBABE;
constexpr std::uint16_t kFirstMajor = 45;
// By tag: bytes behind it, a Utf8's text not counted; 0: no constant.
constexpr std::uint8_t kContent[] = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4,
                                     4, 4, 0, 0, 3, 2, 4, 4, 2, 2};
constexpr std::string_view kPlatform = "java/";
constexpr std::string_view kTest = "test";
constexpr std::string_view kVisibleAnnotations = "RuntimeVisibleAnnotations";

// One class file after the other, in buffers that stay.
class Reader {
 public:
  std::optional<Glance> read(base::Bytes bytes, Name name, Names& names,
                             bool without_platform, base::Arena& arena) {
    bytes_ = bytes;
    without_platform_ = without_platform;
    base::ByteReader r(bytes);
    if (r.u4() != kMagic) return std::nullopt;
    r.skip(2);
    if (r.u2() < kFirstMajor || !index_pool(r)) return std::nullopt;
    Glance out;
    out.is_annotation = (r.u2() & classfile::kAccAnnotation) != 0;
    const auto this_class = r.u2();
    const auto super = r.u2();
    if (r.failed() || class_name(this_class) != name) return std::nullopt;
    out.super = names.intern(class_name(super));
    if (out.super.empty() != (super == 0)) return std::nullopt;
    const unsigned interfaces = r.u2();
    interfaces_.clear();
    for (unsigned i = 0; i < interfaces && !r.failed(); ++i) {
      const Name one = class_name(r.u2());
      if (one.empty()) return std::nullopt;
      interfaces_.push_back(names.intern(one));
    }
    if (r.failed() || !mention_classes()) return std::nullopt;
    look_at_texts(out);
    out.interfaces = arena.copy(std::span<const Name>(interfaces_));
    out.mentions = arena.copy(std::span<const std::uint32_t>(found_));
    return out;
  }

 private:
  // Where every entry is, and which ones are classes and texts. Nothing here
  // depends on the tag but what is added: tags follow no pattern that a
  // processor could guess.
  bool index_pool(base::ByteReader& r) {
    const std::size_t count = r.u2();
    if (r.failed() || count == 0) return false;
    offsets_.assign(count, 0);
    classes_.resize(count + 1);
    texts_.resize(count + 1);
    found_.clear();
    std::size_t classes = 0;
    std::size_t texts = 0;
    std::size_t pos = r.pos();
    for (std::size_t i = 1; i < count;) {
      if (bytes_.size() - pos < 3) return false;
      const unsigned tag = std::to_integer<unsigned>(bytes_[pos]);
      if (tag >= std::size(kContent) || kContent[tag] == 0) return false;
      offsets_[i] = static_cast<std::uint32_t>(pos);
      classes_[classes] = texts_[texts] = static_cast<std::uint16_t>(i);
      const bool is_text = tag == static_cast<unsigned>(Tag::kUtf8);
      classes += tag == static_cast<unsigned>(Tag::kClass) ? 1 : 0;
      texts += is_text ? 1 : 0;
      const std::size_t step =
          std::size_t{1} + kContent[tag] + (is_text ? u2_at(pos + 1) : 0u);
      if (bytes_.size() - pos < step) return false;
      pos += step;
      i += kContent[tag] == 8 ? 2 : 1;
    }
    classes_.resize(classes);
    texts_.resize(texts);
    r.seek(pos);
    return true;
  }

  bool mention_classes() {
    for (const std::uint16_t i : classes_) {
      const Name text = utf8(u2_at(offsets_[i] + 1));
      if (text.empty()) return false;
      const Name element = element_class(text);
      if (!element.empty()) mention(element);
    }
    return true;
  }

  // Descriptors of fields, methods, method types and call sites alike; some
  // signatures look like one, and mention what nobody asks for.
  void look_at_texts(Glance& out) {
    for (const std::uint16_t i : texts_) {
      Name text = utf8(i);
      if (text.empty()) continue;
      const char first = text.front();
      if (first == '(' || first == '[' || first == 'L') {
        if (first != 'L' || text.back() == ';') mention_descriptor(text);
      } else if (first == 't') {
        out.says_test = out.says_test || text.starts_with(kTest);
      } else if (first == 'R' && text == kVisibleAnnotations) {
        out.has_visible_annotations = true;
      }
    }
  }

  // Outside of names everything is one letter.
  void mention_descriptor(Name text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      if (*at++ != 'L') continue;
      const auto* const behind = static_cast<const char*>(
          std::memchr(at, ';', static_cast<std::size_t>(end - at)));
      if (behind == nullptr) return;
      mention({at, static_cast<std::size_t>(behind - at)});
      at = behind + 1;
    }
  }

  void mention(Name name) {
    if (without_platform_ && name.starts_with(kPlatform)) return;
    found_.push_back(mention_of(name));
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
  bool without_platform_ = false;
  std::vector<std::uint32_t> offsets_;  // of the tag; 0: no entry
  std::vector<std::uint16_t> classes_;  // entries
  std::vector<std::uint16_t> texts_;
  std::vector<std::uint32_t> found_;
  std::vector<Name> interfaces_;
};

}  // namespace

std::optional<Glance> glance_at(base::Bytes class_file, Name name, Names& names,
                                bool without_platform, base::Arena& arena) {
  thread_local Reader reader;
  return reader.read(class_file, name, names, without_platform, arena);
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

// The ends, the middle and the length: names of one package begin alike.
std::uint32_t mention_of(Name class_name) {
  const std::size_t size = class_name.size();
  const auto word = [&](std::size_t at) {
    std::uint64_t out = 0;
    std::memcpy(&out, class_name.data() + at, sizeof out);
    return out;
  };
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  if (size < kWord) {
    std::uint64_t few = size;
    for (const char c : class_name) {
      few = few << 8 | static_cast<unsigned char>(c);
    }
    return static_cast<std::uint32_t>(base::mix64(few));
  }
  constexpr std::uint64_t kFactor = 0x9fb21c651e98df25;
  std::uint64_t out = (word(size - kWord) ^ size) * kFactor;
  out = (out ^ out >> 29 ^ word(0)) * kFactor;
  if (size > 2 * kWord) {
    out = (out ^ out >> 31 ^ word(size - 2 * kWord)) * kFactor;
    out = (out ^ out >> 30 ^ word((size - kWord) / 2)) * kFactor;
  }
  return static_cast<std::uint32_t>(out >> 32 ^ out);
}

}  // namespace rejig::jig
