// SPDX-License-Identifier: Apache-2.0
// What does a class say that links otherwise now, and who asks the JVM? The
// checks of the hierarchy are made when a class is loaded, verification when it
// is linked: before it or a class below it is initialized, or when members are
// listed. Loading alone verifies nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "traversal/session/findings.h"
#include "traversal/session/matching.h"

namespace rejig::traversal {

// D14 of whoever loaded the class. Empty: it links.
classfile::Delta link_delta(Name name, std::string before, std::string after);

// The same where it links as before as far as anybody knows, but its class file
// asks more of the JVM than it did.
std::optional<classfile::Delta> version_delta(const Worlds& worlds,
                                              Name old_name, Name new_name);

struct Refused {
  Name name;  // old name
  std::string why;
};
// Those of which nothing was said yet.
void add_refused(std::vector<Refused>& to, std::vector<Refused> more);

// D14 of whoever linked the classes, one edge each, in their order. The roles R
// are the class and those below it; makers are the classes inside these, for
// whose tests a runner may look at their outer class. The roles stay empty, so
// that whoever loaded the class is asked, where no row tells who links it: of
// an interface (the JDK keeps the proxy classes that link it), and of a class
// that method handles in the pools of others refer to. `may_mention`: false
// only if no name of these stands in the old class's pool.
using MayMention =
    std::function<bool(Name old_class, const jig::MentionSet& names)>;
void add_verification_edges(const Matching& matching,
                            const std::vector<Refused>& refused,
                            const MayMention& may_mention, Findings& findings);

}  // namespace rejig::traversal
