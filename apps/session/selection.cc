// SPDX-License-Identifier: Apache-2.0
// The phases of `select`: settings, the matrix (NEW is read beside it when the
// matrix says what OLD is), the comparison, which rows belong to OLD, files that
// tests read, the age of the baseline, and then the policies over all of it.
// Trouble with the matrix becomes a reason for "all"; trouble with the programs is
// an error, because nobody knows then which tests there are.
#include "apps/session/selection.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>
#include <sstream>
#include <utility>

#include "apps/session/old_program.h"
#include "apps/session/static_rows.h"
#include "classfile/base/file.h"
#include "classfile/base/hash_map.h"
#include "coverage/row/baseline_age.h"
#include "coverage/row/file_state.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

using coverage::SelectionInput;

void add_comparison(const traversal::Comparison& from, SelectionInput& to) {
  to.edges = from.edges;
  to.facets = from.facets;
  to.newly_read = from.newly_read;
  for (const auto& widened : from.widened) {
    to.widened.push_back({widened.what, widened.where});
  }
  to.classes = from.classes;
  to.changed_classes = from.changed_classes;
  to.implied = from.implied;
  to.may_leave = from.may_leave;
  std::set<std::string> now;
  for (const auto& test : from.new_tests) {
    to.tests.push_back({"", test.id, test.framework, {}});
    now.insert(test.id);
  }
  for (const auto& test : from.old_tests) {
    if (now.count(test.id) == 0) to.deleted.push_back(test.id);
  }
}

// Without NEW's libraries a class may stand below one that nobody knows here:
// that it has no tests any more is no reason to leave its rows out.
void keep_tests_in_doubt(const classfile::Program& new_program,
                         SelectionInput& input) {
  std::erase_if(input.deleted, [&](const std::string& id) {
    return new_program.find_class(
               classfile::slashed(coverage::class_of_test(id))) != nullptr;
  });
}

// Old classes with other bytes in NEW, debug tables aside. What cannot be read
// counts as changed.
std::vector<std::string> changed_classes(const Compared& compared) {
  std::vector<std::string> out;
  for (const auto& name : compared.comparison.changed_class_names) {
    const auto read = [&](const classfile::Program& program,
                          base::Buffer& buffer)
        -> base::Result<classfile::ClassView> {
      const auto* file = program.find_class(classfile::slashed(name));
      if (file == nullptr) {
        return base::Error{base::Errc::kNotFound, "no such class", name};
      }
      REJIG_TRY(const auto bytes, program.read(*file, buffer));
      return classfile::ClassView::parse(bytes, name);
    };
    base::Buffer old_bytes;
    base::Buffer new_bytes;
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

// The matrix with its rows. NEW is read meanwhile when the matrix is to say
// what OLD is: each takes as long as the other.
base::Result<std::unique_ptr<coverage::Matrix>> open_beside_new(
    const SelectOptions& o, unsigned jobs, std::shared_ptr<NewAhead>& ahead) {
  std::error_code error;
  const bool old_is_stored = o.inputs.old_path.empty() &&
                             !o.inputs.new_path.empty() &&
                             std::filesystem::exists(o.coverage, error);
  const auto open = [&o] {
    auto store = coverage::open_store(o.coverage);
    // Kept by the matrix; whoever asks again hears of what is wrong.
    if (store.ok()) static_cast<void>((*store)->rows());
    return store;
  };
  if (!old_is_stored || jobs == 1) return open();
  auto store = std::async(std::launch::async, open);
  ahead = read_new(o.inputs);
  return store.get();
}

// Files that tests read by their path, on no class path.
base::Result<void> add_changed_files(const SelectOptions& o,
                                     coverage::Matrix& matrix,
                                     SelectionInput& input) {
  auto variables = coverage::own_environment();
  if (!o.variables.empty()) {
    REJIG_TRY(const std::string text, base::read_file(o.variables));
    variables.clear();
    std::istringstream entries(text);
    for (std::string entry; std::getline(entries, entry, '\0');) {
      variables.push_back(entry);
    }
  }
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  REJIG_TRY(const auto changed, coverage::rows_on_changed_files(matrix, here, variables));
  REJIG_TRY(const auto rows, matrix.rows());
  for (const auto& [row, name] : changed) {
    input.must_run.push_back({std::string(rows[row.index()].test),
                              coverage::TestRule::kEdited,
                              name + " that it read changed"});
  }
  return {};
}

// Which classes of the rows have the bytes that they were recorded on? Asked of
// all classes at once, from all threads.
base::Result<std::function<bool(std::string_view, std::string_view)>>
digests_of_old(const classfile::Program& old_program, coverage::Matrix& matrix,
               base::ThreadPool& pool) {
  REJIG_TRY(const auto classes, matrix.classes());
  std::vector<char> same(classes.size(), 0);
  pool.for_ranges(
      classes.size(), 64, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          same[i] = has_digest(old_program, classes[i].name, classes[i].digest)
                        ? 1
                        : 0;
        }
      });
  return std::function<bool(std::string_view, std::string_view)>(
      [classes, same = std::move(same)](std::string_view name,
                                        std::string_view digest) {
        const coverage::ClassDigest key{name, digest};
        const auto at = std::lower_bound(classes.begin(), classes.end(), key);
        return at != classes.end() && *at == key &&
               same[static_cast<std::size_t>(at - classes.begin())] != 0;
      });
}

