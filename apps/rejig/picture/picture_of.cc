// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/picture/picture_of.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "apps/rejig/picture/picture_graph.h"
#include "classfile/reader/code.h"
#include "classfile/words/entity.h"
#include "traversal/code/source_place.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using jig::EdgeId;
using jig::EdgeKind;
using jig::Jig;
using jig::NodeId;
using jig::NodeKind;

namespace {

Shape shape_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kEntry:
    case NodeKind::kExit:
    case NodeKind::kEcn:
    case NodeKind::kClassEntry:
    case NodeKind::kDefault:
      return Shape::kEnd;
    case NodeKind::kExceptionalExit:
      return Shape::kRaise;
    case NodeKind::kInstruction:
      return Shape::kRun;
    case NodeKind::kCall:
      return Shape::kCall;
    case NodeKind::kReturn:
      return Shape::kReturn;
    case NodeKind::kCatch:
      return Shape::kCatch;
    case NodeKind::kDispatch:
      return Shape::kDispatch;
    case NodeKind::kExternalEntry:
    case NodeKind::kExternalExit:
      return Shape::kExternal;
    case NodeKind::kField:
      return Shape::kField;
    case NodeKind::kBoot:
    case NodeKind::kLambda:
      return Shape::kMade;
    case NodeKind::kError:
    case NodeKind::kUnknown:
      return Shape::kError;
    default:
      return Shape::kClass;
  }
}

EdgeStyle style_of(EdgeKind kind) {
  return kind == EdgeKind::kPath                                     ? EdgeStyle::kPath
         : kind == EdgeKind::kException || kind == EdgeKind::kCaught ? EdgeStyle::kException
                                                                     : EdgeStyle::kFlow;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find("; ", at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return out;
}

// Lines of the source by pc.
class Lines {
 public:
  Lines(const jig::World& world, const std::string& entity) {
    const std::string owner =
        classfile::slashed(std::string(traversal::class_part(entity)));
    const auto* node = world.find(owner);
    if (node == nullptr) return;
    auto loaded = world.load(*node);
    if (!loaded.ok() || !loaded->view) return;
    file_ = traversal::source_path(*loaded->view);
    const auto member = traversal::member_part(entity);
    const auto open = member.find('(');
    const auto* method = traversal::find_method(
        *loaded->view, member.substr(0, open), member.substr(open));
    if (method == nullptr) return;
    const auto code = classfile::CodeView::of(*loaded->view, *method);
    if (!code) return;
    for (const auto& one : classfile::line_numbers(*code)) {
      lines_[one.pc] = one.line;
    }
  }
  unsigned at(std::uint32_t pc) const {
    auto found = lines_.upper_bound(pc);
    return found == lines_.begin() ? 0 : std::prev(found)->second;
  }
  const std::string& file() const { return file_; }

 private:
  std::map<std::uint32_t, unsigned> lines_;
  std::string file_;
};

PictureMethod drawn_method(const Drawing& drawing, const Drawn& d,
                           const std::string& entity, const Marks* marks,
                           const std::map<EdgeId, std::string>& dangers) {
  const Jig& graph = *d.from->graph;
  const Lines lines(*d.from->world, entity);
  PictureMethod out;
  out.title = traversal::java_method(entity);
  out.file = lines.file();
  const auto danger_of = [&](EdgeId e) {
    const auto at = dangers.find(e);
    return at == dangers.end() ? std::string() : at->second;
  };
  for (std::size_t i = 0; i < d.nodes.size(); ++i) {
    const NodeId n = d.nodes[i];
    const auto kind = graph.kind(n);
    PictureNode node;
    node.shape = shape_of(kind);
    node.kind = std::string(jig::name_of(kind));
    if (is_code(kind)) {
      node.lines = parts_of(d.texts[i]);
      node.source_line = lines.at(graph.pc(n));
    } else {
      node.lines = {d.texts[i]};
    }
    node.row = i;
    if (marks != nullptr) node.state = marks->nodes[i];
    std::set<std::string> told;
    for (const EdgeId e : d.asked[i]) {
      const NodeId t = graph.target(e);
      const auto edge_kind = graph.edge_kind(e);
      const std::string danger = danger_of(e);
      // Types that an instruction only names are many, and say little.
      if (danger.empty() &&
          (edge_kind == EdgeKind::kObserve || edge_kind == EdgeKind::kClass)) {
        continue;
      }
      PictureTarget target;
      target.shape = shape_of(graph.kind(t));
      target.kind = std::string(jig::name_of(graph.kind(t)));
      target.lines = parts_of(drawing.target_text(t));
      target.danger = danger;
      if (told.insert(drawing.target_text(t)).second) {
        node.targets.push_back(std::move(target));
      }
    }
    out.nodes.push_back(std::move(node));
    for (const EdgeId e : d.inner[i]) {
      out.edges.push_back({i, d.place.at(graph.target(e)),
                           traversal::java_text(graph.edge_label(e)),
                           style_of(graph.edge_kind(e)), danger_of(e)});
    }
  }
  out.rows = out.nodes.size();
  return out;
}

}  // namespace

