// SPDX-License-Identifier: Apache-2.0
// In which words is an answer given? The formats of `rejig select` and, with
// report_diff.h, of `rejig diff`: the same Answer, the same edge numbers, the
// same order, whatever the format. A report decides nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/rejig/cli/output.h"
#include "apps/rejig/report/json_answers.h"
#include "coverage/select/answer.h"
#include "coverage/select/explain.h"

namespace rejig::app {

struct ReportOptions {
  std::vector<std::string> source_roots;  // where "a/b/C.java" is looked for
  bool absolute_paths = false;
  unsigned max_nodes = 300;          // of dot
  bool verbose = false;              // text: every reason of every test
  base::ThreadPool* pool = nullptr;  // of diff: who writes
};

const std::vector<std::string>& select_formats();
const std::vector<std::string>& diff_formats();

void write_select(std::string_view format, const coverage::Answer& answer,
                  const ReportOptions& options, Output& out);

// The parts, one for each file report_*.cc; JSON: json_answers.h.
void select_text(const coverage::Answer& answer, const ReportOptions& options,
                 Output& out);
void select_ids(const coverage::Answer& answer, Output& out);
void select_lines(const coverage::Answer& answer, const ReportOptions& options,
                  Output& out);
void select_page(std::string_view format, const coverage::Answer& answer,
                 const ReportOptions& options, Output& out);
void select_sarif(const coverage::Answer& answer, const ReportOptions& options,
                  Output& out);
void select_annotations(const coverage::Answer& answer,
                        const ReportOptions& options, Output& out);
void select_dot(const coverage::Answer& answer, const ReportOptions& options,
                Output& out);

// "a/b/C.java" as the options want it; "" stays "".
std::string source_path(const std::string& file, const ReportOptions& options);
// "2 dangerous edges; 2 of 3 classes changed"
std::string classes_text(const coverage::Answer& answer);
void write_widened(const coverage::Answer& answer, Output& out);
// An edge and its facts below it, as text; `name`: its entity too.
std::string edge_text(const coverage::Answer& answer, std::uint32_t edge,
                      bool name, const ReportOptions& options);
// "a/b/C.java:17", or nothing: of the change; of the entity, if that is where
// the change is.
std::string position_of_entity(const classfile::Delta& delta,
                               const ReportOptions& options);
std::string position(const classfile::Delta& delta,
                     const ReportOptions& options);
// "E1 D1 a.b.C.add(II)I: a sentence" on one line.
std::string edge_line(const coverage::Answer& answer, std::uint32_t edge);
// "recv:R|t & m:x" of one conjunction.
std::string item_text(const classfile::Conjunction& item);
// "selected 3 of 120 known tests, 2 of them new; 117 unaffected, 1 gone"
std::string counts_text(const coverage::Counts& counts);

}  // namespace rejig::app