// OLD and NEW as they are given; without OLD, the program that the matrix
// keeps. When that cannot be used NEW is compared with itself, to know its
// tests: all of them are selected.
base::Result<std::unique_ptr<Compared>> compare_programs(
    SelectOptions& o, const std::string& suite, Selected& selected,
    SelectionInput& input, std::string& stored_suite,
    const std::shared_ptr<NewAhead>& ahead, Work& work) {
  if (o.inputs.new_path.empty()) {
    return base::Error{base::Errc::kUsage,
                       "missing argument NEW: path list of the new version "
                       "(see rejig select --help)",
                       ""};
  }
  if (!o.inputs.old_path.empty()) return compare_inputs(o.inputs, work);
  StoredOld old;
  if (selected.matrix) {
    REJIG_TRY(old, find_old(*selected.matrix, suite, o.inputs));
  }
  for (auto& reason : old.all_because) {
    input.all_because.push_back(std::move(reason));
  }
  for (auto& text : old.assumptions) {
    input.assumptions.push_back(std::move(text));
  }
  if (!old.record) {
    InputOptions alone = o.inputs;
    alone.old_path = alone.new_path;
    alone.old_lib = alone.new_lib;
    alone.old_jdk = alone.new_jdk;
    return compare_inputs(alone, work);
  }
  REJIG_TRY(auto out, compare_inputs(o.inputs, work, &*old.record,
                                     ahead));
  if (!out->stored_problem.empty()) {
    input.all_because.push_back("the stored program cannot be used: " +
                                out->stored_problem);
  }
  stored_suite = old.suite;
  return out;
}

}  // namespace

namespace {

// Asked only when a limit is set: counting writes beside the store.
base::Result<void> add_age(const SelectOptions& o, const std::string& suite,
                           Selected& selected, SelectionInput& input) {
  const auto& policy = selected.policy;
  if (!policy.max_age_days && !policy.max_selections) return {};
  REJIG_TRY(const auto age,
            coverage::baseline_age(*selected.matrix, o.coverage, suite,
                                   o.counts && policy.max_selections));
  input.baseline_age_days = age.days;
  input.baseline_selections = age.selections;
  return {};
}

}  // namespace

coverage::Answer answer_in_view(const Selected& selected, coverage::View view,
                                base::ThreadPool& pool,
                                std::unique_ptr<coverage::Matrix>* rows) {
  SelectionInput input = selected.input;
  std::unique_ptr<coverage::Matrix> own;
  const auto unusable = [&](const base::Error& error) {
    input.all_because.push_back("the rows cannot be used: " + error.message());
  };
  const bool by_graph =
      view == coverage::View::kHybrid || view == coverage::View::kStatic;
  if (view != coverage::View::kStatic) {
    input.all_because.insert(input.all_because.end(),
                             selected.no_matrix.begin(),
                             selected.no_matrix.end());
  }
  if (view == coverage::View::kEdge) input.detail = coverage::Detail::kEdges;
  if (view == coverage::View::kClass && selected.compared) {
    const auto asked = coverage::as_class_view(
        input, changed_classes(*selected.compared), selected.matrix.get());
    if (!asked.ok()) unusable(asked.error());
  } else if (by_graph && selected.compared) {
    const OldWorld old{selected.compared->old_program,
                       selected.compared->old_external,
                       &selected.compared->comparison.old_tests};
    if (view == coverage::View::kStatic) {
      auto made =
          static_rows(old, selected.matrix.get(), input.default_suite, pool);
      if (made.ok()) {
        own = std::move(*made);
      } else {
        unusable(made.error());
      }
      input.assumptions.push_back(
          "view static: reflection is where bytecode or a library calls it; a "
          "test without a row passed");
      input.is_old = nullptr;
      input.not_old.reset();
    } else if (selected.matrix) {
      auto made = hybrid_rows(old, *selected.matrix, pool);
      if (made.ok()) {
        own = std::move(*made);
      } else {
        unusable(made.error());
      }
      input.assumptions.push_back(
          "view hybrid: reachable inside the row's classes");
    }
  }
  auto answer = coverage::select(std::move(input),
                                 own ? own.get() : selected.matrix.get(),
                                 selected.policy);
  if (rows != nullptr) *rows = std::move(own);
  return answer;
}

