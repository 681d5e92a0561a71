// SPDX-License-Identifier: Apache-2.0
// The C interface over apps/session: options are read here, answers are those
// of the command line's reports, and no exception leaves it.
#include "apps/library/rejig.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/rejig/cli/suggest.h"
#include "apps/rejig/cli/version.h"
#include "apps/rejig/report/json_answers.h"
#include "apps/session/explanation.h"

using namespace rejig;

namespace {

class Hears : public app::Listener {
 public:
  void error(std::string_view text) override { tell(REJIG_ERROR, text); }
  void warning(std::string_view text) override { tell(REJIG_WARNING, text); }
  void note(std::string_view text) override { tell(REJIG_NOTE, text); }
  void begin_progress() override {}
  void progress(std::string_view, std::uint64_t, std::uint64_t) override {}
  void end_progress() override {}

  rejig_listener listener = nullptr;
  void* user = nullptr;

 private:
  void tell(int level, std::string_view text) {
    if (listener != nullptr) listener(user, level, std::string(text).c_str());
  }
};

// Null when there is no memory left.
char* copied(std::string_view text) {
  auto* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out == nullptr) return nullptr;
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = '\0';
  return out;
}

int trouble(std::string_view why, char** text) {
  if (text != nullptr) *text = copied(why);
  return REJIG_TROUBLE;
}

}  // namespace

struct rejig_session {
  Hears hears;
  app::SelectOptions select;
  std::vector<std::string> ignore;
  unsigned jobs = 0;
  std::string config;
  // Of the last selection. The answer refers to the programs in it.
  std::unique_ptr<app::Selected> selected;

  // One for each question: threads and times are not kept.
  app::Work work() {
    app::Work out(hears);
    out.jobs = jobs;
    out.config = config;
    return out;
  }
};

namespace {

// What a name of an option stands for: a value, one of several, or itself.
struct Option {
  std::string* value = nullptr;
  std::vector<std::string>* values = nullptr;
  bool* flag = nullptr;
};

std::map<std::string, Option, std::less<>> options_of(rejig_session& s) {
  auto& in = s.select.inputs;
  return {{"old", {.value = &in.old_path}},
          {"new", {.value = &in.new_path}},
          {"lib", {.value = &in.lib}},
          {"old-lib", {.value = &in.old_lib}},
          {"new-lib", {.value = &in.new_lib}},
          {"jdk", {.value = &in.jdk}},
          {"old-jdk", {.value = &in.old_jdk}},
          {"new-jdk", {.value = &in.new_jdk}},
          {"rename", {.value = &in.rename}},
          {"class-path", {.value = &in.class_path}},
          {"internal-root", {.value = &in.internal_root}},
          {"internal", {.values = &in.internal}},
          {"external", {.values = &in.external}},
          {"as-listed", {.flag = &in.as_listed}},
          {"coverage", {.value = &s.select.coverage}},
          {"suite", {.value = &s.select.suite}},
          {"assume", {.values = &s.select.assume}},
          {"allow-lower-bound", {.flag = &s.select.allow_lower_bound}},
          {"rehash", {.flag = &s.select.rehash}},
          {"variables", {.value = &s.select.variables}},
          {"view", {.value = &s.select.view}},
          {"ignore", {.values = &s.ignore}},
          {"config", {.value = &s.config}}};
}

base::Error usage(std::string what, std::string_view word) {
  return {base::Errc::kUsage, std::move(what), std::string(word)};
}

base::Result<void> take(rejig_session& s, std::string_view word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const bool has_value = equals != std::string_view::npos;
  const auto value = has_value ? word.substr(equals + 1) : std::string_view();
  if (name == "jobs") {
    const auto end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, s.jobs);
    if (read.ec != std::errc() || read.ptr != end)
      return usage("no number", word);
    return {};
  }
  const auto known = options_of(s);
  const auto at = known.find(name);
  if (at == known.end()) {
    std::vector<std::string> names = {"jobs"};
    for (const auto& [one, option] : known) names.push_back(one);
    return usage("no such option" + app::did_you_mean(name, names), word);
  }
  const Option& option = at->second;
  if (has_value == (option.flag != nullptr)) {
    return usage(
        has_value ? "this option has no value" : "this option needs a value",
        word);
  }
  if (option.flag != nullptr) *option.flag = true;
  if (option.value != nullptr) *option.value = value;
  if (option.values != nullptr) option.values->emplace_back(value);
  if (name == "view" && !coverage::view_of(value))
    return usage("no such view", word);
  return {};
}

