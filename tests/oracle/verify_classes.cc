// SPDX-License-Identifier: Apache-2.0
// What does traversal/verify say to these classes? One line a class:
// "ok NAME", "unknown NAME: FROM as TO", "refused NAME: METHOD at PC: WHY", "unread
// NAME". verify_classes JDK_HOME ROOT[:ROOT...] [quiet]: the classes of the first
// root in a world of all of them; quiet prints what is not ok, and last a count.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "classfile/program/program.h"
#include "traversal/verify/verify.h"

namespace {

using rejig::classfile::ClassView;
using rejig::classfile::Program;

Program load(const std::vector<std::string>& roots) {
  rejig::base::Diagnostics diagnostics;
  auto program = Program::load(roots, {}, diagnostics);
  if (!program.ok()) {
    std::fprintf(stderr, "%s\n", program.error().message().c_str());
    std::exit(2);
  }
  return std::move(program.value());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: verify_classes JDK_HOME ROOTS [quiet]\n");
    return 2;
  }
  const bool quiet = argc > 3;
  const Program platform = load({argv[1]});
  const auto roots = Program::split_path_list(argv[2]);
  const Program program = load({roots[0]});
  const Program others =
      load(std::vector<std::string>(roots.begin(), roots.end()));
  rejig::jig::Names names;
  const rejig::jig::World world(names, program, {&others, &platform});
  std::size_t good = 0;
  std::size_t unknown = 0;
  std::size_t refused = 0;
  for (const auto& file : program.classes()) {
    const std::string name(file.name);
    rejig::base::Buffer buffer;
    const auto bytes = program.read(file, buffer);
    if (!bytes.ok()) continue;
    const auto cls = ClassView::parse(*bytes, name);
    if (!cls.ok()) {
      std::printf("unread %s: %s\n", name.c_str(),
                  cls.error().message().c_str());
      continue;
    }
    const auto found = rejig::traversal::verify::verify_class(world, *cls, {});
    if (!found.refused.empty()) {
      ++refused;
      std::printf("refused %s: %s\n", name.c_str(), found.refused.c_str());
    } else if (!found.unknown.empty()) {
      ++unknown;
      if (!quiet) {
        std::printf("unknown %s: %s as %s\n", name.c_str(),
                    found.unknown.begin()->first.c_str(),
                    found.unknown.begin()->second.c_str());
      }
    } else {
      ++good;
      if (!quiet) std::printf("ok %s\n", name.c_str());
    }
  }
  if (quiet) {
    std::printf("%zu ok, %zu unknown, %zu refused\n", good, unknown, refused);
  }
  return refused == 0 ? 0 : 1;
}
