// SPDX-License-Identifier: Apache-2.0
// What is the Java Interclass Graph of this world? Reads every internal class
// once, in the order of names. A class that cannot be read is an unknown node
// that external code may enter, and a finding.
#pragma once

#include "classfile/base/diagnostics.h"
#include "classfile/base/parallel.h"
#include "jig/graph/graph.h"
#include "jig/world/world.h"

namespace rejig::jig {

Jig build_graph(const World& world, base::ThreadPool& pool,
                base::Diagnostics& diagnostics);

}  // namespace rejig::jig
