// SPDX-License-Identifier: Apache-2.0
// A text as a part of one line, as the recorder and the build tools write it:
// backslashes, line ends and zeros are escaped.
#pragma once

#include <string>
#include <string_view>

namespace rejig::app {

std::string escaped(std::string_view text);
std::string unescaped(std::string_view text);

}  // namespace rejig::app
