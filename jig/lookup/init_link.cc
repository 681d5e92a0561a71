// SPDX-License-Identifier: Apache-2.0
// JVMS §5.5 initialization order and the part of §5.3/§5.4 linking that depends
// on other classes.
#include <algorithm>

#include "jig/lookup/resolve.h"

namespace rejig::jig {

using classfile::kAccAbstract;
using classfile::kAccFinal;
using classfile::kAccInterface;
using classfile::kAccPrivate;
using classfile::kAccPublic;
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
  InitWalk(const World& world, bool repeats)
      : world_(world), repeats_(repeats) {}

  void initialize(Name name, unsigned depth) {
    if (depth > 4096 || !seen_.insert(name)) return;
    const ClassNode* node = world_.find(name);
    if (node == nullptr || !node->readable()) {
      add("?", name);
      return;
    }
    const ClassShell& shell = *node->shell;
    if (!shell.is_interface()) {
      if (!shell.super.empty()) initialize(shell.super, depth + 1);
      if (repeats_) walked_ = {};
      for (const Name itf : shell.interfaces) interface_of(itf, depth + 1);
    }
    if (shell.has_clinit) add("", name);
  }

  std::vector<std::string> out;

 private:
  // Depth-first over the superinterfaces; those that declare a default are
  // initialized.
  void interface_of(Name name, unsigned depth) {
    if (depth > 4096 || !walked_.insert(name)) return;
    const ClassNode* node = world_.find(name);
    if (node == nullptr || !node->readable()) {
      if (seen_.insert(name) || after_others_.contains(name)) add("?", name);
      return;
    }
    for (const Name itf : node->shell->interfaces) {
      interface_of(itf, depth + 1);
    }
    if (!declares_default(*node->shell)) return;
    if (after_others_.contains(name)) {
      add("", name);
    } else {
      initialize(name, depth + 1);
    }
  }

  void add(const char* mark, Name name) {
    if (repeats_ && !out.empty()) after_others_.insert(name);
    out.push_back(mark + std::string(name));
  }

  const World& world_;
  const bool repeats_;
  base::HashSet<Name> seen_;
  base::HashSet<Name> walked_;  // as superinterfaces
  // Initializers that others ran before: these may have begun to initialize a
  // class below, which then comes to an interface of its own first.
  base::HashSet<Name> after_others_;
};

// The first class file version of Java N is 44 + N.
constexpr unsigned kBeforeJava1 = 44;
constexpr std::uint16_t kPreviewMinor = 0xffff;

std::string error_of(LinkError error, const std::string& text) {
  return std::string(name_of(error)) + ": " + text;
}

// As HotSpot asks in the unnamed module: a subtype of another package must be
// public (JVMS 5.3.5 knows only the list).
bool permits(const ClassShell& super, const ClassShell& sub) {
  if (!super.sealed) return true;
  if (!sub.is(kAccPublic) && package_of(super.name) != package_of(sub.name)) {
    return false;
  }
  return std::find(super.permitted.begin(), super.permitted.end(),
                   sub.name) != super.permitted.end();
}

// Derives a class as HotSpot does: superclass, superinterfaces, each with all
// above it, then what the class itself may not do. The first problem met is the
// answer of everything below it.
class LinkWalk {
 public:
  explicit LinkWalk(const World& world) : world_(world) {}

  std::string run(Name name) {
    const ClassNode* node = world_.find(name);
    if (node == nullptr) return "unknown " + std::string(name);
    if (!node->readable()) {
      return error_of(LinkError::kClassFormat, std::string(name));
    }
    std::string unknown;  // met first, and what else there is stays a reason
    const auto behind = [&](const std::string& problem) {
      return unknown.empty() ? problem : unknown + ", then " + problem;
    };
    if (auto problem = version_problem(*node->shell, world_.release());
        !problem.empty()) {
      return problem;
    }
    enter(*node);
    while (!stack_.empty()) {
      const Frame frame = stack_.back();
      const ClassShell& shell = *frame.node->shell;
      if (frame.loaded != 0) {
        auto problem = wrong_kind(shell, frame.loaded - 1);
        if (!problem.empty()) return behind(problem);
      }
      if (frame.loaded == supers_of(shell)) {
        auto problem = own_problem(*frame.node);
        if (!problem.empty()) return behind(problem);
        state_[frame.node->name] = State::kDone;
        stack_.pop_back();
        continue;
      }
      ++stack_.back().loaded;
      const Name above = super_at(shell, frame.loaded);
      const ClassNode* next = world_.find(above);
      if (next == nullptr || !next->readable()) {
        if (unknown.empty()) {
          unknown = (next == nullptr ? "unknown " : "unreadable ") +
                    std::string(above);
        }
        continue;
      }
      const State* state = state_.find(next->name);
      if (state == nullptr) {
        // Asked first: nothing behind it in the file is looked at.
        const auto problem = version_problem(*next->shell, world_.release());
        if (!problem.empty()) return behind(problem);
        enter(*next);
      } else if (*state == State::kOpen) {
        return behind("ClassCircularityError: " + std::string(name));
      }
    }
    return unknown;
  }

