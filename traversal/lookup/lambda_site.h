// SPDX-License-Identifier: Apache-2.0
// What does the hidden class of a lambda site do in one world: which method runs
// for each signature of its interfaces, of which types is it, which initializers
// does it run, and does it link?
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "jig/lookup/lambda_site.h"
#include "jig/world/world.h"

namespace rejig::traversal {

using jig::lambda_site;
using jig::LambdaSite;

struct LambdaBehaviour {
  struct Target {
    std::string text;  // "" for the lambda body itself
    std::string internal_default;  // entity of an internal default method
    friend bool operator==(const Target&, const Target&) = default;
  };
  std::map<std::string, Target> selected;  // by name and descriptor
  std::set<std::string> supers;
  std::vector<std::string> initialized;
};
LambdaBehaviour lambda_behaviour(const jig::World& world,
                                 const LambdaSite& site);

// "" when the hidden class links; else the reason.
std::string lambda_link_problem(const jig::World& world, jig::Name caller,
                                jig::Name interface_name);

}  // namespace rejig::traversal
