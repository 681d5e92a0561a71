// SPDX-License-Identifier: Apache-2.0
#include "classfile/words/delta.h"

#include <array>

namespace rejig::classfile {

std::string_view name_of(Rule rule) {
  static constexpr std::array<std::string_view, 25> kNames = {
      "D0",  "D1",  "D2",  "D3",  "D4",  "D5",  "D6",  "D7",
      "D8",  "D9",  "D10", "D11", "D12", "D13", "D14", "D15",
      "D16", "D17", "D18", "D19", "D20", "D21", "D22", "D23",
      "D24"};
  return kNames[static_cast<std::size_t>(rule)];
}

std::string_view name_of(Channel channel) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "body",           "resolution", "selection", "subtyping",
      "initialization", "linking",    "shell",     "artefact",
      "test",           "absence"};
  return kNames[static_cast<std::size_t>(channel)];
}

}  // namespace rejig::classfile
