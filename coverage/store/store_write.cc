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

// Low bits first; finish() fills the last byte up with zeros.
class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}
  void put(std::uint64_t bits, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      byte_ |= static_cast<unsigned>(bits >> i & 1) << used_;
      if (++used_ == 8) finish();
    }
  }
  void finish() {
    if (used_ != 0) out_ += static_cast<char>(byte_);
    byte_ = 0;
    used_ = 0;
  }

 private:
  std::string& out_;
  unsigned byte_ = 0;
  unsigned used_ = 0;
};

class StoreWriter {
 public:
  StoreWriter(BlockWriter& file, Matrix& matrix)
      : file_(file), matrix_(matrix) {}

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
    std::vector<std::string> keys;
    std::optional<Error> failed;
    place_.resize(root_.rows);
    for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
      const auto kind = static_cast<AtomKind>(k);
      REJIG_TRY_VOID(matrix_.each_atom(kind, "", [&](AtomId id, auto text) {
        if (failed) return;
        std::string key(1, static_cast<char>(kind));
        key += text;
        keys.push_back(std::move(key));
        if (keys.size() < kAtomsPerBlock) return;
        auto written = write_atom_block(keys, id.index() + 1 - keys.size());
        if (!written.ok()) failed = std::move(written).error();
      }));
      if (failed) return *std::move(failed);
    }
    if (!keys.empty()) return write_atom_block(keys, root_.atoms - keys.size());
    return {};
  }

  // Consecutive rows of one test class: they share most of their atoms.
  base::Result<void> find_groups() {
    REJIG_TRY(const auto rows, matrix_.rows());
    group_of_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool same = i != 0 && i - group_begin_.back() < kRowsPerGroup &&
                        rows[i].suite == rows[i - 1].suite &&
                        rows[i].test_class() == rows[i - 1].test_class();
      if (!same) group_begin_.push_back(i);
      group_of_[i] = group_begin_.size() - 1;
    }
    root_.groups = group_begin_.size();
    return {};
  }

  base::Result<void> write_atom_block(std::vector<std::string>& keys,
                                      std::size_t first) {
    std::string names;
    std::vector<RowId> rows;
    lists_.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      put_front_coded(names, i == 0 ? std::string_view() : keys[i - 1],
                      keys[i]);
      auto& list = lists_[i];
      list.clear();
      REJIG_TRY_VOID(matrix_.append_rows_with(AtomId::of(first + i), list));
      root_.pairs += list.size();
      rows.insert(rows.end(), list.begin(), list.end());
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    put_front_coded(directory_, directory_key_, keys[0]);
    directory_key_ = keys[0];
    keys.clear();
    payload_.clear();
    codec_.put_frame(payload_, names);
    put_lists(rows);
    REJIG_TRY_VOID(file_.add(BlockKind::kAtoms, payload_));
    ++root_.atom_blocks;
    return {};
  }

  static std::string runs_of(const std::vector<RowId>& rows) {
    std::string out;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t end = i + 1;
      while (end < rows.size() && rows[end].raw() == rows[end - 1].raw() + 1) {
        ++end;
      }
      put_varint(out, rows[i].raw() - next);
      put_varint(out, end - i);
      next = std::uint64_t{rows[end - 1].raw()} + 1;
      i = end;
    }
    return out;
  }

  // Takes the rows out that are alone in their group, with one atom of the
  // block: a place and a bit string for each of them would be mostly zeroes.
  std::vector<LoneRow> take_lone(std::vector<RowId>& rows) {
    std::vector<std::size_t> pairs;  // of each group of the block
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = rows[i].index();
      if (i == 0 || group_of_[row] != group_of_[rows[i - 1].index()]) {
        pairs.push_back(0);
      }
      place_[row] = {pairs.size() - 1, 0};
    }
    for (const auto& list : lists_) {
      for (const RowId row : list) ++pairs[place_[row.index()].group];
    }
    const auto is_lone = [&](RowId row) {
      return pairs[place_[row.index()].group] == 1;
    };
    std::vector<LoneRow> out;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (const RowId row : lists_[i]) {
        if (is_lone(row)) out.push_back({row, static_cast<std::uint8_t>(i)});
      }
      std::erase_if(lists_[i], is_lone);
    }
    std::erase_if(rows, is_lone);
    std::sort(
        out.begin(), out.end(),
        [](const LoneRow& a, const LoneRow& b) { return a.row < b.row; });
    return out;
  }

  void put_lone(const std::vector<LoneRow>& lone) {
    std::string gaps;
    std::string places;
    BitWriter out(places);
    std::uint64_t next = 0;
    for (const LoneRow& one : lone) {
      put_varint(gaps, one.row.raw() - next);
      next = std::uint64_t{one.row.raw()} + 1;
      out.put(one.place, kAtomBits);
    }
    out.finish();
    codec_.put_frame(payload_, gaps);
    put_text(payload_, places);
  }

  // Which groups of the block's rows each atom is in, and which rows of those.
  void put_lists(std::vector<RowId>& rows) {
    const auto lone = take_lone(rows);
    std::vector<std::size_t> widths;  // rows of the block in each of its groups
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = rows[i].index();
      if (i == 0 || group_of_[row] != group_of_[rows[i - 1].index()]) {
        widths.push_back(0);
      }
      place_[row] = {widths.size() - 1, widths.back()++};
    }
    const std::size_t stride = (widths.size() + 7) / 8;
    std::string bits(stride * lists_.size(), '\0');
    std::string sizes;
    std::string masks;
    std::string frames;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const auto& list = lists_[i];
      BitWriter out(masks);
      const std::size_t begin = masks.size();
      for (std::size_t at = 0; at < list.size();) {
        const std::size_t group = place_[list[at].index()].group;
        char& byte = bits[i * stride + group / 8];
        byte = static_cast<char>(byte | 1 << group % 8);
        std::uint64_t mask = 0;
        for (; at < list.size() && place_[list[at].index()].group == group;
             ++at) {
          mask |= std::uint64_t{1} << place_[list[at].index()].member;
        }
        if (widths[group] > 1) out.put(mask, widths[group]);
      }
      out.finish();
      put_varint(sizes, masks.size() - begin);
      if (masks.size() >= kMaskFrame || i + 1 == lists_.size()) {
        codec_.put_frame(frames, masks);
        masks.clear();
      }
    }
    payload_ += sizes;
    codec_.put_frame(payload_, runs_of(rows));
    put_lone(lone);
    codec_.put_frame(payload_, bits);
    payload_ += frames;
  }

  base::Result<void> write_groups() {
    std::string raw;
    for (std::size_t i = 0; i < group_begin_.size(); ++i) {
      const std::size_t end =
          i + 1 < group_begin_.size() ? group_begin_[i + 1] : root_.rows;
      put_varint(raw, end - group_begin_[i]);
    }
    return write_frame(BlockKind::kGroups, raw);
  }

  base::Result<void> write_facts() {
    REJIG_TRY(fact_names_, matrix_.fact_names(""));
    for (const auto& name : fact_names_) {
      REJIG_TRY(const auto contents, matrix_.facts(name));
      auto& blocks = fact_blocks_.emplace_back();
      for (const auto& bytes : contents) {
        const auto digest = base::digest256(bytes);
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

  struct Place {
    std::size_t group = 0;   // among the block's
    std::size_t member = 0;  // among the group's rows in the block
  };

  BlockWriter& file_;
  Matrix& matrix_;
  Codec codec_;
  StoreRoot root_;
  std::string payload_;
  std::string directory_;
  std::string directory_key_;
  std::vector<std::vector<RowId>> lists_;
  std::vector<std::size_t> group_of_;     // each row
  std::vector<std::size_t> group_begin_;  // first row
  std::vector<Place> place_;              // of each row of the block
  std::vector<std::string> fact_names_;
  std::vector<std::vector<std::pair<base::Digest256, BlockId>>> fact_blocks_;
  std::map<base::Digest256, BlockId> fact_of_;
};

base::Result<void> write_file(const std::string& path, Matrix& matrix) {
  REJIG_TRY(auto file, BlockWriter::create(path));
  REJIG_TRY_VOID(StoreWriter(*file, matrix).write());
  return file->finish();
}

base::Result<void> replace(const std::string& path, Matrix& matrix,
                           const FolderLock& lock) {
  const std::string fresh = path + ".new";
  // A link or another user's leftover under that name must not be followed.
  if (::unlink(fresh.c_str()) != 0 && errno != ENOENT) {
    return Error{Errc::kIo, base::errno_text(errno), fresh};
  }
  auto written = write_file(fresh, matrix);
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
  return replace(real, matrix, lock);
}

base::Result<void> update_store(
    const std::string& path,
    const std::function<base::Result<void>(MatrixBuilder&)>& change,
    const WriteOptions& options) {
  const std::string real = real_path(path);
  REJIG_TRY(const auto lock, FolderLock::take(real, options.wait_ms));
  MatrixBuilder builder;
  auto old = open_store(real);
  if (old.ok()) {
    REJIG_TRY_VOID(builder.add(**old));
  } else if (old.error().code != Errc::kNotFound) {
    return old.error();
  }
  REJIG_TRY_VOID(change(builder));
  const auto next = builder.finish();
  return replace(real, *next, lock);
}

}  // namespace rejig::coverage
