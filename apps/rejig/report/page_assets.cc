// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/page_assets.h"

#define REJIG_ASSET(name, path)                   \
  __asm__(                                        \
      ".section .rodata.assets,\"a\",@progbits\n" \
      ".globl rejig_" #name                       \
      "\n"                                        \
      ".hidden rejig_" #name                      \
      "\n"                                        \
      "rejig_" #name                              \
      ":\n"                                       \
      ".incbin \"" path                           \
      "\"\n"                                      \
      ".globl rejig_" #name                       \
      "_end\n"                                    \
      ".hidden rejig_" #name                      \
      "_end\n"                                    \
      "rejig_" #name                              \
      "_end:\n"                                   \
      ".previous\n");                             \
  extern "C" const char rejig_##name[];           \
  extern "C" const char rejig_##name##_end[]

REJIG_ASSET(page_style, REJIG_PAGE_STYLE);
REJIG_ASSET(page_script, REJIG_PAGE_SCRIPT);

namespace rejig::app {

PageAssets page_assets() {
  const auto between = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  return {between(rejig_page_style, rejig_page_style_end),
          between(rejig_page_script, rejig_page_script_end)};
}

}  // namespace rejig::app