 private:
  enum class State : std::uint8_t { kOpen, kDone };
  struct Frame {
    const ClassNode* node = nullptr;
    std::size_t loaded = 0;  // direct supertypes gone into
  };

  void enter(const ClassNode& node) {
    state_[node.name] = State::kOpen;
    stack_.push_back({&node, 0});
  }

  static std::size_t supers_of(const ClassShell& shell) {
    return shell.interfaces.size() + (shell.super.empty() ? 0 : 1);
  }
  static bool is_superclass(const ClassShell& shell, std::size_t i) {
    return i == 0 && !shell.super.empty();
  }
  static Name super_at(const ClassShell& shell, std::size_t i) {
    if (is_superclass(shell, i)) return shell.super;
    return shell.interfaces[i - (shell.super.empty() ? 0 : 1)];
  }

  std::string wrong_kind(const ClassShell& shell, std::size_t i) const {
    const Name above = super_at(shell, i);
    const bool as_interface = !is_superclass(shell, i);
    const ClassNode* node = world_.find(above);
    if (node == nullptr || !node->readable() ||
        node->shell->is_interface() == as_interface) {
      return {};
    }
    return error_of(LinkError::kIncompatibleClassChange,
                    std::string(above) + (as_interface ? " is no interface"
                                                       : " is an interface"));
  }

  std::string own_problem(const ClassNode& node) const {
    const ClassShell& shell = *node.shell;
    for (std::size_t i = 0; i < supers_of(shell); ++i) {
      const ClassNode* known = world_.find(super_at(shell, i));
      if (known == nullptr || !known->readable()) continue;
      const ClassNode& above = *known;
      const std::string text(above.name);
      if (is_superclass(shell, i) && above.shell->is(kAccFinal)) {
        return error_of(LinkError::kIncompatibleClassChange,
                        text + " is final");
      }
      if (!permits(*above.shell, shell)) {
        return error_of(LinkError::kIncompatibleClassChange,
                        text + " does not permit " + std::string(node.name));
      }
      if (!class_accessible(world_, node.name, above)) {
        return error_of(LinkError::kIllegalAccess,
                        text + " is not accessible");
      }
    }
    if (shell.is_interface()) return {};
    for (const MethodShell& method : shell.methods) {
      if (method.is(kAccPrivate) || method.is(kAccStatic) ||
          method.is_initializer()) {
        continue;
      }
      for (const ClassNode* known = world_.above(node).super;
           known != nullptr && known->readable();
           known = world_.above(*known).super) {
        const ClassNode& above = *known;
        const auto* over = above.shell->method(method.key());
        if (over != nullptr && over->is(kAccFinal) &&
            overrides(world_, node, method, above, *over)) {
          return error_of(LinkError::kIncompatibleClassChange,
                          "overrides the final " + std::string(above.name) +
                              "." +
                              std::string(method.name) +
                              std::string(method.descriptor));
        }
      }
    }
    return {};
  }

  const World& world_;
  base::HashMap<Name, State> state_;
  std::vector<Frame> stack_;
};

}  // namespace

std::vector<std::string> init_sequence(const World& world, Name name) {
  InitWalk walk(world, false);
  walk.initialize(name, 0);
  return std::move(walk.out);
}

std::vector<std::string> init_procedure(const World& world, Name name) {
  InitWalk walk(world, true);
  walk.initialize(name, 0);
  return std::move(walk.out);
}

std::string link_problem(const World& world, Name name) {
  return LinkWalk(world).run(name);
}

std::string version_problem(const ClassShell& shell, unsigned release) {
  const unsigned needed = shell.major - kBeforeJava1;
  const bool preview = shell.minor == kPreviewMinor && shell.major > 55;
  if (release == 0 || shell.major <= kBeforeJava1) return {};
  if (preview ? needed == release : needed <= release) return {};
  return "UnsupportedClassVersionError: " + std::string(shell.name) +
         " has class file version " + std::to_string(shell.major) +
         (preview ? " with preview features and needs Java "
                  : " and needs Java ") +
         std::to_string(needed) + ", the platform is Java " +
         std::to_string(release);
}

VersionNeeds version_needs(const World& world, Name name) {
  VersionNeeds out;
  const auto look_at = [&](const ClassNode* node) {
    if (node == nullptr || !node->readable()) return;
    const ClassShell& shell = *node->shell;
    if (shell.minor == kPreviewMinor && shell.major > 55) out.preview = true;
    if (world.release() == 0 && shell.major > kBeforeJava1) {
      out.release = std::max(out.release, shell.major - kBeforeJava1);
    }
  };
  look_at(world.find(name));
  for (const ClassNode* above : world.supers(name).nodes) look_at(above);
  return out;
}

std::string text_of(const VersionNeeds& needs) {
  return (needs.release == 0 ? "a JVM"
                             : "Java " + std::to_string(needs.release)) +
         (needs.preview ? " with --enable-preview" : "");
}

}  // namespace rejig::jig
