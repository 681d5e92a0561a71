// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include "apps/rejig/coverage/coverage_actions.h"
#include "classfile/reader/modified_utf8.h"

namespace rejig::app {
namespace {

using classfile::AtomKind;
using coverage::AtomId;
using coverage::Row;
using coverage::RowId;

constexpr std::size_t kLargest = 5;

struct Largest {
  std::vector<std::pair<std::size_t, std::string>> items;

  void add(std::size_t count, std::string name) {
    items.emplace_back(count, std::move(name));
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (items.size() > kLargest) items.pop_back();
  }
  bool wants(std::size_t count) const {
    return items.size() < kLargest || count >= items.back().first;
  }
};

struct Stats {
  std::size_t rows = 0;
  std::uint64_t pairs = 0;
  std::uint64_t ms = 0;
  std::size_t usable = 0;
  std::size_t empty = 0;
  std::size_t dead = 0;
  std::map<std::string, std::size_t> suites;
  std::array<std::size_t, coverage::kGrades> grades = {};
  std::array<std::size_t, coverage::kOutcomes> results = {};
  std::array<std::size_t, classfile::kAtomKinds> recorded = {};
  std::array<std::size_t, classfile::kAtomKinds> atoms = {};
  std::array<std::uint64_t, classfile::kAtomKinds> kind_pairs = {};
  std::size_t classes = 0;
  std::size_t environment = 0;
  std::size_t facts = 0;
  Largest largest_rows;
  Largest widest_atoms;
};

base::Result<Stats> collect(coverage::Matrix& matrix) {
  Stats out;
  REJIG_TRY(const auto rows, matrix.rows());
  REJIG_TRY(const auto classes, matrix.classes());
  REJIG_TRY(const auto environment, matrix.environment());
  REJIG_TRY(const auto facts, matrix.fact_names(""));
  out.rows = rows.size();
  out.classes = classes.size();
  out.environment = environment.size();
  out.facts = facts.size();
  std::vector<std::size_t> sizes(rows.size(), 0);
  std::vector<RowId> having;
  base::Result<void> failed;
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    REJIG_TRY_VOID(
        matrix.each_atom(kind, "", [&](AtomId id, std::string_view text) {
          if (!failed.ok()) return;
          having.clear();
          failed = matrix.append_rows_with(id, having);
          ++out.atoms[k];
          out.kind_pairs[k] += having.size();
          for (const RowId row : having) ++sizes[row.index()];
          if (out.widest_atoms.wants(having.size())) {
            out.widest_atoms.add(
                having.size(), classfile::to_string({kind, std::string(text)}));
          }
        }));
    if (!failed.ok()) return std::move(failed).error();
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    out.pairs += sizes[i];
    out.ms += row.ms;
    ++out.suites[std::string(row.suite)];
    ++out.grades[static_cast<std::size_t>(row.grade)];
    ++out.results[static_cast<std::size_t>(row.result)];
    if (row.justifies_skip()) ++out.usable;
    if (sizes[i] == 0) ++out.empty;
    const coverage::ClassDigest key{row.test_class(), ""};
    const auto at = std::lower_bound(classes.begin(), classes.end(), key);
    if (!classes.empty() &&
        (at == classes.end() || at->name != row.test_class())) {
      ++out.dead;
    }
    for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
      if (row.recorded(static_cast<AtomKind>(k))) ++out.recorded[k];
    }
    if (out.largest_rows.wants(sizes[i])) {
      out.largest_rows.add(sizes[i], std::string(row.test));
    }
  }
  return out;
}

std::string line(std::string label, std::uint64_t count,
                 std::string_view rest = "") {
  label.resize(std::max<std::size_t>(label.size() + 1, 26), ' ');
  return label + std::to_string(count) + std::string(rest) + "\n";
}

