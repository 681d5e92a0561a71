// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "apps/rejig/study/study.h"
#include "apps/session/recorder_files.h"
#include "apps/session/run_process.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;

namespace {

constexpr std::string_view kHeader = "rejig-study 2";
constexpr int kTimedOut = 124;  // as timeout(1) says it; signals are above
constexpr unsigned kClock = 20;

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
std::string saved(const PairFigures& pair, const std::string& misses) {
  std::ostringstream out;
  out << kHeader << '\n'
      << "pair\t" << pair.ended << '\t' << pair.tests << '\t' << pair.classes
      << '\t' << pair.changed << '\t' << pair.tests_ms << '\t' << pair.all_ms
      << '\t' << pair.recorded_ms << '\t' << pair.analysis_ms << '\n';
  for (const auto& v : pair.views) {
    out << "view\t" << v.view << '\t' << v.selected << '\t'
        << v.selected_classes << '\t' << v.selected_ms << '\t' << v.hard << '\t'
        << v.affected << '\t' << v.missed << '\t' << v.unobserved << '\n';
  }
  out << misses << "end\n";
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
      in >> pair.ended >> pair.tests >> pair.classes >> pair.changed >>
          pair.tests_ms >> pair.all_ms >> pair.recorded_ms >> pair.analysis_ms;
    } else if (key == "view") {
      ViewFigures v;
      in >> v.view >> v.selected >> v.selected_classes >> v.selected_ms >>
          v.hard >> v.affected >> v.missed >> v.unobserved;
      pair.views.push_back(v);
    }
    if (in.fail()) return false;
  }
  return false;
}

class Worker {
 public:
  Worker(const Study& study, std::string artifacts, std::string folder,
         const std::vector<std::string>& only, Context& context)
      : study_(study),
        artifacts_(std::move(artifacts)),
        folder_(std::move(folder)),
        only_(only),
        context_(context) {}

  base::Result<std::vector<PairFigures>> run() {
    REJIG_TRY(rejig_, this_program());
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return Error{Errc::kIo, error.message(), folder_};
    std::vector<PairFigures> out;
    for (const auto& name : only_) {
      const auto found = std::any_of(
          study_.programs.begin(), study_.programs.end(),
          [&](const StudyProgram& program) { return program.name == name; });
      if (!found) return Error{Errc::kUsage, "no such program", name};
    }
    for (const auto& program : study_.programs) {
      const bool wanted =
          only_.empty() ||
          std::find(only_.begin(), only_.end(), program.name) != only_.end();
      if (!wanted) continue;
      for (std::size_t i = 1; i < program.versions.size(); ++i) {
        const std::size_t before = program.variants ? 0 : i - 1;
        REJIG_TRY(auto figures, pair(program, program.versions[before],
                                     program.versions[i]));
        out.push_back(std::move(figures));
      }
    }
    return out;
  }

 private:
  struct Timed {
    std::uint64_t plain_ms = 0;
    std::uint64_t recorded_ms = 0;  // 0: not recorded
    bool ended = false;             // by the limit, or without reports
    std::string folder;             // of the run
  };

  std::string place(const StudyProgram& program,
                    const StudyVersion& version) const {
    return folder_ + "/" + program.name + "-" + version.name;
  }

  // In the folder `dir`, which gets the reports.
  std::vector<std::string> command(const StudyProgram& program,
                                   const StudyVersion& version,
                                   const std::string& dir) const {
    std::vector<std::string> words = study_.command;
    words.insert(words.end(), program.arguments.begin(),
                 program.arguments.end());
    std::vector<std::string> all = version.jars;
    all.insert(all.end(), version.tests.begin(), version.tests.end());
    for (auto& word : words) {
      replace_all(word, "{classpath}", joined(all, program.lib));
      replace_all(word, "{tests}", joined(version.tests));
      replace_all(word, "{artifacts}", artifacts_);
      replace_all(word, "{reports}", dir + "/reports");
    }
    return words;
  }

