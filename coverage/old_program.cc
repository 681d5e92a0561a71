// SPDX-License-Identifier: Apache-2.0
#include "coverage/old_program.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "classfile/base/hash.h"
#include "classfile/class_view.h"
#include "coverage/store_block.h"
#include "coverage/stored_artefact.h"

namespace rejig::coverage {

using base::Bytes;
using base::Error;
using classfile::ClassView;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Tag;

namespace {

constexpr unsigned kHasStored = 1;
constexpr unsigned kHasContent = 2;
constexpr unsigned kHasSha256 = 4;
constexpr unsigned kUnreadable = 8;

void put_digest(std::string& out, const base::Digest128& digest) {
  for (const std::uint64_t half : {digest.high, digest.low}) {
    for (unsigned shift = 64; shift > 0; shift -= 8) {
      out += static_cast<char>(half >> (shift - 8) & 0xff);
    }
  }
}

void put_bytes(std::string& out, Bytes bytes) { out += as_text(bytes); }

// The class that `text` is or is an array of.
std::string_view class_in(std::string_view text) {
  if (!text.starts_with('[')) return text;
  const auto begin = text.find('L');
  if (begin == std::string_view::npos || !text.ends_with(';')) return {};
  return text.substr(begin + 1, text.size() - begin - 2);
}

// Every class that the file may mean: what its constants and descriptors name.
void add_mentions(const ClassView& cls, std::set<std::string>& out) {
  const auto& pool = cls.pool();
  for (std::uint16_t i = 1; i < pool.count(); ++i) {
    if (pool.tag(i) == Tag::kClass) out.emplace(class_in(pool.text(i)));
    const std::string_view text = pool.utf8(i);
    if (!text.starts_with('(') && !text.starts_with('L') &&
        !text.starts_with('[')) {
      continue;
    }
    for (auto begin = text.find('L'); begin != std::string_view::npos;) {
      const auto end = text.find(';', begin);
      if (end == std::string_view::npos) break;
      out.emplace(text.substr(begin + 1, end - begin - 1));
      begin = text.find('L', end);
    }
  }
}

void put_tests(std::string& out, const std::vector<StoredTest>& tests) {
  put_varint(out, tests.size());
  StoredTest before;
  for (const auto& test : tests) {
    put_front_coded(out, before.id, test.id);
    put_front_coded(out, before.class_name, test.class_name);
    put_front_coded(out, before.declared_in, test.declared_in);
    put_front_coded(out, before.framework, test.framework);
    before = test;
  }
}

std::vector<StoredTest> get_tests(base::ByteReader& in) {
  std::vector<StoredTest> out;
  StoredTest test;
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    get_front_coded(in, test.id);
    get_front_coded(in, test.class_name);
    get_front_coded(in, test.declared_in);
    get_front_coded(in, test.framework);
    out.push_back(test);
  }
  return out;
}

// What is behind one suite, in the making.
class ProgramWriter {
 public:
  explicit ProgramWriter(MatrixBuilder& builder) : builder_(builder) {}

