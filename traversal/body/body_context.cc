// SPDX-License-Identifier: Apache-2.0
#include "traversal/body/body_context.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "jig/lookup/resolve.h"
#include "traversal/body/body_bytes.h"
#include "traversal/code/accessor.h"
#include "traversal/code/synthetic.h"
#include "traversal/lookup/outcome.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::MemberRef;
using classfile::MemberView;
using classfile::Opcode;

namespace {

// Object's public methods that an interface inherits; by descriptor, since an
// overload of an interface is not one of them.
bool is_object_method(const MemberRef& ref) {
  static constexpr std::pair<std::string_view, std::string_view> kMethods[] = {
      {"equals", "(Ljava/lang/Object;)Z"},
      {"hashCode", "()I"},
      {"toString", "()Ljava/lang/String;"},
      {"getClass", "()Ljava/lang/Class;"},
      {"notify", "()V"},
      {"notifyAll", "()V"},
      {"wait", "()V"},
      {"wait", "(J)V"},
      {"wait", "(JI)V"},
  };
  return std::any_of(std::begin(kMethods), std::end(kMethods),
                     [&](const auto& m) {
                       return m.first == ref.name && m.second == ref.descriptor;
                     });
}

// Answers what a body comparison asks about other methods and classes.
class Context final : public BodyContext {
 public:
  explicit Context(const Matching& matching) : matching_(matching) {}
  Context(const Matching& matching, const ClassView& old_class,
          const ClassView& new_class)
      : matching_(matching) {
    pairs_.emplace(old_class, new_class);
  }

  PoolPairs* pool_pairs(const ClassView& old_class,
                        const ClassView& new_class) override {
    return pairs_ && pairs_->are_of(old_class, new_class) ? &*pairs_ : nullptr;
  }

  bool same_accessor(const MemberRef& old_ref,
                     const MemberRef& new_ref) override {
    if (depth_ > 16) return false;
    if (depth_ != 0 || !pairs_) return compare_accessors(old_ref, new_ref);
    const auto key = std::make_tuple(old_ref.owner, old_ref.name,
                                     old_ref.descriptor, new_ref.owner,
                                     new_ref.name, new_ref.descriptor);
    const auto [at, added] = accessors_.try_emplace(key, false);
    if (added) at->second = compare_accessors(old_ref, new_ref);
    return at->second;
  }

  bool compare_accessors(const MemberRef& old_ref, const MemberRef& new_ref) {
    // Of an equal file, an equal method: what it names is looked at where it
    // stands, as with every method of an equal class. (One that may name a
    // renamed class is not untouched.)
    const bool same_file = old_ref.owner == new_ref.owner &&
                           matching_.untouched(old_ref.owner);
    if (pairs_ && same_file && old_ref.name == new_ref.name &&
        old_ref.descriptor == new_ref.descriptor) {
      return true;
    }
    const ClassView* old_class = matching_.old_view(old_ref.owner);
    const ClassView* new_class =
        same_file ? old_class : matching_.new_view(new_ref.owner);
    if (old_class == nullptr || new_class == nullptr) return false;
    const auto* a = find_method(*old_class, old_ref.name, old_ref.descriptor);
    const auto* b = find_method(*new_class, new_ref.name, new_ref.descriptor);
    if (a == nullptr || b == nullptr) return a == b;
    // One that is static no longer is none any more.
    if (is_accessor(*a) != is_accessor(*b) || !same_to_callers(*a, *b)) {
      return false;
    }
    if (!is_accessor(*a)) return old_ref.name == new_ref.name;
    ++depth_;
    const auto body = compare_bodies(*old_class, *a, *new_class, *b,
                                     matching_.renaming, *this);
    --depth_;
    return body.equal && body.lambdas.empty() && body.by_use.empty() &&
           same_outcomes(*old_class, *a, *new_class, *b);
  }

  std::optional<AccessorBody> accessor(bool of_old,
                                       const MemberRef& ref) override {
    const ClassView* cls =
        of_old ? matching_.old_view(ref.owner) : matching_.new_view(ref.owner);
    if (cls == nullptr) return std::nullopt;
    const auto* method = find_method(*cls, ref.name, ref.descriptor);
    if (method == nullptr) return std::nullopt;
    return ref.name == "<init>" ? constructor_body(*cls, *method)
                                : accessor_body(*cls, *method);
  }

