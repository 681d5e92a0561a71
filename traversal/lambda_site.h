// SPDX-License-Identifier: Apache-2.0
// Which hidden class does this invokedynamic make? A site of LambdaMetafactory
// is a receiver type of its own (the lambda type): it implements the functional
// interface and the marker interfaces, and defines the one method and its
// bridges.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classfile/class_view.h"
#include "jig/world.h"

namespace rejig::traversal {

struct LambdaSite {
  std::vector<jig::Name> interfaces;      // the functional interface first
  std::string method;                     // the name it defines
  std::vector<std::string> descriptors;   // erased type and bridges
};

// nullopt: not a lambda. Names view the class's bytes.
std::optional<LambdaSite> lambda_site(const classfile::ClassView& cls,
                                      std::uint16_t index);

// What the hidden class does in one world.
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
