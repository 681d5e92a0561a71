// SPDX-License-Identifier: Apache-2.0
// A screen is filled in two rounds: every part shows its first item, then the
// parts take turns, the first ones oftener, while there is room. What an item
// says is made when it is about to be shown: bodies are read for those only.
#include "apps/rejig/report/digest_text.h"

#include <algorithm>
#include <array>

#include "apps/rejig/report_format.h"

namespace rejig::app {

namespace {

enum class Ink : std::uint8_t { kPlain, kBold, kDim, kRed, kGreen, kYellow };

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

std::string inked(std::string_view text, Ink ink, bool color) {
  std::string safe = one_line(text);
  if (!color || ink == Ink::kPlain || safe.empty()) return safe;
  return std::string(code_of(ink)) + safe + "\033[0m";
}

// At most so many columns, with "…" where something is left out.
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

Ink ink_of(std::string_view words) {
  if (words.starts_with("+ ")) return Ink::kGreen;
  if (words.starts_with("− ")) return Ink::kRed;
  return Ink::kPlain;
}

class Writer {
 public:
  Writer(const DigestView& view, const Screen& screen)
      : view_(view),
        screen_(screen),
        width_(std::max(screen.width, kLeast)),
        common_(common_folder(view.digest.items)) {}

  std::string run() {
    for (const auto& line : verdict_of(view_.digest, view_.edges.size())) {
      paragraph(line, head_.empty() ? Ink::kBold
                      : line.starts_with("API broken") ? Ink::kRed
                                                        : Ink::kPlain,
                0, head_);
    }
    if (!common_.empty() && view_.place == nullptr) {
      foot("files are below " + common_);
    }
    for (const auto& line : footer_of(view_.digest)) foot(line);
    choose();
    std::string out;
    for (const auto& line : head_) out += line + "\n";
    for (std::size_t p = 0; p < kParts; ++p) write_part(p, out);
    if (const auto left = left_out(); left != 0) {
      out += inked("… " + std::to_string(left) + " more (--all)", Ink::kDim,
                   screen_.color) +
             "\n";
    }
    if (!foot_.empty() && !view_.digest.items.empty() && is_airy()) {
      out += "\n";
    }
    for (const auto& line : foot_) out += line + "\n";
    return out;
  }

 private:
  using Lines = std::vector<std::string>;
  static constexpr unsigned kLeast = 40;
  static constexpr std::size_t kFacts = 6;
  static constexpr std::size_t kMostLines = 2;  // of an item's words
  // Who takes how many turns.
  static constexpr std::array<unsigned, kParts> kTurns = {3, 2, 2, 1, 1, 1, 1};

  bool all() const { return screen_.rows == 0; }

  void foot(const std::string& line) {
    if (all()) {
      paragraph(line, Ink::kDim, 0, foot_);
    } else {
      foot_.push_back(inked(cut(line, width_), Ink::kDim, screen_.color));
    }
  }

  // Wraps at blanks; the lines that follow stand two columns further right.
  void paragraph(const std::string& text, Ink ink, std::size_t indent,
                 Lines& out) const {
    std::vector<std::pair<std::string, Ink>> words;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      if (end != at) words.emplace_back(text.substr(at, end - at), ink);
      at = end + 1;
    }
    wrap(words, indent, indent + 2, out);
  }

