// SPDX-License-Identifier: Apache-2.0
// Runner files that are lists of names or patterns.
#include <algorithm>
#include <string>
#include <string_view>

#include "classfile/words/entity.h"
#include "coverage/emit/emit_plan.h"

namespace rejig::coverage {

namespace {

// Surefire and Ant read an empty list of includes as "all".
constexpr std::string_view kNothingClass = "rejig/nothing/is/selected";

std::string counted(const EmitPlan& plan) {
  return "selected=" + std::to_string(plan.selected.size()) +
         " unaffected=" + std::to_string(plan.unaffected.size());
}

// The anchored form: a plain name would match the same name in any package.
std::string surefire_class(std::string_view name) {
  std::string out;
  for (const char c : classfile::slashed(name)) {
    if (c == '$') out += '\\';
    out += c;
  }
  return out + ".class";
}

std::string surefire_method(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '$') out += '\\';
    out += c;
  }
  return out;
}

std::string_view top_level(std::string_view name) {
  return name.substr(0, name.find('$'));
}

// Classes to run as a whole, nested ones with their outermost class, which is
// what a scan finds.
std::set<std::string> classes_to_run(const EmitPlan& plan) {
  std::set<std::string> out;
  for (const auto& [name, cls] : plan.classes) {
    if (cls.run.empty()) continue;
    out.insert(name);
    out.emplace(top_level(name));
  }
  return out;
}

Emitted everything(std::string content, std::string_view how) {
  return {std::move(content),
          {"everything is selected: this file makes the runner run " +
           std::string(how)}};
}

}  // namespace

Emitted emit_skip_list(const EmitPlan& plan) {
  Emitted out;
  out.content = "rejig-skip 1\n";
  std::size_t lines = 0;
  if (!plan.all) {
    for (const auto& key : plan.unaffected) {
      const std::string line = key.suite + "\t" + key.test;
      if (line.find('\n') != std::string::npos ||
          std::count(line.begin(), line.end(), '\t') != 1) {
        out.notes.push_back("not skipped, its name has a tab or a line end: " +
                            key.test);
        continue;
      }
      out.content += line + "\n";
      ++lines;
    }
  }
  out.content += "end " + std::to_string(lines) + "\n";
  return out;
}

// As soon as one line names a method, Surefire applies the default exclude
// `**/*$*` to the tests of @Nested classes too, and drops them.
static bool nested_tests_may_run(const EmitPlan& plan) {
  for (const auto& [name, cls] : plan.classes) {
    if (name.find('$') == std::string::npos) continue;
    const auto outer = plan.classes.find(top_level(name));
    if (outer == plan.classes.end() || !outer->second.skip_whole) return true;
  }
  return false;
}

Emitted emit_surefire_excludes(const EmitPlan& plan, bool methods) {
  Emitted out;
  if (methods && nested_tests_may_run(plan)) {
    methods = false;
    out.notes.push_back(
        "classes only: Surefire cannot exclude single methods without losing "
        "the tests of nested classes");
  }
  // The file replaces Surefire's default exclude, so that is said again.
  out.content = "# rejig: " + counted(plan) + "\n**/*$*\n";
  std::size_t unsaid = 0;
  for (const auto& [name, cls] : plan.classes) {
    if (cls.unaffected.empty() || plan.all) continue;
    if (!plain_class(name)) {
      ++unsaid;
      continue;
    }
    if (cls.skip_whole && name.find('$') == std::string::npos) {
      out.content += "%regex[" + surefire_class(name) + "]\n";
      continue;
    }
    if (!methods) continue;
    for (const auto& method : cls.skip_methods) {
      if (!plain_method(method)) {
        ++unsaid;
        continue;
      }
      out.content += "%regex[" + surefire_class(name) + "#" +
                     surefire_method(method) + "]\n";
    }
  }
  if (unsaid != 0) {
    out.notes.push_back(
        "not skipped, because Surefire's patterns cannot say "
        "their names: " +
        std::to_string(unsaid));
  }
  return out;
}

