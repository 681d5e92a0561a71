// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/options.h"

#include <climits>
#include <unistd.h>

#include "apps/agent/log.h"

namespace rejig::agent {
namespace {

constexpr unsigned kMaxItems = 4096;

std::string_view view(const char* s) {
  return s == nullptr ? std::string_view{} : std::string_view(s);
}

// Splits at ':' into a list; with_real adds each path's real path.
List split(std::string_view text, bool paths, Arena& arena) {
  auto* items = arena.array<std::string_view>(kMaxItems);
  unsigned n = 0;
  if (items == nullptr) return {};
  while (!text.empty() && n + 2 < kMaxItems) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != ':') ++end;
    std::string_view item(text.data(), end);
    text.remove_prefix(end < text.size() ? end + 1 : end);
    if (item.empty()) continue;
    if (!paths) {
      items[n++] = item;
      continue;
    }
    while (item.size() > 1 && item.back() == '/') item.remove_suffix(1);
    const std::string_view given = arena.copy(item);
    if (given.data() == nullptr) return {};
    if (given.front() == '/') items[n++] = given;
    char real[PATH_MAX];
    if (::realpath(given.data(), real) != nullptr && given != view(real)) {
      items[n++] = arena.copy(view(real));
    }
  }
  return {items, n};
}

struct Field {
  std::string_view key;
  const char* variable;
  std::string_view value;
};

bool any_matches(const List& globs, std::string_view name) {
  char dotted[1024];
  if (globs.size == 0 || name.size() > sizeof dotted) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    dotted[i] = name[i] == '/' ? '.' : name[i];
  }
  for (unsigned i = 0; i < globs.size; ++i) {
    if (glob_matches(globs.items[i], {dotted, name.size()})) return true;
  }
  return false;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0, star = glob.size(), resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && (glob[g] == text[t] || glob[g] == '?')) {
      ++g;
      ++t;
    } else if (star < glob.size()) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool below_a_root(const Options& options, std::string_view path) {
  for (unsigned i = 0; i < options.roots.size; ++i) {
    const std::string_view root = options.roots.items[i];
    if (!starts_with(path, root)) continue;
    if (path.size() == root.size() || path[root.size()] == '/' ||
        root == "/") {
      return true;
    }
  }
  return false;
}

bool named_internal(const Options& options, std::string_view name) {
  return !named_external(options, name) && any_matches(options.internal, name);
}

bool named_external(const Options& options, std::string_view name) {
  return any_matches(options.external, name);
}

bool read_options(const char* text, Arena& arena, Options& options) {
  Field fields[] = {
      {"out", "REJIG_OUT", {}},           {"suite", "REJIG_SUITE", {}},
      {"jar", "REJIG_JAR", {}},           {"internal-root", "REJIG_INTERNAL_ROOT", {}},
      {"internal", "REJIG_INTERNAL", {}}, {"external", "REJIG_EXTERNAL", {}},
      {"receivers", "REJIG_RECEIVERS", {}},
  };
  const std::string_view off = view(std::getenv("REJIG_OFF"));
  if (!off.empty() && off != "0") {
    options.off = true;
    return true;
  }
  for (Field& f : fields) f.value = arena.copy(view(std::getenv(f.variable)));
  std::string_view rest = arena.copy(view(text));
  while (!rest.empty()) {
    std::size_t end = 0, equals = 0;
    while (end < rest.size() && rest[end] != ',') ++end;
    while (equals < end && rest[equals] != '=') ++equals;
    const std::string_view key(rest.data(), equals);
    const bool has_value = equals < end;
    const std::string_view value(rest.data() + equals + (has_value ? 1 : 0),
                                 end - equals - (has_value ? 1 : 0));
    bool known = false;
    for (Field& f : fields) {
      if (f.key != key) continue;
      f.value = value;
      known = true;
    }
    if (!known || !has_value) {
      say("unknown option '", key, "'; the recorder is off");
      return false;
    }
    rest.remove_prefix(end < rest.size() ? end + 1 : end);
  }
  options.out = arena.copy(fields[0].value);
  options.suite =
      fields[1].value.empty() ? "default" : arena.copy(fields[1].value);
  options.jar = arena.copy(fields[2].value);
  if (fields[3].value.empty() && fields[4].value.empty()) {
    fields[3].value = ".";
  }
  options.roots = split(fields[3].value, true, arena);
  options.internal = split(fields[4].value, false, arena);
  options.external = split(fields[5].value, false, arena);
  const std::string_view receivers = fields[6].value;
  options.receivers = receivers == "1";
  if (!receivers.empty() && receivers != "1" && receivers != "0") {
    say("receivers=", receivers, " is neither 0 nor 1; the recorder is off");
    return false;
  }
  return true;
}

}  // namespace rejig::agent
