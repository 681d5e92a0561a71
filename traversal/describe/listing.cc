// SPDX-License-Identifier: Apache-2.0
// The alignment is a longest common subsequence by dynamic programming, behind
// and in front of which equal lines are taken off. Beyond a bound of cells the
// middle is taken to differ as a whole.
#include "traversal/describe/listing.h"

#include <algorithm>

#include "classfile/reader/code.h"
#include "traversal/code/body_graph.h"
#include "traversal/code/describe.h"
#include "traversal/describe/java_names.h"

namespace rejig::traversal {

namespace {

using Lines = std::vector<ListingLine>;

void side_by_side(const Lines& before, std::size_t i, std::size_t i_end,
                  const Lines& after, std::size_t j, std::size_t j_end,
                  std::vector<ListingRow>& out) {
  while (i < i_end || j < j_end) {
    ListingRow row;
    if (i < i_end) row.before = &before[i++];
    if (j < j_end) row.after = &after[j++];
    out.push_back(row);
  }
}

void middle(const Lines& before, std::size_t i, std::size_t i_end,
            const Lines& after, std::size_t j, std::size_t j_end,
            std::vector<ListingRow>& out) {
  constexpr std::size_t kMostCells = std::size_t{1} << 24;
  const std::size_t rows = i_end - i;
  const std::size_t columns = j_end - j;
  if (rows * columns > kMostCells) {
    side_by_side(before, i, i_end, after, j, j_end, out);
    return;
  }
  // length[r][c]: of what is common from there on.
  const std::size_t width = columns + 1;
  std::vector<std::uint32_t> length((rows + 1) * width, 0);
  for (std::size_t r = rows; r-- > 0;) {
    for (std::size_t c = columns; c-- > 0;) {
      length[r * width + c] =
          before[i + r].text == after[j + c].text
              ? length[(r + 1) * width + c + 1] + 1
              : std::max(length[(r + 1) * width + c],
                         length[r * width + c + 1]);
    }
  }
  std::size_t r = 0;
  std::size_t c = 0;
  std::size_t r_told = 0;
  std::size_t c_told = 0;
  while (r < rows && c < columns) {
    if (before[i + r].text == after[j + c].text) {
      side_by_side(before, i + r_told, i + r, after, j + c_told, j + c, out);
      out.push_back({&before[i + r], &after[j + c], true});
      r_told = ++r;
      c_told = ++c;
    } else if (length[(r + 1) * width + c] >= length[r * width + c + 1]) {
      ++r;
    } else {
      ++c;
    }
  }
  side_by_side(before, i + r_told, i_end, after, j + c_told, j_end, out);
}

}  // namespace

Lines listing_of(const classfile::ClassView& cls,
                 const classfile::MemberView& method) {
  Lines out;
  const auto code = classfile::CodeView::of(cls, method);
  BodyGraph body;
  if (!code || !body.build(cls, *code)) return out;
  for (std::uint32_t n = 0; n < body.nodes().size(); ++n) {
    const auto& node = body.nodes()[n];
    if (node.kind == NodeKind::kGoto || node.kind == NodeKind::kNop) continue;
    out.push_back({java_text(describe(body, n)), body.line_of(node.pc)});
  }
  return out;
}

std::vector<ListingRow> aligned(const Lines& before, const Lines& after) {
  std::vector<ListingRow> out;
  std::size_t begin = 0;
  while (begin < before.size() && begin < after.size() &&
         before[begin].text == after[begin].text) {
    out.push_back({&before[begin], &after[begin], true});
    ++begin;
  }
  std::size_t tail = 0;
  while (tail < before.size() - begin && tail < after.size() - begin &&
         before[before.size() - 1 - tail].text ==
             after[after.size() - 1 - tail].text) {
    ++tail;
  }
  middle(before, begin, before.size() - tail, after, begin,
         after.size() - tail, out);
  for (std::size_t k = tail; k > 0; --k) {
    out.push_back(
        {&before[before.size() - k], &after[after.size() - k], true});
  }
  return out;
}

}  // namespace rejig::traversal
