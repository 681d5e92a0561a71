// SPDX-License-Identifier: Apache-2.0
// Methods first by name; then lambda bodies where an equal method makes them;
// then $values(), which an equal <clinit> may have said already; last the lambda
// bodies that nobody led to, by name. A method's state is open until one of these
// has settled it, and a difference is never taken back: a lambda body that two
// sites share is different if it is for one of them.
#include "traversal/body/class_compare.h"

#include <algorithm>
#include <set>

#include "jig/world/assert_prelude.h"
#include "traversal/body/body_context.h"
#include "traversal/code/accessor.h"
#include "traversal/code/enum_values.h"
#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/edge_texts.h"
#include "traversal/same/alike.h"
#include "traversal/shell/debug_facet.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::CodeView;
using classfile::Delta;
using classfile::MemberView;
using classfile::Rule;

namespace {

class ClassComparison {
 public:
  ClassComparison(const Matching& matching, const ClassPair& pair)
      : matching_(matching),
        old_(*pair.old_class.view),
        new_(*pair.new_class.view),
        context_(make_body_context(matching, old_, new_)),
        file_(source_path(old_)) {
    if (!matching.may_name_renamed(pair.old_name)) {
      same_code_ = pair.same_code.of_old;
      looked_through_ = pair.same_code.looked_through;
    }
  }

