// SPDX-License-Identifier: Apache-2.0
// rejig study FILE: what selection would have saved and missed over releases.
#include "apps/rejig/study/study.h"
#include "classfile/base/file.h"

namespace rejig::app {

namespace {

constexpr int kExitMissed = 1;

struct Options {
  std::string file;
  std::string artifacts = ".";
  std::string folder = "rejig-study";
  std::vector<std::string> only;
};

base::Result<int> run(const Options& o, Context& context) {
  REJIG_TRY(const Study study, read_study(o.file, o.artifacts));
  REJIG_TRY(const auto pairs, run_study(study, o.artifacts, o.folder, o.only, context));
  const std::string table = study_markdown(pairs);
  REJIG_TRY_VOID(base::write_file_atomically(o.folder + "/table.md", table));
  REJIG_TRY_VOID(
      base::write_file_atomically(o.folder + "/table.csv", study_csv(pairs)));
  REJIG_TRY_VOID(base::write_file_atomically(o.folder + "/selected.svg",
                                             study_boxes(pairs)));
  REJIG_TRY_VOID(
      base::write_file_atomically(o.folder + "/ratio.svg", study_bars(pairs)));
  context.out->write(context.format == "csv" ? study_csv(pairs) : table);
  for (const auto& pair : pairs) {
    for (const auto& view : pair.views) {
      if (view.view == "method" && !pair.ended &&
          view.hard + view.missed != 0) {
        return kExitMissed;
      }
    }
  }
  return kExitOk;
}

int run_study_command(const Options& o, Context& context) {
  const auto code = run(o, context);
  return code.ok() ? *code : context.trouble(code.error());
}

}  // namespace

Run declare_study(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("FILE", o->file,
                  "programs with consecutive versions, as TOML");
  line.option("--artifacts", o->artifacts,
              "the folder that the jars are named in (default .)", "DIR");
  line.option("--out", o->folder,
              "where rows, figures and plots are kept (default rejig-study); "
              "finished work in this folder is reused",
              "DIR");
  line.options("--only", o->only, "process only this program", "NAME");
  line.formats({"markdown", "csv"});
  line.footer(
      "Writes table.md, table.csv, selected.svg and ratio.svg to the folder.\n"
      "Exit codes: 0 nothing missed, 1 missed in the method view, 2 "
      "trouble.\n");
  return [o](Context& context) { return run_study_command(*o, context); };
}

}  // namespace rejig::app
