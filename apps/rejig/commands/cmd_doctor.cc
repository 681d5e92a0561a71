// SPDX-License-Identifier: Apache-2.0
// rejig doctor: what would a run use here, would everything run, and what is to be
// done about it?
#include <cstdlib>
#include <filesystem>
#include <set>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/desk/build_found.h"
#include "apps/session/last_program.h"
#include "apps/session/recorder_files.h"
#include "apps/session/run_process.h"
#include "apps/session/run_setting.h"
#include "apps/session/settings.h"
#include "classfile/base/file.h"
#include "coverage/row/file_state.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string store;
};

// Why more runs than a change would select, and what to do.
struct Finding {
  std::string reason;
  std::string remedy;
};

struct Findings {
  std::vector<Finding> everything;
  std::vector<Finding> some;  // a suite, or a few tests
  std::vector<Finding> notes;
  bool broken = false;  // nothing can be recorded
};

class Doctor {
 public:
  Doctor(Options o, Context& context) : o_(std::move(o)), context_(context) {}

  int run() {
    look_at_recorder();
    look_at_settings();
    look_at_build();
    look_at_store();
    tell();
    return found_.broken ? kExitTrouble : kExitOk;
  }

 private:
  void line(const std::string& key, const std::string& value) {
    constexpr std::size_t kColumn = 12;
    context_.out->write(
        key + std::string(key.size() < kColumn ? kColumn - key.size() : 1, ' ') +
        value + "\n");
  }

  void look_at_recorder() {
    const auto recorder = find_recorder();
    line("agent", recorder.ok() ? recorder->agent : recorder.error().message());
    if (recorder.ok()) {
      line("jar", recorder->jar);
    } else {
      found_.broken = true;
      found_.everything.push_back({recorder.error().message(),
                                   "install rejig whole: the recorder lies "
                                   "beside the program"});
    }
    const char* home = std::getenv("JAVA_HOME");
    line("JAVA_HOME", home == nullptr ? "not set" : home);
    std::error_code error;
    line("internal", fs::current_path(error).string());
    if (switched_off()) {
      line("REJIG_OFF", "everything is switched off");
      found_.everything.push_back({"REJIG_OFF is set", "unset REJIG_OFF"});
    }
  }

  void look_at_settings() {
    const auto config = load_config(context_);
    if (!config.ok()) {
      found_.broken = true;
      line("settings", config.error().message());
      found_.everything.push_back({"the settings cannot be read: " +
                                       config.error().message(),
                                   "mend that line"});
      return;
    }
    if (o_.store.empty() && config->coverage) o_.store = *config->coverage;
    for (const auto& text : config->narrowing) line("narrowed", "by " + text);
    for (const auto& rule : config->always) {
      found_.notes.push_back({"tests that always run: " + rule.tests, ""});
    }
  }

  void look_at_build() {
    std::error_code error;
    const auto build = build_of(fs::current_path(error));
    if (!build.tool.empty()) {
      line("build", build.tool + " (" + build.file + "), rejig run -- " +
                        shell_words(build.test_command));
      command_ = shell_words(build.test_command);
    }
    for (const auto& note : build.notes) {
      const auto semicolon = note.rfind("; ");
      found_.everything.push_back(
          {note.substr(0, semicolon), semicolon == std::string::npos
                                          ? ""
                                          : note.substr(semicolon + 2)});
    }
  }

  void look_at_store() {
    if (o_.store.empty()) o_.store = coverage::kDefaultStore;
    auto store = coverage::open_store(o_.store);
    if (!store.ok()) {
      line("store", store.error().message());
      const bool none = store.error().code == base::Errc::kNotFound;
      found_.everything.push_back(
          {none ? "there is no matrix yet (" + o_.store + ")"
                : "the matrix cannot be used: " + store.error().message(),
           none ? "rejig run -- " + command_ + " records it"
                : "delete " + o_.store + "; the next run records it anew"});
      return;
    }
    line("store",
         o_.store + ", " + std::to_string((*store)->row_count()) + " rows");
    const auto programs = last_programs(o_.store);
    if (!programs.ok()) {
      found_.everything.push_back({programs.error().message(), ""});
      return;
    }
    std::size_t troubled = 0;
    for (const auto& program : *programs) {
      line("suite", program.suite);
      const std::string problem = problem_of(program);
      if (problem.empty()) continue;
      ++troubled;
      found_.some.push_back({"suite " + program.suite + ": " + problem,
                             remedy_of(problem)});
    }
    if (programs->empty()) {
      found_.everything.push_back(
          {"no suite has a baseline: the rows are of `rejig record` or an "
           "import",
           "rejig run -- " + command_ + " makes one"});
    } else if (troubled == programs->size()) {
      found_.everything.insert(found_.everything.end(), found_.some.begin(),
                               found_.some.end());
      found_.some.clear();
    }
    look_at_rows(**store, *programs);
  }

