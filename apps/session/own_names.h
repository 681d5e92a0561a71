// SPDX-License-Identifier: Apache-2.0
// Which classes are these files, when no class loader would find them where they
// lie? A lone class file, and each class of a folder in which none lies where its
// name says, is the class that it says it is: for people who compare files. What a
// JVM runs is never asked here.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "classfile/program/program.h"

namespace rejig::app {

// nullopt: every class lies where it belongs. Else a program of the same files,
// which borrows `program` and `names`.
std::optional<classfile::Program> named_as_they_say(
    const classfile::Program& program, std::deque<std::string>& names);

}  // namespace rejig::app