Emitted emit_surefire_includes(const EmitPlan& plan) {
  if (plan.all) return everything("", "all tests, because it is empty");
  Emitted out;
  out.content = "# rejig: " + counted(plan) + "\n";
  const auto classes = classes_to_run(plan);
  for (const auto& name : classes) {
    if (!plain_class(name)) {
      return everything("",
                        "all tests, because it is empty; Surefire's "
                        "patterns cannot say " +
                            name);
    }
    out.content += "%regex[" + surefire_class(name) + "]\n";
  }
  if (classes.empty()) {
    out.content += "%regex[" + std::string(kNothingClass) + ".class]\n";
    out.notes.push_back("selected=0: the runner need not be started");
  }
  return out;
}

Emitted emit_console_args(const EmitPlan& plan) {
  Emitted out;
  std::set<std::string> lines;
  const auto quoted = [](std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    return text + "\"";
  };
  for (const auto& [name, cls] : plan.classes) {
    for (const auto& id : cls.run) {
      if (is_whole_class(id)) {
        if (cls.exists.empty()) {
          ++out.unnamed;
          out.notes.push_back("NEW is not known to have the class of " + id +
                              ": run it by other means");
        } else {
          lines.insert("-c " + quoted(name));
        }
        continue;
      }
      if (cls.exists.count(id) == 0) {
        if (cls.exists.empty()) {
          ++out.unnamed;
          out.notes.push_back("NEW is not known to have " + id +
                              ": run it by other means");
        } else {
          lines.insert("-c " + quoted(name));
        }
        continue;
      }
      const bool no_parameters = id.ends_with("()");
      lines.insert("-m " + quoted(no_parameters ? std::string_view(id).substr(
                                                      0, id.size() - 2)
                                                : std::string_view(id)));
    }
  }
  for (const auto& line : lines) out.content += line + "\n";
  out.named = lines.size();
  if (lines.empty()) {
    out.notes.push_back("selected=0: the runner need not be started");
  }
  return out;
}

Emitted emit_ant_includes(const EmitPlan& plan) {
  if (plan.all) return everything("**/*.class\n", "all classes");
  Emitted out;
  for (const auto& name : classes_to_run(plan)) {
    if (!plain_class(name)) {
      return everything("**/*.class\n",
                        "all classes; Ant's patterns cannot say " + name);
    }
    // A fileset writes $ as it is; only a doubled $ would be a property.
    out.content += classfile::slashed(name) + ".class\n";
  }
  if (out.content.empty()) {
    out.content = std::string(kNothingClass) + ".class\n";
    out.notes.push_back("selected=0: the runner need not be started");
  }
  return out;
}

Emitted emit_junit4_list(const EmitPlan& plan) {
  Emitted out;
  for (const auto& [name, cls] : plan.classes) {
    if (cls.run.empty()) continue;
    if (cls.exists.empty()) {
      ++out.unnamed;
      out.notes.push_back("NEW is not known to have " + name +
                          ": run it by other means");
      continue;
    }
    ++out.named;
    out.content += name + "\n";
  }
  if (out.content.empty()) {
    out.notes.push_back("selected=0: the runner need not be started");
  }
  return out;
}

Emitted emit_bazel_targets(const EmitPlan& plan) {
  if (plan.all) return everything("//...\n", "every target");
  Emitted out;
  std::set<std::string> labels;
  for (const auto& key : plan.selected) {
    if (key.suite.starts_with("//") || key.suite.starts_with("@")) {
      labels.insert(key.suite);
    } else {
      return everything("//...\n", "every target; the suite '" + key.suite +
                                       "' is no Bazel label");
    }
  }
  for (const auto& label : labels) out.content += label + "\n";
  if (labels.empty()) {
    out.notes.push_back("selected=0: the runner need not be started");
  }
  return out;
}

}  // namespace rejig::coverage
