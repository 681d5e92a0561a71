// SPDX-License-Identifier: Apache-2.0
// The script and the style of the report's page, as they lie in page/.
#pragma once

#include <string_view>

namespace rejig::app {

struct PageAssets {
  std::string_view style;
  std::string_view script;
};
PageAssets page_assets();

}  // namespace rejig::app
