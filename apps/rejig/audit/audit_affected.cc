// SPDX-License-Identifier: Apache-2.0
// Who executed changed code? With rows of the new version: who entered a method
// whose body differs or that OLD does not have, or triggered a changed
// initializer. Without: who did so in OLD, as far as the old rows say.
#include <algorithm>

#include "apps/rejig/audit/audit_judge.h"
#include "coverage/select/adaptor.h"

namespace rejig::app {

using classfile::Atom;
using classfile::ClassView;
using classfile::Rule;
using coverage::TestKey;

namespace {

// The methods of D1 and D2 by their old names.
std::set<std::string> changed_in_old(const std::vector<classfile::Delta>& edges,
                                     bool who_entered) {
  std::set<std::string> out;
  for (const auto& d : edges) {
    if (d.everybody) continue;
    if (d.rule == Rule::kD2 && !d.subject.empty()) {
      out.insert(d.subject + ".<clinit>()V");
    } else if (d.rule == Rule::kD1) {
      if (who_entered) out.insert(d.at.begin(), d.at.end());
      if (!coverage::class_of_method(d.entity).empty()) out.insert(d.entity);
    }
  }
  return out;
}

class NewCode {
 public:
  explicit NewCode(const Compared& compared) : compared_(compared) {
    for (const auto& [from, to] : compared.comparison.renamed) {
      to_new_[from] = to;
    }
  }

  std::set<std::string> methods(const std::vector<classfile::Delta>& edges) {
    for (const auto& method : changed_in_old(edges, false)) {
      const std::string name(coverage::class_of_method(method));
      out_.insert(in_new(name) + method.substr(name.size()));
    }
    for (const auto& name : compared_.comparison.added_class_names) {
      add(name, {});
    }
    for (const auto& name : compared_.comparison.changed_class_names) {
      add(in_new(name), methods_of(*compared_.old_program, name, true));
    }
    return std::move(out_);
  }

 private:
  std::string in_new(const std::string& name) const {
    const auto at = to_new_.find(name);
    return at == to_new_.end() ? name : at->second;
  }

  // "name(descriptor)"; nothing of a class that is not there or not readable.
  static std::set<std::string> methods_of(const classfile::Program& program,
                                          const std::string& name,
                                          bool synthetic) {
    std::set<std::string> out;
    const auto* file = program.find_class(classfile::slashed(name));
    if (file == nullptr) return out;
    base::Buffer buffer;
    const auto bytes = program.read(*file, buffer);
    if (!bytes.ok()) return out;
    const auto cls = ClassView::parse(*bytes, name);
    if (!cls.ok()) return out;
    for (const auto& method : cls->methods()) {
      // Compilers number lambdas and accessors anew; what they do is compared
      // with the methods that make them.
      if (!synthetic && method.is(classfile::kAccSynthetic)) continue;
      out.insert(std::string(method.name) + std::string(method.descriptor));
    }
    return out;
  }

  void add(const std::string& name, const std::set<std::string>& known) {
    for (const auto& method :
         methods_of(*compared_.new_program, name, false)) {
      if (known.count(method) == 0) out_.insert(name + "." + method);
    }
  }

  const Compared& compared_;
  std::map<std::string, std::string> to_new_;
  std::set<std::string> out_;
};

base::Result<void> add_rows(coverage::Matrix& matrix, const Atom& atom,
                            Affected& out) {
  REJIG_TRY(const auto id, matrix.find_atom(atom));
  if (!id) return {};
  std::vector<coverage::RowId> found;
  REJIG_TRY_VOID(matrix.append_rows_with(id, found));
  REJIG_TRY(const auto rows, matrix.rows());
  for (const auto row : found) {
    const auto& one = rows[row.index()];
    out.tests.emplace(TestKey{std::string(one.suite), std::string(one.test)},
                      classfile::to_string(atom));
  }
  return {};
}

}  // namespace

base::Result<Affected> affected_tests(const Selected& selected,
                                      coverage::Matrix* new_rows) {
  Affected out;
  out.basis = new_rows != nullptr ? "new rows" : "old rows";
  coverage::Matrix* matrix =
      new_rows != nullptr ? new_rows : selected.matrix.get();
  if (matrix == nullptr || !selected.compared) return out;
  const std::set<std::string> methods =
      new_rows != nullptr
          ? NewCode(*selected.compared).methods(selected.input.edges)
          : changed_in_old(selected.input.edges, true);
  for (const auto& method : methods) {
    REJIG_TRY_VOID(add_rows(*matrix, coverage::method_atom(method), out));
  }
  if (new_rows == nullptr) {
    for (const auto& gone : selected.answer.gone) out.tests.erase(gone);
  }
  return out;
}

}  // namespace rejig::app
