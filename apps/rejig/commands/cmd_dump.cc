// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "apps/rejig/cli/command.h"
#include "apps/rejig/cli/suggest.h"
#include "classfile/archive/archive.h"
#include "classfile/dump/dump.h"
#include "classfile/program/program.h"
#include "jig/lookup/link_lines.h"

namespace rejig::app {
namespace {

using classfile::DumpOptions;
using classfile::DumpType;

struct Options {
  std::string artefact;
  unsigned release = 17;
  std::string class_path;
  std::string only;
  std::string class_glob;
  bool insns = false;
};

base::Result<classfile::DumpTypes> types_of(const Options& o) {
  classfile::DumpTypes types = classfile::DumpTypes::usual();
  if (!o.only.empty()) {
    types = classfile::DumpTypes::none();
    std::vector<std::string> known;
    for (std::size_t i = 0; i < classfile::kDumpTypes; ++i) {
      known.emplace_back(name_of(static_cast<DumpType>(i)));
    }
    for (std::size_t begin = 0; begin <= o.only.size();) {
      const std::size_t end = std::min(o.only.find(',', begin), o.only.size());
      const std::string name = o.only.substr(begin, end - begin);
      const auto type = classfile::dump_type(name);
      if (!type) {
        return base::Error{base::Errc::kUsage,
                           "--only: unknown line type '" + name + "'" +
                               did_you_mean(name, known),
                           ""};
      }
      types.set(*type);
      begin = end + 1;
    }
  }
  if (o.insns) types.set(DumpType::kInsn);
  return types;
}

base::Result<classfile::Program> load_external(
    const Options& o, base::Diagnostics& diagnostics) {
  classfile::ProgramOptions options;
  options.release = o.release;
  options.follow_class_path = false;
  return classfile::Program::load(
      classfile::Program::split_path_list(o.class_path), options, diagnostics);
}

// Text of a large class goes back to the system when it is written: by itself
// malloc keeps such blocks once one of them was freed.
constexpr int kLargeBlock = 4 << 20;

int run_dump(const Options& o, Context& context) {
  ::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  DumpOptions options;
  options.form = context.format == "ndjson" ? DumpOptions::Form::kNdjson
                                            : DumpOptions::Form::kText;
  options.release = o.release;
  options.class_glob = o.class_glob;
  auto types = types_of(o);
  if (!types.ok()) return context.trouble(types.error());
  options.types = *types;
  options.on_progress = [&](std::size_t done, std::size_t all) {
    context.messages->progress("entries read:", done, all);
  };

  base::Diagnostics diagnostics;
  auto artefact = classfile::Artefact::open(o.artefact, diagnostics);
  if (!artefact.ok()) {
    if (options.form == DumpOptions::Form::kNdjson) {
      context.out->write(classfile::dump_error_line(""));
    }
    return context.trouble(artefact.error());
  }
  const auto write = [&](std::string_view text) { context.out->write(text); };
  const bool hierarchy = options.types.has(DumpType::kHierarchy);
  const bool links = options.types.has(DumpType::kLink);
  const bool world_lines =
      options.form == DumpOptions::Form::kNdjson && (hierarchy || links);
  classfile::Program external;
  jig::LinkLines lines(context.pool().workers(), links);
  if (world_lines) {
    auto loaded = load_external(o, diagnostics);
    if (!loaded.ok()) return context.trouble(loaded.error());
    external = std::move(loaded).value();
    options.on_class = [&](unsigned worker, classfile::EntryId,
                           const classfile::ClassView& cls, bool used) {
      if (used) lines.add(worker, cls);
    };
  }
  const auto counts = classfile::dump(**artefact, options, context.pool(),
                                      write, diagnostics);
  if (world_lines) {
    lines.write({&external}, hierarchy, context.pool(), write);
    external.report(diagnostics);
  }
  context.report(diagnostics);
  if (auto same = (*artefact)->check_unchanged(); !same.ok()) {
    return context.trouble(same.error());
  }
  return counts.errors == 0 ? kExitOk : kExitTrouble;
}

}  // namespace

Run declare_dump(CommandLine& line) {
  auto o = std::make_shared<Options>();
  line.positional("ARTIFACT", o->artefact,
                  "jar, war, ear, rar, jmod, lib/modules, class directory or "
                  "class file");
  line.formats({"text", "ndjson"});
  line.option("--class", o->class_glob,
              "only classes whose name (a.b.Outer$Inner) matches", "GLOB");
  line.option("--release", o->release,
              "feature release for multi-release archives (default 17)");
  line.option("--classpath", o->class_path,
              "external classes, asked only for their shells", "LIST");
  line.option("--only", o->only, "only these types of ndjson lines",
              "TYPE,...");
  line.flag("--insns", o->insns,
            "ndjson: also a line for each instruction without a symbolic "
            "operand");
  line.footer(
      "Exit codes: 0; 2 when something could not be read (the rest is there).");
  return [o](Context& context) { return run_dump(*o, context); };
}

}  // namespace rejig::app
