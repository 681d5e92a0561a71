// SPDX-License-Identifier: Apache-2.0
// The other way: the record of an old program as a Program. Chunks of classes
// that the new program has, too, are not even unpacked: their files stand for
// the old ones.
#include <algorithm>
#include <utility>

#include "classfile/base/hash.h"
#include "classfile/words/entity.h"
#include "coverage/store/old_program_coding.h"
#include "coverage/store/store_block.h"
#include "coverage/store/stored_artefact.h"

namespace rejig::coverage {

using base::Bytes;
using base::Error;
using classfile::Program;
using classfile::ProgramFile;

namespace {

// Of the new program: where a chunk with this digest begins and ends.
struct NewChunk {
  base::Digest256 digest;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<NewChunk> chunks_of(const Program& now, base::ThreadPool& pool) {
  const auto files = now.classes();
  const auto keys = classfile::file_keys(now, files, pool);
  std::vector<std::uint8_t> ends(files.size());
  pool.for_ranges(files.size(), 2048,
                  [&](unsigned, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      ends[i] = ProgramChunk::ends_with(files[i].name) ? 1 : 0;
                    }
                  });
  std::vector<NewChunk> out;
  for (std::size_t i = 0, begin = 0; i < files.size(); ++i) {
    if (i + 1 != files.size() && ends[i] == 0) continue;
    out.push_back({{}, begin, i + 1});
    begin = i + 1;
  }
  std::vector<std::uint8_t> matchable(out.size());
  pool.for_ranges(out.size(), 32,
                  [&](unsigned, std::size_t first, std::size_t last) {
                    for (std::size_t c = first; c < last; ++c) {
                      ProgramChunk chunk;
                      for (std::size_t i = out[c].begin; i < out[c].end; ++i) {
                        chunk.add(files[i].name, keys[i]);
                      }
                      matchable[c] = chunk.matchable() ? 1 : 0;
                      out[c].digest = chunk.digest();
                    }
                  });
  std::size_t kept = 0;
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (matchable[c] != 0) out[kept++] = out[c];
  }
  out.resize(kept);
  std::sort(out.begin(), out.end(), [](const NewChunk& a, const NewChunk& b) {
    return a.digest < b.digest;
  });
  return out;
}

class ProgramReader {
 public:
  ProgramReader(Matrix& matrix, std::string label, const ProgramHead& head,
                const Program* now, base::ThreadPool* pool)
      : matrix_(matrix),
        label_(std::move(label)),
        head_(head),
        now_(now),
        pool_(pool),
        pack_count_(head.packs.size()) {}

  // `in` stands behind the head.
  base::Result<StoredProgram> read(base::ByteReader in) {
    StoredProgram out;
    out.origin = head_.origin;
    const auto reader = std::make_shared<PackReader>(matrix_, head_.packs);
    auto internal = std::make_unique<StoredArtefact>(reader, label_);
    auto shells = std::make_unique<StoredArtefact>(reader, label_);
    for (const auto& [name, why] : head_.refused) {
      internal->add_refused(name, why);
    }
    for (const auto& [name, why] : head_.refused_by_some) {
      internal->add_refused_by_some(name, why);
    }
    std::vector<ProgramFile> classes;
    std::vector<ProgramFile> resources;
    std::vector<ProgramFile> external;
    REJIG_TRY_VOID(get_chunks(*internal, classes));
    get_section(in, false, *internal, resources);
    get_section(in, true, *shells, external);
    out.tests = get_tests(in);
    if (in.failed() || !in.at_end()) return damaged();
    std::vector<const classfile::Artefact*> lent;
    if (now_ != nullptr) {
      for (const auto& root : now_->roots()) lent.push_back(root.get());
    }
    out.internal =
        program_of(std::move(internal), std::move(classes),
                   std::move(resources), std::move(lent));
    out.shells = program_of(std::move(shells), std::move(external), {}, {});
    return out;
  }

 private:
  Error damaged() const {
    return {base::Errc::kMalformed, "the list of its files is damaged", label_};
  }

  static Program program_of(std::unique_ptr<StoredArtefact> artefact,
                            std::vector<ProgramFile> classes,
                            std::vector<ProgramFile> resources,
                            std::vector<const classfile::Artefact*> lent) {
    std::vector<std::unique_ptr<classfile::Artefact>> roots;
    roots.push_back(std::move(artefact));
    return Program::of(std::move(roots), std::move(classes),
                       std::move(resources), std::move(lent));
  }

