// SPDX-License-Identifier: Apache-2.0
// rejig verify --reports GLOB: did everything run that was selected? Holds the
// runners' own reports against the list that the last `rejig run` left, or one
// that `rejig select --format ids` wrote. What no report says to have run is a
// gap; a report that cannot be read is trouble.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "apps/rejig/audit/audit_results.h"
#include "apps/rejig/cli/command.h"
#include "apps/rejig/report/report_format.h"
#include "apps/session/run_session.h"
#include "apps/session/settings.h"
#include "classfile/base/file.h"
#include "apps/session/git_history.h"
#include "apps/session/team_remote.h"
#include "coverage/plan/shard_report.h"
#include "coverage/remote/segment.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

constexpr int kExitGap = 1;

struct Options {
  std::string store;
  std::string selection;
  std::vector<std::string> reports;
  std::vector<std::string> more;  // what a shell made of a pattern
  std::string shards;             // a folder
  bool remote = false;
  std::string commit;
};

struct Verdict {
  std::string all;  // why everything was selected
  std::size_t files = 0;
  std::size_t selected = 0;
  std::size_t ran = 0;
  std::vector<std::string> gaps;
  std::vector<std::string> disabled;  // the runner says that it left them out
  std::vector<std::string> unknown;   // no row ever, no report: no runner has
                                      // been seen to know them
};

base::Result<Verdict> verify(const Options& o) {
  Verdict out;
  REJIG_TRY(const std::string text, base::read_file(o.selection));
  std::set<std::string> selected;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kAll = "# all: ";
    if (line.starts_with(kAll) && out.all.empty()) {
      out.all = line.substr(kAll.size());
    }
    if (line.empty() || line.front() == '#') continue;
    if (line.find('#') == std::string::npos) {
      return base::Error{base::Errc::kMalformed, "no test id: " + line,
                         o.selection};
    }
    selected.insert(line);
  }
  std::set<std::string> known = selected;
  std::set<std::string> recorded;
  const auto matrix = coverage::open_store(o.store);
  if (matrix.ok()) {
    REJIG_TRY(const auto rows, (*matrix)->rows());
    for (const auto& row : rows) recorded.emplace(row.test);
    known.insert(recorded.begin(), recorded.end());
  } else if (matrix.error().code != base::Errc::kNotFound) {
    return matrix.error();
  }
  const bool may_be_unknown = matrix.ok();
  auto read =
      read_results(o.reports, coverage::JunitIds({known.begin(), known.end()}),
                   "default");
  // A build that has nothing to run writes no report.
  const bool nothing_to_run = selected.empty() && out.all.empty();
  if (!read.ok() &&
      !(nothing_to_run && read.error().code == base::Errc::kNotFound)) {
    return read.error();
  }
  const Results results = read.ok() ? std::move(read).value() : Results();
  out.files = results.files;
  out.selected = selected.size();
  for (const auto& id : selected) {
    const auto at = results.ids.find(id);
    if (at != results.ids.end()) {
      ++out.ran;
      if (at->second.outcome == coverage::Outcome::kSkip) {
        out.disabled.push_back(id);
      }
    } else if (may_be_unknown && recorded.count(id) == 0) {
      out.unknown.push_back(id);
    } else {
      out.gaps.push_back(id);
    }
  }
  return out;
}

void write_json(const Verdict& v, Output& out) {
  out.write("{ \"schema\": \"rejig.verify/1\",\n  \"counts\": {\"selected\": " +
            std::to_string(v.selected) + ", \"ran\": " + std::to_string(v.ran) +
            ", \"gaps\": " + std::to_string(v.gaps.size()) +
            "},\n  \"gaps\": " + json_list(v.gaps) +
            ",\n  \"disabled\": " + json_list(v.disabled) +
            ",\n  \"unknown\": " + json_list(v.unknown) + " }\n");
}

void write_text(const Verdict& v, Output& out) {
  for (const auto& id : v.gaps) {
    out.write("selected, and in no report: " + id + "\n");
  }
  for (const auto& id : v.disabled)
    out.write("left out by its runner: " + id + "\n");
  for (const auto& id : v.unknown)
    out.write("known to no runner: " + id + "\n");
  out.write(std::to_string(v.ran) + " of " + std::to_string(v.selected) +
            " selected tests are in the " + std::to_string(v.files) +
            (v.files == 1 ? " report\n" : " reports\n"));
}

// What shards wrote beside their stores, wherever below the folder.
base::Result<std::vector<coverage::ShardReport>> reports_in(
    const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> paths;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file(error) && at->path().extension() == ".txt") {
      paths.push_back(at->path().string());
    }
  }
  if (error) return base::Error{base::Errc::kIo, error.message(), folder};
  std::sort(paths.begin(), paths.end());
  std::vector<coverage::ShardReport> out;
  for (const auto& path : paths) {
    REJIG_TRY(const std::string text, base::read_file(path));
    if (!text.starts_with("rejig-shard ")) continue;
    REJIG_TRY(out.emplace_back(), coverage::parse_shard(text, path));
  }
  return out;
}

