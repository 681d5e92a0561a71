// SPDX-License-Identifier: Apache-2.0
#include "coverage/import/ndjson.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "classfile/reader/modified_utf8.h"
#include "coverage/import/import_json.h"

namespace rejig::coverage {
namespace {

using base::Errc;
using base::Error;
using classfile::Atom;
using classfile::AtomKind;

constexpr std::size_t kBuffer = std::size_t{1} << 16;
constexpr std::size_t kLongestLine = std::size_t{256} << 20;

// A recorder that records these sees them in nearly every test, so that a row
// with one of them comes from such a recorder.
constexpr AtomKind kDense[] = {AtomKind::kInst, AtomKind::kRecv,
                               AtomKind::kInit, AtomKind::kLoad,
                               AtomKind::kExt};
constexpr AtomKind kSparse[] = {AtomKind::kMiss, AtomKind::kRefl,
                                AtomKind::kRes, AtomKind::kResMiss,
                                AtomKind::kStackApi};

struct Undeclared {
  std::string suite;
  std::string test;
  Row row;
  Facts seen;  // kinds of its atoms
  std::vector<MatrixBuilder::LocalAtom> atoms;
};

class Importer {
 public:
  Importer(const std::string& name, const std::string& suite,
           MatrixBuilder& builder)
      : name_(name), suite_(suite), builder_(builder) {}

  base::Result<void> line(std::string_view text) {
    ++number_;
    JsonReader in(text);
    if (in.peek() == '\0') return in.end() ? base::Result<void>() : error(in);
    suite_text_ = suite_;
    read_object(in);
    in.end();
    if (!in.failed()) finish_object(in);
    if (in.failed()) return error(in);
    return {};
  }

  base::Result<ImportReport> finish() {
    for (auto& pending : undeclared_) {
      Facts facts = Facts().with(AtomKind::kMethod);
      bool dense = false;
      for (const AtomKind kind : kDense) {
        if (!pending.seen.has(kind)) continue;
        dense = true;
        facts = facts.with(kind);
      }
      for (const AtomKind kind : kSparse) {
        if (dense && seen_.has(kind)) facts = facts.with(kind);
      }
      pending.row.suite = pending.suite;
      pending.row.test = pending.test;
      pending.row.facts = facts;
      builder_.add_row(pending.row, std::move(pending.atoms));
    }
    return report_;
  }

  Error too_long() const {
    return {
        Errc::kLimit,
        "the line is longer than " + std::to_string(kLongestLine) + " bytes",
        place(0, number_ + 1)};
  }

 private:
  std::string place(std::size_t offset, std::size_t line) const {
    return name_ + ":" + std::to_string(line) + ":" +
           std::to_string(offset + 1);
  }
  Error error(const JsonReader& in) const {
    return {Errc::kMalformed, in.what(), place(in.offset(), number_)};
  }

  void read_object(JsonReader& in) {
    version_ = false;
    type_.reset();
    grade_.reset();
    result_.reset();
    facts_.reset();
    test_.clear();
    row_ = Row();
    atoms_.clear();
    has_atoms_ = false;
    row_seen_ = Facts();
    is_header_ = false;
    in.object([&](std::string_view key) { read_member(in, key); });
  }

  void read_member(JsonReader& in, std::string_view key) {
    if (key == "v") {
      std::uint64_t version = 0;
      if (in.integer(version) && version != 1) {
        in.reject("version " + std::to_string(version) +
                  ", this rejig reads version 1");
      }
      version_ = true;
    } else if (key == "type") {
      type_.emplace();
      if (in.text(*type_) && *type_ != "matrix" && *type_ != "row") {
        in.reject("the type is \"" + *type_ + "\", expected matrix or row");
      }
      is_header_ = *type_ == "matrix";
    } else if (key == "suite") {
      if (in.text(suite_text_) && suite_text_.empty()) {
        in.reject("the suite is empty");
      }
    } else if (key == "test") {
      if (in.text(test_) && test_.empty()) in.reject("the test id is empty");
    } else if (key == "grade") {
      read_name(in, "grade", grade_, grade_of,
                "complete, shared, lower-bound, partial or foreign");
    } else if (key == "result") {
      read_name(in, "result", result_, outcome_of,
                "pass, unknown, skip, fail or error");
    } else if (key == "ms") {
      double ms = 0;
      if (in.number(ms) && !(ms >= 0 && ms < 1e15)) {
        in.reject("the time is outside of 0 to 1e15 ms");
      }
      if (!in.failed()) row_.ms = static_cast<std::uint64_t>(ms + 0.5);
    } else if (key == "facts") {
      facts_ = Facts();
      in.array([&] { read_kind(in); });
    } else if (key == "atoms") {
      has_atoms_ = true;
      in.array([&] { read_atom(in); });
    } else if (key == "classes") {
      in.array([&] { read_class(in); });
    } else if (key == "environment") {
      in.object([&](std::string_view name) { read_environment(in, name); });
    } else {
      in.skip();
    }
  }

