// SPDX-License-Identifier: Apache-2.0
#include "classfile/words/entity.h"

#include <algorithm>
#include <array>

namespace rejig::classfile {

namespace {

constexpr std::array<std::string_view, kAtomKinds> kPrefixes = {
    "m",    "e",   "inst",    "recv",     "init", "load",     "ext",
    "miss", "refl", "res",     "resmiss",  "stackapi", "test", "testclass",
    "state", "left"};

constexpr std::string_view kKindAsked = "|kind";

std::string replaced(std::string_view text, char from, char to) {
  std::string out(text);
  std::replace(out.begin(), out.end(), from, to);
  return out;
}

}  // namespace

std::string dotted(std::string_view internal_name) {
  return replaced(internal_name, '/', '.');
}

std::string slashed(std::string_view binary_name) {
  return replaced(binary_name, '.', '/');
}

std::string method_entity(std::string_view class_name, std::string_view name,
                          std::string_view descriptor) {
  std::string out = dotted(class_name);
  out.reserve(out.size() + 1 + name.size() + descriptor.size());
  out += '.';
  out += name;
  out += descriptor;
  return out;
}

std::string kind_asked(std::string_view class_name) {
  return std::string(class_name) + std::string(kKindAsked);
}

std::string_view reflected_class(std::string_view text) {
  if (text.ends_with(kKindAsked)) text.remove_suffix(kKindAsked.size());
  return text;
}

std::string_view left_in(std::string_view text) {
  return text.substr(0, text.find('|'));
}

std::string_view prefix_of(AtomKind kind) {
  return kPrefixes[static_cast<std::size_t>(kind)];
}

std::optional<AtomKind> atom_kind(std::string_view prefix) {
  const auto* at = std::find(kPrefixes.begin(), kPrefixes.end(), prefix);
  if (at == kPrefixes.end()) return std::nullopt;
  return static_cast<AtomKind>(at - kPrefixes.begin());
}

std::string to_string(const Atom& atom) {
  std::string out(prefix_of(atom.kind));
  if (atom.kind == AtomKind::kStackApi) return out;
  out += ':';
  out += atom.text;
  return out;
}

std::optional<Atom> parse_atom(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) {
    if (text != prefix_of(AtomKind::kStackApi)) return std::nullopt;
    return Atom{AtomKind::kStackApi, {}};
  }
  const auto kind = atom_kind(text.substr(0, colon));
  if (!kind || *kind == AtomKind::kStackApi) return std::nullopt;
  if (colon + 1 == text.size()) return std::nullopt;
  return Atom{*kind, std::string(text.substr(colon + 1))};
}

}  // namespace rejig::classfile
