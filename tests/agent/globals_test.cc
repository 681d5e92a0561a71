// SPDX-License-Identifier: Apache-2.0
// What scopes leave behind outside static fields: who is said to have left what?
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "apps/agent/hooks.h"
#include "apps/agent/recorder.h"

namespace rejig::agent {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::uint64_t> files;

Host host() {
  Host out;
  out.collect = [](std::uint32_t, std::uint32_t, Ids&) {};
  out.state_of_file = [](std::string_view path) {
    const auto at = files.find(std::string(path));
    return at == files.end() ? std::uint64_t{0} : at->second;
  };
  return out;
}

class GlobalsTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/rejig-globals-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    directory_ = name;
    files.clear();
    ASSERT_TRUE(recorder_.start(directory_, "suite", "k\0v\0\0", host()));
    container_ = recorder_.begin(ScopeKind::kContainer, 0, "p.T", &thread_);
    test_ = recorder_.begin(ScopeKind::kTest, container_, "p.T#x()", &thread_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  void end(std::uint32_t scope) { recorder_.end(scope, Result::kPass, &thread_); }

  // Texts of the facts of kind 28 in the rows of a scope.
  std::set<std::string> left(std::uint32_t scope) {
    const fs::path file = *fs::directory_iterator(directory_);
    std::ifstream in(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    ByteReader r(Bytes(reinterpret_cast<const std::byte*>(all.data()),
                       all.size()));
    r.skip(16);
    std::map<std::uint32_t, std::string> facts;
    std::set<std::string> out;
    while (!r.at_end() && !r.failed()) {
      const std::uint32_t size = r.u4();
      const unsigned kind = r.u1();
      ByteReader one(r.bytes(size));
      r.u4();
      if (kind == static_cast<unsigned>(Record::kFact)) {
        const std::uint32_t number = one.u4();
        const unsigned fact = one.u1();
        const auto text = one.bytes(one.u2());
        if (fact == kLeftThere) {
          facts[number] = {reinterpret_cast<const char*>(text.data()),
                           text.size()};
        }
      } else if (kind == static_cast<unsigned>(Record::kRow) &&
                 one.u4() == scope) {
        EXPECT_EQ(one.u4() + one.u4(), 0u);  // neither methods nor classes
        const std::uint32_t count = one.u4();
        one.u4();
        std::uint32_t number = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
          std::uint32_t zigzag = 0;
          for (unsigned shift = 0;; shift += 7) {
            const unsigned part = one.u1();
            zigzag |= (part & 127u) << shift;
            if (part < 128) break;
          }
          number += zigzag >> 1 ^ (0u - (zigzag & 1u));
          if (facts.contains(number)) out.insert(facts[number]);
        }
      }
    }
    return out;
  }

  using Texts = std::set<std::string>;
  Recorder recorder_;
  std::string directory_;
  int thread_ = 0;
  std::uint32_t container_ = 0;
  std::uint32_t test_ = 0;
};

TEST_F(GlobalsTest, WhatIsAnotherOneAtTheEndWasLeft) {
  recorder_.writes("property k", "p.T.x()V");
  recorder_.changed("property k", 1, 2);
  end(test_);
  end(container_);
  EXPECT_EQ(left(test_), Texts{"property k|p.T.x()V"});
  EXPECT_EQ(left(container_), Texts{});
}

TEST_F(GlobalsTest, WhatIsSetBackIsNotLeft) {
  recorder_.writes("property k", "p.T.x()V");
  recorder_.changed("property k", 1, 2);
  recorder_.writes("property k", "p.T.x()V");
  recorder_.changed("property k", 2, 1);
  end(test_);
  EXPECT_EQ(left(test_), Texts{});
}

TEST_F(GlobalsTest, WhatIsSetOnceToWhatItWasMayBeAnotherOneNextTime) {
  recorder_.writes("jvm redirects", "p.T.x()V");
  end(test_);
  EXPECT_EQ(left(test_), Texts{"jvm redirects|p.T.x()V"});
}

TEST_F(GlobalsTest, NobodyIsSaidWhereNobodyIsKnown) {
  recorder_.changed("property k", 1, 2);
  end(test_);
  EXPECT_EQ(left(test_), Texts{"property k|?"});
}

TEST_F(GlobalsTest, AFixtureThatSetsBackInTheEndLeavesNothing) {
  end(test_);
  recorder_.writes("property k", "p.T.before()V");
  recorder_.changed("property k", 1, 2);
  const auto inner =
      recorder_.begin(ScopeKind::kTest, container_, "p.T#y()", &thread_);
  end(inner);
  recorder_.writes("property k", "p.T.after()V");
  recorder_.changed("property k", 2, 1);
  end(container_);
  EXPECT_EQ(left(inner), Texts{});
  EXPECT_EQ(left(container_), Texts{});
}

TEST_F(GlobalsTest, WhatIsRegisteredTwiceTheOtherWayRoundIsGone) {
  recorder_.toggled("kept beans", 5, "p.T.x()V");
  recorder_.toggled("kept beans", 9, "p.T.x()V");
  recorder_.toggled("kept beans", 5, "p.T.x()V");
  recorder_.toggled("kept beans", 9, "p.T.x()V");
  end(test_);
  EXPECT_EQ(left(test_), Texts{});
  const auto next =
      recorder_.begin(ScopeKind::kTest, container_, "p.T#y()", &thread_);
  recorder_.toggled("kept beans", 5, "p.T.y()V");
  end(next);
  EXPECT_EQ(left(next), Texts{"kept beans|p.T.y()V"});
}

TEST_F(GlobalsTest, FilesAreComparedWhenTheScopeEnds) {
  files = {{"/same", 3}, {"/other", 3}};
  for (const char* path : {"/same", "/other", "/new", "/temporary"}) {
    recorder_.writes_file(path, "p.T.x()V");
  }
  files["/temporary"] = 7;
  files["/new"] = 7;
  files["/other"] = 7;
  files.erase("/temporary");
  end(test_);
  EXPECT_EQ(left(test_),
            (Texts{"file /new|p.T.x()V", "file /other|p.T.x()V"}));
}

TEST_F(GlobalsTest, StoresOfJUnitAreToldByTheirKeys) {
  recorder_.writes("junit store k", "p.Ext.before()V");
  recorder_.changed("junit store k@1", 0, 1);
  recorder_.changed("junit store l@2", 0, 2);
  recorder_.changed("junit store l@2", 2, 0);
  end(test_);
  EXPECT_EQ(left(test_), Texts{"junit store k|p.Ext.before()V"});
}

}  // namespace
}  // namespace rejig::agent
