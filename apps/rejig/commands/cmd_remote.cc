// SPDX-License-Identifier: Apache-2.0
// rejig remote status|pull|push|prune|verify|key: what a team shares, looked at
// and tidied. `rejig run` pulls and (--publish) pushes by itself.
#include <filesystem>
#include <map>
#include <set>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/report/report_format.h"
#include "apps/session/git_history.h"
#include "apps/session/run_answers.h"
#include "apps/session/settings.h"
#include "apps/session/team_remote.h"
#include "coverage/remote/signature.h"
#include "coverage/row/baseline_age.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

namespace fs = std::filesystem;

constexpr int kExitDamage = 1;
constexpr std::int64_t kDay = 24 * 3600;
constexpr std::size_t kMostPulled = 4;

const std::vector<std::string> kActions = {"status", "pull",   "push",
                                           "prune",  "verify", "key"};

struct Options {
  std::string action;
  std::string url;
  std::string store;
  std::string timeout;
  std::string commit;
  unsigned days = 90;
};

struct Opened {
  TeamOptions team;
  std::unique_ptr<coverage::Remote> remote;
  coverage::Deadline end;
};

base::Result<Opened> open(const Options& o, Context& context) {
  REJIG_TRY(const Config config, load_config(context));
  Opened out;
  out.team.url = o.url.empty() ? config.remote.value_or("") : o.url;
  if (out.team.url.empty()) {
    return base::Error{base::Errc::kUsage,
                       "no remote: [remote] url in rejig.toml, or --url", ""};
  }
  out.team.keys = config.remote_keys.value_or(std::vector<std::string>());
  if (config.internal) out.team.internal_globs = *config.internal;
  if (config.external) out.team.external_globs = *config.external;
  out.team.commit = o.commit;
  std::error_code error;
  out.team.project = fs::current_path(error).string();
  out.team.store = fs::absolute(o.store.empty() ? config.coverage.value_or(
                                                      coverage::kDefaultStore)
                                                : o.store,
                                error)
                       .string();
  REJIG_TRY(out.team.timeout_ms,
            milliseconds_of(o.timeout.empty() ? "60s" : o.timeout));
  REJIG_TRY(out.remote, open_remote(out.team, context));
  out.end =
      coverage::within(std::chrono::milliseconds(out.team.timeout_ms));
  return out;
}

base::Result<int> status(Opened& o, Context& context) {
  REJIG_TRY(const auto all, o.remote->inventory(o.end));
  std::uint64_t bytes = 0;
  for (const auto& object : all.objects) bytes += object.size;
  std::set<std::string> commits;
  for (const auto& run : all.runs) commits.insert(run.place.commit);
  if (context.format == "json") {
    std::string text = "{ \"schema\": \"rejig.remote/1\",\n  \"url\": " +
                       json_string(o.team.url) + ",\n  \"objects\": " +
                       std::to_string(all.objects.size()) + ",\n  \"bytes\": " +
                       std::to_string(bytes) + ",\n  \"runs\": [";
    bool first = true;
    for (const auto& run : all.runs) {
      text += std::string(first ? "\n    " : ",\n    ") + "{\"commit\":" +
              json_string(run.place.commit) + ",\"suite\":" +
              json_string(run.place.suite) + ",\"fingerprint\":" +
              json_string(run.place.fingerprint) + ",\"shards\":" +
              json_list(run.entries) + "}";
      first = false;
    }
    context.out->write(text + (first ? "] }\n" : "\n  ] }\n"));
    return kExitOk;
  }
  for (const auto& run : all.runs) {
    std::string shards;
    for (const auto& entry : run.entries) shards += " " + entry;
    context.out->write(run.place.commit.substr(0, 12) + "  " + run.place.suite +
                       "  " + run.place.fingerprint.substr(0, 8) + " " +
                       (shards.empty() ? " nothing" : shards) + "\n");
  }
  context.out->write(std::to_string(commits.size()) + " commits, " +
                     std::to_string(all.runs.size()) + " runs, " +
                     std::to_string(all.objects.size()) + " segments" +
                     (bytes == 0 ? "" : ", " + std::to_string(bytes) + " bytes") +
                     "\n");
  return kExitOk;
}

// Segments of near commits into the cache, so that a later run without a network
// has them.
base::Result<int> pull(Opened& o, Context& context) {
  REJIG_TRY(const auto all, o.remote->inventory(o.end));
  const auto history = history_of(o.team.project, o.end);
  std::map<std::string, std::vector<coverage::RunPlace>> places;
  for (const auto& run : all.runs) {
    places[run.place.commit].push_back(run.place);
  }
  std::size_t done = 0;
  std::size_t commits = 0;
  for (const auto& commit : history.near) {
    const auto at = places.find(commit);
    if (at == places.end()) continue;
    if (++commits > kMostPulled) break;
    for (const auto& place : at->second) {
      const auto run = o.remote->fetch(place, o.end);
      if (run.ok()) {
        ++done;
        continue;
      }
      context.messages->warning("run " + commit.substr(0, 12) + " of " +
                                place.suite + ": " + run.error().message());
    }
  }
  context.messages->note("pulled " + std::to_string(done) + " runs of near commits");
  return kExitOk;
}

