// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/static_rows.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "classfile/entity.h"
#include "coverage/adaptor.h"
#include "coverage/answer.h"
#include "coverage/matrix_builder.h"
#include "jig/graph_builder.h"
#include "jig/world.h"

namespace rejig::app {

using base::Errc;
using base::Error;
using classfile::Atom;
using classfile::AtomKind;
using coverage::AtomId;
using coverage::Facts;
using coverage::MatrixBuilder;
using coverage::Row;
using coverage::RowId;
using jig::EdgeKind;
using jig::NodeId;
using jig::NodeKind;

namespace {

// Tests times methods, beyond which the rows do not fit into memory.
constexpr std::uint64_t kMostPairs = 200'000'000;

// Through these, bytecode names classes and members at run time.
constexpr std::array<std::string_view, 14> kReflective = {
    "java.lang.Class.forName",    "java.lang.Class.newInstance",
    "java.lang.Class.get",        "java.lang.ClassLoader.",
    "java.lang.reflect.",         "java.lang.invoke.MethodHandles",
    "java.util.ServiceLoader.",   "java.beans.",
    "java.io.ObjectInputStream.", "java.io.ObjectOutputStream.",
    "java.net.URLClassLoader.",   "javax.script.",
    "sun.misc.Unsafe.",           "java.lang.Module",
};

class Reach {
 public:
  static base::Result<std::unique_ptr<Reach>> make(const OldWorld& old,
                                                   base::ThreadPool& pool) {
    auto out = std::unique_ptr<Reach>(new Reach(old));
    base::Diagnostics diagnostics;
    out->graph_ = jig::build_graph(out->world_, pool, diagnostics);
    out->index(old);
    return out;
  }

  std::size_t methods() const { return entities_.size(); }
  const std::vector<std::string>& entities() const { return entities_; }
  std::string_view owner(std::uint32_t method) const { return owners_[method]; }

