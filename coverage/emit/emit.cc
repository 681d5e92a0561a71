// SPDX-License-Identifier: Apache-2.0
#include "coverage/emit/emit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "coverage/emit/emit_plan.h"
#include "coverage/select/policy.h"

namespace rejig::coverage {

namespace {

constexpr std::array<std::string_view, 12> kKinds = {
    "ant-includes", "bazel-targets",     "console-args",      "gradle-init",
    "idea-run",     "junit-xml",         "junit4-list",       "sbt",
    "skip-list",    "surefire-excludes", "surefire-includes", "testng-xml"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// 3.0.0-M6 and later. A version that cannot be read is an old one.
bool speaks_methods(std::string_view version) {
  std::array<unsigned, 3> parts = {0, 0, 0};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc()) return false;
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  if (parts != std::array<unsigned, 3>{3, 0, 0}) return parts[0] >= 3;
  if (rest.empty()) return true;
  unsigned milestone = 0;
  if (!rest.starts_with("-M")) return false;
  const auto [next, error] =
      std::from_chars(rest.data() + 2, rest.data() + rest.size(), milestone);
  return error == std::errc() && next == rest.data() + rest.size() &&
         milestone >= 6;
}

void decide(EmitPlan& plan) {
  for (auto& [name, cls] : plan.classes) {
    if (plan.all || cls.unaffected.empty()) continue;
    if (!cls.exists.empty() && !plan.needed(name)) {
      cls.skip_whole = true;
      continue;
    }
    std::set<std::string_view> needed;
    bool container = false;
    for (const auto& id : cls.run) {
      container |= is_whole_class(id);
      needed.insert(method_of_test(id));
    }
    if (container) continue;
    for (const auto& id : cls.unaffected) {
      const auto method = method_of_test(id);
      if (!is_whole_class(id) && needed.count(method) == 0) {
        cls.skip_methods.emplace(method);
      }
    }
  }
}

}  // namespace

bool EmitPlan::needed(std::string_view name) const {
  for (auto at = classes.lower_bound(name);
       at != classes.end() && at->first.starts_with(name); ++at) {
    const auto rest = std::string_view(at->first).substr(name.size());
    if ((rest.empty() || rest.front() == '$') && !at->second.run.empty()) {
      return true;
    }
  }
  return false;
}

EmitPlan plan_of(const Answer& answer, const std::vector<DiscoveredTest>& tests,
                 const EmitOptions& options) {
  EmitPlan plan;
  plan.all = answer.mode == Mode::kAll;
  const auto wanted = [&](const std::string& suite) {
    return options.suite.empty() || suite.empty() || suite == options.suite;
  };
  for (const auto& test : answer.selected) {
    if (!wanted(test.key.suite)) continue;
    plan.selected.push_back(test.key);
    plan.classes[std::string(class_of_test(test.key.test))].run.insert(
        test.key.test);
  }
  for (const auto& key : answer.unaffected) {
    if (!wanted(key.suite)) continue;
    plan.unaffected.push_back(key);
    plan.classes[std::string(class_of_test(key.test))].unaffected.insert(
        key.test);
  }
  for (const auto& test : tests) {
    if (!wanted(test.suite)) continue;
    auto& cls = plan.classes[std::string(class_of_test(test.id))];
    cls.exists.insert(test.id);
    cls.frameworks.insert(test.framework);
    if (!test.depends.empty()) plan.depends[test.id] = test.depends;
  }
  decide(plan);
  return plan;
}

bool plain_class(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_word(c) || c == '.';
  });
}

bool plain_method(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word);
}

std::vector<std::string_view> emit_kinds() {
  return {kKinds.begin(), kKinds.end()};
}

namespace {

// A list of what to run has no word for "all": it names the tests that are
// known. An empty or shorter one would skip what must run.
base::Result<Emitted> list_of(std::string_view kind, const EmitPlan& plan,
                              Emitted list) {
  if (plan.all && (list.named == 0 || list.unnamed != 0)) {
    return base::Error{
        base::Errc::kUnsupported,
        std::string(kind) + " cannot say that everything is selected: " +
            (list.named == 0
                 ? std::string("no test is known that it could name")
                 : "it cannot name " + std::to_string(list.unnamed) +
                       " of what must run") +
            "; run all tests without it",
        ""};
  }
  if (list.named == 0 && list.unnamed != 0) {
    return base::Error{
        base::Errc::kUnsupported,
        std::string(kind) + " would be empty although something is selected: "
            "NEW is not known to have what must run; run all tests without it",
        ""};
  }
  if (plan.all) {
    list.notes.push_back(
        "everything is selected: this list names the tests that are known");
  }
  return list;
}

}  // namespace

base::Result<Emitted> emit(std::string_view kind, const Answer& answer,
                           const std::vector<DiscoveredTest>& tests,
                           const EmitOptions& options) {
  const EmitPlan plan = plan_of(answer, tests, options);
  if (kind == "ant-includes") return emit_ant_includes(plan);
  if (kind == "bazel-targets") return emit_bazel_targets(plan);
  if (kind == "console-args") return list_of(kind, plan, emit_console_args(plan));
  if (kind == "gradle-init") return emit_gradle_init(plan);
  if (kind == "idea-run") return list_of(kind, plan, emit_idea_run(plan));
  if (kind == "junit-xml") return emit_junit_xml(plan);
  if (kind == "junit4-list") return list_of(kind, plan, emit_junit4_list(plan));
  if (kind == "sbt") return emit_sbt(plan);
  if (kind == "skip-list") return emit_skip_list(plan);
  if (kind == "surefire-excludes") {
    return emit_surefire_excludes(plan,
                                  speaks_methods(options.surefire_version));
  }
  if (kind == "surefire-includes") return emit_surefire_includes(plan);
  if (kind == "testng-xml") return list_of(kind, plan, emit_testng_xml(plan));
  std::string what = "unknown runner file '" + std::string(kind) + "'";
  const auto near = nearest(kind, emit_kinds());
  if (!near.empty()) what += ", did you mean '" + std::string(near) + "'?";
  return base::Error{base::Errc::kUsage, std::move(what), ""};
}

}  // namespace rejig::coverage