  base::Result<void> get_chunks(StoredArtefact& artefact,
                                std::vector<ProgramFile>& files) {
    std::vector<NewChunk> news;
    if (now_ != nullptr && pool_ != nullptr) {
      news = chunks_of(*now_, *pool_);
      files.reserve(now_->classes().size());
    }
    std::string list;
    std::uint64_t number = ~std::uint64_t{0};
    for (const ChunkEntry& chunk : head_.chunks) {
      const auto same = std::lower_bound(
          news.begin(), news.end(), chunk.digest,
          [](const NewChunk& a, const base::Digest256& d) {
            return a.digest < d;
          });
      if (chunk.matchable && same != news.end() &&
          same->digest == chunk.digest &&
          same->end - same->begin == chunk.classes) {
        if (!borrow(*same, files)) return damaged();
        continue;
      }
      if (number != chunk.fact) {
        REJIG_TRY(list, list_of(chunk.fact));
        number = chunk.fact;
      }
      if (chunk.offset > list.size()) return damaged();
      base::ByteReader in(
          as_bytes(list).subspan(static_cast<std::size_t>(chunk.offset)));
      get_files(in, chunk.classes, true, artefact, files);
      if (in.failed()) return damaged();
    }
    return {};
  }

  // Behind the one artefact of the stored program stand those of the new one.
  bool borrow(const NewChunk& chunk, std::vector<ProgramFile>& files) const {
    const auto from = now_->classes();
    if (!files.empty() && files.back().name >= from[chunk.begin].name) {
      return false;
    }
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      files.push_back({from[i].name, from[i].root + 1, from[i].entry});
    }
    return true;
  }

  base::Result<std::string> list_of(std::uint64_t number) {
    const auto& digest = head_.lists[static_cast<std::size_t>(number)];
    REJIG_TRY(auto contents, matrix_.facts(kListPrefix + base::to_hex(digest)));
    if (contents.size() != 1 || base::digest256(contents[0]) != digest) {
      return Error{base::Errc::kMalformed,
                   "a list of the old program's files is missing or another "
                   "one",
                   base::to_hex(digest)};
    }
    return std::move(contents[0]);
  }

  void get_section(base::ByteReader& in, bool of_classes,
                   StoredArtefact& artefact, std::vector<ProgramFile>& files) {
    get_files(in, get_varint(in), of_classes, artefact, files);
  }

  void get_files(base::ByteReader& in, std::uint64_t n, bool of_classes,
                 StoredArtefact& artefact, std::vector<ProgramFile>& files) {
    std::string name;
    for (; n > 0 && !in.failed(); --n) {
      get_front_coded(in, name);
      const unsigned flags = in.u1();
      classfile::Entry entry;
      StoredFile file;
      file.readable = (flags & kUnreadable) == 0;
      if (file.readable) get_content(in, flags, entry, file);
      const bool ordered = files.empty() || files.back().name < name ||
                           (!of_classes && files.back().name == name);
      if (!ordered) in.fail();
      if (in.failed()) return;
      const auto id =
          artefact.add(of_classes ? name + ".class" : name, entry, file);
      std::string_view path = artefact.entries()[id.index()].name;
      if (of_classes) path.remove_suffix(std::string_view(".class").size());
      files.push_back({path, 0, id});
    }
  }

  void get_content(base::ByteReader& in, unsigned flags,
                   classfile::Entry& entry, StoredFile& file) {
    const std::uint64_t size = get_varint(in);
    entry.size = entry.stored_size = size;
    file.known.content = get_digest(in);
    if ((flags & kHasStored) != 0) {
      entry.method = static_cast<std::uint16_t>(get_varint(in));
      entry.size = get_varint(in);
      entry.stored_size = get_varint(in);
      entry.crc = static_cast<std::uint32_t>(get_varint(in));
      file.known.stored = get_digest(in);
    }
    if ((flags & kHasContent) != 0) {
      const std::uint64_t pack = get_varint(in);
      const std::uint64_t offset = get_varint(in);
      if (pack >= pack_count_ || offset > kLargestFrame || entry.size != size) {
        in.fail();
      }
      file.pack = static_cast<std::uint32_t>(pack);
      file.offset = static_cast<std::uint32_t>(offset);
    }
  }

