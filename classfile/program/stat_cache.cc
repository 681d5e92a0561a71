// SPDX-License-Identifier: Apache-2.0
// The file: magic, byte order, number of slots (a power of two), XXH3-64 of the
// slots, and the slots: an open hash table by device and inode, so that nothing
// has to be made of it. Numbers are those of the machine, which is the only one
// that it means anything to. Cost: one look-up a file.
#include "classfile/program/stat_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <tuple>
#include <vector>

#include "classfile/archive/archive.h"
#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::classfile {

namespace {

constexpr std::string_view kMagic = "rejig stat cache 2    \n\n";
constexpr std::uint64_t kByteOrder = 0x0102030405060708;
constexpr std::size_t kHead = 48;
static_assert(kMagic.size() + 3 * sizeof(std::uint64_t) == kHead);

// The coarsest clock of a file system in use ticks every two seconds.
constexpr std::int64_t kSettled = 3'000'000'000;
constexpr std::size_t kMostSlots = std::size_t{1} << 22;
// Fewer new files than this are read again rather than written down.
constexpr std::size_t kWorthAFile = 16;
constexpr std::size_t kWorthAPart = 256;

struct Slot {
  FileStamp stamp;  // inode 0: empty
  base::Digest256 content;
};
static_assert(sizeof(Slot) == 72 &&
              std::has_unique_object_representations_v<Slot>);

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t out = 0;
  std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

std::size_t first_place(const FileStamp& stamp, std::size_t slots) {
  return base::mix64(stamp.inode ^ base::mix64(stamp.device)) & (slots - 1);
}

// The slots of a table: none if it is not one.
class Table {
 public:
  explicit Table(const std::string& bytes) : bytes_(bytes) {
    if (bytes.size() < kHead || !bytes.starts_with(kMagic) ||
        number_at(bytes, kMagic.size()) != kByteOrder) {
      return;
    }
    const std::uint64_t slots = number_at(bytes, kMagic.size() + 8);
    if (slots > kMostSlots || !std::has_single_bit(slots) ||
        bytes.size() != kHead + slots * sizeof(Slot) ||
        number_at(bytes, kMagic.size() + 16) !=
            base::hash64(std::string_view(bytes).substr(kHead))) {
      return;
    }
    slots_ = slots;
  }

  std::size_t slots() const { return slots_; }
  Slot slot(std::size_t i) const {
    Slot out;
    std::memcpy(&out, bytes_.data() + kHead + i * sizeof(Slot), sizeof out);
    return out;
  }
  bool find(const FileStamp& stamp, Slot& out) const {
    if (slots_ == 0) return false;
    std::size_t at = first_place(stamp, slots_);
    for (std::size_t n = 0; n < slots_; ++n, at = (at + 1) & (slots_ - 1)) {
      out = slot(at);
      if (out.stamp.inode == 0) return false;
      if (out.stamp.inode == stamp.inode && out.stamp.device == stamp.device) {
        return out.stamp == stamp;
      }
    }
    return false;
  }

 private:
  const std::string& bytes_;
  std::size_t slots_ = 0;
};

std::string table_of(const std::vector<Slot>& known) {
  const std::size_t slots = std::bit_ceil(known.size() * 3 / 2 + 1);
  std::vector<Slot> table(slots);
  for (const Slot& one : known) {
    std::size_t at = first_place(one.stamp, slots);
    while (table[at].stamp.inode != 0) at = (at + 1) & (slots - 1);
    table[at] = one;
  }
  const std::string_view body(reinterpret_cast<const char*>(table.data()),
                              slots * sizeof(Slot));
  std::string out(kMagic);
  for (const std::uint64_t number :
       {kByteOrder, std::uint64_t{slots}, base::hash64(body)}) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return out.append(body);
}

template <class Each>
void each_stamp(const Program& program, Each&& each) {
  for (const auto& root : program.roots()) {
    const auto stamps = root->stamps();
    for (std::uint32_t i = 0; i < stamps.size(); ++i) {
      if (stamps[i].inode != 0) each(*root, EntryId(i), stamps[i]);
    }
  }
}

}  // namespace

void StatCache::tell(const Program& program) {
  // A few files are read faster than the table.
  std::size_t files = 0;
  each_stamp(program,
             [&](const Artefact&, EntryId, const FileStamp&) { ++files; });
  if (files < kWorthAFile) return;
  if (table_.empty()) {
    auto read = base::read_file(path_);
    if (!read.ok()) return;
    table_ = std::move(read).value();
  }
  const Table table(table_);
  if (table.slots() == 0) return;
  Slot slot;
  each_stamp(program,
             [&](const Artefact& root, EntryId id, const FileStamp& stamp) {
               if (!table.find(stamp, slot)) return;
               root.note_content(id, slot.content);
               ++told_;
             });
}

base::Result<void> StatCache::keep(
    std::span<const Program* const> programs) const {
  std::size_t all = 0;
  for (const Program* program : programs) {
    each_stamp(*program,
               [&](const Artefact& root, EntryId id, const FileStamp&) {
                 if (root.known_content(id) != nullptr) ++all;
               });
  }
  if (all < told_ + kWorthAFile) return {};
  const Table table(table_);
  std::vector<Slot> known;
  std::size_t fresh = 0;
  Slot slot;
  for (const Program* program : programs) {
    each_stamp(*program,
               [&](const Artefact& root, EntryId id, const FileStamp& stamp) {
                 const KnownContent* content = root.known_content(id);
                 if (content == nullptr ||
                     std::max(stamp.written, stamp.changed) + kSettled >
                         root.stamped_at()) {
                   return;
                 }
                 if (!table.find(stamp, slot)) ++fresh;
                 known.push_back({stamp, content->content});
               });
  }
  if (fresh < std::max(kWorthAFile, known.size() / kWorthAPart)) return {};
  const auto same_file = [](const Slot& a, const Slot& b) {
    return a.stamp.device == b.stamp.device && a.stamp.inode == b.stamp.inode;
  };
  const auto before = [](const Slot& a, const Slot& b) {
    return std::tie(a.stamp.device, a.stamp.inode) <
           std::tie(b.stamp.device, b.stamp.inode);
  };
  // One file under several names.
  std::stable_sort(known.begin(), known.end(), before);
  known.erase(std::unique(known.begin(), known.end(), same_file), known.end());
  // What was known of other files, unless that becomes too much.
  const std::size_t ours = known.size();
  for (std::size_t i = 0; i < table.slots(); ++i) {
    slot = table.slot(i);
    if (slot.stamp.inode != 0 &&
        !std::binary_search(known.begin(),
                            known.begin() + static_cast<std::ptrdiff_t>(ours),
                            slot, before)) {
      known.push_back(slot);
    }
  }
  if (known.size() > kMostSlots / 2) known.resize(ours);
  if (known.size() > kMostSlots / 2) return {};
  return base::write_file_atomically(path_, table_of(known));
}

}  // namespace rejig::classfile
