// SPDX-License-Identifier: Apache-2.0
// FrontInflater as every other processor has it: the same source once more
// under another name, and nobody tells it what it is compiled for.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "classfile/base/byte_reader.h"
#include "tests/support/front_rule.h"

#undef __x86_64__
#define FrontInflater PortableFrontInflater
#include "classfile/archive/front_inflater.cc"

namespace rejig::test {

std::unique_ptr<AnyFront> portable_front() {
  return std::make_unique<FrontOf<classfile::PortableFrontInflater>>();
}

}  // namespace rejig::test
