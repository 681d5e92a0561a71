// SPDX-License-Identifier: Apache-2.0
// A store as a Matrix: the root and the atom directory are read when it is
// opened, everything else when it is asked for. Each block is checked when it
// is read; what a block says is checked against the root's counts and the order
// that the writer keeps, so that no answer rests on an unchecked byte.
#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "classfile/base/arena.h"
#include "classfile/base/hash.h"
#include "coverage/store/store.h"
#include "coverage/store/store_atoms.h"
#include "coverage/store/store_block.h"
#include "coverage/store/store_layout.h"

namespace rejig::coverage {
namespace {

using base::ByteReader;
using base::Bytes;
using base::Error;
using classfile::Atom;
using classfile::AtomKind;

constexpr std::uint64_t kMostRows = 0xfffffffe;
constexpr std::uint64_t kMostReserved = 1 << 20;  // the root may lie

std::uint64_t blocks_for(std::uint64_t items, std::uint64_t per_block) {
  return items / per_block + (items % per_block != 0 ? 1 : 0);
}

// The kind in front of the text, so that keys sort as atoms do.
std::string key_of(AtomKind kind, std::string_view text) {
  std::string out(1, static_cast<char>(kind));
  out += text;
  return out;
}

struct FactEntry {
  std::string_view name;
  base::Digest256 digest;
  BlockId block = 0;
};

class StoreMatrix : public Matrix {
 public:
  explicit StoreMatrix(std::unique_ptr<BlockReader> file)
      : file_(std::move(file)) {}

  base::Result<void> read_root();
  base::Result<void> read_groups();
  base::Result<void> read_atom_directory();
  base::Result<void> verify();

  std::size_t row_count() const override { return root_.rows; }
  std::size_t atom_count() const override { return root_.atoms; }
  std::uint64_t pair_count() const override { return root_.pairs; }
  bool has_digests() const override { return root_.classes != 0; }

  base::Result<std::span<const Row>> rows() override;
  base::Result<AtomId> find_atom(const Atom& atom) override;
  base::Result<Atom> atom(AtomId id) override;
  base::Result<void> each_atom(
      AtomKind kind, std::string_view prefix,
      const std::function<void(AtomId, std::string_view)>& visit) override;
  base::Result<void> append_rows_with(AtomId id,
                                      std::vector<RowId>& rows) override;
  base::Result<std::vector<AtomId>> atoms_of(RowId row) override;
  base::Result<std::span<const ClassDigest>> classes() override;
  base::Result<std::span<const EnvironmentEntry>> environment() override;
  base::Result<std::vector<std::string>> facts(std::string_view name) override;
  base::Result<std::vector<DigestedFact>> digested_facts(
      std::string_view name) override;
  base::Result<std::vector<std::string>> fact_names(
      std::string_view prefix) override;

 private:
  Error broken(BlockId id, BlockKind kind, std::string what) const {
    return file_->damaged(id, kind, std::move(what));
  }
  base::Result<void> read_frame(BlockId id, BlockKind kind);
  base::Result<void> read_row_block(std::uint64_t number);
  base::Result<void> read_class_block(std::uint64_t number);
  base::Result<void> read_fact_directory();
  base::Result<std::string> read_fact(const FactEntry& entry);
  base::Result<const AtomBlock*> atom_block(std::uint64_t number);
  bool read_keys(std::uint64_t number, std::uint64_t count);
  bool read_masks(std::size_t place);

