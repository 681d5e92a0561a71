// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "apps/rejig/coverage_actions.h"
#include "classfile/base/file.h"
#include "coverage/ndjson.h"
#include "coverage/store.h"

namespace rejig::app {
namespace {

using base::Errc;
using base::Error;

class Input {
 public:
  static base::Result<Input> open(const std::string& path) {
    Input out;
    out.name_ = path == "-" ? "standard input" : path;
    out.fd_ = path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (out.fd_ < 0) {
      return Error{errno == ENOENT ? Errc::kNotFound : Errc::kIo,
                   base::errno_text(errno), path};
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

 private:
  Input() = default;
  int fd_ = -1;
  std::string name_;
};

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
  const auto files =
      o.arguments.empty() ? std::vector<std::string>{"-"} : o.arguments;
  coverage::ImportReport report;
  report.header = true;
  const auto done = coverage::update_store(
      o.store, [&](coverage::MatrixBuilder& builder) -> base::Result<void> {
        for (const auto& file : files) {
          REJIG_TRY_VOID(import_file(o, file, builder, report));
        }
        return {};
      });
  if (!done.ok()) return context.trouble(done.error());
  if (!report.header) {
    context.messages->warning(
        "rows without a header: cannot check that they were recorded on the "
        "old program's bytes");
  }
  context.messages->note("imported " + std::to_string(report.rows) +
                         " rows into " + o.store);
  return kExitOk;
}

}  // namespace rejig::app
