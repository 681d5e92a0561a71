// SPDX-License-Identifier: Apache-2.0
#include "coverage/import/junit_xml.h"

#include <expat.h>

#include <algorithm>
#include <charconv>

#include "coverage/select/answer.h"

namespace rejig::coverage {

namespace {

using base::Errc;
using base::Error;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::size_t kLongestName = std::size_t{1} << 20;

const char* attribute(const char** attributes, std::string_view name) {
  for (; *attributes != nullptr; attributes += 2) {
    if (attributes[0] == name) return attributes[1];
  }
  return nullptr;
}

// "0.012", "1,234.5" (Surefire groups thousands); anything else is 0.
std::uint64_t milliseconds(const char* text) {
  if (text == nullptr) return 0;
  std::string plain;
  for (const char* c = text; *c != '\0'; ++c) {
    if (*c != ',') plain += *c;
  }
  double seconds = 0;
  const auto end = plain.data() + plain.size();
  const auto got = std::from_chars(plain.data(), end, seconds);
  if (got.ec != std::errc() || !(seconds > 0) || seconds > 1e9) return 0;
  return static_cast<std::uint64_t>(seconds * 1000 + 0.5);
}

struct Reader {
  XML_Parser parser = nullptr;
  const VisitCase* visit = nullptr;
  std::size_t depth = 0;
  std::size_t cases = 0;
  std::size_t case_depth = 0;  // 0: not in a <testcase>
  std::vector<std::string> suites;
  JunitCase open;
  std::string wrong;