  std::unique_ptr<BlockReader> file_;
  Codec codec_;
  StoreRoot root_;
  std::vector<std::uint32_t> group_of_;  // each row
  TextList first_keys_;                  // of each atom block
  AtomBlock block_;                      // the one that was read last
  std::string frame_;
  base::Arena text_;
  bool rows_read_ = false;
  bool classes_read_ = false;
  bool environment_read_ = false;
  bool facts_read_ = false;
  std::vector<Row> rows_;
  std::vector<ClassDigest> classes_;
  std::vector<EnvironmentEntry> environment_;
  std::vector<FactEntry> facts_;
};

base::Result<void> StoreMatrix::read_root() {
  const BlockId id = file_->last();
  REJIG_TRY(const Bytes payload, file_->read(id, BlockKind::kRoot));
  ByteReader in(payload);
  root_.each_field([&](std::uint64_t& field) { field = get_varint(in); });
  if (in.failed() || !in.at_end()) {
    return broken(id, BlockKind::kRoot, "it is not as long as its fields");
  }
  // Small enough, each, that their sums below cannot overflow.
  bool fits = root_.rows <= kMostRows && root_.atoms <= kMostRows;
  root_.each_field([&](std::uint64_t& field) {
    if (&field != &root_.pairs && field > kMostRows) fits = false;
  });
  if (!fits || root_.root() != id ||
      root_.row_blocks != blocks_for(root_.rows, kRowsPerBlock) ||
      root_.atom_blocks != blocks_for(root_.atoms, kAtomsPerBlock) ||
      root_.class_blocks != blocks_for(root_.classes, kNamesPerBlock) ||
      root_.fact_directories != blocks_for(root_.fact_names, kNamesPerBlock)) {
    return broken(id, BlockKind::kRoot, "its counts contradict each other");
  }
  return {};
}

base::Result<void> StoreMatrix::read_frame(BlockId id, BlockKind kind) {
  REJIG_TRY(const Bytes payload, file_->read(id, kind));
  ByteReader in(payload);
  if (!codec_.get_frame(in, frame_) || !in.at_end()) {
    return broken(id, kind, "its frame cannot be unpacked");
  }
  return {};
}

base::Result<void> StoreMatrix::read_groups() {
  const BlockId id = root_.groups_block();
  REJIG_TRY_VOID(read_frame(id, BlockKind::kGroups));
  ByteReader in(as_bytes(frame_));
  std::uint32_t groups = 0;
  while (!in.failed() && !in.at_end()) {
    const std::uint64_t size = get_varint(in);
    if (size == 0 || size > kRowsPerGroup) in.fail();
    if (in.failed()) break;
    group_of_.insert(group_of_.end(), size, groups++);
  }
  if (in.failed() || group_of_.size() != root_.rows || groups != root_.groups) {
    return broken(id, BlockKind::kGroups,
                  "it does not divide " + std::to_string(root_.rows) + " rows");
  }
  return {};
}

base::Result<void> StoreMatrix::read_atom_directory() {
  const BlockId id = root_.atom_directory();
  REJIG_TRY_VOID(read_frame(id, BlockKind::kAtomDirectory));
  ByteReader in(as_bytes(frame_));
  std::string key;
  while (!in.failed() && !in.at_end()) {
    const std::string before = key;
    get_front_coded(in, key);
    if (first_keys_.size() != 0 && key <= before) in.fail();
    first_keys_.add(key);
  }
  if (in.failed() || first_keys_.size() != root_.atom_blocks) {
    return broken(id, BlockKind::kAtomDirectory,
                  "it does not name " + std::to_string(root_.atom_blocks) +
                      " blocks in order");
  }
  return {};
}

base::Result<void> StoreMatrix::read_row_block(std::uint64_t number) {
  const BlockId id = root_.first_rows() + number;
  REJIG_TRY_VOID(read_frame(id, BlockKind::kRows));
  const std::uint64_t expected =
      std::min<std::uint64_t>(kRowsPerBlock, root_.rows - rows_.size());
  ByteReader in(as_bytes(frame_));
  std::string key;
  for (std::uint64_t i = 0; i < expected && !in.failed(); ++i) {
    get_front_coded(in, key);
    const std::size_t zero = key.find('\0');
    const std::uint8_t state = in.u1();
    Row row;
    row.ms = get_varint(in);
    row.facts = Facts::from_bits(in.u2());
    const unsigned grade = state & 15U;
    const unsigned result = state >> 4U;
    if (zero == std::string::npos || grade >= kGrades || result >= kOutcomes) {
      in.fail();
      break;
    }
    row.grade = static_cast<Grade>(grade);
    row.result = static_cast<Outcome>(result);
    const std::string_view suite = std::string_view(key).substr(0, zero);
    const std::string_view test = std::string_view(key).substr(zero + 1);
    const bool same_suite = !rows_.empty() && rows_.back().suite == suite;
    if (!rows_.empty() && (suite < rows_.back().suite ||
                           (same_suite && test <= rows_.back().test))) {
      in.fail();
      break;
    }
    row.suite = same_suite ? rows_.back().suite : text_.copy(suite);
    row.test = text_.copy(test);
    rows_.push_back(row);
  }
  if (in.failed() || !in.at_end()) {
    return broken(id, BlockKind::kRows,
                  "row " + std::to_string(rows_.size()) + " is not a row");
  }
  return {};
}

base::Result<std::span<const Row>> StoreMatrix::rows() {
  if (!rows_read_) {
    rows_.clear();
    rows_.reserve(static_cast<std::size_t>(
        std::min<std::uint64_t>(root_.rows, kMostReserved)));
    for (std::uint64_t i = 0; i < root_.row_blocks; ++i) {
      REJIG_TRY_VOID(read_row_block(i));
    }
    rows_read_ = true;
  }
  return std::span<const Row>(rows_);
}

bool StoreMatrix::read_keys(std::uint64_t number, std::uint64_t count) {
  ByteReader in(as_bytes(frame_));
  std::string key;
  std::string before;
  block_.keys.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    before = key;
    get_front_coded(in, key);
    const bool known = !key.empty() && static_cast<unsigned char>(key[0]) <
                                           classfile::kAtomKinds;
    if (!known || (i != 0 && key <= before)) return false;
    if (i == 0 && key != first_keys_[number]) return false;
    block_.keys.add(key);
  }
  if (number + 1 < first_keys_.size() && key >= first_keys_[number + 1]) {
    return false;
  }
  return !in.failed() && in.at_end();
}

base::Result<const AtomBlock*> StoreMatrix::atom_block(std::uint64_t number) {
  if (block_.number == number) return static_cast<const AtomBlock*>(&block_);
  block_.number = ~std::uint64_t{0};
  const BlockId id = root_.first_atoms() + number;
  REJIG_TRY(const Bytes payload, file_->read(id, BlockKind::kAtoms));
  ByteReader in(payload);
  const std::uint64_t count = std::min<std::uint64_t>(
      kAtomsPerBlock, root_.atoms - number * kAtomsPerBlock);
  bool good = codec_.get_frame(in, frame_) && read_keys(number, count);
  block_.mask_sizes.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    block_.mask_sizes.push_back(get_varint(in));
    if (block_.mask_sizes.back() > kLargestFrame) good = false;
  }
  good = good && codec_.get_frame(in, frame_) && block_.read_runs(frame_, group_of_) &&
         codec_.get_frame(in, frame_) && 
         block_.read_lone(frame_, get_text(in), group_of_.size()) &&
         codec_.get_frame(in, block_.bits) &&
         block_.bits.size() == count * stride_of(block_);
  if (!good || in.failed()) {
    return broken(
        id, BlockKind::kAtoms,
        "it does not hold " + std::to_string(count) + " atoms in order");
  }
  block_.frames = as_text(in.bytes(in.remaining()));
  block_.first = block_.end = 0;
  block_.number = number;
  return static_cast<const AtomBlock*>(&block_);
}

