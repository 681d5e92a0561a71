// SPDX-License-Identifier: Apache-2.0
// Which classes of libraries may run other code, when some of these classes are
// others? Those that name one (in code, as text, in a list of services), and
// those that one is below: whoever has such an object calls it by them. And so
// on. What the program gets from a library without naming any of these it has
// from state that others left, or from the JDK, which is everybody's.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "traversal/session/phases.h"

namespace rejig::traversal {

// Of archives that both versions have: one file has one content.
std::set<std::string, std::less<>> same_library_paths(const Worlds& worlds);

class LibraryReach {
 public:
  explicit LibraryReach(const Matching& matching);

  // Also classes that ask the JVM for the version of their package.
  void ask_packages() { asks_packages_ = true; }
  // From those that differ.
  void spread();

  // Of both versions, in no order; not those that differ themselves.
  std::vector<Name> reached() const;
  // Classes behind those that differ whose static fields may hold something
  // else now: these name them, and those that they name.
  std::vector<Name> kept_behind() const;
  bool is_in_both(const std::string& archive) const {
    return same_paths_.contains(archive);
  }
  // Why nobody can say whom it concerns; empty: it can be said.
  const std::string& everybody() const { return everybody_; }
  bool other_drivers() const { return drivers_; }  // of java.sql

 private:
  using Id = std::uint32_t;
  struct Class {
    Name name;
    bool internal = false;
    bool keeps = false;
    bool packages = false;  // names java.lang.Package
    std::vector<Id> names;
    std::vector<Id> named_by;
    std::vector<Id> supers;
  };

  Id id_of(std::string_view name);
  void read(const classfile::Program& program, bool internal);
  bool asks_of_differing(const classfile::Program& program,
                         const classfile::ProgramFile& file,
                         const Class& cls) const;
  void read_class(const classfile::Program& program,
                  const classfile::ProgramFile& file, Class& out);
  void read_services(const classfile::Program& program);
  bool is_there(const std::string& service) const;
  void concern(Id id, std::string_view because);

  const Matching& matching_;
  std::map<std::string, Id, std::less<>> ids_;
  std::vector<Class> classes_;
  std::vector<bool> concerned_;
  std::vector<Id> todo_;
  std::vector<Id> seeds_;
  // By provider: services that the JDK, a test framework or the program loads.
  std::multimap<Id, std::string> serves_;
  std::set<std::string, std::less<>> same_paths_;
  bool asks_packages_ = false;
  bool drivers_ = false;
  std::string everybody_;
};

// D20 and D21 of libraries, for rows: files, manifests, and what LibraryReach
// says.
void compare_libraries(const Matching& matching, Findings& findings);

}  // namespace rejig::traversal
