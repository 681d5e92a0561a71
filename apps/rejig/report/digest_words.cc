// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "apps/rejig/report/digest.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using classfile::Delta;
using traversal::class_part;
using traversal::Side;
using traversal::Versions;

namespace {

const classfile::MemberView* method_of(const classfile::ClassView* cls,
                                       std::string_view member) {
  if (cls == nullptr) return nullptr;
  const auto open = member.find('(');
  return traversal::find_method(*cls, member.substr(0, open),
                                member.substr(open));
}

std::string joined(const std::vector<std::string>& words,
                   std::string_view between) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

// Nothing that can be named is other: the places where the code parts.
std::string first_difference(const DigestItem& item,
                             std::span<const coverage::Edge> edges) {
  for (const auto e : item.edges) {
    const Delta& d = edges[e].delta;
    if (d.old_fact.empty() || d.new_fact.empty()) continue;
    const std::string before = traversal::java_text(d.old_fact);
    const std::string after = traversal::java_text(d.new_fact);
    return before + " → " + (before == after ? d.new_fact : after);
  }
  return {};
}

}  // namespace

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (shown == most) break;
    if (shown++ != 0) out += ", ";
    out += name;
  }
  if (names.size() > most) {
    out += " and " + std::to_string(names.size() - most) + " more";
  }
  return out;
}

std::string counted(std::size_t n, std::string_view one,
                    std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

std::string_view title_of(Part part) {
  switch (part) {
    case Part::kApiBehaviour: return "Public API that does something else";
    case Part::kApiBroken: return "API removed or incompatible";
    case Part::kUnchangedCode: return "Unchanged code that behaves differently";
    case Part::kInitialization: return "Initialization and constants";
    case Part::kOtherCode: return "Other code that changed";
    case Part::kFiles: return "Resources";
    case Part::kApiAdded: return "API added or relaxed";
  }
  return "";
}

traversal::BodyChange change_of_item(const DigestItem& item,
                                     const Versions& versions) {
  const auto cls = class_part(item.entity);
  const auto member = traversal::member_part(item.entity);
  const auto* old_class = versions.view(Side::kOld, cls);
  const auto* new_class =
      versions.view(Side::kNew, versions.name_in_new(cls));
  const auto* old_method = method_of(old_class, member);
  const auto* new_method = method_of(new_class, member);
  if (old_method == nullptr || new_method == nullptr) return {};
  return traversal::change_of(traversal::body_facts(*old_class, *old_method),
                              traversal::body_facts(*new_class, *new_method));
}

std::vector<std::string> words_of(const DigestItem& item,
                                  std::span<const coverage::Edge> edges,
                                  const Versions* versions, std::size_t most) {
  std::vector<std::string> out;
  const std::size_t notes = std::min(item.notes.size(), 2 * most);
  out.insert(out.end(), item.notes.begin(),
             item.notes.begin() + static_cast<std::ptrdiff_t>(notes));
  if (notes < item.notes.size()) {
    out.push_back(std::to_string(item.notes.size() - notes) + " more");
  }
  if (!item.has_body || versions == nullptr) return out;
  const auto change = change_of_item(item, *versions);
  // Numbers and the like say less than the place where they stand.
  const std::string first =
      change.says_little() ? first_difference(item, edges) : "";
  if (!first.empty() && item.notes.empty()) out.push_back(first);
  for (auto& word : traversal::words_of(change, most)) {
    const bool of_facts = word.starts_with("+ ") || word.starts_with("− ");
    if (first.empty() || !of_facts) out.push_back(std::move(word));
  }
  return out;
}

std::string classes_of(const Digest& d) {
  return std::to_string(d.changed_classes) + " of " +
         std::to_string(d.classes) + " classes changed";
}

std::vector<std::string> verdict_of(const Digest& d, std::size_t edges) {
  std::vector<std::string> out;
  if (edges == 0) {
    out.push_back("no difference in behaviour; " + classes_of(d));
  } else {
    std::string first =
        d.methods == 0 ? "no method runs other code"
                       : counted(d.methods, "method runs", "methods run") +
                             " other code";
    first += "; " + classes_of(d) + ", " + std::to_string(d.new_classes) +
             " new, " + std::to_string(d.gone_classes) + " gone";
    out.push_back(std::move(first));
    std::string api = "API ";
    const bool same = d.api.added + d.api.removed + d.api.changed == 0;
    if (same) {
      api += "as before";
    } else if (d.api.binary != 0 || d.api.source != 0) {
      api += "broken in " +
             counted(std::max(d.api.binary, d.api.source), "place", "places");
      if (d.api.binary == 0) api += " (source only)";
      api += ": " + std::to_string(d.api.removed) + " removed, " +
             std::to_string(d.api.changed) + " changed, ";
    } else {
      api += "not broken: ";
      if (d.api.changed != 0) api += std::to_string(d.api.changed) + " changed, ";
    }
    if (!same) api += std::to_string(d.api.added) + " added";
    out.push_back(std::move(api));
  }
  if (d.new_java > d.old_java && d.old_java != 0) {
    out.push_back("needs Java " + std::to_string(d.new_java) + " (was " +
                  std::to_string(d.old_java) + ")");
  }
  if (!d.missing.empty()) {
    constexpr std::size_t kShown = 2;
    std::vector<std::string> names;
    for (const auto& name : d.missing) {
      names.push_back(traversal::java_class(name));
    }
    out.push_back(
        counted(d.missing.size(), "class", "classes") +
        " of libraries not given (--lib, --jdk), so " +
        counted(d.edges_of_missing, "answer is", "answers are") +
        " a guess: " + some_of(names, kShown));
  }
  return out;
}

std::vector<std::string> footer_of(const Digest& d) {
  std::vector<std::string> out;
  if (d.library_classes != 0) {
    out.push_back("libraries: " + counted(d.library_classes, "class", "classes") +
                  " changed (rejig upgrade says what reaches them)");
  }
  if (!d.metadata.empty()) {
    std::map<std::string, std::size_t> names;
    for (const auto& path : d.metadata) {
      ++names[path.substr(path.rfind('/') + 1)];
    }
    std::vector<std::string> shown;
    for (const auto& [name, count] : names) {
      shown.push_back(count == 1 ? name
                                 : std::to_string(count) + " × " + name);
    }
    constexpr std::size_t kShown = 4;
    out.push_back("artefact: " + some_of(shown, kShown));
  }
  std::vector<std::string> reflection;
  for (const auto& [label, count] : d.reflection) {
    reflection.push_back(label + " " + std::to_string(count));
  }
  if (!reflection.empty()) {
    out.push_back("seen by reflection only: " + joined(reflection, ", "));
  }
  std::vector<std::string> facets;
  for (const auto& [label, count] : d.facets) {
    facets.push_back(
        (label == "debug" ? "line numbers" : label) + " " +
        std::to_string(count));
  }
  if (!facets.empty()) {
    out.push_back("without effect on behaviour: " + joined(facets, ", "));
  }
  return out;
}

}  // namespace rejig::app