// Unpacks the masks of the atom at that place; the writer closes a frame as
// soon as it holds kMaskFrame bytes.
bool StoreMatrix::read_masks(std::size_t place) {
  if (place >= block_.first && place < block_.end) return true;
  ByteReader in(as_bytes(block_.frames));
  block_.end = 0;
  while (block_.end < block_.mask_sizes.size()) {
    block_.first = block_.end;
    std::uint64_t size = 0;
    do {
      size += block_.mask_sizes[block_.end++];
    } while (size < kMaskFrame && block_.end < block_.mask_sizes.size());
    if (place >= block_.end) {
      get_varint(in);
      get_text(in);
      continue;
    }
    if (codec_.get_frame(in, block_.masks) && block_.masks.size() == size) {
      return true;
    }
    break;
  }
  block_.first = block_.end = 0;
  return false;
}

base::Result<AtomId> StoreMatrix::find_atom(const Atom& atom) {
  const std::string key = key_of(atom.kind, atom.text);
  const std::size_t after = first_keys_.upper_bound(key);
  if (after == 0) return AtomId::none();
  REJIG_TRY(const auto* block, atom_block(after - 1));
  const std::size_t next = block->keys.upper_bound(key);
  if (next == 0 || block->keys[next - 1] != key) return AtomId::none();
  return AtomId::of((after - 1) * kAtomsPerBlock + next - 1);
}

base::Result<Atom> StoreMatrix::atom(AtomId id) {
  REJIG_TRY(const auto* block, atom_block(id.index() / kAtomsPerBlock));
  const auto key = block->keys[id.index() % kAtomsPerBlock];
  return Atom{static_cast<AtomKind>(key[0]), std::string(key.substr(1))};
}

