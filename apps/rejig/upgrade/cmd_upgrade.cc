// SPDX-License-Identifier: Apache-2.0
// rejig upgrade APP OLD-LIB NEW-LIB [--jdk OLD NEW]: what of mine breaks or runs
// other code.
#include <algorithm>
#include <filesystem>
#include <set>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/heap.h"
#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/page_text.h"
#include "apps/rejig/upgrade/upgrade.h"
#include "apps/rejig/upgrade/upgrade_page.h"
#include "apps/session/inputs.h"
#include "classfile/words/entity.h"
#include "coverage/store/store.h"
#include "traversal/describe/versions.h"

namespace rejig::app {

namespace {

namespace fs = std::filesystem;
using traversal::Side;

constexpr int kExitSomething = 1;
constexpr unsigned kBeforeJava1 = 44;

struct Options {
  std::string app;
  std::string old_lib;
  std::string new_lib;
  std::vector<std::string> jdks;
  std::string lib;
  std::string coverage;
  std::vector<std::string> source_roots;
  std::string path_style = "given";
  bool all = false;
};

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ":" + b;
}

// "17": a JDK of that release on this machine.
base::Result<std::string> jdk_home(const std::string& word) {
  std::error_code error;
  if (fs::exists(word, error)) return word;
  const bool number = std::ranges::all_of(
      word, [](char c) { return c >= '0' && c <= '9'; });
  if (number) {
    std::vector<std::string> places;
    if (const char* home = std::getenv("JAVA_HOME")) places.emplace_back(home);
    std::vector<std::string> found;
    for (const auto& one : fs::directory_iterator("/usr/lib/jvm", error)) {
      found.push_back(one.path().string());
    }
    std::ranges::sort(found);
    places.insert(places.end(), found.begin(), found.end());
    for (const auto& place : places) {
      if (std::to_string(feature_release(place)) == word &&
          fs::exists(fs::path(place) / "lib" / "modules", error)) {
        return place;
      }
    }
  }
  return base::Error{base::Errc::kNotFound,
                     number ? "no JDK of this release in JAVA_HOME or "
                              "/usr/lib/jvm: give its home"
                            : "there is no such JDK home",
                     word};
}

// The newest class file of the program that every release reads.
unsigned java_of(const classfile::Program& program,
                 const traversal::Versions& versions, Side side) {
  unsigned newest = 0;
  for (const auto& file : program.classes()) {
    const auto* shell = versions.shell(side, classfile::dotted(file.name));
    if (shell == nullptr || shell->major <= newest) continue;
    if (program.where(file).find("META-INF/versions/") != std::string::npos) {
      continue;
    }
    newest = shell->major;
  }
  return newest > kBeforeJava1 ? newest - kBeforeJava1 : 0;
}

base::Result<void> search_libraries(const Options& o, Context& context,
                                    const Compared& application,
                                    UpgradeAnswer& answer) {
  InputOptions inputs;
  inputs.old_path = o.old_lib;
  inputs.new_path = o.new_lib;
  inputs.lib = o.lib;
  REJIG_TRY(const auto config, load_config(context));
  complete_inputs(inputs, config);
  inputs.discover_tests = false;
  inputs.facets_for_rows = false;
  REJIG_TRY(auto compared, compare_inputs(inputs, context));
  Compared& libraries = context.keep(std::move(compared));
  std::set<std::string, std::less<>> changed;
  for (const auto& d : libraries.comparison.edges) {
    const bool body = d.rule == classfile::Rule::kD1 ||
                      d.rule == classfile::Rule::kD2;
    if (body && !d.new_fact.starts_with("deleted")) changed.insert(d.entity);
    // A method that came, and runs where another one did.
    const bool dispatch = d.rule == classfile::Rule::kD7 ||
                          d.rule == classfile::Rule::kD8;
    if (dispatch && d.new_fact.find('(') != std::string::npos) {
      changed.insert(d.new_fact);
    }
  }
  answer.changed_methods = changed.size();
  for (const auto& widened : libraries.comparison.widened) {
    answer.widened.push_back(widened.where + ": " + widened.what);
  }
  const auto& versions = *libraries.comparison.versions;
  const unsigned java = java_of(*libraries.new_program, versions, Side::kNew);
  if (java != 0) answer.needs_java = java;
  answer.java_before =
      java_of(*libraries.old_program, versions, Side::kOld);
  if (changed.empty()) return {};

  const auto phase = context.phases.scope("ways into the libraries");
  base::Diagnostics diagnostics;
  auto roots = classfile::Program::split_path_list(o.app);
  for (auto& root : classfile::Program::split_path_list(o.new_lib)) {
    roots.push_back(std::move(root));
  }
  REJIG_TRY(auto program,
            classfile::Program::load(roots, classfile::ProgramOptions{},
                                     diagnostics));
  auto& both = context.keep(
      std::make_unique<classfile::Program>(std::move(program)));
  jig::Names names;
  const jig::World world(names, both, libraries.old_external);
  const auto ways = ways_into(
      world, context.pool(),
      [&](std::string_view name) {
        return application.old_program->find_class(classfile::slashed(name)) !=
               nullptr;
      },
      [&](const std::string& method) { return changed.contains(method); });
  for (const auto& way : ways) answer.reach.push_back({way, {}, {}});
  return {};
}

base::Result<UpgradeAnswer> answer_of(const Options& o, Context& context) {
  InputOptions inputs;
  inputs.old_path = inputs.new_path = o.app;
  inputs.old_lib = joined(o.old_lib, o.lib);
  inputs.new_lib = joined(o.new_lib, o.lib);
  REJIG_TRY(const auto config, load_config(context));
  complete_inputs(inputs, config);
  if (!o.jdks.empty()) {
    // As libraries the two platforms are told apart class by class.
    REJIG_TRY(const std::string old_home, jdk_home(o.jdks[0]));
    REJIG_TRY(const std::string new_home, jdk_home(o.jdks[1]));
    inputs.jdk.clear();
    inputs.old_jdk.clear();
    inputs.new_jdk.clear();
    inputs.old_release = feature_release(old_home);
    inputs.new_release = feature_release(new_home);
    inputs.old_lib = joined(joined(o.old_lib, o.lib), old_home);
    inputs.new_lib = joined(joined(o.new_lib, o.lib), new_home);
  }
  inputs.discover_tests = false;
  inputs.facets_for_rows = false;
  REJIG_TRY(auto compared, compare_inputs(inputs, context));
  Compared& application = context.keep(std::move(compared));
  UpgradeAnswer answer;
  take_edges(application.comparison.edges, answer);
  for (const auto& widened : application.comparison.widened) {
    answer.widened.push_back(widened.where + ": " + widened.what);
  }
  answer.reach_known = o.jdks.empty();
  if (!o.new_lib.empty()) {
    REJIG_TRY_VOID(search_libraries(o, context, application, answer));
  }
  if (!o.coverage.empty()) {
    REJIG_TRY(const auto matrix, coverage::open_store(o.coverage));
    REJIG_TRY_VOID(take_tests(*matrix, answer));
  }
  return answer;
}

int run_upgrade(const Options& o, Context& context) {
  if (o.jdks.empty() && (o.old_lib.empty() || o.new_lib.empty())) {
    return context.trouble(
        {base::Errc::kUsage,
         "missing arguments OLD-LIB NEW-LIB, or --jdk OLD NEW", ""});
  }
  if (o.old_lib.empty() != o.new_lib.empty()) {
    return context.trouble({base::Errc::kUsage,
                            "missing argument NEW-LIB: path list of the new "
                            "version of the libraries",
                            ""});
  }
  prepare_heap(context.jobs);
  const auto answer = answer_of(o, context);
  if (!answer.ok()) return context.trouble(answer.error());
  for (const auto& text : answer->widened) context.messages->warning(text);
  ReportOptions report;
  report.source_roots = o.source_roots;
  report.absolute_paths = o.path_style == "absolute";
  if (context.format == "json") {
    context.out->write(upgrade_json(*answer, version_number()));
  } else if (context.format == "sarif") {
    context.out->write(
        findings_sarif(upgrade_findings(*answer, report), version_number()));
  } else {
    const Page page = upgrade_page(*answer, report);
    context.out->allow_pager();
    context.out->write(context.format == "markdown" ? page_markdown(page)
                       : context.format == "html"
                           ? page_html(page, {"upgrade", version_number(), {}, {}})
                           : page_text(page, screen_of(context, o.all)));
  }
  return answer->is_empty() ? kExitOk : kExitSomething;
}

}  // namespace

Run declare_upgrade(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("APP", o->app, "path list of the application, unchanged");
  line.positional("OLD-LIB", o->old_lib,
                  "path list of its libraries as they are", false);
  line.positional("NEW-LIB", o->new_lib, "and as they will be", false);
  line.pair("--jdk", o->jdks,
            "another platform: two JDK homes, or releases such as 17 25",
            "OLD NEW");
  line.option("--lib", o->lib, "libraries that stay as they are", "LIST");
  line.option("--coverage", o->coverage,
              "the matrix: which tests run what is concerned, and what none "
              "runs",
              "STORE");
  line.flag("--all", o->all, "text: everything, not one screen of it");
  line.options("--source-root", o->source_roots,
               "where sources are looked for, to print their paths", "DIR");
  line.choice("--path-style", o->path_style, {"given", "absolute"},
              "how source paths are printed");
  line.formats({"text", "json", "markdown", "html", "sarif"});
  line.footer(
      "Exit codes: 0 nothing of APP breaks or runs other code, 1 something, 2 "
      "trouble.\nReflection is not followed.\n");
  return [o](Context& context) { return run_upgrade(*o, context); };
}

}  // namespace rejig::app
