// SPDX-License-Identifier: Apache-2.0
#include "traversal/lookup/dispatch_cause.h"

#include <algorithm>

#include "jig/lookup/resolve.h"
#include "traversal/code/source_place.h"

namespace rejig::traversal {

using classfile::ClassView;
using jig::MethodAnswer;
using jig::MethodShell;

namespace {

std::string quoted(const ClassNode& node) {
  return "`" + classfile::dotted(node.name) + "`";
}

// The line of the method, if its class is in memory.
void add_place(const ClassView* cls, const MethodShell& method,
               DispatchCause& out) {
  if (cls == nullptr) return;
  out.file = source_path(*cls);
  for (const auto& one : cls->methods()) {
    if (one.name == method.name && one.descriptor == method.descriptor) {
      out.line = first_line(*cls, one);
    }
  }
}

const ClassView* changed_to(const Matching& matching, Name old_name) {
  const ClassPair* pair = matching.find_changed(old_name);
  return pair != nullptr && pair->new_class.view ? &*pair->new_class.view
                                                 : nullptr;
}

bool dispatched_alike(const MethodShell& a, const MethodShell& b) {
  constexpr unsigned kSeen = classfile::kAccPublic | classfile::kAccProtected |
                             classfile::kAccPrivate | classfile::kAccStatic |
                             classfile::kAccAbstract;
  return (a.access & kSeen) == (b.access & kSeen) && a.has_code == b.has_code;
}

}  // namespace

DispatchCause dispatch_cause(const Matching& matching,
                             const ClassNode& receiver,
                             const MethodAnswer& before,
                             const MethodAnswer& after, Name name,
                             Name descriptor) {
  DispatchCause out;
  const std::string new_descriptor = matching.renaming.descriptor(descriptor);
  // What runs now, and what it was.
  if (after.found()) {
    const std::string was_called =
        matching.renaming.old_class_name(after.holder->name);
    const ClassNode* was = matching.worlds.old_world.find(was_called);
    if (was == nullptr) {
      out.because = quoted(*after.holder) + " is new";
      return out;
    }
    if (!was->readable()) return out;
    const MethodShell* old = was->shell->method(name, descriptor);
    if (old == nullptr || !dispatched_alike(*old, *after.method)) {
      out.because = quoted(*after.holder) +
                    (old == nullptr ? " gained the method"
                                    : " declares the method otherwise");
      add_place(changed_to(matching, was->name), *after.method, out);
      return out;
    }
  }
  // What ran, and what has become of it.
  if (before.found()) {
    const ClassNode* now = matching.partner(before.holder->name);
    if (now == nullptr) {
      out.because = quoted(*before.holder) + " is deleted";
      return out;
    }
    if (!now->readable()) return out;
    const MethodShell* fresh = now->shell->method(name, new_descriptor);
    if (fresh == nullptr || !dispatched_alike(*before.method, *fresh)) {
      out.because = quoted(*before.holder) +
                    (fresh == nullptr ? " lost the method"
                                      : " declares the method otherwise");
      add_place(matching.changed_view(before.holder->name), *before.method,
                out);
      return out;
    }
  }
  if (before.found() && after.found()) {
    out.because = "the supertypes of " + quoted(receiver) + " changed";
  }
  return out;
}

}  // namespace rejig::traversal
