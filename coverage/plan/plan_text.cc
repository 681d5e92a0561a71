// SPDX-License-Identifier: Apache-2.0
// A plan as JSON, and for what starts machines.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "coverage/import/import_json.h"
#include "coverage/plan/plan.h"

namespace rejig::coverage {

namespace {

constexpr std::size_t kMostShards = 1000;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", u);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

// "1, 2, 3"
std::string indices(const Plan& plan) {
  std::string out;
  for (std::size_t i = 1; i <= plan.shards.size(); ++i) {
    out += (out.empty() ? "" : ", ") + std::to_string(i);
  }
  return out;
}

}  // namespace

std::string plan_json(const Plan& plan) {
  std::string out = "{\"schema\":\"rejig.plan/1\",\"selection\":" +
                    quoted(plan.selection) + ",\"shards\":[";
  for (std::size_t i = 0; i < plan.shards.size(); ++i) {
    const auto& shard = plan.shards[i];
    out += std::string(i == 0 ? "\n" : ",\n") + " {\"index\":" +
           std::to_string(i + 1) + ",\"of\":" +
           std::to_string(plan.shards.size()) + ",\"seconds\":" +
           number(shard.seconds) + ",\"suites\":[";
    for (std::size_t s = 0; s < shard.suites.size(); ++s) {
      const auto& suite = shard.suites[s];
      out += std::string(s == 0 ? "" : ",") + "{\"suite\":" +
             quoted(suite.suite) + ",\"classes\":[";
      for (std::size_t c = 0; c < suite.classes.size(); ++c) {
        out += (c == 0 ? "" : ",") + quoted(suite.classes[c]);
      }
      out += "]}";
    }
    out += "]}";
  }
  return out + "]}\n";
}

base::Result<Plan> parse_plan(const std::string& json,
                              const std::string& where) {
  Plan out;
  JsonReader in(json);
  std::string schema;
  std::vector<std::pair<std::uint64_t, PlannedShard>> shards;
  const auto read_suite = [&](PlannedShard& shard) {
    PlannedSuite suite;
    in.object([&](std::string_view key) {
      if (key == "suite") {
        in.text(suite.suite);
      } else if (key == "classes") {
        in.array([&] { in.text(suite.classes.emplace_back()); });
      } else {
        in.skip();
      }
    });
    std::sort(suite.classes.begin(), suite.classes.end());
    shard.suites.push_back(std::move(suite));
  };
  in.object([&](std::string_view key) {
    if (key == "schema") {
      in.text(schema);
    } else if (key == "selection") {
      in.text(out.selection);
    } else if (key == "shards") {
      in.array([&] {
        auto& [index, shard] = shards.emplace_back();
        in.object([&](std::string_view inner) {
          if (inner == "index") {
            in.integer(index);
          } else if (inner == "seconds") {
            in.number(shard.seconds);
          } else if (inner == "suites") {
            in.array([&] { read_suite(shard); });
          } else {
            in.skip();
          }
        });
      });
    } else {
      in.skip();
    }
  });
  const auto wrong = [&](const std::string& what) {
    return base::Error{base::Errc::kMalformed, what, where};
  };
  if (in.failed() || !in.end()) return wrong("no plan: " + in.what());
  if (schema != "rejig.plan/1") return wrong("no plan of this version");
  if (shards.size() > kMostShards) return wrong("too many shards");
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (shards[i].first != i + 1) return wrong("shards are not in order");
    out.shards.push_back(std::move(shards[i].second));
  }
  return out;
}

std::vector<std::string> forge_formats() {
  return {"github-matrix", "gitlab", "buildkite", "jenkins",
          "k8s-indexed-job"};
}

std::string plan_for_forge(const Plan& plan, std::string_view forge) {
  const std::string n = std::to_string(plan.shards.size());
  if (forge == "github-matrix") {
    return "{\"shard\": [" + indices(plan) + "], \"of\": [" +
           (plan.shards.empty() ? "" : n) + "]}\n";
  }
  if (forge == "gitlab") {
    if (plan.shards.empty()) {
      return "tests:\n  rules: [{when: never}]\n  script: [\"true\"]\n";
    }
    // GitLab takes 2 and more.
    const std::string parallel =
        plan.shards.size() < 2 ? "" : "  parallel: " + n + "\n";
    return "tests:\n" + parallel +
           "  script:\n    - rejig run --shard "
           "${CI_NODE_INDEX:-1}/${CI_NODE_TOTAL:-1} --plan plan.json -- "
           "$REJIG_COMMAND\n";
  }
  if (forge == "buildkite") {
    if (plan.shards.empty()) return "steps: []\n";
    return "steps:\n  - label: tests\n    parallelism: " + n +
           "\n    command: rejig run --shard "
           "$$((BUILDKITE_PARALLEL_JOB + 1))/$$BUILDKITE_PARALLEL_JOB_COUNT "
           "--plan plan.json -- $$REJIG_COMMAND\n";
  }
  if (forge == "jenkins") {
    std::string out = "parallel([";
    for (std::size_t i = 1; i <= plan.shards.size(); ++i) {
      const std::string one = std::to_string(i);
      out += std::string(i == 1 ? "\n" : ",\n") + "  'shard " + one +
             "': { node { sh 'rejig run --shard " + one + "/" + n +
             " --plan plan.json -- $REJIG_COMMAND' } }";
    }
    return out + (plan.shards.empty() ? ":])\n" : "\n])\n");
  }
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: tests\nspec:\n  "
         "completionMode: Indexed\n  completions: " +
         n + "\n  parallelism: " + n +
         "\n  template:\n    spec:\n      restartPolicy: Never\n      "
         "containers:\n        - name: tests\n          image: $IMAGE\n          "
         "command: [\"sh\", \"-c\", \"rejig run --shard "
         "$((JOB_COMPLETION_INDEX + 1))/" +
         n + " --plan plan.json -- $REJIG_COMMAND\"]\n";
}

}  // namespace rejig::coverage
