// SPDX-License-Identifier: Apache-2.0
#include "traversal/same/pair_reader.h"

namespace rejig::traversal {

using base::Bytes;
using classfile::ClassView;

bool PairReader::lay_out(Bytes olds, Bytes news, std::string_view name) {
  const auto a = old_reader_.parse_layout(olds, name);
  const auto b = new_reader_.parse_layout(news, name);
  if (!a.ok() || !b.ok()) return false;
  old_ = *a;
  new_ = *b;
  if (old_->name() != name || new_->name() != name) return false;
  map_.build(old_->pool(), new_->pool());
  return true;
}

const Likeness& PairReader::likeness() {
  found_ = compare_alike(*old_, *new_, map_);
  return found_;
}

base::Result<ClassView> PairReader::check(classfile::ClassReader& reader,
                                          const classfile::Vouched& vouched) {
  REJIG_TRY_VOID(reader.check(vouched));
  return reader.copy();
}

PairReader::Checked PairReader::checked() {
  classfile::Vouched olds;
  classfile::Vouched news;
  find_same_code(*old_, *new_, map_, same_code_);
  // Another version has other rules.
  if (old_->major() == new_->major() && old_->minor() == new_->minor()) {
    olds = {map_.known_old(), same_code_.of_old};
    news = {map_.known_new(), same_code_.of_new};
  }
  return {check(old_reader_, olds), check(new_reader_, news)};
}

}  // namespace rejig::traversal
