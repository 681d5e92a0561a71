// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/coverage_store/model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "classfile/base/file.h"

namespace rejig::coverage::test {

using classfile::Atom;
using classfile::AtomKind;

void Model::add(const Model& other) {
  for (const auto& [key, row] : other.rows) {
    const auto [at, added] = rows.emplace(key, row);
    if (added) continue;
    auto& mine = at->second;
    mine.grade = std::max(mine.grade, row.grade);
    mine.result = std::max(mine.result, row.result);
    mine.ms = std::max(mine.ms, row.ms);
    mine.facts = static_cast<std::uint16_t>(mine.facts & row.facts);
    mine.atoms.insert(row.atoms.begin(), row.atoms.end());
  }
  classes.insert(other.classes.begin(), other.classes.end());
  environment.insert(other.environment.begin(), other.environment.end());
  for (const auto& [name, contents] : other.facts) {
    facts[name].insert(contents.begin(), contents.end());
  }
}

void Model::add_to(MatrixBuilder& builder) const {
  for (const auto& [key, row] : rows) {
    std::vector<Atom> atoms(row.atoms.begin(), row.atoms.end());
    builder.add_row({key.first, key.second, row.grade, row.result, row.ms,
                     Facts::from_bits(row.facts)},
                    atoms);
  }
  for (const auto& [name, digest] : classes) builder.add_class(name, digest);
  for (const auto& [k, v] : environment) builder.add_environment(k, v);
  for (const auto& [name, contents] : facts) {
    for (const auto& bytes : contents) builder.add_facts(name, bytes);
  }
}

std::set<Model::Key> Model::having(const Atom& atom) const {
  std::set<Key> out;
  for (const auto& [key, row] : rows) {
    const auto test_class = key.second.substr(0, key.second.find('#'));
    if (row.atoms.contains(atom) ||
        (atom.kind == AtomKind::kTest && key.second == atom.text) ||
        (atom.kind == AtomKind::kTestClass && test_class == atom.text)) {
      out.insert(key);
    }
  }
  return out;
}

Model random_model(std::mt19937_64& random, const Shape& shape) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto name = [&] {
    return "p" + std::to_string(below(3)) + ".C" +
           std::to_string(below(shape.names));
  };
  Model out;
  const auto rows = below(shape.rows + 1);
  for (std::uint64_t i = 0; i < rows; ++i) {
    auto& row = out.rows[{below(2) == 0 ? "default" : "core/target/classes",
                          name() + "Test#t" + std::to_string(below(4)) + "()"}];
    row.grade = static_cast<Grade>(below(kGrades));
    row.result = static_cast<Outcome>(below(kOutcomes));
    row.ms = below(1 << below(20));
    // The key of a row says test: and testclass:.
    row.facts = Facts::from_bits(static_cast<std::uint16_t>(random()))
                    .with(AtomKind::kTest)
                    .with(AtomKind::kTestClass)
                    .bits();
    const auto atoms = below(shape.atoms_a_row + 1);
    for (std::uint64_t a = 0; a < atoms; ++a) {
      const auto kind = static_cast<AtomKind>(below(classfile::kAtomKinds));
      row.atoms.insert(
          {kind, kind == AtomKind::kStackApi
                     ? ""
                     : name() + (kind == AtomKind::kMethod ? ".x()V" : "")});
    }
  }
  for (auto n = below(6); n > 0; --n) {
    out.classes.emplace(name(), std::to_string(below(3)));
    out.environment.emplace("k" + std::to_string(below(3)), name());
    auto& contents = out.facts["class/" + name()];
    contents.insert(std::string(below(300), static_cast<char>(below(256))));
  }
  return out;
}

