// SPDX-License-Identifier: Apache-2.0
// The examples of "Signature Calculations for the Authorization Header" in
// Amazon's manual of S3.
#include "coverage/remote/s3_sign.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rejig::coverage {
namespace {

const S3Account kAccount = {"AKIAIOSFODNN7EXAMPLE",
                            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "",
                            "us-east-1"};
constexpr const char* kTime = "20130524T000000Z";

S3Request request(std::string method, std::string path) {
  S3Request out;
  out.method = std::move(method);
  out.host = "examplebucket.s3.amazonaws.com";
  out.path = std::move(path);
  return out;
}

std::string header(const S3Request& request, const std::string& name) {
  for (const auto& [key, value] : s3_headers(request, kAccount, kTime)) {
    if (key == name) return value;
  }
  return {};
}

TEST(S3Sign, GetObject) {
  auto one = request("GET", "/test.txt");
  one.headers = {{"Range", "bytes=0-9"}};
  EXPECT_EQ(header(one, "Authorization"),
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_EQ(header(one, "x-amz-content-sha256"),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(S3Sign, PutObject) {
  auto one = request("PUT", "/test$file.text");
  one.body = "Welcome to Amazon S3.";
  one.headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                 {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  const std::string got = header(one, "Authorization");
  EXPECT_NE(got.find("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
            std::string::npos)
      << got;
  EXPECT_EQ(s3_target(one), "/test%24file.text");
}

TEST(S3Sign, ListObjects) {
  auto one = request("GET", "/");
  one.query = {{"prefix", "J"}, {"max-keys", "2"}};
  const std::string got = header(one, "Authorization");
  EXPECT_NE(got.find("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
            std::string::npos)
      << got;
  EXPECT_EQ(s3_target(one), "/?max-keys=2&prefix=J");
}

TEST(S3Sign, AQuestionWithoutAValue) {
  auto one = request("GET", "/");
  one.query = {{"lifecycle", ""}};
  EXPECT_NE(header(one, "Authorization")
                .find("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            std::string::npos);
}

}  // namespace
}  // namespace rejig::coverage
