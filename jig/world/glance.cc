// SPDX-License-Identifier: Apache-2.0
// One pass over the pool, as the bytes come: a glance needs the names of classes
// and descriptors and, behind the pool, the supertypes, and may stop there. What
// it meets and does not know makes it no glance at all, and whoever asks reads
// the class.
#include "jig/world/glance.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "classfile/base/hash.h"
#include "classfile/reader/constant_pool.h"
#include "jig/world/shell.h"

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

constexpr std::size_t kFirstLook = 512;
constexpr std::size_t kStep = 256;
constexpr std::size_t kPoolBegin = 10;
constexpr std::size_t kSmallestEntry = 3;
constexpr std::size_t kLargestNumber = 9;  // an entry that is no text
constexpr std::size_t kHeader = 8;         // behind the pool, without interfaces

}  // namespace

void GlanceReader::begin(Name name) {
  name_ = name;
  state_ = State::kBegin;
  out_ = {};
  found_.clear();
  interfaces_.clear();
  interface_places_.clear();
}

std::size_t GlanceReader::more(base::Bytes first) {
  bytes_ = first;
  if (first.empty()) return kFirstLook;
  wanted_ = 0;
  const bool understood = (state_ != State::kBegin || read_begin()) &&
                          (state_ != State::kPool || index_pool()) &&
                          (state_ != State::kHeader || read_header());
  if (!understood) state_ = State::kOdd;
  return state_ == State::kOdd || state_ == State::kDone ? 0 : wanted_;
}

// The three go to the next state, or say how many bytes they want, or answer
// false.
bool GlanceReader::read_begin() {
  if (bytes_.size() < kPoolBegin) return false;  // there are no more
  if (base::load_u4(bytes_.data()) != kMagic || u2_at(6) < kFirstMajor) {
    return false;
  }
  count_ = u2_at(8);
  if (count_ == 0) return false;
  offsets_.assign(count_, 0);
  classes_.resize(count_ + 1);
  texts_.resize(count_ + 1);
  class_count_ = text_count_ = 0;
  next_ = 1;
  pos_ = kPoolBegin;
  state_ = State::kPool;
  return true;
}

// Where every entry is, and which ones are classes and texts. Nothing here
// depends on the tag but what is added: tags follow no pattern that a processor
// could guess.
bool GlanceReader::index_pool() {
  std::size_t i = next_;
  std::size_t pos = pos_;
  std::size_t classes = class_count_;
  std::size_t texts = text_count_;
  const std::size_t size = bytes_.size();
  while (i < count_ && size - pos >= kSmallestEntry) {
    const unsigned tag = std::to_integer<unsigned>(bytes_[pos]);
    if (tag >= std::size(kContent) || kContent[tag] == 0) return false;
    const bool is_text = tag == static_cast<unsigned>(Tag::kUtf8);
    const std::size_t step =
        std::size_t{1} + kContent[tag] + (is_text ? u2_at(pos + 1) : 0u);
    if (size - pos < step) break;
    offsets_[i] = classes_[classes] = texts_[texts] =
        static_cast<std::uint32_t>(pos);
    classes += tag == static_cast<unsigned>(Tag::kClass) ? 1 : 0;
    texts += is_text ? 1 : 0;
    pos += step;
    i += kContent[tag] == 8 ? 2 : 1;
  }
  class_count_ = classes;
  text_count_ = texts;
  if (i >= count_) {
    state_ = State::kHeader;
  } else {
    // As much for each entry that is left as for those before.
    const std::size_t pool = pos * count_ / i;
    const std::size_t text =
        size - pos < kSmallestEntry ? 0 : u2_at(pos + 1) * std::size_t{
            bytes_[pos] == static_cast<std::byte>(Tag::kUtf8) ? 1u : 0u};
    wanted_ = std::max(pool, pos + kLargestNumber + text) + kStep;
  }
  next_ = i;
  pos_ = pos;
  return true;
}

