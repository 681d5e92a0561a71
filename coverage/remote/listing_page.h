// SPDX-License-Identifier: Apache-2.0
// What is in a folder of a server? The links of its page (nginx, Apache, …) that
// lead to something right below; or an answer of ListObjectsV2. What is not
// understood is left out: a list serves tidying up and looking, never a proof.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "coverage/remote/transport.h"

namespace rejig::coverage {

// Folders with a slash at the end.
std::vector<std::string> links_of_page(std::string_view html);

struct ObjectsPage {
  std::vector<Listed> objects;
  std::string next;  // how to ask for the rest; empty: this is all
};
ObjectsPage objects_of_page(std::string_view xml);

}  // namespace rejig::coverage
