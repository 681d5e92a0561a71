// SPDX-License-Identifier: Apache-2.0
// What does a symbolic reference denote, and which method runs for a receiver?
// The JVM's own functions on a World: resolution (JVMS §5.4.3), selection
// (§5.4.6), initialization order (§5.5), linking (§5.3, §5.4). Every answer is a
// member, a LinkageError, or unknown with the name of the class that is not in
// the world; unknown never means "fine".
#pragma once

#include <string>
#include <vector>

#include "jig/world/world.h"

namespace rejig::jig {

enum class LinkError : std::uint8_t {
  kNone,
  kNoClassDef,
  kNoSuchField,
  kNoSuchMethod,
  kIllegalAccess,
  kIncompatibleClassChange,
  kAbstractMethod,
  kInstantiation,
  kVerify,
  kClassFormat,
};
// "NoSuchMethodError"
std::string_view name_of(LinkError error);

// With `unknown` the rest is the answer for the case that what is not in the
// world has no such member.
struct FieldAnswer {
  const ClassNode* holder = nullptr;
  const FieldShell* field = nullptr;
  LinkError error = LinkError::kNone;
  Name unknown;  // set: the search would have to look into this class

  bool found() const { return field != nullptr && unknown.empty(); }
};

struct MethodAnswer {
  const ClassNode* holder = nullptr;
  const MethodShell* method = nullptr;
  LinkError error = LinkError::kNone;
  Name unknown;

  bool found() const { return method != nullptr && unknown.empty(); }
  friend bool operator==(const MethodAnswer& a, const MethodAnswer& b) {
    return a.holder == b.holder && a.method == b.method &&
           a.error == b.error && a.unknown == b.unknown;
  }
};

// Of an answer with `unknown`: ", else p.B.f:I 0x9", with the member's access;
// empty when nothing else declares it. Equal text, equal rest.
std::string rest_of(const FieldAnswer& answer);
std::string rest_of(const MethodAnswer& answer);

struct MethodReference {
  Name owner;
  Name name;
  Name descriptor;
  bool interface = false;  // the constant is an InterfaceMethodref
  // For those who ask often: of name and descriptor (MemberKey), and the owner's
  // node. Left out, they are looked up.
  std::uint64_t hash = 0;
  const ClassNode* node = nullptr;

  MemberKey key() const {
    return hash != 0 ? MemberKey(name, descriptor, hash)
                     : MemberKey(name, descriptor);
  }
};

// Without access control; static and instance are not told apart here.
FieldAnswer resolve_field(const World& world, Name owner, Name name,
                          Name descriptor);
MethodAnswer resolve_method(const World& world, const MethodReference& ref);

// May code of class `caller` use the class, the member found in `holder` and
// named through `owner` (JVMS §5.4.4, nests included)? Modules are not checked.
bool class_accessible(const World& world, Name caller, const ClassNode& target);
bool member_accessible(const World& world, Name caller, Name owner,
                       const ClassNode& holder, std::uint16_t access,
                       bool is_clone_of_array = false);

// Which method an invokevirtual/invokeinterface that resolved to `resolved`
// runs on a receiver whose class is exactly `receiver`. `owner`: the class that
// an invokevirtual names; it matters when `resolved` is an interface's method.
struct Selection {
  MethodAnswer specified;  // JVMS
  MethodAnswer hotspot;    // where HotSpot leaves the specification
  bool several_defaults = false;
};
Selection select_method(const World& world, const ClassNode& receiver,
                        const MethodAnswer& resolved, Name owner = {});

// The method an invokespecial in `caller` runs.
MethodAnswer resolve_special(const World& world, Name caller,
                             const MethodReference& ref);

// Does a method declared in `c` override one declared in `a` (JVMS §5.4.5)?
// `c` is a subclass of `a`; both have the same name and descriptor.
bool overrides(const World& world, const ClassNode& c,
               const MethodShell& method, const ClassNode& a,
               const MethodShell& overridden);

// The initializers that run when `name` is initialized, in order; classes that
// are not in the world stand in it with a '?' in front.
std::vector<std::string> init_sequence(const World& world, Name name);

// The same for comparisons. While an initializer of a superclass runs, a class
// below may be initialized (JVMS §5.5: a superclass in progress is passed over)
// and comes to its own superinterfaces first: those that are initialized behind
// another initializer stand in it once for each class that inherits from them.
std::vector<std::string> init_procedure(const World& world, Name name);

// "" when the class loads and links as far as its hierarchy is concerned;
// otherwise the first reason: "VerifyError: overrides final a/B.m()V". Behind a
// class that is not in the world, and may be fine, stands the next one, if any.
std::string link_problem(const World& world, Name name);

// Why a platform of that feature release refuses the version of a class file;
// "": it does not, or the release is not known (0).
std::string version_problem(const ClassShell& shell, unsigned release);

// What the class files of a class and of all that it stands below ask of the
// JVM, as far as link_problem() cannot know whether it is there.
struct VersionNeeds {
  unsigned release = 0;  // the highest; 0: the platform is known
  bool preview = false;  // whether --enable-preview is on nobody knows
  friend bool operator==(const VersionNeeds&, const VersionNeeds&) = default;
};
VersionNeeds version_needs(const World& world, Name name);
// "Java 25", "Java 25 with --enable-preview"
std::string text_of(const VersionNeeds& needs);

}  // namespace rejig::jig
