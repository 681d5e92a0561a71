// SPDX-License-Identifier: Apache-2.0
// rejig explain TEST | --not TEST | --edge ID | --top: why the answer is what
// it is. rejig explain D16 | E12: a rule, an edge of a comparison.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/report/explain_edge.h"
#include "apps/rejig/report/report.h"
#include "apps/rejig/report/report_explain.h"
#include "apps/rejig/report/run_record.h"
#include "apps/session/selection.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

struct Options {
  SelectOptions select;
  std::vector<std::string> tests;
  std::string skipped;
  std::string edge;
  bool top = false;
  bool now = false;
  std::string old_path;
  std::string new_path;
};

base::Error unknown_test(const coverage::Answer& answer,
                         const std::string& name) {
  std::vector<std::string> known;
  for (const auto& test : answer.selected) known.push_back(test.key.test);
  for (const auto& key : answer.unaffected) known.push_back(key.test);
  return {base::Errc::kNotFound,
          "no test of the answer has this id, class or pattern" +
              did_you_mean(name, known),
          name};
}

// How one test is explained, selected or not.
struct Asking {
  std::function<base::Result<coverage::TestExplanation>(const coverage::TestKey&)>
      test;
  std::function<base::Result<coverage::SkipExplanation>(const coverage::TestKey&)>
      skip;
};

base::Result<Explanation> explain(const Options& o,
                                  const coverage::Answer& answer,
                                  const Asking& ask) {
  Explanation out;
  for (const auto& name : o.tests) {
    const auto keys = tests_meant(answer, name);
    if (keys.empty()) return unknown_test(answer, name);
    for (const auto& key : keys) {
      REJIG_TRY(auto one, ask.test(key));
      out.tests.push_back(std::move(one));
    }
  }
  if (!o.skipped.empty()) {
    const auto keys = tests_meant(answer, o.skipped);
    if (keys.empty()) return unknown_test(answer, o.skipped);
    for (const auto& key : keys) {
      REJIG_TRY(auto one, ask.skip(key));
      out.skips.push_back(std::move(one));
    }
  }
  if (!o.edge.empty()) {
    const auto edge = coverage::edge_named(answer, o.edge);
    if (!edge) {
      return base::Error{
          base::Errc::kNotFound,
          "there are the edges E1 to E" + std::to_string(answer.edges.size()),
          o.edge};
    }
    out.edge = edge;
    out.edge_tests = coverage::tests_of_edge(answer, *edge);
  }
  if (o.top) {
    constexpr std::size_t kTop = 20;
    out.top = coverage::top_edges(answer);
    out.top.resize(std::min(out.top.size(), kTop));
    out.top_asked = true;
  }
  return out;
}

Asking asking_now(Selected& selected) {
  return {[&](const auto& key) {
            return coverage::explain_test(selected.answer, key, selected.rows(),
                                          selected.implied, selected.policy);
          },
          [&](const auto& key) {
            return coverage::explain_skip(selected.answer, key, selected.rows(),
                                          selected.implied, selected.policy);
          }};
}

// The rows of what ran are others by now: what was kept says which atoms they
// had. A test that was left out has the row that this rested on.
Asking asking_then(const coverage::Answer& answer, const std::string& store) {
  return {[&](const auto& key) {
            return base::Result<coverage::TestExplanation>(
                explain_kept(answer, key));
          },
          [&answer, store](const auto& key)
              -> base::Result<coverage::SkipExplanation> {
            REJIG_TRY(const auto matrix, coverage::open_store(store));
            return coverage::explain_skip(answer, key, matrix.get(), {}, {});
          }};
}

int write(const Options& o, const coverage::Answer& answer, const Asking& ask,
          Context& context) {
  const auto explanation = explain(o, answer, ask);
  if (!explanation.ok()) return context.trouble(explanation.error());
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
    return write(o, run.answer, asking_then(run.answer, o.select.coverage),
                 context);
  }
  auto selected = selected_by(o.select, context, true);
  if (!selected.ok()) return context.trouble(selected.error());
  return write(o, (*selected)->answer, asking_now(**selected), context);
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
