// SPDX-License-Identifier: Apache-2.0
// How does a server of files or of S3 take and give bytes? GET, PUT, DELETE;
// folders are listed by the links of their page, or by ListObjectsV2. libcurl
// does the talking: a proxy, certificates and ~/.netrc as it knows them.
// REJIG_REMOTE_AUTH is sent as the Authorization; S3 takes AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL.
#pragma once

#include <memory>
#include <string>

#include "coverage/remote/transport.h"

namespace rejig::coverage {

base::Result<std::unique_ptr<Transport>> open_http(const std::string& url);

}  // namespace rejig::coverage