std::vector<std::string> methods_meant(const Jig& graph,
                                       const std::string& word) {
  std::vector<std::string> exact;
  std::vector<std::string> java;
  std::vector<std::string> short_name;
  for (const auto& row : graph.methods()) {
    const std::string entity = entity_of(graph, row);
    const std::string owner(traversal::class_part(entity));
    const std::string named = entity.substr(0, entity.find('('));
    const std::string title = traversal::java_method(entity);
    const std::string simple = title.substr(0, title.find('('));
    if (word.empty() || word == entity || word == named || word == owner) {
      exact.push_back(entity);
    } else if (word == title || word == simple) {
      java.push_back(entity);
    } else if (graph.symbols().text(row.name) == word) {
      short_name.push_back(entity);
    }
  }
  auto& out = !exact.empty() ? exact : !java.empty() ? java : short_name;
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

// Aligned nodes stand in one row, the others in rows of their own between them.
void place_rows(const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                PictureMethod& a, PictureMethod& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t row = 0;
  const auto until = [&](std::size_t to_i, std::size_t to_j) {
    while (i < to_i || j < to_j) {
      if (i < to_i) a.nodes[i++].row = row;
      if (j < to_j) b.nodes[j++].row = row;
      ++row;
    }
  };
  for (const auto& [x, y] : rows) {
    until(x, y);
    a.nodes[i++].row = row;
    b.nodes[j++].row = row;
    ++row;
  }
  until(a.nodes.size(), b.nodes.size());
  a.rows = b.rows = row;
}

// Which edge of the comparison is this one?
class Judge {
 public:
  Judge(const std::vector<NamedDelta>& all, const std::string& entity)
      : all_(all) {
    for (const auto& one : all) {
      const auto& d = *one.delta;
      if (d.entity == entity ||
          std::ranges::find(d.at, entity) != d.at.end()) {
        mine_.insert(one.delta);
      }
    }
  }

  std::string inner(unsigned line, std::set<std::string>& told) const {
    return best(told, [&](const classfile::Delta& d) {
      if (d.channel != classfile::Channel::kBody || !is_mine(d)) return 0;
      return d.line == line ? 3 : 2;
    });
  }
  // `label`: the node's own, "a.b.C.m()V".
  std::string asked(const std::string& label, const std::string& target,
                    const std::set<std::string>& runs, unsigned line,
                    std::set<std::string>& told) const {
    return best(told, [&](const classfile::Delta& d) {
      if (runs.count(d.entity) != 0) return 3;
      if (d.channel == classfile::Channel::kBody) return 0;
      if (d.target == label) return 5;
      if (!is_mine(d)) return 0;
      const std::string text = traversal::java_text(
          d.label + " " + d.old_fact + " " + d.new_fact + " " + d.why);
      const auto blank = target.find(' ');
      const std::string name =
          blank == std::string::npos ? target : target.substr(blank + 1);
      const auto end = name.find("; ");
      if (text.find(name.substr(0, end)) != std::string::npos) return 4;
      return d.line != 0 && d.line == line ? 2 : 0;
    });
  }

 private:
  template <class F>
  std::string best(std::set<std::string>& told, F&& score) const {
    int most = 0;
    const NamedDelta* out = nullptr;
    for (const auto& one : all_) {
      if (const int n = score(*one.delta); n > most) {
        most = n;
        out = &one;
      }
    }
    if (out == nullptr) return {};
    told.insert(out->id);
    return out->id + " " + std::string(classfile::name_of(out->delta->rule));
  }

  bool is_mine(const classfile::Delta& d) const { return mine_.count(&d) != 0; }

  const std::vector<NamedDelta>& all_;
  std::set<const classfile::Delta*> mine_;  // looked up, never walked
};

std::map<EdgeId, std::string> dangers_of(const Drawing& drawing,
                                         const Drawn& d, const Marks& marks,
                                         const Lines& lines,
                                         const Judge& judge,
                                         std::set<std::string>& told) {
  const Jig& graph = *d.from->graph;
  std::map<EdgeId, std::string> out;
  for (std::size_t i = 0; i < d.nodes.size(); ++i) {
    const NodeId n = d.nodes[i];
    for (const EdgeId e : d.inner[i]) {
      if (marks.other.count(e) == 0) continue;
      const NodeId t = graph.target(e);
      const unsigned line = is_code(graph.kind(t))   ? lines.at(graph.pc(t))
                            : is_code(graph.kind(n)) ? lines.at(graph.pc(n))
                                                     : 0;
      if (auto name = judge.inner(line, told); !name.empty()) {
        out[e] = std::move(name);
      }
    }
    for (const EdgeId e : d.asked[i]) {
      if (marks.other.count(e) == 0) continue;
      const unsigned line =
          is_code(graph.kind(n)) ? lines.at(graph.pc(n)) : 0;
      const NodeId t = graph.target(e);
      const auto runs = marks.runs.find(e);
      auto name = judge.asked(
          graph.label(t), drawing.target_text(t),
          runs == marks.runs.end() ? std::set<std::string>() : runs->second,
          line, told);
      if (!name.empty()) out[e] = std::move(name);
    }
  }
  return out;
}

}  // namespace