Model model_of(Matrix& matrix) {
  Model out;
  auto rows = matrix.rows();
  EXPECT_TRUE(rows.ok()) << rows.error().message();
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const Row& row = (*rows)[i];
    auto& to = out.rows[{std::string(row.suite), std::string(row.test)}];
    to.grade = row.grade;
    to.result = row.result;
    to.ms = row.ms;
    to.facts = row.facts.bits();
    auto atoms = matrix.atoms_of(RowId::of(i));
    EXPECT_TRUE(atoms.ok()) << atoms.error().message();
    EXPECT_TRUE(std::is_sorted(atoms->begin(), atoms->end()));
    for (const AtomId id : *atoms) to.atoms.insert(matrix.atom(id).value());
  }
  const auto classes = matrix.classes();
  EXPECT_TRUE(classes.ok()) << classes.error().message();
  for (const auto& c : classes.value()) out.classes.emplace(c.name, c.digest);
  const auto environment = matrix.environment();
  EXPECT_TRUE(environment.ok()) << environment.error().message();
  for (const auto& e : environment.value()) {
    out.environment.emplace(e.key, e.value);
  }
  const auto names = matrix.fact_names("");
  EXPECT_TRUE(names.ok()) << names.error().message();
  for (const auto& name : names.value()) {
    const auto contents = matrix.facts(name);
    EXPECT_TRUE(contents.ok()) << contents.error().message();
    out.facts[name].insert(contents.value().begin(), contents.value().end());
  }
  return out;
}

void expect_same_answers(Matrix& matrix, const Model& model,
                         std::mt19937_64& random) {
  ASSERT_EQ(matrix.row_count(), model.rows.size());
  std::set<Atom> questions;
  std::set<Atom> all;
  std::uint64_t pairs = 0;
  for (const auto& [key, row] : model.rows) {
    all.insert(row.atoms.begin(), row.atoms.end());
    pairs += row.atoms.size();
    questions.insert({AtomKind::kTest, key.second});
    questions.insert(
        {AtomKind::kTestClass, key.second.substr(0, key.second.find('#'))});
  }
  EXPECT_EQ(matrix.atom_count(), all.size());
  EXPECT_EQ(matrix.pair_count(), pairs);
  EXPECT_EQ(matrix.has_digests(), !model.classes.empty());
  questions.insert(all.begin(), all.end());
  for (const auto& [key, row] : random_model(random).rows) {
    questions.insert(row.atoms.begin(), row.atoms.end());
  }
  const auto rows = matrix.rows().value();
  for (const auto& question : questions) {
    auto answer = matrix.rows_with(question);
    ASSERT_TRUE(answer.ok()) << answer.error().message();
    std::set<Model::Key> got;
    answer->each([&](RowId row) {
      got.emplace(rows[row.index()].suite, rows[row.index()].test);
    });
    EXPECT_EQ(got, model.having(question)) << classfile::to_string(question);
    EXPECT_EQ(answer->count(), got.size());
  }
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    for (const std::string prefix : {"", "p1.", "p1.C1", "zz"}) {
      std::vector<Atom> got;
      ASSERT_TRUE(
          matrix
              .each_atom(kind, prefix,
                         [&](AtomId id, std::string_view text) {
                           got.push_back({kind, std::string(text)});
                           EXPECT_EQ(matrix.find_atom(got.back()).value(), id);
                         })
              .ok());
      std::vector<Atom> expected;
      for (const auto& atom : all) {
        if (atom.kind == kind && atom.text.starts_with(prefix)) {
          expected.push_back(atom);
        }
      }
      EXPECT_EQ(got, expected);
    }
    auto recording = matrix.rows_recording(kind);
    ASSERT_TRUE(recording.ok());
    std::size_t i = 0;
    for (const auto& [key, row] : model.rows) {
      EXPECT_EQ(recording->contains(RowId::of(i)), (row.facts >> k & 1) != 0);
      EXPECT_EQ(matrix.find_row(key.first, key.second).value(), RowId::of(i));
      ++i;
    }
  }
  EXPECT_FALSE(matrix.find_row("default", "no.such#test()").value().valid());
}

Folder::Folder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "rejig-store-XXXXXX").string();
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  path_ = name;
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string bytes_of(const std::string& path) {
  auto bytes = base::read_file(path);
  EXPECT_TRUE(bytes.ok()) << bytes.error().message();
  return bytes.ok() ? *bytes : std::string();
}

}  // namespace rejig::coverage::test
