// SPDX-License-Identifier: Apache-2.0
// Any bytes as the file of another tool, or as the exchange format. What is
// accepted must make a matrix that exports and imports again as itself.
// REJIG_FORMAT says which format this program is for.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "coverage/import/import.h"
#include "coverage/import/import_classes.h"
#include "coverage/import/ndjson.h"
#include "coverage/store/matrix_builder.h"
#include "tests/classes/samples.h"
#include "tests/unit/archive/zip_builder.h"

namespace {

using namespace rejig;

enum Format { kJacoco, kPit, kTestwise, kLcov, kNdjson };

void require(bool condition) {
  if (!condition) std::abort();
}

coverage::OldClasses load_classes() {
  std::vector<test::ZipItem> items;
  for (const auto& sample : test::legal_samples()) {
    test::ZipItem item;
    item.name = "x/" + std::string(sample.name) + ".class";
    item.content = sample.bytes;
    items.push_back(item);
  }
  test::ZipItem tiny;
  tiny.name = "x/Y.class";
  tiny.content = test::tiny_class("x/Y");
  items.push_back(tiny);
  char path[] = "/tmp/rejig-fuzz-XXXXXX";
  const int fd = ::mkstemp(path);
  require(fd >= 0);
  std::ofstream(path, std::ios::binary) << test::make_zip(items);
  base::Diagnostics diagnostics;
  auto classes = coverage::OldClasses::load(path, diagnostics);
  require(classes.ok());
  std::remove(path);
  return std::move(*classes);
}

base::Result<coverage::ImportReport> import_text(
    const std::string& text, coverage::MatrixBuilder& builder,
    std::size_t piece) {
  std::size_t at = 0;
  return coverage::import_ndjson(
      [&](char* buffer, std::size_t size) -> base::Result<std::size_t> {
        const std::size_t n = std::min({size, piece, text.size() - at});
        std::memcpy(buffer, text.data() + at, n);
        at += n;
        return n;
      },
      "fuzz", "default", builder);
}

std::string exported(coverage::Matrix& matrix) {
  std::string out;
  require(coverage::export_ndjson(matrix, [&](std::string_view text) {
            out += text;
          }).ok());
  return out;
}

bool import_any(const std::string& text, coverage::MatrixBuilder& builder) {
  static coverage::OldClasses classes = load_classes();
  const coverage::ImportOptions options;
  switch (REJIG_FORMAT) {
    case kJacoco:
      return coverage::import_jacoco(
                 std::as_bytes(std::span(text.data(), text.size())), "fuzz",
                 options, classes, builder)
          .ok();
    case kPit:
      return coverage::import_pit(text, "fuzz", options, builder).ok();
    case kTestwise:
      return coverage::import_testwise(text, "fuzz", options, classes, builder)
          .ok();
    case kLcov:
      return coverage::import_lcov(text, "fuzz", options, classes, builder)
          .ok();
    default: {
      coverage::MatrixBuilder in_pieces;
      const bool ok = import_text(text, builder, text.size() + 1).ok();
      require(ok == import_text(text, in_pieces, 7).ok());
      return ok;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  coverage::MatrixBuilder builder;
  if (!import_any(text, builder)) return 0;
  const auto matrix = builder.finish();
  const std::string once = exported(*matrix);
  coverage::MatrixBuilder again;
  require(import_text(once, again, once.size() + 1).ok());
  require(exported(*again.finish()) == once);
  return 0;
}
