// SPDX-License-Identifier: Apache-2.0
// rejig baseline list|drop: what is the next run compared with? A suite whose
// baseline is dropped runs everything once.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/session/run_baseline.h"
#include "apps/session/settings.h"
#include "classfile/words/entity.h"
#include "coverage/store/matrix_builder.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "baseline/";

struct Options {
  std::string action;
  std::vector<std::string> suites;
  std::string store;
  bool all = false;

  std::string folder() const {
    return (fs::path(store).parent_path() / "baseline").string();
  }
};

struct SuiteRows {
  std::size_t rows = 0;
  std::size_t doubtful = 0;  // justify no skip
};

base::Result<std::map<std::string, SuiteRows>> rows_of(
    coverage::Matrix& matrix) {
  std::map<std::string, SuiteRows> out;
  REJIG_TRY(const auto rows, matrix.rows());
  for (const auto& row : rows) {
    auto& suite = out[std::string(row.suite)];
    ++suite.rows;
    if (!row.justifies_skip()) ++suite.doubtful;
  }
  return out;
}

base::Result<void> list(const Options& o, Context& context) {
  REJIG_TRY(const auto matrix, coverage::open_store(o.store));
  REJIG_TRY(auto suites, rows_of(*matrix));
  std::map<std::string, std::string> pointers;
  REJIG_TRY(const auto environment, matrix->environment());
  for (const auto& e : environment) {
    if (!e.key.starts_with(kPrefix)) continue;
    const std::string suite(e.key.substr(kPrefix.size()));
    pointers[suite] = std::string(e.value);
    suites[suite];
  }
  for (const auto& [suite, count] : suites) {
    context.out->write(suite + "  " + std::to_string(count.rows) + " tests");
    if (count.doubtful != 0) {
      context.out->write(", " + std::to_string(count.doubtful) + " run again");
    }
    const auto at = pointers.find(suite);
    if (at == pointers.end()) {
      context.out->write("; no baseline, everything runs\n");
      continue;
    }
    const auto snapshot = read_snapshot(o.folder() + "/" + at->second);
    if (!snapshot.ok()) {
      context.out->write("; everything runs: " + snapshot.error().message() +
                         "\n");
      continue;
    }
    context.out->write("; " + snapshot->java + "\n");
    for (const auto& root : snapshot->roots) {
      context.out->write("  " + root + "\n");
    }
    context.out->write("  " + std::to_string(snapshot->libraries.size()) +
                       " libraries\n");
  }
  return {};
}

// Everything but the pointers of these suites.
base::Result<void> copy(coverage::Matrix& old,
                        const std::set<std::string>& without,
                        coverage::MatrixBuilder& builder) {
  std::vector<coverage::MatrixBuilder::LocalAtom> local(old.atom_count());
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<classfile::AtomKind>(k);
    REJIG_TRY_VOID(old.each_atom(kind, "", [&](auto id, auto text) {
      local[id.index()] = builder.intern(kind, text);
    }));
  }
  REJIG_TRY(const auto rows, old.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REJIG_TRY(const auto ids, old.atoms_of(coverage::RowId::of(i)));
    std::vector<coverage::MatrixBuilder::LocalAtom> atoms;
    for (const auto id : ids) atoms.push_back(local[id.index()]);
    builder.add_row(rows[i], std::move(atoms));
  }
  REJIG_TRY(const auto classes, old.classes());
  for (const auto& c : classes) builder.add_class(c.name, c.digest);
  REJIG_TRY(const auto environment, old.environment());
  for (const auto& e : environment) {
    if (!e.key.starts_with(kPrefix) ||
        without.count(std::string(e.key.substr(kPrefix.size()))) == 0) {
      builder.add_environment(e.key, e.value);
    }
  }
  REJIG_TRY(const auto names, old.fact_names(""));
  for (const auto& name : names) {
    REJIG_TRY(const auto contents, old.facts(name));
    for (const auto& bytes : contents) builder.add_facts(name, bytes);
  }
  return {};
}

base::Result<void> drop(const Options& o, Context& context) {
  if (o.suites.empty() && !o.all) {
    return base::Error{base::Errc::kUsage,
                       "say which: drop SUITE..., or drop --all", ""};
  }
  REJIG_TRY(const auto there, coverage::open_store(o.store));
  static_cast<void>(there);
  std::set<std::string> wanted(o.suites.begin(), o.suites.end());
  std::vector<std::string> folders;
  REJIG_TRY_VOID(coverage::update_store(
      o.store, [&](coverage::MatrixBuilder& builder) -> base::Result<void> {
        const auto old = builder.finish();
        std::vector<std::string> known;
        REJIG_TRY(const auto environment, old->environment());
        for (const auto& e : environment) {
          if (!e.key.starts_with(kPrefix)) continue;
          known.emplace_back(e.key.substr(kPrefix.size()));
          if (o.all) wanted.insert(known.back());
          if (wanted.count(known.back()) != 0) {
            folders.push_back(o.folder() + "/" + std::string(e.value));
          }
        }
        for (const auto& suite : wanted) {
          if (std::find(known.begin(), known.end(), suite) == known.end()) {
            return base::Error{
                base::Errc::kUsage,
                "this suite has no baseline" + did_you_mean(suite, known),
                suite};
          }
        }
        return copy(*old, wanted, builder);
      }));
  for (const auto& folder : folders) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  context.messages->note("dropped " + std::to_string(wanted.size()) +
                         (wanted.size() == 1 ? " baseline" : " baselines") +
                         "; their tests all run next time");
  return {};
}

int run_baseline(Options o, Context& context) {
  if (o.store.empty()) {
    const auto config = load_config(context);
    if (!config.ok()) return context.trouble(config.error());
    o.store = config->coverage.value_or(coverage::kDefaultStore);
  }
  base::Result<void> done;
  if (o.action == "list") {
    done = o.suites.empty() && !o.all
               ? list(o, context)
               : base::Error{base::Errc::kUsage, "list takes no argument", ""};
  } else if (o.action == "drop") {
    done = drop(o, context);
  } else {
    done = base::Error{base::Errc::kUsage,
                       "unknown action '" + o.action + "'" +
                           did_you_mean(o.action, {"list", "drop"}),
                       ""};
  }
  return done.ok() ? kExitOk : context.trouble(done.error());
}

}  // namespace

Run declare_baseline(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("ACTION", o->action, "list or drop");
  line.words("ACTION", {"list", "drop"});
  line.positionals("SUITE", o->suites, "drop: these suites", false);
  line.flag("--all", o->all, "drop: every suite");
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "STORE");
  line.footer(
      "Actions:\n"
      "  list  suites, their tests, and what the next run is compared with\n"
      "  drop  forget what it is compared with: everything runs once\n");
  return [o](Context& context) { return run_baseline(*o, context); };
}

}  // namespace rejig::app