  ClassResult run() {
    const auto methods = old_.methods();
    state_.assign(methods.size(), State::kOpen);
    const MemberView* values = values_helper(old_);
    for (std::size_t i = 0; i < same_code_.size(); ++i) {
      if (same_code_[i] == kSamePlainCode) state_[i] = State::kEqual;
    }
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (state_[i] == State::kEqual) continue;
      if (!is_lambda_name(methods[i]) && &methods[i] != values) {
        compare_by_name(i);
      }
    }
    drain_lambdas();
    if (values != nullptr) {
      compare_values(static_cast<std::size_t>(values - methods.data()));
    }
    // Lambda bodies that no equal method leads to: by name.
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (state_[i] == State::kOpen) {
        compare_by_name(i);
        drain_lambdas();
      }
    }
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (state_[i] == State::kEqual) {
        result_.equal_methods.push_back(static_cast<std::uint16_t>(i));
      }
    }
    if (auto facet = debug_facet_of(matching_, old_, new_, file_,
                                    result_.equal_methods)) {
      result_.facets.push_back(std::move(*facet));
    }
    return std::move(result_);
  }

 private:
  enum class State { kOpen, kEqual, kDifferent };

  Delta delta_of(const MemberView& method) const {
    return method_delta(old_.name(), method.name, method.descriptor, file_);
  }

  // By name; methods mostly keep their order.
  const MemberView* partner_of(std::size_t i) {
    const MemberView& method = old_.methods()[i];
    const std::string_view descriptor =
        matching_.renaming.descriptor(method.descriptor, renamed_);
    const auto methods = new_.methods();
    const std::size_t guess = i + shift_;
    if (guess < methods.size() && methods[guess].name == method.name &&
        methods[guess].descriptor == descriptor) {
      return &methods[guess];
    }
    const MemberView* found = find_method(new_, method.name, descriptor);
    if (found != nullptr) {
      shift_ = static_cast<std::size_t>(found - methods.data()) - i;
    }
    return found;
  }

  void compare_by_name(std::size_t i) {
    const MemberView& method = old_.methods()[i];
    const MemberView* other = partner_of(i);
    const bool has_body = method.attribute("Code") != nullptr ||
                          method.is(classfile::kAccNative);
    if (is_accessor(method)) {
      accessor(i, other);
      return;
    }
    if (other == nullptr) {
      state_[i] = State::kDifferent;
      // Callers by name are told by what the reference comes to.
      if (!has_body || constructor_body(old_, method)) return;
      if (method.name == "<clinit>" &&
          jig::is_only_assert_prelude(old_, method)) {
        return;
      }
      Delta d = delta_of(method);
      d.line = first_line(old_, method);
      d.old_fact = "declared";
      d.new_fact = "deleted";
      d.why = "`" + d.entity + "` is deleted";
      result_.edges.push_back(std::move(d));
      return;
    }
    compare_pair(i, *other);
  }

  // <clinit> was compared with the instructions of $values() in it. Without
  // the method, it says all there is to say.
  void compare_values(std::size_t i) {
    const MemberView& method = old_.methods()[i];
    const MemberView* clinit = find_method(old_, "<clinit>", "()V");
    const bool initializer_equal =
        clinit != nullptr &&
        state_[static_cast<std::size_t>(clinit - old_.methods().data())] ==
            State::kEqual;
    if (initializer_equal &&
        find_method(new_, method.name,
                    matching_.renaming.descriptor(method.descriptor)) ==
            nullptr) {
      state_[i] = State::kEqual;
      return;
    }
    compare_by_name(i);
  }

  // Accessors are compared by what they do at each call (N7). Under their own
  // names they matter only to users that are not compared themselves.
  void accessor(std::size_t i, const MemberView* other) {
    const MemberView& method = old_.methods()[i];
    state_[i] = State::kEqual;
    if (other == nullptr || !is_accessor(*other) ||
        !same_to_callers(method, *other) ||
        !compare_bodies(old_, method, new_, *other, matching_.renaming,
                        *context_)
             .equal) {
      result_.synthetic_interface_changed = true;
      state_[i] = State::kDifferent;
    }
  }

  void compare_pair(std::size_t i, const MemberView& other) {
    const MemberView& method = old_.methods()[i];
    const bool old_code = method.attribute("Code") != nullptr;
    const bool new_code = other.attribute("Code") != nullptr;
    if (!same_entry_flags(method, other) || old_code != new_code) {
      state_[i] = State::kDifferent;
      if (!old_code && !method.is(classfile::kAccNative)) return;
      Delta d = delta_of(method);
      d.line = first_line(old_, method);
      say_entries(d, method, other);
      result_.edges.push_back(std::move(d));
      return;
    }
    if (!old_code) {
      state_[i] = State::kEqual;
      return;
    }
    std::uint32_t old_start = 0;
    std::uint32_t new_start = 0;
    if (method.name == "<clinit>") {
      const auto old_maps = read_switch_maps(old_);
      const auto new_maps = read_switch_maps(new_);
      if (old_maps && new_maps) {
        // Reported at the readers (N10); other code asks other questions.
        const bool same = compare_bodies(old_, method, new_, other,
                                         matching_.renaming, *context_)
                              .equal;
        state_[i] = same ? State::kEqual : State::kDifferent;
        if (old_maps != new_maps) result_.synthetic_interface_changed = true;
        return;
      }
      old_start = jig::assert_prelude_end(old_, *CodeView::of(old_, method));
      new_start = jig::assert_prelude_end(new_, *CodeView::of(new_, other));
    }
    auto body = compare_pair_of_code(i, other, old_start, new_start);
    for (auto& lambda : body.lambdas) lambdas_.push_back(std::move(lambda));
    if (!body.by_use.empty()) {
      result_.by_use[static_cast<std::uint16_t>(i)] = std::move(body.by_use);
    }
    if (body.equal) {
      if (state_[i] == State::kOpen) state_[i] = State::kEqual;
      return;
    }
    state_[i] = State::kDifferent;
    if (method.name != "<clinit>" && !body.divergences.front().edges.empty()) {
      auto& shared = result_.shared[static_cast<std::uint16_t>(i)];
      for (const auto& [old_pc, new_pc] : body.met) shared.push_back(old_pc);
    }
    for (const Divergence& divergence : body.divergences) {
      Delta d = delta_of(method);
      for (const auto& edge : divergence.edges) {
        if (d.rule == Rule::kD1) d.edges.push_back(d.entity + "#" + edge);
      }
      d.label = divergence.label;
      d.old_fact = divergence.old_text;
      d.new_fact = divergence.new_text;
      d.line = divergence.old_line != 0 ? divergence.old_line
                                        : first_line(old_, method);
      d.why = "`" + d.entity + "` did `" + d.old_fact + "` and does `" +
              d.new_fact + "`";
      result_.edges.push_back(std::move(d));
    }
  }

  // Where the instructions are the same, only what they look through is asked.
  BodyResult compare_pair_of_code(std::size_t i, const MemberView& other,
                                  std::uint32_t old_start,
                                  std::uint32_t new_start) {
    const MemberView& method = old_.methods()[i];
    if (i < same_code_.size() && same_code_[i] == kSameCode &&
        method.name == other.name && method.descriptor == other.descriptor) {
      // Not equal_range: clang 14 cannot make the subrange that it answers.
      const auto at = static_cast<std::uint16_t>(i);
      const auto begin = std::ranges::lower_bound(looked_through_, at, {},
                                                  &OperandPlace::method);
      const auto end = std::ranges::upper_bound(looked_through_, at, {},
                                                &OperandPlace::method);
      BodyResult same;
      if (same_operands(old_, method, new_, other, matching_.renaming,
                        *context_, {begin, end}, same)) {
        return same;
      }
    }
    return compare_bodies(old_, method, new_, other, matching_.renaming,
                          *context_, old_start, new_start);
  }

  void drain_lambdas() {
    while (!lambdas_.empty()) {
      const auto pair = std::move(lambdas_.back());
      lambdas_.pop_back();
      if (!seen_lambdas_.insert(pair).second) continue;
      const auto* a =
          find_method(old_, pair.first.name, pair.first.descriptor);
      const auto* b =
          find_method(new_, pair.second.name, pair.second.descriptor);
      if (a == nullptr || b == nullptr) continue;
      compare_pair(static_cast<std::size_t>(a - old_.methods().data()), *b);
    }
  }

  const Matching& matching_;
  const ClassView& old_;
  const ClassView& new_;
  std::unique_ptr<BodyContext> context_;
  std::string file_;
  std::string renamed_;
  std::size_t shift_ = 0;  // of the last method's partner; wraps
  ClassResult result_;
  std::span<const std::uint8_t> same_code_;
  std::span<const OperandPlace> looked_through_;
  std::vector<State> state_;
  std::vector<std::pair<MethodName, MethodName>> lambdas_;
  std::set<std::pair<MethodName, MethodName>> seen_lambdas_;
};

