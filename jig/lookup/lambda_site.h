// SPDX-License-Identifier: Apache-2.0
// Which hidden class does this invokedynamic make? A site of LambdaMetafactory
// is a receiver type of its own (the lambda type): it implements the functional
// interface and the marker interfaces, and defines the one method and its
// bridges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "classfile/reader/class_view.h"
#include "jig/world/names.h"

namespace rejig::jig {

struct LambdaSite {
  std::vector<Name> interfaces;          // the functional interface first
  std::string method;                    // the name it defines
  std::vector<std::string> descriptors;  // erased type and bridges
};

// nullopt: not a lambda. Names view the class's bytes.
std::optional<LambdaSite> lambda_site(const classfile::ClassView& cls,
                                      std::uint16_t index);

}  // namespace rejig::jig