  void wrap(const std::vector<std::pair<std::string, Ink>>& words,
            std::size_t indent, std::size_t hanging, Lines& out) const {
    std::string line(indent, ' ');
    std::size_t used = indent;
    bool fresh = true;
    std::string run;  // words of one ink
    Ink run_ink = Ink::kPlain;
    const auto end_run = [&] {
      line += inked(run, run_ink, screen_.color);
      run.clear();
    };
    for (const auto& [word, ink] : words) {
      const std::string fits = cut(one_line(word), width_ - hanging);
      const std::size_t columns = columns_of(fits);
      if (!fresh && used + 1 + columns > width_) {
        end_run();
        out.push_back(std::move(line));
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
    if (!fresh) out.push_back(std::move(line));
  }

  std::string place_of(const DigestItem& item, std::size_t room) const {
    if (item.file.empty()) return "";
    const std::string number =
        item.line == 0 ? "" : ":" + std::to_string(item.line);
    std::string file = item.file;
    if (view_.place != nullptr) {
      file = view_.place(item.file, view_.place_context);
    } else if (file.starts_with(common_)) {
      file = file.substr(common_.size());
    }
    for (const std::string& shown :
         {file + number, file.substr(file.rfind('/') + 1) + number}) {
      if (columns_of(shown) <= room) return shown;
    }
    return "";
  }

  Lines lines_of(const DigestItem& item) const {
    Lines out;
    constexpr std::size_t kIndent = 2;
    std::string number;
    if (!item.edges.empty()) number = coverage::edge_id(item.edges.front());
    const std::size_t right = number.empty() ? 0 : number.size() + 2;
    const std::string title = cut(item.title, width_ - kIndent - right);
    const std::size_t used = kIndent + columns_of(title);
    const std::size_t room = width_ - std::min<std::size_t>(width_, used + 2 + right);
    const std::string place = place_of(item, room);
    const std::size_t end = columns_of(place) + right;
    std::string line = "  " + inked(title, Ink::kBold, screen_.color);
    line += std::string(width_ - std::min<std::size_t>(width_, used + end), ' ');
    line += inked(place, Ink::kDim, screen_.color);
    if (!number.empty()) line += "  " + inked(number, Ink::kDim, screen_.color);
    out.push_back(std::move(line));
    for (auto& one : words_below(item)) out.push_back(std::move(one));
    return out;
  }

  // On one screen as many facts as fit into two lines.
  Lines words_below(const DigestItem& item) const {
    constexpr std::size_t kUnlimited = 1000;
    const std::size_t first =
        all() ? (screen_.verbose ? kUnlimited : 4 * kFacts) : kFacts;
    Lines body;
    for (std::size_t most = first; most != 0; --most) {
      auto said = words_of(item, view_.edges, view_.versions, most);
      if (screen_.verbose) said.push_back(edges_text(item));
      body.clear();
      wrap(inked_words(said), 4, 4, body);
      if (all() || screen_.verbose || body.size() <= kMostLines) return body;
    }
    body.resize(kMostLines);
    body.back() += " …";
    return body;
  }

  static std::vector<std::pair<std::string, Ink>> inked_words(
      const std::vector<std::string>& said) {
    std::vector<std::pair<std::string, Ink>> words;
    for (std::size_t i = 0; i < said.size(); ++i) {
      std::string text = said[i];
      const Ink ink = ink_of(text);
      if (i + 1 < said.size()) text += ';';
      for (std::size_t at = 0; at < text.size();) {
        const auto stop = std::min(text.find(' ', at), text.size());
        if (stop != at) words.emplace_back(text.substr(at, stop - at), ink);
        at = stop + 1;
      }
    }
    return words;
  }

  std::string edges_text(const DigestItem& item) const {
    constexpr std::size_t kShown = 12;
    std::string out;
    for (std::size_t i = 0; i < item.edges.size() && i < kShown; ++i) {
      const auto e = item.edges[i];
      out += (i == 0 ? "" : ", ") + coverage::edge_id(e) + " " +
             std::string(classfile::name_of(view_.edges[e].delta.rule));
    }
    if (item.edges.size() > kShown) {
      out += ", " + std::to_string(item.edges.size() - kShown) + " more";
    }
    return out + " " + item.entity;
  }

  void choose() {
    for (std::size_t p = 0; p < kParts; ++p) {
      items_[p] = view_.digest.of(static_cast<Part>(p));
    }
    if (all()) {
      for (std::size_t p = 0; p < kParts; ++p) {
        while (shown_[p].size() < items_[p].size()) show(p);
      }
      return;
    }
    // A title and a blank of each part, "more", the prompt.
    std::size_t fixed = head_.size() + foot_.size() + 2;
    for (std::size_t p = 0; p < kParts; ++p) {
      if (!items_[p].empty()) fixed += is_airy() ? 2 : 1;
    }
    if (is_airy()) ++fixed;
    room_ = screen_.rows > fixed ? screen_.rows - fixed : 1;
    for (std::size_t p = 0; p < kParts; ++p) try_show(p);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t p = 0; p < kParts; ++p) {
        for (unsigned turn = 0; turn < kTurns[p]; ++turn) {
          more = try_show(p) || more;
        }
      }
    }
  }