  // `sees` is shown every readable file.
  template <class Sees>
  void add_file(std::string& section, const Program& program,
                const ProgramFile& file, bool is_class, Sees&& sees) {
    const auto& artefact = program.artefact_of(file);
    const auto& entry = artefact.entries()[file.entry.index()];
    std::vector<std::byte> buffer;
    const auto bytes = program.read(file, buffer);
    const auto stored = artefact.stored_bytes(file.entry);
    const bool keeps = is_class || file.name.ends_with("module-info.class");
    unsigned flags = 0;
    if (!bytes.ok()) flags |= kUnreadable;
    // A directory that lies about the size says nothing about the bytes.
    if (bytes.ok() && stored && entry.size == bytes->size()) {
      flags |= kHasStored;
    }
    if (bytes.ok() && keeps) flags |= kHasContent;
    if (bytes.ok() && is_class) flags |= kHasSha256;
    put_front_coded(section, name_, file.name);
    name_ = std::string(file.name);
    section += static_cast<char>(flags);
    if (!bytes.ok()) return;
    put_varint(section, bytes->size());
    put_digest(section, base::hash128(*bytes));
    if ((flags & kHasStored) != 0) {
      put_varint(section, entry.method);
      put_varint(section, entry.size);
      put_varint(section, entry.stored_size);
      put_varint(section, entry.crc);
      put_digest(section, base::hash128(*stored));
    }
    if ((flags & kHasContent) != 0) {
      if (!pack_.empty() && pack_.size() + bytes->size() > kPackSize) {
        finish_pack();
      }
      put_varint(section, packs_.size());
      put_varint(section, pack_.size());
      put_bytes(pack_, *bytes);
    }
    if ((flags & kHasSha256) != 0) {
      put_bytes(section, base::sha256(*bytes));
    }
    sees(*bytes);
  }

  void begin_section() { name_.clear(); }

  std::string finish(const ProgramOrigin& origin, const Program& program,
                     const std::vector<std::string>& sections) {
    finish_pack();
    std::string out;
    put_text(out, kProgramMagic);
    put_varint(out, origin.release);
    put_text(out, origin.platform);
    put_text(out, origin.patterns);
    put_varint(out, origin.libraries.size());
    for (const auto& library : origin.libraries) {
      put_text(out, library.name);
      put_text(out, library.digest);
    }
    put_refused(out, program);
    put_varint(out, packs_.size());
    for (const auto& digest : packs_) put_digest(out, digest);
    for (const auto& section : sections) out += section;
    return out;
  }

 private:
  void finish_pack() {
    if (pack_.empty()) return;
    packs_.push_back(base::hash128(pack_));
    builder_.add_facts(kPackPrefix + base::to_hex(packs_.back()), pack_);
    pack_.clear();
  }

  static void put_refused(std::string& out, const Program& program) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& root : program.roots()) {
      const std::string name = root->path().substr(root->path().rfind('/') + 1);
      for (const auto& container : root->containers()) {
        if (!container.refused.empty()) {
          found.emplace_back(name + "!/" + std::string(container.prefix),
                             container.refused);
        }
      }
      for (const auto& nested : root->unreadable()) {
        found.emplace_back(name + "!/" + nested.in, nested.error.what);
      }
    }
    put_varint(out, found.size());
    for (const auto& [in, why] : found) {
      put_text(out, in);
      put_text(out, why);
    }
  }

  MatrixBuilder& builder_;
  std::string name_;
  std::string pack_;
  std::vector<base::Digest128> packs_;
};

// Classes of the libraries that inherit from internal ones: a change of these
// reaches them although nothing mentions them.
void add_heirs(const Program& internal,
               std::span<const Program* const> libraries,
               std::set<std::string>& out) {
  std::multimap<std::string, std::string> below;  // by direct supertype
  for (const Program* library : libraries) {
    for (const auto& file : library->classes()) {
      std::vector<std::byte> buffer;
      const auto bytes = library->read(file, buffer);
      if (!bytes.ok()) continue;
      const auto cls = ClassView::parse_layout(*bytes, std::string(file.name));
      if (!cls.ok()) continue;
      below.emplace(cls->super_name(), file.name);
      for (const auto interface : cls->interfaces()) {
        below.emplace(interface, file.name);
      }
    }
  }
  std::vector<std::string> todo;
  for (const auto& [super, name] : below) {
    if (internal.find_class(super) != nullptr) todo.push_back(name);
  }
  std::set<std::string> known;
  while (!todo.empty()) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    if (!known.insert(name).second) continue;
    out.insert(name);
    const auto [begin, end] = below.equal_range(name);
    for (auto at = begin; at != end; ++at) todo.push_back(at->second);
  }
}

using Seen = std::pair<const Program*, const ProgramFile*>;

