// SPDX-License-Identifier: Apache-2.0
// How do a comparison, a store and the policies become an Answer? The common
// part of `select` and `explain`. A store that cannot be used means all tests,
// with the reason; only a wrong command line or programs that cannot be read
// are errors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/session/inputs.h"
#include "coverage/select/answer.h"
#include "coverage/select/policy.h"
#include "coverage/select/select.h"
#include "coverage/select/view.h"
#include "coverage/store/matrix.h"

namespace rejig::app {

struct SelectOptions {
  InputOptions inputs;
  std::string coverage;
  std::string suite;
  std::vector<std::string> assume;
  bool allow_lower_bound = false;
  bool rehash = false;  // trust no stamp of a file
  // The variables of the JVM that asks, as /proc has them; empty: rejig's own.
  std::string variables;
  std::vector<std::string> source_roots;
  std::string path_style = "given";
  std::string view = "method";
  bool counts = false;            // as a selection of the baseline's age
  std::vector<std::string> all_because;  // known beforehand
  bool only_path_is_new = false;  // OLD alone on the command line means NEW
};

struct Selected {
  std::unique_ptr<coverage::Matrix> matrix;  // null: not usable
  // null: the programs were not compared. A stored OLD reads from the matrix.
  std::unique_ptr<Compared> compared;
  coverage::Policy policy;
  classfile::Implied implied;
  std::vector<coverage::DiscoveredTest> tests;
  coverage::Answer answer;
  std::string surefire_version;        // of the settings
  coverage::SelectionInput input;      // what the answer was made of
  std::vector<std::string> no_matrix;  // why there is none
  // Rows that a view made for itself; null: it asked the matrix.
  std::unique_ptr<coverage::Matrix> view_rows;

  coverage::Matrix* rows() const {
    return view_rows ? view_rows.get() : matrix.get();
  }
};

base::Result<std::unique_ptr<Selected>> run_selection(SelectOptions options,
                                                      Work& work);

// The same question with another eye. `rows`: those that the view made.
coverage::Answer answer_in_view(
    const Selected& selected, coverage::View view, base::ThreadPool& pool,
    std::unique_ptr<coverage::Matrix>* rows = nullptr);

}  // namespace rejig::app
