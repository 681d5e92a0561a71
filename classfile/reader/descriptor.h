// SPDX-License-Identifier: Apache-2.0
// Which types does this descriptor name (JVMS §4.3), and is this name or
// descriptor one that the JVM accepts? `legal_*` follow HotSpot's format checker
// of class files of that major version; everything else may be asked only about
// descriptors found legal, and yields empty answers (never reads past the end)
// for others.
// Views point into the text asked about.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rejig::classfile {

// "a", "<init>": what may stand as a member's name (JVMS §4.2.2).
bool legal_field_name(std::string_view name, std::uint16_t major);
bool legal_method_name(std::string_view name, std::uint16_t major);
// What a Class constant may say: "a/B", "[I", "[[La/B;".
bool legal_class_name(std::string_view name, std::uint16_t major);
bool legal_field_descriptor(std::string_view text, std::uint16_t major);
// Slots of the arguments without `this` (long and double count 2); nullopt if
// the descriptor is not legal. More than 255 is for the caller to refuse.
// `special` (names that begin with '<'): the result must be void.
std::optional<unsigned> legal_method_descriptor(std::string_view text,
                                                std::uint16_t major,
                                                bool special = false);

// One type of a descriptor: "I", "[[J", "La/B;".
struct TypeView {
  std::string_view text;
  unsigned dimensions = 0;
  char element = 0;             // B C D F I J S Z L V
  std::string_view class_name;  // of the element: "a/B"; empty for primitives

  unsigned slots() const {
    if (dimensions != 0) return 1;
    return element == 'V' ? 0 : element == 'J' || element == 'D' ? 2 : 1;
  }
};

// The type that begins at text[pos], and moves pos behind it. At the end of the
// text, or at something that is no type: empty text, pos = text.size().
TypeView next_type(std::string_view text, std::size_t& pos);

// A field descriptor, or the type named by a Class constant ("a/B" or "[I").
TypeView type_of_descriptor(std::string_view text);
TypeView type_of_class_constant(std::string_view text);

class MethodDescriptor {
 public:
  explicit MethodDescriptor(std::string_view text);
  // False when there are no more parameters.
  bool next(TypeView& parameter);
  TypeView result() const { return type_of_descriptor(result_); }
  std::string_view parameters_text() const { return parameters_; }
  std::string_view result_text() const { return result_; }

 private:
  std::string_view parameters_;  // between the parentheses
  std::string_view result_;
  std::size_t pos_ = 0;
};

// Slots of the arguments without `this`.
unsigned argument_slots(std::string_view method_descriptor);

}  // namespace rejig::classfile
