// SPDX-License-Identifier: Apache-2.0
// rejig doctor: what would a run use here, and why would everything run?
#include <cstdlib>
#include <filesystem>

#include "apps/rejig/cli/command.h"
#include "apps/session/run_answers.h"
#include "apps/session/recorder_files.h"
#include "apps/session/run_process.h"
#include "coverage/store/store.h"

namespace rejig::app {

namespace {

struct Options {
  std::string store = coverage::kDefaultStore;
};

int run_doctor(const Options& o, Context& context) {
  std::error_code error;
  const auto line = [&](const std::string& key, const std::string& value) {
    context.out->write(key + std::string(key.size() < 12 ? 12 - key.size() : 1, ' ') +
                       value + "\n");
  };
  const auto recorder = find_recorder();
  line("agent", recorder.ok() ? recorder->agent : recorder.error().message());
  if (recorder.ok()) line("jar", recorder->jar);
  const char* home = std::getenv("JAVA_HOME");
  line("JAVA_HOME", home == nullptr ? "not set" : home);
  line("internal", std::filesystem::current_path(error).string());
  if (switched_off()) line("REJIG_OFF", "everything is switched off");
  auto store = coverage::open_store(o.store);
  if (!store.ok()) {
    line("store", store.error().message() + "; everything runs");
    return recorder.ok() ? kExitOk : kExitTrouble;
  }
  line("store", o.store + ", " + std::to_string((*store)->row_count()) + " rows");
  const auto environment = (*store)->environment();
  if (!environment.ok()) return context.trouble(environment.error());
  for (const auto& entry : *environment) {
    if (entry.key.starts_with("baseline/")) {
      line("suite", std::string(entry.key.substr(9)));
    }
  }
  return recorder.ok() ? kExitOk : kExitTrouble;
}

}  // namespace

Run declare_doctor(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.option("--store,--coverage", o->store,
              "the store (default .rejig/matrix.db)", "STORE");
  return [o](Context& context) { return run_doctor(*o, context); };
}

}  // namespace rejig::app
