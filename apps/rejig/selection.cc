// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/selection.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "coverage/file_state.h"
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

// Old classes with other bytes in NEW, debug tables aside. What cannot be read
// counts as changed.
std::vector<std::string> changed_classes(const Compared& compared) {
  std::vector<std::string> out;
  for (const auto& name : compared.comparison.changed_class_names) {
    const auto read = [&](const classfile::Program& program,
                          std::vector<std::byte>& buffer)
        -> base::Result<classfile::ClassView> {
      const auto* file = program.find_class(classfile::slashed(name));
      if (file == nullptr) {
        return base::Error{base::Errc::kNotFound, "no such class", name};
      }
      REJIG_TRY(const auto bytes, program.read(*file, buffer));
      return classfile::ClassView::parse(bytes, name);
    };
    std::vector<std::byte> old_bytes;
    std::vector<std::byte> new_bytes;
    const auto before = read(*compared.old_program, old_bytes);
    const auto after = read(*compared.new_program, new_bytes);
    if (!before.ok() || !after.ok() ||
        !coverage::same_but_for_debug(*before, *after)) {
      out.push_back(name);
    }
  }
  return out;
}

}  // namespace

namespace {

// Files that tests read by their path, on no class path.
base::Result<void> add_changed_files(coverage::Matrix& matrix,
                                     SelectionInput& input) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  REJIG_TRY(const auto changed, coverage::rows_on_changed_files(matrix, here));
  REJIG_TRY(const auto rows, matrix.rows());
  for (const auto& [row, name] : changed) {
    input.must_run.push_back({std::string(rows[row.index()].test),
                              coverage::TestRule::kEdited,
                              "the file " + name + " that it read changed"});
  }
  return {};
}

}  // namespace

coverage::Answer answer_in_view(const Selected& selected, coverage::View view) {
  SelectionInput input = selected.input;
  if (view == coverage::View::kClass && selected.compared) {
    const auto asked = coverage::as_class_view(
        input, changed_classes(*selected.compared), selected.matrix.get());
    if (!asked.ok()) {
      input.all_because.push_back("the matrix cannot be read: " +
                                  asked.error().message());
    }
  }
  return coverage::select(std::move(input), selected.matrix.get(),
                          selected.policy);
}

void declare_selection(CommandLine& line, SelectOptions& o, bool with_view) {
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
  if (with_view) {
    line.choice("--view", o.view, {"method", "class"},
                "method: the dangerous edges; class: classes touched");
  }
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
  if (out->matrix) {
    REJIG_TRY_VOID(add_changed_files(*out->matrix, input));
  }
  out->implied = input.implied;
  out->tests = input.tests;
  {
    const auto phase = context.phases.scope("select");
    out->input = std::move(input);
    out->answer = answer_in_view(
        *out, coverage::view_of(o.view).value_or(coverage::View::kMethod));
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

}  // namespace rejig::app