Picture picture_of(const DrawnGraph& graph, const PictureAsks& asks) {
  Picture out;
  out.title = asks.method.empty() ? graph.title : asks.method;
  auto& side = out.sides.emplace_back();
  side.title = graph.title;
  const Drawing drawing(graph);
  std::size_t nodes = 0;
  for (const auto& entity : methods_meant(*graph.graph, asks.method)) {
    const Drawn d = drawing.method(entity);
    nodes += d.nodes.size();
    if (asks.most_nodes != 0 && nodes > asks.most_nodes) {
      ++out.left_out;
      continue;
    }
    side.methods.push_back(drawn_method(drawing, d, entity, nullptr, {}));
  }
  return out;
}

Picture picture_of(const DrawnGraph& before, const DrawnGraph& after,
                   const std::vector<NamedDelta>& edges,
                   const PictureAsks& asks) {
  Picture out;
  out.title = asks.method;
  out.sides = {{before.title, {}}, {after.title, {}}};
  const Drawing old_drawing(before);
  const Drawing new_drawing(after);
  auto entities = methods_meant(*before.graph, asks.method);
  for (const auto& entity : methods_meant(*after.graph, asks.method)) {
    entities.push_back(entity);
  }
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  std::size_t nodes = 0;
  std::set<std::string> told;
  for (const auto& entity : entities) {
    const Drawn a = old_drawing.method(entity);
    const Drawn b = new_drawing.method(entity);
    nodes += a.nodes.size() + b.nodes.size();
    if (asks.most_nodes != 0 && nodes > asks.most_nodes) {
      ++out.left_out;
      continue;
    }
    const Walk walk(old_drawing, a, new_drawing, b);
    const Judge judge(edges, entity);
    std::set<std::string> here;
    const auto side = [&](const Drawing& drawing, const Drawn& d,
                          const Marks& marks) {
      const Lines lines(*d.from->world, entity);
      return drawn_method(
          drawing, d, entity, &marks,
          dangers_of(drawing, d, marks, lines, judge, here));
    };
    auto one = side(old_drawing, a, walk.old_marks);
    auto other = side(new_drawing, b, walk.new_marks);
    place_rows(walk.rows, one, other);
    out.sides[0].methods.push_back(std::move(one));
    out.sides[1].methods.push_back(std::move(other));
    for (const auto& edge : edges) {
      const auto& d = *edge.delta;
      if (d.entity != entity && here.count(edge.id) == 0) continue;
      if (!told.insert(edge.id).second) continue;
      out.dangers.push_back(edge.id + " " +
                            std::string(classfile::name_of(d.rule)) + " " +
                            traversal::java_text(d.why) +
                            (d.line == 0 ? "" : ", line " + std::to_string(d.line)));
    }
  }
  return out;
}

}  // namespace rejig::app
