// SPDX-License-Identifier: Apache-2.0
// What does an instruction without anything to look up take from the stack and
// put there? "II>I": two ints, the deeper one first, become one. A: a reference
// to something made. Private to this folder.
#pragma once

#include <string_view>

#include "classfile/reader/code.h"

namespace rejig::traversal::verify {

// Empty: it is looked at by itself.
constexpr std::string_view effect_of(classfile::Opcode opcode) {
  const auto op = static_cast<unsigned>(opcode);
  constexpr std::string_view kTwo[] = {"II>I", "JJ>J", "FF>F", "DD>D"};
  constexpr std::string_view kOne[] = {"I>I", "J>J", "F>F", "D>D"};
  constexpr std::string_view kConverted[] = {
      "I>J", "I>F", "I>D", "J>I", "J>F", "J>D", "F>I", "F>J",
      "F>D", "D>I", "D>J", "D>F", "I>I", "I>I", "I>I"};
  constexpr std::string_view kCompared[] = {"JJ>I", "FF>I", "FF>I", "DD>I",
                                            "DD>I"};
  if (op == 0) return ">";
  if (op >= 2 && op <= 8) return ">I";        // iconst
  if (op == 9 || op == 10) return ">J";       // lconst
  if (op >= 11 && op <= 13) return ">F";      // fconst
  if (op == 14 || op == 15) return ">D";      // dconst
  if (op == 16 || op == 17) return ">I";      // bipush, sipush
  if (op >= 96 && op <= 115) return kTwo[op % 4];   // add … rem
  if (op >= 116 && op <= 119) return kOne[op % 4];  // neg
  if (op >= 120 && op <= 125) return op % 2 == 0 ? "II>I" : "JI>J";  // shifts
  if (op >= 126 && op <= 131) return op % 2 == 0 ? "II>I" : "JJ>J";  // and …
  if (op >= 133 && op <= 147) return kConverted[op - 133];
  if (op >= 148 && op <= 152) return kCompared[op - 148];
  if (op >= 153 && op <= 158) return "I>";   // if
  if (op >= 159 && op <= 164) return "II>";  // if_icmp
  if (op == 165 || op == 166) return "AA>";  // if_acmp
  if (op == 167 || op == 200) return ">";    // goto
  if (op == 170 || op == 171) return "I>";   // switches
  if (op == 193) return "A>I";               // instanceof
  if (op == 198 || op == 199) return "A>";   // ifnull
  return {};
}

}  // namespace rejig::traversal::verify
