// SPDX-License-Identifier: Apache-2.0
// Entry(m) and Entry(m'): their labels, then their control flow graphs side by
// side (body_compare, which is Compare() inside one method), then what the
// instructions that both share ask. Lambda bodies and accessors become pairs
// where they are met, whatever they are called.
#include <algorithm>

#include "jig/world/assert_prelude.h"
#include "traversal/code/accessor.h"
#include "traversal/code/enum_values.h"
#include "traversal/code/synthetic.h"
#include "traversal/code/source_place.h"
#include "traversal/describe/edge_texts.h"
#include "traversal/walk/walk_pairs.h"

namespace rejig::traversal {

using classfile::CodeView;
using jig::NodeId;

std::pair<const classfile::ClassView*, const classfile::MemberView*>
PairCompare::method_of(const WalkSide& side, NodeId entry) const {
  const bool of_old = &side == &old_;
  const auto* cls = of_old ? matching_.old_view(side.owner(entry))
                           : matching_.new_view(side.owner(entry));
  if (cls == nullptr) return {nullptr, nullptr};
  return {cls, find_method(*cls, side.name(entry), side.descriptor(entry))};
}

classfile::Delta PairCompare::method_delta(NodeId entry) const {
  return traversal::method_delta(
      old_.owner(entry), old_.name(entry), old_.descriptor(entry),
      cls_ == nullptr ? std::string() : source_path(*cls_));
}

unsigned PairCompare::line_at(std::uint32_t pc) const {
  const auto code = CodeView::of(*cls_, *method_);
  if (!code) return 0;
  unsigned line = 0;
  std::uint32_t best = 0;
  for (const auto& row : classfile::line_numbers(*code)) {
    if (row.pc > pc || row.pc < best) continue;
    best = row.pc;
    line = row.line;
  }
  return line;
}

void PairCompare::entries(const NodePair& pair) {
  entry_ = pair.old_node;
  new_entry_ = pair.new_node;
  std::tie(cls_, method_) = method_of(old_, entry_);
  new_cls_ = nullptr;
  new_method_ = nullptr;
  if (new_entry_ == WalkSide::kNone) {
    if (cls_ != nullptr && method_ != nullptr) deleted_method(entry_, "");
    return;
  }
  std::tie(new_cls_, new_method_) = method_of(new_, new_entry_);
  if (method_ == nullptr || new_method_ == nullptr) return;  // unreadable
  const bool old_code = method_->attribute("Code") != nullptr;
  const bool new_code = new_method_->attribute("Code") != nullptr;
  if (is_accessor(*method_)) {
    // Compared where it is called; alone it matters to nobody.
    if (!is_accessor(*new_method_)) return;
    const auto body = compare_bodies(*cls_, *method_, *new_cls_, *new_method_,
                                     matching_.renaming, *context_);
    if (!body.equal) return;
    out_.equal.push_back(entry_);
    questions(body);
    return;
  }
  if (!same_entry_flags(*method_, *new_method_) || old_code != new_code) {
    if (!old_code && !method_->is(classfile::kAccNative)) return;
    Delta d = method_delta(entry_);
    d.line = first_line(*cls_, *method_);
    say_entries(d, *method_, *new_method_);
    out_.found.edges.push_back(std::move(d));
    return;
  }
  if (old_code) {
    bodies(pair);
  } else {
    out_.equal.push_back(entry_);
  }
}

void PairCompare::bodies(const NodePair& pair) {
  std::uint32_t old_start = 0;
  std::uint32_t new_start = 0;
  if (method_->name == "<clinit>") {
    if (read_switch_maps(*cls_) && read_switch_maps(*new_cls_)) {
      // Compared at the readers; what the code asks matters while it is the same.
      const auto same = compare_bodies(*cls_, *method_, *new_cls_, *new_method_,
                                       matching_.renaming, *context_);
      if (!same.equal) return;
      out_.equal.push_back(entry_);
      questions(same);
      return;
    }
    old_start = jig::assert_prelude_end(*cls_, *CodeView::of(*cls_, *method_));
    new_start =
        jig::assert_prelude_end(*new_cls_, *CodeView::of(*new_cls_, *new_method_));
  }
  const auto body =
      compare_bodies(*cls_, *method_, *new_cls_, *new_method_,
                     matching_.renaming, *context_, old_start, new_start);
  for (const auto& [before, after] : body.lambdas) {
    const NodeId a = old_.entry(cls_->name(), before.name, before.descriptor);
    const NodeId b =
        new_.entry(new_cls_->name(), after.name, after.descriptor);
    if (a != WalkSide::kNone && b != WalkSide::kNone) {
      out_.next.push_back({a, b});
    }
  }
  if (body.equal) out_.equal.push_back(pair.old_node);
  for (const Divergence& divergence : body.divergences) {
    Delta d = method_delta(entry_);
    d.label = divergence.label;
    d.old_fact = divergence.old_text;
    d.new_fact = divergence.new_text;
    d.line = divergence.old_line != 0 ? divergence.old_line
                                      : first_line(*cls_, *method_);
    for (const auto& edge : divergence.edges) {
      if (d.rule == Rule::kD1) d.edges.push_back(d.entity + "#" + edge);
    }
    d.why = "`" + d.entity + "` did `" + d.old_fact + "` and does `" +
            d.new_fact + "`";
    out_.found.edges.push_back(std::move(d));
  }
  questions(body);
}

PairResult PairCompare::lost_class(Name old_name) {
  out_ = {};
  const ClassNode* partner = matching_.partner(old_name);
  if (partner == nullptr || !partner->internal) {
    deleted_class(old_name);
  } else {
    unreadable_class(old_name);
  }
  return std::move(out_);
}

void PairCompare::deleted_method(NodeId entry, std::string_view with_class) {
  const bool has_body = method_->attribute("Code") != nullptr ||
                        method_->is(classfile::kAccNative);
  if (!has_body) return;
  if (with_class.empty()) {
    // Who calls such a one is told by what the call comes to.
    if (is_accessor(*method_) || constructor_body(*cls_, *method_)) return;
    if (method_->name == "<clinit>" &&
        jig::is_only_assert_prelude(*cls_, *method_)) {
      return;
    }
  }
  Delta d = method_delta(entry);
  d.line = with_class.empty() ? first_line(*cls_, *method_) : 0;
  d.old_fact = "declared";
  d.new_fact = with_class.empty() ? "deleted" : "deleted with its class";
  d.why = "`" + d.entity + "` is " + d.new_fact;
  out_.found.edges.push_back(std::move(d));
}

void PairCompare::deleted_class(Name name) {
  const ClassView* cls = matching_.old_view(name);
  const std::string entity = classfile::dotted(name);
  Delta gone;
  gone.entity = entity;
  gone.old_fact = "declared";
  gone.new_fact = "deleted";
  if (cls == nullptr) {
    gone.everybody = true;
    gone.why = "`" + entity +
               "` is deleted and could not be read, so nobody can say who uses "
               "it";
    out_.found.edges.push_back(std::move(gone));
    return;
  }
  cls_ = cls;
  for (const MemberView& method : cls->methods()) {
    const NodeId entry = old_.entry(name, method.name, method.descriptor);
    if (entry == WalkSide::kNone) continue;
    method_ = &method;
    deleted_method(entry, entity);
  }
  gone.rule = Rule::kD14;
  gone.channel = Channel::kLinking;
  gone.subject = entity;
  gone.file = source_path(*cls);
  gone.why = "`" + entity + "` is deleted and cannot be loaded";
  // An empty class for the parameter list of a constructor is never loaded.
  const bool invented = (cls->access() & classfile::kAccSynthetic) != 0 &&
                        cls->methods().empty() && cls->fields().empty();
  if (invented) gone.label = "synthetic class";
  (invented ? out_.found.facets : out_.found.edges).push_back(std::move(gone));
}

// Everything that it did is in doubt.
void PairCompare::unreadable_class(Name name) {
  const ClassView* before = matching_.old_view(name);
  const ClassNode* partner = matching_.partner(name);
  const ClassView* after =
      partner == nullptr ? nullptr : matching_.new_view(partner->name);
  Delta d;
  d.rule = Rule::kD14;
  d.channel = Channel::kLinking;
  d.entity = classfile::dotted(name);
  d.subject = d.entity;
  d.old_fact = before != nullptr ? "readable" : "unreadable";
  d.new_fact = after != nullptr ? "readable" : "unreadable";
  d.why = "`" + d.entity + "` cannot be read, so it counts as changed";
  out_.found.edges.push_back(d);
  d.rule = Rule::kD1;
  d.channel = Channel::kBody;
  if (before == nullptr) {
    d.everybody = true;
    d.why = "`" + d.entity +
            "` cannot be read in the old program, so nobody can say who uses "
            "it";
    out_.found.edges.push_back(std::move(d));
    return;
  }
  d.subject.clear();
  for (const MemberView& method : before->methods()) {
    Delta one = d;
    one.entity =
        classfile::method_entity(name, method.name, method.descriptor);
    one.at.push_back(one.entity);
    out_.found.edges.push_back(std::move(one));
  }
}

}  // namespace rejig::traversal
