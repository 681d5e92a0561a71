// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/store_block.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::coverage {

using base::ByteReader;
using base::Errc;
using base::Error;

namespace {

constexpr std::size_t kHead = 9;  // kind and checksum in front of the payload
constexpr int kLevel = 3;
constexpr std::string_view kPageSize = "8192";
// The largest blob whose cell leaves no room for another one on its page.
constexpr std::size_t kChunk = 8150;
constexpr std::size_t kTrailer = 16;  // offset and checksum of the index
constexpr std::string_view kSchema =
    "CREATE TABLE chunk(id INTEGER PRIMARY KEY, body BLOB NOT NULL)";
constexpr std::array<std::string_view, 10> kKindNames = {
    "?",       "root",        "rows",       "atoms", "atom directory",
    "classes", "environment", "fact names", "fact",  "groups"};

std::uint64_t checksum(BlockId id, BlockKind kind, std::string_view payload) {
  return base::mix64(base::hash64(payload) +
                     base::mix64(id << 8 | static_cast<std::uint64_t>(kind)));
}

struct Closer {
  int fd = -1;
  ~Closer() {
    if (fd >= 0) ::close(fd);
  }
};

Error not_ours(const std::string& path, std::string what) {
  return {Errc::kMalformed, std::move(what), path};
}

// The file's own header, before SQLite sees any of it.
base::Result<void> check_header(const std::string& path) {
  const Closer file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) {
    const auto code = errno == ENOENT ? Errc::kNotFound : Errc::kIo;
    return Error{code, base::errno_text(errno), path};
  }
  struct stat info = {};
  if (::fstat(file.fd, &info) != 0) {
    return Error{Errc::kIo, base::errno_text(errno), path};
  }
  if (!S_ISREG(info.st_mode)) {
    return not_ours(path, "not a regular file, so not a rejig store");
  }
  std::array<std::byte, 100> head = {};
  const auto got = ::pread(file.fd, head.data(), head.size(), 0);
  if (got < 0) return Error{Errc::kIo, base::errno_text(errno), path};
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (static_cast<std::size_t>(got) < head.size()) {
    return not_ours(path, "truncated: " + std::to_string(size) +
                              " bytes, a store has at least 100");
  }
  ByteReader in(head);
  if (as_text(in.bytes(16)) != std::string_view("SQLite format 3\0", 16)) {
    return not_ours(path, "not a rejig store (not an SQLite file)");
  }
  const std::uint64_t page = in.u2();
  in.seek(28);
  const std::uint64_t pages = in.u4();
  in.seek(60);
  const std::uint32_t version = in.u4();
  in.seek(68);
  const std::uint32_t application = in.u4();
  if (application != kApplicationId) {
    return not_ours(path, "not a rejig store (an SQLite file of application " +
                              std::to_string(application) + ")");
  }
  if (version != kFormatVersion) {
    return Error{Errc::kUnsupported,
                 "store format " + std::to_string(version) +
                     ", this rejig reads format " +
                     std::to_string(kFormatVersion),
                 path};
  }
  if (page < 512 || size != pages * page) {
    return not_ours(
        path, "damaged: " + std::to_string(size) + " bytes, its header says " +
                  std::to_string(pages) + " pages of " + std::to_string(page));
  }
  return {};
}

// As a URI, so that SQLite neither locks nor looks for journals: the file is
// only ever replaced as a whole.
std::string immutable_uri(const std::string& path) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "file:";
  if (!path.starts_with('/')) out += "./";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '/' || c == '.' ||
                       c == '-' || c == '_';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out + "?immutable=1";
}

}  // namespace

std::string_view name_of(BlockKind kind) {
  const auto i = static_cast<std::size_t>(kind);
  return kKindNames[i < kKindNames.size() ? i : 0];
}

void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

void put_front_coded(std::string& out, std::string_view previous,
                     std::string_view text) {
  const auto [a, b] =
      std::mismatch(previous.begin(), previous.end(), text.begin(), text.end());
  const auto shared = static_cast<std::size_t>(b - text.begin());
  put_varint(out, shared);
  put_text(out, text.substr(shared));
}

std::string_view get_text(base::ByteReader& in) {
  const std::uint64_t size = get_varint(in);
  if (size > in.remaining()) {
    in.fail();
    return {};
  }
  return as_text(in.bytes(size));
}