// Of the runs of this commit, each by itself.
base::Result<std::vector<std::vector<coverage::ShardReport>>> published(
    const Options& o, const Config& config, Context& context) {
  TeamOptions team;
  team.url = config.remote.value_or("");
  if (team.url.empty()) {
    return base::Error{base::Errc::kUsage,
                       "no remote: [remote] url in rejig.toml", ""};
  }
  team.keys = config.remote_keys.value_or(std::vector<std::string>());
  team.store = o.store;
  std::error_code error;
  const auto end = coverage::within(std::chrono::minutes(1));
  const std::string commit =
      o.commit.empty()
          ? history_of(std::filesystem::current_path(error).string(), end).head
          : o.commit;
  REJIG_TRY(const auto remote, open_remote(team, context));
  REJIG_TRY(const auto all, remote->inventory(end));
  std::vector<std::vector<coverage::ShardReport>> out;
  for (const auto& run : all.runs) {
    if (run.place.commit != commit) continue;
    auto& reports = out.emplace_back();
    const auto fetched = remote->fetch(run.place, end);
    if (!fetched.ok()) {
      context.messages->warning(run.place.suite + ": " +
                                fetched.error().message());
      continue;
    }
    REJIG_TRY(const auto matrix, coverage::open_store(fetched->store));
    REJIG_TRY(const auto texts, coverage::shard_texts(*matrix));
    for (const auto& text : texts) {
      REJIG_TRY(reports.emplace_back(),
                coverage::parse_shard(text, run.place.folder()));
    }
  }
  if (out.empty()) out.emplace_back();
  return out;
}

int verify_shards(const Options& o, const Config& config, Context& context) {
  std::vector<std::vector<coverage::ShardReport>> runs;
  if (o.remote) {
    auto found = published(o, config, context);
    if (!found.ok()) return context.trouble(found.error());
    runs = std::move(*found);
  } else {
    auto found = reports_in(o.shards);
    if (!found.ok()) return context.trouble(found.error());
    runs.push_back(std::move(*found));
  }
  coverage::ShardVerdict all;
  for (const auto& reports : runs) {
    const auto one = coverage::judge_shards(reports);
    all.gaps.insert(all.gaps.end(), one.gaps.begin(), one.gaps.end());
    all.selected += one.selected;
    all.ran += one.ran;
  }
  if (context.format == "json") {
    context.out->write(
        "{ \"schema\": \"rejig.verify-shards/1\",\n  \"counts\": "
        "{\"selected\": " +
        std::to_string(all.selected) + ", \"ran\": " + std::to_string(all.ran) +
        ", \"gaps\": " + std::to_string(all.gaps.size()) +
        "},\n  \"gaps\": " + json_list(all.gaps) + " }\n");
  } else {
    for (const auto& gap : all.gaps) context.out->write(gap + "\n");
    context.out->write(std::to_string(all.ran) + " of " +
                       std::to_string(all.selected) +
                       " selected tests ran in the shards\n");
  }
  return all.gaps.empty() ? kExitOk : kExitGap;
}

int run_verify(Options o, Context& context) {
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  if (!o.shards.empty() || o.remote) {
    if (o.store.empty()) {
      o.store = config->coverage.value_or(coverage::kDefaultStore);
    }
    return verify_shards(o, *config, context);
  }
  o.reports.insert(o.reports.end(), o.more.begin(), o.more.end());
  if (o.reports.empty()) {
    return context.trouble(
        {base::Errc::kUsage, "say where the reports are: --reports GLOB", ""});
  }
  if (o.store.empty()) {
    o.store = config->coverage.value_or(coverage::kDefaultStore);
  }
  if (o.selection.empty()) o.selection = selection_file(o.store);
  const auto verdict = verify(o);
  if (!verdict.ok()) return context.trouble(verdict.error());
  if (!verdict->all.empty()) {
    context.messages->warning("everything was selected: " + verdict->all +
                              "; tests that nobody listed cannot be missed");
  }
  if (context.format == "json") {
    write_json(*verdict, *context.out);
  } else {
    write_text(*verdict, *context.out);
  }
  return verdict->gaps.empty() ? kExitOk : kExitGap;
}

}  // namespace

Run declare_verify(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positionals("REPORTS", o->more, "more reports, as --reports takes them",
                   false);
  line.options("--reports", o->reports,
               "JUnit XML: a file, a pattern, or a folder with its TEST-*.xml",
               "GLOB");
  line.option("--selection", o->selection,
              "test ids, a line each (default: what the last `rejig run` let "
              "run)",
              "FILE");
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "STORE");
  line.option("--shards", o->shards,
              "instead of reports: the shard.txt of all machines of `rejig run "
              "--shard`, anywhere below this folder",
              "DIR");
  line.flag("--remote", o->remote,
            "the same, of what the shards of this commit published");
  line.option("--commit", o->commit,
              "with --remote: this commit (default: what git says)", "ID");
  line.formats({"text", "json"});
  line.footer(
      "A selected test that has no row and no report is named and no gap: no "
      "runner\nhas been seen to know it.\n"
      "Exit codes: 0 all selected tests ran, 1 a gap or different plans, 2 trouble.\n");
  return [o](Context& context) { return run_verify(*o, context); };
}

}  // namespace rejig::app
