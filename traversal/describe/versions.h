// SPDX-License-Identifier: Apache-2.0
// What do the classes of both versions look like, for whoever describes the
// differences? The comparison has read them already: asking costs a look-up.
// Names are those that people read ("a.b.C"). Nothing is decided by it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "classfile/reader/class_view.h"
#include "jig/world/shell.h"

namespace rejig::traversal {

struct Matching;

enum class Side : std::uint8_t { kOld, kNew };

class Versions {
 public:
  virtual ~Versions() = default;
  // Of a class of the program, a library or the platform; nullptr: it is not
  // there, or nobody can read it. From any thread.
  virtual const jig::ClassShell* shell(Side side,
                                       std::string_view name) const = 0;
  // Of a class of the program only.
  virtual const classfile::ClassView* view(Side side,
                                           std::string_view name) const = 0;
  // What NEW calls a class of OLD.
  virtual std::string name_in_new(std::string_view old_name) const = 0;
};

// Of a comparison that is done, and as long as its memory is there.
std::shared_ptr<const Versions> versions_of(
    std::shared_ptr<const Matching> matching);

// The JVM's question: can code outside its package name the class? Each class
// around it must be one, too.
bool is_api(const Versions& versions, Side side, std::string_view class_name);
inline bool is_api_access(unsigned access) {
  return (access & (classfile::kAccPublic | classfile::kAccProtected)) != 0 &&
         (access & classfile::kAccSynthetic) == 0;
}

}  // namespace rejig::traversal
