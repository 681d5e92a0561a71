// SPDX-License-Identifier: Apache-2.0
// Which class file does the JVM really use for each name? The effective program
// of a path list: roots in class-path order (`dir/*` expanded, manifest
// Class-Path followed), the first hit for a name wins, multi-release entries
// for the feature release in force and only if the manifest says so, the last
// of several entries with one name. The path gives the name: a class file whose
// own name differs is found by nobody. Loading reads directories only, so
// whoever parses a file of classes() compares ClassView::name() with
// ProgramFile::name and treats a difference as "no such class"
// (NoClassDefFoundError in a JVM).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/archive/archive.h"
#include "classfile/base/diagnostics.h"
#include "classfile/base/hash_map.h"
#include "classfile/base/result.h"

namespace rejig::classfile {

struct ProgramOptions {
  unsigned release = 17;          // feature release for multi-release jars
  bool follow_class_path = true;  // manifest Class-Path
};

// A file of the program that a loader can find.
struct ProgramFile {
  std::string_view name;   // class: "a/B" (internal name); resource: its path
  std::uint32_t root = 0;  // index into roots(), or behind them
  EntryId entry;
};

class Program {
 public:
  // Splits a path list at ':' and expands `dir/*` as the JVM does.
  static std::vector<std::string> split_path_list(std::string_view list);

  // A root that does not exist is an Error; one that a Class-Path names is not.
  // A JDK home stands for its lib/modules, its jmods/ or its rt.jar.
  static base::Result<Program> load(const std::vector<std::string>& roots,
                                    const ProgramOptions& options,
                                    base::Diagnostics& diagnostics);

  // A program whose files somebody has listed; both lists sorted as below. Files
  // may also lie in artefacts of another program, which are no roots of this
  // one, are numbered behind its roots, and must outlive it.
  static Program of(std::vector<std::unique_ptr<Artefact>> roots,
                    std::vector<ProgramFile> classes,
                    std::vector<ProgramFile> resources,
                    std::vector<const Artefact*> lent = {});

  // Forgets the files for which the answer is false.
  void keep_classes(const std::function<bool(const ProgramFile&)>& keeps);
  void keep_resources(const std::function<bool(const ProgramFile&)>& keeps);

  Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  std::span<const std::unique_ptr<Artefact>> roots() const;
  const Artefact& artefact_of(const ProgramFile& file) const;
  // Sorted by name, one for each name (module-info is not among them).
  std::span<const ProgramFile> classes() const;
  // Everything that is not a class of the program: resources,
  // META-INF/services/*, manifest, signature files, module-info.class. Sorted
  // by name, then root; all of them, since getResources() sees every one.
  std::span<const ProgramFile> resources() const;
  // Class files that a loader would find but for an earlier root, archive or
  // version folder. Sorted by name, then in the order of the search.
  std::span<const ProgramFile> shadowed() const;
  // The place in classes(); kNoClass when no class of that internal name is
  // found. From any thread.
  static constexpr std::uint32_t kNoClass = 0xffffffff;
  std::uint32_t class_place(std::string_view name) const;
  const ProgramFile* find_class(std::string_view name) const {
    const std::uint32_t place = class_place(name);
    return place == kNoClass ? nullptr : &classes()[place];
  }

  base::Result<base::Bytes> read(const ProgramFile& file,
                                 base::Buffer& buffer) const;
  base::Result<base::Bytes> read_front(const ProgramFile& file,
                                       base::Buffer& buffer,
                                       const Artefact::MoreWanted& more) const {
    return artefact_of(file).read_front(file.entry, buffer, more);
  }
  std::string where(const ProgramFile& file) const;
  // What reading has found so far and read() could not say: wrong checksums.
  // Call once, after the last read.
  void report(base::Diagnostics& diagnostics) const;
  // An Error when a root is not any more what it was when it was opened.
  base::Result<void> check_unchanged() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Have the two files equal bytes, by what one artefact or both know of theirs?
// At most one file is read. nullopt: neither knows, or reading failed.
std::optional<bool> equal_by_digest(const Program& a, const ProgramFile& in_a,
                                    const Program& b, const ProgramFile& in_b);

// True when the two files are known to have equal bytes without inflating them
// (method, sizes, CRC and the stored bytes are equal). False: not known.
bool known_equal(const Program& a, const ProgramFile& in_a, const Program& b,
                 const ProgramFile& in_b);

}  // namespace rejig::classfile
