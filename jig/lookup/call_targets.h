// SPDX-License-Identifier: Apache-2.0
// Which method runs for each receiver of a virtual call? Class hierarchy
// analysis by dispatch key: JVMS §5.4.6 selection for one resolved method over
// all receivers below a type, where a receiver takes the answer of its
// superclass unless it or an interface that it adds declares the method. One key
// costs as much as its receivers and declarations; call sites share keys, so no
// work depends on the number of sites. Says what the specification says
// (select_method() in resolve.h also knows where HotSpot leaves it).
// One object is for one thread; it keeps no reference to what it answered.
#pragma once

#include <vector>

#include "jig/lookup/cha.h"

namespace rejig::jig {

// What one receiver runs.
struct Chosen {
  enum class Kind : std::uint8_t {
    kMethod,   // declared by `type`, internal or external
    kError,    // AbstractMethodError, several defaults, not public
    kUnknown,  // would have to look into a class that is not in the world
  };
  Kind kind = Kind::kUnknown;
  LinkError error = LinkError::kNone;
  TypeId type;
  const MethodShell* method = nullptr;
};

class CallTargets {
 public:
  explicit CallTargets(const ClassHierarchy& hierarchy);

  // Sets the key; `resolved` is a found instance method. `by_interface`: a
  // choice that is not public is an error.
  void begin(const MethodAnswer& resolved, bool by_interface);
  // Of that key.
  Chosen choose(TypeId receiver);

 private:
  struct InClasses {
    TypeId type;  // none: no class declares it
    bool unknown = false;
  };
  Chosen select(TypeId receiver);
  Chosen from_interfaces(TypeId receiver) const;
  Chosen slow(TypeId receiver) const;

  const ClassHierarchy& hierarchy_;
  MethodAnswer resolved_;
  TypeId holder_;
  bool by_interface_ = false;
  bool simple_ = true;  // no overriding across packages to be looked at
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> declared_epoch_;
  std::vector<const MethodShell*> declared_;
  std::vector<std::uint32_t> class_epoch_;
  std::vector<InClasses> class_;
  std::vector<Declaration> interfaces_;
  std::vector<TypeId> path_;
};

}  // namespace rejig::jig