  // In a folder of its own, output to the file `log` there. `seconds` of the
  // processor end it, whatever else the machine does; one that waits for ever is
  // ended by the clock.
  base::Result<std::uint64_t> timed(const std::string& dir,
                                    std::vector<std::string> words, int* code,
                                    unsigned seconds = 0) const {
    std::string script = "cd \"$0\" && ";
    if (seconds != 0) {
      script += "ulimit -t " + std::to_string(seconds) + " && exec timeout " +
                std::to_string(kClock * seconds) + " \"$@\" >log 2>&1";
    } else {
      script += "exec \"$@\" >log 2>&1";
    }
    words.insert(words.begin(), {"sh", "-c", script, dir});
    const auto start = std::chrono::steady_clock::now();
    REJIG_TRY(*code, run_process(words, {}, {}));
    return ms_since(start);
  }

  // Tests may fail; nothing else may.
  base::Result<std::uint64_t> well(const std::string& dir,
                                   std::vector<std::string> words) const {
    int code = 0;
    REJIG_TRY(const auto ms, timed(dir, std::move(words), &code));
    if (code > 1) {
      return Error{Errc::kIo, "ended with " + std::to_string(code),
                   dir + "/log"};
    }
    return ms;
  }

  // Each attempt to run something has a folder of its own, `at`/N: what
  // somebody ended may have processes that still write to theirs.
  static base::Result<unsigned> new_attempt(const std::string& at) {
    std::error_code error;
    unsigned attempt = 1;
    while (fs::exists(at + "/" + std::to_string(attempt), error)) ++attempt;
    const std::string dir = at + "/" + std::to_string(attempt);
    fs::create_directories(dir, error);
    if (error) return Error{Errc::kIo, error.message(), dir};
    return attempt;
  }

  // The recorded version, or a variant.
  base::Result<Timed> version(const StudyProgram& program,
                              const StudyVersion& v, bool variant) {
    const std::string at = place(program, v);
    Timed out;
    if (const auto text = base::read_file(at + "/done"); text.ok()) {
      std::istringstream in(*text);
      std::string attempt;
      if (in >> out.plain_ms >> out.recorded_ms >> out.ended >> attempt) {
        out.folder = at + "/" + attempt;
        return out;
      }
    }
    context_.messages->note(program.name + " " + v.name +
                            ": running its tests");
    REJIG_TRY(const unsigned attempt, new_attempt(at));
    out.folder = at + "/" + std::to_string(attempt);
    std::error_code error;
    for (const char* run : {"/plain", "/recorded"}) {
      fs::create_directories(out.folder + run, error);
      if (error) return Error{Errc::kIo, error.message(), out.folder};
    }
    const std::string plain = out.folder + "/plain";
    if (variant) {
      REJIG_TRY_VOID(run_variant(program, v, plain, out));
    } else {
      REJIG_TRY(out.plain_ms, well(plain, command(program, v, plain)));
      REJIG_TRY_VOID(record(program, v, out));
    }
    REJIG_TRY_VOID(base::write_file_atomically(
        at + "/done", std::to_string(out.plain_ms) + " " +
                          std::to_string(out.recorded_ms) + " " +
                          std::to_string(out.ended) + " " +
                          std::to_string(attempt) + "\n"));
    return out;
  }

  base::Result<void> record(const StudyProgram& program, const StudyVersion& v,
                            Timed& out) {
    const std::string& at = out.folder;
    std::vector<std::string> recorded = {rejig_,
                                         "-q",
                                         "record",
                                         "--store",
                                         at + "/rows.db",
                                         "--internal-root",
                                         joined(v.jars, v.tests),
                                         "--"};
    const auto words = command(program, v, at + "/recorded");
    recorded.insert(recorded.end(), words.begin(), words.end());
    REJIG_TRY(out.recorded_ms, well(at + "/recorded", recorded));
    REJIG_TRY_VOID(well(at + "/recorded",
                        {rejig_, "-q", "coverage", "export", "--format",
                         "ndjson", "--store", at + "/rows.db", "-o",
                         at + "/rows.ndjson"}));
    return {};
  }

