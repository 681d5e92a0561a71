// SPDX-License-Identifier: Apache-2.0
// Who runs what, when several machines divide what is selected? Whole outermost
// classes, the longest first, each to whom has least; what must run in one JVM
// (state.h's providers, and tests that wait for what changed code may leave) stays
// together; classes that nobody has ever run go by the hash of their name. The
// same answer makes the same plan on every machine.
// It errs towards running twice: a test that no shard has runs in all of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "coverage/select/answer.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

struct PlanOptions {
  unsigned shards = 0;      // 0: as many as the target wants
  double target = 300;      // seconds of one shard
  unsigned most = 20;
};

struct PlannedSuite {
  std::string suite;
  std::vector<std::string> classes;  // outermost, sorted
};
struct PlannedShard {
  double seconds = 0;
  std::vector<PlannedSuite> suites;
};
struct Plan {
  std::string selection;  // digest of what is selected
  std::vector<PlannedShard> shards;

  // From 1; 0: no shard has it, so all run it.
  unsigned shard_of(std::string_view suite, std::string_view test) const;
  std::string digest() const;
};

// What the rows say about tests that must run in one JVM. An Error: nobody knows,
// so all of them must.
base::Result<Plan> make_plan(const Answer& answer,
                             const std::vector<Matrix*>& matrices,
                             const PlanOptions& options);

std::string plan_json(const Plan& plan);
base::Result<Plan> parse_plan(const std::string& json,
                              const std::string& where);
// For a forge: "github-matrix", "gitlab", "buildkite", "jenkins",
// "k8s-indexed-job".
std::vector<std::string> forge_formats();
std::string plan_for_forge(const Plan& plan, std::string_view forge);

// "a.b.Outer" of "a.b.Outer$Inner#one()"
std::string outermost_class(std::string_view test);

}  // namespace rejig::coverage