bool GlanceReader::read_header() {
  const std::size_t have = bytes_.size() - pos_;
  const std::size_t interfaces = have < kHeader ? 0 : u2_at(pos_ + 6);
  if (have < kHeader + 2 * interfaces) {
    wanted_ = pos_ + kHeader + 2 * interfaces;
    return true;
  }
  out_.is_annotation = (u2_at(pos_) & classfile::kAccAnnotation) != 0;
  const unsigned super = u2_at(pos_ + 4);
  if (class_name(u2_at(pos_ + 2)) != name_) return false;
  const Name super_name = class_name(super);
  if (super_name.empty() != (super == 0)) return false;
  std::tie(out_.super, out_.super_place) = placed(super_name);
  for (std::size_t i = 0; i < interfaces; ++i) {
    const Name one = class_name(u2_at(pos_ + kHeader + 2 * i));
    if (one.empty()) return false;
    const auto [name, place] = placed(one);
    interfaces_.push_back(name);
    interface_places_.push_back(place);
  }
  if (!mention_classes()) return false;
  look_at_texts();
  out_.interfaces = interfaces_;
  out_.interface_places = interface_places_;
  out_.mentions = found_;
  state_ = State::kDone;
  return true;
}

// A name that stays, and where it stands.
std::pair<Name, std::uint32_t> GlanceReader::placed(Name name) {
  constexpr std::uint32_t kNoClass = classfile::Program::kNoClass;
  if (name.empty()) return {{}, kNoClass};
  if (name == last_outsider_) return {last_outsider_, kNoClass};
  const std::uint32_t place = program_.class_place(name);
  if (place != kNoClass) return {program_.classes()[place].name, place};
  last_outsider_ = names_.intern(name);
  return {last_outsider_, kNoClass};
}

std::optional<Glance> GlanceReader::glance(base::Arena& arena) const {
  if (state_ != State::kDone) return std::nullopt;
  Glance out = out_;
  out.interfaces = arena.copy(out_.interfaces);
  out.interface_places = arena.copy(out_.interface_places);
  out.mentions = arena.copy(out_.mentions);
  return out;
}

bool GlanceReader::mention_classes() {
  for (std::size_t k = 0; k < class_count_; ++k) {
    const Name text = utf8(u2_at(classes_[k] + 1));
    if (text.empty()) return false;
    if (text.front() != '[') {
      mention(text);
    } else if (const Name element = element_class(text); !element.empty()) {
      mention(element);
    }
  }
  return true;
}

// Descriptors of fields, methods, method types and call sites alike; some
// signatures look like one, and mention what nobody asks for.
void GlanceReader::look_at_texts() {
  for (std::size_t k = 0; k < text_count_; ++k) {
    const Name text = text_at(texts_[k]);
    if (text.empty()) continue;
    const char first = text.front();
    if (first == '(' || first == '[' || first == 'L') {
      if (first != 'L' || text.back() == ';') mention_descriptor(text);
    } else if (first == 't') {
      out_.says_test = out_.says_test || text.starts_with(kTest);
    } else if (first == 'R' && text == kVisibleAnnotations) {
      out_.has_visible_annotations = true;
    }
  }
}

// Outside of names everything is one letter.
void GlanceReader::mention_descriptor(Name text) {
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

void GlanceReader::mention(Name name) {
  if (without_platform_ && name.starts_with(kPlatform)) return;
  found_.push_back(mention_of(name));
}

// Only behind an offset that index_pool() has been at.
unsigned GlanceReader::u2_at(std::size_t at) const {
  return base::load_u2(bytes_.data() + at);
}

Name GlanceReader::text_at(std::size_t offset) const {
  return {reinterpret_cast<const char*>(bytes_.data()) + offset + 3,
          u2_at(offset + 1)};
}

Name GlanceReader::utf8(unsigned i) const {
  const bool is_text =
      i < offsets_.size() && offsets_[i] != 0 &&
      bytes_[offsets_[i]] == static_cast<std::byte>(Tag::kUtf8);
  return is_text ? text_at(offsets_[i]) : Name{};
}

Name GlanceReader::class_name(unsigned i) const {
  const bool is_class =
      i < offsets_.size() && offsets_[i] != 0 &&
      bytes_[offsets_[i]] == static_cast<std::byte>(Tag::kClass);
  return is_class ? utf8(u2_at(offsets_[i] + 1)) : Name{};
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
