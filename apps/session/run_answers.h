// SPDX-License-Identifier: Apache-2.0
// Which tests may this JVM skip? A test JVM puts a question (a file) into a
// folder when its runner discovers tests, and waits for the answer beside it.
// The program that is compared is a copy made at that moment, so that a build
// which goes on compiling cannot change it. Whatever is doubtful is answered
// with an empty list.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/session/work.h"
#include "apps/session/run_baseline.h"
#include "apps/session/run_process.h"
#include "apps/session/run_question.h"
#include "apps/session/run_setting.h"
#include "apps/session/team_remote.h"
#include "coverage/row/row_file.h"

namespace rejig::app {

struct AnswerOptions {
  std::string store;
  std::string folder;    // of this run: ask/ and snapshots
  std::string baseline;  // folder of the baselines
  std::vector<std::string> internal;
  std::string project;
  std::string suite;  // empty: by the JVM's working directory
  std::vector<std::string> internal_globs;  // over class names
  std::vector<std::string> external_globs;
  bool selects = false;
  bool dry_run = false;
  bool reports = false;
  std::vector<std::string> source_roots;
  std::string program;  // rejig; empty: this program
  TeamRemote* remote = nullptr;  // null: none
  // Of several machines; none: the tests are not divided.
  unsigned shard = 0;
  unsigned shards = 0;
  std::string plan;  // a file; empty: made here
};

struct SuiteAnswer {
  Snapshot snapshot;
  std::vector<std::string> class_path;
  std::string signature;
  std::string old_pointer;  // what the store said; empty: no baseline
  bool compared = false;    // with the baseline, or with runs of others
  std::set<std::string> skipped;
  // Those of which the proof is another run: the file of its segment.
  std::map<std::string, std::string> proofs;
  std::set<std::string> elsewhere;  // selected, and for other shards
  std::set<std::string> told;       // not to run: both
  std::string plan = "-";           // digest
  std::set<std::string> selected;
  bool answered = false;  // the two sets say something
  bool all_selected = false;
  bool conflict = false;  // JVMs of one suite with several programs
  // Its JVMs' options and properties; with those of the baseline while all of
  // them were among these.
  std::set<std::string> settings;
  std::set<std::string> known_settings;
  bool strange_setting = false;
  std::vector<std::string> choices;  // of the JVM that asked first
  std::optional<std::string> old_libraries;  // a list, where they are others
  std::string content;  // of the skip list
  std::string answer;   // the whole of it, for people
  std::string page;     // what a report shows beside it
  std::vector<std::string> everything_because;

  // No JVM of it ran everything for a doubt of its own.
  bool all_answered() const { return !conflict && !strange_setting; }
};

// What the JVMs of a step would be told, before one is started.
struct Foreseen {
  std::string suite;
  bool nothing = false;  // each test that is known is unaffected, and no other is
  std::size_t left_out = 0;
};

class Answers {
 public:
  Answers(AnswerOptions options, Work& work)
      : o_(std::move(options)), work_(work) {}

  void serve();
  // A question as `question_text` left it, with the variables of now. The answer
  // is that of the JVM, should it come.
  base::Result<Foreseen> foresee(const std::string& text,
                                 const std::string& variables);
  // What JVMs asked whose rows go to that folder.
  std::set<std::string> questions(const std::string& rows) const {
    const auto at = questions_.find(rows);
    return at == questions_.end() ? std::set<std::string>() : at->second;
  }
  const std::map<std::string, SuiteAnswer>& suites() const { return suites_; }
  // The suite of a JVM that left rows.
  std::string suite_of(const coverage::RowFile& file) const;
  // This process put a question, whatever the answer was.
  bool asked(std::uint32_t pid) const { return asked_.count(pid) != 0; }
  // What properties told it which tests to run; null: it never asked.
  const std::vector<std::string>* choices_of(std::uint32_t pid) const {
    const auto at = choices_.find(pid);
    return at == choices_.end() ? nullptr : &at->second;
  }

 private:
  std::string answer(const Question& question);
  void note_choices(const Question& question);
  // The suite as it was compared when its first JVM asked; null: not with this
  // program.
  SuiteAnswer* compared(const Question& question, const std::string& suite);
  std::string suite_of(const Question& question) const;
  std::string below_project(const std::string& named,
                            const std::string& directory) const;
  base::Result<void> select(const Question& question, const std::string& suite,
                            SuiteAnswer& out);
  // Why the suite's own baseline says nothing; empty: it does.
  base::Result<std::string> compare_baseline(const Question& question,
                                             const std::string& suite,
                                             bool has_others, SuiteAnswer& out,
                                             Snapshot& old) const;
  std::vector<std::string> words_of_select(
      const Question& question, const std::string& suite,
      const SuiteAnswer& out, const std::string& here) const;
  base::Result<void> read_list(const Question& question,
                               const std::string& suite,
                               const std::string& here, SuiteAnswer& out);
  base::Result<void> divide(const Question& question, const std::string& suite,
                            const std::string& here, SuiteAnswer& out) const;
  base::Result<void> read_proofs(const std::string& path,
                                 const std::string& suite,
                                 const std::vector<NearRun>& runs,
                                 SuiteAnswer& out) const;
  void say_once(const std::string& text);
  void everything(SuiteAnswer& suite, const std::string& reason);

  AnswerOptions o_;
  Work& work_;
  std::map<std::string, SuiteAnswer> suites_;
  std::map<std::uint32_t, std::set<std::string>> suites_of_;  // by process
  std::map<std::uint32_t, std::vector<std::string>> choices_;
  std::set<std::uint32_t> asked_;
  std::map<std::string, std::set<std::string>> questions_;  // by REJIG_OUT
  std::set<std::string> done_;
  std::set<std::string> said_;
};

// What the store's environment says about the baseline of a suite.
base::Result<std::string> baseline_pointer(const std::string& store,
                                           const std::string& suite);

}  // namespace rejig::app