  // Is there room for blank lines?
  bool is_airy() const {
    constexpr unsigned kSmall = 32;
    return all() || screen_.rows >= kSmall;
  }

  // What was added breaks nobody: one line says how much.
  bool is_folded(std::size_t p) const {
    return !all() && static_cast<Part>(p) == Part::kApiAdded;
  }

  bool try_show(std::size_t p) {
    const std::size_t next = shown_[p].size();
    if (is_folded(p) || next >= items_[p].size() || room_ == 0) return false;
    Lines lines = lines_of(items_[p][next]);
    if (lines.size() > room_) {
      // At least its name.
      if (next != 0) return false;
      lines.resize(std::max<std::size_t>(room_, 1));
    }
    room_ -= std::min(room_, lines.size());
    shown_[p].push_back(std::move(lines));
    return true;
  }

  void show(std::size_t p) {
    shown_[p].push_back(lines_of(items_[p][shown_[p].size()]));
  }

  void write_part(std::size_t p, std::string& out) const {
    if (items_[p].empty()) return;
    const std::string title =
        std::string(title_of(static_cast<Part>(p))) + " (" +
        std::to_string(items_[p].size()) + ")";
    if (is_folded(p)) {
      std::string names;
      for (const auto& item : items_[p]) {
        names += (names.empty() ? ": " : ", ") + item.title;
      }
      if (is_airy()) out += "\n";
      out += inked(cut(title + names, width_ - 8), Ink::kYellow,
                   screen_.color) +
             inked(" (--all)", Ink::kDim, screen_.color) + "\n";
      return;
    }
    if (is_airy()) out += "\n";
    out += inked(title, Ink::kYellow, screen_.color) + "\n";
    for (const auto& lines : shown_[p]) {
      for (const auto& line : lines) out += line + "\n";
    }
  }

  std::size_t left_out() const {
    std::size_t left = 0;
    for (std::size_t p = 0; p < kParts; ++p) {
      if (!is_folded(p)) left += items_[p].size() - shown_[p].size();
    }
    return left;
  }

  const DigestView& view_;
  const Screen& screen_;
  std::size_t width_;
  std::string common_;
  Lines head_;
  Lines foot_;
  std::size_t room_ = 0;
  std::array<std::span<const DigestItem>, kParts> items_;
  std::array<std::vector<Lines>, kParts> shown_;
};

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

std::string common_folder(std::span<const DigestItem> items) {
  const std::string* first = nullptr;
  std::size_t length = 0;
  for (const auto& item : items) {
    if (item.file.empty()) continue;
    if (first == nullptr) {
      first = &item.file;
      length = item.file.rfind('/') + 1;
      continue;
    }
    std::size_t same = 0;
    std::size_t folder = 0;
    while (same < length && same < item.file.size() &&
           item.file[same] == (*first)[same]) {
      if (item.file[same++] == '/') folder = same;
    }
    length = folder;
  }
  return first == nullptr ? std::string() : first->substr(0, length);
}

std::string digest_text(const DigestView& view, const Screen& screen) {
  return Writer(view, screen).run();
}

}  // namespace rejig::app
