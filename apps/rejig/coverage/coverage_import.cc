// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

#include "apps/rejig/coverage/coverage_actions.h"
#include "apps/session/old_program.h"
#include "classfile/base/file.h"
#include "coverage/import/import.h"
#include "coverage/import/import_classes.h"
#include "coverage/import/ndjson.h"
#include "coverage/row/baseline_age.h"
#include "coverage/store/store.h"

namespace rejig::app {
namespace {

using base::Errc;
using base::Error;

class Input {
 public:
  static base::Result<Input> open(const std::string& path) {
    Input out;
    out.name_ = path == "-" ? "standard input" : path;
    out.fd_ = 0;
    if (path != "-") {
      REJIG_TRY(out.fd_, base::open_stream(path));
    }
    return out;
  }
  Input(Input&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}
  Input& operator=(Input&&) = delete;
  ~Input() {
    if (fd_ > 0) ::close(fd_);
  }

  const std::string& name() const { return name_; }
  base::Result<std::size_t> read(char* buffer, std::size_t size) const {
    while (true) {
      const auto got = ::read(fd_, buffer, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) {
        return Error{Errc::kIo, base::errno_text(errno), name_};
      }
    }
  }
  base::Result<std::string> read_all() const {
    std::string out;
    std::string buffer(std::size_t{1} << 16, '\0');
    while (true) {
      REJIG_TRY(const std::size_t got, read(buffer.data(), buffer.size()));
      if (got == 0) return out;
      out.append(buffer, 0, got);
      if (out.size() > kLargestFile) {
        return Error{Errc::kLimit, "larger than 2 GiB", name_};
      }
    }
  }

 private:
  static constexpr std::size_t kLargestFile = std::size_t{2} << 30;
  Input() = default;
  int fd_ = -1;
  std::string name_;
};

base::Result<void> import_foreign(const CoverageOptions& o,
                                  const std::string& path,
                                  coverage::OldClasses* old_classes,
                                  coverage::MatrixBuilder& builder,
                                  coverage::ForeignReport& all) {
  REJIG_TRY(const auto input, Input::open(path));
  REJIG_TRY(const std::string text, input.read_all());
  coverage::ImportOptions options;
  options.suite = o.suite;
  options.test = o.test;
  options.result = coverage::outcome_of(o.result).value();
  auto report = o.from == "pit"
                    ? coverage::import_pit(text, input.name(), options, builder)
                : o.from == "jacoco"
                    ? coverage::import_jacoco(
                          std::as_bytes(std::span(text.data(), text.size())),
                          input.name(), options, *old_classes, builder)
                : o.from == "testwise"
                    ? coverage::import_testwise(text, input.name(), options,
                                                *old_classes, builder)
                    : coverage::import_lcov(text, input.name(), options,
                                            *old_classes, builder);
  if (!report.ok()) return std::move(report).error();
  all.rows += report->rows;
  for (auto& note : report->notes) {
    all.notes.push_back(input.name() + ": " + note);
  }
  return {};
}

base::Result<void> import_program(const CoverageOptions& o,
                                  coverage::MatrixBuilder& builder,
                                  Context& context) {
  if (o.program.empty()) return {};
  ProgramPaths paths{o.program, o.libraries, o.jdk, o.internal, o.external};
  if (paths.jdk.empty()) {
    if (const char* home = std::getenv("JAVA_HOME")) paths.jdk = home;
  }
  paths.jobs = context.jobs;
  const auto phase = context.phases.scope("store the program");
  base::Diagnostics diagnostics;
  const auto done = store_program(paths, o.suite, builder, diagnostics);
  context.report(diagnostics);
  if (done.ok()) {
    coverage::set_recorded(builder, o.suite, coverage::recording_time());
  }
  return done;
}

int import_foreign_files(const CoverageOptions& o,
                         const std::vector<std::string>& files,
                         Context& context) {
  std::optional<coverage::OldClasses> old_classes;
  if (o.from != "pit") {
    if (o.classes.empty()) {
      return context.trouble(
          {Errc::kUsage,
           "--from " + o.from + " needs the old classes: --classes LIST", ""});
    }
    base::Diagnostics diagnostics;
    auto loaded = coverage::OldClasses::load(o.classes, diagnostics);
    if (!loaded.ok()) return context.trouble(loaded.error());
    context.report(diagnostics);
    old_classes.emplace(std::move(*loaded));
  }
  coverage::ForeignReport report;
  const auto done = coverage::update_store(
      o.store, [&](coverage::MatrixBuilder& builder) -> base::Result<void> {
        for (const auto& file : files) {
          REJIG_TRY_VOID(import_foreign(
              o, file, old_classes ? &*old_classes : nullptr, builder, report));
        }
        return import_program(o, builder, context);
      });
  if (!done.ok()) return context.trouble(done.error());
  for (const auto& note : report.notes) context.messages->warning(note);
  context.messages->note("imported " + std::to_string(report.rows) +
                         " rows into " + o.store +
                         ", lower bounds: they justify no skip without "
                         "--allow-lower-bound");
  return kExitOk;
}

base::Result<void> import_file(const CoverageOptions& o,
                               const std::string& path,
                               coverage::MatrixBuilder& builder,
                               coverage::ImportReport& all) {
  REJIG_TRY(const auto input, Input::open(path));
  REJIG_TRY(const auto report, coverage::import_ndjson(
                                   [&](char* buffer, std::size_t size) {
                                     return input.read(buffer, size);
                                   },
                                   input.name(), o.suite, builder));
  all.rows += report.rows;
  if (report.rows != 0) all.header = all.header && report.header;
  return {};
}

}  // namespace

int import_coverage(const CoverageOptions& o, Context& context) {
  const auto phase = context.phases.scope("import");
  // A program alone is worth an import; nobody waits for rows then.
  const auto files = o.arguments.empty() && o.program.empty()
                         ? std::vector<std::string>{"-"}
                         : o.arguments;
  if (o.from != "ndjson") return import_foreign_files(o, files, context);
  coverage::ImportReport report;
  report.header = true;
  const auto done = coverage::update_store(
      o.store, [&](coverage::MatrixBuilder& builder) -> base::Result<void> {
        for (const auto& file : files) {
          REJIG_TRY_VOID(import_file(o, file, builder, report));
        }
        return import_program(o, builder, context);
      });
  if (!done.ok()) return context.trouble(done.error());
  if (!report.header) {
    context.messages->warning(
        "rows without a header: cannot check that they were recorded on the "
        "old program's bytes");
  }
  std::string text = "imported " + std::to_string(report.rows) + " rows";
  if (!o.program.empty()) text += " and the program of suite " + o.suite;
  context.messages->note(text + " into " + o.store);
  return kExitOk;
}

}  // namespace rejig::app
