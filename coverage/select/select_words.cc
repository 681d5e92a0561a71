// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/select_words.h"

#include <array>

namespace rejig::coverage {

using classfile::AtomKind;

std::string_view unrecorded(AtomKind kind) {
  static constexpr std::array<std::string_view, classfile::kAtomKinds> kTexts =
      {"which methods it entered",
       "which edges it took",
       "which exact instances it created",
       "the receivers of its methods",
       "which classes it initialized",
       "which classes it loaded",
       "which external classes it loaded",
       "which classes it looked for in vain",
       "its use of reflection",
       "which resources and files it opened",
       "which resources it looked for in vain",
       "whether it looked at stack traces",
       "",
       "",
       "which state it met",
       "which state it left behind"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string plural(std::size_t n, std::string_view one) {
  std::string out = std::to_string(n) + " " + std::string(one);
  if (n != 1) out += one.ends_with("s") ? "es" : "s";
  return out;
}

std::string in_words(std::string_view state) {
  if (state.starts_with("borrowed ")) {
    return "what " + std::string(state.substr(9)) + " made";
  }
  return (state.find(' ') == std::string_view::npos ? "the static fields of "
                                                    : "the ") +
         std::string(state);
}

std::vector<const char*> assumed_of(const Facts& common) {
  std::vector<const char*> out = {
      common.has(AtomKind::kState) && common.has(AtomKind::kLeft)
          ? "A6 tests share no state but what static fields of the program, "
            "the JDK and known frameworks keep"
          : "A6 tests do not share state"};
  if (!common.has(AtomKind::kRes)) {
    out.push_back("A9 class files are not read as resources");
  }
  if (!common.has(AtomKind::kInst)) {
    out.push_back("A4 instances come from constructors");
  }
  if (!common.has(AtomKind::kInit)) {
    out.push_back("A5 classes are initialized by what bytecode shows");
  }
  return out;
}

}  // namespace rejig::coverage
