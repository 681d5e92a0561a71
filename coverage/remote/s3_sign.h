// SPDX-License-Identifier: Apache-2.0
// Who asks S3 for something, and for exactly what? The signature of a request,
// AWS's version 4, over its method, path, question, host, date and the SHA-256
// of what is sent (x-amz-content-sha256), which stores other than Amazon's want.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rejig::coverage {

struct S3Request {
  std::string method;  // "GET"
  std::string host;    // with the port, where it is not the usual one
  std::string path;    // "/bucket/key", not escaped
  std::vector<std::pair<std::string, std::string>> query;  // not escaped
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // also signed
};

struct S3Account {
  std::string key;
  std::string secret;
  std::string token;  // empty: none
  std::string region;
  std::string service = "s3";
};

// The headers to send besides, host left out. `time`: "20130524T000000Z".
std::vector<std::pair<std::string, std::string>> s3_headers(
    const S3Request& request, const S3Account& account,
    const std::string& time);
// As it stands in the request line; with a question mark if there is a query.
std::string s3_target(const S3Request& request);

std::string percent_escaped(std::string_view text, bool keep_slash);

}  // namespace rejig::coverage