  template <class E, class F>
  void read_name(JsonReader& in, std::string_view what, std::optional<E>& out,
                 F&& parse, std::string_view expected) {
    if (!in.text(text_)) return;
    out = parse(text_);
    if (!out) {
      in.reject("the " + std::string(what) + " is \"" + text_ +
                "\", expected " + std::string(expected));
    }
  }

  void read_kind(JsonReader& in) {
    if (!in.text(text_)) return;
    const auto kind = classfile::atom_kind(text_);
    if (!kind) {
      in.reject("\"" + text_ + "\" is not a kind of atoms");
      return;
    }
    facts_ = facts_->with(*kind);
  }

  void read_atom(JsonReader& in) {
    if (!in.text(text_)) return;
    const auto atom = classfile::parse_atom(text_);
    if (!atom) {
      in.reject("\"" + text_.substr(0, 80) + "\" is not an atom");
      return;
    }
    row_seen_ = row_seen_.with(atom->kind);
    atoms_.push_back(builder_.intern(*atom));
    // Who called a method on a receiver, or took an edge of it, ran it.
    if (atom->kind == AtomKind::kRecv) {
      add_method(atom->text.substr(atom->text.find('|') + 1));
    } else if (atom->kind == AtomKind::kEdge) {
      add_method(atom->text.substr(0, atom->text.rfind('#')));
    }
  }

  void add_method(std::string entity) {
    atoms_.push_back(builder_.intern({AtomKind::kMethod, std::move(entity)}));
  }

  void read_class(JsonReader& in) {
    std::string name;
    std::string digest;
    in.object([&](std::string_view key) {
      if (key == "name") {
        in.text(name);
      } else if (key == "digest") {
        in.text(digest);
      } else {
        in.skip();
      }
    });
    if (in.failed()) return;
    if (name.empty() || digest.empty()) {
      in.reject("a class needs a name and a digest");
      return;
    }
    builder_.add_class(name, digest);
  }

  void read_environment(JsonReader& in, std::string_view name) {
    const auto one = [&] {
      if (in.text(text_)) builder_.add_environment(name, text_);
    };
    if (in.peek() == '[') {
      in.array(one);
    } else {
      one();
    }
  }

  void finish_object(JsonReader& in) {
    if (!version_) {
      in.reject("the member \"v\" is missing");
    } else if (is_header_) {
      if (report_.rows != 0 && !report_.header) {
        in.reject("a header behind rows that have none");
      }
      report_.header = true;
      header_facts_ = facts_;
    } else if (test_.empty() || !grade_ || !result_ || !has_atoms_) {
      in.reject(std::string("the member \"") +
                (test_.empty() ? "test"
                 : !grade_     ? "grade"
                 : !result_    ? "result"
                               : "atoms") +
                "\" of a row is missing");
    } else {
      add_row();
    }
  }

  void add_row() {
    ++report_.rows;
    seen_ = seen_ | row_seen_;
    row_.grade = *grade_;
    row_.result = *result_;
    const auto declared = facts_ ? facts_ : header_facts_;
    if (!declared) {
      undeclared_.push_back(
          {suite_text_, test_, row_, row_seen_, std::exchange(atoms_, {})});
      return;
    }
    row_.suite = suite_text_;
    row_.test = test_;
    row_.facts = *declared;
    builder_.add_row(row_, std::exchange(atoms_, {}));
  }

