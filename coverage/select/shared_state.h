// SPDX-License-Identifier: Apache-2.0
// What do tests of one JVM hand to each other? Rows say which state a test met
// (`state:`) and which it left changed, and in which methods it had met it
// (`left:`). Order is not asked: the next run may have another one.
// What is not in static fields of the program goes by a name: a system property,
// a file, what the whole JVM has ("jvm ..."), which everybody meets. Who calls
// methods of an object that it did not make has borrowed it: from whoever made
// one ("borrowed p.C.<init>").
// It errs towards more: all static fields of a class are one state, and whoever
// met it may have read all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"
#include "classfile/words/delta.h"
#include "coverage/store/matrix.h"

namespace rejig::coverage {

// Mockito's archive for the boot loader, a file that one test makes.
inline bool is_mockitos(std::string_view what) {
  return what.starts_with("file ") &&
         what.find("/mockitoboot") != std::string_view::npos;
}

class SharedState {
 public:
  // A matrix may hold rows of several runs of the same tests beside each other.
  struct Runs {
    std::size_t count = 1;
    std::vector<std::uint32_t> of_row;  // empty: all are of one
  };
  static base::Result<SharedState> read(Matrix& matrix, Runs runs = {1, {}});

  // Of changed code that makes unchanged code take another way.
  base::Result<void> read_ways(Matrix& matrix,
                               const classfile::MayLeave& may_leave);

  // Whoever met a state that a row which `may_leave_otherwise` leaves behind, or that one
  // which meets changed code itself (`changed`) has methods to write.
  base::Result<void> pass_on(
      Matrix& matrix,
      const std::function<bool(RowId, std::string_view what)>&
          may_leave_otherwise,
      const std::function<bool(RowId)>& changed,
      const std::function<void(RowId from, RowId to, std::string_view what)>&
          met) const;
  // Of rows that run and met a state: who leaves it as they need it, in a
  // method that they do not enter themselves, or in which they change it, too.
  // None of these `runs`.
  base::Result<void> call_for(
      Matrix& matrix, const std::function<bool(RowId)>& runs,
      const std::function<void(RowId needed, RowId reader,
                               std::string_view what)>& found) const;

  // Of rows that all run: who needs what whom leaves, and so must be in one JVM.
  base::Result<void> together(
      Matrix& matrix, const std::function<bool(RowId)>& runs,
      const std::function<void(RowId reader, RowId provider)>& found) const;

  // Who leaves that state otherwise than it was; with a blank at its end, any
  // that begins so.
  static base::Result<void> add_leaving(Matrix& matrix, std::string_view state,
                                        RowSet& rows);
  // Of rows that say which state they met.
  static base::Result<void> add_meeting(Matrix& matrix, std::string_view what,
                                        RowSet& rows);

 private:
  // In order.
  static base::Result<std::vector<RowId>> who_meets(Matrix& matrix,
                                                    std::string_view what);
  struct Way {
    AtomId method;  // none: nobody enters it
    bool has_method = false;
    std::vector<RowId> rows;
  };
  struct State {
    std::string what;
    std::vector<RowId> left;
    std::vector<RowId> may_leave;  // with other code
    std::vector<RowId> met;
    std::vector<Way> ways;
    bool is_borrowed = false;
    // A library fills it time and again. Whoever asks in the same way fills it by
    // himself.
    bool is_cache = false;
  };
  base::Result<void> pass_on_cache(
      Matrix& matrix, const State& state,
      const std::function<bool(RowId)>& changes,
      const std::function<void(RowId, RowId, std::string_view)>& met) const;
  base::Result<void> read_borrowed(Matrix& matrix);
  base::Result<void> read_writers(Matrix& matrix);
  base::Result<State*> state_of(Matrix& matrix, const std::string& what);
  // Is there a static field by which it may have come to that row? Then the
  // rules for that field say who must run.
  bool is_explained(const State& borrowed, RowId reader) const;
  bool is_one_run(RowId a, RowId b) const {
    return runs_.of_row.empty() ||
           runs_.of_row[a.index()] == runs_.of_row[b.index()];
  }
  std::vector<State> states_;
  Runs runs_;
};

}  // namespace rejig::coverage
