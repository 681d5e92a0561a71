// SPDX-License-Identifier: Apache-2.0
#include "coverage/plan/shard_report.h"

#include <algorithm>
#include <sstream>

namespace rejig::coverage {

namespace {

constexpr const char* kFirst = "rejig-shard 1";
constexpr unsigned kMostShards = 1000;

bool is_one_line(const std::string& text) {
  return text.find('\n') == std::string::npos;
}

}  // namespace

std::string shard_text(const ShardReport& report) {
  std::string out = std::string(kFirst) + "\nshard " +
                    std::to_string(report.index) + " " +
                    std::to_string(report.of) + "\nplan " + report.plan + "\n";
  for (const auto& [name, suite] : report.suites) {
    if (!is_one_line(name)) continue;
    out += "suite " + name + "\n";
    for (const auto& id : suite.selected) {
      if (is_one_line(id)) out += "selected " + id + "\n";
    }
    for (const auto& id : suite.ran) {
      if (is_one_line(id)) out += "ran " + id + "\n";
    }
  }
  return out + "end\n";
}

base::Result<ShardReport> parse_shard(const std::string& text,
                                      const std::string& where) {
  ShardReport out;
  std::istringstream lines(text);
  std::string line;
  const auto wrong = [&](const std::string& what) {
    return base::Error{base::Errc::kMalformed, what, where};
  };
  if (!std::getline(lines, line) || line != kFirst) {
    return wrong("no report of a shard");
  }
  ShardSuite* suite = nullptr;
  bool ended = false;
  while (std::getline(lines, line)) {
    const auto blank = std::min(line.find(' '), line.size());
    const std::string key = line.substr(0, blank);
    const std::string value = line.substr(std::min(blank + 1, line.size()));
    if (key == "shard") {
      std::istringstream numbers(value);
      if (!(numbers >> out.index >> out.of) || out.index == 0 ||
          out.index > out.of || out.of > kMostShards) {
        return wrong("no number of a shard: " + value);
      }
    } else if (key == "plan") {
      out.plan = value;
    } else if (key == "suite") {
      suite = &out.suites[value];
    } else if (key == "selected" && suite != nullptr) {
      suite->selected.insert(value);
    } else if (key == "ran" && suite != nullptr) {
      suite->ran.insert(value);
    }
    ended = line == "end";
  }
  if (!ended) return wrong("not all of it is there");
  return out;
}

ShardVerdict judge_shards(const std::vector<ShardReport>& reports) {
  ShardVerdict out;
  if (reports.empty()) {
    out.gaps.emplace_back("no shard says anything");
    return out;
  }
  const ShardReport& first = reports.front();
  std::set<unsigned> there;
  std::map<std::string, ShardSuite> all;
  for (const auto& report : reports) {
    if (report.of != first.of) {
      out.gaps.push_back("shards of " + std::to_string(first.of) + " and of " +
                         std::to_string(report.of));
    } else if (report.plan != first.plan) {
      out.gaps.push_back("shard " + std::to_string(report.index) +
                         " had another plan");
    }
    there.insert(report.index);
    for (const auto& [name, suite] : report.suites) {
      all[name].selected.insert(suite.selected.begin(), suite.selected.end());
      all[name].ran.insert(suite.ran.begin(), suite.ran.end());
    }
  }
  for (unsigned i = 1; i <= first.of; ++i) {
    if (there.count(i) == 0) {
      out.gaps.push_back("shard " + std::to_string(i) + " of " +
                         std::to_string(first.of) + " says nothing");
    }
  }
  for (const auto& [name, suite] : all) {
    out.selected += suite.selected.size();
    for (const auto& id : suite.selected) {
      if (suite.ran.count(id) != 0) {
        ++out.ran;
      } else {
        out.gaps.push_back("selected, and no shard ran it: " + id + " (" + name +
                           ")");
      }
    }
  }
  return out;
}

}  // namespace rejig::coverage