  // A variant may break anything: whatever it reports is judged, and one that
  // reports nothing is counted.
  base::Result<void> run_variant(const StudyProgram& program,
                                 const StudyVersion& v, const std::string& dir,
                                 Timed& out) {
    int code = 0;
    REJIG_TRY(out.plain_ms, timed(dir, command(program, v, dir), &code,
                                  program.seconds));
    std::error_code error;
    out.ended = code >= kTimedOut || !fs::exists(dir + "/reports", error);
    return {};
  }

  base::Result<PairFigures> pair(const StudyProgram& program,
                                 const StudyVersion& old,
                                 const StudyVersion& now) {
    PairFigures out;
    out.program = program.name;
    out.old_version = old.name;
    out.new_version = now.name;
    out.kind = now.kind;
    out.variant = program.variants;
    const std::string file = folder_ + "/" + program.name + "-" + old.name +
                             "-" + now.name + ".figures";
    if (restore(file, out)) return out;
    out.views.clear();
    REJIG_TRY(const Timed first, version(program, old, false));
    REJIG_TRY(const Timed timed, version(program, now, program.variants));
    out.all_ms = timed.plain_ms;
    out.recorded_ms = timed.recorded_ms;
    out.ended = timed.ended;
    std::string misses;
    if (!out.ended) {
      // Tests read files relative to where they were recorded.
      std::error_code error;
      const fs::path here = fs::current_path(error);
      fs::current_path(first.folder + "/recorded", error);
      const auto done =
          judged(program, old, now, first, timed, out, misses);
      fs::current_path(here, error);
      if (!done.ok()) return done.error();
    }
    REJIG_TRY_VOID(base::write_file_atomically(file, saved(out, misses)));
    return out;
  }

  base::Result<void> judged(const StudyProgram& program,
                            const StudyVersion& old, const StudyVersion& now,
                            const Timed& first, const Timed& second,
                            PairFigures& out, std::string& misses) {
    PairInputs inputs;
    inputs.old_jars = joined(old.jars, old.tests);
    inputs.new_jars = joined(now.jars, now.tests);
    inputs.lib = joined(program.lib);
    inputs.store = first.folder + "/rows.db";
    if (!program.variants) {
      inputs.results = {second.folder + "/rows.ndjson"};
      return judge_pair(inputs, context_, out, misses);
    }
    inputs.results = {second.folder + "/plain/reports"};
    const PairFigures before = out;
    REJIG_TRY_VOID(judge_pair(inputs, context_, out, misses));
    if (misses.find("hard\t") == std::string::npos) return {};
    // A miss must show again: tests that differ by themselves are not counted.
    REJIG_TRY(const unsigned attempt, new_attempt(second.folder + "/again"));
    const std::string again =
        second.folder + "/again/" + std::to_string(attempt);
    int code = 0;
    REJIG_TRY_VOID(timed(again, command(program, now, again), &code,
                         program.seconds));
    std::error_code error;
    if (code >= kTimedOut || !fs::exists(again + "/reports", error)) return {};
    inputs.again = {again + "/reports"};
    out = before;
    misses.clear();
    return judge_pair(inputs, context_, out, misses);
  }

  const Study& study_;
  std::string artifacts_;
  std::string folder_;
  const std::vector<std::string>& only_;
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

base::Result<std::vector<PairFigures>> run_study(
    const Study& study, const std::string& artifacts, const std::string& folder,
    const std::vector<std::string>& only, Context& context) {
  return Worker(study, fs::absolute(artifacts).string(),
                fs::absolute(folder).string(), only, context)
      .run();
}

}  // namespace rejig::app
