// SPDX-License-Identifier: Apache-2.0
// Which number has an atom in the matrix that is made? Atoms of one row file
// have codes that follow from the numbers of its methods and classes; their
// text is made when the first row has them. Any thread may ask.
// File, classes and builder must outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classfile/words/entity.h"
#include "coverage/row/row_file.h"
#include "coverage/row/row_file_classes.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::coverage {

// A builder that several threads add to.
class SharedBuilder {
 public:
  using LocalAtom = MatrixBuilder::LocalAtom;
  using SetId = MatrixBuilder::SetId;

  explicit SharedBuilder(MatrixBuilder& builder) : builder_(builder) {}

  LocalAtom intern(classfile::AtomKind kind, std::string_view text) {
    const std::scoped_lock lock(mutex_);
    return builder_.intern(kind, text);
  }
  SetId add_set(std::vector<LocalAtom> atoms,
                SetId parent = MatrixBuilder::kNoSet) {
    const std::scoped_lock lock(mutex_);
    return builder_.add_set(std::move(atoms), parent);
  }
  void add_row(const Row& row, std::span<const SetId> sets,
               std::vector<LocalAtom> atoms) {
    const std::scoped_lock lock(mutex_);
    builder_.add_row(row, sets, std::move(atoms));
  }
  void add_class(std::string_view name, std::string_view digest) {
    const std::scoped_lock lock(mutex_);
    builder_.add_class(name, digest);
  }

 private:
  std::mutex mutex_;
  MatrixBuilder& builder_;
};

class AtomCodes {
 public:
  using AtomKind = classfile::AtomKind;
  using Id = RecordedClasses::Id;
  using Code = std::uint32_t;
  using LocalAtom = MatrixBuilder::LocalAtom;
  // Of a class, when native code is asked for its kind: no AtomKind.
  static constexpr std::size_t kAskedKind = classfile::kAtomKinds;

  AtomCodes(const RowFile& file, const RecordedClasses& classes,
            SharedBuilder& builder);

  Code of_method(std::uint32_t method) const { return method; }
  Code of_class(AtomKind kind, Id id) const {
    return of_class(static_cast<std::size_t>(kind), id);
  }
  Code of_asked_kind(Id id) const { return of_class(kAskedKind, id); }
  // One thread at a time.
  Code of_text(AtomKind kind, std::string_view text) {
    texts_.push_back(builder_.intern(kind, text));
    return static_cast<Code>(known_.size() + texts_.size() - 1);
  }

  LocalAtom operator[](Code code) {
    if (code >= known_.size()) return texts_[code - known_.size()];
    const LocalAtom known = known_[code].load(std::memory_order_relaxed);
    return known != 0 ? known - 1 : make(code);
  }
  LocalAtom intern(AtomKind kind, std::string_view text) {
    return builder_.intern(kind, text);
  }
  // In that method a state of the class was met, and left changed.
  LocalAtom left(Id id, std::uint32_t method);
  std::string method_text(std::uint32_t method) const;

 private:
  Code of_class(std::size_t kind, Id id) const {
    return static_cast<Code>(file_.methods.size() + kind * classes_.size() +
                             id);
  }
  LocalAtom make(Code code);

  const RowFile& file_;
  const RecordedClasses& classes_;
  SharedBuilder& builder_;
  std::vector<std::atomic<LocalAtom>> known_;  // number + 1
  std::vector<LocalAtom> texts_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, LocalAtom> left_;
};

}  // namespace rejig::coverage