  void reject(std::string what) {
    if (wrong.empty()) wrong = std::move(what);
    XML_StopParser(parser, XML_FALSE);
  }
  void worsen(Outcome outcome) { open.result = std::max(open.result, outcome); }
  void start(std::string_view name, const char** attributes);
  void end();
  void start_case(const char** attributes);
  void detail(std::string_view name);
};

void Reader::start_case(const char** attributes) {
  const char* name = attribute(attributes, "name");
  const char* class_name = attribute(attributes, "classname");
  open = {};
  open.suite = suites.empty() ? "" : suites.back();
  open.class_name =
      class_name != nullptr && *class_name != '\0' ? class_name : open.suite;
  open.name = name == nullptr ? "" : name;
  open.ms = milliseconds(attribute(attributes, "time"));
  if (open.class_name.size() + open.name.size() > kLongestName) {
    reject("a <testcase> with a name longer than 1 MiB");
    return;
  }
  if (const char* status = attribute(attributes, "status")) {
    const std::string_view text = status;
    if (text == "skipped" || text == "notrun" || text == "disabled") {
      worsen(Outcome::kSkip);
    } else if (text == "failed" || text == "failure") {
      worsen(Outcome::kFail);
    } else if (text == "error") {
      worsen(Outcome::kError);
    }
  }
  case_depth = depth;
}

void Reader::detail(std::string_view name) {
  if (name == "failure") {
    worsen(Outcome::kFail);
  } else if (name == "error") {
    worsen(Outcome::kError);
  } else if (name == "skipped") {
    worsen(Outcome::kSkip);
  } else if (name == "flakyFailure" || name == "flakyError") {
    open.flaky = true;
  } else if (name == "rerunFailure" || name == "rerunError") {
    worsen(Outcome::kFail);
  }
}

void Reader::start(std::string_view name, const char** attributes) {
  if (++depth > kDeepest) {
    reject("elements nested deeper than " + std::to_string(kDeepest));
  } else if (depth == 1 && name != "testsuite" && name != "testsuites") {
    reject("the root element is <" + std::string(name.substr(0, 100)) +
           ">, expected <testsuite> or <testsuites>");
  } else if (case_depth != 0) {
    if (depth == case_depth + 1) detail(name);
  } else if (name == "testsuite") {
    const char* suite = attribute(attributes, "name");
    suites.resize(depth - 1);
    suites.emplace_back(suite == nullptr ? "" : suite);
  } else if (name == "testcase") {
    start_case(attributes);
  }
}

void Reader::end() {
  if (case_depth != 0 && depth == case_depth) {
    ++cases;
    (*visit)(open);
    case_depth = 0;
  }
  --depth;
  if (suites.size() > depth) suites.resize(depth);
}

void XMLCALL on_start(void* data, const char* name, const char** attributes) {
  static_cast<Reader*>(data)->start(name, attributes);
}

void XMLCALL on_end(void* data, const char*) {
  static_cast<Reader*>(data)->end();
}

// Entities could grow without bound, and no runner writes any.
void XMLCALL on_doctype(void* data, const char*, const char*, const char*,
                        int) {
  static_cast<Reader*>(data)->reject("a document type is not expected");
}

base::Result<void> feed(Reader& state, const ReadBytes& read) {
  while (true) {
    void* buffer = XML_GetBuffer(state.parser, static_cast<int>(kPiece));
    if (buffer == nullptr) {
      return Error{Errc::kLimit, "not enough memory", ""};
    }
    REJIG_TRY(const std::size_t got,
              read(static_cast<char*>(buffer), kPiece));
    const auto status = XML_ParseBuffer(state.parser, static_cast<int>(got),
                                        got == 0 ? 1 : 0);
    if (status != XML_STATUS_OK) {
      if (state.wrong.empty()) {
        state.wrong = XML_ErrorString(XML_GetErrorCode(state.parser));
      }
      return {};
    }
    if (got == 0) return {};
  }
}

// "int[]" of "int[]", "Inner" of "a.b.Outer$Inner", "Map" of "Map<K,V>".
std::string simple_type(std::string_view text) {
  std::string out;
  int nested = 0;
  for (const char c : text) {
    if (c == '<') ++nested;
    if (nested == 0 && c != ' ') out += c;
    if (c == '>') --nested;
  }
  if (out.ends_with("...")) out.replace(out.size() - 3, 3, "[]");
  const auto last = out.find_last_of(".$");
  return last == std::string::npos ? out : out.substr(last + 1);
}

std::vector<std::string> simple_types(std::string_view list) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  int nested = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size()) {
      nested += list[i] == '<' ? 1 : list[i] == '>' ? -1 : 0;
      if (list[i] != ',' || nested > 0) continue;
    }
    out.push_back(simple_type(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (out.size() == 1 && out.front().empty()) out.clear();
  return out;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

struct Spelled {
  std::string_view method;  // empty: the name is no method's
  bool typed = false;       // parameter types were given
  std::vector<std::string> types;
};

// "one", "one()", "one(int)[2]", "par{int}[1]", "par[0: x=1]", "one[a](3)"; a
// display name has no method.
Spelled spelled(std::string_view name) {
  Spelled out;
  const auto at = name.find_first_of("({[ ");
  const auto method = name.substr(0, at);
  if (!is_identifier(method)) return out;
  if (at == std::string_view::npos) {
    out.method = method;
    return out;
  }
  const char open = name[at];
  if (open == ' ') return out;
  out.method = method;
  if (open == '[') return out;
  const auto close = name.find(open == '(' ? ')' : '}', at);
  if (close == std::string_view::npos) return out;
  out.typed = true;
  out.types = simple_types(name.substr(at + 1, close - at - 1));
  return out;
}

std::vector<std::string> types_of_id(std::string_view id) {
  const auto open = id.find('(', id.find('#'));
  if (open == std::string_view::npos) return {};
  const auto close = id.rfind(')');
  return simple_types(id.substr(open + 1, close - open - 1));
}

// Some reports separate nested classes by a dot.
bool same_class(std::string_view known, std::string_view reported) {
  if (known.size() != reported.size()) return false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == reported[i]) continue;
    if (known[i] != '$' || reported[i] != '.') return false;
  }
  return true;
}

}  // namespace