base::Result<void> StoreMatrix::each_atom(
    AtomKind kind, std::string_view prefix,
    const std::function<void(AtomId, std::string_view)>& visit) {
  const std::string key = key_of(kind, prefix);
  const std::size_t after = first_keys_.upper_bound(key);
  for (std::size_t b = after == 0 ? 0 : after - 1; b < first_keys_.size();
       ++b) {
    if (first_keys_[b] > key && !first_keys_[b].starts_with(key)) break;
    REJIG_TRY(const auto* block, atom_block(b));
    // The visitor may ask for another block.
    const TextList keys = block->keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i].starts_with(key)) continue;
      visit(AtomId::of(b * kAtomsPerBlock + i), keys[i].substr(1));
    }
  }
  return {};
}

base::Result<void> StoreMatrix::append_rows_with(AtomId id,
                                                 std::vector<RowId>& rows) {
  const std::uint64_t number = id.index() / kAtomsPerBlock;
  const std::size_t place = id.index() % kAtomsPerBlock;
  REJIG_TRY_VOID(atom_block(number));
  if (!read_masks(place) || !block_.append_rows_of(place, rows)) {
    return broken(
        root_.first_atoms() + number, BlockKind::kAtoms,
        "the rows of atom " + std::to_string(place) + " cannot be read");
  }
  return {};
}

base::Result<std::vector<AtomId>> StoreMatrix::atoms_of(RowId row) {
  std::vector<AtomId> out;
  std::vector<RowId> having;
  for (std::size_t a = 0; a < root_.atoms; ++a) {
    having.clear();
    REJIG_TRY_VOID(append_rows_with(AtomId::of(a), having));
    if (std::binary_search(having.begin(), having.end(), row)) {
      out.push_back(AtomId::of(a));
    }
  }
  return out;
}

base::Result<void> StoreMatrix::read_class_block(std::uint64_t number) {
  const BlockId id = root_.first_classes() + number;
  REJIG_TRY_VOID(read_frame(id, BlockKind::kClasses));
  const std::uint64_t expected =
      std::min<std::uint64_t>(kNamesPerBlock, root_.classes - classes_.size());
  ByteReader in(as_bytes(frame_));
  std::string name;
  for (std::uint64_t i = 0; i < expected && !in.failed(); ++i) {
    get_front_coded(in, name);
    ClassDigest entry{name, get_text(in)};
    if (!classes_.empty() && entry <= classes_.back()) in.fail();
    classes_.push_back({text_.copy(entry.name), text_.copy(entry.digest)});
  }
  if (in.failed() || !in.at_end()) {
    return broken(id, BlockKind::kClasses, "its names are not in order");
  }
  return {};
}

base::Result<std::span<const ClassDigest>> StoreMatrix::classes() {
  if (!classes_read_) {
    classes_.clear();
    for (std::uint64_t i = 0; i < root_.class_blocks; ++i) {
      REJIG_TRY_VOID(read_class_block(i));
    }
    classes_read_ = true;
  }
  return std::span<const ClassDigest>(classes_);
}

base::Result<std::span<const EnvironmentEntry>> StoreMatrix::environment() {
  if (!environment_read_) {
    environment_.clear();
    const BlockId id = root_.environment_block();
    REJIG_TRY_VOID(read_frame(id, BlockKind::kEnvironment));
    ByteReader in(as_bytes(frame_));
    for (std::uint64_t i = 0; i < root_.environment && !in.failed(); ++i) {
      const auto key = get_text(in);
      const EnvironmentEntry entry{key, get_text(in)};
      if (!environment_.empty() && entry <= environment_.back()) in.fail();
      environment_.push_back({text_.copy(entry.key), text_.copy(entry.value)});
    }
    if (in.failed() || !in.at_end()) {
      return broken(id, BlockKind::kEnvironment, "its keys are not in order");
    }
    environment_read_ = true;
  }
  return std::span<const EnvironmentEntry>(environment_);
}

