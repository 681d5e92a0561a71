// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/audit/audit_results.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

#include "classfile/base/file.h"
#include "coverage/import/ndjson.h"
#include "coverage/select/policy.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;
using coverage::JunitMatch;

namespace {

constexpr int kAnyDepth = std::numeric_limits<int>::max();

bool is_pattern(std::string_view name) {
  return name.find_first_of("*?") != std::string_view::npos;
}

// Every file at most that deep below the folder, as `folder/rest`.
base::Result<std::vector<std::string>> files_below(const std::string& folder,
                                                   int deepest) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder.empty() ? "." : folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end;
       at.increment(error)) {
    if (at.depth() >= deepest) at.disable_recursion_pending();
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    std::string path = at->path().string();
    if (folder.empty() && path.starts_with("./")) path = path.substr(2);
    out.push_back(std::move(path));
  }
  if (error) return Error{Errc::kIo, error.message(), folder};
  std::sort(out.begin(), out.end());
  return out;
}

base::Result<std::vector<std::string>> matching(const std::string& pattern) {
  const auto wild = pattern.find_first_of("*?");
  const auto slash = pattern.rfind('/', wild);
  const std::string folder =
      slash == std::string::npos
          ? ""
          : pattern.substr(0, std::max<std::size_t>(slash, 1));
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    return Error{Errc::kNotFound, "no file matches", pattern};
  }
  const int deepest =
      pattern.find("**") != std::string::npos
          ? kAnyDepth
          : static_cast<int>(std::count(
                pattern.begin() + static_cast<std::ptrdiff_t>(wild),
                pattern.end(), '/'));
  REJIG_TRY(const auto all, files_below(folder, deepest));
  std::vector<std::string> out;
  for (const auto& path : all) {
    if (coverage::glob_match(pattern, path, '/')) out.push_back(path);
  }
  if (out.empty()) return Error{Errc::kNotFound, "no file matches", pattern};
  return out;
}

base::Result<std::vector<std::string>> reports_of(const std::string& folder) {
  REJIG_TRY(const auto all, files_below(folder, kAnyDepth));
  std::vector<std::string> out;
  for (const auto& path : all) {
    const std::string name = fs::path(path).filename().string();
    if (name.starts_with("TEST-") && name.ends_with(".xml")) {
      out.push_back(path);
    }
  }
  if (out.empty()) {
    return Error{Errc::kNotFound, "no TEST-*.xml in this folder", folder};
  }
  return out;
}

void worsen(TestResult& result, const TestResult& other) {
  result.outcome = std::max(result.outcome, other.outcome);
  result.match = std::max(result.match, other.match);
  result.flaky |= other.flaky;
}

template <class Map, class Key>
void add(Map& to, const Key& key, const TestResult& result) {
  const auto [at, fresh] = to.emplace(key, result);
  if (!fresh) worsen(at->second, result);
}

void add_case(const coverage::JunitCase& test,
              const coverage::JunitIds& known, Results& out) {
  ++out.cases;
  const auto found = known.find(test);
  const TestResult result{test.result, found.match, test.flaky};
  if (found.match == JunitMatch::kExact || found.match == JunitMatch::kMethod) {
    for (const auto id : found.ids) add(out.ids, std::string(id), result);
    return;
  }
  UnclearCase unclear{result, {found.ids.begin(), found.ids.end()}};
  const std::string name = test.class_name + "#" + test.name;
  const auto [at, fresh] = out.unclear.emplace(name, unclear);
  if (!fresh) worsen(at->second.result, result);
}

base::Result<void> read_rows(std::string_view text, const std::string& name,
                             const std::string& suite,
                             coverage::MatrixBuilder& builder) {
  std::size_t at = 0;
  const auto read = [&](char* buffer,
                        std::size_t size) -> base::Result<std::size_t> {
    const auto piece = text.substr(at, size);
    std::memcpy(buffer, piece.data(), piece.size());
    at += piece.size();
    return piece.size();
  };
  REJIG_TRY(const auto report,
            coverage::import_ndjson(read, name, suite, builder));
  static_cast<void>(report);
  return {};
}

}  // namespace

const TestResult* Results::find(const coverage::TestKey& key) const {
  if (const auto at = rows.find(key); at != rows.end()) return &at->second;
  const auto at = ids.find(key.test);
  return at == ids.end() ? nullptr : &at->second;
}

base::Result<std::vector<std::string>> result_files(
    const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const auto& name : names) {
    std::error_code error;
    if (fs::is_directory(name, error)) {
      REJIG_TRY(const auto files, reports_of(name));
      out.insert(out.end(), files.begin(), files.end());
    } else if (is_pattern(name) && !fs::exists(name, error)) {
      REJIG_TRY(const auto files, matching(name));
      out.insert(out.end(), files.begin(), files.end());
    } else {
      out.push_back(name);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

base::Result<Results> read_results(const std::vector<std::string>& names,
                                   const coverage::JunitIds& known,
                                   const std::string& suite) {
  Results out;
  REJIG_TRY(const auto files, result_files(names));
  coverage::MatrixBuilder builder;
  bool rows = false;
  for (const auto& file : files) {
    REJIG_TRY(const std::string text, base::read_file(file));
    ++out.files;
    if (text.starts_with('{')) {
      rows = true;
      REJIG_TRY_VOID(read_rows(text, file, suite, builder));
      continue;
    }
    std::size_t at = 0;
    REJIG_TRY(
        const std::size_t cases,
        coverage::read_junit_xml(
            [&](char* buffer, std::size_t size) -> base::Result<std::size_t> {
              const auto piece = std::string_view(text).substr(at, size);
              std::memcpy(buffer, piece.data(), piece.size());
              at += piece.size();
              return piece.size();
            },
            file,
            [&](const coverage::JunitCase& test) {
              add_case(test, known, out);
            }));
    static_cast<void>(cases);
  }
  if (rows) {
    out.matrix = builder.finish();
    REJIG_TRY(const auto all, out.matrix->rows());
    for (const auto& row : all) {
      ++out.cases;
      add(out.rows,
          coverage::TestKey{std::string(row.suite), std::string(row.test)},
          TestResult{row.result, JunitMatch::kExact, false});
    }
  }
  if (out.cases == 0) {
    return Error{Errc::kNotFound, "the results contain no test",
                 files.empty() ? "" : files.front()};
  }
  return out;
}

}  // namespace rejig::app
