// SPDX-License-Identifier: Apache-2.0
// JaCoCo's execution data: blocks of sessions and classes. A session block
// opens a dump; the class blocks up to the next one belong to it. JaCoCo sees
// neither method entry nor exceptions that leave a method in the middle, so a
// method without a probe that was hit may have run: the rows are lower bounds.
#include <map>

#include "classfile/words/entity.h"
#include "coverage/import/import.h"

#include "classfile/reader/modified_utf8.h"
#include "coverage/import/import_classes.h"

namespace rejig::coverage {
namespace {

using base::Errc;
using base::Error;
using classfile::AtomKind;

constexpr std::uint8_t kHeader = 0x01;
constexpr std::uint8_t kSession = 0x10;
constexpr std::uint8_t kClass = 0x11;
constexpr std::uint16_t kMagic = 0xC0C0;
constexpr std::uint16_t kVersion = 0x1007;
constexpr std::uint64_t kMostProbes = 1U << 24;

std::uint64_t get_varint(base::ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    const std::uint64_t byte = in.u1();
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  in.fail();
  return 0;
}

std::string get_utf(base::ByteReader& in) {
  const auto bytes = in.bytes(in.u2());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Session {
  Grade grade = Grade::kLowerBound;
  std::vector<MatrixBuilder::LocalAtom> atoms;
};

class Reader {
 public:
  Reader(base::Bytes file, const std::string& name,
         const ImportOptions& options, OldClasses& old_classes,
         MatrixBuilder& builder)
      : in_(file),
        name_(name),
        options_(options),
        old_(old_classes),
        builder_(builder) {}

  base::Result<ForeignReport> run() {
    if (in_.at_end()) return error(0, "the file is empty");
    while (!in_.at_end()) {
      const std::size_t at = in_.offset();
      const std::uint8_t kind = in_.u1();
      if (at == 0 && kind != kHeader) {
        return error(at, "not JaCoCo execution data");
      }
      if (kind == kHeader) {
        REJIG_TRY_VOID(read_header(at));
      } else if (kind == kSession) {
        session_ = test_id_of(get_utf(in_));
        in_.skip(16);
        if (!in_.failed()) sessions_[session_];
      } else if (kind == kClass) {
        REJIG_TRY_VOID(read_class(at));
      } else {
        return error(at, "block type " + std::to_string(kind) +
                             ", known are 1, 16 and 17");
      }
      if (in_.failed()) return error(at, "the file ends inside a block");
    }
    return finish();
  }

 private:
  Error error(std::size_t at, std::string what) const {
    return {Errc::kMalformed, std::move(what),
            name_ + " @" + std::to_string(at)};
  }

  base::Result<void> read_header(std::size_t at) {
    const std::uint16_t magic = in_.u2();
    const std::uint16_t version = in_.u2();
    if (in_.failed() || magic != kMagic) {
      return error(at, "not JaCoCo execution data");
    }
    if (version != kVersion) {
      return error(at, "JaCoCo format " + std::to_string(version) +
                           ", this rejig reads " + std::to_string(kVersion));
    }
    return {};
  }

  base::Result<void> read_class(std::size_t at) {
    const std::uint64_t id = in_.u8();
    const std::string cls = get_utf(in_);
    const std::uint64_t count = get_varint(in_);
    if (count > kMostProbes) return error(at, "more than 2^24 probes");
    const auto bits = in_.bytes((count + 7) / 8);
    if (in_.failed()) return {};
    if (session_.empty()) {
      session_ = options_.test;
      if (session_.empty()) {
        return error(at, "a class before any session, and no test is named");
      }
    }
    REJIG_TRY(const auto* old_class, old_.find(cls));
    if (old_class == nullptr) {
      ++unknown_[cls];
      return {};
    }
    auto& session = sessions_[session_];
    if (old_class->jacoco_id != id) {
      session.grade = Grade::kForeign;
      ++changed_[cls];
      return {};
    }
    const auto& probes = old_class->probes;
    if (probes && !probes->empty() && probes->back().end != count) {
      return error(at, "class " + cls + " has " +
                           std::to_string(probes->back().end) +
                           " probes, the file says " + std::to_string(count));
    }
    builder_.add_class(classfile::dotted(cls), old_class->digest);
    const auto hit = [&](std::uint32_t i) {
      return (std::to_integer<unsigned>(bits[i / 8]) >> i % 8 & 1) != 0;
    };
    if (!probes) {
      // Subroutines: the numbering is not known, so all of the class counts.
      for (const auto& method : old_class->methods) add(session, method);
      return {};
    }
    for (const auto& method : *probes) {
      for (std::uint32_t i = method.first; i < method.end; ++i) {
        if (!hit(i)) continue;
        add(session, method.entity);
        break;
      }
    }
    return {};
  }

  void add(Session& session, const std::string& method) {
    session.atoms.push_back(builder_.intern(AtomKind::kMethod, method));
  }

  base::Result<ForeignReport> finish() {
    ForeignReport report;
    for (auto& [test, session] : sessions_) {
      Row row;
      row.suite = options_.suite;
      row.test = test;
      row.grade = session.grade;
      row.result = options_.result;
      row.facts = Facts().with(AtomKind::kMethod);
      add_foreign_row(row, std::move(session.atoms), builder_, report);
    }
    if (!unknown_.empty()) {
      report.notes.push_back(std::to_string(unknown_.size()) +
                             " classes are not among the old classes, e.g. " +
                             classfile::dotted(unknown_.begin()->first));
    }
    if (!changed_.empty()) {
      report.notes.push_back(
          std::to_string(changed_.size()) +
          " classes were recorded on other bytes than the old ones, their "
          "tests become foreign, e.g. " +
          classfile::dotted(changed_.begin()->first));
    }
    return report;
  }

  base::ByteReader in_;
  const std::string& name_;
  const ImportOptions& options_;
  OldClasses& old_;
  MatrixBuilder& builder_;
  std::string session_;
  std::map<std::string, Session> sessions_;
  std::map<std::string, std::size_t> unknown_;
  std::map<std::string, std::size_t> changed_;
};

}  // namespace

base::Result<ForeignReport> import_jacoco(base::Bytes file,
                                          const std::string& name,
                                          const ImportOptions& options,
                                          OldClasses& old_classes,
                                          MatrixBuilder& builder) {
  return Reader(file, name, options, old_classes, builder).run();
}

void add_foreign_row(const Row& row,
                     std::vector<MatrixBuilder::LocalAtom> atoms,
                     MatrixBuilder& builder, ForeignReport& report) {
  if (row.test.empty() || row.test.find('\0') != std::string_view::npos ||
      !classfile::legal_modified_utf8(row.test, false)) {
    if (++report.nameless == 1) {
      report.notes.push_back(
          "rows whose name no test can have are left out, e.g. \"" +
          classfile::to_utf8(row.test) + "\"");
    }
    return;
  }
  builder.add_row(row, std::move(atoms));
  ++report.rows;
}

std::string test_id_of(std::string_view foreign) {
  std::string id(foreign);
  const auto parenthesis = id.find('(');
  if (id.find('#') == std::string::npos) {
    auto cut = id.rfind('/', parenthesis);
    if (cut == std::string::npos) cut = id.rfind('.', parenthesis);
    if (cut != std::string::npos && cut != 0) id[cut] = '#';
  }
  const auto hash = id.find('#');
  if (hash == std::string::npos) return id;
  for (std::size_t i = 0; i < hash; ++i) {
    if (id[i] == '/') id[i] = '.';
  }
  if (id.find('(', hash) == std::string::npos && id.substr(hash) != "#*") {
    id += "()";
  }
  return id;
}

}  // namespace rejig::coverage
