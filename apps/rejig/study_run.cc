// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#include "apps/rejig/audit_judge.h"
#include "apps/rejig/audit_results.h"
#include "apps/rejig/run_process.h"
#include "apps/rejig/selection.h"
#include "apps/rejig/study.h"
#include "classfile/base/file.h"
#include "coverage/view.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::string_view kHeader = "rejig-study 1";

std::uint64_t ms_since(std::chrono::steady_clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - start)
          .count());
}

std::string joined(const std::vector<std::string>& a,
                   const std::vector<std::string>& b = {}) {
  std::string out;
  for (const auto* list : {&a, &b}) {
    for (const auto& one : *list) out += (out.empty() ? "" : ":") + one;
  }
  return out;
}

void replace_all(std::string& text, std::string_view what,
                 const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

// Figures as lines "KEY TAB VALUE...", the last one "end": a file without it
// was not finished.
std::string saved(const PairFigures& pair) {
  std::ostringstream out;
  out << kHeader << '\n'
      << "pair\t" << pair.tests << '\t' << pair.classes << '\t' << pair.tests_ms
      << '\t' << pair.all_ms << '\t' << pair.recorded_ms << '\t'
      << pair.analysis_ms << '\n';
  for (const auto& v : pair.views) {
    out << "view\t" << v.view << '\t' << v.selected << '\t'
        << v.selected_classes << '\t' << v.selected_ms << '\t' << v.hard << '\t'
        << v.affected << '\t' << v.missed << '\n';
  }
  out << "end\n";
  return out.str();
}

bool restore(const std::string& path, PairFigures& pair) {
  const auto text = base::read_file(path);
  if (!text.ok()) return false;
  std::istringstream lines(*text);
  std::string line;
  if (!std::getline(lines, line) || line != kHeader) return false;
  while (std::getline(lines, line)) {
    if (line == "end") return true;
    std::istringstream in(line);
    std::string key;
    in >> key;
    if (key == "pair") {
      in >> pair.tests >> pair.classes >> pair.tests_ms >> pair.all_ms >>
          pair.recorded_ms >> pair.analysis_ms;
    } else {
      ViewFigures v;
      in >> v.view >> v.selected >> v.selected_classes >> v.selected_ms >>
          v.hard >> v.affected >> v.missed;
      pair.views.push_back(v);
    }
    if (in.fail()) return false;
  }
  return false;
}

class Worker {
 public:
  Worker(const Study& study, std::string artifacts, std::string folder,
         Context& context)
      : study_(study),
        artifacts_(std::move(artifacts)),
        folder_(std::move(folder)),
        context_(context) {}

  base::Result<std::vector<PairFigures>> run() {
    REJIG_TRY(rejig_, this_program());
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return Error{Errc::kIo, error.message(), folder_};
    std::vector<PairFigures> out;
    for (const auto& program : study_.programs) {
      for (std::size_t i = 1; i < program.versions.size(); ++i) {
        REJIG_TRY(auto figures,
                  pair(program, program.versions[i - 1], program.versions[i]));
        out.push_back(std::move(figures));
      }
    }
    return out;
  }

 private:
  struct Timed {
    std::uint64_t plain_ms = 0;
    std::uint64_t recorded_ms = 0;
  };

  std::string place(const StudyProgram& program,
                    const StudyVersion& version) const {
    return folder_ + "/" + program.name + "-" + version.name;
  }

  std::vector<std::string> command(const StudyProgram& program,
                                   const StudyVersion& version) const {
    std::vector<std::string> words = study_.command;
    words.insert(words.end(), program.arguments.begin(),
                 program.arguments.end());
    std::vector<std::string> all = version.jars;
    all.insert(all.end(), version.tests.begin(), version.tests.end());
    for (auto& word : words) {
      replace_all(word, "{classpath}", joined(all, program.lib));
      replace_all(word, "{tests}", joined(version.tests));
      replace_all(word, "{artifacts}", artifacts_);
    }
    return words;
  }

  // In a folder of its own, output to the file `log` there.
  base::Result<std::uint64_t> timed(const std::string& dir,
                                    std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"sh", "-c", "cd \"$0\" && exec \"$@\" >log 2>&1", dir});
    const auto start = std::chrono::steady_clock::now();
    REJIG_TRY(const int code, run_process(words, {}, {}));
    if (code > 1) {
      return Error{Errc::kIo, "ended with " + std::to_string(code),
                   dir + "/log"};
    }
    return ms_since(start);
  }

  base::Result<Timed> version(const StudyProgram& program,
                              const StudyVersion& v) {
    const std::string at = place(program, v);
    Timed out;
    if (const auto text = base::read_file(at + "/done"); text.ok()) {
      std::istringstream in(*text);
      if (in >> out.plain_ms >> out.recorded_ms) return out;
    }
    context_.messages->note(program.name + " " + v.name +
                            ": running its tests");
    std::error_code error;
    fs::remove_all(at, error);
    for (const char* run : {"/plain", "/recorded", "/rows"}) {
      fs::create_directories(at + run, error);
      if (error) return Error{Errc::kIo, error.message(), at};
    }
    const auto words = command(program, v);
    REJIG_TRY(out.plain_ms, timed(at + "/plain", words));
    std::vector<std::string> recorded = {rejig_,
                                         "-q",
                                         "record",
                                         "--store",
                                         at + "/rows.db",
                                         "--internal-root",
                                         joined(v.jars, v.tests),
                                         "--"};
    recorded.insert(recorded.end(), words.begin(), words.end());
    REJIG_TRY(out.recorded_ms, timed(at + "/recorded", recorded));
    REJIG_TRY_VOID(
        timed(at + "/recorded",
              {rejig_, "-q", "coverage", "export", "--format", "ndjson",
               "--store", at + "/rows.db", "-o", at + "/rows.ndjson"}));
    REJIG_TRY_VOID(base::write_file_atomically(
        at + "/done", std::to_string(out.plain_ms) + " " +
                          std::to_string(out.recorded_ms) + "\n"));
    return out;
  }

  base::Result<PairFigures> pair(const StudyProgram& program,
                                 const StudyVersion& old,
                                 const StudyVersion& now) {
    PairFigures out;
    out.program = program.name;
    out.old_version = old.name;
    out.new_version = now.name;
    const std::string file = folder_ + "/" + program.name + "-" + old.name +
                             "-" + now.name + ".figures";
    if (restore(file, out)) return out;
    out.views.clear();
    REJIG_TRY_VOID(version(program, old));
    REJIG_TRY(const Timed timed, version(program, now));
    out.all_ms = timed.plain_ms;
    out.recorded_ms = timed.recorded_ms;
    REJIG_TRY_VOID(judged(program, old, now, out));
    REJIG_TRY_VOID(base::write_file_atomically(file, saved(out)));
    return out;
  }

  base::Result<void> judged(const StudyProgram& program,
                            const StudyVersion& old, const StudyVersion& now,
                            PairFigures& out) {
    SelectOptions options;
    options.inputs.old_path = joined(old.jars, old.tests);
    options.inputs.new_path = joined(now.jars, now.tests);
    options.inputs.lib = joined(program.lib);
    options.coverage = place(program, old) + "/rows.db";
    const auto start = std::chrono::steady_clock::now();
    REJIG_TRY(const auto selected, run_selection(options, context_));
    out.analysis_ms = ms_since(start);
    if (!selected->matrix) {
      return Error{Errc::kNotFound, "no test of it was recorded",
                   options.coverage};
    }
    std::vector<std::string> ids;
    std::set<coverage::TestKey> had;
    REJIG_TRY(const auto old_rows, selected->matrix->rows());
    for (const auto& row : old_rows) {
      ids.emplace_back(row.test);
      had.insert({std::string(row.suite), std::string(row.test)});
    }
    const coverage::JunitIds known(std::move(ids));
    REJIG_TRY(const Results results,
              read_results({place(program, now) + "/rows.ndjson"}, known,
                           selected->input.default_suite));
    if (!results.matrix) {
      return Error{Errc::kNotFound, "no test of it was recorded",
                   place(program, now) + "/rows.ndjson"};
    }
    std::vector<Selector> selectors;
    for (const auto view : coverage::all_views()) {
      selectors.push_back(selector_of(std::string(name_of(view)),
                                      answer_in_view(*selected, view)));
    }
    REJIG_TRY(const Audit audit, judge(*selected, results, nullptr, selectors));
    REJIG_TRY(const auto rows, results.matrix->rows());
    std::set<std::string> classes;
    for (const auto& row : rows) {
      out.tests += 1;
      out.tests_ms += row.ms;
      classes.emplace(coverage::class_of_test(row.test));
    }
    out.classes = classes.size();
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      ViewFigures v;
      v.view = selectors[i].name;
      std::set<std::string> chosen;
      for (const auto& row : rows) {
        const coverage::TestKey key{std::string(row.suite),
                                    std::string(row.test)};
        if (!selectors[i].selects(key) && had.count(key) != 0) continue;
        v.selected += 1;
        v.selected_ms += row.ms;
        chosen.emplace(coverage::class_of_test(row.test));
      }
      v.selected_classes = chosen.size();
      // A test without an old row is never skipped.
      for (const auto& miss : audit.selectors[i].hard) {
        v.hard += had.count(miss.key);
      }
      v.affected = audit.affected;
      for (const auto& miss : audit.selectors[i].missed) {
        v.missed += had.count(miss.first);
      }
      out.views.push_back(v);
    }
    return {};
  }

  const Study& study_;
  std::string artifacts_;
  std::string folder_;
  Context& context_;
  std::string rejig_;
};

}  // namespace

double PairFigures::ratio(const ViewFigures& view) const {
  if (all_ms == 0) return 1;
  const std::uint64_t rest = all_ms > tests_ms ? all_ms - tests_ms : 0;
  const std::uint64_t spent =
      analysis_ms + (view.selected == 0 ? 0 : rest + view.selected_ms);
  return static_cast<double>(spent) / static_cast<double>(all_ms);
}

base::Result<std::vector<PairFigures>> run_study(const Study& study,
                                                 const std::string& artifacts,
                                                 const std::string& folder,
                                                 Context& context) {
  return Worker(study, fs::absolute(artifacts).string(),
                fs::absolute(folder).string(), context)
      .run();
}

}  // namespace rejig::app
