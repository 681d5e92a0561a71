// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/selection.h"

#include <algorithm>
#include <set>
#include <utility>

#include "coverage/store.h"

namespace rejig::app {

namespace {

using coverage::SelectionInput;

void add_comparison(const traversal::Comparison& from, SelectionInput& to) {
  to.edges = from.edges;
  to.facets = from.facets;
  for (const auto& widened : from.widened) {
    to.widened.push_back({widened.what, widened.where});
  }
  to.classes = from.classes;
  to.changed_classes = from.changed_classes;
  to.implied = from.implied;
  std::set<std::string> now;
  for (const auto& test : from.new_tests) {
    to.tests.push_back({"", test.id, test.framework, {}});
    now.insert(test.id);
  }
  for (const auto& test : from.old_tests) {
    if (now.count(test.id) == 0) to.deleted.push_back(test.id);
  }
}

}  // namespace

void declare_selection(CommandLine& line, SelectOptions& o) {
  declare_inputs(line, o.inputs);
  line.option("--coverage", o.coverage, "the matrix (default .rejig/matrix.db)",
              "STORE");
  line.option("--suite", o.suite, "the suite of tests that have no row yet",
              "NAME");
  line.options("--assume", o.assume,
               "narrow: what rows did not record did not happen "
               "(no-reflection, no-resources, ...)",
               "NAME");
  line.flag("--allow-lower-bound", o.allow_lower_bound,
            "let rows that are not entry-true justify a skip");
  line.options("--source-root", o.source_roots,
               "where sources are looked for, to print their paths", "DIR");
  line.choice("--path-style", o.path_style, {"given", "absolute"},
              "how source paths are printed");
}

base::Result<std::unique_ptr<Selected>> run_selection(SelectOptions o,
                                                      Context& context) {
  auto out = std::make_unique<Selected>();
  REJIG_TRY(Config config, load_config(context.config));
  complete_inputs(o.inputs, config);
  out->surefire_version = config.surefire_version.value_or("");
  out->policy = policy_of(config);
  if (!o.assume.empty()) out->policy.assume = o.assume;
  if (o.allow_lower_bound) out->policy.allow_lower_bound = true;
  for (const auto& name : out->policy.assume) {
    REJIG_TRY_VOID([&]() -> base::Result<void> {
      REJIG_TRY(const auto kinds, coverage::assumed_absent(name));
      static_cast<void>(kinds);
      return {};
    }());
  }
  if (o.coverage.empty()) {
    o.coverage = config.coverage.value_or(coverage::kDefaultStore);
  }
  if (o.suite.empty()) o.suite = config.suite.value_or("default");

  SelectionInput input;
  input.default_suite = o.suite;
  {
    const auto phase = context.phases.scope("open matrix");
    auto store = coverage::open_store(o.coverage);
    if (store.ok()) {
      out->matrix = std::move(store).value();
    } else if (store.error().code == base::Errc::kNotFound) {
      input.all_because.push_back("there is no matrix yet (" + o.coverage +
                                  ")");
    } else {
      input.all_because.push_back("the matrix cannot be used: " +
                                  store.error().message());
    }
  }
  if (o.inputs.new_path.empty()) {
    return base::Error{base::Errc::kUsage, "OLD and NEW are needed", ""};
  }
  if (o.inputs.old_path.empty()) {
    return base::Error{base::Errc::kUsage,
                       "OLD is needed: the matrix holds no old program", ""};
  }
  REJIG_TRY(out->compared, compare_inputs(o.inputs, context));
  add_comparison(out->compared->comparison, input);
  const classfile::Program* old_program = out->compared->old_program;
  input.is_old = [old_program](std::string_view name, std::string_view digest) {
    return has_digest(*old_program, name, digest);
  };
  out->implied = input.implied;
  out->tests = input.tests;
  {
    const auto phase = context.phases.scope("select");
    out->answer =
        coverage::select(std::move(input), out->matrix.get(), out->policy);
  }
  for (const auto& reason : out->answer.reasons) {
    context.messages->warning("all tests, because " + reason);
  }
  for (const auto& widened : out->answer.widened) {
    context.messages->warning(widened.where.empty()
                                  ? widened.what
                                  : widened.where + ": " + widened.what);
  }
  return out;
}

coverage::Answer answer_of(const traversal::Comparison& comparison) {
  coverage::Answer answer;
  answer.edges = coverage::numbered(comparison.edges);
  for (const auto& widened : comparison.widened) {
    answer.widened.push_back({widened.what, widened.where});
  }
  answer.classes = comparison.classes;
  answer.changed_classes = comparison.changed_classes;
  return answer;
}

}  // namespace rejig::app