// Of the external programs what is mentioned, and what stands above that.
std::map<std::string, Seen> external_classes(
    const Program& internal, std::span<const Program* const> external,
    const std::set<std::string>& mentioned) {
  std::map<std::string, Seen> out;
  std::vector<std::string> todo(mentioned.begin(), mentioned.end());
  while (!todo.empty()) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    if (out.contains(name) || internal.find_class(name) != nullptr) continue;
    for (const Program* program : external) {
      const ProgramFile* file = program->find_class(name);
      if (file == nullptr) continue;
      out.emplace(name, Seen(program, file));
      std::vector<std::byte> buffer;
      const auto bytes = program->read(*file, buffer);
      if (!bytes.ok()) break;
      const auto cls = ClassView::parse_layout(*bytes, name);
      if (!cls.ok()) break;
      todo.emplace_back(cls->super_name());
      for (const auto interface : cls->interfaces()) {
        todo.emplace_back(interface);
      }
      break;
    }
  }
  return out;
}

base::Digest128 get_digest(base::ByteReader& in) {
  base::Digest128 out;
  out.high = in.u8();
  out.low = in.u8();
  return out;
}

// What stands before the files.
struct Head {
  ProgramOrigin origin;
  std::vector<std::pair<std::string, std::string>> refused;
  std::vector<base::Digest128> packs;
};

std::pair<std::string, std::string> get_pair(base::ByteReader& in) {
  std::string first(get_text(in));
  return {std::move(first), std::string(get_text(in))};
}

bool get_head(base::ByteReader& in, Head& out) {
  if (get_text(in) != kProgramMagic) return false;
  out.origin.release = static_cast<unsigned>(get_varint(in));
  out.origin.platform = std::string(get_text(in));
  out.origin.patterns = std::string(get_text(in));
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    auto [name, digest] = get_pair(in);
    out.origin.libraries.push_back({std::move(name), std::move(digest)});
  }
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    out.refused.push_back(get_pair(in));
  }
  for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
    out.packs.push_back(get_digest(in));
  }
  return !in.failed();
}

// Packs that no program has any more. A record that is not understood keeps
// them all.
void drop_unused_packs(MatrixBuilder& builder) {
  std::set<std::string> used;
  for (const auto& name : builder.fact_names(kProgramFact)) {
    for (const auto& record : builder.facts(name)) {
      base::ByteReader in(as_bytes(record));
      Head head;
      if (!get_head(in, head)) return;
      for (const auto& pack : head.packs) {
        used.insert(kPackPrefix + base::to_hex(pack));
      }
    }
  }
  for (const auto& name : builder.fact_names(kPackPrefix)) {
    if (!used.contains(name)) builder.drop_facts(name);
  }
}

class ProgramReader {
 public:
  ProgramReader(Matrix& matrix, std::string_view suite)
      : matrix_(matrix), label_("old program of " + std::string(suite)) {}

  base::Result<StoredProgram> read(std::string_view record) {
    base::ByteReader in(as_bytes(record));
    StoredProgram out;
    Head head;
    if (!get_head(in, head)) return broken("of another version");
    out.origin = std::move(head.origin);
    pack_count_ = head.packs.size();
    const auto reader =
        std::make_shared<PackReader>(matrix_, std::move(head.packs));
    auto internal = std::make_unique<StoredArtefact>(reader, label_);
    auto shells = std::make_unique<StoredArtefact>(reader, label_);
    for (auto& [name, why] : head.refused) {
      internal->add_refused(std::move(name), std::move(why));
    }
    std::vector<ProgramFile> classes;
    std::vector<ProgramFile> resources;
    std::vector<ProgramFile> external;
    get_section(in, true, *internal, classes);
    get_section(in, false, *internal, resources);
    get_section(in, true, *shells, external);
    out.tests = get_tests(in);
    if (in.failed() || !in.at_end()) return broken("damaged");
    out.internal = program_of(std::move(internal), std::move(classes),
                              std::move(resources));
    out.shells = program_of(std::move(shells), std::move(external), {});
    return out;
  }

