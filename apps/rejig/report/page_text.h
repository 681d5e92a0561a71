// SPDX-License-Identifier: Apache-2.0
// A page on a screen: sections in turn, as much of each as fits.
#pragma once

#include <string>

#include "apps/rejig/report/digest_text.h"
#include "apps/rejig/report/page.h"

namespace rejig::app {

std::string page_text(const Page& page, const Screen& screen);

}  // namespace rejig::app