base::Result<std::unique_ptr<Selected>> run_selection(SelectOptions o,
                                                      Work& work) {
  auto out = std::make_unique<Selected>();
  REJIG_TRY(Config config, load_config(work));
  if (o.only_path_is_new && o.inputs.new_path.empty() &&
      o.inputs.class_path.empty() && !config.new_path) {
    o.inputs.new_path = std::exchange(o.inputs.old_path, "");
  }
  complete_inputs(o.inputs, config);
  out->surefire_version = config.surefire_version.value_or("");
  out->policy = policy_of(config);
  if (!o.assume.empty()) out->policy.assume = o.assume;
  if (!o.assume.empty()) {
    std::erase_if(out->policy.narrowing, [](const auto& text) {
      return text.find(": assume ") != std::string::npos;
    });
  }
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
  if (!o.rehash) o.inputs.stat_cache = o.coverage + ".stat";
  const std::string named_suite =
      o.suite.empty() ? config.suite.value_or("") : o.suite;

  SelectionInput input;
  input.default_suite = named_suite.empty() ? "default" : named_suite;
  input.all_because = o.all_because;
  std::shared_ptr<NewAhead> ahead;
  {
    const auto phase = work.phases.scope("open matrix, and NEW beside it");
    auto store = open_beside_new(o, work.jobs, ahead);
    if (store.ok()) {
      out->matrix = std::move(store).value();
    } else if (store.error().code == base::Errc::kNotFound) {
      out->no_matrix.push_back("there is no matrix yet (" + o.coverage + ")");
    } else {
      out->no_matrix.push_back("the matrix cannot be used: " +
                               store.error().message());
    }
  }
  std::string stored_suite;  // OLD is its stored program
  REJIG_TRY(out->compared,
            compare_programs(o, named_suite, *out, input, stored_suite,
                             ahead, work));
  add_comparison(out->compared->comparison, input);
  if (out->compared->stored && o.inputs.new_lib.empty()) {
    keep_tests_in_doubt(*out->compared->new_program, input);
  }
  if (out->matrix && out->matrix->has_digests()) {
    const auto phase = work.phases.scope("check digests");
    if (out->compared->stored) {
      auto known = coverage::foreign_classes(*out->matrix, stored_suite);
      if (known.ok()) input.not_old = std::move(*known);
    }
  }
  if (out->matrix && out->matrix->has_digests() && !input.not_old) {
    const auto phase = work.phases.scope("compare digests");
    auto checked = digests_of_old(*out->compared->old_program, *out->matrix,
                                  work.pool());
    if (checked.ok()) {
      input.is_old = std::move(*checked);
    } else {
      input.all_because.push_back("the matrix cannot be read: " +
                                  checked.error().message());
    }
  }
  if (out->matrix) {
    REJIG_TRY_VOID(add_changed_files(o, *out->matrix, input));
    REJIG_TRY_VOID(add_age(o, named_suite, *out, input));
  }
  out->implied = input.implied;
  out->tests = input.tests;
  {
    const auto phase = work.phases.scope("select");
    out->input = std::move(input);
    out->answer = answer_in_view(
        *out, coverage::view_of(o.view).value_or(coverage::View::kMethod),
        work.pool(), &out->view_rows);
  }
  for (const auto& reason : out->answer.reasons) {
    work.listener.warning("all tests, because " + reason);
  }
  for (const auto& note : out->answer.notes) work.listener.note(note);
  for (const auto& widened : out->answer.widened) {
    work.listener.warning(widened.where.empty()
                                  ? widened.what
                                  : widened.where + ": " + widened.what);
  }
  return out;
}

}  // namespace rejig::app
