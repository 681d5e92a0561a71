// SPDX-License-Identifier: Apache-2.0
// What are the classes that one JVM met to each other? Those that its row file
// (coverage/row/row_file.h) describes or names, by dense numbers: supertypes and
// subtypes, what is initialized together, what is the program's own. A class
// that is only named has no record: nothing is known about it, and it is
// neither internal nor external. The row file must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coverage/row/code_source.h"
#include "coverage/row/row_file.h"

namespace rejig::coverage {

class RecordedClasses {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0xFFFFFFFF;

  RecordedClasses(const RowFile& file, CodeSources& sources);

  std::size_t size() const { return names_.size(); }
  // kNone when nothing in the file names it so; "a/b/C".
  Id find(std::string_view name) const;
  const std::string& name(Id id) const { return *names_[id]; }
  Id of_class(std::uint32_t class_index) const { return id_of_[class_index]; }
  Id of_name(std::uint32_t name_index) const { return id_of_name_[name_index]; }

  // Indexes into RowFile::classes: other bytes, or several loaders.
  const std::vector<std::uint32_t>& records(Id id) const {
    return records_[id];
  }
  bool is_known(Id id) const { return !records_[id].empty(); }
  bool is_internal(Id id) const { return (flags_[id] & kInternal) != 0; }
  bool is_external(Id id) const { return (flags_[id] & kExternal) != 0; }
  // Defined at run time: no file of the program.
  bool is_generated(Id id) const { return (flags_[id] & kGenerated) != 0; }
  // Are its methods recorded, whatever its bytes?
  bool is_recorded(Id id) const { return (flags_[id] & kRecorded) != 0; }
  // Has it static fields that can hold something else later?
  bool keeps_state(Id id) const { return (flags_[id] & kKeeps) != 0; }
  // Have its instances fields that can?
  bool has_parts(Id id) const { return (flags_[id] & kParts) != 0; }
  bool has_native_static(Id id) const { return (flags_[id] & kNatives) != 0; }

  // Direct ones, as its records say.
  const std::vector<Id>& supertypes(Id id) const { return supers_[id]; }
  // The class and all its supertypes.
  const std::vector<Id>& up(Id id);
  // The class and all its subtypes.
  const std::vector<Id>& down(Id id);
  // What is initialized with it (JVMS 5.5): its superclasses, and those
  // superinterfaces that have code for instances.
  const std::vector<Id>& initialized_with(Id id);

 private:
  enum Flag : std::uint16_t {
    kInternal = 1,
    kExternal = 2,
    kGenerated = 4,
    kRecorded = 8,
    kInterface = 16,
    kDefaults = 32,
    kNatives = 64,
    kKeeps = 128,
    kParts = 256,
  };
  using Lists = std::unordered_map<Id, std::vector<Id>>;

  Id number(const std::string& name);
  std::vector<Id> closure(Id from,
                          const std::vector<std::vector<Id>>& next) const;

  std::vector<const std::string*> names_;
  std::unordered_map<std::string_view, Id> ids_;
  std::vector<Id> id_of_;
  std::vector<Id> id_of_name_;
  std::vector<std::vector<std::uint32_t>> records_;
  std::vector<std::uint16_t> flags_;
  std::vector<std::vector<Id>> supers_;
  std::vector<std::vector<Id>> subs_;
  Lists up_;
  Lists down_;
  Lists initialized_with_;
};

}  // namespace rejig::coverage