void get_front_coded(base::ByteReader& in, std::string& text) {
  const std::uint64_t shared = get_varint(in);
  const std::string_view rest = get_text(in);
  if (shared > text.size()) {
    in.fail();
    return;
  }
  text.resize(shared);
  text += rest;
}

struct Codec::State {
  ZSTD_CCtx* pack = nullptr;
  ZSTD_DCtx* unpack = nullptr;
  std::string buffer;

  ~State() {
    ZSTD_freeCCtx(pack);
    ZSTD_freeDCtx(unpack);
  }
};

Codec::Codec() : state_(std::make_unique<State>()) {}
Codec::~Codec() = default;

void Codec::put_frame(std::string& out, std::string_view raw) {
  if (state_->pack == nullptr) {
    state_->pack = ZSTD_createCCtx();
    REJIG_CHECK(state_->pack != nullptr);
  }
  auto& buffer = state_->buffer;
  buffer.resize(ZSTD_compressBound(raw.size()));
  const std::size_t size =
      ZSTD_compressCCtx(state_->pack, buffer.data(), buffer.size(), raw.data(),
                        raw.size(), kLevel);
  const bool smaller = !ZSTD_isError(size) && size < raw.size();
  put_varint(out, raw.size());
  put_text(out, smaller ? std::string_view(buffer).substr(0, size) : raw);
}

bool Codec::get_frame(base::ByteReader& in, std::string& raw) {
  raw.clear();
  const std::uint64_t raw_size = get_varint(in);
  const std::string_view stored = get_text(in);
  if (in.failed() || raw_size > kLargestFrame) {
    in.fail();
    return false;
  }
  if (stored.size() == raw_size) {
    raw = stored;
    return true;
  }
  if (state_->unpack == nullptr) {
    state_->unpack = ZSTD_createDCtx();
    REJIG_CHECK(state_->unpack != nullptr);
  }
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != raw_size) {
    in.fail();
    return false;
  }
  raw.resize(raw_size);
  const std::size_t got = ZSTD_decompressDCtx(
      state_->unpack, raw.data(), raw.size(), stored.data(), stored.size());
  if (ZSTD_isError(got) || got != raw_size) {
    raw.clear();
    in.fail();
    return false;
  }
  return true;
}

struct Sqlite {
  sqlite3* db = nullptr;
  sqlite3_stmt* statement = nullptr;
  std::string path;

  ~Sqlite() { close(); }
  int close() {
    sqlite3_finalize(statement);
    statement = nullptr;
    const int code = sqlite3_close(db);
    db = nullptr;
    return code;
  }
  Error error() const {
    const int code = sqlite3_errcode(db) & 0xff;
    std::string what = sqlite3_errmsg(db);
    if (const int os = sqlite3_system_errno(db);
        os != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN)) {
      what += ": " + base::errno_text(os);
    }
    what +=
        " (SQLite error " + std::to_string(sqlite3_extended_errcode(db)) + ")";
    const bool bytes =
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
    return {bytes ? Errc::kMalformed : Errc::kIo,
            (bytes ? "damaged: " : "") + what, path};
  }
  base::Result<void> run(const std::string& sql) {
    if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      return error();
    }
    return {};
  }
  base::Result<void> prepare(std::string_view sql) {
    sqlite3_finalize(statement);
    statement = nullptr;
    if (sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()),
                           &statement, nullptr) != SQLITE_OK) {
      return error();
    }
    return {};
  }
};

BlockReader::BlockReader() : db_(std::make_unique<Sqlite>()) {}
BlockReader::~BlockReader() = default;

