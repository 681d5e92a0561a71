// SPDX-License-Identifier: Apache-2.0
// Reading beats mapping here: a mapped page costs a fault, a place in the page
// table and its removal, and each is looked at once. Entries are sorted by their
// places in the file and cut into slices of neighbours; a slice is one read of
// each file. What does not fit the pattern (a local header longer than thought,
// neighbours that lie apart in the other file) is asked for by itself.
#include "classfile/sight.h"

#include <algorithm>
#include <cstring>

#include "classfile/base/hash.h"
#include "classfile/mapped_file.h"
#include "classfile/zip.h"

namespace rejig::classfile {

namespace {

constexpr std::uint64_t kSlice = std::uint64_t{1} << 18;
// Between two entries of a slice, and what a local header may have beyond what
// the directory says.
constexpr std::uint64_t kGap = std::uint64_t{1} << 14;
constexpr std::uint64_t kExtra = 256;

// Where an entry lies in its file, with its local header.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // as the directory lets one think
};

struct Item {
  std::uint32_t pair = 0;
  Extent in_a;  // empty: not read from a file
  Extent in_b;
};

// The items of one file, or of one file and another.
struct Work {
  const MappedFile* a = nullptr;
  const MappedFile* b = nullptr;
  std::vector<Item> items;
};

struct Slice {
  const Work* work = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;  // of work->items
};

std::optional<Extent> extent_of(const Artefact& artefact, EntryId id) {
  const auto local = artefact.stored_place(id);
  const MappedFile* const file = artefact.file();
  if (!local || file == nullptr) return std::nullopt;
  const Entry& entry = artefact.entries()[id.index()];
  const std::uint64_t size = file->bytes().size();
  Extent out;
  out.begin = *local;
  if (out.begin >= size || entry.stored_size > size - out.begin) {
    return std::nullopt;
  }
  out.end = std::min(size, out.begin + kZipLocalSize + entry.name.size() +
                               kExtra + entry.stored_size);
  return out;
}

bool same_directory_entry(const Entry& x, const Entry& y) {
  return x.method == y.method && x.size == y.size &&
         x.stored_size == y.stored_size && x.crc == y.crc;
}

// The files of one worker's slice in memory.
class Window {
 public:
  bool read(const MappedFile& file, const Extent& extent) {
    begin_ = extent.begin;
    bytes_.resize(static_cast<std::size_t>(extent.end - extent.begin));
    return file.read_at(begin_, bytes_);
  }
  // nullopt: not wholly in the window.
  std::optional<base::Bytes> stored(const Extent& extent,
                                    std::uint64_t stored_size) const {
    const auto found =
        zip_stored_bytes(bytes_, 0, extent.begin - begin_, stored_size);
    if (!found.ok()) return std::nullopt;
    return *found;
  }

 private:
  std::uint64_t begin_ = 0;
  std::vector<std::byte> bytes_;
};

class Looking {
 public:
  Looking(const Program& a, const Program& b, std::span<const FilePair> pairs)
      : a_(a), b_(b), pairs_(pairs), out_(pairs.size(), Sight::kUnknown) {}