base::Result<int> push(Opened& o, Context& context) {
  REJIG_TRY(const auto matrix, coverage::open_store(o.team.store));
  REJIG_TRY(const auto environment, matrix->environment());
  const fs::path beside = fs::path(o.team.store).parent_path();
  std::vector<SharedSuite> suites;
  const std::string head = baseline_key("");
  for (const auto& one : environment) {
    if (!one.key.starts_with(head)) continue;
    SharedSuite suite;
    suite.suite = std::string(one.key.substr(head.size()));
    REJIG_TRY(suite.snapshot,
              read_snapshot((beside / "baseline" / one.value).string()));
    suites.push_back(std::move(suite));
  }
  if (suites.empty()) {
    return base::Error{base::Errc::kNotFound, "no suite has a baseline",
                       o.team.store};
  }
  std::string folder = (beside / "run-push-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    return base::Error{base::Errc::kIo, "the folder is not writable",
                       beside.string()};
  }
  TeamRemote remote(o.team, context);
  const bool all = remote.publish(suites, folder);
  std::error_code error;
  fs::remove_all(folder, error);
  return all ? kExitOk : kExitTrouble;
}

base::Result<int> prune(const Options& options, Opened& o, Context& context) {
  const auto now = static_cast<std::int64_t>(coverage::recording_time());
  // A day that has begun counts: 0 is everything.
  const std::int64_t before = now + 1 - std::int64_t{options.days} * kDay;
  REJIG_TRY(const auto gone, o.remote->prune(before, o.end));
  context.messages->note("removed " + std::to_string(gone.runs) + " runs and " +
                         std::to_string(gone.objects) + " segments");
  return kExitOk;
}

base::Result<int> verify(Opened& o, Context& context) {
  REJIG_TRY(const auto damage, o.remote->verify(o.end));
  for (const auto& line : damage) context.out->write(line + "\n");
  if (damage.empty()) context.out->write("no damage\n");
  return damage.empty() ? kExitOk : kExitDamage;
}

base::Result<int> make_key(Context& context) {
  REJIG_TRY(const auto pair, coverage::make_keys());
  context.out->write("REJIG_SIGNING_KEY=" + pair.secret + "\n");
  context.messages->note("for rejig.toml: [remote] keys = [\"" + pair.open +
                         "\"]; the other half is for protected jobs only");
  return kExitOk;
}

base::Result<int> act(const Options& o, Context& context) {
  if (std::find(kActions.begin(), kActions.end(), o.action) == kActions.end()) {
    return base::Error{base::Errc::kUsage,
                       "unknown action '" + o.action + "'" +
                           did_you_mean(o.action, kActions),
                       ""};
  }
  if (o.action == "key") return make_key(context);
  REJIG_TRY(Opened opened, open(o, context));
  if (o.action == "status") return status(opened, context);
  if (o.action == "pull") return pull(opened, context);
  if (o.action == "push") return push(opened, context);
  if (o.action == "prune") return prune(o, opened, context);
  return verify(opened, context);
}

}  // namespace

Run declare_remote(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("ACTION", o->action, "status, pull, push, prune, verify or key");
  line.option("--url", o->url, "the remote (default: [remote] url of rejig.toml)",
              "URL");
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "STORE");
  line.option("--remote-timeout", o->timeout,
              "how long it may take (default 60s)", "TIME");
  line.option("--commit", o->commit,
              "push: the commit that this is (default: what git says)", "ID");
  line.option("--days", o->days, "prune: runs that are older (default 90)");
  line.formats({"text", "json"});
  line.footer(
      "Actions:\n"
      "  status  commits, suites and shards that are there\n"
      "  pull    fetch what near commits have, for a run without a network\n"
      "  push    give what the store holds, as `rejig run --publish` does\n"
      "  prune   remove old runs, and segments that nobody names\n"
      "  verify  fetch and check everything\n"
      "  key     a new pair: REJIG_SIGNING_KEY signs what is published, the other "
      "half\n          in rejig.toml lets nothing else count\n"
      "\n"
      "A remote is file:PATH, http(s)://HOST/PATH (GET, PUT, DELETE and pages of "
      "folders)\nor s3://BUCKET/PREFIX. REJIG_REMOTE_AUTH is sent as the "
      "Authorization; ~/.netrc\nand AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, "
      "AWS_SESSION_TOKEN, AWS_REGION,\nAWS_ENDPOINT_URL count as usual.\n"
      "Exit codes: 0; 1 verify found damage; 2 trouble.\n");
  return [o](Context& context) {
    const auto done = act(*o, context);
    return done.ok() ? *done : context.trouble(done.error());
  };
}

}  // namespace rejig::app
