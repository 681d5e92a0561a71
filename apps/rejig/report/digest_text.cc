// SPDX-License-Identifier: Apache-2.0
// A screen is filled in two rounds: every part shows its first item, then the
// parts take turns, the first ones oftener, while there is room. What an item
// says is made when it is about to be shown: bodies are read for those only.
#include "apps/rejig/report/digest_text.h"

#include <algorithm>
#include <array>

#include "apps/rejig/report/ink.h"

namespace rejig::app {

namespace {

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

  // The lines that follow stand two columns further right.
  void paragraph(const std::string& text, Ink ink, std::size_t indent,
                 Lines& out) const {
    InkedWords words;
    add_words({text}, words, ink);
    wrap_words(words, indent, indent + 2, width_, screen_.color, out);
  }

  std::string place_of(const DigestItem& item) const {
    if (item.file.empty()) return "";
    std::string file = item.file;
    if (view_.place != nullptr) {
      file = view_.place(item.file, view_.place_context);
    } else if (file.starts_with(common_)) {
      file = file.substr(common_.size());
    }
    return item.line == 0 ? file : file + ":" + std::to_string(item.line);
  }

  Lines lines_of(const DigestItem& item) const {
    const std::string id =
        item.edges.empty() ? "" : coverage::edge_id(item.edges.front());
    Lines out = {titled_line(item.title, place_of(item), id, width_,
                             screen_.color)};
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
      InkedWords words;
      add_words(said, words);
      wrap_words(words, 4, 4, width_, screen_.color, body);
      if (all() || screen_.verbose || body.size() <= kMostLines) return body;
    }
    body.resize(kMostLines);
    body.back() += " …";
    return body;
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
      if (names_rest(p)) ++fixed;
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

  // Does a line of names stand for what is not shown?
  bool names_rest(std::size_t p) const {
    return is_airy() && !is_folded(p) && items_[p].size() > 1;
  }

  std::string rest_of(std::size_t p) const {
    std::string out = "  also ";
    for (std::size_t i = shown_[p].size(); i < items_[p].size(); ++i) {
      const auto& title = items_[p][i].title;
      if (i != shown_[p].size()) out += ", ";
      out += title.substr(0, title.find('('));
    }
    return cut(out, width_);
  }

  bool try_show(std::size_t p) {
    const std::size_t next = shown_[p].size();
    if (is_folded(p) || next >= items_[p].size() || room_ == 0) return false;
    Lines lines = lines_of(items_[p][next]);
    if (lines.size() > room_) {
      // At least its name.
      if (next != 0) return false;
      lines.resize(std::max<std::size_t>(room_, 1));
      if (lines.size() > 1 && columns_of(lines.back()) + 2 <= width_) {
        lines.back() += " …";
      }
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
    if (names_rest(p) && shown_[p].size() < items_[p].size()) {
      out += inked(rest_of(p), Ink::kDim, screen_.color) + "\n";
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
