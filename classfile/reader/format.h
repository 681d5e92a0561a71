// SPDX-License-Identifier: Apache-2.0
// How does the reader say what is ill-formed? Private to classfile/: one
// function that makes the Error with place and offset, and the versions at
// which the format changed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "classfile/base/result.h"

namespace rejig::classfile {

inline constexpr std::uint16_t kJava1_4 = 48;
inline constexpr std::uint16_t kJava5 = 49;
inline constexpr std::uint16_t kJava6 = 50;
inline constexpr std::uint16_t kJava7 = 51;
inline constexpr std::uint16_t kJava8 = 52;
inline constexpr std::uint16_t kJava9 = 53;
inline constexpr std::uint16_t kJava11 = 55;
inline constexpr std::uint16_t kJava12 = 56;
inline constexpr std::uint16_t kJava16 = 60;
inline constexpr std::uint16_t kJava17 = 61;
inline constexpr std::uint16_t kFirstMajor = 45;
inline constexpr std::uint16_t kLastKnownMajor = 69;  // Java 25
inline constexpr std::uint16_t kLastMajorRead = kLastKnownMajor + 1;

// "app.jar!/a/B.class @0x1f3"
std::string place(const std::string& where, std::size_t offset);

[[gnu::cold]] base::Error malformed(const std::string& where,
                                    std::size_t offset, std::string what);

// "0x0601"
std::string hex4(std::uint16_t value);

}  // namespace rejig::classfile
