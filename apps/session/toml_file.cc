// SPDX-License-Identifier: Apache-2.0
#include "apps/session/toml_file.h"

#include <utility>

namespace {

struct NotToml {};
[[noreturn]] void not_toml() { throw NotToml(); }

}  // namespace

// With NDEBUG the parser would take its assertions for granted.
#undef NDEBUG
#define TOML_ASSERT(expr) \
  (static_cast<bool>(expr) ? static_cast<void>(0) : not_toml())
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

namespace rejig::app {

base::Result<std::shared_ptr<const toml::table>> parse_toml(
    std::string_view text, const std::string& where) {
  const auto wrong = [](std::string what, std::string place) {
    return base::Error{base::Errc::kUsage, std::move(what), std::move(place)};
  };
  std::size_t line = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') ++line;
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f) {
      return wrong("a control character (" + std::to_string(byte) + ")",
                   where + ":" + std::to_string(line));
    }
  }
  try {
    toml::parse_result parsed = toml::parse(text);
    if (parsed) {
      return std::make_shared<const toml::table>(std::move(parsed).table());
    }
    const auto& error = parsed.error();
    return wrong(std::string(error.description()),
                 where + ":" + std::to_string(error.source().begin.line));
  } catch (const NotToml&) {
    return wrong("this is no TOML", where);
  }
}

}  // namespace rejig::app
