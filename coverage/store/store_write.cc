// SPDX-License-Identifier: Apache-2.0
// The next store is written under another name in the same folder, made durable
// and renamed over the old one; writers lock the folder for as long as that
// takes. A writer that dies leaves the old store, and a file that the next
// writer overwrites.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "classfile/base/parallel.h"
#include "coverage/store/block_lists.h"
#include "coverage/store/store.h"
#include "coverage/store/store_atoms.h"
#include "coverage/store/store_block.h"
#include "coverage/store/store_layout.h"

namespace rejig::coverage {
namespace {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;
using classfile::AtomKind;

constexpr long kPollNanoseconds = 5'000'000;
constexpr std::size_t kBlocksInBatch = 64;
constexpr std::size_t kRunsInBatch = std::size_t{1} << 20;

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A link stays a link: the file that it means is replaced.
std::string real_path(const std::string& path) {
  std::error_code failed;
  if (!fs::is_symlink(path, failed)) return path;
  const auto real = fs::canonical(path, failed);
  return failed ? path : real.string();
}

class FolderLock {
 public:
  FolderLock() = default;
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }

  static base::Result<FolderLock> take(const std::string& store,
                                       unsigned wait_ms) {
    const std::string folder = folder_of(store);
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
      return Error{Errc::kIo, base::errno_text(errno), folder};
    }
    FolderLock lock;
    lock.fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock.fd_ < 0) return Error{Errc::kIo, base::errno_text(errno), folder};
    timespec start = {};
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) {
        return Error{Errc::kIo, "cannot lock: " + base::errno_text(errno),
                     folder};
      }
      timespec now = {};
      clock_gettime(CLOCK_MONOTONIC, &now);
      const auto waited = (now.tv_sec - start.tv_sec) * 1000 +
                          (now.tv_nsec - start.tv_nsec) / 1'000'000;
      if (waited >= static_cast<long>(wait_ms)) {
        return Error{Errc::kIo,
                     "another process is writing a store in this folder, "
                     "waited " +
                         std::to_string(wait_ms) + " ms",
                     store};
      }
      const timespec nap = {0, kPollNanoseconds};
      nanosleep(&nap, nullptr);
    }
    return lock;
  }

  base::Result<void> sync() const {
    if (::fsync(fd_) == 0) return {};
    return Error{Errc::kIo, base::errno_text(errno), "folder of the store"};
  }

 private:
  int fd_ = -1;
};

class StoreWriter {
 public:
  StoreWriter(BlockWriter& file, Matrix& matrix, base::ThreadPool& pool)
      : file_(file), matrix_(matrix), pool_(pool) {}

  base::Result<void> write() {
    root_.rows = matrix_.row_count();
    root_.atoms = matrix_.atom_count();
    REJIG_TRY_VOID(write_rows());
    REJIG_TRY_VOID(find_groups());
    REJIG_TRY_VOID(write_atoms());
    REJIG_TRY_VOID(write_facts());
    REJIG_TRY_VOID(write_classes());
    REJIG_TRY_VOID(write_fact_directory());
    REJIG_TRY_VOID(write_environment());
    REJIG_TRY_VOID(write_groups());
    REJIG_TRY_VOID(write_frame(BlockKind::kAtomDirectory, directory_));
    REJIG_CHECK(file_.next() == root_.root());
    std::string payload;
    root_.each_field([&](std::uint64_t& field) { put_varint(payload, field); });
    REJIG_TRY_VOID(file_.add(BlockKind::kRoot, payload));
    return {};
  }

 private:
  base::Result<void> write_frame(BlockKind kind, std::string_view raw) {
    payload_.clear();
    codec_.put_frame(payload_, raw);
    REJIG_TRY_VOID(file_.add(kind, payload_));
    return {};
  }

  base::Result<void> write_rows() {
    REJIG_TRY(const auto rows, matrix_.rows());
    std::string raw;
    for (std::size_t begin = 0; begin < rows.size(); begin += kRowsPerBlock) {
      raw.clear();
      std::string before;
      for (const auto& row :
           rows.subspan(begin, std::min(kRowsPerBlock, rows.size() - begin))) {
        std::string key(row.suite);
        key += '\0';
        key += row.test;
        put_front_coded(raw, before, key);
        raw += static_cast<char>(static_cast<unsigned>(row.grade) |
                                 static_cast<unsigned>(row.result) << 4U);
        put_varint(raw, row.ms);
        raw += static_cast<char>(row.facts.bits() >> 8U);
        raw += static_cast<char>(row.facts.bits() & 0xffU);
        before = std::move(key);
      }
      REJIG_TRY_VOID(write_frame(BlockKind::kRows, raw));
      ++root_.row_blocks;
    }
    return {};
  }

