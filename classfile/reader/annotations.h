// SPDX-License-Identifier: Apache-2.0
// What do the annotations of this attribute say (JVMS §4.7.16-4.7.22)? Lazy
// views over the bytes of a readable attribute of a parsed class: nothing is
// copied, names stay raw. They may be asked only about attributes whose
// `readable` is true; nesting is then at most kDeepestAnnotation deep, so a
// recursive walk is safe.
#pragma once

#include <cstdint>
#include <string_view>

#include "classfile/base/byte_reader.h"
#include "classfile/reader/class_view.h"

namespace rejig::classfile {

// Deeper nesting makes the attribute unreadable.
inline constexpr std::size_t kDeepestAnnotation = 1000;

class ElementReader;
class AnnotationView;

// One element_value.
class ElementValue {
 public:
  // B C D F I J S Z s (String) e (enum) c (Class) @ (annotation) [ (array)
  char tag() const { return tag_; }
  // B C I S Z, F, J, D: pool index of the Integer, Float, Long, Double.
  std::uint16_t constant() const { return first_; }
  // s: the text; c: the descriptor.
  std::string_view text() const { return pool_->utf8(first_); }
  std::string_view enum_type() const { return pool_->utf8(first_); }
  std::string_view enum_name() const { return pool_->utf8(second_); }
  AnnotationView annotation() const;    // of '@'
  ElementReader elements() const;       // of '['
  std::uint16_t element_count() const { return first_; }  // of '['

 private:
  friend class ElementReader;

  const ConstantPool* pool_ = nullptr;
  char tag_ = 0;
  std::uint16_t first_ = 0;
  std::uint16_t second_ = 0;
  base::Bytes inside_;  // of '@' and '[': their values
};

// The values of an annotation (with names) or of an array (without).
class ElementReader {
 public:
  ElementReader(const ConstantPool& pool, base::Bytes bytes,
                std::uint16_t count, bool named)
      : pool_(&pool),
        bytes_(bytes),
        reader_(bytes),
        left_(count),
        named_(named) {}
  // False when there are no more. Names are empty in arrays.
  bool next(std::string_view& name, ElementValue& value);

 private:
  ElementValue read();

  const ConstantPool* pool_;
  base::Bytes bytes_;
  base::ByteReader reader_;
  std::uint16_t left_;
  bool named_;
};

class AnnotationView {
 public:
  AnnotationView() = default;
  AnnotationView(const ConstantPool& pool, std::string_view type,
                 std::uint16_t count, base::Bytes inside)
      : pool_(&pool), type_(type), count_(count), inside_(inside) {}
  std::string_view type() const { return type_; }  // "La/B;"
  std::uint16_t size() const { return count_; }
  ElementReader elements() const { return {*pool_, inside_, count_, true}; }

 private:
  const ConstantPool* pool_ = nullptr;
  std::string_view type_;
  std::uint16_t count_ = 0;
  base::Bytes inside_;
};

// The annotations of Runtime(In)VisibleAnnotations, of one parameter of
// Runtime(In)VisibleParameterAnnotations, or of
// Runtime(In)VisibleTypeAnnotations.
class AnnotationReader {
 public:
  AnnotationReader(const ConstantPool& pool, const AttributeView& attribute);
  bool next(AnnotationView& annotation);
  // Parameter annotations: which parameter the last one is on; else 0.
  unsigned parameter() const { return parameter_ - 1; }
  // Parameter annotations: how many parameters the attribute has.
  unsigned parameters() const { return parameters_; }
  // Type annotations: target_type, target_info and type_path of the last one,
  // as stored. Offsets of instructions inside are not canonical.
  base::Bytes target() const { return target_; }

 private:
  const ConstantPool* pool_;
  base::Bytes bytes_;
  base::ByteReader reader_;
  bool on_types_ = false;
  bool on_parameters_ = false;
  unsigned parameters_ = 0;
  unsigned parameter_ = 1;  // 1-based, of the annotation read last
  std::uint16_t left_ = 0;
  base::Bytes target_;
};

// The value of AnnotationDefault.
ElementValue annotation_default(const ConstantPool& pool,
                                const AttributeView& attribute);

// Moves behind target_type, target_info and type_path (JVMS §4.7.20); false at
// a target_type that does not exist, or at the end.
bool skip_type_annotation_target(base::ByteReader& reader);

}  // namespace rejig::classfile
