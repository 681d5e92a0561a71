// SPDX-License-Identifier: Apache-2.0
// A world out of shells that a test writes down.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "classfile/program/program.h"
#include "jig/world/world.h"

namespace rejig::jig {

struct ShellSpec {
  std::string name;
  std::string super;
  std::vector<std::string> interfaces;
  std::uint16_t access = 0;
  std::vector<std::pair<std::string, std::uint16_t>> methods;  // "m()V"
};

class WorldOf {
 public:
  explicit WorldOf(const std::vector<ShellSpec>& specs,
                   std::uint16_t major = 61)
      : world(names, nothing_, {}) {
    for (const auto& spec : specs) {
      ClassShell shell;
      shell.name = names.intern(spec.name);
      shell.super = names.intern(spec.super);
      shell.access = spec.access;
      shell.major = major;
      for (const auto& itf : spec.interfaces) {
        shell.interfaces.push_back(names.intern(itf));
      }
      for (const auto& [text, access] : spec.methods) {
        const auto open = text.find('(');
        MethodShell method;
        method.name = names.intern(text.substr(0, open));
        method.descriptor = names.intern(text.substr(open));
        method.access = access;
        shell.methods.push_back(method);
      }
      shell.index();
      world.adopt(std::move(shell));
      classes.push_back(names.intern(spec.name));
    }
    std::sort(classes.begin(), classes.end());
  }

 private:
  classfile::Program nothing_;

 public:
  Names names;
  World world;
  std::vector<Name> classes;
};

}  // namespace rejig::jig
