// SPDX-License-Identifier: Apache-2.0
#include "apps/session/team_remote.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "coverage/remote/segment.h"
#include "coverage/row/baseline_age.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

// As many proofs as a question asks at most, and how many runs are looked at for
// them.
constexpr std::size_t kMostProofs = 6;
constexpr std::size_t kMostLooked = 12;
// Segments that nobody asked for in a while.
constexpr auto kCacheAge = std::chrono::hours(24 * 14);

std::string cache_of(const std::string& store) {
  return (fs::path(store).parent_path() / "remote").string();
}

void tidy_cache(const std::string& folder) {
  std::error_code error;
  const auto before = fs::file_time_type::clock::now() - kCacheAge;
  std::vector<fs::path> old;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    if (file.last_write_time(error) < before && !error) {
      old.push_back(file.path());
    }
  }
  for (const auto& path : old) fs::remove(path, error);
}

// Without the places of this machine.
Snapshot without_places(Snapshot s) {
  s.roots.clear();
  s.java_home.clear();
  s.folder.clear();
  for (auto& library : s.libraries) {
    library.path = fs::path(library.path).filename().string();
  }
  return s;
}

}  // namespace

base::Result<unsigned> milliseconds_of(const std::string& text) {
  constexpr unsigned kHour = 3'600'000;
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  const std::string unit(at, end);
  const unsigned factor = unit == "ms"                   ? 1
                          : unit == "s" || unit.empty()  ? 1000
                          : unit == "m" || unit == "min" ? 60'000
                                                         : 0;
  if (error != std::errc() || factor == 0 || value > kHour / factor) {
    return Error{Errc::kUsage, "no time of an hour at most: '" + text + "' (5s, 300ms, 2m)", ""};
  }
  return value * factor;
}

std::string signing_key() {
  const char* value = std::getenv("REJIG_SIGNING_KEY");
  return value == nullptr ? "" : value;
}

base::Result<std::unique_ptr<coverage::Remote>> open_remote(
    const TeamOptions& o, Work& work) {
  REJIG_TRY(auto transport, coverage::open_transport(o.url));
  coverage::RemoteOptions options;
  options.keys = o.keys;
  options.secret = signing_key();
  options.cache = cache_of(o.store);
  options.pool = &work.pool();
  return std::make_unique<coverage::Remote>(std::move(transport),
                                            std::move(options));
}

TeamRemote::TeamRemote(TeamOptions options, Work& work)
    : o_(std::move(options)), work_(work) {}

base::Result<coverage::Remote*> TeamRemote::opened() {
  if (!remote_) {
    REJIG_TRY(remote_, open_remote(o_, work_));
    tidy_cache(cache_of(o_.store));
  }
  return remote_.get();
}

const History& TeamRemote::history(coverage::Deadline deadline) {
  if (history_) return *history_;
  history_ = std::make_unique<History>(history_of(o_.project, deadline));
  if (o_.commit.empty()) return *history_;
  History& h = *history_;
  h.head = o_.commit;
  h.changed = false;
  std::erase(h.near, o_.commit);
  h.near.insert(h.near.begin(), o_.commit);
  return h;
}

std::vector<std::string> TeamRemote::words(const Snapshot& snapshot) const {
  std::vector<std::string> out = {"java " + snapshot.java};
  for (const auto& library : snapshot.libraries) {
    out.push_back("library " + library.digest + " " +
                  fs::path(library.path).filename().string());
  }
  for (const auto& glob : o_.internal_globs) out.push_back("internal " + glob);
  for (const auto& glob : o_.external_globs) out.push_back("external " + glob);
  return out;
}

std::string TeamRemote::fingerprint(const Snapshot& snapshot,
                                    const std::string& setting) const {
  std::string text;
  for (const auto& word : words(snapshot)) text += word + "\n";
  return base::to_hex(base::digest256(text + setting)).substr(0, 32);
}

std::vector<NearRun> TeamRemote::near(const std::string& suite,
                                      const Snapshot& now,
                                      const std::string& setting) {
  if (gave_up_) return {};
  auto found = look(suite, now, setting);
  if (found.ok()) return std::move(*found);
  gave_up_ = true;
  work_.listener.warning("the remote is not used: " + found.error().message());
  return {};
}

