// SPDX-License-Identifier: Apache-2.0
// Covered lines as methods: Teamscale's testwise JSON and LCOV. A covered line
// stands for every method of the old program with code at that line. Both come
// from JaCoCo's probes as a rule, so their rows are lower bounds.
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "coverage/import/import.h"
#include "coverage/import/import_classes.h"
#include "coverage/import/import_json.h"

namespace rejig::coverage {
namespace {

using base::Errc;
using base::Error;
using classfile::AtomKind;

constexpr unsigned kHighestLine = 65535;  // u2 in a LineNumberTable

struct Pending {
  Row row;
  std::set<MatrixBuilder::LocalAtom> atoms;
};

// Rows under way, and what could not be used.
class Rows {
 public:
  Rows(const ImportOptions& options, OldClasses& old_classes,
       MatrixBuilder& builder)
      : options_(options), old_(old_classes), builder_(builder) {}

  Pending& of(const std::string& test) {
    const auto [at, added] = rows_.try_emplace(test);
    if (added) {
      at->second.row.grade = Grade::kLowerBound;
      at->second.row.result = options_.result;
      at->second.row.facts = Facts().with(AtomKind::kMethod);
    }
    return at->second;
  }

  base::Result<void> cover(Pending& row, const std::string& file,
                           unsigned first, unsigned last) {
    REJIG_TRY(const auto* lines, old_.lines_of(file));
    if (lines == nullptr) {
      unknown_.insert(file);
      return {};
    }
    for (auto at = lines->lower_bound(first);
         at != lines->end() && at->first <= last; ++at) {
      row.atoms.insert(builder_.intern(AtomKind::kMethod, at->second));
    }
    return {};
  }

  ForeignReport finish() {
    ForeignReport report;
    for (auto& [test, pending] : rows_) {
      pending.row.suite = options_.suite;
      pending.row.test = test;
      add_foreign_row(pending.row,
                      std::vector<MatrixBuilder::LocalAtom>(
                          pending.atoms.begin(), pending.atoms.end()),
                      builder_, report);
    }
    if (!unknown_.empty()) {
      report.notes.push_back(std::to_string(unknown_.size()) +
                             " source files belong to no old class, e.g. " +
                             *unknown_.begin());
    }
    return report;
  }

 private:
  const ImportOptions& options_;
  OldClasses& old_;
  MatrixBuilder& builder_;
  std::map<std::string, Pending> rows_;
  std::set<std::string> unknown_;
};

std::optional<unsigned> line_number(std::string_view text) {
  unsigned out = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return out;
}

// "1-4,7"
std::optional<std::vector<std::pair<unsigned, unsigned>>> line_ranges(
    std::string_view text) {
  std::vector<std::pair<unsigned, unsigned>> out;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto piece = text.substr(0, comma);
    const auto dash = piece.find('-');
    const auto first = line_number(piece.substr(0, dash));
    const auto last = dash == std::string_view::npos
                          ? first
                          : line_number(piece.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    out.emplace_back(*first, std::min(*last, kHighestLine));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;
  }
  return out;
}

Outcome outcome_of_teamscale(std::string_view result) {
  if (result == "PASSED") return Outcome::kPass;
  if (result == "IGNORED" || result == "SKIPPED") return Outcome::kSkip;
  if (result == "FAILURE") return Outcome::kFail;
  if (result == "ERROR") return Outcome::kError;
  return Outcome::kUnknown;
}

class Testwise {
 public:
  Testwise(std::string_view text, const std::string& name, Outcome result,
           Rows& rows)
      : in_(text), text_(text), name_(name), result_(result), rows_(rows) {}

  base::Result<void> run() {
    bool has_tests = false;
    in_.object([&](std::string_view key) {
      if (key == "partial") {
        in_.boolean(partial_);
      } else if (key == "tests") {
        has_tests = true;
        in_.array([&] { read_test(); });
      } else {
        in_.skip();
      }
    });
    in_.end();
    if (!in_.failed() && !has_tests)
      in_.reject("the member \"tests\" is missing");
    if (in_.failed()) return error();
    for (const auto& test : tests_) {
      auto& row = rows_.of(test.id);
      row.row.result = test.repeated ? std::max(row.row.result, test.result)
                                     : test.result;
      row.row.ms = std::max(row.row.ms, test.ms);
      if (partial_ || !test.has_paths || test.result == Outcome::kSkip) {
        row.row.grade = std::max(row.row.grade, Grade::kPartial);
      }
      for (const auto& covered : test.lines) {
        REJIG_TRY_VOID(
            rows_.cover(row, covered.file, covered.first, covered.last));
      }
    }
    return {};
  }

 private:
  struct Covered {
    std::string file;
    unsigned first = 0;
    unsigned last = 0;
  };
  struct Test {
    std::string id;
    Outcome result = Outcome::kUnknown;
    std::uint64_t ms = 0;
    bool has_paths = false;
    bool repeated = false;
    std::vector<Covered> lines;
  };

