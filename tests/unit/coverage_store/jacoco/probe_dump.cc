// SPDX-License-Identifier: Apache-2.0
// The same as ProbeDump.java, with rejig's own numbering. Classes with
// subroutines, which JaCoCo rewrites first, are named on standard error.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "classfile/program/program.h"
#include "classfile/words/entity.h"
#include "coverage/import/import_classes.h"

using namespace rejig;

int main(int argc, char** argv) {
  std::vector<std::string> all;
  for (int i = 1; i < argc; ++i) {
    base::Diagnostics diagnostics;
    classfile::ProgramOptions options;
    options.release = 8;  // no versioned entries
    options.follow_class_path = false;
    auto program = classfile::Program::load({argv[i]}, options, diagnostics);
    if (!program.ok()) {
      std::fprintf(stderr, "%s\n", program.error().message().c_str());
      return 2;
    }
    base::Buffer buffer;
    for (const auto& file : program->classes()) {
      const auto bytes = program->read(file, buffer);
      if (!bytes.ok()) return 2;
      const auto cls =
          classfile::ClassView::parse(*bytes, program->where(file));
      if (!cls.ok()) return 2;
      const auto probes = coverage::jacoco_probes(*cls);
      if (!probes) {
        std::fprintf(stderr, "subroutines %s\n",
                     std::string(cls->name()).c_str());
        continue;
      }
      char id[24];
      std::snprintf(
          id, sizeof id, "%llx",
          static_cast<unsigned long long>(coverage::jacoco_class_id(*bytes)));
      std::string text = std::string(cls->name()) + " " + id + "\n";
      const auto prefix = classfile::dotted(cls->name()).size() + 1;
      for (const auto& method : *probes) {
        if (method.end == method.first) continue;
        text += "  " + method.entity.substr(prefix) + " " +
                std::to_string(method.first) + " " +
                std::to_string(method.end) + "\n";
      }
      all.push_back(std::move(text));
    }
  }
  std::sort(all.begin(), all.end());
  for (const auto& text : all) std::fputs(text.c_str(), stdout);
  return 0;
}
