// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/pool_notes.h"

#include <algorithm>
#include <optional>

#include "classfile/reader/descriptor.h"

namespace rejig::classfile {
namespace {

constexpr unsigned kMostSlotsNoted = 0xffff;
constexpr TextShape kNoName = kShapeDot | kShapeSemicolon | kShapeBracket;
// A descriptor without these needs a look at its semicolons only.
constexpr TextShape kIntricate = kShapeDot | kShapeBracket | kShapeSlashes;

// Of a text without kIntricate: the position behind the type at `pos`, 0 if it
// is none.
std::size_t plain_type(std::string_view text, std::size_t pos) {
  switch (text[pos]) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
      return pos + 1;
    case 'L': {
      const std::size_t end = text.find(';', pos + 1);
      return end != std::string_view::npos && end > pos + 1 &&
                     text[pos + 1] != '/' && text[end - 1] != '/'
                 ? end + 1
                 : 0;
    }
    default:
      return 0;
  }
}

// Of a text without kIntricate; nullopt: the obvious way decides.
std::optional<unsigned> plain_method_descriptor(std::string_view text) {
  if (text.size() < 3 || text[0] != '(') return std::nullopt;
  unsigned slots = 0;
  std::size_t pos = 1;
  while (pos < text.size() && text[pos] != ')') {
    slots += text[pos] == 'J' || text[pos] == 'D' ? 2 : 1;
    pos = plain_type(text, pos);
    if (pos == 0) return std::nullopt;
  }
  ++pos;
  if (pos >= text.size()) return std::nullopt;
  const std::size_t end = text[pos] == 'V' ? pos + 1 : plain_type(text, pos);
  return end == text.size() ? std::optional(slots) : std::nullopt;
}

}  // namespace

TextShape PoolNotes::note_text(std::uint16_t utf8) {
  const TextShape shape =
      text_shape(pool_.utf8(utf8), pool_.offset_of(utf8) + 3);
  notes_[utf8] |= shape | kShapeKnown;
  return shape;
}

bool PoolNotes::field_name(std::uint16_t utf8) {
  if (pool_.tag(utf8) != Tag::kUtf8) return false;
  const std::string_view name = pool_.utf8(utf8);
  if (shaped(utf8, kNoName | kShapeSlash)) return !name.empty();
  return legal_field_name(name, major_);
}

bool PoolNotes::method_name(std::uint16_t utf8) {
  if (pool_.tag(utf8) != Tag::kUtf8) return false;
  const std::string_view name = pool_.utf8(utf8);
  if (shaped(utf8, kNoName | kShapeSlash | kShapeAngle)) {
    return !name.empty();
  }
  return legal_method_name(name, major_);
}

bool PoolNotes::class_name(std::uint16_t utf8) {
  if (pool_.tag(utf8) != Tag::kUtf8) return false;
  const std::string_view name = pool_.utf8(utf8);
  if (shaped(utf8, kNoName | kShapeSlashes)) {
    return !name.empty() && name.front() != '/' && name.back() != '/';
  }
  return legal_class_name(name, major_);
}

bool PoolNotes::field_descriptor(std::uint16_t utf8) {
  if (pool_.tag(utf8) != Tag::kUtf8) return false;
  std::uint32_t& note = notes_[utf8];
  if ((note & kFieldAsked) == 0) {
    note |= kFieldAsked;
    const std::string_view text = pool_.utf8(utf8);
    if ((shaped(utf8, kIntricate) && !text.empty() &&
         plain_type(text, 0) == text.size()) ||
        legal_field_descriptor(text, major_)) {
      note |= kFieldLegal;
    }
  }
  return (note & kFieldLegal) != 0;
}

bool PoolNotes::method_descriptor(std::uint16_t utf8) {
  if (pool_.tag(utf8) != Tag::kUtf8) return false;
  std::uint32_t& note = notes_[utf8];
  if ((note & kMethodAsked) == 0) {
    note |= kMethodAsked;
    const std::string_view text = pool_.utf8(utf8);
    auto slots =
        shaped(utf8, kIntricate) ? plain_method_descriptor(text) : std::nullopt;
    if (!slots) slots = legal_method_descriptor(text, major_);
    if (slots) {
      note |= kMethodLegal | std::min(*slots, kMostSlotsNoted) << kSlotsShift;
    }
  }
  return (note & kMethodLegal) != 0;
}

unsigned PoolNotes::slots(std::uint16_t utf8) const {
  const std::string_view text = pool_.utf8(utf8);
  return text == "J" || text == "D" ? 2 : 1;
}

}  // namespace rejig::classfile
