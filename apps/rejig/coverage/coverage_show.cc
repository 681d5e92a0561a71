// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>

#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/coverage/coverage_actions.h"
#include "classfile/reader/modified_utf8.h"

namespace rejig::app {
namespace {

using base::Errc;
using base::Error;
using classfile::Atom;
using classfile::AtomKind;
using coverage::AtomId;
using coverage::Row;
using coverage::RowId;
using coverage::RowSet;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  classfile::append_json_text(out, text);
  return out + "\"";
}

std::string facts_of(const Row& row) {
  std::string out;
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    if (!row.recorded(kind)) continue;
    if (!out.empty()) out += ' ';
    out += classfile::prefix_of(kind);
  }
  return out;
}

std::string state_of(const Row& row) {
  return std::string(name_of(row.grade)) + ", " +
         std::string(name_of(row.result)) + ", " + std::to_string(row.ms) +
         " ms";
}

class Show {
 public:
  Show(coverage::Matrix& matrix, Context& context)
      : matrix_(matrix), context_(context), json_(context.format != "text") {}

  base::Result<void> name(const std::string& name) {
    REJIG_TRY(const auto rows, matrix_.rows());
    RowSet asked(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].test == name) asked.insert(RowId::of(i));
    }
    if (!asked.empty()) return tests(rows, asked);
    REJIG_TRY(const auto atoms, atoms_of(name));
    for (const auto& atom : atoms) {
      REJIG_TRY(const auto having, matrix_.rows_with(atom));
      users(rows, atom, having);
    }
    if (!atoms.empty()) return {};
    return Error{Errc::kNotFound,
                 "no test, method, class or atom of the matrix has that name" +
                     did_you_mean(name, test_names(rows)),
                 name};
  }

 private:
  base::Result<void> tests(std::span<const Row> rows, const RowSet& asked) {
    for (const RowId id : asked.sorted()) {
      const Row& row = rows[id.index()];
      REJIG_TRY(const auto atoms, matrix_.atoms_of(id));
      if (!json_) {
        write(classfile::to_utf8(row.test) + "  (suite " +
              classfile::to_utf8(row.suite) + ")\n  " + state_of(row) +
              "\n  recorded: " + facts_of(row) + "\n  " +
              std::to_string(atoms.size()) + " atoms\n");
      }
      std::string list;
      for (const AtomId atom_id : atoms) {
        REJIG_TRY(const auto atom, matrix_.atom(atom_id));
        const auto text = classfile::to_string(atom);
        if (json_) {
          list += (list.empty() ? "" : ",") + quoted(text);
        } else {
          write("    " + classfile::to_utf8(text) + "\n");
        }
      }
      if (json_) {
        write(R"({"type":"test","suite":)" + quoted(row.suite) + R"(,"test":)" +
              quoted(row.test) + R"(,"grade":")" +
              std::string(name_of(row.grade)) + R"(","result":")" +
              std::string(name_of(row.result)) + R"(","ms":)" +
              std::to_string(row.ms) + R"(,"facts":)" + quoted(facts_of(row)) +
              R"(,"atoms":[)" + list + "]}\n");
      }
    }
    return {};
  }

  void users(std::span<const Row> rows, const Atom& atom,
             const RowSet& having) {
    const auto text = classfile::to_string(atom);
    if (json_) {
      std::string list;
      having.each([&](RowId id) {
        const Row& row = rows[id.index()];
        list += (list.empty() ? std::string() : ",") + R"({"suite":)" +
                quoted(row.suite) + R"(,"test":)" + quoted(row.test) + "}";
      });
      write(R"({"type":"atom","atom":)" + quoted(text) + R"(,"tests":[)" +
            list + "]}\n");
      return;
    }
    write(classfile::to_utf8(text) + "  " + std::to_string(having.count()) +
          (having.count() == 1 ? " test\n" : " tests\n"));
    having.each([&](RowId id) {
      const Row& row = rows[id.index()];
      write("    " + classfile::to_utf8(row.test) + "  (suite " +
            classfile::to_utf8(row.suite) + ")\n");
    });
  }

  // An atom, a method in whatever kinds, or a class with its methods.
  base::Result<std::vector<Atom>> atoms_of(const std::string& name) {
    std::vector<Atom> out;
    if (const auto exact = classfile::parse_atom(name)) {
      REJIG_TRY(const auto rows, matrix_.rows_with(*exact));
      if (!rows.empty()) out.push_back(*exact);
      return out;
    }
    for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
      const auto kind = static_cast<AtomKind>(k);
      REJIG_TRY_VOID(
          matrix_.each_atom(kind, name, [&](AtomId, std::string_view text) {
            const auto rest = text.substr(name.size());
            const bool member = rest.starts_with('.') &&
                                rest.find('(') != std::string_view::npos &&
                                rest.find('.', 1) > rest.find('(');
            if (rest.empty() || rest[0] == '#' || rest[0] == '|' || member ||
                (rest[0] == '(' && rest.find('.') == std::string_view::npos)) {
              out.push_back({kind, std::string(text)});
            }
          }));
    }
    return out;
  }

  static std::vector<std::string> test_names(std::span<const Row> rows) {
    std::set<std::string> out;
    for (const Row& row : rows) {
      out.emplace(row.test);
      if (out.size() >= kMostCandidates) break;
    }
    return {out.begin(), out.end()};
  }

  void write(const std::string& text) { context_.out->write(text); }

  static constexpr std::size_t kMostCandidates = 20'000;
  coverage::Matrix& matrix_;
  Context& context_;
  bool json_;
};

}  // namespace

int show_coverage(const CoverageOptions& options, coverage::Matrix& matrix,
                  Context& context) {
  if (options.arguments.empty()) {
    return context.trouble(
        {Errc::kUsage, "show needs a test, a method, a class or an atom", ""});
  }
  Show show(matrix, context);
  int code = kExitOk;
  for (const auto& name : options.arguments) {
    const auto shown = show.name(name);
    if (!shown.ok()) code = context.trouble(shown.error());
  }
  return code;
}

}  // namespace rejig::app