  struct Answer {
    std::vector<std::uint32_t> methods;  // sorted
    bool reflects = false;
  };
  // May the test run a method of that class at all?
  using Inside = std::function<bool(std::string_view owner)>;
  Answer from(const std::string& test, const Inside& inside) {
    ++epoch_;
    todo_.clear();
    Answer out;
    visit(0);  // ECN
    for (const NodeId root : roots_of(test)) visit(root);
    while (!todo_.empty()) {
      const NodeId node = todo_.back();
      todo_.pop_back();
      if (const auto method = method_of_[node]; method != kNone) {
        if (inside && !inside(owners_[method])) continue;
        out.methods.push_back(method);
      }
      out.reflects = out.reflects || reflective_[node] != 0;
      for (auto e = graph_.out_begin(node); e < graph_.out_end(node); ++e) {
        // What a runner starts is a root of that test alone.
        if (graph_.edge_kind(e) != EdgeKind::kTest) visit(graph_.target(e));
      }
    }
    std::sort(out.methods.begin(), out.methods.end());
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit Reach(const OldWorld& old)
      : world_(names_, *old.internal, old.external) {}

  void visit(NodeId node) {
    if (seen_[node] == epoch_) return;
    seen_[node] = epoch_;
    todo_.push_back(node);
  }

  void index(const OldWorld& old) {
    seen_.assign(graph_.nodes(), 0);
    method_of_.assign(graph_.nodes(), kNone);
    reflective_.assign(graph_.nodes(), 0);
    for (NodeId n = 0; n < graph_.nodes(); ++n) {
      const NodeKind kind = graph_.kind(n);
      if (kind == NodeKind::kEntry) {
        const std::string entity = graph_.label(n);
        method_of_[n] = static_cast<std::uint32_t>(entities_.size());
        entities_.push_back(entity);
        owners_.emplace_back(coverage::class_of_method(entity));
        members_[owners_.back()].push_back(n);
      } else if (kind == NodeKind::kInit) {
        inits_.emplace(classfile::dotted(graph_.label(n)), n);
      } else if (kind == NodeKind::kExternalEntry) {
        const std::string label = graph_.label(n);
        const auto named = [&](std::string_view api) {
          return label.starts_with(api);
        };
        reflective_[n] =
            std::any_of(kReflective.begin(), kReflective.end(), named) ? 1 : 0;
      }
    }
    for (const auto& test : *old.tests) {
      const auto id = std::string_view(test.id);
      const auto mark = id.find('#');
      std::string name(id.substr(mark + 1));
      name.resize(std::min(name.find('('), name.size()));
      tests_of_[test.declared_in].insert(name);
    }
  }

  std::vector<NodeId> roots_of(const std::string& test) const {
    std::vector<NodeId> out;
    const std::string cls(coverage::class_of_test(test));
    const std::string method(coverage::method_of_test(test));
    const std::string name = method.substr(0, method.find('('));
    const bool whole = coverage::is_whole_class(test);
    std::vector<std::string> chain = {cls};
    for (const auto super : world_.supers(classfile::slashed(cls)).names) {
      chain.push_back(classfile::dotted(super));
    }
    for (const auto& one : chain) {
      add_members(one, name, whole, out);
      // Nested classes: data of the tests, extensions, rules.
      const std::string inner = one + "$";
      for (auto at = members_.lower_bound(inner);
           at != members_.end() && at->first.starts_with(inner); ++at) {
        add_members(at->first, name, whole, out);
      }
    }
    return out;
  }

  void add_members(const std::string& cls, const std::string& name, bool whole,
                   std::vector<NodeId>& out) const {
    if (const auto init = inits_.find(cls); init != inits_.end()) {
      out.push_back(init->second);
    }
    const auto at = members_.find(cls);
    if (at == members_.end()) return;
    const auto tests = tests_of_.find(cls);
    for (const NodeId node : at->second) {
      std::string_view member = entities_[method_of_[node]];
      member.remove_prefix(cls.size() + 1);
      member = member.substr(0, member.find('('));
      const bool other_test = !whole && tests != tests_of_.end() &&
                              tests->second.contains(std::string(member)) &&
                              member != name;
      if (!other_test) out.push_back(node);
    }
  }

  jig::Names names_;
  jig::World world_;
  jig::Jig graph_;
  std::vector<std::string> entities_;
  std::vector<std::string> owners_;
  std::map<std::string, std::vector<NodeId>> members_;
  std::map<std::string, NodeId> inits_;
  std::map<std::string, std::set<std::string>> tests_of_;
  std::vector<std::uint32_t> method_of_;
  std::vector<char> reflective_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t epoch_ = 0;
  std::vector<NodeId> todo_;
};

base::Result<void> check_size(std::size_t tests, std::size_t methods) {
  if (std::uint64_t{tests} * methods <= kMostPairs) return {};
  return Error{Errc::kLimit,
               std::to_string(tests) + " tests times " +
                   std::to_string(methods) +
                   " methods are too many for this view",
               ""};
}

// Methods by number in the graph, as atoms of a builder.
std::vector<MatrixBuilder::LocalAtom> intern_all(const Reach& reach,
                                                 MatrixBuilder& builder) {
  std::vector<MatrixBuilder::LocalAtom> out;
  for (const auto& entity : reach.entities()) {
    out.push_back(builder.intern(AtomKind::kMethod, entity));
  }
  return out;
}

base::Result<void> copy_origin(coverage::Matrix& from, MatrixBuilder& to) {
  REJIG_TRY(const auto classes, from.classes());
  for (const auto& c : classes) to.add_class(c.name, c.digest);
  REJIG_TRY(const auto environment, from.environment());
  for (const auto& e : environment) to.add_environment(e.key, e.value);
  return {};
}

// The rows of the matrix, each with its atoms, read atom by atom.
base::Result<std::vector<std::vector<Atom>>> atoms_by_row(
    coverage::Matrix& matrix) {
  std::vector<std::vector<Atom>> out(matrix.row_count());
  std::vector<std::pair<AtomId, Atom>> all;
  for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
    const auto kind = static_cast<AtomKind>(k);
    REJIG_TRY_VOID(matrix.each_atom(kind, "", [&](AtomId id, auto text) {
      all.emplace_back(id, Atom{kind, std::string(text)});
    }));
  }
  std::vector<RowId> rows;
  for (const auto& [id, atom] : all) {
    rows.clear();
    REJIG_TRY_VOID(matrix.append_rows_with(id, rows));
    for (const RowId row : rows) out[row.index()].push_back(atom);
  }
  return out;
}

}  // namespace

base::Result<std::unique_ptr<coverage::Matrix>> static_rows(
    const OldWorld& old, coverage::Matrix* recorded,
    const std::string& default_suite, base::ThreadPool& pool) {
  REJIG_TRY(const auto reach, Reach::make(old, pool));
  REJIG_TRY_VOID(check_size(old.tests->size(), reach->methods()));
  MatrixBuilder builder;
  const auto atoms = intern_all(*reach, builder);
  std::multimap<std::string, Row> known;
  if (recorded != nullptr) {
    REJIG_TRY(const auto rows, recorded->rows());
    for (const auto& row : rows) known.emplace(row.test, row);
  }
  std::set<std::string> ids;
  for (const auto& test : *old.tests) ids.insert(test.id);
  for (const auto& id : ids) {
    const auto answer = reach->from(id, nullptr);
    std::vector<MatrixBuilder::LocalAtom> own;
    if (answer.reflects) {
      own = atoms;
    } else {
      for (const auto method : answer.methods) own.push_back(atoms[method]);
    }
    const auto add = [&](std::string_view suite, coverage::Outcome result) {
      Row row;
      row.suite = suite;
      row.test = id;
      row.grade = coverage::Grade::kComplete;
      row.result = result;
      row.facts = Facts().with(AtomKind::kMethod);
      builder.add_row(row, own);
    };
    const auto [begin, end] = known.equal_range(id);
    for (auto at = begin; at != end; ++at) {
      add(at->second.suite, at->second.result);
    }
    if (begin == end) add(default_suite, coverage::Outcome::kPass);
  }
  return builder.finish();
}

base::Result<std::unique_ptr<coverage::Matrix>> hybrid_rows(
    const OldWorld& old, coverage::Matrix& recorded, base::ThreadPool& pool) {
  REJIG_TRY(const auto reach, Reach::make(old, pool));
  REJIG_TRY(const auto rows, recorded.rows());
  REJIG_TRY_VOID(check_size(rows.size(), reach->methods()));
  REJIG_TRY(const auto by_row, atoms_by_row(recorded));
  MatrixBuilder builder;
  const auto atoms = intern_all(*reach, builder);
  REJIG_TRY_VOID(copy_origin(recorded, builder));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = rows[i];
    std::set<std::string, std::less<>> touched;
    std::set<std::string, std::less<>> reflected;
    std::vector<MatrixBuilder::LocalAtom> own;
    for (const auto& atom : by_row[i]) {
      if (atom.kind != AtomKind::kRecv && atom.kind != AtomKind::kEdge) {
        own.push_back(builder.intern(atom));
      }
      if (atom.kind == AtomKind::kMethod) {
        touched.emplace(coverage::class_of_method(atom.text));
      } else if (atom.kind == AtomKind::kLoad || atom.kind == AtomKind::kInit ||
                 atom.kind == AtomKind::kInst) {
        touched.insert(atom.text);
      } else if (atom.kind == AtomKind::kRefl) {
        const auto name = classfile::reflected_class(atom.text);
        touched.emplace(name);
        if (name == atom.text) reflected.emplace(name);
      }
    }
    // Without loads only what the graph says bounds the classes.
    const bool bounded = row.recorded(AtomKind::kLoad);
    const bool saw_reflection = row.recorded(AtomKind::kRefl);
    const auto inside = [&](std::string_view owner) {
      return !bounded || touched.contains(owner);
    };
    const auto answer = reach->from(std::string(row.test), inside);
    const bool anything = answer.reflects && !saw_reflection;
    for (const auto method : answer.methods) own.push_back(atoms[method]);
    for (std::uint32_t m = 0; m < reach->methods(); ++m) {
      const auto owner = reach->owner(m);
      if (reflected.contains(owner) || (anything && inside(owner))) {
        own.push_back(atoms[m]);
      }
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    Facts facts = Facts().with(AtomKind::kMethod);
    for (std::size_t k = 0; k < classfile::kAtomKinds; ++k) {
      const auto kind = static_cast<AtomKind>(k);
      if (kind != AtomKind::kRecv && kind != AtomKind::kEdge &&
          row.recorded(kind)) {
        facts = facts.with(kind);
      }
    }
    row.facts = facts;
    builder.add_row(row, std::move(own));
  }
  return builder.finish();
}

}  // namespace rejig::app
