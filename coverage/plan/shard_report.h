// SPDX-License-Identifier: Apache-2.0
// Did all shards together run what was selected? Each says which tests it was to
// select from, by which plan, and which it ran. One text a shard; texts of
// different plans, a shard that says nothing, and a selected test that nobody ran
// are gaps.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::coverage {

struct ShardSuite {
  std::set<std::string> selected;
  std::set<std::string> ran;
};
struct ShardReport {
  unsigned index = 1;
  unsigned of = 1;
  std::string plan = "-";
  std::map<std::string, ShardSuite> suites;
};

std::string shard_text(const ShardReport& report);
base::Result<ShardReport> parse_shard(const std::string& text,
                                      const std::string& where);

struct ShardVerdict {
  std::vector<std::string> gaps;  // a line each
  std::size_t selected = 0;
  std::size_t ran = 0;  // of the selected
};
ShardVerdict judge_shards(const std::vector<ShardReport>& reports);

}  // namespace rejig::coverage
