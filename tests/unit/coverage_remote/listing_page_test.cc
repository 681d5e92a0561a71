// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/listing_page.h"

#include <gtest/gtest.h>

namespace rejig::coverage {
namespace {

TEST(ListingPage, LinksThatLeadBelow) {
  EXPECT_EQ(links_of_page("<a href=\"../\">../</a><a href=\"a~2fb/\">x</a>"
                          "<a href=\"1-of-2\">1</a><a href=\"?C=N\">n</a><a href=\"/top\">t</a>"
                          "<a href=\"http://other/x\">o</a><a href=\"a/../../b\">b</a>"
                          "<a href=\"c%20d\">c</a><a href=\"cut"),
            (std::vector<std::string>{"1-of-2", "a~2fb/", "c d"}));
}

TEST(ListingPage, ObjectsOfABucket) {
  const auto page = objects_of_page(
      "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>v1/a&amp;b</Key>"
      "<LastModified>2026-11-20T10:00:00.000Z</LastModified><Size>12</Size></Contents>"
      "<Contents><Key>c</Key></Contents><NextContinuationToken>x&lt;</NextContinuationToken>"
      "</ListBucketResult>");
  ASSERT_EQ(page.objects.size(), 2U);
  EXPECT_EQ(page.objects[0].key, "v1/a&b");
  EXPECT_EQ(page.objects[0].size, 12U);
  EXPECT_EQ(page.objects[0].modified, 1795168800);
  EXPECT_EQ(page.next, "x<");
  EXPECT_TRUE(objects_of_page("<html>not here").objects.empty());
}

}  // namespace
}  // namespace rejig::coverage
