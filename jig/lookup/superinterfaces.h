// SPDX-License-Identifier: Apache-2.0
// Which methods do the superinterfaces of a class offer for a name and
// descriptor, and which of them are maximally-specific (JVMS §5.4.3.3)?
#pragma once

#include <vector>

#include "jig/lookup/resolve.h"

namespace rejig::jig {

struct InterfaceMethods {
  std::vector<MethodAnswer> all;      // neither private nor static
  std::vector<MethodAnswer> maximal;  // not hidden by one of a subinterface
  // A superinterface or superclass that is not in the world, and may offer more.
  Name unknown;
};

InterfaceMethods maximally_specific_methods(const World& world,
                                            const ClassNode& start,
                                            const MemberKey& key);

// Whether HotSpot gives the class a method of its own that throws an
// AbstractMethodError: its superinterfaces declare the method, none or several
// of them implement it, and some interface above implements anything at all.
bool made_to_throw(const World& world, const ClassNode& cls,
                   const MemberKey& key);

}  // namespace rejig::jig
