// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/curl_library.h"

#include <dlfcn.h>

#include <optional>

namespace rejig::coverage {

namespace {

std::optional<CurlLibrary> loaded() {
  void* library = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) return std::nullopt;
  CurlLibrary out;
  bool all = true;
#define REJIG_CURL_FUNCTION(name)                             \
  out.name = reinterpret_cast<decltype(out.name)>(            \
      ::dlsym(library, "curl_" #name));                       \
  all &= out.name != nullptr;
  REJIG_CURL_FUNCTIONS(REJIG_CURL_FUNCTION)
#undef REJIG_CURL_FUNCTION
  if (!all || out.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return std::nullopt;
  }
  return out;
}

}  // namespace

const CurlLibrary* curl_library() {
  static const std::optional<CurlLibrary> kLibrary = loaded();
  return kLibrary ? &*kLibrary : nullptr;
}

}  // namespace rejig::coverage
