// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/runner_events.h"

namespace rejig::agent {
namespace {

std::string_view class_of(std::string_view id) {
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] == '#') return {id.data(), i};
  }
  return id;
}

}  // namespace

std::string_view junit_test_id(std::string_view shown,
                               std::string_view fallback_class, Arena& arena) {
  std::string_view method;
  std::string_view cls = fallback_class.empty() ? shown : fallback_class;
  std::size_t open = shown.size();
  if (!shown.empty() && shown.back() == ')') {
    while (open > 0 && shown[open - 1] != '(') --open;
    if (open > 0) {
      cls = {shown.data() + open, shown.size() - open - 1};
      method = {shown.data(), open - 1};
    }
  }
  std::size_t n = 0;
  while (n < method.size() && method[n] != '[') ++n;
  method = {method.data(), n};
  bool named = !method.empty();
  for (const char c : method) {
    if (c == '.' || c == ';' || c == '/' || c == '<' || c == '>' ||
        c == '(' || c == ')' || c == '\n') {
      named = false;
    }
  }
  const std::string_view tail = named ? "()" : "*";
  if (!named) method = {};
  char* out = arena.array<char>(cls.size() + method.size() + 4);
  if (out == nullptr) return {};
  std::size_t at = 0;
  for (const std::string_view part :
       {cls, std::string_view("#"), method, tail}) {
    if (!part.empty()) std::memcpy(out + at, part.data(), part.size());
    at += part.size();
  }
  return {out, at};
}

void RunnerEvents::test_started(std::string_view id, Thread thread) {
  if (recorder_.inner_test_begins(thread)) return;
  const std::uint32_t of_class =
      recorder_.find_open(ScopeKind::kContainer, class_of(id));
  recorder_.begin(ScopeKind::kTest, of_class != 0 ? std::int64_t{of_class} : -1,
                  id, thread);
}

void RunnerEvents::test_finished(Thread thread) {
  if (recorder_.inner_test_ends(thread)) return;
  const std::uint32_t test = recorder_.open_test(thread);
  if (test != 0) recorder_.end(test, Result::kPass, thread);
}

void RunnerEvents::worsen(Result result, Thread thread) {
  const std::uint32_t test = recorder_.open_test(thread);
  if (test != 0) {
    recorder_.worsen(test, result);
  } else {
    recorder_.worsen_open(recorder_.innermost(thread), result);
  }
}

void RunnerEvents::event(unsigned event, std::string_view text,
                         Thread thread) {
  if (event == kEngine) return;
  Arena arena;
  switch (event) {
    case kTestStarted:
      test_started(junit_test_id(text, {}, arena), thread);
      break;
    case kTest3Started: {
      std::size_t line = 0;
      while (line < text.size() && text[line] != '\n') ++line;
      const std::string_view cls(text.data(), line);
      text.remove_prefix(line < text.size() ? line + 1 : line);
      test_started(junit_test_id(text, cls, arena), thread);
      break;
    }
    case kTestFinished:
    case kTest3Finished:
      test_finished(thread);
      break;
    case kTestFailed:
      worsen(Result::kFail, thread);
      break;
    case kTestAborted:
      worsen(Result::kSkip, thread);
      break;
    case kSuiteStarted:
      if (recorder_.open_test(thread) == 0) {
        recorder_.begin(ScopeKind::kContainer, -1, text, thread);
      }
      break;
    case kSuiteFinished:
      if (recorder_.open_test(thread) == 0) {
        recorder_.end(recorder_.innermost(thread), Result::kPass, thread);
      }
      break;
    default:
      break;
  }
}

}  // namespace rejig::agent
