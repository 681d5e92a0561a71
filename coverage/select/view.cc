// SPDX-License-Identifier: Apache-2.0
#include "coverage/select/view.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "coverage/select/adaptor.h"

namespace rejig::coverage {

using classfile::Atom;
using classfile::AtomKind;
using classfile::AttributeKind;
using classfile::AttributeView;
using classfile::Channel;
using classfile::ClassView;
using classfile::Delta;
using classfile::Rule;

namespace {

constexpr std::array kViews = {View::kMethod, View::kEdge, View::kClass,
                               View::kHybrid, View::kStatic};

// Edges that speak about methods of changed classes, or about what a changed
// class means to methods of others: who meets one has touched the class.
bool is_said_by_classes(const Delta& delta) {
  switch (delta.rule) {
    case Rule::kD1:
    case Rule::kD3:
    case Rule::kD4:
    case Rule::kD5:
    case Rule::kD6:
    case Rule::kD7:
    case Rule::kD8:
    case Rule::kD9:
    case Rule::kD10:
    case Rule::kD11:
      break;
    default:
      return false;
  }
  const auto items = items_of(delta);
  return std::none_of(items.begin(), items.end(),
                      [](const auto& item) { return item.empty(); });
}

Delta touched(Rule rule, const std::string& name) {
  Delta d;
  d.rule = rule;
  d.channel = Channel::kLinking;
  d.entity = name;
  d.label = "class touched";
  d.why = "`" + name + "` changed; view class selects whoever touched it";
  return d;
}

// Methods of the class that rows name. Rows of a recorder have `load:` beside
// them; then they add nothing.
base::Result<std::vector<std::string>> methods_beside_load(
    const std::string& name, Matrix& matrix) {
  std::vector<AtomId> found;
  std::vector<std::string> methods;
  REJIG_TRY_VOID(matrix.each_atom(AtomKind::kMethod, name + ".",
                                  [&](AtomId id, std::string_view text) {
                                    if (class_of_method(text) != name) return;
                                    found.push_back(id);
                                    methods.emplace_back(text);
                                  }));
  RowSet rows(matrix.row_count());
  for (const auto id : found) REJIG_TRY_VOID(matrix.add_rows_with(id, rows));
  const Atom init{AtomKind::kInit, name};
  REJIG_TRY(const AtomId init_id, matrix.find_atom(init));
  if (init_id) {
    REJIG_TRY_VOID(matrix.add_rows_with(init_id, rows));
    methods.push_back(name + ".<clinit>()V");
  }
  REJIG_TRY(const RowSet loaded, matrix.rows_with(Atom{AtomKind::kLoad, name}));
  rows -= loaded;
  if (rows.empty()) methods.clear();
  return methods;
}

base::Result<void> add_touched(const std::string& name, Matrix* matrix,
                               std::vector<Delta>& edges) {
  Delta load = touched(Rule::kD14, name);
  load.subject = name;
  edges.push_back(load);
  if (matrix == nullptr) return {};
  REJIG_TRY(auto methods, methods_beside_load(name, *matrix));
  if (!methods.empty()) {
    Delta entered = touched(Rule::kD1, name);
    entered.at = std::move(methods);
    edges.push_back(std::move(entered));
  }
  for (const auto kind : {AtomKind::kInst, AtomKind::kRefl}) {
    REJIG_TRY(RowSet rows, matrix->rows_with(Atom{kind, name}));
    REJIG_TRY(const RowSet loaded,
              matrix->rows_with(Atom{AtomKind::kLoad, name}));
    rows -= loaded;
    if (rows.empty()) continue;
    Delta other =
        touched(kind == AtomKind::kInst ? Rule::kD8 : Rule::kD16, name);
    other.subject = name;
    if (kind == AtomKind::kInst) other.receivers = {name};
    edges.push_back(std::move(other));
  }
  Delta own = touched(Rule::kD18, name);
  own.channel = Channel::kTest;
  own.subject = name;
  REJIG_TRY(const RowSet members,
            matrix->rows_with(Atom{AtomKind::kTestClass, name}));
  if (!members.empty()) edges.push_back(std::move(own));
  return {};
}

bool is_debug(const AttributeView& attribute) {
  switch (attribute.kind) {
    case AttributeKind::kLineNumberTable:
    case AttributeKind::kLocalVariableTable:
    case AttributeKind::kLocalVariableTypeTable:
    case AttributeKind::kSourceFile:
    case AttributeKind::kSourceDebugExtension:
      return true;
    default:
      return false;
  }
}

struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// What is left out of the comparison: the length and content of each debug
// attribute, and the length of each Code, which depends on them.
std::vector<Cut> cuts_of(const ClassView& cls) {
  constexpr std::size_t kLengthField = 4;
  std::vector<Cut> out;
  const auto look = [&](const AttributeView& attribute) {
    if (attribute.offset < kLengthField) return;
    if (is_debug(attribute)) {
      out.push_back({attribute.offset - kLengthField,
                     attribute.offset + attribute.content.size()});
    } else if (attribute.kind == AttributeKind::kCode) {
      out.push_back({attribute.offset - kLengthField, attribute.offset});
    }
  };
  for (const auto& attribute : cls.attributes()) look(attribute);
  for (const auto& method : cls.methods()) {
    for (const auto& attribute : method.attributes) look(attribute);
    for (const auto& attribute : method.code_attributes) look(attribute);
  }
  std::sort(out.begin(), out.end(),
            [](const Cut& x, const Cut& y) { return x.begin < y.begin; });
  return out;
}

std::vector<std::byte> stripped(const ClassView& cls) {
  std::vector<std::byte> out;
  const auto bytes = cls.bytes();
  std::size_t at = 0;
  const auto copy_until = [&](std::size_t end) {
    for (; at < end && at < bytes.size(); ++at) out.push_back(bytes[at]);
  };
  for (const auto& cut : cuts_of(cls)) {
    copy_until(cut.begin);
    at = std::max(at, cut.end);
  }
  copy_until(bytes.size());
  return out;
}

}  // namespace

std::string_view name_of(View view) {
  switch (view) {
    case View::kMethod:
      return "method";
    case View::kEdge:
      return "edge";
    case View::kClass:
      return "class";
    case View::kHybrid:
      return "hybrid";
    case View::kStatic:
      return "static";
  }
  return {};
}

std::optional<View> view_of(std::string_view name) {
  for (const View view : kViews) {
    if (name_of(view) == name) return view;
  }
  return std::nullopt;
}

std::span<const View> all_views() { return kViews; }

base::Result<void> as_class_view(SelectionInput& input,
                                 const std::vector<std::string>& changed,
                                 Matrix* matrix) {
  std::vector<Delta> edges;
  for (auto& delta : input.edges) {
    if (!is_said_by_classes(delta)) edges.push_back(std::move(delta));
  }
  for (const auto& name : changed) {
    REJIG_TRY_VOID(add_touched(name, matrix, edges));
  }
  input.edges = std::move(edges);
  input.assumptions.push_back("view class: classes touched");
  return {};
}

bool same_but_for_debug(const ClassView& a, const ClassView& b) {
  return stripped(a) == stripped(b);
}

}  // namespace rejig::coverage
