// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/instructions.h"

namespace rejig::agent {
namespace {

constexpr unsigned kTableswitch = 0xaa, kLookupswitch = 0xab;
constexpr unsigned kWide = 0xc4, kIinc = 0x84;

// Length of the instruction with this opcode; 0: switches, wide, unknown.
unsigned length_of(unsigned op) {
  if (op <= 0x0f) return 1;
  if (op == 0x10 || op == 0x12) return 2;
  if (op == 0x11 || op == 0x13 || op == 0x14) return 3;
  if (op <= 0x19) return 2;
  if (op <= 0x35) return 1;
  if (op <= 0x3a) return 2;
  if (op <= 0x83) return 1;
  if (op == kIinc) return 3;
  if (op <= 0x98) return 1;
  if (op <= 0xa8) return 3;
  if (op == 0xa9) return 2;
  if (op <= kLookupswitch) return 0;
  if (op <= 0xb1) return 1;
  if (op <= 0xb8) return 3;
  if (op <= 0xba) return 5;
  if (op == 0xbb) return 3;
  if (op == 0xbc) return 2;
  if (op == 0xbd) return 3;
  if (op <= 0xbf) return 1;
  if (op <= 0xc1) return 3;
  if (op <= 0xc3) return 1;
  if (op == kWide) return 0;
  if (op == 0xc5) return 4;
  if (op <= 0xc7) return 3;
  if (op <= 0xc9) return 5;
  return 0;
}

}  // namespace

bool skip_operands(unsigned op, std::size_t pc, ByteReader& in) {
  switch (op) {
    case kWide:
      in.skip(in.u1() == kIinc ? 4 : 2);
      break;
    case kTableswitch: {
      in.skip(3 - pc % 4 + 4);
      const std::int64_t low = in.s4();
      const std::int64_t high = in.s4();
      if (high < low) return false;
      in.skip(static_cast<std::size_t>(4 * (high - low + 1)));
      break;
    }
    case kLookupswitch:
      in.skip(3 - pc % 4 + 4);
      in.skip(std::size_t{8} * in.u4());
      break;
    default: {
      const unsigned n = length_of(op);
      if (n == 0) return false;
      in.skip(n - 1);
    }
  }
  return !in.failed();
}

}  // namespace rejig::agent
