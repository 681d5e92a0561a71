// SPDX-License-Identifier: Apache-2.0
// What should a matrix say? The same as a naive model: sets of strings in maps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage::test {

struct ModelRow {
  Grade grade = Grade::kComplete;
  Outcome result = Outcome::kPass;
  std::uint64_t ms = 0;
  std::uint16_t facts = 0;
  std::set<classfile::Atom> atoms;

  friend bool operator==(const ModelRow&, const ModelRow&) = default;
};

struct Model {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, ModelRow> rows;
  std::set<std::pair<std::string, std::string>> classes;
  std::set<std::pair<std::string, std::string>> environment;
  std::map<std::string, std::set<std::string>> facts;

  friend bool operator==(const Model&, const Model&) = default;

  void add(const Model& other);
  void add_to(MatrixBuilder& builder) const;
  std::set<Key> having(const classfile::Atom& atom) const;
};

struct Shape {
  unsigned rows = 20;
  unsigned atoms_a_row = 12;
  unsigned names = 60;
};
Model random_model(std::mt19937_64& random, const Shape& shape = {});

// Everything that the matrix says, asked row by row.
Model model_of(Matrix& matrix);
// Asks by atom, compares with the model; also atoms that nobody has.
void expect_same_answers(Matrix& matrix, const Model& model,
                         std::mt19937_64& random);

// A folder that is removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string bytes_of(const std::string& path);

}  // namespace rejig::coverage::test