  Error error() const {
    std::size_t line = 1;
    std::size_t begin = 0;
    for (auto at = text_.find('\n');
         at != std::string_view::npos && at < in_.offset();
         at = text_.find('\n', at + 1)) {
      ++line;
      begin = at + 1;
    }
    return {Errc::kMalformed, in_.what(),
            name_ + ":" + std::to_string(line) + ":" +
                std::to_string(in_.offset() - begin + 1)};
  }

  void read_test() {
    Test test;
    test.result = result_;
    std::string text;
    in_.object([&](std::string_view key) {
      if (key == "uniformPath") {
        if (in_.text(text)) test.id = test_id_of(text);
      } else if (key == "result") {
        if (in_.text(text)) test.result = outcome_of_teamscale(text);
      } else if (key == "duration") {
        double seconds = 0;
        if (in_.number(seconds) && seconds >= 0 && seconds < 1e12) {
          test.ms = static_cast<std::uint64_t>(seconds * 1000 + 0.5);
        }
      } else if (key == "paths") {
        test.has_paths = true;
        in_.array([&] { read_path(test); });
      } else {
        in_.skip();
      }
    });
    if (in_.failed()) return;
    if (test.id.empty()) {
      in_.reject("a test needs a uniformPath");
      return;
    }
    test.repeated = !seen_.insert(test.id).second;
    tests_.push_back(std::move(test));
  }

  void read_path(Test& test) {
    std::string folder;
    std::vector<Covered> found;
    in_.object([&](std::string_view key) {
      if (key == "path") {
        in_.text(folder);
      } else if (key == "files") {
        in_.array([&] { read_file(found); });
      } else {
        in_.skip();
      }
    });
    for (auto& covered : found) {
      if (!folder.empty()) covered.file = folder + "/" + covered.file;
      test.lines.push_back(std::move(covered));
    }
  }

  void read_file(std::vector<Covered>& found) {
    std::string file;
    std::string lines;
    in_.object([&](std::string_view key) {
      if (key == "fileName") {
        in_.text(file);
      } else if (key == "coveredLines") {
        in_.text(lines);
      } else {
        in_.skip();
      }
    });
    if (in_.failed()) return;
    const auto ranges = line_ranges(lines);
    if (!ranges || file.empty()) {
      in_.reject("a file needs fileName and coveredLines like \"1-4,7\"");
      return;
    }
    for (const auto& [first, last] : *ranges) {
      found.push_back({file, first, last});
    }
  }

  JsonReader in_;
  std::string_view text_;
  const std::string& name_;
  Outcome result_;
  Rows& rows_;
  bool partial_ = false;
  std::set<std::string> seen_;
  std::vector<Test> tests_;
};

// "DA:12,3[,checksum]"
std::optional<std::pair<unsigned, bool>> lcov_line(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto line = line_number(text.substr(0, comma));
  auto count = text.substr(comma + 1);
  count = count.substr(0, count.find(','));
  const auto hits =
      count.find_first_not_of("0123456789-.e+") == std::string_view::npos;
  if (!line || !hits || count.empty()) return std::nullopt;
  return std::pair(*line,
                   count.find_first_of("123456789") != std::string_view::npos &&
                       count[0] != '-');
}

}  // namespace

base::Result<ForeignReport> import_testwise(std::string_view file,
                                            const std::string& name,
                                            const ImportOptions& options,
                                            OldClasses& old_classes,
                                            MatrixBuilder& builder) {
  Rows rows(options, old_classes, builder);
  REJIG_TRY_VOID(Testwise(file, name, options.result, rows).run());
  return rows.finish();
}

base::Result<ForeignReport> import_lcov(std::string_view file,
                                        const std::string& name,
                                        const ImportOptions& options,
                                        OldClasses& old_classes,
                                        MatrixBuilder& builder) {
  Rows rows(options, old_classes, builder);
  std::string test = options.test;
  std::string source;
  std::size_t number = 0;
  const auto error = [&](std::string what) {
    return Error{Errc::kMalformed, std::move(what),
                 name + ":" + std::to_string(number) + ":1"};
  };
  while (!file.empty()) {
    ++number;
    auto line = file.substr(0, file.find('\n'));
    file.remove_prefix(std::min(file.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("TN:")) {
      test = options.test.empty() ? std::string(line.substr(3)) : options.test;
    } else if (line.starts_with("SF:")) {
      source = line.substr(3);
      if (test.empty()) {
        return error("the record names no test; name it with --test");
      }
      rows.of(test_id_of(test));
    } else if (line.starts_with("DA:")) {
      const auto covered = lcov_line(line.substr(3));
      if (!covered || source.empty()) {
        return error("DA: needs a source file before it, a line and a count");
      }
      if (!covered->second) continue;
      REJIG_TRY_VOID(rows.cover(rows.of(test_id_of(test)), source,
                                covered->first, covered->first));
    } else if (line == "end_of_record") {
      source.clear();
    } else if (!line.empty() && line[0] != '#' &&
               line.find(':') == std::string_view::npos) {
      return error("not a line of LCOV");
    }
  }
  if (!source.empty()) return error("the file ends inside a record");
  return rows.finish();
}

}  // namespace rejig::coverage
