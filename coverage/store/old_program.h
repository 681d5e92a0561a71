// SPDX-License-Identifier: Apache-2.0
// What was the old program? A matrix keeps it as facts: every class with its
// digests, the digests of all other files, and the class files of the external
// classes that it mentions, so that a selection needs the new build only.
// "program/SUITE" lists the files, "pack/DIGEST" holds contents; equal packs of
// several suites rest once. FORMAT.md says what is in them.
//
// The programs of a StoredProgram read from the matrix on demand, from any
// thread while nobody else uses the matrix; the matrix must outlive them.
// Errs towards selecting: what cannot be read is an Error, of the whole record
// here and of a single file when that is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/program/program.h"
#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

inline constexpr const char* kProgramFact = "program/";

struct NamedDigest {
  std::string name;
  std::string digest;
  friend bool operator==(const NamedDigest&, const NamedDigest&) = default;
};

// What the program ran with, as far as it is no part of it.
struct ProgramOrigin {
  unsigned release = 0;  // feature release of the platform; 0: not known
  std::string platform;  // tells JDKs apart; empty: not known
  std::string patterns;  // what said which classes are internal
  std::vector<NamedDigest> libraries;  // in class-path order, by file name
  friend bool operator==(const ProgramOrigin&, const ProgramOrigin&) = default;
};

// A test that the program has: what static discovery found, four texts that the
// caller knows.
struct StoredTest {
  std::string id;
  std::string class_name;
  std::string declared_in;
  std::string framework;
};

// Libraries in class-path order, then the platform (nullptr: not known) are
// asked for what the program mentions; libraries also for what inherits from
// it. Takes the place of the suite's program in the builder.
void add_program(MatrixBuilder& builder, std::string_view suite,
                 const classfile::Program& internal,
                 const std::vector<const classfile::Program*>& libraries,
                 const classfile::Program* platform,
                 const ProgramOrigin& origin,
                 const std::vector<StoredTest>& tests);

struct StoredProgram {
  ProgramOrigin origin;
  std::vector<StoredTest> tests;
  classfile::Program internal;
  classfile::Program shells;  // external classes
};

// What a matrix says of an old program, its files not looked at yet.
class StoredRecord {
 public:
  ProgramOrigin origin;

  // With a new program at hand only the classes that may be others are
  // unpacked; files of the new one stand for the rest, so it must outlive the
  // answer. Its stored bytes are read by the pool.
  base::Result<StoredProgram> program(const classfile::Program* now,
                                      base::ThreadPool* pool) const;

 private:
  friend base::Result<StoredRecord> read_record(Matrix& matrix,
                                                std::string_view suite);
  Matrix* matrix_ = nullptr;
  std::string label_;
  std::string record_;
};

// Packs and lists that no program has any more. A record that is not understood
// keeps them all.
void drop_unused_parts(MatrixBuilder& builder);

// Sorted. What has a program in this matrix?
base::Result<std::vector<std::string>> suites_with_program(Matrix& matrix);

// kNotFound: none of that suite; kMalformed also when merged shards brought two
// different ones.
base::Result<StoredRecord> read_record(Matrix& matrix, std::string_view suite);
base::Result<StoredProgram> read_program(Matrix& matrix,
                                         std::string_view suite);

// Names of classes whose recorded digest is not that of the suite's program, or
// that have several, sorted; nullopt: nobody has looked. A matrix that is made
// looks once (note_foreign_classes), so that a selection need not.
base::Result<std::optional<std::vector<std::string>>> foreign_classes(
    Matrix& matrix, std::string_view suite);
// For each suite with a program what foreign_classes() will say: the name of the
// fact, and its bytes.
std::vector<std::pair<std::string, std::string>> note_foreign_classes(
    Matrix& matrix);
inline constexpr const char* kForeignFact = "foreign/";

// Is this the digest of the class's bytes in a stored program, SHA-256 in hex?
// nullopt: the program is no stored one.
std::optional<bool> stored_digest_is(const classfile::Program& program,
                                     const classfile::ProgramFile& file,
                                     std::string_view digest);

}  // namespace rejig::coverage
