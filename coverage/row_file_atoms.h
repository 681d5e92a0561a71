// SPDX-License-Identifier: Apache-2.0
// Which atoms follow from what a test did? The derivations of apps/agent/
// ROWS.md for the rows of one file: initializations and their work, exact
// types, receivers, loads, reflection, resources. Each over-approximates. File,
// classes, builder and options must outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classfile/entity.h"
#include "coverage/matrix_builder.h"
#include "coverage/row_file.h"
#include "coverage/row_file_classes.h"
#include "coverage/row_file_lasting.h"
#include "coverage/row_file_opened.h"
#include "coverage/row_file_work.h"

namespace rejig::coverage {

struct TestClass {
  std::string name;  // with dots
  bool shares_instance = false;  // its tests have one together
};

class RowAtoms {
 public:
  using Id = RecordedClasses::Id;
  using LocalAtom = MatrixBuilder::LocalAtom;

  RowAtoms(const RowFile& file, RecordedClasses& classes,
           MatrixBuilder& builder, const JoinOptions& options);

  // `work` grows by that of initializers. `own`: what the test's class is made
  // of, when changes of these are compared as changes of a test class. `number` of the scope; until
  // `seen_by` it may have looked at files.
  std::vector<LocalAtom> derive(Whole& work, const std::vector<Id>& own,
                                std::uint32_t number, std::uint64_t seen_by,
                                const TestClass& test_class);

 private:
  using AtomKind = classfile::AtomKind;
  // An object of a class, or what a method made (a lambda): of the class `owner`
  // and with that name; an empty one asks for nothing.
  struct Need {
    Id owner = 0;
    std::string_view maker;
  };
  // Of one kind and each class, as far as they were asked for; number + 1.
  using Known = std::vector<LocalAtom>;

  void note_lasting(const Work& work, std::uint32_t scope);
  void find_unexplained_inits();
  void close_over_inits(Whole& work);
  bool meet(Id id, Whole& work);
  void linked(Id id, const RecordedMethod& method);
  void initialize(Whole& work, const std::vector<Id>& classes);
  void put(AtomKind kind, std::string_view text);
  void put_class(AtomKind kind, Id id);
  void put_kind(Id id);
  void put_method(std::uint32_t method);
  void put_receiver(Id receiver, std::uint32_t method);
  void met_state(std::uint32_t method, bool own);
  void met_by_reflection(Id id);
  void may_write(Id id);
  void left();
  const std::vector<Id>& keepers_behind(Id library);
  void met_libraries(const Whole& work);
  void left_there(const std::string& text);
  void find_needs();
  void find_early_inits();
  void add_without_state(const Work& from, Whole& work) const;
  void borrowed(const Whole& work);
  void shared(const std::string& what);
  void share_instances(const TestClass& test_class);
  bool is_extension(Id id);
  void follow_changes();
  void method(std::uint32_t index, bool own);
  void receiver(const RecordedReceiver& r);
  void created();
  void fact(const RecordedFact& f);
  void reflected(Id id, const RecordedFact& f);
  void constants(Id id);
  void missing(const std::string& name);
  void find_loaded(const Whole& work);
  void loaded(Id id);
  void untouched(Id id, const RecordedClass& c);
  void external_closure();
  void opened(const RecordedFact& f);
  void enter_redefined(Whole& work, std::uint32_t number);
  bool runs_native_code(const Whole& work, std::uint32_t number) const;

  const RowFile& file_;
  RecordedClasses& classes_;
  MatrixBuilder& builder_;
  OpenedFiles files_;
  bool receivers_ = false;  // were recorded
  std::vector<Id> fact_class_;
  std::unordered_map<Id, std::vector<const Work*>> init_of_;
  std::unordered_set<Id> early_;  // initialized before any test could run
  // Facts that count for every later test: the earliest scope.
  std::map<std::uint32_t, std::uint32_t> lasting_;
  LastingFacts kept_;
  // By scope: classes whose state changed unseen since what it found changed had
  // been looked at.
  std::unordered_map<std::uint32_t, std::vector<Id>> also_met_;
  std::unordered_map<Id, std::vector<Id>> keepers_;  // behind a library's class
  std::vector<Known> known_;
  Known kinds_;
  Known methods_;
  // Of each method: who must have been entered for it to be called.
  std::vector<Need> need_;
  // Of the row that is derived.
  std::uint64_t seen_by_ = 0;
  std::vector<LocalAtom> out_;
  Marks own_;
  Marks created_;
  Marks constructed_;
  Marks initialized_;
  Marks referred_;  // classes that it met, by name
  Marks loaded_;
  Marks changed_;  // classes whose static fields held something else in the end
  Marks extensions_;  // classes of JUnit extensions that it entered
  // Methods that met static fields, and of which class.
  std::vector<std::pair<Id, std::uint32_t>> met_;
  bool asks_ = false;
  bool native_ = false;  // native code of the program was loaded
};

}  // namespace rejig::coverage
