// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/page_text.h"

#include <algorithm>
#include <vector>

#include "apps/rejig/report/ink.h"

namespace rejig::app {

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const PageItem& item, const Screen& screen) {
  const std::size_t width = screen.width;
  Lines out = {titled_line(item.title, item.place, item.id, width,
                           screen.color)};
  std::vector<std::pair<std::string, Ink>> words;
  add_words(item.words, words);
  wrap_words(words, 4, 4, width, screen.color, out);
  return out;
}

}  // namespace

std::string page_text(const Page& page, const Screen& screen) {
  Lines head;
  for (const auto& line : page.verdict) {
    std::vector<std::pair<std::string, Ink>> words;
    add_words({line}, words, head.empty() ? Ink::kBold : Ink::kPlain);
    wrap_words(words, 0, 2, screen.width, screen.color, head);
  }
  Lines foot;
  for (const auto& line : page.footer) {
    std::vector<std::pair<std::string, Ink>> words;
    add_words({line}, words, Ink::kDim);
    wrap_words(words, 0, 2, screen.width, screen.color, foot);
  }
  // Two lines of each section, "more", the prompt.
  const std::size_t fixed =
      head.size() + foot.size() + 2 * page.sections.size() + 2;
  std::size_t room = screen.rows > fixed ? screen.rows - fixed : 1;
  std::vector<Lines> shown(page.sections.size());
  std::vector<std::size_t> next(page.sections.size(), 0);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t s = 0; s < page.sections.size(); ++s) {
      const auto& items = page.sections[s].items;
      if (next[s] == items.size()) continue;
      const Lines lines = lines_of(items[next[s]], screen);
      if (screen.rows != 0 && lines.size() > room && next[s] != 0) continue;
      if (screen.rows != 0 && room == 0) continue;
      room -= std::min(room, lines.size());
      shown[s].insert(shown[s].end(), lines.begin(), lines.end());
      ++next[s];
      more = true;
    }
  }
  std::string out;
  for (const auto& line : head) out += line + "\n";
  std::size_t left = 0;
  for (std::size_t s = 0; s < page.sections.size(); ++s) {
    const auto& section = page.sections[s];
    out += "\n" +
           inked(section.title + " (" + std::to_string(section.items.size()) +
                     ")",
                 Ink::kYellow, screen.color) +
           "\n";
    for (const auto& line : shown[s]) out += line + "\n";
    left += section.items.size() - next[s] + section.left_out;
  }
  if (left != 0) {
    out += inked("… " + std::to_string(left) + " more (--all)", Ink::kDim,
                 screen.color) +
           "\n";
  }
  if (!foot.empty()) out += "\n";
  for (const auto& line : foot) out += line + "\n";
  return out;
}

}  // namespace rejig::app