base::Result<std::vector<NearRun>> TeamRemote::look(
    const std::string& suite, const Snapshot& now,
    const std::string& setting) {
  const auto phase = work_.phases.scope("remote");
  const auto end = deadline();
  REJIG_TRY(coverage::Remote* const remote, opened());
  std::vector<coverage::RunPlace> places;
  const std::string print = fingerprint(now, setting);
  const auto& all = history(end);
  for (const auto& commit : all.near) places.push_back({commit, suite, print});
  REJIG_TRY(auto runs, remote->find(places, kMostLooked, end));
  if (runs.empty()) {
    places.clear();
    for (const auto& branch : all.branches) {
      const auto commit = remote->head(branch, end);
      if (commit.ok()) places.push_back({*commit, suite, print});
    }
    REJIG_TRY(runs, remote->find(places, kMostLooked, end));
  }
  std::vector<NearRun> out;
  for (const auto& place : runs) {
    if (out.size() == kMostProofs) break;
    const std::string name = place.commit.substr(0, 12);
    const auto one = [&]() -> base::Result<NearRun> {
      REJIG_TRY(const auto run, remote->fetch(place, end));
      REJIG_TRY(const auto matrix, coverage::open_store(run.store));
      REJIG_TRY(const auto facts, coverage::facts_of_segment(*matrix));
      REJIG_TRY(const Snapshot then, parse_snapshot(facts.snapshot, name));
      if (then.java != now.java || !same_libraries(then, now)) {
        return Error{Errc::kMalformed, "another Java or other libraries than "
                                       "its name says", place.folder()};
      }
      const std::set<std::string> settings(then.settings.begin(),
                                           then.settings.end());
      if (settings.count(setting) == 0) {
        return Error{Errc::kMalformed, "another setting than its name says",
                     place.folder()};
      }
      return NearRun{name, run.store, settings};
    }();
    if (one.ok()) {
      out.push_back(*one);
    } else if (std::chrono::steady_clock::now() >= end) {
      work_.listener.warning("the remote is too slow, what came in time is used");
      gave_up_ = true;
      break;
    } else {
      work_.listener.note("run " + name + " of the remote is not used: " +
                          one.error().message());
    }
  }
  return out;
}

base::Result<void> TeamRemote::publish_one(coverage::Matrix& matrix,
                                           const SharedSuite& one,
                                           const std::string& folder) {
  const std::string path =
      folder + "/segment-" + base::to_hex(base::hash128(one.suite)) + ".db";
  REJIG_TRY(const std::string snapshot,
            snapshot_text(without_places(one.snapshot)));
  REJIG_TRY_VOID(coverage::write_segment(
      path, matrix, {one.suite, snapshot, one.without, one.shard},
      &work_.pool()));
  REJIG_TRY(const auto written, coverage::open_store(path));
  REJIG_TRY(const auto facts, coverage::facts_of_segment(*written));
  coverage::Publication out;
  const auto& all = history(deadline());
  for (const auto& setting : one.snapshot.settings) {
    out.places.push_back(
        {all.head, one.suite, fingerprint(one.snapshot, setting)});
  }
  out.index = one.index;
  out.of = one.of;
  out.segment = path;
  out.words = words(one.snapshot);
  out.branch = all.branch;
  out.entry.plan = one.plan;
  out.entry.rows = facts.rows;
  out.entry.ran = one.ran;
  out.entry.time = static_cast<std::int64_t>(coverage::recording_time());
  REJIG_TRY(coverage::Remote* const remote, opened());
  // What is written may take longer than what is read: nobody waits for it.
  return remote->publish(
      out, coverage::within(std::chrono::milliseconds(6 * o_.timeout_ms)));
}

bool TeamRemote::publish(const std::vector<SharedSuite>& suites,
                         const std::string& folder) {
  const auto phase = work_.phases.scope("publish");
  const auto& all = history(deadline());
  const auto not_done = [&](const std::string& why) {
    work_.listener.warning("not published: " + why);
    return false;
  };
  if (!coverage::is_commit(all.head)) {
    return not_done("there is no commit (git, or --commit)");
  }
  if (all.changed) {
    return not_done("files are others than in the commit " +
                    all.head.substr(0, 12));
  }
  const auto matrix = coverage::open_store(o_.store);
  if (!matrix.ok()) return not_done(matrix.error().message());
  for (const auto& one : suites) {
    const auto done = publish_one(**matrix, one, folder);
    if (!done.ok()) return not_done(done.error().message());
    work_.listener.note("published " + one.suite + " as " +
                        all.head.substr(0, 12) +
                        (one.of == 1 ? ""
                                     : ", shard " + std::to_string(one.index) +
                                           " of " + std::to_string(one.of)));
  }
  return true;
}

}  // namespace rejig::app