  std::vector<Sight> run(base::ThreadPool& pool) {
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) prepare(i);
    std::vector<Slice> slices;
    for (Work& work : works_) cut(work, slices);
    std::vector<Window> of_a(pool.workers());
    std::vector<Window> of_b(pool.workers());
    pool.for_each(slices.size(), [&](unsigned worker, std::size_t i) {
      look(slices[i], of_a[worker], of_b[worker]);
    });
    pool.for_ranges(alone_.size(), 16,
                    [&](unsigned, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        look_alone(alone_[i]);
                      }
                    });
    return std::move(out_);
  }

 private:
  const Artefact& artefact_a(std::uint32_t i) const {
    return *a_.roots()[pairs_[i].a->root];
  }
  const Artefact& artefact_b(std::uint32_t i) const {
    return *b_.roots()[pairs_[i].b->root];
  }

  void prepare(std::uint32_t i) {
    const Artefact& one = artefact_a(i);
    const Artefact& two = artefact_b(i);
    const EntryId in_one = pairs_[i].a->entry;
    const EntryId in_two = pairs_[i].b->entry;
    const KnownContent* const x = one.known_content(in_one);
    const KnownContent* const y = two.known_content(in_two);
    if (x != nullptr && y != nullptr) {
      out_[i] =
          x->content == y->content ? Sight::kEqual : Sight::kDifferent;
      return;
    }
    if (!same_directory_entry(one.entries()[in_one.index()],
                              two.entries()[in_two.index()])) {
      // Only a digest of the content may still tell.
      if (x != nullptr || y != nullptr) alone_.push_back(i);
      return;
    }
    Item item;
    item.pair = i;
    const auto add = [&](const MappedFile* of_a, const MappedFile* of_b) {
      work_of(of_a, of_b).items.push_back(item);
    };
    if (x != nullptr || y != nullptr) {
      const KnownContent& known = x != nullptr ? *x : *y;
      const Artefact& read = x != nullptr ? two : one;
      const auto extent =
          extent_of(read, x != nullptr ? in_two : in_one);
      if (!known.stored || !extent) {
        alone_.push_back(i);
        return;
      }
      (x != nullptr ? item.in_b : item.in_a) = *extent;
      x != nullptr ? add(nullptr, two.file()) : add(one.file(), nullptr);
      return;
    }
    const auto place_a = extent_of(one, in_one);
    const auto place_b = extent_of(two, in_two);
    if (!place_a || !place_b) {
      alone_.push_back(i);
      return;
    }
    item.in_a = *place_a;
    item.in_b = *place_b;
    add(one.file(), two.file());
  }

  Work& work_of(const MappedFile* a, const MappedFile* b) {
    if (!works_.empty() && works_.back().a == a && works_.back().b == b) {
      return works_.back();
    }
    for (Work& work : works_) {
      if (work.a == a && work.b == b) return work;
    }
    works_.push_back({a, b, {}});
    return works_.back();
  }

  static void cut(Work& work, std::vector<Slice>& slices) {
    const auto place = [&](const Item& item) -> const Extent& {
      return work.a != nullptr ? item.in_a : item.in_b;
    };
    std::sort(work.items.begin(), work.items.end(),
              [&](const Item& x, const Item& y) {
                return place(x).begin < place(y).begin;
              });
    for (std::size_t i = 0; i < work.items.size();) {
      Slice slice{&work, i, i + 1};
      for (; slice.end < work.items.size(); ++slice.end) {
        const Extent& first = place(work.items[i]);
        const Extent& last = place(work.items[slice.end - 1]);
        const Extent& next = place(work.items[slice.end]);
        if (next.end - first.begin > kSlice || next.begin > last.end + kGap) {
          break;
        }
      }
      i = slice.end;
      slices.push_back(slice);
    }
  }

  static Extent around(const Slice& slice, bool of_a) {
    Extent out{~std::uint64_t{0}, 0};
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      const Item& item = slice.work->items[i];
      const Extent& one = of_a ? item.in_a : item.in_b;
      out.begin = std::min(out.begin, one.begin);
      out.end = std::max(out.end, one.end);
    }
    return out;
  }

  void look(const Slice& slice, Window& of_a, Window& of_b) {
    const Work& work = *slice.work;
    const auto read = [&](const MappedFile* file, bool a, Window& window) {
      if (file == nullptr) return true;
      const Extent all = around(slice, a);
      // Neighbours here that lie far apart there.
      const bool wide =
          slice.end - slice.begin > 1 && all.end - all.begin > 2 * kSlice;
      return !wide && window.read(*file, all);
    };
    if (!read(work.a, true, of_a) || !read(work.b, false, of_b)) {
      for (std::size_t i = slice.begin; i < slice.end; ++i) {
        look_alone(work.items[i].pair);
      }
      return;
    }
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      const Item& item = work.items[i];
      const std::uint64_t size =
          work.a != nullptr
              ? artefact_a(item.pair)
                    .entries()[pairs_[item.pair].a->entry.index()]
                    .stored_size
              : artefact_b(item.pair)
                    .entries()[pairs_[item.pair].b->entry.index()]
                    .stored_size;
      std::optional<base::Bytes> x;
      std::optional<base::Bytes> y;
      if (work.a != nullptr) x = of_a.stored(item.in_a, size);
      if (work.b != nullptr) y = of_b.stored(item.in_b, size);
      if ((work.a != nullptr && !x) || (work.b != nullptr && !y)) {
        look_alone(item.pair);
      } else if (x && y) {
        if (x->empty() || std::memcmp(x->data(), y->data(), x->size()) == 0) {
          out_[item.pair] = Sight::kEqual;
        }
      } else {
        by_digest(item.pair, x ? *x : *y);
      }
    }
  }

  void by_digest(std::uint32_t i, base::Bytes stored) {
    const KnownContent* known = artefact_a(i).known_content(pairs_[i].a->entry);
    if (known == nullptr) {
      known = artefact_b(i).known_content(pairs_[i].b->entry);
    }
    if (known != nullptr && known->stored &&
        base::hash128(stored) == *known->stored) {
      out_[i] = Sight::kEqual;
    } else {
      look_alone(i);
    }
  }

  void look_alone(std::uint32_t i) {
    const FilePair& pair = pairs_[i];
    if (const auto equal = equal_by_digest(a_, *pair.a, b_, *pair.b)) {
      out_[i] = *equal ? Sight::kEqual : Sight::kDifferent;
    } else if (known_equal(a_, *pair.a, b_, *pair.b)) {
      out_[i] = Sight::kEqual;
    }
  }

  const Program& a_;
  const Program& b_;
  std::span<const FilePair> pairs_;
  std::vector<Sight> out_;
  std::vector<Work> works_;
  std::vector<std::uint32_t> alone_;
};

}  // namespace

std::vector<Sight> compare_at_sight(const Program& a, const Program& b,
                                    std::span<const FilePair> pairs,
                                    base::ThreadPool& pool) {
  return Looking(a, b, pairs).run(pool);
}

}  // namespace rejig::classfile
