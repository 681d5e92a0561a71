// SPDX-License-Identifier: Apache-2.0
// May a value of this type be used as that one, in this world? HotSpot's answer
// (verificationType.cpp): interfaces are taken for Object, and whoever compares
// two different classes loads both.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "classfile/reader/class_view.h"
#include "jig/world/world.h"
#include "traversal/verify/types.h"

namespace rejig::traversal::verify {

class Relations {
 public:
  using Pairs = std::set<std::pair<std::string, std::string>>;

  // Relations that nobody knows are added to `unknown`.
  Relations(const jig::World& world, Pairs& unknown);

  // False: refused. A doubt is not refused.
  bool fits(const Slot& from, const Slot& to) const;
  bool fits_class(std::string_view from, std::string_view to) const;
  // Does a superclass of `user` have that name? The class itself does not count.
  bool above(std::string_view user, std::string_view name) const;
  // A protected member that a superclass of `user` in another package declares,
  // and that `owner`, the superclass named, resolves to.
  bool is_protected_elsewhere(std::string_view user,
                              const classfile::MemberRef& member) const;

 private:
  bool arrays(std::string_view from, std::string_view to) const;
  // In the world with everything above it, so that a JVM loads it.
  bool loads(std::string_view name) const;
  void doubt(std::string_view from, std::string_view to) const;

  const jig::World& world_;
  Pairs& unknown_;
  bool knows_platform_ = false;
};

}  // namespace rejig::traversal::verify
