// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/http_transport.h"

namespace rejig::coverage {

base::Result<std::unique_ptr<Transport>> open_http(const std::string& url) {
  return base::Error{base::Errc::kUnsupported,
                     "this build has no network (libcurl)", url};
}

}  // namespace rejig::coverage
