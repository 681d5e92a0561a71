// SPDX-License-Identifier: Apache-2.0
// make_store FILE < lines: a store with hand-written rows, for tests.
//   row SUITE TEST GRADE RESULT FACTS ATOM...   (FACTS: all, or prefixes m,inst)
//   class NAME DIGEST
// Fields are separated by tabs.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "coverage/store/matrix_builder.h"
#include "coverage/store/store.h"

using namespace rejig;

namespace {

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> out;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, separator);) {
    out.push_back(part);
  }
  return out;
}

int fail(const std::string& text) {
  std::cerr << "make_store: " << text << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fail("usage: make_store FILE < lines");
  coverage::MatrixBuilder builder;
  for (std::string line; std::getline(std::cin, line);) {
    const auto fields = split(line, '\t');
    if (fields.empty()) continue;
    if (fields[0] == "class" && fields.size() == 3) {
      builder.add_class(fields[1], fields[2]);
      continue;
    }
    if (fields[0] != "row" || fields.size() < 6) return fail(line);
    coverage::Row row;
    row.suite = fields[1];
    row.test = fields[2];
    const auto grade = coverage::grade_of(fields[3]);
    const auto result = coverage::outcome_of(fields[4]);
    if (!grade || !result) return fail(line);
    row.grade = *grade;
    row.result = *result;
    if (fields[5] == "all") {
      row.facts = coverage::Facts::all();
    } else {
      for (const auto& prefix : split(fields[5], ',')) {
        const auto kind = classfile::atom_kind(prefix);
        if (!kind) return fail(prefix);
        row.facts = row.facts.with(*kind);
      }
    }
    std::vector<classfile::Atom> atoms;
    for (std::size_t i = 6; i < fields.size(); ++i) {
      const auto atom = classfile::parse_atom(fields[i]);
      if (!atom) return fail(fields[i]);
      atoms.push_back(*atom);
    }
    builder.add_row(row, std::span<const classfile::Atom>(atoms));
  }
  const auto matrix = builder.finish();
  const auto written = coverage::write_store(argv[1], *matrix);
  return written.ok() ? 0 : fail(written.error().message());
}
