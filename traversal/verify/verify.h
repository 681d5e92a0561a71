// SPDX-License-Identifier: Apache-2.0
// Does the JVM verify this class in this world? The type checker of JVMS §4.10.1,
// as HotSpot has it, over the methods of a class with stack map frames (versions
// from 51 on; 50 may fall back to inference, and is not asked). What it refuses
// for certain is told apart from what nobody knows: a relation to a class that is
// not in the world, which the JVM would have to load. Errs towards refusing: an
// odd shape that compilers do not write is a doubt.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "classfile/reader/class_view.h"
#include "jig/world/world.h"

namespace rejig::traversal::verify {

struct Finding {
  // "p.A.f(I)V at 7: …"; empty: nothing that would be refused.
  std::string refused;
  // Relations that nobody knows: a value of the first class is used as the second
  // (a class that is caught: as Throwable).
  std::set<std::pair<std::string, std::string>> unknown;
};

// `skips`: one for each method; 1: it is not looked at. Empty: all are.
Finding verify_class(const jig::World& world, const classfile::ClassView& cls,
                     std::span<const std::uint8_t> skips);

inline constexpr std::uint16_t kFirstVerified = 51;

}  // namespace rejig::traversal::verify