 private:
  base::Error broken(const char* how) const {
    return {base::Errc::kMalformed,
            std::string("the list of its files is ") + how, label_};
  }

  static Program program_of(std::unique_ptr<StoredArtefact> artefact,
                            std::vector<ProgramFile> classes,
                            std::vector<ProgramFile> resources) {
    std::vector<std::unique_ptr<classfile::Artefact>> roots;
    roots.push_back(std::move(artefact));
    return Program::of(std::move(roots), std::move(classes),
                       std::move(resources));
  }

  void get_section(base::ByteReader& in, bool of_classes,
                   StoredArtefact& artefact, std::vector<ProgramFile>& files) {
    std::string name;
    for (auto n = get_varint(in); n > 0 && !in.failed(); --n) {
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
    if ((flags & kHasSha256) != 0) {
      const Bytes bytes = in.bytes(file.sha256.size());
      std::copy(bytes.begin(), bytes.end(), file.sha256.begin());
    }
  }

  Matrix& matrix_;
  std::string label_;
  std::size_t pack_count_ = 0;
};

}  // namespace

void add_program(MatrixBuilder& builder, std::string_view suite,
                 const Program& internal,
                 const std::vector<const Program*>& libraries,
                 const Program* platform, const ProgramOrigin& origin,
                 const std::vector<StoredTest>& tests) {
  ProgramWriter writer(builder);
  std::set<std::string> mentioned;
  std::vector<std::string> sections(3);
  put_varint(sections[0], internal.classes().size());
  for (const auto& file : internal.classes()) {
    writer.add_file(sections[0], internal, file, true, [&](Bytes bytes) {
      const auto cls = ClassView::parse_layout(bytes, std::string(file.name));
      if (cls.ok()) add_mentions(*cls, mentioned);
    });
  }
  const auto sees_nothing = [](Bytes) {};
  writer.begin_section();
  put_varint(sections[1], internal.resources().size());
  for (const auto& file : internal.resources()) {
    writer.add_file(sections[1], internal, file, false, sees_nothing);
  }
  writer.begin_section();
  add_heirs(internal, libraries, mentioned);
  std::vector<const Program*> external = libraries;
  if (platform != nullptr) external.push_back(platform);
  const auto shells = external_classes(internal, external, mentioned);
  put_varint(sections[2], shells.size());
  for (const auto& [name, seen] : shells) {
    writer.add_file(sections[2], *seen.first, *seen.second, true, sees_nothing);
  }
  put_tests(sections.emplace_back(), tests);
  const std::string record = writer.finish(origin, internal, sections);
  const std::string name = kProgramFact + std::string(suite);
  builder.drop_facts(name);
  builder.add_facts(name, record);
  drop_unused_packs(builder);
}

base::Result<std::vector<std::string>> suites_with_program(Matrix& matrix) {
  REJIG_TRY(auto names, matrix.fact_names(kProgramFact));
  for (auto& name : names) {
    name.erase(0, std::string_view(kProgramFact).size());
  }
  return names;
}

base::Result<StoredProgram> read_program(Matrix& matrix,
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
  return ProgramReader(matrix, suite).read(records[0]);
}

std::optional<bool> stored_digest_is(const Program& program,
                                     const ProgramFile& file,
                                     std::string_view digest) {
  const auto* artefact =
      dynamic_cast<const StoredArtefact*>(&program.artefact_of(file));
  if (artefact == nullptr) return std::nullopt;
  const StoredFile& stored = artefact->stored(file.entry);
  if (!stored.readable) return false;
  if (digest.size() == 2 * stored.sha256.size()) {
    return base::to_hex(stored.sha256) == digest;
  }
  return base::to_hex(stored.known.content) == digest;
}

}  // namespace rejig::coverage
