// SPDX-License-Identifier: Apache-2.0
// Any bytes as modified UTF-8, a name and a descriptor.
#include <cstdlib>
#include <string>

#include "classfile/reader/descriptor.h"
#include "classfile/reader/modified_utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace rejig::classfile;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto require = [](bool condition) {
    if (!condition) std::abort();
  };
  const bool strict = legal_modified_utf8(text, false);
  require(!strict || legal_modified_utf8(text, true));
  std::string json;
  append_json_text(json, text);
  for (const char c : json) require(static_cast<unsigned char>(c) >= 0x20);
  to_utf8(text);

  for (const std::uint16_t major : {std::uint16_t{48}, std::uint16_t{52}}) {
    legal_field_name(text, major);
    legal_method_name(text, major);
    legal_class_name(text, major);
    if (legal_field_descriptor(text, major)) {
      require(type_of_descriptor(text).text.size() == size);
    }
    if (const auto slots = legal_method_descriptor(text, major)) {
      require(argument_slots(text) == *slots);
      MethodDescriptor d(text);
      TypeView t;
      unsigned sum = 0;
      while (d.next(t)) sum += t.slots();
      require(sum == *slots && !d.result().text.empty());
    }
  }
  argument_slots(text);
  MethodDescriptor d(text);
  TypeView t;
  while (d.next(t)) require(!t.text.empty());
  return 0;
}
