// SPDX-License-Identifier: Apache-2.0
#include "traversal/class_compare.h"

#include <algorithm>

#include "jig/assert_prelude.h"
#include "traversal/debug_facet.h"
#include "traversal/synthetic.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::CodeView;
using classfile::Delta;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;
using classfile::Rule;

namespace {

constexpr std::uint16_t kEntryFlags =
    classfile::kAccStatic | classfile::kAccSynchronized |
    classfile::kAccNative | classfile::kAccAbstract;

std::string entry_label(const MemberView& method) {
  std::string out;
  if (method.is(classfile::kAccStatic)) out += "static ";
  if (method.is(classfile::kAccSynchronized)) out += "synchronized ";
  if (method.is(classfile::kAccNative)) out += "native ";
  if (method.is(classfile::kAccAbstract)) out += "abstract ";
  out += method.attribute("Code") != nullptr ? "method with code"
                                             : "method without code";
  return out;
}

// Object's public methods that an interface inherits; by descriptor, since an
// overload of an interface is not one of them.
bool is_object_method(const MemberRef& ref) {
  static constexpr std::pair<std::string_view, std::string_view> kMethods[] = {
      {"equals", "(Ljava/lang/Object;)Z"}, {"hashCode", "()I"},
      {"toString", "()Ljava/lang/String;"}, {"getClass", "()Ljava/lang/Class;"},
      {"notify", "()V"}, {"notifyAll", "()V"}, {"wait", "()V"},
      {"wait", "(J)V"}, {"wait", "(JI)V"},
  };
  return std::any_of(std::begin(kMethods), std::end(kMethods),
                     [&](const auto& m) {
                       return m.first == ref.name && m.second == ref.descriptor;
                     });
}

// Answers what a body comparison asks about other methods and classes.
class Context : public BodyContext {
 public:
  explicit Context(const Session& session) : session_(session) {}

  bool same_accessor(const MemberRef& old_ref,
                     const MemberRef& new_ref) override {
    if (depth_ > 16) return false;
    const ClassView* old_class = session_.old_view(old_ref.owner);
    const ClassView* new_class = session_.new_view(new_ref.owner);
    if (old_class == nullptr || new_class == nullptr) return false;
    const auto* a = find_method(*old_class, old_ref.name, old_ref.descriptor);
    const auto* b = find_method(*new_class, new_ref.name, new_ref.descriptor);
    if (a == nullptr || b == nullptr) return a == b;
    if (!is_accessor(*a) || !is_accessor(*b)) {
      return old_ref.name == new_ref.name;
    }
    ++depth_;
    const auto body = compare_bodies(*old_class, *a, *new_class, *b,
                                     session_.renaming, *this);
    --depth_;
    return body.equal && body.lambdas.empty();
  }

  bool same_call_otherwise(Opcode old_op, const MemberRef& old_ref,
                           Opcode new_op, const MemberRef& new_ref) override {
    auto is = [&](Opcode x, Opcode y) {
      return (old_op == x && new_op == y) || (old_op == y && new_op == x);
    };
    if (is(Opcode::k_invokeinterface, Opcode::k_invokevirtual) &&
        is_object_method(old_ref)) {
      const auto& as_class = old_ref.interface ? new_ref : old_ref;
      return old_ref.interface != new_ref.interface &&
             as_class.owner == "java/lang/Object";
    }
    if (is(Opcode::k_invokespecial, Opcode::k_invokevirtual) ||
        is(Opcode::k_invokespecial, Opcode::k_invokeinterface)) {
      if (!session_.renaming.same_class(old_ref.owner, new_ref.owner)) {
        return false;
      }
      return is_private(session_.old_world, old_ref) &&
             is_private(session_.new_world, new_ref);
    }
    return false;
  }

  SwitchMapPair switch_maps(const MemberRef& old_ref,
                            const MemberRef& new_ref) override {
    if (old_ref.name != new_ref.name) return {};
    return {table(session_.old_view(old_ref.owner), old_ref.name),
            table(session_.new_view(new_ref.owner), new_ref.name)};
  }

 private:
  static bool is_private(const jig::World& world, const MemberRef& ref) {
    const auto found = jig::resolve_method(
        world, {ref.owner, ref.name, ref.descriptor, ref.interface});
    return found.found() && found.method->is(classfile::kAccPrivate);
  }

  const SwitchMap* table(const ClassView* holder,
                         std::string_view name) const {
    const SwitchMaps* maps = session_.switch_maps(holder);
    if (maps == nullptr) return nullptr;
    const auto at = maps->find(std::string(name));
    return at == maps->end() ? nullptr : &at->second;
  }

  const Session& session_;
  unsigned depth_ = 0;
};

class ClassComparison {
 public:
  ClassComparison(const Session& session, const ClassPair& pair)
      : session_(session),
        old_(*pair.old_class.view),
        new_(*pair.new_class.view),
        context_(session),
        file_(source_path(old_)) {}

