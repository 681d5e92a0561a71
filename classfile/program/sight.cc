// SPDX-License-Identifier: Apache-2.0
// Pairs go along the slices of the one file, and each slice is one read of the
// other file, too. What does not fit the pattern (a local header longer than
// thought, neighbours that lie apart in the other file) is asked for by itself.
#include "classfile/program/sight.h"

#include <algorithm>
#include <cstring>

#include "classfile/archive/mapped_file.h"
#include "classfile/archive/stored_slices.h"
#include "classfile/base/hash.h"

namespace rejig::classfile {

namespace {

struct Item {
  std::uint32_t pair = 0;
  StoredExtent in_a;  // empty: not read from a file
  StoredExtent in_b;
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

bool same_directory_entry(const Entry& x, const Entry& y) {
  return x.method == y.method && x.size == y.size &&
         x.stored_size == y.stored_size && x.crc == y.crc;
}

class Looking {
 public:
  Looking(const Program& a, const Program& b, std::span<const FilePair> pairs)
      : a_(a), b_(b), pairs_(pairs), out_(pairs.size(), Sight::kUnknown) {}

  std::vector<Sight> run(base::ThreadPool& pool) {
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) prepare(i);
    // Where much differs most files will be read, and their bytes are mapped
    // anyway.
    constexpr std::size_t kFew = 64;
    in_place_ = others_ > pairs_.size() / kFew;
    std::vector<Slice> slices;
    for (Work& work : works_) cut(work, slices);
    std::vector<StoredWindow> of_a(pool.workers());
    std::vector<StoredWindow> of_b(pool.workers());
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
    return a_.artefact_of(*pairs_[i].a);
  }
  const Artefact& artefact_b(std::uint32_t i) const {
    return b_.artefact_of(*pairs_[i].b);
  }

  void prepare(std::uint32_t i) {
    const Artefact& one = artefact_a(i);
    const Artefact& two = artefact_b(i);
    const EntryId in_one = pairs_[i].a->entry;
    const EntryId in_two = pairs_[i].b->entry;
    if (&one == &two && in_one == in_two) {
      out_[i] = Sight::kEqual;
      return;
    }
    const KnownContent* const x = one.known_content(in_one);
    const KnownContent* const y = two.known_content(in_two);
    if (x != nullptr && y != nullptr) {
      out_[i] =
          x->content == y->content ? Sight::kEqual : Sight::kDifferent;
      return;
    }
    if (!same_directory_entry(one.entries()[in_one.index()],
                              two.entries()[in_two.index()])) {
      ++others_;
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
          stored_extent(read, x != nullptr ? in_two : in_one);
      if (!known.stored || !extent) {
        alone_.push_back(i);
        return;
      }
      (x != nullptr ? item.in_b : item.in_a) = *extent;
      x != nullptr ? add(nullptr, two.file()) : add(one.file(), nullptr);
      return;
    }
    const auto place_a = stored_extent(one, in_one);
    const auto place_b = stored_extent(two, in_two);
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
    cut_into_slices(
        work.items,
        [&](const Item& item) -> const StoredExtent& {
          return work.a != nullptr ? item.in_a : item.in_b;
        },
        [&](std::size_t begin, std::size_t end) {
          slices.push_back({&work, begin, end});
        });
  }

  static StoredExtent around(const Slice& slice, bool of_a) {
    StoredExtent out{~std::uint64_t{0}, 0};
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      const Item& item = slice.work->items[i];
      const StoredExtent& one = of_a ? item.in_a : item.in_b;
      out.begin = std::min(out.begin, one.begin);
      out.end = std::max(out.end, one.end);
    }
    return out;
  }

  void look(const Slice& slice, StoredWindow& of_a, StoredWindow& of_b) {
    const Work& work = *slice.work;
    const auto read = [&](const MappedFile* file, bool a, StoredWindow& window) {
      if (file == nullptr) return true;
      const StoredExtent all = around(slice, a);
      // Neighbours here that lie far apart there.
      const bool wide =
          slice.end - slice.begin > 1 && all.end - all.begin > 2 * kStoredSlice;
      if (wide) return false;
      if (!in_place_ || !file->mapped()) return window.read(*file, all);
      window.look_at(*file, all);
      return true;
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
    // What was compared in place may have been zeros.
    const auto lost = [](const MappedFile* file) {
      return file != nullptr && file->damaged();
    };
    if (!lost(work.a) && !lost(work.b)) return;
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      out_[work.items[i].pair] = Sight::kUnknown;
    }
  }

  void by_digest(std::uint32_t i, base::Bytes stored) {
    const KnownContent* known = artefact_a(i).known_content(pairs_[i].a->entry);
    if (known == nullptr) {
      known = artefact_b(i).known_content(pairs_[i].b->entry);
    }
    if (known != nullptr && known->stored &&
        base::digest256(stored) == *known->stored) {
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
  std::size_t others_ = 0;  // another method, size or CRC
  bool in_place_ = false;
};

}  // namespace

std::vector<Sight> compare_at_sight(const Program& a, const Program& b,
                                    std::span<const FilePair> pairs,
                                    base::ThreadPool& pool) {
  return Looking(a, b, pairs).run(pool);
}

}  // namespace rejig::classfile
