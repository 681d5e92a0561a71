// SPDX-License-Identifier: Apache-2.0
// What does a rule mean, and who meets its edges? The table classfile/words/rules.def
// as a page, a Markdown table and a manual page.
#pragma once

#include <string>
#include <vector>

#include "classfile/words/delta.h"

namespace rejig::app {

// What a test's row must have: "refl:C  loaded C and used a reflective API".
std::vector<std::string> atoms_meant(const classfile::RuleRow& row);

std::string rule_page(const classfile::RuleRow& row);
std::string rule_json(const classfile::RuleRow& row);
// All rules.
std::string rules_text();
std::string rules_json();
std::string rules_markdown();

}  // namespace rejig::app
