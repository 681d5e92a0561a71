// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/cli/shared_options.h"

#include "apps/rejig/cli/heap.h"
#include "apps/session/last_program.h"

namespace rejig::app {

void declare_inputs(CommandLine& line, InputOptions& o) {
  line.option("--class-path", o.class_path,
              "NEW as one flat class path: roots below the project are "
              "internal, the others libraries",
              "LIST");
  line.option("--internal-root", o.internal_root,
              "with --class-path: these roots are internal", "LIST");
  line.option("--lib", o.lib, "external classes, the same in both", "LIST");
  line.option("--old-lib", o.old_lib, "external classes of OLD", "LIST");
  line.option("--new-lib", o.new_lib, "external classes of NEW", "LIST");
  line.option("--jdk", o.jdk, "the platform (default $JAVA_HOME)", "HOME");
  line.option("--old-jdk", o.old_jdk, "the platform of OLD", "HOME");
  line.option("--new-jdk", o.new_jdk, "the platform of NEW", "HOME");
  line.option("--rename", o.rename,
              "renamed classes: one OLD_NAME NEW_NAME pair per line",
              "FILE");
  line.options("--internal", o.internal,
               "classes that belong to the program wherever they come from",
               "GLOB");
  line.options("--external", o.external, "classes that do not", "GLOB");
  line.flag("--as-listed", o.as_listed,
            "do not follow Class-Path entries of manifests");
  line.flag("--walk", o.walk,
            "cross-check: find the same edges by an exhaustive walk of both "
            "graphs (slow)");
}

void declare_selection(CommandLine& line, SelectOptions& o, bool with_view) {
  declare_inputs(line, o.inputs);
  line.option("--coverage", o.coverage, "the matrix (default .rejig/matrix.db)",
              "STORE");
  line.option("--suite", o.suite, "suite name for tests without a recording",
              "NAME");
  line.options("--assume", o.assume,
               "UNSAFE: assume that what was not recorded did not happen "
               "(no-reflection, no-resources, ...)",
               "NAME");
  line.words("--assume", {"no-library-changes", "no-missing-lookups",
                          "no-reflection", "no-resources", "no-stack-traces"});
  line.flag("--allow-lower-bound", o.allow_lower_bound,
            "UNSAFE: allow skips based on incomplete coverage (JaCoCo, LCOV, "
            "...)");
  line.options("--source-root", o.source_roots,
               "where sources are looked for, to print their paths", "DIR");
  line.flag("--rehash", o.rehash,
            "read every file of class directories, whatever its times say");
  if (with_view) {
    line.choice("--view", o.view,
                {"method", "edge", "class", "hybrid", "static"},
                "method: the dangerous edges; edge: by control-flow edges; "
                "class: classes touched; hybrid: reachable inside these; "
                "static: reachable, without rows");
  }
  line.choice("--path-style", o.path_style, {"given", "absolute"},
              "how source paths are printed");
}

void declare_session_options(CommandLine& line, SessionOptions& o) {
  line.option("--store,--coverage", o.store,
              "the store (default .rejig/matrix.db)", "STORE");
  line.option("--suite", o.suite,
              "name of these tests (default: in a build the folder of the test "
              "classes, else the folder that a JVM runs in, below the project; "
              "\"default\" at its root)",
              "NAME");
  line.option("--internal-root", o.internal_root,
              "the program: folders and archives (default: the project)",
              "LIST");
  line.option("--internal", o.internal,
              "classes that belong to the program wherever they come from",
              "GLOB");
  line.option("--external", o.external, "classes that do not", "GLOB");
  line.flag("--receivers", o.receivers,
            "record on what class each method was called: fewer tests are "
            "selected when an override is added, recording takes longer");
}

base::Result<std::unique_ptr<Selected>> selected_by(
    const SelectOptions& options, Context& context, bool or_last) {
  prepare_heap(context.jobs);
  return or_last ? select_given_or_last(options, context)
                 : run_selection(options, context);
}

base::Result<ByRuns> selected_by_runs(const SelectOptions& options,
                                      const std::vector<std::string>& proofs,
                                      Context& context) {
  prepare_heap(context.jobs);
  if (proofs.empty()) {
    ByRuns out;
    REJIG_TRY(out.selected, select_given_or_last(options, context));
    return out;
  }
  std::vector<RunStore> runs;
  for (const auto& text : proofs) {
    REJIG_TRY(runs.emplace_back(), parse_run_store(text));
  }
  return select_by_runs(options, runs, context);
}

}  // namespace rejig::app
