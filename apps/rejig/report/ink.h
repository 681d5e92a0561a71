// SPDX-License-Identifier: Apache-2.0
// Words on lines of a given width, in colour or not. What comes in may be from an
// archive; what comes out drives no terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rejig::app {

enum class Ink : std::uint8_t { kPlain, kBold, kDim, kRed, kGreen, kYellow };

// Escaped, in that colour.
std::string inked(std::string_view text, Ink ink, bool color);

// Columns that a text takes: its characters.
std::size_t columns_of(std::string_view text);
// At most so many, with "…" where something is left out.
std::string cut(const std::string& text, std::size_t columns);

using InkedWords = std::vector<std::pair<std::string, Ink>>;
// The words of these sentences, told apart by ';': what begins with "+ " is
// green, with "− " red, the rest as said.
void add_words(const std::vector<std::string>& sentences, InkedWords& words,
               Ink ink = Ink::kPlain);
// Wraps at blanks; the first line stands at `indent`, the others at `hanging`.
void wrap_words(const InkedWords& words, std::size_t indent,
                std::size_t hanging, std::size_t width, bool color,
                std::vector<std::string>& lines);

// "  title            place  E12" on one line.
std::string titled_line(const std::string& title, const std::string& place,
                        const std::string& id, std::size_t width, bool color);

}  // namespace rejig::app
