// SPDX-License-Identifier: Apache-2.0
// What may the entries of this constant pool be used for? Private to
// classfile/: one note an entry, written while the pool is checked, so that
// code and attributes ask about an entry once and not at each use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classfile/reader/constant_pool.h"
#include "classfile/reader/text_shape.h"

namespace rejig::classfile {

class PoolNotes {
 public:
  PoolNotes(const ConstantPool& pool, std::uint16_t major)
      : pool_(pool), major_(major), notes_(pool.count(), 0) {}

  // Looks at a Utf8 and says what is special in it. Behind the text must be one
  // byte more.
  TextShape note_text(std::uint16_t utf8);
  // Of a Utf8; false for other entries.
  bool field_name(std::uint16_t utf8);
  bool method_name(std::uint16_t utf8);
  bool class_name(std::uint16_t utf8);
  bool field_descriptor(std::uint16_t utf8);
  bool method_descriptor(std::uint16_t utf8);
  // Of a legal field descriptor: 2 for J and D, else 1.
  unsigned slots(std::uint16_t utf8) const;
  // Of a legal method descriptor.
  unsigned argument_slots(std::uint16_t utf8) {
    if ((notes_[utf8] & kMethodAsked) == 0) method_descriptor(utf8);
    return notes_[utf8] >> kSlotsShift;
  }

  // Of entries that the instructions name: what these need to know.
  static constexpr std::uint32_t kPlainCall = 1;   // a name without '<'
  static constexpr std::uint32_t kInitCall = 2;    // <init>
  static constexpr std::uint32_t kPlainClass = 4;  // a Class, and no array
  std::uint32_t use(std::uint16_t i) const {
    return i < notes_.size() ? notes_[i] : 0;
  }

 private:
  friend class PoolCheck;
  // Of a Utf8, behind its shape.
  static constexpr std::uint32_t kFieldAsked = 1u << 8;
  static constexpr std::uint32_t kFieldLegal = 1u << 9;
  static constexpr std::uint32_t kMethodAsked = 1u << 10;
  static constexpr std::uint32_t kMethodLegal = 1u << 11;
  static constexpr unsigned kSlotsShift = 16;

  // The bit that no shape has.
  static constexpr std::uint32_t kShapeKnown = 1;

  bool shaped(std::uint16_t utf8, TextShape none) {
    if ((notes_[utf8] & kShapeKnown) == 0) note_text(utf8);
    return major_ >= 49 && (notes_[utf8] & none) == 0;
  }

  const ConstantPool& pool_;
  std::uint16_t major_;
  std::vector<std::uint32_t> notes_;
};

}  // namespace rejig::classfile