  const std::string& name_;
  const std::string& suite_;
  MatrixBuilder& builder_;
  std::size_t number_ = 0;
  ImportReport report_;
  std::optional<Facts> header_facts_;
  Facts seen_;
  std::vector<Undeclared> undeclared_;

  // The line that is being read.
  bool version_ = false;
  bool is_header_ = false;
  bool has_atoms_ = false;
  std::optional<std::string> type_;
  std::optional<Grade> grade_;
  std::optional<Outcome> result_;
  std::optional<Facts> facts_;
  std::string suite_text_;
  std::string test_;
  std::string text_;
  Row row_;
  Facts row_seen_;
  std::vector<MatrixBuilder::LocalAtom> atoms_;
};

void put_json(std::string& out, std::string_view text) {
  out += '"';
  classfile::append_json_text(out, text);
  out += '"';
}

void put_row_head(std::string& out, const Row& row) {
  out += R"({"v":1,"suite":)";
  put_json(out, row.suite);
  out += R"(,"test":)";
  put_json(out, row.test);
  out += R"(,"grade":")";
  out += name_of(row.grade);
  out += R"(","result":")";
  out += name_of(row.result);
  out += R"(","ms":)";
  out += std::to_string(row.ms);
  out += R"(,"facts":[)";
  bool first = true;
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    if (!row.recorded(kind)) continue;
    if (!std::exchange(first, false)) out += ',';
    put_json(out, classfile::prefix_of(kind));
  }
  out += R"(],"atoms":[)";
}

base::Result<std::string> header_line(Matrix& matrix) {
  std::string out = R"({"v":1,"type":"matrix","classes":[)";
  REJIG_TRY(const auto classes, matrix.classes());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    out += i == 0 ? R"({"name":)" : R"(,{"name":)";
    put_json(out, classes[i].name);
    out += R"(,"digest":)";
    put_json(out, classes[i].digest);
    out += '}';
  }
  out += R"(],"environment":{)";
  REJIG_TRY(const auto entries, matrix.environment());
  for (std::size_t i = 0; i < entries.size();) {
    if (i != 0) out += ',';
    put_json(out, entries[i].key);
    std::size_t end = i + 1;
    while (end < entries.size() && entries[end].key == entries[i].key) ++end;
    const bool several = end - i > 1;
    out += several ? ":[" : ":";
    for (const std::size_t begin = i; i < end; ++i) {
      if (i != begin) out += ',';
      put_json(out, entries[i].value);
    }
    if (several) out += ']';
  }
  out += "}}\n";
  return out;
}

}  // namespace

base::Result<ImportReport> import_ndjson(const ReadBytes& read,
                                         const std::string& name,
                                         const std::string& suite,
                                         MatrixBuilder& builder) {
  Importer importer(name, suite, builder);
  std::string line;
  std::string buffer(kBuffer, '\0');
  while (true) {
    REJIG_TRY(const std::size_t got, read(buffer.data(), buffer.size()));
    if (got == 0) break;
    std::string_view rest(buffer.data(), got);
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos;
         end = rest.find('\n')) {
      line += rest.substr(0, end);
      rest.remove_prefix(end + 1);
      REJIG_TRY_VOID(importer.line(line));
      line.clear();
    }
    line += rest;
    if (line.size() > kLongestLine) return importer.too_long();
  }
  if (!line.empty()) REJIG_TRY_VOID(importer.line(line));
  return importer.finish();
}

base::Result<void> export_ndjson(Matrix& matrix, const WriteText& write) {
  // By row, which a store is not.
  MatrixBuilder copy;
  REJIG_TRY_VOID(copy.add(matrix));
  const auto by_row = copy.finish();
  REJIG_TRY(auto line, header_line(*by_row));
  write(line);
  REJIG_TRY(const auto rows, by_row->rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    line.clear();
    put_row_head(line, rows[i]);
    REJIG_TRY(const auto atoms, by_row->atoms_of(RowId::of(i)));
    for (std::size_t a = 0; a < atoms.size(); ++a) {
      if (a != 0) line += ',';
      REJIG_TRY(const auto atom, by_row->atom(atoms[a]));
      put_json(line, classfile::to_string(atom));
    }
    line += "]}\n";
    write(line);
  }
  return {};
}

}  // namespace rejig::coverage
