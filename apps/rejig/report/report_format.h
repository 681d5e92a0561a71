// SPDX-License-Identifier: Apache-2.0
// How do names from class files get into JSON, lines and Graphviz without
// breaking them? Names are data: raw modified UTF-8, any character. Nothing
// that is written here can end a line, a string or a terminal's mood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rejig::app {

// With quotes. Surrogate pairs of modified UTF-8 and bytes that are no UTF-8
// become \u escapes.
std::string json_string(std::string_view text);
void add_json_string(std::string& out, std::string_view text);
std::string json_list(const std::vector<std::string>& texts);

// One line that drives no terminal and no CI runner: controls (C0, C1, of
// direction) and what is no UTF-8 as \xNN or \uNNNN, the beginning of a workflow
// command (`::` first, `##[` anywhere) too.
std::string one_line(std::string_view text);

// In an HTML element or attribute.
std::string html_text(std::string_view text);

// A Graphviz string, with quotes.
std::string dot_string(std::string_view text);

// A workflow command's message and property (GitHub).
std::string github_message(std::string_view text);
std::string github_property(std::string_view text);

}  // namespace rejig::app
