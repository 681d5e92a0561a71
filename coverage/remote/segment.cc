// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/segment.h"

#include <optional>
#include <string_view>

#include "coverage/store/matrix_builder.h"
#include "coverage/store/old_program.h"
#include "coverage/store/store.h"

namespace rejig::coverage {

using base::Errc;
using base::Error;

namespace {

constexpr std::string_view kSnapshot = "snapshot/";
constexpr std::string_view kBaseline = "baseline/";
constexpr std::string_view kShard = "shard/";

WriteOptions write_options(base::ThreadPool* pool) {
  WriteOptions out;
  out.pool = pool;
  return out;
}

// Of the suite: what others have under the same heads is not for this one.
bool is_of_another_suite(std::string_view key, const std::string& suite) {
  for (const std::string_view head : {"recorded/", "selections/"}) {
    if (key.starts_with(head)) return key.substr(head.size()) != suite;
  }
  return false;
}

}  // namespace

base::Result<void> write_segment(const std::string& path, Matrix& matrix,
                                 const SegmentContent& content,
                                 base::ThreadPool* pool) {
  MatrixBuilder builder;
  REJIG_TRY(const auto all, matrix.rows());
  std::vector<std::optional<Row>> rows(all.begin(), all.end());
  for (auto& row : rows) {
    if (row->suite != content.suite ||
        content.without.count(std::string(row->test)) != 0) {
      row.reset();
    }
  }
  REJIG_TRY_VOID(builder.add_rows(matrix, rows, {}));
  REJIG_TRY(const auto classes, matrix.classes());
  for (const auto& one : classes) builder.add_class(one.name, one.digest);
  REJIG_TRY(const auto environment, matrix.environment());
  for (const auto& one : environment) {
    if (one.key.starts_with(kBaseline) || one.key.starts_with(kSnapshot) ||
        one.key.starts_with(kShard) ||
        is_of_another_suite(one.key, content.suite)) {
      continue;
    }
    builder.add_environment(one.key, one.value);
  }
  builder.add_environment(std::string(kSnapshot) + content.suite,
                          content.snapshot);
  if (!content.shard.empty()) {
    builder.add_environment(std::string(kShard) + content.suite, content.shard);
  }
  const std::string program = kProgramFact + content.suite;
  REJIG_TRY(const auto names, matrix.fact_names(""));
  for (const auto& name : names) {
    if (name.starts_with(kForeignFact) ||
        (name.starts_with(kProgramFact) && name != program)) {
      continue;
    }
    REJIG_TRY(const auto contents, matrix.digested_facts(name));
    for (const auto& [digest, bytes] : contents) {
      builder.add_facts(name, bytes, digest);
    }
  }
  if (builder.facts(program).size() != 1) {
    return Error{Errc::kNotFound, "the store keeps no program of the suite",
                 content.suite};
  }
  drop_unused_parts(builder);
  const auto made = builder.finish();
  return write_store(path, *made, write_options(pool));
}

base::Result<SegmentFacts> facts_of_segment(Matrix& matrix) {
  SegmentFacts out;
  const auto wrong = [](const std::string& what) {
    return Error{Errc::kMalformed, "no segment: " + what, ""};
  };
  std::size_t snapshots = 0;
  REJIG_TRY(const auto environment, matrix.environment());
  for (const auto& one : environment) {
    if (one.key.starts_with(kBaseline)) return wrong("it names a baseline");
    if (!one.key.starts_with(kSnapshot)) continue;
    ++snapshots;
    out.suite = std::string(one.key.substr(kSnapshot.size()));
    out.snapshot = std::string(one.value);
  }
  if (snapshots != 1) {
    return wrong(std::to_string(snapshots) + " ways to start its JVMs");
  }
  REJIG_TRY(const auto suites, suites_with_program(matrix));
  if (suites.size() != 1 || suites.front() != out.suite) {
    return wrong("the program of another suite");
  }
  REJIG_TRY(const auto programs, matrix.digested_facts(kProgramFact + out.suite));
  if (programs.size() != 1) return wrong("more than one program");
  REJIG_TRY(const auto rows, matrix.rows());
  for (const auto& row : rows) {
    if (row.suite != out.suite) return wrong("rows of another suite");
  }
  if (!matrix.has_digests() && !rows.empty()) return wrong("no digests");
  out.rows = rows.size();
  return out;
}

base::Result<std::vector<std::string>> shard_texts(Matrix& matrix) {
  std::vector<std::string> out;
  REJIG_TRY(const auto environment, matrix.environment());
  for (const auto& one : environment) {
    if (one.key.starts_with(kShard)) out.emplace_back(one.value);
  }
  return out;
}

base::Result<void> merge_segments(const std::vector<std::string>& paths,
                                  const std::string& into,
                                  base::ThreadPool* pool) {
  MatrixBuilder builder;
  std::optional<SegmentFacts> first;
  std::optional<base::Digest256> program;
  for (const auto& path : paths) {
    REJIG_TRY(const auto matrix, open_store(path));
    REJIG_TRY(const auto facts, facts_of_segment(*matrix));
    REJIG_TRY(const auto programs,
              matrix->digested_facts(kProgramFact + facts.suite));
    if (!first) {
      first = facts;
      program = programs.front().digest;
    }
    if (facts.suite != first->suite || facts.snapshot != first->snapshot ||
        programs.front().digest != *program) {
      return Error{Errc::kMalformed,
                   "its shards ran other programs, or in other JVMs", path};
    }
    REJIG_TRY_VOID(builder.add(*matrix));
  }
  builder.drop_facts(std::string(kForeignFact) +
                     (first ? first->suite : std::string()));
  const auto made = builder.finish();
  REJIG_TRY_VOID(write_store(into, *made, write_options(pool)));
  REJIG_TRY(const auto again, open_store(into));
  REJIG_TRY(const auto facts, facts_of_segment(*again));
  static_cast<void>(facts);
  return {};
}

}  // namespace rejig::coverage
