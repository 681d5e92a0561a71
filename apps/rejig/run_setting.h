// SPDX-License-Identifier: Apache-2.0
// How was a test JVM started, apart from its class path? Its options and system
// properties, the variables that mean either, and the zone: a test may read
// each of them unseen, so another value than in the baseline means all tests.
// What a build tool gives to each JVM anew is left out. Values are kept as
// digests.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace rejig::app {

class Setting {
 public:
  // "option", "property" or "variable"; "NAME=VALUE".
  void add(std::string_view key, const std::string& value);
  // user.timezone is set when somebody first asks for the zone, to that of the
  // machine; `variable` is TZ.
  void add_zone(const std::string& property, const std::string& variable);
  // A line each, sorted.
  std::string text() const;
  // The name of the first thing that is not so in the nearest of these.
  std::string first_difference(const std::set<std::string>& texts) const;

 private:
  void put(std::string_view key, std::string_view value);

  std::set<std::string> lines_;
};

}  // namespace rejig::app
