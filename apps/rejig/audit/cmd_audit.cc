// SPDX-License-Identifier: Apache-2.0
// rejig audit OLD NEW --results FILE...: would the selection have missed
// anything? Asks the results of a full run of NEW.
#include "apps/rejig/audit/audit_judge.h"
#include "apps/rejig/audit/audit_report.h"
#include "apps/rejig/audit/audit_results.h"
#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/session/selection.h"

namespace rejig::app {

namespace {

constexpr int kExitMissed = 1;

struct Options {
  SelectOptions select;
  std::vector<std::string> results;
  std::vector<std::string> more;  // what a shell made of a pattern
  std::vector<std::string> again;
  std::vector<std::string> lists;
  std::vector<std::string> views;
};

base::Result<coverage::JunitIds> known_ids(const Selected& selected) {
  std::vector<std::string> ids;
  if (selected.matrix) {
    REJIG_TRY(const auto rows, selected.matrix->rows());
    for (const auto& row : rows) ids.emplace_back(row.test);
  }
  for (const auto& test : selected.tests) ids.push_back(test.id);
  for (const auto& id : selected.input.deleted) ids.push_back(id);
  return coverage::JunitIds(std::move(ids));
}

base::Result<std::vector<Selector>> selectors_of(const Options& o,
                                                 const Selected& selected,
                                                 base::ThreadPool& pool) {
  std::vector<Selector> out;
  std::vector<std::string> views = o.views;
  if (views.empty() && o.lists.empty()) {
    for (const auto view : {coverage::View::kMethod, coverage::View::kClass}) {
      views.emplace_back(name_of(view));
    }
  }
  for (const auto& name : views) {
    const auto view = coverage::view_of(name);
    if (!view) {
      std::string known;
      for (const auto one : coverage::all_views()) {
        known += (known.empty() ? "" : ", ") + std::string(name_of(one));
      }
      return base::Error{base::Errc::kUsage, "the views are " + known,
                         "--view " + name};
    }
    out.push_back(selector_of(name, answer_in_view(selected, *view, pool)));
  }
  for (const auto& path : o.lists) {
    REJIG_TRY(auto list, read_selector(path));
    out.push_back(std::move(list));
  }
  return out;
}

base::Result<Audit> run(const Options& o, Context& context) {
  REJIG_TRY(const auto selected, selected_by(o.select, context));
  if (!selected->matrix) {
    return base::Error{base::Errc::kNotFound,
                       "an audit needs the matrix of the old version",
                       selected->answer.reasons.empty()
                           ? ""
                           : selected->answer.reasons.front()};
  }
  REJIG_TRY(const auto known, known_ids(*selected));
  const std::string& suite = selected->input.default_suite;
  const auto phase = context.phases.scope("audit");
  REJIG_TRY(const Results results, read_results(o.results, known, suite));
  Results again;
  if (!o.again.empty()) {
    REJIG_TRY(again, read_results(o.again, known, suite));
  }
  REJIG_TRY(const auto selectors, selectors_of(o, *selected, context.pool()));
  return judge(*selected, results, o.again.empty() ? nullptr : &again,
               selectors);
}

int run_audit(Options o, Context& context) {
  if (o.results.empty()) {
    return context.trouble({base::Errc::kUsage,
                            "no test results given: use --results FILE", ""});
  }
  if (!o.more.empty() && !o.again.empty()) {
    return context.trouble(
        {base::Errc::kUsage,
         "with --results-again, say --results or --results-again before each "
         "file, or quote the pattern",
         o.more.front()});
  }
  o.results.insert(o.results.end(), o.more.begin(), o.more.end());
  const auto audit = run(o, context);
  if (!audit.ok()) return context.trouble(audit.error());
  write_audit(context.format, *audit, *context.out);
  for (const auto& one : audit->selectors) {
    if (one.unobserved.empty()) continue;
    context.messages->warning(
        selector_title(one) + ": " + std::to_string(one.unobserved.size()) +
        " tests were not selected and have no result; are these the results "
        "of a full run?");
  }
  return audit->clean() ? kExitOk : kExitMissed;
}

}  // namespace

Run declare_audit(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("OLD", o->select.inputs.old_path,
                  "path list of the old version", false);
  line.positional("NEW", o->select.inputs.new_path,
                  "path list of the new version", false);
  line.positionals("RESULTS", o->more, "more results, as --results takes them",
                   false);
  declare_selection(line, o->select, false);
  line.options("--results", o->results,
               "results of all tests of NEW: JUnit XML or rows (NDJSON); a "
               "file, a pattern, or a folder with its TEST-*.xml",
               "FILE");
  line.options("--results-again", o->again,
               "results of another run of NEW: tests that differ by themselves "
               "are not counted",
               "FILE");
  line.options("--selection", o->lists,
               "audit this list (test ids, class#method or classes, a line "
               "each) instead of rejig's views",
               "FILE");
  line.options("--view", o->views,
               "audit this view: method, edge, class, hybrid, static (without "
               "any: method and class)",
               "VIEW");
  line.formats({"text", "json", "markdown", "html", "sarif"});
  line.footer(
      "Hard misses: tests that were not selected and fail now or end otherwise "
      "than\nbefore. LR: of the tests that executed changed code, those not "
      "selected.\nExit codes: 0 nothing missed, 1 missed, or a skipped test "
      "has no result, 2 trouble.\n");
  return [o](Context& context) { return run_audit(*o, context); };
}

}  // namespace rejig::app
