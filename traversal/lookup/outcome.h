// SPDX-License-Identifier: Apache-2.0
// What does one symbolic reference come to in one world? A resolution node of
// the graph: the member or class it denotes, or the error, or the class that is
// not in the world. Two outcomes are compared as text under the renaming.
#pragma once

#include <string>

#include "classfile/reader/code.h"
#include "jig/lookup/resolve.h"

namespace rejig::traversal {

struct Outcome {
  std::string text;      // canonical: equal text, equal behaviour
  bool error = false;    // a LinkageError
  bool unknown = false;  // ends in a class that is not in the world
  const jig::ClassNode* holder = nullptr;
  const jig::MethodShell* method = nullptr;
  const jig::FieldShell* field = nullptr;
};

Outcome field_outcome(const jig::World& world, jig::Name caller,
                      bool caller_initializes, classfile::Opcode op,
                      const classfile::MemberRef& ref);

// For invokevirtual and invokeinterface the receiver decides what runs; only
// what every receiver has in common is in the text.
Outcome call_outcome(const jig::World& world, jig::Name caller,
                     classfile::Opcode op, const classfile::MemberRef& ref);

// `instantiates`: the use is `new`.
Outcome class_outcome(const jig::World& world, jig::Name caller,
                      jig::Name class_or_array, bool instantiates);

}  // namespace rejig::traversal
