// SPDX-License-Identifier: Apache-2.0
// Is libcurl on this machine? It is loaded when somebody asks for a server, and
// not before: it brings twenty libraries, and most commands never talk to
// anybody. Private to the room.
#pragma once

#include <curl/curl.h>

namespace rejig::coverage {

#define REJIG_CURL_FUNCTIONS(use)                                           \
  use(global_init) use(easy_init) use(easy_setopt) use(easy_cleanup)        \
  use(easy_getinfo) use(easy_strerror) use(slist_append)                    \
  use(slist_free_all) use(multi_init) use(multi_cleanup)                    \
  use(multi_add_handle) use(multi_remove_handle) use(multi_perform)         \
  use(multi_info_read) use(multi_poll)

struct CurlLibrary {
#define REJIG_CURL_FUNCTION(name) decltype(&::curl_##name) name = nullptr;
  REJIG_CURL_FUNCTIONS(REJIG_CURL_FUNCTION)
#undef REJIG_CURL_FUNCTION
};

// Once for the process; null: it is not there, or too old.
const CurlLibrary* curl_library();

}  // namespace rejig::coverage
