// SPDX-License-Identifier: Apache-2.0
// PIT's linecoverage.xml: blocks of methods with the tests that entered them.
// PIT probes the start of each block, so what it lists was entered; but it
// looks at its target classes only, and at nothing beside methods: the rows are
// lower bounds. It runs green suites only, so the tests passed.
#include <expat.h>

#include <map>

#include "classfile/words/entity.h"
#include "coverage/import/import.h"

namespace rejig::coverage {
namespace {

using base::Errc;
using base::Error;
using classfile::AtomKind;

constexpr std::size_t kDeepest = 16;
constexpr std::size_t kPiece = std::size_t{1} << 20;

struct State {
  XML_Parser parser = nullptr;
  MatrixBuilder* builder = nullptr;
  std::size_t depth = 0;
  std::string root;
  std::string method;  // of the block that is open
  std::map<std::string, std::vector<MatrixBuilder::LocalAtom>> rows;
  std::string wrong;  // the first thing that is not as documented

  void reject(std::string what) {
    if (wrong.empty()) wrong = std::move(what);
    XML_StopParser(parser, XML_FALSE);
  }
};

const char* attribute(const char** attributes, std::string_view name) {
  for (; *attributes != nullptr; attributes += 2) {
    if (attributes[0] == name) return attributes[1];
  }
  return nullptr;
}

void XMLCALL on_start(void* data, const char* name, const char** attributes) {
  auto& state = *static_cast<State*>(data);
  if (++state.depth > kDeepest) {
    state.reject("elements nested deeper than 16");
  } else if (state.depth == 1) {
    state.root = name;
    if (state.root != "coverage") {
      state.reject("the root element is <" + state.root +
                   ">, expected <coverage>");
    }
  } else if (std::string_view(name) == "block") {
    const char* cls = attribute(attributes, "classname");
    const char* method = attribute(attributes, "method");
    if (cls == nullptr || method == nullptr ||
        std::string_view(method).find('(') == std::string_view::npos) {
      state.reject("a <block> needs classname and method with descriptor");
      return;
    }
    state.method = classfile::dotted(cls) + "." + method;
  } else if (std::string_view(name) == "test") {
    const char* test = attribute(attributes, "name");
    if (test == nullptr || state.method.empty()) {
      state.reject("a <test> needs a name and stands in a <block>");
      return;
    }
    state.rows[test].push_back(
        state.builder->intern(AtomKind::kMethod, state.method));
  }
}

void XMLCALL on_end(void* data, const char* name) {
  auto& state = *static_cast<State*>(data);
  --state.depth;
  if (std::string_view(name) == "block") state.method.clear();
}

// Entities could grow without bound, and the format has none.
void XMLCALL on_doctype(void* data, const char*, const char*, const char*,
                        int) {
  static_cast<State*>(data)->reject("a document type is not expected");
}

// "a.b.FooTest.one(a.b.FooTest)", "[engine:junit-jupiter]/[class:a.b.FooTest]/
// [method:one()]", "a.b.FooTest.[engine:…]/[class:…]/[method:one(int)]".
std::string pit_test_id(std::string_view name) {
  const auto part = [&](std::string_view key) {
    const auto at = name.rfind(key);
    if (at == std::string_view::npos) return std::string_view();
    const auto rest = name.substr(at + key.size());
    return rest.substr(0, rest.find(']'));
  };
  const auto cls = part("[class:");
  auto method = part("[method:");
  if (method.empty()) method = part("[test-template:");
  if (!cls.empty()) {
    if (method.empty()) return std::string(cls) + "#*";
    std::string out(cls);
    out += '#';
    for (const char c : method) {
      if (c != ' ') out += c;
    }
    return out.find('(') == std::string::npos ? out + "()" : out;
  }
  const auto parenthesis = name.find('(');
  std::string_view plain = name.substr(0, parenthesis);
  // A parameterized JUnit 4 test is its method.
  if (const auto index = plain.find('['); index != std::string_view::npos) {
    plain = plain.substr(0, index);
  }
  return test_id_of(plain);
}

}  // namespace

base::Result<ForeignReport> import_pit(std::string_view file,
                                       const std::string& name,
                                       const ImportOptions& options,
                                       MatrixBuilder& builder) {
  State state;
  state.builder = &builder;
  state.parser = XML_ParserCreate(nullptr);
  REJIG_CHECK(state.parser != nullptr);
  XML_SetUserData(state.parser, &state);
  XML_SetElementHandler(state.parser, on_start, on_end);
  XML_SetStartDoctypeDeclHandler(state.parser, on_doctype);
  auto code = XML_STATUS_OK;
  for (std::size_t at = 0; code == XML_STATUS_OK && at <= file.size();
       at += kPiece) {
    const auto piece = file.substr(at, kPiece);
    code = XML_Parse(state.parser, piece.data(), static_cast<int>(piece.size()),
                     at + kPiece > file.size() ? 1 : 0);
  }
  const auto line = XML_GetCurrentLineNumber(state.parser);
  const auto column = XML_GetCurrentColumnNumber(state.parser) + 1;
  std::string what = state.wrong;
  if (what.empty() && code != XML_STATUS_OK) {
    what = XML_ErrorString(XML_GetErrorCode(state.parser));
  }
  XML_ParserFree(state.parser);
  if (!what.empty()) {
    return Error{
        Errc::kMalformed, what,
        name + ":" + std::to_string(line) + ":" + std::to_string(column)};
  }
  ForeignReport report;
  for (auto& [test, atoms] : state.rows) {
    const std::string id = pit_test_id(test);
    Row row;
    row.suite = options.suite;
    row.test = id;
    row.grade = Grade::kLowerBound;
    row.result = Outcome::kPass;
    row.facts = Facts().with(AtomKind::kMethod);
    add_foreign_row(row, std::move(atoms), builder, report);
  }
  return report;
}

}  // namespace rejig::coverage
