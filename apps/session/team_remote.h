// SPDX-License-Identifier: Apache-2.0
// What have others run already, and what do they get of this run? Near commits
// are asked for runs of this very suite in this very setting; what is fetched is
// whole, checked, and of the same Java, libraries and options. Nothing here
// proves anything: the comparison with each run's own program does. Whatever is
// not there, too slow or damaged is left out, with a line at most.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apps/session/git_history.h"
#include "apps/session/run_baseline.h"
#include "apps/session/work.h"
#include "coverage/remote/remote.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

struct TeamOptions {
  std::string url;
  std::vector<std::string> keys;
  unsigned timeout_ms = 5000;
  std::string commit;  // stands for what git says
  std::string project;
  std::string store;   // of this machine; fetched segments lie beside it
  // Over class names: they say what is compared, so they are part of a setting.
  std::vector<std::string> internal_globs;
  std::vector<std::string> external_globs;
};

// "5s", "300ms", "2m"; a number alone is seconds. kUsage: it is none of these, or
// more than an hour.
base::Result<unsigned> milliseconds_of(const std::string& text);
// Of the environment: REJIG_SIGNING_KEY.
std::string signing_key();

struct NearRun {
  std::string name;   // "1a2b3c4d5e6f"
  std::string store;  // a file
  std::set<std::string> settings;
};

struct SharedSuite {
  std::string suite;
  Snapshot snapshot;
  std::set<std::string> without;  // tests that other shards give
  unsigned index = 1;
  unsigned of = 1;
  std::string plan = "-";
  std::string shard;  // coverage/plan/shard_report.h; may be empty
  std::size_t ran = 0;
};

class TeamRemote {
 public:
  TeamRemote(TeamOptions options, Work& work);

  std::vector<NearRun> near(const std::string& suite, const Snapshot& now,
                            const std::string& setting);
  // From the store, behind a commit of rows. False: not all of them; said.
  bool publish(const std::vector<SharedSuite>& suites,
               const std::string& folder);

 private:
  coverage::Deadline deadline() const {
    return coverage::within(std::chrono::milliseconds(o_.timeout_ms));
  }
  base::Result<coverage::Remote*> opened();
  base::Result<std::vector<NearRun>> look(const std::string& suite,
                                          const Snapshot& now,
                                          const std::string& setting);
  base::Result<void> publish_one(coverage::Matrix& matrix,
                                 const SharedSuite& one,
                                 const std::string& folder);
  std::string fingerprint(const Snapshot& snapshot,
                          const std::string& setting) const;
  std::vector<std::string> words(const Snapshot& snapshot) const;
  const History& history(coverage::Deadline deadline);

  TeamOptions o_;
  Work& work_;
  std::unique_ptr<coverage::Remote> remote_;
  std::unique_ptr<History> history_;
  bool heads_asked_ = false;
  bool gave_up_ = false;  // said, once
};

// For commands that look at a remote by itself.
base::Result<std::unique_ptr<coverage::Remote>> open_remote(
    const TeamOptions& options, Work& work);

}  // namespace rejig::app