base::Result<std::unique_ptr<BlockReader>> BlockReader::open(
    const std::string& path) {
  REJIG_TRY_VOID(check_header(path));
  std::unique_ptr<BlockReader> out(new BlockReader());
  out->path_ = path;
  auto& db = *out->db_;
  db.path = path;
  if (sqlite3_open_v2(
          immutable_uri(path).c_str(), &db.db,
          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
          nullptr) != SQLITE_OK) {
    return db.error();
  }
  // A hostile schema could put any query behind the name of the table.
  REJIG_TRY_VOID(db.run("PRAGMA trusted_schema=OFF"));
  REJIG_TRY_VOID(db.prepare("SELECT sql FROM sqlite_schema"));
  std::size_t entries = 0;
  int step = SQLITE_ROW;
  while ((step = sqlite3_step(db.statement)) == SQLITE_ROW) {
    const auto* sql = sqlite3_column_text(db.statement, 0);
    if (sql == nullptr || reinterpret_cast<const char*>(sql) != kSchema) {
      return not_ours(path, "not a rejig store (it has another schema)");
    }
    ++entries;
  }
  if (step != SQLITE_DONE) return db.error();
  if (entries != 1) {
    return not_ours(path, "damaged: its schema has " + std::to_string(entries) +
                              " entries, a store has 1");
  }
  REJIG_TRY_VOID(db.prepare("SELECT max(id) FROM chunk"));
  if (sqlite3_step(db.statement) != SQLITE_ROW) return db.error();
  const auto chunks = sqlite3_column_int64(db.statement, 0);
  if (chunks < 1) return not_ours(path, "damaged: it has no chunks");
  REJIG_TRY_VOID(db.prepare("SELECT body FROM chunk WHERE id=?1"));
  REJIG_TRY_VOID(out->read_index(static_cast<std::uint64_t>(chunks)));
  return out;
}

base::Result<void> BlockReader::read_index(std::uint64_t chunks) {
  const std::uint64_t before = (chunks - 1) * kChunk;
  REJIG_TRY_VOID(read_stream(before, 0));
  const std::uint64_t size = before + buffer_.size();
  if (size < kTrailer) return not_ours(path_, "damaged: it has no index");
  REJIG_TRY_VOID(read_stream(size - kTrailer, kTrailer));
  ByteReader trailer(as_bytes(buffer_));
  const std::uint64_t offset = trailer.u8();
  const std::uint64_t sum = trailer.u8();
  if (offset > size - kTrailer) {
    return not_ours(path_, "damaged: its index is outside of it");
  }
  REJIG_TRY_VOID(read_stream(offset, size - kTrailer - offset));
  if (sum != checksum(0, BlockKind::kRoot, buffer_)) {
    return not_ours(path_, "damaged: the checksum of its index does not match");
  }
  ByteReader in(as_bytes(buffer_));
  std::uint64_t end = 0;
  while (!in.failed() && !in.at_end()) {
    const std::uint64_t length = get_varint(in);
    if (length < kHead || length > offset - end) in.fail();
    end += length;
    ends_.push_back(end);
  }
  if (in.failed() || end != offset || ends_.empty()) {
    return not_ours(path_, "damaged: its index does not fit its blocks");
  }
  return {};
}

// Into buffer_; a size of 0 means one chunk, however long it is.
base::Result<void> BlockReader::read_stream(std::uint64_t offset,
                                            std::uint64_t size) {
  buffer_.clear();
  std::uint64_t chunk = offset / kChunk + 1;
  std::uint64_t skip = offset % kChunk;
  do {
    sqlite3_reset(db_->statement);
    sqlite3_bind_int64(db_->statement, 1, static_cast<sqlite3_int64>(chunk));
    const int step = sqlite3_step(db_->statement);
    if (step == SQLITE_DONE) {
      return not_ours(
          path_, "damaged: chunk " + std::to_string(chunk) + " is missing");
    }
    if (step != SQLITE_ROW) return db_->error();
    const bool blob = sqlite3_column_type(db_->statement, 0) == SQLITE_BLOB;
    const auto* body =
        static_cast<const char*>(sqlite3_column_blob(db_->statement, 0));
    const auto length =
        static_cast<std::uint64_t>(sqlite3_column_bytes(db_->statement, 0));
    if (!blob || body == nullptr || length <= skip || length > kChunk) {
      return not_ours(path_, "damaged: chunk " + std::to_string(chunk) +
                                 " has " + std::to_string(length) + " bytes");
    }
    const std::uint64_t take =
        size == 0 ? length : std::min(length - skip, size - buffer_.size());
    buffer_.append(body + skip, take);
    skip = 0;
    ++chunk;
  } while (buffer_.size() < size);
  return {};
}

std::string BlockReader::where(BlockId id, BlockKind kind) const {
  return path_ + " block " + std::to_string(id) + " (" +
         std::string(name_of(kind)) + ")";
}

Error BlockReader::damaged(BlockId id, BlockKind kind, std::string what) const {
  return {Errc::kMalformed, "damaged: " + std::move(what), where(id, kind)};
}