  Matrix& matrix_;
  std::string label_;
  const ProgramHead& head_;
  const Program* now_;
  base::ThreadPool* pool_;
  std::size_t pack_count_;
};

}  // namespace

base::Result<std::vector<std::string>> suites_with_program(Matrix& matrix) {
  REJIG_TRY(auto names, matrix.fact_names(kProgramFact));
  for (auto& name : names) {
    name.erase(0, std::string_view(kProgramFact).size());
  }
  return names;
}

base::Result<StoredRecord> read_record(Matrix& matrix,
                                       std::string_view suite) {
  REJIG_TRY(const auto records,
            matrix.facts(kProgramFact + std::string(suite)));
  if (records.empty()) {
    return Error{base::Errc::kNotFound,
                 "the matrix holds no old program of this suite",
                 std::string(suite)};
  }
  if (records.size() > 1) {
    return Error{base::Errc::kMalformed,
                 "the matrix holds " + std::to_string(records.size()) +
                     " different old programs of this suite",
                 std::string(suite)};
  }
  StoredRecord out;
  out.matrix_ = &matrix;
  out.label_ = "old program of " + std::string(suite);
  out.record_ = records[0];
  base::ByteReader in(as_bytes(out.record_));
  ProgramHead head;
  if (!get_head(in, head)) {
    return Error{base::Errc::kMalformed,
                 "the list of its files is of another version", out.label_};
  }
  out.origin = head.origin;
  return out;
}

base::Result<StoredProgram> StoredRecord::program(
    const Program* now, base::ThreadPool* pool) const {
  base::ByteReader in(as_bytes(record_));
  ProgramHead head;
  get_head(in, head);
  return ProgramReader(*matrix_, label_, head, now, pool).read(in);
}

base::Result<StoredProgram> read_program(Matrix& matrix,
                                         std::string_view suite) {
  REJIG_TRY(const auto record, read_record(matrix, suite));
  return record.program(nullptr, nullptr);
}

namespace {

// As SelectionInput::is_old asks, of the whole table.
base::Result<std::vector<std::string>> look_for_foreign(Matrix& matrix,
                                                        const Program& old) {
  REJIG_TRY(const auto classes, matrix.classes());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < classes.size();) {
    std::size_t end = i + 1;
    while (end < classes.size() && classes[end].name == classes[i].name) ++end;
    const auto* file = old.find_class(classfile::slashed(classes[i].name));
    if (end != i + 1 || file == nullptr ||
        !stored_digest_is(old, *file, classes[i].digest).value_or(false)) {
      out.emplace_back(classes[i].name);
    }
    i = end;
  }
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> note_foreign_classes(
    Matrix& matrix) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto suites = suites_with_program(matrix);
  if (!suites.ok() || !matrix.has_digests()) return out;
  for (const auto& suite : *suites) {
    const auto program = read_program(matrix, suite);
    if (!program.ok()) continue;  // a selection will say so
    const auto names = look_for_foreign(matrix, program->internal);
    if (!names.ok()) continue;
    std::string bytes;
    put_varint(bytes, names->size());
    for (const auto& name : *names) put_text(bytes, name);
    out.emplace_back(kForeignFact + suite, std::move(bytes));
  }
  return out;
}

base::Result<std::optional<std::vector<std::string>>> foreign_classes(
    Matrix& matrix, std::string_view suite) {
  REJIG_TRY(const auto facts, matrix.facts(kForeignFact + std::string(suite)));
  std::optional<std::vector<std::string>> out;
  if (facts.size() != 1) return out;
  base::ByteReader in(as_bytes(facts[0]));
  std::vector<std::string> names;
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    names.emplace_back(get_text(in));
  }
  if (!in.failed() && in.at_end()) out = std::move(names);
  return out;
}

std::optional<bool> stored_digest_is(const Program& program,
                                     const ProgramFile& file,
                                     std::string_view digest) {
  const auto* artefact =
      dynamic_cast<const StoredArtefact*>(&program.artefact_of(file));
  if (artefact == nullptr) return std::nullopt;
  const StoredFile& stored = artefact->stored(file.entry);
  if (!stored.readable) return false;
  return base::to_hex(stored.known.content) == digest;
}

}  // namespace rejig::coverage