  bool same_access(bool accessor_of_old, const AccessorBody& body, Opcode op,
                   const MemberRef& ref, std::string_view caller) override {
    const auto& renaming = matching_.renaming;
    const MemberRef& of_old = accessor_of_old ? body.ref : ref;
    const MemberRef& of_new = accessor_of_old ? ref : body.ref;
    const Opcode old_op = accessor_of_old ? body.op : op;
    const Opcode new_op = accessor_of_old ? op : body.op;
    if (of_old.name != of_new.name || of_old.field != of_new.field ||
        of_old.interface != of_new.interface ||
        !renaming.same_class(of_old.owner, of_new.owner) ||
        !renaming.same_descriptor(of_old.descriptor, of_new.descriptor) ||
        (old_op != new_op &&
         !same_call_otherwise(old_op, of_old, new_op, of_new))) {
      return false;
    }
    const auto& world = accessor_of_old ? matching_.worlds.old_world
                                        : matching_.worlds.new_world;
    const auto& other = accessor_of_old ? matching_.worlds.new_world
                                        : matching_.worlds.old_world;
    const Outcome a = outcome(world, body.ref.owner, body.op, body.ref);
    const Outcome b = outcome(other, caller, op, ref);
    if (a.error || a.unknown || b.error || b.unknown ||
        a.holder->name != body.ref.owner || b.holder->name != ref.owner ||
        a.holder->internal != b.holder->internal) {
      return false;
    }
    // A call of an accessor initializes its class even when the object is null.
    const bool by_object = op != Opcode::k_getstatic &&
                           op != Opcode::k_putstatic &&
                           op != Opcode::k_invokestatic && ref.name != "<init>";
    if (by_object &&
        !jig::init_sequence(world, std::string_view(body.ref.owner)).empty()) {
      return false;
    }
    const bool dispatched = by_object && !ref.field;
    return !dispatched || (a.method->is(classfile::kAccPrivate) &&
                           b.method->is(classfile::kAccPrivate));
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
      if (!matching_.renaming.same_class(old_ref.owner, new_ref.owner)) {
        return false;
      }
      return is_private(matching_.worlds.old_world, old_ref) &&
             is_private(matching_.worlds.new_world, new_ref);
    }
    return false;
  }

  SwitchMapPair switch_maps(const MemberRef& old_ref,
                            const MemberRef& new_ref) override {
    if (old_ref.name != new_ref.name) return {};
    return {table(matching_.old_view(old_ref.owner), old_ref.name),
            table(matching_.new_view(new_ref.owner), new_ref.name)};
  }

 private:
  static bool is_private(const jig::World& world, const MemberRef& ref) {
    const auto found = jig::resolve_method(
        world, {ref.owner, ref.name, ref.descriptor, ref.interface});
    return found.found() && found.method->is(classfile::kAccPrivate);
  }

  static Outcome outcome(const jig::World& world, std::string_view caller,
                         Opcode op, const MemberRef& ref) {
    return ref.field ? field_outcome(world, caller, false, op, ref)
                     : call_outcome(world, caller, op, ref);
  }

  // The members that two equal accessors name are the same ones.
  bool same_outcomes(const ClassView& old_class, const MemberView& old_method,
                     const ClassView& new_class,
                     const MemberView& new_method) const {
    const auto olds =
        outcomes(matching_.worlds.old_world, old_class, old_method);
    const auto news =
        outcomes(matching_.worlds.new_world, new_class, new_method);
    return std::equal(olds.begin(), olds.end(), news.begin(), news.end(),
                      [&](const Outcome& a, const Outcome& b) {
                        if (a.holder == nullptr || b.holder == nullptr) {
                          return a.text == b.text;
                        }
                        return a.holder->internal == b.holder->internal &&
                               matching_.renaming.same_class(a.holder->name,
                                                            b.holder->name);
                      });
  }

  static std::vector<Outcome> outcomes(const jig::World& world,
                                       const ClassView& cls,
                                       const MemberView& method) {
    std::vector<Outcome> out;
    const auto code = classfile::CodeView::of(cls, method);
    if (!code) return out;
    classfile::InstructionReader reader(code->code);
    classfile::Instruction ins;
    while (reader.next(ins)) {
      if (ins.op >= Opcode::k_getstatic &&
          ins.op <= Opcode::k_invokeinterface) {
        out.push_back(
            outcome(world, cls.name(), ins.op, cls.pool().member(ins.index)));
      }
    }
    return out;
  }

  const SwitchMap* table(const ClassView* holder, std::string_view name) const {
    const SwitchMaps* maps = matching_.switch_maps(holder);
    if (maps == nullptr) return nullptr;
    const auto at = maps->find(std::string(name));
    return at == maps->end() ? nullptr : &at->second;
  }

  const Matching& matching_;
  std::optional<PoolPairs> pairs_;  // nullopt: nothing is remembered
  unsigned depth_ = 0;
  // The names are those of the classes that are compared, which stay.
  using AccessorPair =
      std::tuple<std::string_view, std::string_view, std::string_view,
                 std::string_view, std::string_view, std::string_view>;
  std::map<AccessorPair, bool> accessors_;
};

}  // namespace

std::unique_ptr<BodyContext> make_body_context(const Matching& matching) {
  return std::make_unique<Context>(matching);
}

std::unique_ptr<BodyContext> make_body_context(const Matching& matching,
                                               const ClassView& old_class,
                                               const ClassView& new_class) {
  return std::make_unique<Context>(matching, old_class, new_class);
}

}  // namespace rejig::traversal
