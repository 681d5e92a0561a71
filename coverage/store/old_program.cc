// SPDX-License-Identifier: Apache-2.0
#include "coverage/store/old_program.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "classfile/base/hash.h"
#include "classfile/reader/class_view.h"
#include "coverage/store/old_program_coding.h"
#include "coverage/store/store_block.h"
#include "coverage/store/stored_artefact.h"

namespace rejig::coverage {

using base::Bytes;
using base::Error;
using classfile::ClassView;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Tag;

namespace {

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

// What is behind one suite, in the making.
class ProgramWriter {
 public:
  explicit ProgramWriter(MatrixBuilder& builder) : builder_(builder) {}

  // `sees` is shown every readable file. Its key.
  template <class Sees>
  classfile::FileKey add_file(std::string& section, const Program& program,
                              const ProgramFile& file, bool is_class,
                              Sees&& sees) {
    base::Buffer buffer;
    const auto bytes = program.read(file, buffer);
    const bool keeps = is_class || file.name.ends_with("module-info.class");
    classfile::FileKey key;
    if (bytes.ok()) key = classfile::file_key(program, file, *bytes);
    unsigned flags = 0;
    if (!bytes.ok()) flags |= kUnreadable;
    if (key.kind == classfile::FileKey::Kind::kStored) flags |= kHasStored;
    if (bytes.ok() && keeps) flags |= kHasContent;
    put_front_coded(section, name_, file.name);
    name_ = std::string(file.name);
    section += static_cast<char>(flags);
    if (!bytes.ok()) return key;
    put_varint(section, bytes->size());
    put_digest(section, base::digest256(*bytes));
    if ((flags & kHasStored) != 0) {
      put_varint(section, key.method);
      put_varint(section, key.size);
      put_varint(section, key.stored_size);
      put_varint(section, key.crc);
      put_digest(section, key.digest);
    }
    if ((flags & kHasContent) != 0) {
      if (!pack_.empty() && pack_.size() + bytes->size() > kPackSize) {
        finish_pack();
      }
      put_varint(section, head_.packs.size());
      put_varint(section, pack_.size());
      put_bytes(pack_, *bytes);
    }
    sees(*bytes);
    return key;
  }

  void begin_section() { name_.clear(); }

  // The internal classes, in order.
  template <class Sees>
  void add_class(const Program& program, const ProgramFile& file, Sees&& sees) {
    if (chunk_.size() == 0) {
      if (list_.size() >= kPackSize) finish_list();
      begin_section();
      head_.chunks.push_back({});
      head_.chunks.back().fact = head_.lists.size();
      head_.chunks.back().offset = list_.size();
    }
    chunk_.add(file.name, add_file(list_, program, file, true, sees));
    if (ProgramChunk::ends_with(file.name)) finish_chunk();
  }

  std::string finish(const ProgramOrigin& origin, const Program& program,
                     const std::vector<std::string>& sections) {
    finish_chunk();
    finish_list();
    finish_pack();
    head_.origin = origin;
    note_refused(program);
    std::string out;
    put_head(out, head_);
    for (const auto& section : sections) out += section;
    return out;
  }

 private:
  void finish_chunk() {
    if (chunk_.size() == 0) return;
    ChunkEntry& entry = head_.chunks.back();
    entry.classes = chunk_.size();
    entry.matchable = chunk_.matchable();
    entry.digest = chunk_.digest();
    chunk_.clear();
  }

  void finish_list() { add_fact(kListPrefix, list_, head_.lists); }
  void finish_pack() { add_fact(kPackPrefix, pack_, head_.packs); }
  void add_fact(const char* prefix, std::string& bytes,
                std::vector<base::Digest256>& names) {
    if (bytes.empty()) return;
    names.push_back(base::digest256(bytes));
    builder_.add_facts(prefix + base::to_hex(names.back()), bytes, names.back());
    bytes.clear();
  }

  void note_refused(const Program& program) {
    for (const auto& root : program.roots()) {
      const std::string name = root->path().substr(root->path().rfind('/') + 1);
      for (const auto& container : root->containers()) {
        const std::string in = name + "!/" + std::string(container.prefix);
        if (!container.refused.empty()) {
          head_.refused.emplace_back(in, container.refused);
        }
        if (!container.refused_by_some.empty()) {
          head_.refused_by_some.emplace_back(in, container.refused_by_some);
        }
      }
      for (const auto& nested : root->unreadable()) {
        head_.refused.emplace_back(name + "!/" + nested.in, nested.error.what);
      }
    }
  }

  MatrixBuilder& builder_;
  std::string name_;
  std::string pack_;
  std::string list_;
  ProgramChunk chunk_;
  ProgramHead head_;
};

// Classes of the libraries that inherit from internal ones: a change of these
// reaches them although nothing mentions them.
void add_heirs(const Program& internal,
               std::span<const Program* const> libraries,
               std::set<std::string>& out) {
  std::multimap<std::string, std::string> below;  // by direct supertype
  for (const Program* library : libraries) {
    for (const auto& file : library->classes()) {
      base::Buffer buffer;
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
      base::Buffer buffer;
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

}  // namespace

void drop_unused_parts(MatrixBuilder& builder) {
  std::set<std::string> used;
  for (const auto& name : builder.fact_names(kProgramFact)) {
    for (const auto& record : builder.facts(name)) {
      base::ByteReader in(as_bytes(record));
      ProgramHead head;
      if (!get_head(in, head)) return;
      for (const auto& pack : head.packs) {
        used.insert(kPackPrefix + base::to_hex(pack));
      }
      for (const auto& list : head.lists) {
        used.insert(kListPrefix + base::to_hex(list));
      }
    }
  }
  for (const char* prefix : {kPackPrefix, kListPrefix}) {
    for (const auto& name : builder.fact_names(prefix)) {
      if (!used.contains(name)) builder.drop_facts(name);
    }
  }
}

void add_program(MatrixBuilder& builder, std::string_view suite,
                 const Program& internal,
                 const std::vector<const Program*>& libraries,
                 const Program* platform, const ProgramOrigin& origin,
                 const std::vector<StoredTest>& tests) {
  ProgramWriter writer(builder);
  std::set<std::string> mentioned;
  std::vector<std::string> sections(2);
  for (const auto& file : internal.classes()) {
    writer.add_class(internal, file, [&](Bytes bytes) {
      const auto cls = ClassView::parse_layout(bytes, std::string(file.name));
      if (cls.ok()) add_mentions(*cls, mentioned);
    });
  }
  const auto sees_nothing = [](Bytes) {};
  writer.begin_section();
  put_varint(sections[0], internal.resources().size());
  for (const auto& file : internal.resources()) {
    writer.add_file(sections[0], internal, file, false, sees_nothing);
  }
  writer.begin_section();
  add_heirs(internal, libraries, mentioned);
  std::vector<const Program*> external = libraries;
  if (platform != nullptr) external.push_back(platform);
  const auto shells = external_classes(internal, external, mentioned);
  put_varint(sections[1], shells.size());
  for (const auto& [name, seen] : shells) {
    writer.add_file(sections[1], *seen.first, *seen.second, true, sees_nothing);
  }
  put_tests(sections.emplace_back(), tests);
  const std::string record = writer.finish(origin, internal, sections);
  const std::string name = kProgramFact + std::string(suite);
  builder.drop_facts(name);
  builder.add_facts(name, record);
  drop_unused_parts(builder);
}

}  // namespace rejig::coverage
