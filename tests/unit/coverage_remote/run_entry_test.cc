// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/run_entry.h"

#include <gtest/gtest.h>

#include "coverage/remote/signature.h"
#include "coverage/remote/transport.h"

namespace rejig::coverage {
namespace {

const std::string kDigest(64, 'a');
const RunPlace kPlace = {std::string(40, '1'), "core/target/test-classes",
                         std::string(32, 'f')};

RunEntry entry() {
  RunEntry out;
  out.segment = kDigest;
  out.size = 123;
  out.rows = 4;
  out.ran = 2;
  out.time = 1'700'000'000;
  return out;
}

TEST(RunEntry, NamesAreSafeAndGoBack) {
  for (const std::string name :
       {"default", "core/target/test-classes", "..", ".x", "a b~c%\n", "\xc3\xa4"}) {
    const std::string safe = as_name(name);
    EXPECT_EQ(safe.find('/'), std::string::npos);
    EXPECT_NE(safe.front(), '.');
    EXPECT_EQ(from_name(safe), name);
  }
  EXPECT_EQ(kPlace.entry(1, 2), "v1/run/" + kPlace.commit +
                                    "/core~2ftarget~2ftest-classes/" +
                                    kPlace.fingerprint + "/1-of-2");
  EXPECT_FALSE(is_plain_key("v1/../../etc/passwd"));
  EXPECT_FALSE(is_plain_key("/etc/passwd"));
  EXPECT_TRUE(is_plain_key(kPlace.entry(1, 2)));
}

TEST(RunEntry, EveryChangeIsSeen) {
  const std::string key = kPlace.entry(1, 1);
  const auto text = entry_text(entry(), key, "");
  ASSERT_TRUE(text.ok());
  const auto back = parse_entry(*text, key, {});
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->segment, kDigest);
  EXPECT_EQ(back->size, 123U);
  EXPECT_EQ(back->ran, 2U);
  // Elsewhere it means nothing, and a part of it neither.
  EXPECT_FALSE(parse_entry(*text, kPlace.entry(1, 2), {}).ok());
  for (std::size_t n = 0; n + 1 < text->size(); ++n) {
    EXPECT_FALSE(parse_entry(text->substr(0, n), key, {}).ok()) << n;
  }
}

TEST(RunEntry, OnlySignedOnesCountWithKeys) {
  const auto keys = make_keys();
  const auto others = make_keys();
  ASSERT_TRUE(keys.ok());
  ASSERT_TRUE(others.ok());
  const std::string key = kPlace.entry(1, 1);
  const auto text = entry_text(entry(), key, keys->secret);
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(parse_entry(*text, key, {keys->open}).ok());
  EXPECT_TRUE(parse_entry(*text, key, {others->open, keys->open}).ok());
  EXPECT_FALSE(parse_entry(*text, key, {others->open}).ok());
  EXPECT_FALSE(parse_entry(*text, key, {"not a key"}).ok());
  EXPECT_FALSE(parse_entry(*entry_text(entry(), key, ""), key, {keys->open}).ok());
  // Of another segment, at another place.
  std::string forged = *text;
  forged.replace(forged.find(kDigest), 64, std::string(64, 'b'));
  EXPECT_FALSE(parse_entry(forged, key, {keys->open}).ok());
  EXPECT_TRUE(parse_entry(forged, key, {}).ok());
  EXPECT_FALSE(parse_entry(*text, kPlace.entry(1, 2), {keys->open}).ok());
  for (std::size_t i = 0; i < text->size(); ++i) {
    std::string bad = *text;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_FALSE(parse_entry(bad, key, {keys->open}).ok()) << i;
  }
  EXPECT_FALSE(signature_of("x", "short").ok());
}

TEST(RunEnv, NumbersOfShards) {
  const auto back = parse_env(env_text({3, {"java 17", "library x"}}));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->shards, 3U);
  EXPECT_EQ(back->words.size(), 2U);
  EXPECT_FALSE(parse_env("rejig-env 1\nshards 0\nend\n").ok());
  EXPECT_FALSE(parse_env("rejig-env 1\nshards 99999\nend\n").ok());
  EXPECT_FALSE(parse_env("rejig-env 1\nshards 2\n").ok());
  EXPECT_FALSE(parse_env("<html>").ok());
}

}  // namespace
}  // namespace rejig::coverage
