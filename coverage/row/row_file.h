// SPDX-License-Identifier: Apache-2.0
// What did one JVM record? The content of a row file of the recorder agent
// (apps/agent/ROWS.md), checked: every number refers to something, every name
// is text. A torn tail is what a killed JVM leaves: what stands before it is
// valid. Anything else that is not understood makes the file an Error, and the
// caller trusts no row that was recorded beside it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/base/byte_reader.h"
#include "classfile/base/result.h"

namespace rejig::coverage {

struct RecordedMethod {
  std::string name;
  std::string descriptor;
  bool has_code = false;
  bool clones = false;
  bool asks = false;      // a Class, by native methods
  bool provides = false;  // parameters of its class's tests
  bool is_test = false;   // by an annotation of JUnit 4, 5 or TestNG
  bool is_static = false;
  bool is_abstract = false;
  // What its code resolves: index into the names of its class << 5, and 1
  // creates, 2 triggers, 4 static fields, 8 and writes what they hold, 16 with
  // a constant.
  std::vector<std::uint32_t> uses;
  std::uint32_t owner = 0;  // index of its class
};

enum class Origin : std::uint8_t {
  kInternal,
  kUntouched,
  kExternal,
  kGenerated
};

struct RecordedClass {
  Origin origin = Origin::kExternal;
  std::string name;    // "a/b/C"
  std::string digest;  // SHA-256 in hex; empty when it is not known
  std::uint32_t source = 0;
  bool is_interface = false;
  bool is_final = false;
  bool keeps_state = false;  // static fields that can hold something else later
  bool has_parts = false;    // so can fields of its instances
  std::vector<std::string> supertypes;
  // Indexes into the names of the file: the classes that it refers to, first
  // those with a constant in its pool, then what only descriptors name.
  std::vector<std::uint32_t> names;
  std::uint32_t constants = 0;
  std::vector<RecordedMethod> methods;
};

enum class FactKind : std::uint8_t {
  kReflected = 1,
  kCreated,
  kCreatable,
  kAskedClass,
  kMissingClass,
  kResource,
  kFile,
  kStack,
  kMessage,
  kChild,
  kNative,
  kLoadedClass,
  kAttributes,
  kExists,
  kVariable,
  kInitialized,
  kConstants,
  kListed,
  kMakesShared,
  kUsesShared,
  kRealPath,
  kEntry,
  kDeclared,
  kRedefined,
  kChangedState,
  kKept,
  kAskedBy,
  kLeftThere,
  kMet,
};

struct RecordedFact {
  FactKind kind = FactKind::kReflected;
  // A test runner asked, and nobody else; of kExists: to make the folder.
  bool by_runner = false;
  std::string text;
  bool absent = false;     // nothing was there when the file was looked at
  bool by_loader = false;  // a class loader looked, for classes
};

struct RecordedReceiver {
  std::uint32_t method = 0;  // index
  std::uint32_t name = 0;    // index
};

// Indexes into the vectors of the file.
struct Work {
  std::vector<std::uint32_t> methods;
  std::vector<std::uint32_t> classes;
  std::vector<std::uint32_t> facts;
  std::vector<std::uint32_t> receivers;
};

enum class ScopeResult : std::uint8_t { kPassed, kFailed, kAborted };

struct Scope {
  bool is_test = false;
  std::uint32_t parent = 0;  // 0: the session
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  bool has_end = false;
  ScopeResult result = ScopeResult::kAborted;
  bool overlapped = false;
  std::string id;
  Work work;
  std::vector<std::uint32_t> joined;
};

struct RowFile {
  std::uint64_t started = 0;
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::string suite;
  std::vector<std::string> atom_kinds;
  std::map<std::string, std::string> environment;
  std::vector<std::string> internal_roots;

  std::vector<std::string> names;  // of classes, "a/b/C"
  std::vector<RecordedClass> classes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      methods;  // class, method
  std::vector<RecordedFact> facts;
  std::vector<RecordedReceiver> receivers;
  std::map<std::uint32_t, std::string> sources;
  std::map<std::uint32_t, Scope> scopes;  // 0 is the session
  std::map<std::uint32_t, Work> inits;    // by class index
  std::vector<std::string> losses;        // why something was not recorded
  bool has_exit = false;
  bool torn = false;
};

// `where` names the file in errors.
base::Result<RowFile> parse_row_file(base::Bytes bytes,
                                     const std::string& where);
base::Result<RowFile> read_row_file(const std::string& path);

}  // namespace rejig::coverage
