// SPDX-License-Identifier: Apache-2.0
// rejig tests: the test ids of the store, for completion. Hidden; where there is no
// store there is nothing to offer.
#include <set>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/report/report_format.h"
#include "apps/session/settings.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

int run_tests(const std::string& named, Context& context) {
  const auto config = load_config(context.config);
  if (!config.ok()) return kExitOk;
  const std::string path =
      named.empty() ? config->coverage.value_or(coverage::kDefaultStore)
                    : named;
  const auto store = coverage::open_store(path);
  if (!store.ok()) return kExitOk;
  const auto rows = (*store)->rows();
  if (!rows.ok()) return kExitOk;
  std::set<std::string> ids;
  for (const auto& row : *rows) ids.emplace(row.test);
  for (const auto& id : ids) context.out->write(one_line(id) + "\n");
  return kExitOk;
}

}  // namespace

Run declare_tests(CommandLine& line) {
  auto store = std::make_shared<std::string>();
  line.option("--store,--coverage", *store,
              "the store (default .rejig/matrix.db)", "STORE");
  return [store](Context& context) { return run_tests(*store, context); };
}

}  // namespace rejig::app
