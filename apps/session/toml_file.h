// SPDX-License-Identifier: Apache-2.0
// What does a TOML file say? What somebody writes into a file must not end the
// program: where the parser would assert, this is an error like any other.
// Who includes toml++ for the table itself includes it without its parser.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "classfile/base/result.h"

namespace toml {
inline namespace v3 {
class table;
}
}  // namespace toml

namespace rejig::app {

// `where` names the file in errors.
base::Result<std::shared_ptr<const toml::table>> parse_toml(
    std::string_view text, const std::string& where);

}  // namespace rejig::app