// Runs a question; its answer or its error goes to `text`.
template <class F>
int answered(rejig_session* session, char** text, F&& question) {
  if (text == nullptr) return REJIG_TROUBLE;
  *text = nullptr;
  if (session == nullptr) return trouble("there is no session", text);
  try {
    app::StringSink out;
    const base::Result<int> code = question(out);
    if (!code.ok()) return trouble(code.error().message(), text);
    *text = copied(out.take());
    return *text == nullptr ? static_cast<int>(REJIG_TROUBLE) : *code;
  } catch (const std::exception& e) {
    return trouble(e.what(), text);
  } catch (...) {
    return trouble("unknown error", text);
  }
}

base::Result<int> diff(rejig_session& s, app::Sink& out) {
  app::Work work = s.work();
  app::InputOptions inputs = s.select.inputs;
  REJIG_TRY(const auto config, app::load_config(work));
  app::complete_inputs(inputs, config);
  inputs.discover_tests = false;
  inputs.facets_for_rows = false;
  for (const auto& [path, name] :
       {std::pair(&inputs.old_path, "old"), {&inputs.new_path, "new"}}) {
    if (path->empty()) return usage("this option is needed", name);
  }
  REJIG_TRY(auto compared, app::compare_inputs(inputs, work));
  REJIG_TRY(const auto report, app::report_of(compared->comparison, s.ignore));
  for (const auto& widened : report.answer.widened) {
    s.hears.warning(widened.where.empty()
                        ? widened.what
                        : widened.where + ": " + widened.what);
  }
  app::diff_json(report, work.pool(), out);
  return differs(report, app::Asked::kAll) ? REJIG_SOME : REJIG_NONE;
}

base::Result<void> select_now(rejig_session& s, bool counts) {
  s.selected.reset();
  app::Work work = s.work();
  app::SelectOptions options = s.select;
  options.counts = counts;
  REJIG_TRY(s.selected, app::run_selection(options, work));
  return {};
}

base::Result<app::Questions> questions(int what, const char* name) {
  app::Questions out;
  if (what == REJIG_TOP) {
    out.top = true;
    return out;
  }
  if (name == nullptr || *name == '\0') return usage("a name is needed", "");
  switch (what) {
    case REJIG_TEST:
      out.tests = {name};
      break;
    case REJIG_SKIPPED:
      out.skipped = name;
      break;
    case REJIG_EDGE:
      out.edge = name;
      break;
    default:
      return usage("no such question", std::to_string(what));
  }
  return out;
}

}  // namespace

const char* rejig_version(void) {
  static const std::string kVersion = app::version_number();
  return kVersion.c_str();
}

int rejig_open(const char* const* options, size_t count,
               rejig_session** session, char** text) {
  if (session == nullptr) return trouble("no place for the session", text);
  *session = nullptr;
  if (text != nullptr) *text = nullptr;
  try {
    auto out = std::make_unique<rejig_session>();
    for (size_t i = 0; i < count; ++i) {
      const auto taken = options[i] == nullptr
                             ? usage("an option is NULL", std::to_string(i))
                             : take(*out, options[i]);
      if (!taken.ok()) return trouble(taken.error().message(), text);
    }
    *session = out.release();
    return REJIG_NONE;
  } catch (const std::exception& e) {
    return trouble(e.what(), text);
  }
}

void rejig_listen(rejig_session* session, rejig_listener listener, void* user) {
  session->hears.listener = listener;
  session->hears.user = user;
}

int rejig_diff(rejig_session* session, char** text) {
  return answered(session, text,
                  [&](app::Sink& out) { return diff(*session, out); });
}

int rejig_select(rejig_session* session, char** text) {
  return answered(session, text, [&](app::Sink& out) -> base::Result<int> {
    REJIG_TRY_VOID(select_now(*session, true));
    const auto& answer = session->selected->answer;
    app::select_json(answer, out);
    const bool some =
        answer.mode == coverage::Mode::kAll || answer.counts.selected != 0;
    return some ? REJIG_SOME : REJIG_NONE;
  });
}

int rejig_explain(rejig_session* session, int what, const char* name,
                  char** text) {
  return answered(session, text, [&](app::Sink& out) -> base::Result<int> {
    REJIG_TRY(const auto asked, questions(what, name));
    if (!session->selected) REJIG_TRY_VOID(select_now(*session, false));
    REJIG_TRY(const auto explanation,
              app::explanation_of(*session->selected, asked));
    app::explain_json(session->selected->answer, explanation, out);
    return REJIG_NONE;
  });
}

void rejig_free(char* text) { std::free(text); }

void rejig_close(rejig_session* session) { delete session; }