// A class of which only one side can be read: everything it did is in doubt.
ClassResult unreadable_class(const ClassPair& pair) {
  ClassResult result;
  Delta d;
  d.rule = Rule::kD14;
  d.channel = Channel::kLinking;
  d.entity = classfile::dotted(pair.old_name);
  d.subject = d.entity;
  d.old_fact = pair.old_class.view ? "readable" : "unreadable";
  d.new_fact = pair.new_class.view ? "readable" : "unreadable";
  d.why = "`" + d.entity + "` cannot be read, so it counts as changed";
  result.edges.push_back(d);
  if (!pair.old_class.view) {
    // Not even its methods are known.
    d.rule = Rule::kD1;
    d.channel = Channel::kBody;
    d.everybody = true;
    d.why = "`" + d.entity +
            "` cannot be read in the old program, so nobody can say who uses "
            "it";
    result.edges.push_back(std::move(d));
    return result;
  }
  for (const MemberView& method : pair.old_class.view->methods()) {
    Delta m = result.edges.front();
    m.rule = Rule::kD1;
    m.channel = Channel::kBody;
    m.subject.clear();
    m.entity = classfile::method_entity(pair.old_name, method.name,
                                        method.descriptor);
    m.at.push_back(m.entity);
    result.edges.push_back(std::move(m));
  }
  return result;
}

}  // namespace

ClassResult compare_class(const Matching& matching, const ClassPair& pair) {
  if (!pair.old_class.view || !pair.new_class.view) {
    return unreadable_class(pair);
  }
  return ClassComparison(matching, pair).run();
}

}  // namespace rejig::traversal
