// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/store_seeds.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "coverage/store/matrix_builder.h"
#include "coverage/store/old_program.h"
#include "coverage/store/store.h"
#include "coverage/store/store_block.h"
#include "tests/unit/archive/zip_builder.h"

namespace rejig::test {

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void add_rows(coverage::MatrixBuilder& builder, unsigned tests) {
  for (unsigned t = 0; t < tests; ++t) {
    const std::string id =
        "x.T" + std::to_string(t / 3) + "#m" + std::to_string(t) + "()";
    coverage::Row row;
    row.suite = "s";
    row.test = id;
    std::vector<classfile::Atom> atoms;
    for (unsigned m = 0; m < 5; ++m) {
      atoms.push_back({classfile::AtomKind::kMethod,
                       "x.Y.f" + std::to_string((t * m) % 7) + "()V"});
    }
    atoms.push_back({classfile::AtomKind::kLoad, "x.Y"});
    builder.add_row(row, std::span<const classfile::Atom>(atoms));
  }
  builder.add_class("x.Y", "00ff");
  builder.add_environment("java.version", "17");
}

void add_program(coverage::MatrixBuilder& builder, const std::string& folder) {
  ZipItem item;
  item.name = "x/Y.class";
  item.content = tiny_class("x/Y");
  const std::string jar = folder + "/a.jar";
  std::ofstream(jar, std::ios::binary) << make_zip({item});
  base::Diagnostics diagnostics;
  const auto program = classfile::Program::load({jar}, {}, diagnostics);
  require(program.ok());
  coverage::add_program(builder, "s", *program, {}, nullptr,
                        {17, "jdk", "", {{"b.jar", "00"}}},
                        {{"x.T#m0()", "x.T", "x.T", "junit4"}});
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Every block with its kind, as fuzz_store.cc reads them.
std::string blocks(const std::string& path) {
  auto reader = coverage::BlockReader::open(path);
  require(reader.ok());
  std::string out = "B";
  for (coverage::BlockId id = 1; id <= (*reader)->last(); ++id) {
    for (unsigned k = 1; k <= 9; ++k) {
      const auto payload =
          (*reader)->read(id, static_cast<coverage::BlockKind>(k));
      if (!payload.ok()) continue;
      out += static_cast<char>(k);
      out += static_cast<char>(payload->size() >> 8);
      out += static_cast<char>(payload->size());
      out += coverage::as_text(*payload);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> stores() {
  char folder[] = "/tmp/rejig-seeds-XXXXXX";
  require(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/m.db";
  std::vector<std::string> out;
  for (const unsigned tests : {0u, 1u, 40u}) {
    coverage::MatrixBuilder builder;
    if (tests != 0) add_rows(builder, tests);
    if (tests != 1) add_program(builder, folder);
    require(coverage::write_store(path, *builder.finish()).ok());
    out.push_back(content(path));
    out.push_back(blocks(path));
  }
  std::filesystem::remove_all(folder);
  return out;
}

}  // namespace rejig::test
