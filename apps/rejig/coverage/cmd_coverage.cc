// SPDX-License-Identifier: Apache-2.0
// rejig coverage export|import|merge|show|stats: look into the matrix and move
// it between programs. Merging is set union, in any order.
#include <memory>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/coverage/coverage_actions.h"
#include "apps/session/settings.h"
#include "coverage/import/ndjson.h"
#include "coverage/store/store.h"

namespace rejig::app {
namespace {

const std::vector<std::string> kActions = {"export", "import", "merge", "show",
                                           "stats"};

constexpr const char* kFooter =
    "Actions:\n"
    "  export            the matrix as NDJSON, a line a row\n"
    "  import [FILE...]  add rows to the store (no FILE or -: standard input)\n"
    "  merge STORE...    add the rows of other stores to the store\n"
    "  show NAME...      the row of a test, the tests of a method, class or "
    "atom\n"
    "  stats             rows, grades, atoms, the largest, the dead ones\n"
    "\n"
    "Examples:\n"
    "  rejig coverage import rows.ndjson --suite core/target/test-classes\n"
    "  rejig coverage import rows.ndjson --program target/classes\n"
    "  rejig coverage merge shards/*.db --store all.db\n"
    "  rejig coverage show 'a.b.C.add(II)I'\n"
    "  rejig coverage export -o rows.ndjson\n";

base::Error usage(std::string what) {
  return {base::Errc::kUsage, std::move(what), ""};
}

int export_rows(coverage::Matrix& matrix, Context& context) {
  const auto phase = context.phases.scope("export");
  const auto done = coverage::export_ndjson(
      matrix, [&](std::string_view text) { context.out->write(text); });
  return done.ok() ? kExitOk : context.trouble(done.error());
}

int merge_stores(const CoverageOptions& o, Context& context) {
  if (o.arguments.empty()) {
    return context.trouble(usage("coverage merge: name at least one store"));
  }
  std::size_t rows = 0;
  const auto done = coverage::update_store(
      o.store, [&](coverage::MatrixBuilder& builder) -> base::Result<void> {
        for (const auto& path : o.arguments) {
          const auto phase = context.phases.scope(path);
          REJIG_TRY(const auto shard, coverage::open_store(path));
          rows += shard->row_count();
          REJIG_TRY_VOID(builder.add(*shard));
        }
        return {};
      });
  if (!done.ok()) return context.trouble(done.error());
  context.messages->note("merged " + std::to_string(rows) + " rows of " +
                         std::to_string(o.arguments.size()) + " stores into " +
                         o.store);
  return kExitOk;
}

int run_coverage(CoverageOptions o, Context& context) {
  const auto config = load_config(context);
  if (!config.ok()) return context.trouble(config.error());
  if (o.store.empty()) {
    o.store = config->coverage.value_or(coverage::kDefaultStore);
  }
  if (o.internal.empty() && config->internal) o.internal = *config->internal;
  if (o.external.empty() && config->external) o.external = *config->external;
  if (o.action == "import") return import_coverage(o, context);
  if (o.action == "merge") return merge_stores(o, context);
  if (o.action != "export" && o.action != "show" && o.action != "stats") {
    return context.trouble(usage("unknown action '" + o.action + "'" +
                                 did_you_mean(o.action, kActions)));
  }
  if (o.action != "show" && !o.arguments.empty()) {
    return context.trouble(
        usage(o.action + " takes no argument, got '" + o.arguments[0] + "'"));
  }
  const auto matrix = coverage::open_store(o.store);
  if (!matrix.ok()) return context.trouble(matrix.error());
  if (o.action == "export") return export_rows(**matrix, context);
  if (o.action == "stats") return print_coverage_stats(o, **matrix, context);
  return show_coverage(o, **matrix, context);
}

}  // namespace

Run declare_coverage(CommandLine& line) {
  auto o = std::make_shared<CoverageOptions>();
  line.positional("ACTION", o->action, "export, import, merge, show or stats");
  line.words("ACTION", {"export", "import", "merge", "show", "stats"});
  line.positionals("NAME", o->arguments, "what the action works on", false);
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "FILE");
  line.option("--suite", o->suite,
              "import: suite of rows that name none (default \"default\")");
  line.option("--program", o->program,
              "import: keep this as the old program of the suite, so that a "
              "selection needs NEW only",
              "LIST");
  line.option("--lib", o->libraries, "import: libraries of --program", "LIST");
  line.option("--jdk", o->jdk,
              "import: platform of --program (default $JAVA_HOME)", "HOME");
  line.options("--internal", o->internal,
               "import: classes that belong to --program wherever they come "
               "from",
               "GLOB");
  line.options("--external", o->external, "import: classes that do not",
               "GLOB");
  line.choice("--from", o->from,
              {"ndjson", "jacoco", "pit", "testwise", "lcov"},
              "import: format of the files (default ndjson)");
  line.option("--classes", o->classes,
              "import: path list of the old classes (jacoco, testwise, lcov)",
              "LIST");
  line.choice("--result", o->result, {"pass", "unknown", "fail"},
              "import: result to assume if the source has none (default: "
              "unknown; such tests are never skipped)");
  line.option("--test", o->test,
              "import: test ID for data that names no test", "ID");
  line.formats({"text", "json", "ndjson"});
  line.footer(kFooter);
  return [o](Context& context) { return run_coverage(*o, context); };
}

}  // namespace rejig::app
