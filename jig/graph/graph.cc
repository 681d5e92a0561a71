// SPDX-License-Identifier: Apache-2.0
#include "jig/graph/graph.h"

#include <algorithm>

#include "classfile/words/entity.h"

namespace rejig::jig {

std::string_view name_of(NodeKind kind) {
  static constexpr std::string_view kTexts[] = {
#define REJIG_NODE_KIND(name, text) text,
#include "jig/graph/graph_kinds.def"
#undef REJIG_NODE_KIND
  };
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string_view name_of(EdgeKind kind) {
  static constexpr std::string_view kTexts[] = {
#define REJIG_EDGE_KIND(name, text) text,
#include "jig/graph/graph_kinds.def"
#undef REJIG_EDGE_KIND
  };
  return kTexts[static_cast<std::size_t>(kind)];
}

SymbolId Symbols::of(std::string_view text) {
  if (text.empty()) return 0;
  if (const auto* known = ids_.find(text)) return *known;
  const auto id = static_cast<SymbolId>(texts_.size());
  const Name owned = names_.intern(text);
  ids_.try_emplace(owned, id);
  texts_.push_back(owned);
  return id;
}

namespace {

void append_number(std::string& out, std::size_t value) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>((value & 0x7f) | 0x80);
  }
  out += static_cast<char>(value);
}

}  // namespace

Texts::Texts(const std::vector<Name>& sorted) : size_(sorted.size()) {
  begin_.reserve(sorted.size() / kBlock + 1);
  Name before;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i % kBlock == 0) {
      begin_.push_back(static_cast<std::uint32_t>(bytes_.size()));
      before = {};
    }
    const Name text = sorted[i];
    const auto [end, other] =
        std::mismatch(text.begin(), text.end(), before.begin(), before.end());
    const auto shared = static_cast<std::size_t>(end - text.begin());
    append_number(bytes_, shared);
    append_number(bytes_, text.size() - shared);
    bytes_ += text.substr(shared);
    before = text;
  }
  bytes_.shrink_to_fit();
}

std::uint32_t Texts::number(std::size_t& at) const {
  std::uint32_t out = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes_[at++]);
    out |= std::uint32_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return out;
  }
}

std::string Texts::text(SymbolId id) const {
  std::string out;
  std::size_t at = begin_[id / kBlock];
  for (std::size_t i = id / kBlock * kBlock;; ++i) {
    const std::uint32_t shared = number(at);
    const std::uint32_t own = number(at);
    out.resize(shared);
    out.append(bytes_, at, own);
    if (i == id) return out;
    at += own;
  }
}

bool Jig::of_method(NodeKind kind) {
  return kind == NodeKind::kEntry || kind == NodeKind::kExit ||
         kind == NodeKind::kExceptionalExit;
}

bool Jig::of_code(NodeKind kind) {
  return kind == NodeKind::kInstruction || kind == NodeKind::kCall ||
         kind == NodeKind::kReturn || kind == NodeKind::kCatch;
}

bool Jig::of_member(NodeKind kind) {
  return kind == NodeKind::kDispatch || kind == NodeKind::kExternalEntry ||
         kind == NodeKind::kExternalExit || kind == NodeKind::kField;
}

const MethodRow* Jig::method(NodeId n) const {
  if (of_method(kind(n))) return &methods_[nodes_[n].label];
  if (!of_code(kind(n))) return nullptr;
  if (!method_of_.empty()) return &methods_[method_of_[n]];
  const auto at = std::upper_bound(
      methods_.begin(), methods_.end(), n,
      [](NodeId id, const MethodRow& row) { return id < row.first; });
  return at == methods_.begin() ? nullptr : &*(at - 1);
}

std::string Jig::label(NodeId n) const {
  if (const MethodRow* row = method(n)) {
    std::string text = classfile::method_entity(
        symbols_->text(row->owner), symbols_->text(row->name),
        symbols_->text(row->descriptor));
    if (kind(n) == NodeKind::kCatch) {
      text += ' ';
      text += symbols_->text(nodes_[n].label);
    } else if (of_code(kind(n))) {
      text += " @";
      text += std::to_string(pc(n));
    }
    return text;
  }
  if (of_member(kind(n))) {
    const MemberName& member = members_[nodes_[n].label];
    std::string text = classfile::dotted(symbols_->text(member.owner));
    text += '.';
    text += symbols_->text(member.name);
    if (kind(n) == NodeKind::kField) text += ':';
    text += symbols_->text(member.descriptor);
    return text;
  }
  return symbols_->text(nodes_[n].label);
}

void Jig::index_in_edges() {
  if (has_in_edges()) return;
  in_rows_.assign(nodes_.size() + 1, 0);
  for (const Edge& edge : edges_) ++in_rows_[edge.target + 1];
  for (std::size_t i = 0; i < nodes_.size(); ++i) in_rows_[i + 1] += in_rows_[i];
  in_edges_.resize(edges_.size());
  auto next = in_rows_;
  for (EdgeId e = 0; e < edges_.size(); ++e) {
    in_edges_[next[edges_[e].target]++] = e;
  }
}

NodeId Jig::source(EdgeId e) const {
  const auto at = std::upper_bound(rows_.begin(), rows_.end(), e);
  return static_cast<NodeId>(at - rows_.begin() - 1);
}

std::size_t Jig::bytes() const {
  return nodes_.size() * sizeof(Node) + rows_.size() * sizeof(EdgeId) +
         edges_.size() * sizeof(Edge) + methods_.size() * sizeof(MethodRow) +
         members_.size() * sizeof(MemberName) + method_of_.size() * 4 +
         symbols_->bytes();
}

Jig Jig::induced(const std::vector<NodeId>& keep) const {
  Jig out;
  out.symbols_ = symbols_;
  out.methods_ = methods_;
  out.members_ = members_;
  out.rows_.push_back(0);
  for (const NodeId n : keep) {
    out.nodes_.push_back(nodes_[n]);
    const MethodRow* row = method(n);
    out.method_of_.push_back(
        row == nullptr ? 0 : static_cast<std::uint32_t>(row - methods_.data()));
    for (EdgeId e = out_begin(n); e != out_end(n); ++e) {
      const auto at =
          std::lower_bound(keep.begin(), keep.end(), edges_[e].target);
      if (at == keep.end() || *at != edges_[e].target) continue;
      Edge edge = edges_[e];
      edge.target = static_cast<NodeId>(at - keep.begin());
      out.edges_.push_back(edge);
    }
    out.rows_.push_back(static_cast<EdgeId>(out.edges_.size()));
  }
  return out;
}

}  // namespace rejig::jig
