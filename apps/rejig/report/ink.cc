// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/ink.h"

#include <algorithm>

#include "apps/rejig/report/report_format.h"

namespace rejig::app {

namespace {

constexpr std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::kPlain: return "";
    case Ink::kBold: return "\033[1m";
    case Ink::kDim: return "\033[2m";
    case Ink::kRed: return "\033[31m";
    case Ink::kGreen: return "\033[32m";
    case Ink::kYellow: return "\033[33m";
  }
  return "";
}

Ink ink_of(std::string_view words) {
  if (words.starts_with("+ ")) return Ink::kGreen;
  if (words.starts_with("− ")) return Ink::kRed;
  return Ink::kPlain;
}

}  // namespace

std::string inked(std::string_view text, Ink ink, bool color) {
  std::string safe = one_line(text);
  if (!color || ink == Ink::kPlain || safe.empty()) return safe;
  return std::string(code_of(ink)) + safe + "\033[0m";
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

std::string cut(const std::string& text, std::size_t columns) {
  if (columns_of(text) <= columns) return text;
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size() && used + 1 < columns;) {
    std::size_t next = i + 1;
    while (next < text.size() &&
           (static_cast<unsigned char>(text[next]) & 0xc0U) == 0x80) {
      ++next;
    }
    out += text.substr(i, next - i);
    i = next;
    ++used;
  }
  return out + "…";
}

void add_words(const std::vector<std::string>& sentences, InkedWords& words,
               Ink ink) {
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::string text = sentences[i];
    const Ink own = ink_of(text);
    if (i + 1 < sentences.size()) text += ';';
    for (std::size_t at = 0; at < text.size();) {
      const auto stop = std::min(text.find(' ', at), text.size());
      if (stop != at) {
        words.emplace_back(text.substr(at, stop - at),
                           own == Ink::kPlain ? ink : own);
      }
      at = stop + 1;
    }
  }
}

void wrap_words(const InkedWords& words, std::size_t indent,
                std::size_t hanging, std::size_t width, bool color,
                std::vector<std::string>& lines) {
  std::string line(indent, ' ');
  std::size_t used = indent;
  bool fresh = true;
  std::string run;  // words of one ink
  Ink run_ink = Ink::kPlain;
  const auto end_run = [&] {
    line += inked(run, run_ink, color);
    run.clear();
  };
  for (const auto& [word, ink] : words) {
    const std::string fits = cut(one_line(word), width - hanging);
    const std::size_t columns = columns_of(fits);
    if (!fresh && used + 1 + columns > width) {
      end_run();
      lines.push_back(std::move(line));
      line.assign(hanging, ' ');
      used = hanging;
      fresh = true;
    }
    if (!fresh) {
      if (ink != run_ink) end_run();
      (ink == run_ink ? run : line) += ' ';
      ++used;
    }
    run_ink = ink;
    run += fits;
    used += columns;
    fresh = false;
  }
  end_run();
  if (!fresh) lines.push_back(std::move(line));
}

std::string titled_line(const std::string& title, const std::string& place,
                        const std::string& id, std::size_t width, bool color) {
  constexpr std::size_t kIndent = 2;
  const std::size_t right = id.empty() ? 0 : id.size() + 2;
  const std::string name = cut(one_line(title), width - kIndent - right);
  const std::size_t used = kIndent + columns_of(name);
  const std::size_t room = width - std::min(width, used + 2 + right);
  std::string where = one_line(place);
  if (columns_of(where) > room) where = where.substr(where.rfind('/') + 1);
  if (columns_of(where) > room) where.clear();
  const std::size_t end = columns_of(where) + right;
  std::string line = "  " + inked(name, Ink::kBold, color);
  if (end != 0) line += std::string(width - std::min(width, used + end), ' ');
  line += inked(where, Ink::kDim, color);
  if (!id.empty()) line += "  " + inked(id, Ink::kDim, color);
  return line;
}

}  // namespace rejig::app
