// SPDX-License-Identifier: Apache-2.0
// rejig plan [OLD NEW]: how many machines divide what is selected, and which of
// them runs what. `rejig run --shard I/N --plan FILE` keeps to it.
#include <cstdlib>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/shared_options.h"
#include "apps/session/team_remote.h"
#include "coverage/plan/plan.h"

namespace rejig::app {

namespace {

struct Options {
  SelectOptions select;
  std::vector<std::string> proofs;
  coverage::PlanOptions plan;
  std::string target;
};

int run_plan(Options o, Context& context) {
  o.select.only_path_is_new = true;
  if (!o.target.empty()) {
    const auto target = milliseconds_of(o.target);
    if (!target.ok()) return context.trouble(target.error());
    o.plan.target = *target / 1000.0;
  }
  auto done = selected_by_runs(o.select, o.proofs, context);
  if (!done.ok()) return context.trouble(done.error());
  const ByRuns& by_runs = context.keep(std::make_unique<ByRuns>(std::move(*done)));
  const auto plan = by_runs.plan(o.plan);
  if (!plan.ok()) return context.trouble(plan.error());
  context.out->write(context.format == "json"
                         ? coverage::plan_json(*plan)
                         : coverage::plan_for_forge(*plan, context.format));
  context.messages->note(
      std::to_string(plan->shards.size()) +
      (plan->shards.size() == 1 ? " shard for " : " shards for ") +
      std::to_string(by_runs.selected->answer.counts.selected) +
      " selected tests");
  return kExitOk;
}

}  // namespace

Run declare_plan(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("OLD", o->select.inputs.old_path,
                  "path list of the old version (default: the program that the "
                  "matrix keeps; without any, what the next run would select)",
                  false);
  line.positional("NEW", o->select.inputs.new_path,
                  "path list of the new version", false);
  declare_selection(line, o->select, false);
  line.options("--proof", o->proofs,
               "the store of a further run, with its program: what it proves "
               "unaffected need not run",
               "RUN=STORE");
  line.option("--shards", o->plan.shards,
              "so many machines (default: as --target wants)");
  line.option("--target", o->target,
              "how long a machine may take for its tests (default 5m)", "TIME");
  line.option("--max", o->plan.most, "no more machines than these (default 20)");
  std::vector<std::string> formats = {"json"};
  for (const auto& forge : coverage::forge_formats()) formats.push_back(forge);
  line.formats(formats);
  line.footer(
      "Whole classes, the longest first, each to the machine that has least; tests "
      "that\nneed what others leave behind stay with them. No machine when nothing "
      "is selected.\n"
      "  rejig plan -o plan.json\n"
      "  rejig run --shard 2/8 --plan plan.json -- mvn test\n"
      "Exit codes: 0, 2 trouble.\n");
  return [o](Context& context) { return run_plan(*o, context); };
}

}  // namespace rejig::app
