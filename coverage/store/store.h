// SPDX-License-Identifier: Apache-2.0
// How does a matrix rest on disk? As one SQLite file (FORMAT.md) that is never
// changed in place: a writer builds the next one beside it and renames it, so a
// reader sees the old file or the new one, and the bytes depend on the content
// only. Writers of one folder wait for each other.
// A file that is truncated, foreign, of another format or damaged is an Error
// that says which; nothing is repaired. A missing store is kNotFound.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "classfile/base/result.h"
#include "coverage/store/matrix.h"
#include "coverage/store/matrix_builder.h"

namespace rejig::base {
class ThreadPool;
}

namespace rejig::coverage {

inline constexpr const char* kDefaultStore = ".rejig/matrix.db";

// Opens for reading; costs a few milliseconds whatever the size.
base::Result<std::unique_ptr<Matrix>> open_store(const std::string& path);

struct WriteOptions {
  unsigned wait_ms = 60'000;  // for another writer
  base::ThreadPool* pool = nullptr;  // who works; null: the caller alone
};

// Replaces the store by this matrix. Creates the folder of the store if its
// parent exists.
base::Result<void> write_store(const std::string& path, Matrix& matrix,
                               const WriteOptions& options = {});

// Reads the store (an absent one is empty), lets `change` add to it and
// replaces it, all under the writers' lock: additions of two processes are both
// kept.
base::Result<void> update_store(
    const std::string& path,
    const std::function<base::Result<void>(MatrixBuilder&)>& change,
    const WriteOptions& options = {});

// The same, but what is kept of the old store (an absent one is empty) is chosen
// by `make`, and only that is read.
base::Result<void> replace_store(
    const std::string& path,
    const std::function<base::Result<MatrixBuilder>(Matrix& old)>& make,
    const WriteOptions& options = {});

// Reads every byte of the store and checks all of it.
base::Result<void> verify_store(const std::string& path);

}  // namespace rejig::coverage
