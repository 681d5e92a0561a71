// SPDX-License-Identifier: Apache-2.0
#include "apps/session/renames.h"

#include <map>
#include <sstream>

#include "classfile/base/file.h"
#include "classfile/words/entity.h"

namespace rejig::app {

using base::Errc;
using base::Error;
using classfile::Program;

namespace {

// Names that are one class in one version and another class in the other would
// be two types that the comparison takes for one.
std::string contradiction(const std::string& from, const std::string& to,
                          const Program& a, const Program& b) {
  const auto old_name = classfile::dotted(from);
  const auto new_name = classfile::dotted(to);
  if (a.find_class(from) == nullptr) return old_name + " is no class of OLD";
  if (b.find_class(to) == nullptr) return new_name + " is no class of NEW";
  if (b.find_class(from) != nullptr) return old_name + " is a class of NEW too";
  if (a.find_class(to) != nullptr) return new_name + " is a class of OLD too";
  return {};
}

}  // namespace

base::Result<Renames> read_renames(const std::string& path,
                                   const Program& old_internal,
                                   const Program& new_internal) {
  REJIG_TRY(const std::string text, base::read_file(path));
  Renames out;
  std::map<std::string, int> olds;  // with their lines
  std::map<std::string, int> news;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = path + ":" + std::to_string(++number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string from;
    std::string to;
    std::string more;
    if (!(words >> from)) continue;
    if (!(words >> to) || words >> more) {
      return Error{Errc::kUsage, "expected: OLD_NAME NEW_NAME",
                   place};
    }
    from = classfile::slashed(from);
    to = classfile::slashed(to);
    for (const auto& [names, name] :
         {std::pair(&olds, &from), std::pair(&news, &to)}) {
      const auto [at, fresh] = names->emplace(*name, number);
      if (fresh) continue;
      return Error{Errc::kUsage,
                   "duplicate name, already used on line " +
                       std::to_string(at->second),
                   place};
    }
    const auto why = contradiction(from, to, old_internal, new_internal);
    if (why.empty()) {
      out.pairs.emplace_back(from, to);
    } else {
      out.left_out.push_back(place + ": not taken as renamed: " + why);
    }
  }
  return out;
}

}  // namespace rejig::app
