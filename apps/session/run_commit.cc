// SPDX-License-Identifier: Apache-2.0
#include "apps/session/run_commit.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apps/session/old_program.h"
#include "apps/session/run_adopt.h"
#include "classfile/base/hash.h"
#include "classfile/program/program.h"
#include "classfile/reader/class_view.h"
#include "classfile/words/entity.h"
#include "coverage/row/baseline_age.h"
#include "coverage/select/answer.h"
#include "coverage/store/store.h"
#include "traversal/same/kept_numbers.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;
using classfile::AtomKind;
using coverage::Grade;
using coverage::MatrixBuilder;
using coverage::Outcome;

namespace {

std::uint64_t number_of(std::string_view text) {
  std::uint64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

class Commit {
 public:
  Commit(const CommitOptions& o,
         const std::map<std::string, SuiteAnswer>& answers,
         MatrixBuilder fresh)
      : o_(o), answers_(answers), next_(std::move(fresh)) {}

  base::Result<MatrixBuilder> change(coverage::Matrix& old) {
    REJIG_TRY_VOID(read_pointers(old));
    report_.lost_race = raced();
    if (report_.lost_race) return only_doubts(old);
    REJIG_TRY_VOID(move_programs());
    REJIG_TRY_VOID(read_digests(old));
    REJIG_TRY_VOID(add_old_rows(old));
    MatrixBuilder& builder = next_;
    for (const auto& [name, digests] : digests_) {
      for (const auto& digest : digests) builder.add_class(name, digest);
    }
    for (const auto& [key, value] : pointers_) {
      builder.add_environment(key, value);
    }
    for (const auto& suite : o_.suites) {
      add_old_program(suite, builder);
      REJIG_TRY_VOID(add_age(suite, old, builder));
    }
    return std::move(next_);
  }

  const CommitReport& report() const { return report_; }
  const std::vector<std::string>& garbage() const { return garbage_; }
  const std::vector<std::string>& moved() const { return moved_; }

 private:
  base::Result<void> read_pointers(coverage::Matrix& old) {
    REJIG_TRY(const auto environment, old.environment());
    for (const auto& e : environment) {
      if (e.key.starts_with("baseline/")) {
        pointers_[std::string(e.key)] = std::string(e.value);
      }
    }
    return {};
  }

  bool raced() const {
    for (const auto& [suite, answer] : answers_) {
      const auto at = pointers_.find(baseline_key(suite));
      if ((at == pointers_.end() ? "" : at->second) != answer.old_pointer) {
        return true;
      }
    }
    return false;
  }

  const SuiteAnswer* usable(const std::string& suite) const {
    const auto at = answers_.find(suite);
    return at == answers_.end() || at->second.conflict ? nullptr : &at->second;
  }

  // For selections that are given the new build only. Without it they need OLD.
  void add_old_program(const std::string& suite, MatrixBuilder& builder) const {
    builder.drop_facts(coverage::kProgramFact + suite);
    const SuiteAnswer* answer = usable(suite);
    const auto at = pointers_.find(baseline_key(suite));
    if (answer == nullptr || at == pointers_.end()) return;
    Snapshot here = answer->snapshot;
    here.folder = o_.baseline + "/" + at->second;
    ProgramPaths paths{here.copies(),      here.library_list(),
                       here.java_home,     o_.internal_globs,
                       o_.external_globs,  true,
                       std::set<std::string>()};
    for (const auto& library : here.libraries) {
      paths.ran_with->insert(library.digest);
    }
    base::Diagnostics diagnostics;
    const auto stored = store_program(paths, suite, builder, diagnostics);
    if (!stored.ok()) builder.drop_facts(coverage::kProgramFact + suite);
  }

  // The suite is as old as its oldest row.
  base::Result<void> add_age(const std::string& suite, coverage::Matrix& old,
                             MatrixBuilder& builder) const {
    const std::string recorded = std::string(coverage::kRecordedPrefix) + suite;
    const std::string selections =
        std::string(coverage::kSelectionsPrefix) + suite;
    std::optional<std::string> since;
    bool since_all = true;
    std::uint64_t runs = 0;
    REJIG_TRY(const auto environment, old.environment());
    for (const auto& e : environment) {
      if (e.key == recorded) since = std::string(e.value);
      if (e.key == selections) runs = number_of(e.value);
    }
    if (const auto at = adopted_.find(suite); at != adopted_.end()) {
      for (const auto& one : at->second) {
        runs = std::max(runs, one.selections);
        if (!one.since) since_all = false;
        if (one.since && (!since || number_of(*one.since) < number_of(*since))) {
          since = one.since;
        }
      }
    }
    coverage::set_recorded(builder, suite, coverage::recording_time());
    if (report_.kept == 0) return {};
    if (!since_all) since.reset();
    builder.drop_environment(recorded);
    if (since) builder.add_environment(recorded, *since);
    builder.add_environment(selections, std::to_string(runs + 1));
    return {};
  }

  // Another run was faster. What did not pass here must run again.
  base::Result<MatrixBuilder> only_doubts(coverage::Matrix& old) const {
    MatrixBuilder builder;
    REJIG_TRY_VOID(builder.add(old));
    next_.each_row([&](const coverage::Row& row) {
      if (row.justifies_skip()) return;
      auto doubtful = row;
      doubtful.grade = Grade::kPartial;
      builder.add_row(doubtful, std::vector<MatrixBuilder::LocalAtom>());
    });
    return builder;
  }

  base::Result<void> move_programs() {
    for (const auto& suite : o_.suites) {
      const auto key = baseline_key(suite);
      std::string before;
      if (const auto at = pointers_.find(key); at != pointers_.end()) {
        before = o_.baseline + "/" + at->second;
        garbage_.push_back(before);
        pointers_.erase(at);
      }
      const SuiteAnswer* answer = usable(suite);
      if (answer == nullptr) continue;
      const std::string folder = base::to_hex(base::hash128(suite));
      const std::string name =
          folder + "/" +
          fs::path(answer->snapshot.folder).parent_path().filename().string();
      Snapshot here = answer->snapshot;
      auto settings = answer->settings;
      if (!answer->strange_setting) {
        settings.insert(answer->known_settings.begin(),
                        answer->known_settings.end());
      }
      here.settings.assign(settings.begin(), settings.end());
      REJIG_TRY_VOID(write_snapshot(here));
      std::error_code error;
      fs::create_directories(o_.baseline + "/" + folder, error);
      if (!error) {
        fs::rename(answer->snapshot.folder, o_.baseline + "/" + name, error);
      }
      if (error) return Error{Errc::kIo, error.message(), o_.baseline};
      moved_.push_back(o_.baseline + "/" + name);
      pointers_[key] = name;
      here.folder = o_.baseline + "/" + name;
      REJIG_TRY(auto program, program_of(here));
      programs_.push_back(
          std::make_unique<classfile::Program>(std::move(program)));
      programs_of_.emplace_back(suite, programs_.back().get());
      add_move(suite, before, *programs_.back());
    }
    return {};
  }

  static base::Result<classfile::Program> program_of(const Snapshot& snapshot) {
    base::Diagnostics diagnostics;
    classfile::ProgramOptions as_listed;
    as_listed.follow_class_path = false;
    return classfile::Program::load(
        classfile::Program::split_path_list(snapshot.copies()), as_listed,
        diagnostics);
  }

  // A suite without a program to compare with moves like one that says nothing.
  void add_move(const std::string& suite, const std::string& before,
                const classfile::Program& news) {
    const auto snapshot = read_snapshot(before);
    if (!snapshot.ok()) {
      unknown_moves_ = true;
      return;
    }
    auto olds = program_of(*snapshot);
    if (!olds.ok()) {
      unknown_moves_ = true;
      return;
    }
    moves_.push_back(std::make_unique<Move>(suite, std::move(olds).value(), news));
  }

  base::Result<void> read_digests(coverage::Matrix& old) {
    for (const auto& [name, digest] : next_.classes()) {
      digests_[name].insert(digest);
    }
    REJIG_TRY(const auto before, old.classes());
    for (const auto& c : before) {
      const std::string name(c.name);
      const std::string digest(c.digest);
      if (digests_.count(name) == 0) {
        digests_[name].insert(digest_now(name).value_or(digest));
      }
      if (digests_[name].count(digest) == 0) changed_.insert(name);
    }
    return {};
  }

  std::optional<std::string> digest_now(const std::string& name) const {
    for (const auto& program : programs_) {
      const auto* file = program->find_class(classfile::slashed(name));
      if (file == nullptr) continue;
      base::Buffer buffer;
      const auto bytes = program->read(*file, buffer);
      if (bytes.ok()) return base::to_hex(base::sha256(*bytes));
    }
    return std::nullopt;
  }

  // Does the name of this method, "a.B$1.run()V", perhaps stand for something
  // else in one of the new programs?
  bool may_be_renumbered(std::string_view text) {
    const auto dot = text.substr(0, text.find('(')).rfind('.');
    const std::string owner = classfile::slashed(text.substr(0, dot));
    const auto method = text.substr(dot + 1);
    if (!traversal::may_be_numbered(owner, method)) return false;
    bool known = false;
    for (const auto& move : moves_) {
      if (move->olds.find_class(owner) == nullptr) continue;
      if (!move->numbers.keeps(owner, method)) return true;
      known = true;
    }
    return !known || unknown_moves_;
  }

  // A class that failed as a whole and whose tests ran by themselves now.
  bool is_replaced(const std::string& suite, std::string_view test) const {
    return o_.suites.count(suite) != 0 && coverage::is_whole_class(test) &&
           ran_singly_.count({suite, std::string(coverage::class_of_test(
                                         test))}) != 0;
  }

  // Was it a method of a class that went, or went itself? A test that is
  // dropped by mistake is a new one the next time.
  bool is_gone(const std::string& suite, std::string_view test) const {
    const auto at = std::ranges::find_if(
        moves_, [&](const auto& one) { return one->suite == suite; });
    if (at == moves_.end()) return false;
    const Move& move = **at;
    const auto cls = classfile::slashed(coverage::class_of_test(test));
    if (move.olds.find_class(cls) == nullptr) return false;
    if (move.news.find_class(cls) == nullptr) return true;
    const std::string method(coverage::method_of_test(test));
    const auto has = [&](const Members& members) {
      return members.contains(method);
    };
    return has(members_of(move.old_members, move.olds, cls)) &&
           !has(members_of(move.new_members, move.news, cls));
  }

  // Methods of a class and of those that it inherits from, as far as these are
  // in the program. A class of many tests is read once.
  using Members = std::set<std::string, std::less<>>;
  using MembersByClass = std::map<std::string, Members, std::less<>>;
  static const Members& members_of(MembersByClass& known,
                                   const classfile::Program& program,
                                   const std::string& cls) {
    const auto [at, fresh] = known.try_emplace(cls);
    if (!fresh) return at->second;
    std::vector<std::string> open = {cls};
    std::set<std::string> seen;
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      if (name.empty() || name == "java/lang/Object" ||
          !seen.insert(name).second) {
        continue;
      }
      const auto* file = program.find_class(name);
      base::Buffer buffer;
      const auto view = file == nullptr
                            ? std::nullopt
                            : parsed(program, *file, buffer);
      if (!view) continue;
      for (const auto& one : view->methods()) at->second.emplace(one.name);
      open.emplace_back(view->super_name());
      for (const auto itf : view->interfaces()) open.emplace_back(itf);
    }
    return at->second;
  }

  static std::optional<classfile::ClassView> parsed(
      const classfile::Program& program, const classfile::ProgramFile& file,
      base::Buffer& buffer) {
    const auto bytes = program.read(file, buffer);
    if (!bytes.ok()) return std::nullopt;
    auto view = classfile::ClassView::parse(*bytes, program.where(file));
    if (!view.ok()) return std::nullopt;
    return std::move(view).value();
  }

  // Which rows of the old store have an atom of a class that is another one now?
  struct OfChanged {
    std::vector<bool> edges;     // of a method or edge of it: pcs of old bytes
    std::vector<bool> renumbered;
  };
  base::Result<OfChanged> find_changed(coverage::Matrix& old) {
    OfChanged out{std::vector<bool>(old.row_count(), false),
                  std::vector<bool>(old.row_count(), false)};
    if (changed_.empty()) return out;
    std::vector<std::pair<coverage::AtomId, bool>> found;
    for (const auto kind : {AtomKind::kMethod, AtomKind::kEdge}) {
      REJIG_TRY_VOID(old.each_atom(kind, "", [&](auto id, auto text) {
        const auto entered = text.substr(0, text.find('('));
        const auto dot = entered.rfind('.');
        const auto owner = entered.substr(0, dot);
        if (changed_.count(std::string(owner)) == 0) return;
        found.emplace_back(
            id, kind == AtomKind::kMethod &&
                    may_be_renumbered(text));
      }));
    }
    std::vector<coverage::RowId> rows;
    for (const auto& [id, renumbered] : found) {
      rows.clear();
      REJIG_TRY_VOID(old.append_rows_with(id, rows));
      for (const auto row : rows) {
        out.edges[row.index()] = true;
        if (renumbered) out.renumbered[row.index()] = true;
      }
    }
    return out;
  }

  base::Result<void> add_old_rows(coverage::Matrix& old) {
    REJIG_TRY(const auto all, old.rows());
    std::vector<std::optional<coverage::Row>> rows(all.begin(), all.end());
    bool any = false;
    next_.each_row([&](const coverage::Row& row) {
      if (coverage::is_whole_class(row.test)) return;
      ran_singly_.emplace(row.suite, coverage::class_of_test(row.test));
    });
    REJIG_TRY_VOID(adopt());
    for (auto& row : rows) {
      const std::string suite(row->suite);
      if (o_.suites.count(suite) != 0 &&
          (next_.find_row(row->suite, row->test) != nullptr ||
           is_replaced(suite, row->test))) {
        row.reset();
      } else if (is_gone(suite, row->test)) {
        report_.gone.emplace(row->test);
        row.reset();
      }
      any = any || row.has_value();
    }
    if (any) REJIG_TRY_VOID(keep_rows(old, rows));
    REJIG_TRY(const auto environment, old.environment());
    for (const auto& e : environment) {
      if (!e.key.starts_with("baseline/"))
        next_.add_environment(e.key, e.value);
    }
    REJIG_TRY(const auto names, old.fact_names(""));
    for (const auto& name : names) {
      REJIG_TRY(const auto contents, old.digested_facts(name));
      for (const auto& [digest, bytes] : contents) {
        next_.add_facts(name, bytes, digest);
      }
    }
    return {};
  }

  // Rows of runs of others, by which tests were skipped here.
  base::Result<void> adopt() {
    for (const auto& move : programs_of_) {
      const SuiteAnswer* answer = usable(move.first);
      if (answer == nullptr || o_.dry_run || answer->strange_setting) continue;
      std::map<std::string, std::set<std::string>> by_store;
      for (const auto& [test, store] : answer->proofs) {
        if (answer->skipped.count(test) != 0 &&
            next_.find_row(move.first, test) == nullptr) {
          by_store[store].insert(test);
        }
      }
      for (const auto& [store, tests] : by_store) {
        REJIG_TRY(const auto done,
                  adopt_rows({move.first, store, tests, move.second,
                              [this](const std::string& name) {
                                return digest_of_now(name);
                              }},
                             next_));
        report_.kept += done.kept;
        report_.pending += done.pending;
        for (const auto& [name, digest] : done.classes) {
          auto& known = digests_[name];
          if (known.empty()) known.insert(digest);
        }
        adopted_[move.first].push_back(done);
      }
    }
    return {};
  }

  std::optional<std::string> digest_of_now(const std::string& name) const {
    const auto at = digests_.find(name);
    if (at != digests_.end() && at->second.size() == 1) {
      return *at->second.begin();
    }
    return digest_now(name);
  }

  base::Result<void> keep_rows(coverage::Matrix& old,
                               std::vector<std::optional<coverage::Row>>& rows) {
    REJIG_TRY(const auto changed, find_changed(old));
    const auto without_edges = std::make_unique<bool[]>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i]) continue;
      auto& row = *rows[i];
      without_edges[i] = row.recorded(AtomKind::kEdge) && changed.edges[i];
      if (without_edges[i]) row.facts = row.facts.without(AtomKind::kEdge);
      const std::string suite(row.suite);
      if (o_.suites.count(suite) == 0) continue;
      const SuiteAnswer* answer = usable(suite);
      if (!changed.renumbered[i] && answer != nullptr && !o_.dry_run &&
          !answer->strange_setting &&
          answer->skipped.count(std::string(row.test)) != 0) {
        ++report_.kept;
      } else {
        row.grade = std::max(row.grade, Grade::kForeign);
        ++report_.pending;
      }
    }
    return next_.add_rows(old, rows,
                          std::span(without_edges.get(), rows.size()));
  }

  // From the program of a baseline to the one that takes its place.
  struct Move {
    Move(std::string of, classfile::Program before,
         const classfile::Program& after)
        : suite(std::move(of)),
          olds(std::move(before)),
          news(after),
          numbers(olds, after) {}
    std::string suite;
    classfile::Program olds;
    const classfile::Program& news;
    mutable MembersByClass old_members;
    mutable MembersByClass new_members;
    traversal::KeptNumbers numbers;
  };

  const CommitOptions& o_;
  const std::map<std::string, SuiteAnswer>& answers_;
  MatrixBuilder next_;  // at first what was recorded
  CommitReport report_;
  std::map<std::string, std::string> pointers_;
  std::map<std::string, std::set<std::string>> digests_;
  std::set<std::string> changed_;
  std::vector<std::unique_ptr<classfile::Program>> programs_;
  std::vector<std::unique_ptr<Move>> moves_;
  std::vector<std::pair<std::string, const classfile::Program*>> programs_of_;
  std::map<std::string, std::vector<Adopted>> adopted_;
  // Suites and classes of which a test was recorded.
  std::set<std::pair<std::string, std::string>> ran_singly_;
  bool unknown_moves_ = false;  // the old program of some suite is not there
  std::vector<std::string> garbage_;
  std::vector<std::string> moved_;
};

}  // namespace

base::Result<CommitReport> commit_rows(
    const CommitOptions& o, const std::map<std::string, SuiteAnswer>& answers,
    coverage::MatrixBuilder fresh) {
  Commit commit(o, answers, std::move(fresh));
  coverage::WriteOptions options;
  options.pool = o.pool;
  const auto done = coverage::replace_store(
      o.store, [&](coverage::Matrix& old) { return commit.change(old); },
      options);
  std::error_code error;
  for (const auto& folder : done.ok() ? commit.garbage() : commit.moved()) {
    fs::remove_all(folder, error);
  }
  if (!done.ok()) return done.error();
  return commit.report();
}

}  // namespace rejig::app
