// SPDX-License-Identifier: Apache-2.0
// What does the main section of this manifest say to a class loader? Read
// exactly as java.util.jar reads it, because one blank more switches a
// multi-release jar off. A manifest the JVM cannot parse has no attributes, and
// when it speaks of Class-Path or Multi-Release a class loader drops the jar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classfile/base/byte_reader.h"

namespace rejig::classfile {

class Manifest {
 public:
  static Manifest parse(base::Bytes bytes);

  // The last one of that name (any case); nullopt when there is none.
  std::optional<std::string_view> attribute(std::string_view name) const;
  bool multi_release() const;
  // Words of Class-Path.
  std::vector<std::string> class_path() const;
  // A class loader that reads this manifest drops the jar without a word.
  bool drops_jar() const;

 private:
  bool parse_main(std::string_view& text);

  std::vector<std::pair<std::string, std::string>> main_;
  bool says_multi_release_ = false;
  bool says_class_path_ = false;
  bool main_is_broken_ = false;
  bool rest_is_broken_ = false;
};

bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace rejig::classfile
