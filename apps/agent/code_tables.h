// SPDX-License-Identifier: Apache-2.0
// How do the tables of a Code attribute read when the code behind them has
// moved by some bytes? Each function copies one attribute's body with its
// offsets moved, or returns false when it does not understand it.
#pragma once

#include "apps/agent/memory.h"

namespace rejig::agent {

bool move_line_numbers(ByteReader in, unsigned by, Buffer& out);
bool move_local_variables(ByteReader in, unsigned by, Buffer& out);
bool move_frames(ByteReader in, unsigned by, Buffer& out);
bool move_type_annotations(ByteReader in, unsigned by, Buffer& out);

}  // namespace rejig::agent