base::Result<base::Bytes> BlockReader::read(BlockId id, BlockKind kind) {
  if (id == 0 || id > ends_.size()) {
    return damaged(id, kind,
                   "there are " + std::to_string(ends_.size()) + " blocks");
  }
  const std::uint64_t begin = id == 1 ? 0 : ends_[id - 2];
  REJIG_TRY_VOID(read_stream(begin, ends_[id - 1] - begin));
  const base::Bytes bytes = as_bytes(buffer_);
  ByteReader in(bytes);
  const auto found = static_cast<BlockKind>(in.u1());
  const std::uint64_t sum = in.u8();
  const base::Bytes payload = bytes.subspan(kHead);
  if (sum != checksum(id, found, as_text(payload))) {
    return damaged(id, kind, "the checksum does not match");
  }
  if (found != kind) {
    return damaged(id, kind,
                   "the block is of kind " + std::string(name_of(found)));
  }
  return payload;
}

BlockWriter::BlockWriter() : db_(std::make_unique<Sqlite>()) {}
BlockWriter::~BlockWriter() = default;

base::Result<std::unique_ptr<BlockWriter>> BlockWriter::create(
    const std::string& path) {
  std::unique_ptr<BlockWriter> out(new BlockWriter());
  out->path_ = path;
  auto& db = *out->db_;
  db.path = path;
  // SQLite would report only "unable to open database file".
  const Closer file{::open(
      path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)};
  if (file.fd < 0) return Error{Errc::kIo, base::errno_text(errno), path};
  if (sqlite3_open_v2(path.c_str(), &db.db,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK) {
    return db.error();
  }
  REJIG_TRY_VOID(db.run(
      "PRAGMA page_size=" + std::string(kPageSize) +
      ";PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF"
      ";PRAGMA locking_mode=EXCLUSIVE;PRAGMA encoding='UTF-8'"
      ";PRAGMA application_id=" +
      std::to_string(kApplicationId) + ";PRAGMA user_version=" +
      std::to_string(kFormatVersion) + ";BEGIN;" + std::string(kSchema)));
  REJIG_TRY_VOID(db.prepare("INSERT INTO chunk VALUES(?1,?2)"));
  return out;
}

void put_u8(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> shift & 0xff);
  }
}

base::Result<void> BlockWriter::put_chunk(std::string_view bytes) {
  sqlite3_reset(db_->statement);
  sqlite3_bind_int64(db_->statement, 1, static_cast<sqlite3_int64>(++chunks_));
  sqlite3_bind_blob64(db_->statement, 2, bytes.data(), bytes.size(),
                      SQLITE_STATIC);
  if (sqlite3_step(db_->statement) != SQLITE_DONE) return db_->error();
  return {};
}

base::Result<BlockId> BlockWriter::add(BlockKind kind,
                                       std::string_view payload) {
  const BlockId id = next_++;
  pending_ += static_cast<char>(kind);
  put_u8(pending_, checksum(id, kind, payload));
  pending_ += payload;
  put_varint(index_, kHead + payload.size());
  written_ += kHead + payload.size();
  std::size_t at = 0;
  for (; pending_.size() - at >= kChunk; at += kChunk) {
    REJIG_TRY_VOID(put_chunk(std::string_view(pending_).substr(at, kChunk)));
  }
  pending_.erase(0, at);
  return id;
}

base::Result<void> BlockWriter::finish() {
  std::string end = std::move(pending_);
  end += index_;
  put_u8(end, written_);
  put_u8(end, checksum(0, BlockKind::kRoot, index_));
  for (std::size_t at = 0; at < end.size(); at += kChunk) {
    REJIG_TRY_VOID(put_chunk(std::string_view(end).substr(at, kChunk)));
  }
  sqlite3_reset(db_->statement);
  REJIG_TRY_VOID(db_->run("COMMIT"));
  if (db_->close() != SQLITE_OK) {
    return Error{Errc::kIo, "could not be closed", path_};
  }
  const Closer file{::open(path_.c_str(), O_RDWR | O_CLOEXEC)};
  if (file.fd < 0 || ::fsync(file.fd) != 0) {
    return Error{Errc::kIo, base::errno_text(errno), path_};
  }
  return {};
}

}  // namespace rejig::coverage
