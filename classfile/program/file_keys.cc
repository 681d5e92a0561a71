// SPDX-License-Identifier: Apache-2.0
#include "classfile/program/file_keys.h"

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <string_view>

#include "classfile/archive/stored_slices.h"

namespace rejig::classfile {

namespace {

// Little-endian, behind each other.
class Numbers {
 public:
  template <class T>
  void put(T value) {
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(bytes_.data() + size_, &value, sizeof value);
      size_ += sizeof value;
    } else {
      for (std::size_t i = 0; i < sizeof value; ++i) {
        bytes_[size_++] = static_cast<char>(value >> (8 * i) & 0xff);
      }
    }
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, 64> bytes_{};
  std::size_t size_ = 0;
};

FileKey stored_key(const Entry& entry, const base::Digest256& digest) {
  FileKey out;
  out.kind = FileKey::Kind::kStored;
  out.method = entry.method;
  out.crc = entry.crc;
  out.size = entry.size;
  out.stored_size = entry.stored_size;
  out.digest = digest;
  return out;
}

FileKey content_key(std::uint64_t size, const base::Digest256& digest) {
  FileKey out;
  out.kind = FileKey::Kind::kContent;
  out.size = size;
  out.digest = digest;
  return out;
}

bool is_damaged(const Artefact& artefact) {
  return artefact.file() != nullptr && artefact.file()->damaged();
}

class Keys {
 public:
  Keys(const Program& program, std::span<const ProgramFile> files)
      : program_(program), files_(files), out_(files.size()) {}

  std::vector<FileKey> run(base::ThreadPool& pool) {
    std::map<std::uint32_t, std::vector<Item>> of_roots;
    std::vector<std::uint32_t> alone;
    std::vector<Item>* last = nullptr;
    std::uint32_t last_root = 0;
    for (std::uint32_t i = 0; i < files_.size(); ++i) {
      const auto extent =
          stored_extent(program_.artefact_of(files_[i]), files_[i].entry);
      if (!extent) {
        alone.push_back(i);
        continue;
      }
      if (last == nullptr || last_root != files_[i].root) {
        last_root = files_[i].root;
        last = &of_roots[last_root];
      }
      last->push_back({i, *extent});
    }
    std::vector<StoredWindow> windows(pool.workers());
    for (auto& [root, items] : of_roots) read_slices(items, windows, pool);
    pool.for_ranges(alone.size(), 16,
                    [&](unsigned, std::size_t begin, std::size_t end) {
                      base::Buffer buffer;
                      for (std::size_t i = begin; i < end; ++i) {
                        by_itself(alone[i], buffer);
                      }
                    });
    return std::move(out_);
  }

 private:
  struct Item {
    std::uint32_t file = 0;
    StoredExtent extent;
  };

  void read_slices(std::vector<Item>& items, std::vector<StoredWindow>& windows,
                   base::ThreadPool& pool) {
    std::vector<std::pair<std::size_t, std::size_t>> slices;
    cut_into_slices(
        items, [](const Item& item) -> const StoredExtent& { return item.extent; },
        [&](std::size_t begin, std::size_t end) {
          slices.emplace_back(begin, end);
        });
    pool.for_each(slices.size(), [&](unsigned worker, std::size_t s) {
      const auto [begin, end] = slices[s];
      const std::span<const Item> part(items.data() + begin, end - begin);
      StoredExtent all = part.front().extent;
      for (const Item& item : part) all.end = std::max(all.end, item.extent.end);
      StoredWindow& window = windows[worker];
      const MappedFile& file =
          *program_.artefact_of(files_[part.front().file]).file();
      const bool read = window.read(file, all);
      base::Buffer buffer;
      for (const Item& item : part) {
        const Entry& entry = entry_of(item.file);
        const auto stored =
            read ? window.stored(item.extent, entry.stored_size) : std::nullopt;
        if (stored) {
          out_[item.file] = stored_key(entry, base::digest256(*stored));
        } else {
          by_itself(item.file, buffer);
        }
      }
    });
  }

  const Entry& entry_of(std::uint32_t i) const {
    return program_.artefact_of(files_[i]).entries()[files_[i].entry.index()];
  }

  void by_itself(std::uint32_t i, base::Buffer& buffer) {
    const Artefact& artefact = program_.artefact_of(files_[i]);
    const Entry& entry = entry_of(i);
    if (const auto* known = artefact.known_content(files_[i].entry)) {
      out_[i] = known->stored ? stored_key(entry, *known->stored)
                              : content_key(entry.size, known->content);
      return;
    }
    const auto stored = artefact.stored_bytes(files_[i].entry);
    if (stored && artefact.kind() != ArtefactKind::kClassFile) {
      const auto digest = base::digest256(*stored);
      if (!is_damaged(artefact)) out_[i] = stored_key(entry, digest);
      return;
    }
    const auto bytes = program_.read(files_[i], buffer);
    if (!bytes.ok()) return;
    const auto digest = base::digest256(*bytes);
    if (is_damaged(artefact)) return;
    out_[i] = content_key(bytes->size(), digest);
    artefact.note_content(files_[i].entry, digest);
  }

  const Program& program_;
  std::span<const ProgramFile> files_;
  std::vector<FileKey> out_;
};

}  // namespace

void FileKey::append_to(std::string& out) const {
  Numbers numbers;
  numbers.put(static_cast<std::uint8_t>(kind));
  numbers.put(method);
  numbers.put(crc);
  numbers.put(size);
  numbers.put(stored_size);
  for (const std::uint64_t word : digest.words) numbers.put(word);
  out += numbers.text();
}

std::vector<FileKey> file_keys(const Program& program,
                               std::span<const ProgramFile> files,
                               base::ThreadPool& pool) {
  return Keys(program, files).run(pool);
}

FileKey file_key(const Program& program, const ProgramFile& file,
                 base::Bytes content) {
  const Artefact& artefact = program.artefact_of(file);
  const Entry& entry = artefact.entries()[file.entry.index()];
  const auto stored = artefact.kind() == ArtefactKind::kClassFile
                          ? std::nullopt
                          : artefact.stored_bytes(file.entry);
  // A directory that lies about the size says nothing about the bytes.
  if (stored && entry.size == content.size()) {
    return stored_key(entry, base::digest256(*stored));
  }
  return content_key(content.size(), base::digest256(content));
}

}  // namespace rejig::classfile