base::Result<void> StoreMatrix::read_fact_directory() {
  if (facts_read_) return {};
  facts_.clear();
  for (std::uint64_t b = 0; b < root_.fact_directories; ++b) {
    const BlockId id = root_.first_fact_directory() + b;
    REJIG_TRY_VOID(read_frame(id, BlockKind::kFactDirectory));
    const std::uint64_t expected = std::min<std::uint64_t>(
        kNamesPerBlock, root_.fact_names - facts_.size());
    ByteReader in(as_bytes(frame_));
    std::string name;
    for (std::uint64_t i = 0; i < expected && !in.failed(); ++i) {
      get_front_coded(in, name);
      FactEntry entry;
      for (std::uint64_t& word : entry.digest.words) word = in.u8();
      entry.block = get_varint(in);
      const bool ordered =
          facts_.empty() || facts_.back().name < name ||
          (facts_.back().name == name && facts_.back().digest < entry.digest);
      if (!ordered || entry.block < root_.first_fact() ||
          entry.block >= root_.first_classes()) {
        in.fail();
      }
      entry.name = text_.copy(name);
      facts_.push_back(entry);
    }
    if (in.failed() || !in.at_end()) {
      return broken(id, BlockKind::kFactDirectory,
                    "its names are not in order");
    }
  }
  facts_read_ = true;
  return {};
}

base::Result<std::string> StoreMatrix::read_fact(const FactEntry& entry) {
  REJIG_TRY_VOID(read_frame(entry.block, BlockKind::kFact));
  if (base::digest256(frame_) != entry.digest) {
    return broken(entry.block, BlockKind::kFact,
                  "its content has another digest than its name");
  }
  return frame_;
}

base::Result<std::vector<Matrix::DigestedFact>> StoreMatrix::digested_facts(
    std::string_view name) {
  REJIG_TRY_VOID(read_fact_directory());
  std::vector<DigestedFact> out;
  auto at = std::lower_bound(facts_.begin(), facts_.end(), name,
                             [](const FactEntry& entry, std::string_view n) {
                               return entry.name < n;
                             });
  for (; at != facts_.end() && at->name == name; ++at) {
    REJIG_TRY(auto bytes, read_fact(*at));
    out.push_back({at->digest, std::move(bytes)});
  }
  return out;
}

base::Result<std::vector<std::string>> StoreMatrix::facts(
    std::string_view name) {
  REJIG_TRY(auto contents, digested_facts(name));
  std::vector<std::string> out;
  for (auto& fact : contents) out.push_back(std::move(fact.bytes));
  return out;
}

base::Result<std::vector<std::string>> StoreMatrix::fact_names(
    std::string_view prefix) {
  REJIG_TRY_VOID(read_fact_directory());
  std::vector<std::string> out;
  for (const auto& entry : facts_) {
    if (!entry.name.starts_with(prefix)) continue;
    if (out.empty() || out.back() != entry.name) out.emplace_back(entry.name);
  }
  return out;
}

base::Result<void> StoreMatrix::verify() {
  REJIG_TRY_VOID(rows());
  REJIG_TRY_VOID(classes());
  REJIG_TRY_VOID(environment());
  std::uint64_t pairs = 0;
  std::vector<RowId> having;
  for (std::size_t a = 0; a < root_.atoms; ++a) {
    having.clear();
    REJIG_TRY_VOID(append_rows_with(AtomId::of(a), having));
    pairs += having.size();
  }
  if (pairs != root_.pairs) {
    return broken(root_.root(), BlockKind::kRoot,
                  "it counts " + std::to_string(root_.pairs) +
                      " pairs, the lists hold " + std::to_string(pairs));
  }
  REJIG_TRY_VOID(read_fact_directory());
  for (const auto& entry : facts_) REJIG_TRY_VOID(read_fact(entry));
  return {};
}

base::Result<std::unique_ptr<StoreMatrix>> open_matrix(
    const std::string& path) {
  REJIG_TRY(auto file, BlockReader::open(path));
  auto out = std::make_unique<StoreMatrix>(std::move(file));
  REJIG_TRY_VOID(out->read_root());
  REJIG_TRY_VOID(out->read_groups());
  REJIG_TRY_VOID(out->read_atom_directory());
  return out;
}

}  // namespace

base::Result<std::unique_ptr<Matrix>> open_store(const std::string& path) {
  REJIG_TRY(auto matrix, open_matrix(path));
  return std::unique_ptr<Matrix>(std::move(matrix));
}

base::Result<void> verify_store(const std::string& path) {
  REJIG_TRY(auto matrix, open_matrix(path));
  return matrix->verify();
}

}  // namespace rejig::coverage