  base::Result<void> write_atoms() {
    std::optional<Error> failed;
    BlockAtoms block;
    std::vector<BlockAtoms> batch;
    std::size_t runs = 0;  // in it
    const auto flush_batch = [&] {
      if (failed) return;
      if (!block.keys.empty()) batch.push_back(std::exchange(block, {}));
      auto written = write_blocks(batch);
      if (!written.ok()) failed = std::move(written).error();
      batch.clear();
      runs = 0;
    };
    for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
      const auto kind = static_cast<AtomKind>(k);
      REJIG_TRY_VOID(matrix_.each_atom(kind, "", [&](AtomId id, auto text) {
        if (failed) return;
        std::string key(1, static_cast<char>(kind));
        key += text;
        block.keys.push_back(std::move(key));
        auto& rows = block.rows.emplace_back();
        auto found = matrix_.append_runs_with(id, rows);
        if (!found.ok()) {
          failed = std::move(found).error();
          return;
        }
        for (const RowRun& run : rows) root_.pairs += run.end - run.begin;
        runs += rows.size();
        if (block.keys.size() < kAtomsPerBlock) return;
        batch.push_back(std::exchange(block, {}));
        if (batch.size() == kBlocksInBatch || runs > kRunsInBatch) flush_batch();
      }));
      if (failed) return *std::move(failed);
    }
    flush_batch();
    if (failed) return *std::move(failed);
    return {};
  }

  // Consecutive rows of one test class: they share most of their atoms.
  base::Result<void> find_groups() {
    REJIG_TRY(const auto rows, matrix_.rows());
    auto& begin = groups_.begin;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const bool same = i != 0 && i - begin.back() < kRowsPerGroup &&
                        rows[i].suite == rows[i - 1].suite &&
                        rows[i].test_class() == rows[i - 1].test_class();
      if (!same) begin.push_back(i);
      groups_.of.push_back(static_cast<std::uint32_t>(begin.size() - 1));
    }
    root_.groups = begin.size();
    begin.push_back(static_cast<std::uint32_t>(rows.size()));
    return {};
  }

  // Each block for itself, on all threads.
  base::Result<void> write_blocks(const std::vector<BlockAtoms>& batch) {
    while (writers_.size() < pool_.workers()) {
      writers_.push_back(std::make_unique<BlockLists>(groups_));
    }
    std::vector<std::string> payloads(batch.size());
    pool_.for_each(batch.size(), [&](unsigned worker, std::size_t i) {
      payloads[i] = writers_[worker]->write(batch[i]);
    });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      put_front_coded(directory_, directory_key_, batch[i].keys[0]);
      directory_key_ = batch[i].keys[0];
      REJIG_TRY_VOID(file_.add(BlockKind::kAtoms, payloads[i]));
      ++root_.atom_blocks;
    }
    return {};
  }

  base::Result<void> write_groups() {
    std::string raw;
    for (std::size_t i = 0; i + 1 < groups_.begin.size(); ++i) {
      put_varint(raw, groups_.begin[i + 1] - groups_.begin[i]);
    }
    return write_frame(BlockKind::kGroups, raw);
  }

  base::Result<void> write_facts() {
    REJIG_TRY(fact_names_, matrix_.fact_names(""));
    for (const auto& name : fact_names_) {
      REJIG_TRY(const auto contents, matrix_.digested_facts(name));
      auto& blocks = fact_blocks_.emplace_back();
      for (const auto& [digest, bytes] : contents) {
        const auto known = fact_of_.find(digest);
        if (known != fact_of_.end()) {
          blocks.emplace_back(digest, known->second);
          continue;
        }
        const BlockId id = file_.next();
        REJIG_TRY_VOID(write_frame(BlockKind::kFact, bytes));
        fact_of_.emplace(digest, id);
        blocks.emplace_back(digest, id);
        ++root_.fact_blocks;
      }
    }
    return {};
  }

  base::Result<void> write_fact_directory() {
    std::string raw;
    std::string before;
    std::size_t in_block = 0;
    for (std::size_t i = 0; i < fact_names_.size(); ++i) {
      for (const auto& [digest, block] : fact_blocks_[i]) {
        put_front_coded(raw, before, fact_names_[i]);
        before = fact_names_[i];
        for (const std::uint64_t word : digest.words) {
          for (int shift = 56; shift >= 0; shift -= 8) {
            raw += static_cast<char>(word >> shift & 0xff);
          }
        }
        put_varint(raw, block);
        ++root_.fact_names;
        if (++in_block == kNamesPerBlock) {
          REJIG_TRY_VOID(flush(BlockKind::kFactDirectory, raw, before));
          ++root_.fact_directories;
          in_block = 0;
        }
      }
    }
    if (in_block != 0) {
      REJIG_TRY_VOID(flush(BlockKind::kFactDirectory, raw, before));
      ++root_.fact_directories;
    }
    return {};
  }

  base::Result<void> flush(BlockKind kind, std::string& raw,
                           std::string& before) {
    REJIG_TRY_VOID(write_frame(kind, raw));
    raw.clear();
    before.clear();
    return {};
  }

  base::Result<void> write_classes() {
    REJIG_TRY(const auto classes, matrix_.classes());
    root_.classes = classes.size();
    std::string raw;
    std::string before;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      put_front_coded(raw, before, classes[i].name);
      put_text(raw, classes[i].digest);
      before = classes[i].name;
      if ((i + 1) % kNamesPerBlock == 0 || i + 1 == classes.size()) {
        REJIG_TRY_VOID(flush(BlockKind::kClasses, raw, before));
        ++root_.class_blocks;
      }
    }
    return {};
  }

  base::Result<void> write_environment() {
    REJIG_TRY(const auto environment, matrix_.environment());
    root_.environment = environment.size();
    std::string raw;
    for (const auto& entry : environment) {
      put_text(raw, entry.key);
      put_text(raw, entry.value);
    }
    return write_frame(BlockKind::kEnvironment, raw);
  }

  BlockWriter& file_;
  Matrix& matrix_;
  Codec codec_;
  StoreRoot root_;
  std::string payload_;
  std::string directory_;
  std::string directory_key_;
  RowGroups groups_;
  base::ThreadPool& pool_;
  std::vector<std::unique_ptr<BlockLists>> writers_;
  std::vector<std::string> fact_names_;
  std::vector<std::vector<std::pair<base::Digest256, BlockId>>> fact_blocks_;
  std::map<base::Digest256, BlockId> fact_of_;
};

