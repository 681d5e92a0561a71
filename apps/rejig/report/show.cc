// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/show.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "apps/rejig/report/ink.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/java_names.h"
#include "traversal/describe/listing.h"

namespace rejig::app {

using traversal::ListingLine;
using traversal::Side;

namespace {

const classfile::MemberView* method_in(const classfile::ClassView* cls,
                                       std::string_view member) {
  if (cls == nullptr) return nullptr;
  const auto open = member.find('(');
  return traversal::find_method(*cls, member.substr(0, open),
                                member.substr(open));
}

// The lines of a source that lies here.
std::vector<std::string> source_of(const std::string& file,
                                   const ReportOptions& options) {
  std::vector<std::string> out;
  if (options.source_roots.empty() || file.empty()) return out;
  std::ifstream in(source_path(file, options));
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::string shown = cut(text, columns);
  return shown + std::string(columns - std::min(columns, columns_of(shown)), ' ');
}

class Columns {
 public:
  Columns(std::size_t width, bool color)
      : side_((width - 3) / 2), color_(color) {}

  std::string row(const std::string& before, char mark,
                  const std::string& after) const {
    const bool plain = mark == ' ';
    return inked(padded(before, side_), plain ? Ink::kPlain : Ink::kRed,
                 color_) +
           " " + std::string(1, mark) + " " +
           inked(cut(after, side_), plain ? Ink::kPlain : Ink::kGreen, color_) +
           "\n";
  }

 private:
  std::size_t side_;
  bool color_;
};

std::string cell(const ListingLine* line, unsigned& last) {
  constexpr std::size_t kNumber = 5;
  if (line == nullptr) return {};
  std::string number =
      line->line != 0 && line->line != last ? std::to_string(line->line) : "";
  last = line->line;
  number.insert(0, kNumber - std::min(kNumber, number.size()), ' ');
  return number + " " + line->text;
}

}  // namespace

std::vector<std::string> methods_meant(const DiffReport& report,
                                       const std::string& words) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const auto& item : digest_of(report).items) {
    if (!item.has_body || seen.contains(item.entity)) continue;
    const std::string full = traversal::java_method(item.entity);
    const std::string name = traversal::java_method_name(item.entity);
    const bool meant = item.entity == words || full == words || name == words ||
                       item.entity.starts_with(words + "(") ||
                       full.ends_with("." + words) || name.ends_with("." + words);
    if (!meant) continue;
    seen.insert(item.entity);
    out.push_back(item.entity);
  }
  return out;
}

std::string show_text(const DiffReport& report, const std::string& entity,
                      const DiffOptions& options) {
  const auto& versions = *report.versions;
  const auto cls = traversal::class_part(entity);
  const auto member = traversal::member_part(entity);
  const auto* old_class = versions.view(Side::kOld, cls);
  const auto* new_class = versions.view(Side::kNew, versions.name_in_new(cls));
  const auto* old_method = method_in(old_class, member);
  const auto* new_method = method_in(new_class, member);
  std::vector<ListingLine> before;
  std::vector<ListingLine> after;
  if (old_method != nullptr) {
    before = traversal::listing_of(*old_class, *old_method);
  }
  if (new_method != nullptr) {
    after = traversal::listing_of(*new_class, *new_method);
  }
  std::string file;
  for (const auto& edge : report.answer.edges) {
    if (edge.delta.entity == entity) file = edge.delta.file;
  }
  const auto source = source_of(file, options.report);
  const Columns columns(options.screen.width, options.screen.color);
  std::string out = titled_line(traversal::java_method(entity), file, "",
                                options.screen.width, options.screen.color) +
                    "\n";
  out += columns.row("OLD, " + counted(before.size(), "instruction",
                                       "instructions"),
                     ' ', "NEW, " + counted(after.size(), "instruction",
                                            "instructions"));
  unsigned old_line = 0;
  unsigned new_line = 0;
  unsigned told = 0;  // of the source, which is that of NEW
  for (const auto& row : traversal::aligned(before, after)) {
    const unsigned now = row.after != nullptr ? row.after->line : 0;
    if (now != 0 && now != told && now <= source.size()) {
      out += inked(cut(std::to_string(now) + ": " + source[now - 1],
                       options.screen.width),
                   Ink::kDim, options.screen.color) +
             "\n";
      told = now;
    }
    const char mark = row.same                   ? ' '
                      : row.before == nullptr    ? '>'
                      : row.after == nullptr     ? '<'
                                                 : '|';
    out += columns.row(cell(row.before, old_line), mark,
                       cell(row.after, new_line));
  }
  return out;
}

}  // namespace rejig::app
