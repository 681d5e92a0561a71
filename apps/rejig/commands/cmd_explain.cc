// SPDX-License-Identifier: Apache-2.0
// rejig explain TEST | --not TEST | --edge ID | --top: why the answer is what
// it is. rejig explain D16 | E12: a rule, an edge of a comparison.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/report/explain_edge.h"
#include "apps/rejig/report/report.h"
#include "apps/rejig/report/report_explain.h"
#include "apps/rejig/report/run_record.h"
#include "apps/session/explanation.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

struct Options : Questions {
  SelectOptions select;
  bool now = false;
  std::string old_path;
  std::string new_path;
};

// What was probably meant by a test that nobody knows.
base::Error with_hint(base::Error error, const coverage::Answer& answer) {
  if (error.code != base::Errc::kNotFound || error.where.starts_with('E')) {
    return error;
  }
  std::vector<std::string> known;
  for (const auto& test : answer.selected) known.push_back(test.key.test);
  for (const auto& key : answer.unaffected) known.push_back(key.test);
  error.what += did_you_mean(error.where, known);
  return error;
}

int write(const Options& o, const coverage::Answer& answer,
          const base::Result<Explanation>& explanation, Context& context) {
  if (!explanation.ok()) {
    return context.trouble(with_hint(explanation.error(), answer));
  }
  ReportOptions report;
  report.source_roots = o.select.source_roots;
  report.absolute_paths = o.select.path_style == "absolute";
  write_explanation(context.format, answer, *explanation, report, *context.out);
  return kExitOk;
}

// The run that was, unless somebody says which programs are meant, or now.
base::Result<std::optional<RunRecord>> run_meant(Options& o, Context& context) {
  const auto& inputs = o.select.inputs;
  if (o.now || !inputs.old_path.empty() || !inputs.new_path.empty() ||
      !inputs.class_path.empty()) {
    return std::optional<RunRecord>();
  }
  REJIG_TRY(const Config config, load_config(context));
  if (config.old_path || config.new_path) return std::optional<RunRecord>();
  if (o.select.coverage.empty()) {
    o.select.coverage = config.coverage.value_or(coverage::kDefaultStore);
  }
  auto last = last_run(o.select.coverage);
  if (last.ok()) return std::optional<RunRecord>(std::move(*last));
  if (last.error().code != base::Errc::kNotFound) {
    context.messages->warning(last.error().message());
  }
  return std::optional<RunRecord>();
}

bool is_path_list(const std::string& text) {
  const auto roots = classfile::Program::split_path_list(text);
  std::error_code error;
  return !roots.empty() && std::filesystem::exists(roots.front(), error);
}

// `explain OLD NEW TEST`, `explain NEW TEST`, `explain TEST OLD NEW`: the words
// that are files are the programs.
void take_programs(Options& o) {
  auto& inputs = o.select.inputs;
  if (!inputs.old_path.empty() || !inputs.new_path.empty()) return;
  const auto is_test = [](const auto& word) { return !is_path_list(word); };
  const auto first = std::ranges::find_if_not(o.tests, is_test);
  if (first == o.tests.end()) return;
  auto end = first + 1;
  if (end != o.tests.end() && is_path_list(*end)) {
    inputs.old_path = *first;
    inputs.new_path = *end++;
  } else {
    inputs.new_path = *first;
  }
  o.tests.erase(first, end);
}

int run_explain(Options o, Context& context) {
  o.select.inputs.old_path = o.old_path;
  o.select.inputs.new_path = o.new_path;
  if (o.tests.size() == 1 && names_rule(o.tests[0])) {
    return explain_rule(o.tests[0], context);
  }
  // An edge may stand before OLD and NEW, too.
  const auto edge = std::ranges::find_if(
      o.tests, [](const auto& word) { return names_edge(word); });
  if (edge != o.tests.end()) {
    const std::string id = *edge;
    o.tests.erase(edge);
    take_programs(o);
    if (!o.tests.empty()) {
      return context.trouble({base::Errc::kUsage,
                              "an edge is explained by itself", o.tests[0]});
    }
    return explain_edge(id, o.select.inputs, context);
  }
  take_programs(o);
  if (o.tests.empty() && o.skipped.empty() && o.edge.empty() && !o.top) {
    return context.trouble(
        {base::Errc::kUsage, "give a TEST, a rule (D16), an edge (E12), --not TEST, --edge ID or "
         "--top", ""});
  }
  const auto last = run_meant(o, context);
  if (!last.ok()) return context.trouble(last.error());
  if (*last) {
    const RunRecord& run = **last;
    context.messages->note("of the run of " + run.when +
                           " (rejig explain --now: as it lies here now)");
    return write(o, run.answer,
                 explanation_of_kept(run.answer, o.select.coverage, o), context);
  }
  auto selected = selected_by(o.select, context, true);
  if (!selected.ok()) return context.trouble(selected.error());
  return write(o, (*selected)->answer, explanation_of(**selected, o), context);
}

}  // namespace

Run declare_explain(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positionals("TEST", o->tests,
                   "test ids, classes or patterns, after OLD and NEW; a rule "
                   "(D16, rules); an edge (E12) of OLD and NEW, or of the last "
                   "rejig diff. Without OLD and NEW: of the last rejig run",
                   false);
  line.option("--old", o->old_path, "path list of the old version", "LIST");
  line.option("--new", o->new_path, "path list of the new version", "LIST");
  declare_selection(line, o->select);
  line.option("--not", o->skipped, "why this test is safe to skip", "TEST");
  line.option("--edge", o->edge, "the tests that this edge selects", "ID");
  line.flag("--now", o->now,
            "without OLD, NEW: of what the next run would select, not of the "
            "last run");
  line.flag("--top", o->top, "the edges that select most tests");
  line.formats({"text", "json", "markdown"});
  return [o](Context& context) { return run_explain(*o, context); };
}

}  // namespace rejig::app