std::string as_text(const Stats& s) {
  std::string out = line("rows", s.rows);
  for (const auto& [suite, count] : s.suites) {
    out += line("  suite " + classfile::to_utf8(suite), count);
  }
  for (std::size_t i = 0; i < s.grades.size(); ++i) {
    if (s.grades[i] == 0) continue;
    out +=
        line("  grade " + std::string(name_of(static_cast<coverage::Grade>(i))),
             s.grades[i]);
  }
  for (std::size_t i = 0; i < s.results.size(); ++i) {
    if (s.results[i] == 0) continue;
    out += line(
        "  result " + std::string(name_of(static_cast<coverage::Outcome>(i))),
        s.results[i]);
  }
  out += line("  can justify a skip", s.usable);
  out += line("  without atoms", s.empty);
  out += s.classes == 0
             ? "  dead                    unknown: no classes in the matrix\n"
             : line("  dead", s.dead, " (their test class is not recorded)");
  out += line("atoms", [&] {
    std::uint64_t n = 0;
    for (const auto count : s.atoms) n += count;
    return n;
  }());
  for (std::size_t k = 0; k < s.atoms.size(); ++k) {
    if (s.atoms[k] == 0 && s.recorded[k] == 0) continue;
    out += line(
        "  " + std::string(classfile::prefix_of(static_cast<AtomKind>(k))),
        s.atoms[k],
        "  in " + std::to_string(s.kind_pairs[k]) + " places, recorded by " +
            std::to_string(s.recorded[k]) + " rows");
  }
  out += line("places (atom in row)", s.pairs);
  out += line("time of all tests", s.ms, " ms");
  out += line("classes with digest", s.classes,
              s.classes == 0 ? " (cannot check the bytes)" : "");
  out += line("environment entries", s.environment);
  out += line("facts of the old program", s.facts);
  out += "largest rows\n";
  for (const auto& [count, name] : s.largest_rows.items) {
    out +=
        "  " + std::to_string(count) + "  " + classfile::to_utf8(name) + "\n";
  }
  out += "atoms of most rows\n";
  for (const auto& [count, name] : s.widest_atoms.items) {
    out +=
        "  " + std::to_string(count) + "  " + classfile::to_utf8(name) + "\n";
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  classfile::append_json_text(out, text);
  return out + "\"";
}

template <class E, std::size_t N>
std::string counts_json(const std::array<std::size_t, N>& counts) {
  std::string out = "{";
  for (std::size_t i = 0; i < N; ++i) {
    if (i != 0) out += ',';
    out += quoted(name_of(static_cast<E>(i))) + ":" + std::to_string(counts[i]);
  }
  return out + "}";
}

std::string largest_json(const Largest& largest) {
  std::string out = "[";
  for (const auto& [count, name] : largest.items) {
    if (out.size() > 1) out += ',';
    out += R"({"name":)" + quoted(name) + R"(,"count":)" +
           std::to_string(count) + "}";
  }
  return out + "]";
}

std::string as_json(const Stats& s) {
  std::string out = R"({"schema":"rejig.coverage.stats/1","rows":)" +
                    std::to_string(s.rows) + R"(,"suites":{)";
  for (const auto& [suite, count] : s.suites) {
    if (out.back() != '{') out += ',';
    out += quoted(suite) + ":" + std::to_string(count);
  }
  out += R"(},"grades":)" + counts_json<coverage::Grade>(s.grades) +
         R"(,"results":)" + counts_json<coverage::Outcome>(s.results) +
         R"(,"can_justify_a_skip":)" + std::to_string(s.usable) +
         R"(,"without_atoms":)" + std::to_string(s.empty) + R"(,"dead":)" +
         (s.classes == 0 ? "null" : std::to_string(s.dead)) + R"(,"atoms":{)";
  for (std::size_t k = 0; k < s.atoms.size(); ++k) {
    if (k != 0) out += ',';
    out += quoted(classfile::prefix_of(static_cast<AtomKind>(k))) +
           R"(:{"atoms":)" + std::to_string(s.atoms[k]) + R"(,"places":)" +
           std::to_string(s.kind_pairs[k]) + R"(,"recorded_by":)" +
           std::to_string(s.recorded[k]) + "}";
  }
  return out + R"(},"places":)" + std::to_string(s.pairs) + R"(,"ms":)" +
         std::to_string(s.ms) + R"(,"classes":)" + std::to_string(s.classes) +
         R"(,"environment":)" + std::to_string(s.environment) + R"(,"facts":)" +
         std::to_string(s.facts) + R"(,"largest_rows":)" +
         largest_json(s.largest_rows) + R"(,"atoms_of_most_rows":)" +
         largest_json(s.widest_atoms) + "}\n";
}

}  // namespace

int print_coverage_stats(const CoverageOptions& /*options*/,
                         coverage::Matrix& matrix, Context& context) {
  const auto stats = collect(matrix);
  if (!stats.ok()) return context.trouble(stats.error());
  context.out->write(context.format == "text" ? as_text(*stats)
                                              : as_json(*stats));
  return kExitOk;
}

}  // namespace rejig::app
