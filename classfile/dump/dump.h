// SPDX-License-Identifier: Apache-2.0
// What do the class files of this artefact contain, and what do their symbolic
// references mean? `rejig dump`: one JSON object a line, whose format is fixed
// (version 1: another reader of class files that prints the same lines agrees
// with this one), or text for people. Neither shows pool indices, attribute
// order or anything else that a recompilation may change for nothing.
// A class file that cannot be read is one error line and a message; nothing else
// of it is printed. Output comes in the order of the entries, at any number of
// workers; memory is bounded by what is in flight.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "classfile/archive/archive.h"
#include "classfile/base/diagnostics.h"
#include "classfile/base/parallel.h"
#include "classfile/base/result.h"
#include "classfile/reader/class_view.h"

namespace rejig::classfile {

enum class DumpType : std::uint8_t {
  kEntry,
  kClass,
  kField,
  kMethod,
  kHandler,
  kCall,
  kAccess,
  kUse,
  kConst,
  kIndy,
  kInsn,
  kShell,
  kHierarchy,
  kLink,
  kError,
};
inline constexpr std::size_t kDumpTypes = 15;

// "entry", "class", … as `type` says.
std::string_view name_of(DumpType type);
std::optional<DumpType> dump_type(std::string_view name);

class DumpTypes {
 public:
  // All but insn.
  static DumpTypes usual();
  static DumpTypes none() { return {}; }
  void set(DumpType t) { on_[static_cast<std::size_t>(t)] = true; }
  bool has(DumpType t) const { return on_[static_cast<std::size_t>(t)]; }

 private:
  std::array<bool, kDumpTypes> on_{};
};

struct DumpOptions {
  enum class Form { kNdjson, kText };

  Form form = Form::kNdjson;
  unsigned release = 17;  // feature release for multi-release archives
  DumpTypes types = DumpTypes::usual();  // of kNdjson
  std::string class_glob;  // over "a.b.C"; * and ?; empty: every class

  // Called from the workers, for every class file that could be read, with the
  // number of its entry; `used`: it defines its name in the world (a
  // module-info is used, but not of the world). The view is gone afterwards.
  // Here the lines about the whole world begin (hierarchy, link).
  std::function<void(unsigned worker, EntryId entry, const ClassView& cls,
                     bool used)>
      on_class;
  // Called now and then, from one thread at a time.
  std::function<void(std::size_t done, std::size_t all)> on_progress;
};

struct DumpCounts {
  std::uint64_t entries = 0;
  std::uint64_t class_files = 0;  // read without error
  std::uint64_t errors = 0;       // error lines
};

// Writes all lines of the artefact, but for hierarchy and link, to `write`,
// which is called from one thread at a time and may throw to stop.
DumpCounts dump(const Artefact& artefact, const DumpOptions& options,
                base::ThreadPool& pool,
                const std::function<void(std::string_view)>& write,
                base::Diagnostics& diagnostics);

// The error line, without which no unreadable artefact is left.
std::string dump_error_line(std::string_view in);

// The lines of one class file (no entry line), appended. `in`: its path. False,
// and nothing appended, if they would be longer than any honest class's.
bool dump_class(std::string& out, const ClassView& cls, std::string_view in,
                bool used, const DumpTypes& types);
// The text of one class file, appended; false as above.
bool dump_class_text(std::string& out, const ClassView& cls,
                     std::string_view in, bool used);

// `*` any characters, `?` one.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace rejig::classfile