  // What can be known before a JVM has started.
  std::string problem_of(const LastProgram& program) const {
    if (!program.problem.empty()) return program.problem;
    const std::string& then = program.snapshot.java_home;
    std::error_code error;
    if (!then.empty() && !fs::is_directory(then, error)) {
      return "its Java is not there any more (" + then + ")";
    }
    const char* home = std::getenv("JAVA_HOME");
    if (home != nullptr && !then.empty() &&
        release_of(home) != release_of(then)) {
      return "another Java: JAVA_HOME is " + release_of(home) +
             ", the baseline has " + release_of(then);
    }
    return setting_problem(program);
  }

  static std::string release_of(const std::string& home) {
    const auto text = base::read_file(home + "/release");
    if (!text.ok()) return home;
    constexpr std::string_view kKey = "JAVA_RUNTIME_VERSION=\"";
    const auto at = text->find(kKey);
    if (at == std::string::npos) return home;
    const auto begin = at + kKey.size();
    return text->substr(begin, text->find('"', begin) - begin);
  }

  // The part of a setting that the machine decides: its zone, the files of the
  // JDK, preloaded libraries.
  static std::string setting_problem(const LastProgram& program) {
    Start start;
    start.home = program.snapshot.java_home;
    start.variables = coverage::own_environment();
    std::set<std::string> here;
    const auto of_machine = [](const std::string& text) {
      return text.starts_with("jdk ") || text.starts_with("time ") ||
             text.starts_with("variable ");
    };
    const auto lines_of = [&](const std::string& text) {
      std::set<std::string> out;
      for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const std::string one = text.substr(at, end - at);
        if (of_machine(one)) out.insert(one);
        at = end + 1;
      }
      return out;
    };
    const auto now = lines_of(Setting(start, {}).text());
    std::string nearest;
    for (const auto& text : program.snapshot.settings) {
      const auto then = lines_of(text);
      if (then == now) return {};
      std::set<std::string> names;
      for (const auto& [a, b] : {std::pair(&now, &then), std::pair(&then, &now)}) {
        for (const auto& one : *a) {
          if (b->count(one) == 0) names.insert(one.substr(0, one.rfind(' ')));
        }
      }
      std::string list;
      for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
      if (nearest.empty() || list.size() < nearest.size()) nearest = list;
    }
    return nearest.empty() ? "" : "other settings than in the baseline: " + nearest;
  }

  static std::string remedy_of(const std::string& problem) {
    const auto says = [&](std::string_view part) {
      return problem.find(part) != std::string::npos;
    };
    if (says("is it compiled?")) return "compile it";
    if (says("another one")) return "nothing: after one whole run it is known";
    if (says("Java")) return "set JAVA_HOME to that Java, or let it run once";
    if (says("settings")) return "set it as it was, or let it run once";
    if (says("baseline")) return "nothing: the next run makes a new one";
    return "";
  }

  void look_at_rows(coverage::Matrix& matrix,
                    const std::vector<LastProgram>& programs) {
    const auto rows = matrix.rows();
    if (!rows.ok()) {
      found_.everything.push_back({rows.error().message(), ""});
      return;
    }
    std::set<std::string> known;
    for (const auto& program : programs) known.insert(program.suite);
    std::size_t failed = 0;
    std::size_t doubtful = 0;
    for (const auto& row : *rows) {
      if (known.count(std::string(row.suite)) == 0) continue;
      if (row.result == coverage::Outcome::kFail ||
          row.result == coverage::Outcome::kError) {
        ++failed;
      } else if (!row.justifies_skip()) {
        ++doubtful;
      }
    }
    if (failed != 0) {
      found_.notes.push_back({std::to_string(failed) +
                                  " tests did not pass the last time and run "
                                  "until they do",
                              "mend them, or let the build leave them out"});
    }
    if (doubtful != 0) {
      found_.notes.push_back(
          {std::to_string(doubtful) +
               " rows are not complete (aborted, killed, disabled, foreign): "
               "their tests run",
           "rejig coverage show TEST says why"});
    }
  }

  void tell_all(const std::vector<Finding>& all) {
    for (const auto& one : all) {
      context_.out->write("  " + one.reason +
                          (one.remedy.empty() ? "" : "; do this: " + one.remedy) +
                          "\n");
    }
  }

  void tell() {
    Output& out = *context_.out;
    if (!found_.everything.empty()) {
      out.write("the next run will run everything, because\n");
      tell_all(found_.everything);
    } else if (!found_.some.empty()) {
      out.write("the next run will run everything of some suites, because\n");
      tell_all(found_.some);
    } else {
      out.write("the next run will run what a change can affect\n");
    }
    tell_all(found_.notes);
  }

  Options o_;
  Context& context_;
  Findings found_;
  std::string command_ = "CMD";
};

}  // namespace

Run declare_doctor(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "STORE");
  line.footer("Exit codes: 0; 2 nothing could be recorded.\n");
  return [o](Context& context) { return Doctor(*o, context).run(); };
}

}  // namespace rejig::app
