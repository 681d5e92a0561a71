// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_shadow.h"

#include <filesystem>
#include <sstream>
#include <vector>

#include "classfile/base/file.h"

namespace rejig::app {

namespace {

struct Totals {
  std::size_t runs = 0;
  std::size_t skipped = 0;
  std::size_t missed = 0;
};

Totals totals_of(const std::string& text) {
  Totals out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); ++out.runs) {
    std::istringstream words(line);
    std::string word;
    std::size_t n = 0;
    while (words >> word >> n) {
      if (word == "skipped") out.skipped += n;
      if (word == "missed") out.missed += n;
    }
  }
  return out;
}

}  // namespace

std::string shadow_file(const std::string& store) {
  return (std::filesystem::path(store).parent_path() / "shadow.txt").string();
}

base::Result<void> judge_shadow(const std::string& store,
                                const Answers& answers,
                                const coverage::MatrixBuilder& fresh,
                                Work& work) {
  std::size_t ran = 0;
  std::size_t skipped = 0;
  std::vector<std::string> missed;
  fresh.each_row([&](const coverage::Row& row) {
    ++ran;
    const auto at = answers.suites().find(std::string(row.suite));
    if (at == answers.suites().end() || !at->second.all_answered() ||
        at->second.skipped.count(std::string(row.test)) == 0) {
      return;
    }
    ++skipped;
    if (row.result == coverage::Outcome::kFail ||
        row.result == coverage::Outcome::kError) {
      missed.emplace_back(row.test);
    }
  });
  for (const auto& id : missed) {
    work.listener.warning("shadow: " + id +
                          " failed and would have been skipped");
  }
  const std::string path = shadow_file(store);
  std::ostringstream all;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    REJIG_TRY(const std::string before, base::read_file(path));
    all << before;
  }
  all << "ran " << ran << " skipped " << skipped << " missed " << missed.size()
      << "\n";
  REJIG_TRY_VOID(base::write_file_atomically(path, all.str()));
  const Totals totals = totals_of(all.str());
  std::ostringstream said;
  said << "shadow: would have skipped " << skipped << " of " << ran
       << ", missed " << missed.size() << "; in " << totals.runs
       << (totals.runs == 1 ? " run " : " runs ") << totals.skipped
       << ", missed " << totals.missed;
  work.listener.note(said.str());
  return {};
}

}  // namespace rejig::app
