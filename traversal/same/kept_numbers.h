// SPDX-License-Identifier: Apache-2.0
// Which lambdas, accessors and anonymous classes still have the name that they
// had? Compilers number what has no name, so after a change the same name may
// stand for another piece of the source. A member keeps its name if it says
// what it said and every method that mentions it, in either version, says what
// it said: then it stands at the same places. A no is no difference, only doubt.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "classfile/program/program.h"

namespace rejig::traversal {

// Was this name made up by a compiler, so that it may mean something else in
// another version? `owner`: "a/B$1"; `method`: "lambda$f$0(I)V".
bool may_be_numbered(std::string_view owner, std::string_view method);

class KeptNumbers {
 public:
  // Both programs outlive it.
  KeptNumbers(const classfile::Program& olds, const classfile::Program& news);
  ~KeptNumbers();

  // Asked of names that may be numbered. False: gone, or nobody can tell.
  bool keeps(std::string_view owner, std::string_view method);

 private:
  struct Family;
  const Family& family_of(std::string_view outermost);

  const classfile::Program& olds_;
  const classfile::Program& news_;
  std::map<std::string, std::unique_ptr<Family>, std::less<>> families_;
};

}  // namespace rejig::traversal
