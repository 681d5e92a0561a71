// SPDX-License-Identifier: Apache-2.0
#include "classfile/reader/annotations.h"

#include <utility>
#include <vector>

namespace rejig::classfile {
namespace {

// Moves behind `count` values, however deep they nest.
void skip_values(base::ByteReader& r, std::uint16_t count, bool named) {
  if (count == 0) return;
  std::vector<std::pair<std::uint16_t, bool>> open = {{count, named}};
  while (!open.empty() && !r.failed()) {
    auto& [left, has_names] = open.back();
    if (left == 0) {
      open.pop_back();
      continue;
    }
    --left;
    if (has_names) r.skip(2);
    switch (static_cast<char>(r.u1())) {
      case 'e':
        r.skip(4);
        break;
      case '@': {
        r.skip(2);
        const std::uint16_t inner = r.u2();
        open.emplace_back(inner, true);
        break;
      }
      case '[': {
        const std::uint16_t inner = r.u2();
        open.emplace_back(inner, false);
        break;
      }
      default:
        r.skip(2);
        break;
    }
  }
}

// The bytes of `count` values, and the reader behind them.
base::Bytes take_values(base::ByteReader& r, base::Bytes all,
                        std::uint16_t count, bool named) {
  const std::size_t begin = r.pos();
  skip_values(r, count, named);
  return all.subspan(begin, r.pos() - begin);
}

}  // namespace

AnnotationView ElementValue::annotation() const {
  return {*pool_, pool_->utf8(first_), second_, inside_};
}

ElementReader ElementValue::elements() const {
  return {*pool_, inside_, first_, false};
}

ElementValue ElementReader::read() {
  ElementValue v;
  v.pool_ = pool_;
  v.tag_ = static_cast<char>(reader_.u1());
  v.first_ = reader_.u2();
  switch (v.tag_) {
    case 'e':
      v.second_ = reader_.u2();
      break;
    case '@':
      v.second_ = reader_.u2();
      v.inside_ = take_values(reader_, bytes_, v.second_, true);
      break;
    case '[':
      v.inside_ = take_values(reader_, bytes_, v.first_, false);
      break;
    default:
      break;
  }
  return v;
}

bool ElementReader::next(std::string_view& name, ElementValue& value) {
  if (left_ == 0 || reader_.failed()) return false;
  --left_;
  name = named_ ? pool_->utf8(reader_.u2()) : std::string_view();
  value = read();
  return !reader_.failed();
}

AnnotationReader::AnnotationReader(const ConstantPool& pool,
                                   const AttributeView& attribute)
    : pool_(&pool) {
  if (!attribute.readable) return;
  bytes_ = attribute.content;
  reader_ = base::ByteReader(bytes_);
  switch (attribute.kind) {
    case AttributeKind::kRuntimeVisibleParameterAnnotations:
    case AttributeKind::kRuntimeInvisibleParameterAnnotations:
      on_parameters_ = true;
      parameters_ = reader_.u1();
      parameter_ = 0;
      break;
    case AttributeKind::kRuntimeVisibleTypeAnnotations:
    case AttributeKind::kRuntimeInvisibleTypeAnnotations:
      on_types_ = true;
      left_ = reader_.u2();
      break;
    default:
      left_ = reader_.u2();
      break;
  }
}

bool AnnotationReader::next(AnnotationView& annotation) {
  while (on_parameters_ && left_ == 0) {
    if (parameter_ == parameters_) return false;
    ++parameter_;
    left_ = reader_.u2();
  }
  if (left_ == 0 || reader_.failed()) return false;
  --left_;
  if (on_types_) {
    const std::size_t begin = reader_.pos();
    skip_type_annotation_target(reader_);
    target_ = bytes_.subspan(begin, reader_.pos() - begin);
  }
  const std::string_view type = pool_->utf8(reader_.u2());
  const std::uint16_t count = reader_.u2();
  annotation = AnnotationView(*pool_, type, count,
                              take_values(reader_, bytes_, count, true));
  return !reader_.failed();
}

ElementValue annotation_default(const ConstantPool& pool,
                                const AttributeView& attribute) {
  ElementReader reader(pool, attribute.content, 1, false);
  std::string_view name;
  ElementValue value;
  reader.next(name, value);
  return value;
}

}  // namespace rejig::classfile