base::Result<void> write_file(const std::string& path, Matrix& matrix,
                              base::ThreadPool* pool) {
  REJIG_TRY(auto file, BlockWriter::create(path));
  base::ThreadPool one(1);
  REJIG_TRY_VOID(
      StoreWriter(*file, matrix, pool == nullptr ? one : *pool).write());
  return file->finish();
}

base::Result<void> replace(const std::string& path, Matrix& matrix,
                           const FolderLock& lock, base::ThreadPool* pool) {
  const std::string fresh = path + ".new";
  // A link or another user's leftover under that name must not be followed.
  if (::unlink(fresh.c_str()) != 0 && errno != ENOENT) {
    return Error{Errc::kIo, base::errno_text(errno), fresh};
  }
  auto written = write_file(fresh, matrix, pool);
  if (written.ok() && ::rename(fresh.c_str(), path.c_str()) != 0) {
    written = Error{Errc::kIo, base::errno_text(errno), path};
  }
  if (!written.ok()) {
    ::unlink(fresh.c_str());
    return written;
  }
  return lock.sync();
}

}  // namespace

base::Result<void> write_store(const std::string& path, Matrix& matrix,
                               const WriteOptions& options) {
  const std::string real = real_path(path);
  REJIG_TRY(const auto lock, FolderLock::take(real, options.wait_ms));
  return replace(real, matrix, lock, options.pool);
}

base::Result<void> replace_store(
    const std::string& path,
    const std::function<base::Result<MatrixBuilder>(Matrix& old)>& make,
    const WriteOptions& options) {
  const std::string real = real_path(path);
  REJIG_TRY(const auto lock, FolderLock::take(real, options.wait_ms));
  auto old = open_store(real);
  if (!old.ok() && old.error().code != Errc::kNotFound) return old.error();
  std::unique_ptr<Matrix> before =
      old.ok() ? std::move(*old) : MatrixBuilder().finish();
  REJIG_TRY(auto builder, make(*before));
  before.reset();
  const auto next = builder.finish();
  return replace(real, *next, lock, options.pool);
}

base::Result<void> update_store(
    const std::string& path,
    const std::function<base::Result<void>(MatrixBuilder&)>& change,
    const WriteOptions& options) {
  return replace_store(
      path,
      [&](Matrix& old) -> base::Result<MatrixBuilder> {
        MatrixBuilder builder;
        REJIG_TRY_VOID(builder.add(old));
        REJIG_TRY_VOID(change(builder));
        return builder;
      },
      options);
}

}  // namespace rejig::coverage