std::string_view name_of(JunitMatch match) {
  switch (match) {
    case JunitMatch::kExact: return "exact";
    case JunitMatch::kMethod: return "method";
    case JunitMatch::kClass: return "class";
    case JunitMatch::kNone: return "none";
  }
  return "none";
}

base::Result<std::size_t> read_junit_xml(const ReadBytes& read,
                                         const std::string& name,
                                         const VisitCase& visit) {
  Reader state;
  state.visit = &visit;
  state.parser = XML_ParserCreate(nullptr);
  if (state.parser == nullptr) {
    return Error{Errc::kLimit, "not enough memory", name};
  }
  XML_SetUserData(state.parser, &state);
  XML_SetElementHandler(state.parser, on_start, on_end);
  XML_SetStartDoctypeDeclHandler(state.parser, on_doctype);
  auto fed = feed(state, read);
  const auto line = XML_GetCurrentLineNumber(state.parser);
  const auto column = XML_GetCurrentColumnNumber(state.parser) + 1;
  XML_ParserFree(state.parser);
  if (!fed.ok()) return std::move(fed).error();
  if (!state.wrong.empty()) {
    return Error{
        Errc::kMalformed, state.wrong,
        name + ":" + std::to_string(line) + ":" + std::to_string(column)};
  }
  return state.cases;
}

JunitIds::JunitIds(std::vector<std::string> ids) : ids_(std::move(ids)) {
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

JunitIds::Found JunitIds::find(const JunitCase& test) const {
  std::string_view cls = test.class_name;
  // TestNG and Gradle may add a parameter or a browser behind a blank.
  cls = cls.substr(0, cls.find_first_of(" ("));
  std::vector<std::string_view> of_class;
  std::vector<std::string_view> nested;
  // Nested classes follow their outer class; a dot for a dollar leaves the
  // outermost part as it is.
  const auto outermost = cls.substr(0, cls.find('$'));
  for (std::string_view stem = outermost; !stem.empty();) {
    // '#' and '$' are neighbours: the ids of the class and of those inside it.
    const auto from = std::string(stem) + '#';
    for (auto at = std::lower_bound(ids_.begin(), ids_.end(), from);
         at != ids_.end() && at->starts_with(stem) &&
         at->size() > stem.size() &&
         ((*at)[stem.size()] == '#' || (*at)[stem.size()] == '$');
         ++at) {
      const auto known = class_of_test(*at);
      if (known == cls || same_class(known, cls)) {
        of_class.push_back(*at);
      } else if (known.size() > cls.size() && known[cls.size()] == '$' &&
                 same_class(known.substr(0, cls.size()), cls)) {
        nested.push_back(*at);
      }
    }
    if (!of_class.empty() || !nested.empty()) break;
    const auto dot = stem.rfind('.');
    if (dot == std::string_view::npos) break;
    stem = stem.substr(0, dot);
  }
  Found out;
  const Spelled wish = spelled(test.name);
  for (const auto id : of_class) {
    if (!wish.method.empty() && method_of_test(id) == wish.method) {
      out.ids.push_back(id);
    }
  }
  if (wish.typed && out.ids.size() > 1) {
    std::vector<std::string_view> typed;
    for (const auto id : out.ids) {
      if (types_of_id(id) == wish.types) typed.push_back(id);
    }
    if (!typed.empty()) out.ids = std::move(typed);
  }
  // A plain name is the method without parameters, if the runner spells the
  // parameters of the others; nobody can know, so all overloads stand.
  if (!out.ids.empty()) {
    out.match = out.ids.size() == 1 ? JunitMatch::kExact : JunitMatch::kMethod;
    return out;
  }
  out.ids = std::move(of_class);
  out.ids.insert(out.ids.end(), nested.begin(), nested.end());
  std::sort(out.ids.begin(), out.ids.end());
  out.match = out.ids.empty() ? JunitMatch::kNone : JunitMatch::kClass;
  return out;
}

}  // namespace rejig::coverage
