// SPDX-License-Identifier: Apache-2.0
// What are the bytes of this class with a call in front of its methods? The
// call is a prefix of fixed size, a multiple of four bytes, so that switch
// padding, branch offsets and all frames but the first delta stay as they are.
// Where it ends a class initializer may have one more, where no jump changes.
// No member, flag, frame or line is added or lost; constants are added at the
// end of the pool. A class that cannot take it is declined with a reason and
// the caller leaves it alone: its users are then selected on any change.
// Knows no JVM. Output lives as long as the Buffer.
#pragma once

#include <string_view>

#include "apps/agent/outline.h"

namespace rejig::agent {

// The class that every prefix calls; it lives in the boot loader.
inline constexpr std::string_view kMarksClass = "java/lang/$Rejig";
// And these, every hook that is about files, or about what the JVM keeps.
inline constexpr std::string_view kFilesClass = "java/lang/$RejigFiles";
inline constexpr std::string_view kStateClass = "java/lang/$RejigState";
// The same for method numbers from kFirstMarks on, counted from there.
inline constexpr std::string_view kMoreMarksClass = "java/lang/$Rejig$More";
inline constexpr std::uint32_t kFirstMarks = 1 << 17;

enum class Verdict : unsigned char {
  kRewritten,
  kNothingToDo,      // no method takes a prefix
  kMalformed,        // not a class file as JVMS §4 has it
  kPoolFull,         // no room for the constants
  kMethodTooLarge,   // code would pass 65,535 bytes
  kOldCode,          // Code of a version before 45.3
  kFrames,           // StackMapTable not understood
  kTypeAnnotations,  // type annotations in Code not understood
  kAlreadyMarked,    // the class names the marks class itself
  kHooked,           // has hooks instead (decided by the caller)
  kTooManyMethods,   // no method numbers left (decided by the caller)
  kNoMemory,
};
const char* verdict_name(Verdict v);

struct MethodHead {
  unsigned index = 0;
  unsigned access = 0;
  std::string_view name;
  std::string_view descriptor;
  bool has_code = false;
};

// aload of each slot (iload of the second if it is an int), then the number,
// then invokestatic of hook. One that marks stores a one in the array of shorts
// that the static field `hook` is, at the number. `at_end` is called with the
// number by the last instruction of the code if that is its only return. Where
// `instead_of` names a class there is no prefix: each call of its method that
// has the hook's name, and the hook's descriptor but for the receiver, becomes
// one of the hook.
struct Prefix {
  std::string_view owner = kMarksClass;
  std::string_view hook;
  std::string_view descriptor;
  std::string_view at_end;
  std::string_view instead_of;
  bool marks = false;
  unsigned char load_count = 0;
  unsigned char loads[2] = {0, 0};
  bool second_is_int = false;
  bool has_number = false;
  std::int32_t number = 0;
};

// False: this method takes no prefix.
using PrefixFor = bool (*)(void* context, const MethodHead& method,
                           Prefix& prefix);

Verdict rewrite(const Outline& cls, PrefixFor prefix_for, void* context,
                Buffer& out);
Verdict rewrite(Bytes cls, PrefixFor prefix_for, void* context, Arena& arena,
                Buffer& out);

}  // namespace rejig::agent