  ClassResult run() {
    const auto methods = old_.methods();
    state_.assign(methods.size(), State::kOpen);
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (!is_lambda_name(methods[i])) compare_by_name(i);
    }
    drain_lambdas();
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
    compare_debug_facets(session_, old_, new_, file_, result_);
    return std::move(result_);
  }

 private:
  enum class State { kOpen, kEqual, kDifferent };

  Delta delta_of(const MemberView& method) const {
    Delta d;
    d.entity =
        classfile::method_entity(old_.name(), method.name, method.descriptor);
    d.file = file_;
    if (method.name == "<clinit>") {
      d.rule = Rule::kD2;
      d.channel = Channel::kInitialization;
      d.subject = classfile::dotted(old_.name());
    } else {
      d.rule = Rule::kD1;
      d.channel = Channel::kBody;
      d.at.push_back(d.entity);
    }
    return d;
  }

  unsigned first_line(const MemberView& method) const {
    const auto code = CodeView::of(old_, method);
    if (!code) return 0;
    unsigned line = 0;
    for (const auto& row : classfile::line_numbers(*code)) {
      if (line == 0 || row.line < line) line = row.line;
    }
    return line;
  }

  void compare_by_name(std::size_t i) {
    const MemberView& method = old_.methods()[i];
    const MemberView* other =
        find_method(new_, method.name,
                    session_.renaming.descriptor(method.descriptor));
    const bool has_body = method.attribute("Code") != nullptr ||
                          method.is(classfile::kAccNative);
    if (is_accessor(method)) {
      accessor(i, other);
      return;
    }
    if (other == nullptr) {
      state_[i] = State::kDifferent;
      if (!has_body) return;
      if (method.name == "<clinit>" &&
          jig::is_only_assert_prelude(old_, method)) {
        return;
      }
      Delta d = delta_of(method);
      d.line = first_line(method);
      d.old_fact = "declared";
      d.new_fact = "deleted";
      d.why = "`" + d.entity + "` is deleted";
      result_.edges.push_back(std::move(d));
      return;
    }
    compare_pair(i, *other);
  }

  // Accessors are compared by what they do at each call (N7). Under their own
  // names they matter only to users that are not compared themselves.
  void accessor(std::size_t i, const MemberView* other) {
    const MemberView& method = old_.methods()[i];
    state_[i] = State::kEqual;
    if (other == nullptr || !is_accessor(*other) ||
        !compare_bodies(old_, method, new_, *other, session_.renaming,
                        context_)
             .equal) {
      result_.synthetic_interface_changed = true;
      state_[i] = State::kDifferent;
    }
  }

  void compare_pair(std::size_t i, const MemberView& other) {
    const MemberView& method = old_.methods()[i];
    const bool old_code = method.attribute("Code") != nullptr;
    const bool new_code = other.attribute("Code") != nullptr;
    if ((method.access & kEntryFlags) != (other.access & kEntryFlags) ||
        old_code != new_code) {
      state_[i] = State::kDifferent;
      if (!old_code && !method.is(classfile::kAccNative)) return;
      Delta d = delta_of(method);
      d.line = first_line(method);
      d.label = "entry";
      d.old_fact = entry_label(method);
      d.new_fact = entry_label(other);
      d.why = "`" + d.entity + "` was a " + d.old_fact + " and is a " +
              d.new_fact;
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
        // Reported at the readers (N10).
        state_[i] = State::kEqual;
        if (old_maps != new_maps) result_.synthetic_interface_changed = true;
        return;
      }
      old_start = jig::assert_prelude_end(old_, *CodeView::of(old_, method));
      new_start = jig::assert_prelude_end(new_, *CodeView::of(new_, other));
    }
    auto body = compare_bodies(old_, method, new_, other, session_.renaming,
                               context_, old_start, new_start);
    for (auto& lambda : body.lambdas) lambdas_.push_back(std::move(lambda));
    if (body.equal) {
      if (state_[i] == State::kOpen) state_[i] = State::kEqual;
      return;
    }
    state_[i] = State::kDifferent;
    for (const Divergence& divergence : body.divergences) {
      Delta d = delta_of(method);
      d.label = divergence.label;
      d.old_fact = divergence.old_text;
      d.new_fact = divergence.new_text;
      d.line = divergence.old_line != 0 ? divergence.old_line
                                        : first_line(method);
      d.why = "`" + d.entity + "` did `" + d.old_fact + "` and does `" +
              d.new_fact + "`";
      if (d.old_fact == d.new_fact) {
        d.why = "`" + d.entity + "` does `" + d.old_fact +
                "` with another local value";
      }
      result_.edges.push_back(std::move(d));
    }
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

  const Session& session_;
  const ClassView& old_;
  const ClassView& new_;
  Context context_;
  std::string file_;
  ClassResult result_;
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

ClassResult compare_class(const Session& session, const ClassPair& pair) {
  if (!pair.old_class.view || !pair.new_class.view) {
    return unreadable_class(pair);
  }
  return ClassComparison(session, pair).run();
}

}  // namespace rejig::traversal
