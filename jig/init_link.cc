// SPDX-License-Identifier: Apache-2.0
// JVMS §5.5 initialization order and the part of §5.3/§5.4 linking that depends
// on other classes.
#include <algorithm>

#include "jig/resolve.h"

namespace rejig::jig {

using classfile::kAccAbstract;
using classfile::kAccFinal;
using classfile::kAccInterface;
using classfile::kAccPrivate;
using classfile::kAccStatic;

namespace {

bool declares_default(const ClassShell& shell) {
  return std::any_of(shell.methods.begin(), shell.methods.end(),
                     [](const MethodShell& method) {
                       return !method.is(kAccAbstract) &&
                              !method.is(kAccStatic);
                     });
}

class InitWalk {
 public:
  explicit InitWalk(const World& world) : world_(world) {}

  void initialize(Name name, unsigned depth) {
    if (depth > 4096 || !seen_.insert(name)) return;
    const ClassNode* node = world_.find(name);
    if (node == nullptr || !node->readable()) {
      out.push_back("?" + std::string(name));
      return;
    }
    const ClassShell& shell = *node->shell;
    if (!shell.is_interface()) {
      if (!shell.super.empty()) initialize(shell.super, depth + 1);
      for (const Name itf : shell.interfaces) interface_of(itf, depth + 1);
    }
    if (shell.has_clinit) out.push_back(std::string(name));
  }

  std::vector<std::string> out;

 private:
  // Depth-first over the superinterfaces; those that declare a default are
  // initialized.
  void interface_of(Name name, unsigned depth) {
    if (depth > 4096) return;
    const ClassNode* node = world_.find(name);
    if (node == nullptr || !node->readable()) {
      if (seen_.insert(name)) out.push_back("?" + std::string(name));
      return;
    }
    for (const Name itf : node->shell->interfaces) {
      interface_of(itf, depth + 1);
    }
    if (declares_default(*node->shell)) initialize(name, depth + 1);
  }

  const World& world_;
  base::HashSet<Name> seen_;
};

std::string error_of(LinkError error, const std::string& text) {
  return std::string(name_of(error)) + ": " + text;
}

bool permits(const ClassShell& super, Name sub) {
  return !super.sealed ||
         std::find(super.permitted.begin(), super.permitted.end(), sub) !=
             super.permitted.end();
}

}  // namespace

std::vector<std::string> init_sequence(const World& world, Name name) {
  InitWalk walk(world);
  walk.initialize(name, 0);
  return std::move(walk.out);
}

std::string link_problem(const World& world, Name name) {
  const ClassNode* node = world.find(name);
  if (node == nullptr) return "unknown " + std::string(name);
  if (!node->readable()) {
    return error_of(LinkError::kClassFormat, std::string(name));
  }
  const ClassShell& shell = *node->shell;
  if (world.supers(name).open && world.supers(name).unknown.empty()) {
    return "ClassCircularityError: " + std::string(name);
  }
  auto check_super = [&](Name super, bool as_interface) -> std::string {
    const ClassNode* above = world.find(super);
    const std::string text(super);
    if (above == nullptr) return "unknown " + text;
    if (!above->readable()) return "unreadable " + text;
    if (above->shell->is_interface() != as_interface) {
      return error_of(LinkError::kIncompatibleClassChange,
                      text + (as_interface ? " is no interface"
                                           : " is an interface"));
    }
    if (!as_interface && above->shell->is(kAccFinal)) {
      return error_of(LinkError::kIncompatibleClassChange, text + " is final");
    }
    if (!permits(*above->shell, name)) {
      return error_of(LinkError::kIncompatibleClassChange,
                      text + " does not permit " + std::string(name));
    }
    if (!class_accessible(world, name, *above)) {
      return error_of(LinkError::kIllegalAccess, text + " is not accessible");
    }
    return {};
  };
  if (!shell.super.empty()) {
    auto problem = check_super(shell.super, false);
    if (!problem.empty()) return problem;
  }
  for (const Name itf : shell.interfaces) {
    auto problem = check_super(itf, true);
    if (!problem.empty()) return problem;
  }
  // A problem anywhere above is a problem here.
  if (!shell.super.empty()) {
    auto problem = link_problem(world, shell.super);
    if (!problem.empty()) return problem;
  }
  for (const Name itf : shell.interfaces) {
    auto problem = link_problem(world, itf);
    if (!problem.empty()) return problem;
  }
  if (!shell.is_interface()) {
    for (const MethodShell& method : shell.methods) {
      if (method.is(kAccPrivate) || method.is(kAccStatic) ||
          method.is_initializer()) {
        continue;
      }
      Name at = shell.super;
      while (!at.empty()) {
        const ClassNode* above = world.find(at);
        if (above == nullptr || !above->readable()) break;
        const auto* over =
            above->shell->method(method.name, method.descriptor);
        if (over != nullptr && over->is(kAccFinal) &&
            overrides(world, *node, method, *above, *over)) {
          return error_of(LinkError::kIncompatibleClassChange,
                          "overrides the final " + std::string(at) + "." +
                              std::string(method.name) +
                              std::string(method.descriptor));
        }
        at = above->shell->super;
      }
    }
  }
  return {};
}

}  // namespace rejig::jig
