// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/row_file_lasting.h"

#include <string>
#include <string_view>
#include <utility>

#include "classfile/words/entity.h"

namespace rejig::coverage {

using classfile::slashed;

bool is_bootstrap(const RecordedMethod& method) {
  return method.is_static && method.descriptor.starts_with(
                                 "(Ljava/lang/invoke/MethodHandles$Lookup;"
                                 "Ljava/lang/String;");
}

bool is_compute_value(const RecordedMethod& method) {
  return !method.is_static && method.name == "computeValue" &&
         method.descriptor.starts_with("(Ljava/lang/Class;)");
}

LastingFacts::LastingFacts(const RowFile& file,
                           const RecordedClasses& classes) {
  std::unordered_map<std::string, std::uint32_t> resources;
  std::unordered_set<std::string> by_libraries;  // what they asked for
  for (std::uint32_t f = 0; f < file.facts.size(); ++f) {
    const std::string& text = file.facts[f].text;
    if (file.facts[f].kind == FactKind::kResource) resources.emplace(text, f);
    if (file.facts[f].kind == FactKind::kAskedBy) {
      by_libraries.insert(text.substr(text.find(' ') + 1));
    }
  }
  for (std::uint32_t f = 0; f < file.facts.size(); ++f) {
    const RecordedFact& fact = file.facts[f];
    switch (fact.kind) {
      case FactKind::kReflected:
      case FactKind::kInitialized:
      case FactKind::kListed:
      case FactKind::kCreated:
      case FactKind::kConstants: {
        if (fact.by_runner) break;
        // The JDK keeps constants; the rest is kept by who asks for it.
        if (fact.kind != FactKind::kConstants &&
            !by_libraries.contains(fact.text)) {
          break;
        }
        const Id id = classes.find(slashed(fact.text));
        if (id != RecordedClasses::kNone && classes.is_internal(id)) {
          facts_[id].push_back(f);
        }
        break;
      }
      case FactKind::kMissingClass:
      case FactKind::kAskedClass:
      case FactKind::kLoadedClass: {
        const Id id = classes.find(slashed(fact.text));
        if (id != RecordedClasses::kNone && !classes.is_known(id)) {
          missed_.insert(id);
        }
        break;
      }
      case FactKind::kAskedBy: {
        const auto blank = fact.text.find(' ');
        const Id id = classes.find(slashed(fact.text.substr(0, blank)));
        const auto at = resources.find(fact.text.substr(blank + 1));
        if (id != RecordedClasses::kNone && at != resources.end()) {
          facts_[id].push_back(at->second);
        }
        break;
      }
      default:
        break;
    }
  }
  for (std::uint32_t c = 0; c < file.classes.size(); ++c) {
    for (const auto& m : file.classes[c].methods) {
      if (is_bootstrap(m)) linking_.insert(classes.of_class(c));
      if (is_compute_value(m)) computing_.insert(classes.of_class(c));
    }
  }
}

}  // namespace rejig::coverage
