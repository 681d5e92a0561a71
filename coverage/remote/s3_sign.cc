// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/s3_sign.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <span>

#include "classfile/base/hash.h"

namespace rejig::coverage {

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

std::string digest(std::string_view text) {
  const auto out = base::sha256(bytes_of(text));
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

std::string hex(std::string_view bytes) { return base::to_hex(bytes_of(bytes)); }

std::string hmac(std::string key, std::string_view text) {
  constexpr std::size_t kBlock = 64;
  if (key.size() > kBlock) key = digest(key);
  key.resize(kBlock, '\0');
  std::string inner = key;
  std::string outer = key;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5c);
  return digest(outer + digest(inner + std::string(text)));
}

std::string query_of(const S3Request& request) {
  std::vector<std::pair<std::string, std::string>> escaped;
  for (const auto& [name, value] : request.query) {
    escaped.emplace_back(percent_escaped(name, false),
                         percent_escaped(value, false));
  }
  std::sort(escaped.begin(), escaped.end());
  std::string out;
  for (const auto& [name, value] : escaped) {
    if (!out.empty()) out += '&';
    out += name + "=" + value;
  }
  return out;
}

}  // namespace

std::string percent_escaped(std::string_view text, bool keep_slash) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    const bool plain = (u < 0x80 && std::isalnum(u) != 0) || c == '-' ||
                       c == '.' || c == '_' || c == '~' ||
                       (c == '/' && keep_slash);
    if (plain) {
      out += c;
    } else {
      out += {'%', kDigits[u >> 4U], kDigits[u & 15U]};
    }
  }
  return out;
}

std::string s3_target(const S3Request& request) {
  const std::string query = query_of(request);
  return percent_escaped(request.path, true) +
         (query.empty() ? "" : "?" + query);
}

std::vector<std::pair<std::string, std::string>> s3_headers(
    const S3Request& request, const S3Account& account,
    const std::string& time) {
  const std::string content = hex(digest(request.body));
  std::map<std::string, std::string> sent = {{"x-amz-content-sha256", content},
                                             {"x-amz-date", time}};
  if (!account.token.empty()) sent["x-amz-security-token"] = account.token;
  for (const auto& [name, value] : request.headers) {
    std::string lower = name;
    for (char& c : lower) {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    sent[lower] = value;
  }
  auto signed_headers = sent;
  signed_headers["host"] = request.host;
  std::string lines;
  std::string names;
  for (const auto& [name, value] : signed_headers) {
    lines += name;
    lines += ":" + value + "\n";
    names += (names.empty() ? "" : ";") + name;
  }
  const std::string canonical =
      request.method + "\n" + percent_escaped(request.path, true) + "\n" +
      query_of(request) + "\n" + lines + "\n" + names + "\n" + content;
  const std::string day = time.substr(0, 8);
  const std::string scope =
      day + "/" + account.region + "/" + account.service + "/aws4_request";
  const std::string to_sign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope +
                              "\n" + hex(digest(canonical));
  std::string key = hmac("AWS4" + account.secret, day);
  key = hmac(key, account.region);
  key = hmac(key, account.service);
  key = hmac(key, "aws4_request");
  std::vector<std::pair<std::string, std::string>> out(sent.begin(),
                                                       sent.end());
  out.emplace_back("Authorization",
                   "AWS4-HMAC-SHA256 Credential=" + account.key + "/" + scope +
                       ",SignedHeaders=" + names +
                       ",Signature=" + hex(hmac(key, to_sign)));
  return out;
}

}  // namespace rejig::coverage
