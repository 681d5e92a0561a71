// SPDX-License-Identifier: Apache-2.0
#include "traversal/describe/compatibility.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "classfile/words/entity.h"
#include "traversal/describe/java_names.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::Delta;
using classfile::Rule;

namespace {

using What = ApiChange::What;

bool is_deletion(const Delta& d) { return d.new_fact.starts_with("deleted"); }

bool is_error(std::string_view text) {
  return text.ends_with("Error") || text.ends_with("Error (verification)");
}

// "public static final x:I": its words, and the key behind them.
struct MemberLine {
  std::string_view key;
  std::set<std::string_view> words;

  explicit MemberLine(std::string_view line) {
    const auto open = line.find('(');
    const auto space = line.rfind(' ', open);
    key = space == std::string_view::npos ? line : line.substr(space + 1);
    if (space == std::string_view::npos) return;
    for (std::size_t at = 0; at < space;) {
      const auto end = std::min(line.find(' ', at), space);
      words.insert(line.substr(at, end - at));
      at = end + 1;
    }
  }
  bool is(std::string_view word) const { return words.contains(word); }
  bool is_api() const {
    return (is("public") || is("protected")) && !is("synthetic") &&
           !is("bridge");
  }
  bool is_method() const { return key.find('(') != std::string_view::npos; }
  // Name and parameters; of a field its name.
  std::string_view signature() const {
    const auto end = is_method() ? key.find(')') : key.find(':');
    return key.substr(0, end);
  }
};

// What a change of modifiers breaks, with the words for it.
ApiChange modifiers_change(const MemberLine& before, const MemberLine& after) {
  ApiChange out;
  out.what = What::kChanged;
  const auto add = [&out](std::string_view how, bool breaks) {
    if (!out.how.empty()) out.how += ", ";
    out.how += how;
    out.binary = out.binary || breaks;
    out.source = out.source || breaks;
  };
  if (before.is("public") && !after.is("public")) {
    add(after.is("protected") ? "now protected" : "no longer accessible", true);
  } else if (before.is("protected") && !after.is_api()) {
    add("no longer accessible", true);
  } else if (!before.is("public") && after.is("public")) {
    add("now public", false);
  } else if (!before.is_api() && after.is("protected")) {
    add("now protected", false);
  }
  const auto flag = [&](std::string_view word, std::string_view on, bool on_breaks,
                        std::string_view off, bool off_breaks) {
    if (before.is(word) == after.is(word)) return;
    add(after.is(word) ? on : off, after.is(word) ? on_breaks : off_breaks);
  };
  flag("static", "now static", true, "no longer static", true);
  flag("final", "now final", true, "no longer final", false);
  flag("abstract", "now abstract", true, "no longer abstract", false);
  if (before.is("varargs") && !after.is("varargs")) {
    add("no longer variable arguments", false);
    out.source = true;
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    if (end != at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

unsigned number_of(std::string_view text) {
  unsigned out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

}  // namespace

std::vector<std::string_view> names_of(Compatibility broken) {
  std::vector<std::string_view> out;
  if (broken.behaviour) out.push_back("behaviour");
  if (broken.binary) out.push_back("binary");
  if (broken.source) out.push_back("source");
  return out;
}

void ApiCounts::count(const ApiChange& change) {
  ++(change.what == What::kAdded     ? added
     : change.what == What::kRemoved ? removed
                                     : changed);
  binary += change.binary ? 1 : 0;
  source += change.source ? 1 : 0;
}

void ApiCounts::add(const ApiCounts& other) {
  added += other.added;
  removed += other.removed;
  changed += other.changed;
  binary += other.binary;
  source += other.source;
}

bool is_metadata(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name =
      slash == std::string_view::npos ? path : path.substr(slash + 1);
  constexpr std::array<std::string_view, 8> kNames = {
      "MANIFEST.MF", "INDEX.LIST", "pom.xml", "pom.properties",
      "DEPENDENCIES", "AL2.0", "LGPL2.1", "bom.json"};
  if (std::ranges::find(kNames, name) != kNames.end()) return true;
  constexpr std::array<std::string_view, 5> kBeginnings = {
      "LICENSE", "LICENCE", "NOTICE", "COPYING", "COPYRIGHT"};
  const auto begins = [](std::string_view text, std::string_view with) {
    return text.size() >= with.size() &&
           std::equal(with.begin(), with.end(), text.begin(),
                      [](char a, char b) {
                        return a == (b >= 'a' && b <= 'z' ? b - 'a' + 'A' : b);
                      });
  };
  for (const auto with : kBeginnings) {
    if (begins(name, with)) return true;
  }
  constexpr std::array<std::string_view, 4> kFolders = {
      "META-INF/maven/", "META-INF/license", "META-INF/sbom/",
      "META-INF/proguard/"};
  for (const auto folder : kFolders) {
    if (path.starts_with(folder)) return true;
  }
  if (!path.starts_with("META-INF/") || slash != 8) {
    return name.ends_with(".cdx.json") || name.ends_with(".spdx.json");
  }
  constexpr std::array<std::string_view, 6> kEndings = {
      ".SF", ".RSA", ".DSA", ".EC", ".kotlin_module", ".json"};
  return std::ranges::any_of(
      kEndings, [&](auto ending) { return name.ends_with(ending); });
}

bool CompatibilityJudge::is_api_method(Side side,
                                       std::string_view entity) const {
  const auto cls = class_part(entity);
  if (cls.empty() || !is_api_class(side, cls)) return false;
  const auto member = member_part(entity);
  const auto open = member.find('(');
  const auto* shell = versions_->shell(side, cls);
  const auto* method =
      shell->method(member.substr(0, open), member.substr(open));
  return method != nullptr && is_api_access(method->access);
}

// Is a member that left the class found above it in the new version?
bool CompatibilityJudge::inherits(std::string_view class_name,
                                  std::string_view key) const {
  if (key.starts_with("<init>")) return false;
  const auto open = key.find('(');
  const auto colon = key.find(':');
  std::set<std::string> seen;
  std::vector<std::string> todo = {std::string(class_name)};
  while (!todo.empty()) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    if (name.empty() || !seen.insert(name).second) continue;
    const auto* shell = versions_->shell(Side::kNew, name);
    if (shell == nullptr) continue;
    if (name != class_name) {
      if (open != std::string_view::npos) {
        const auto* found = shell->method(key.substr(0, open), key.substr(open));
        if (found != nullptr && is_api_access(found->access)) return true;
      } else if (colon != std::string_view::npos) {
        const auto* found =
            shell->field(key.substr(0, colon), key.substr(colon + 1));
        if (found != nullptr && is_api_access(found->access)) return true;
      }
    }
    todo.push_back(classfile::dotted(shell->super));
    for (const auto itf : shell->interfaces) {
      todo.push_back(classfile::dotted(itf));
    }
  }
  return false;
}

bool CompatibilityJudge::is_below(std::string_view class_name,
                                  std::string_view super) const {
  std::set<std::string> seen;
  std::vector<std::string> todo = {std::string(class_name)};
  while (!todo.empty()) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    if (name == super) return true;
    if (name.empty() || !seen.insert(name).second) continue;
    const auto* shell = versions_->shell(Side::kNew, name);
    if (shell == nullptr) continue;
    todo.push_back(classfile::dotted(shell->super));
    for (const auto itf : shell->interfaces) {
      todo.push_back(classfile::dotted(itf));
    }
  }
  return false;
}

void CompatibilityJudge::member_changes(const Delta& d,
                                        std::vector<ApiChange>& out) const {
  const std::string now = versions_->name_in_new(d.entity);
  const auto* shell = versions_->shell(Side::kNew, now);
  const bool interface = shell != nullptr && shell->is_interface();
  std::map<std::string_view, MemberLine> gained;   // by key
  std::map<std::string_view, MemberLine> returns;  // by signature
  for (const auto& line : d.gained) {
    const MemberLine one(line);
    gained.emplace(one.key, one);
    if (one.is_api()) returns.emplace(one.signature(), one);
  }
  std::set<std::string_view> met;
  for (const auto& line : d.lost) {
    const MemberLine before(line);
    if (const auto same = gained.find(before.key); same != gained.end()) {
      met.insert(before.key);
      if (!before.is_api() && !same->second.is_api()) continue;
      ApiChange change = modifiers_change(before, same->second);
      if (change.how.empty()) continue;  // their order
      change.class_name = d.entity;
      change.member = line;
      out.push_back(std::move(change));
      continue;
    }
    if (!before.is_api()) continue;
    ApiChange change{What::kRemoved, d.entity, line, "", true, true};
    if (const auto other = returns.find(before.signature());
        other != returns.end()) {
      change.what = What::kChanged;
      met.insert(other->second.key);
      const auto key = other->second.key;
      change.how = "now " + java_type(key.substr(key.find(
                                before.is_method() ? ')' : ':') + 1));
    } else if (inherits(now, before.key)) {
      change.what = What::kChanged;
      change.how = "now inherited";
      change.binary = change.source = false;
    }
    out.push_back(std::move(change));
  }
  for (const auto& line : d.gained) {
    const MemberLine after(line);
    if (!after.is_api() || met.contains(after.key)) continue;
    ApiChange change{What::kAdded, d.entity, line, "", false, false};
    if (after.is("abstract")) {
      change.how = interface ? "implementers must have it" : "abstract";
      change.source = true;
    }
    out.push_back(std::move(change));
  }
}

void CompatibilityJudge::hierarchy_changes(const Delta& d,
                                           std::vector<ApiChange>& out) const {
  if (d.lost.size() != 1 || d.gained.size() != 1) return;
  const auto olds = words_of(d.lost.front());
  const auto news = words_of(d.gained.front());
  if (olds.empty() || news.empty()) return;
  const unsigned before = number_of(olds.front());
  const unsigned after = number_of(news.front());
  ApiChange change;
  change.what = What::kChanged;
  change.class_name = d.entity;
  const auto add = [&change](const std::string& how, bool breaks) {
    if (!change.how.empty()) change.how += ", ";
    change.how += how;
    change.binary = change.binary || breaks;
    change.source = change.source || breaks;
  };
  const auto flag = [&](unsigned bit, const char* on, bool on_breaks,
                        const char* off, bool off_breaks) {
    if ((before & bit) == (after & bit)) return;
    add((after & bit) != 0 ? on : off,
        (after & bit) != 0 ? on_breaks : off_breaks);
  };
  flag(classfile::kAccPublic, "now public", false, "no longer public", true);
  flag(classfile::kAccFinal, "now final", true, "no longer final", false);
  flag(classfile::kAccInterface, "now an interface", true,
       "no longer an interface", true);
  flag(classfile::kAccAbstract, "now abstract", true, "no longer abstract",
       false);
  const std::string now = versions_->name_in_new(d.entity);
  for (std::size_t i = 1; i < olds.size(); ++i) {
    const std::string super = classfile::dotted(olds[i]);
    if (!is_below(now, versions_->name_in_new(super))) {
      add("no longer a " + java_class(super), true);
    }
  }
  for (std::size_t i = 1; i < news.size(); ++i) {
    if (std::ranges::find(olds.begin() + 1, olds.end(), news[i]) ==
        olds.end()) {
      add("now a " + java_class(news[i]), false);
    }
  }
  if (!change.how.empty()) out.push_back(std::move(change));
}

// "exceptions", "generics": lines that begin with the key of a member.
void CompatibilityJudge::source_changes(const Delta& d,
                                        std::vector<ApiChange>& out) const {
  const auto* shell = versions_->shell(Side::kOld, d.entity);
  const auto* later =
      versions_->shell(Side::kNew, versions_->name_in_new(d.entity));
  if (shell == nullptr || later == nullptr) return;
  std::set<std::string_view> keys;
  for (const auto* lines : {&d.lost, &d.gained}) {
    for (const auto& line : *lines) {
      keys.insert(std::string_view(line).substr(0, line.find(' ')));
    }
  }
  for (const auto key : keys) {
    const auto open = key.find('(');
    const auto colon = key.find(':');
    bool api = false;
    if (open != std::string_view::npos && open != 0) {
      const auto* a = shell->method(key.substr(0, open), key.substr(open));
      const auto* b = later->method(key.substr(0, open), key.substr(open));
      api = a != nullptr && b != nullptr && is_api_access(a->access) &&
            is_api_access(b->access);
    } else if (colon != std::string_view::npos && colon != 0 &&
               !key.starts_with('<')) {
      const auto* a = shell->field(key.substr(0, colon), key.substr(colon + 1));
      const auto* b = later->field(key.substr(0, colon), key.substr(colon + 1));
      api = a != nullptr && b != nullptr && is_api_access(a->access) &&
            is_api_access(b->access);
    }
    if (!api) continue;
    out.push_back({What::kChanged, d.entity, std::string(key),
                   "other " + d.label, false, true});
  }
}

std::vector<ApiChange> CompatibilityJudge::changes(const Delta& d) const {
  std::vector<ApiChange> out;
  if (versions_ == nullptr) return out;
  if (d.rule == Rule::kD22 && d.label == "class") {
    if (is_api_class(Side::kNew, d.entity)) {
      out.push_back({What::kAdded, d.entity, "", "", false, false});
    }
    return out;
  }
  if (d.rule == Rule::kD14 && d.new_fact == "deleted") {
    if (is_api_class(Side::kOld, d.entity)) {
      out.push_back({What::kRemoved, d.entity, "", "", true, true});
    }
    return out;
  }
  const bool about_api = d.label == "members" || d.label == "hierarchy" ||
                         d.label == "exceptions" || d.label == "generics";
  if (d.rule != Rule::kD16 || !about_api ||
      !is_api_class(Side::kOld, d.entity)) {
    return out;
  }
  if (d.label == "members") member_changes(d, out);
  if (d.label == "hierarchy") hierarchy_changes(d, out);
  if (d.label == "exceptions" || d.label == "generics") source_changes(d, out);
  return out;
}

Compatibility CompatibilityJudge::of(const Delta& d) const {
  return of(d, d.rule == Rule::kD14 || d.rule == Rule::kD16
                   ? changes(d)
                   : std::vector<ApiChange>());
}

Compatibility CompatibilityJudge::of(
    const Delta& d, const std::vector<ApiChange>& its) const {
  Compatibility out;
  if (d.channel == Channel::kArtefact && is_metadata(d.entity)) return out;
  out.behaviour = true;
  switch (d.rule) {
    case Rule::kD1:
      if (is_deletion(d) && is_api_method(Side::kOld, d.entity)) {
        const auto cls = class_part(d.entity);
        const bool moved =
            d.new_fact == "deleted" &&
            inherits(versions_->name_in_new(cls), member_part(d.entity));
        out.binary = out.source = !moved;
      }
      break;
    case Rule::kD3:
    case Rule::kD4:
    case Rule::kD5:
    case Rule::kD6:
    case Rule::kD7:
    case Rule::kD8:
      // The caller is the proof: it was compiled against OLD.
      out.binary = out.source = is_error(d.new_fact) && !is_error(d.old_fact);
      break;
    case Rule::kD14:
    case Rule::kD16:
      for (const auto& change : its) {
        out.binary = out.binary || change.binary;
        out.source = out.source || change.source;
      }
      if (d.rule == Rule::kD14 && is_error(d.new_fact)) out.binary = true;
      break;
    default:
      break;
  }
  return out;
}

}  // namespace rejig::traversal
