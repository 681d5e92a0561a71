// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/audit/audit_judge.h"

#include <algorithm>
#include <sstream>

#include "classfile/base/file.h"

namespace rejig::app {

using coverage::Outcome;
using coverage::TestKey;

namespace {

bool fails(Outcome outcome) {
  return outcome == Outcome::kFail || outcome == Outcome::kError;
}

std::string class_of(const TestKey& key) {
  return key.suite + "\n" + std::string(coverage::class_of_test(key.test));
}

class Judge {
 public:
  Judge(const Selected& selected, const Results& results, const Results* again)
      : selected_(selected), results_(results), again_(again) {}

  base::Result<Audit> run(const std::vector<Selector>& selectors) {
    REJIG_TRY_VOID(find_known());
    REJIG_TRY(affected_, affected_tests(selected_, results_.matrix.get()));
    out_.files = results_.files + (again_ != nullptr ? again_->files : 0);
    out_.cases = results_.cases;
    out_.unclear = results_.unclear.size();
    out_.basis = affected_.basis;
    out_.affected = affected_.tests.size();
    find_flaky();
    count();
    for (const auto& selector : selectors) audit(selector);
    return std::move(out_);
  }

 private:
  base::Result<void> find_known() {
    if (selected_.matrix) {
      REJIG_TRY(const auto rows, selected_.matrix->rows());
      out_.known = rows.size();
      for (const auto& row : rows) {
        known_[{std::string(row.suite), std::string(row.test)}] = row.result;
      }
    }
    std::set<std::string, std::less<>> ids;
    for (const auto& [key, outcome] : known_) ids.insert(key.test);
    const auto add = [&](const TestKey& key) {
      if (known_.emplace(key, std::nullopt).second) ids.insert(key.test);
    };
    for (const auto& test : selected_.answer.selected) add(test.key);
    for (const auto& [key, result] : results_.rows) add(key);
    for (const auto& [id, result] : results_.ids) {
      if (ids.find(id) == ids.end()) {
        add({selected_.input.default_suite, id});
      }
    }
    return {};
  }

  void find_flaky() {
    std::set<std::string> names;
    for (const auto& [key, outcome] : known_) {
      const TestResult* result = results_.find(key);
      const TestResult* other = again_ != nullptr ? again_->find(key) : nullptr;
      const bool differs = result != nullptr && other != nullptr &&
                           result->outcome != other->outcome;
      if (differs || (result != nullptr && result->flaky) ||
          (other != nullptr && other->flaky)) {
        flaky_.insert(key);
        names.insert(key.test);
      }
    }
    for (const auto& [name, unclear] : results_.unclear) {
      bool flaky = unclear.result.flaky;
      if (again_ != nullptr) {
        const auto other = again_->unclear.find(name);
        flaky |= other != again_->unclear.end() &&
                 (other->second.result.flaky ||
                  other->second.result.outcome != unclear.result.outcome);
      }
      if (!flaky) continue;
      flaky_cases_.insert(name);
      names.insert(name);
    }
    out_.flaky.assign(names.begin(), names.end());
  }

  // A report tells an error from a failure, a row does not.
  bool changed(const std::optional<Outcome>& old, Outcome now) const {
    return old && *old != Outcome::kUnknown && now != Outcome::kUnknown &&
           *old != now && !(fails(*old) && fails(now));
  }

  void count() {
    for (const auto& [key, old] : known_) {
      const TestResult* result = results_.find(key);
      if (result == nullptr || flaky_.count(key) != 0) continue;
      out_.failing += fails(result->outcome) ? 1 : 0;
      out_.changed += changed(old, result->outcome) ? 1 : 0;
    }
    for (const auto& [name, unclear] : results_.unclear) {
      if (flaky_cases_.count(name) == 0 && fails(unclear.result.outcome)) {
        ++out_.failing;
      }
    }
  }

  void audit(const Selector& selector) {
    AuditOf one;
    one.selector = selector.name;
    one.foreign = selector.foreign;
    one.everything = selector.everything;
    for (const auto& [key, old] : known_) {
      if (selector.selects(key)) {
        ++one.selected;
        continue;
      }
      const TestResult* result = results_.find(key);
      if (result == nullptr || flaky_.count(key) != 0) continue;
      if (fails(result->outcome) || changed(old, result->outcome)) {
        one.hard.push_back({key, old ? std::string(name_of(*old)) : "",
                            std::string(name_of(result->outcome)),
                            result->match});
      }
    }
    judge_unclear(selector, one);
    measure(selector, one);
    find_unobserved(selector, one);
    std::sort(one.hard.begin(), one.hard.end(),
              [](const Miss& a, const Miss& b) { return a.key < b.key; });
    out_.selectors.push_back(std::move(one));
  }

  bool selects_id(const Selector& selector, const std::string& id) const {
    if (selector.foreign || selector.everything) {
      return selector.selects({"", id});
    }
    // In every suite that has the test.
    bool found = false;
    for (const auto& [key, old] : known_) {
      if (key.test != id) continue;
      found = true;
      if (!selector.selects(key)) return false;
    }
    return found;
  }

  void judge_unclear(const Selector& selector, AuditOf& one) const {
    for (const auto& [name, unclear] : results_.unclear) {
      if (!fails(unclear.result.outcome) || flaky_cases_.count(name) != 0) {
        continue;
      }
      if (selector.everything) continue;
      // Tests with a result of their own are not what this case is, unless all
      // have one: then it is something of the class.
      std::vector<std::string> open;
      for (const auto& id : unclear.ids) {
        if (results_.find({"", id}) == nullptr) open.push_back(id);
      }
      const auto selects = [&](const std::string& id) {
        return selects_id(selector, id);
      };
      const bool covered =
          unclear.ids.empty()
              ? selector.foreign && selector.selects({"", name})
          : open.empty()
              ? std::any_of(unclear.ids.begin(), unclear.ids.end(), selects)
              : std::all_of(open.begin(), open.end(), selects);
      if (covered) continue;
      one.hard.push_back({{"", name},
                          "",
                          std::string(name_of(unclear.result.outcome)),
                          unclear.result.match});
    }
  }

  void measure(const Selector& selector, AuditOf& one) const {
    std::set<std::string> classes;
    std::set<std::string> missed;
    for (const auto& [key, code] : affected_.tests) {
      classes.insert(class_of(key));
      if (selector.selects(key)) continue;
      one.missed.emplace_back(key, code);
      missed.insert(class_of(key));
    }
    one.affected_classes = classes.size();
    one.missed_classes = missed.size();
  }

  void find_unobserved(const Selector& selector, AuditOf& one) const {
    std::set<std::string> vaguely;
    for (const auto& [name, unclear] : results_.unclear) {
      vaguely.insert(unclear.ids.begin(), unclear.ids.end());
    }
    std::set<TestKey> gone(selected_.answer.gone.begin(),
                           selected_.answer.gone.end());
    for (const auto& [key, old] : known_) {
      if (!old || gone.count(key) != 0 || selector.selects(key) ||
          results_.find(key) != nullptr || vaguely.count(key.test) != 0) {
        continue;
      }
      one.unobserved.push_back(key);
    }
  }

  const Selected& selected_;
  const Results& results_;
  const Results* again_;
  Affected affected_;
  Audit out_;
  std::map<TestKey, std::optional<Outcome>> known_;  // with their old outcome
  std::set<TestKey> flaky_;
  std::set<std::string> flaky_cases_;
};

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' ||
                           text.back() == '\t')) {
    text.pop_back();
  }
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

}  // namespace

bool Audit::clean() const {
  return std::all_of(selectors.begin(), selectors.end(),
                     [](const AuditOf& one) { return one.clean(); });
}

bool Selector::selects(const TestKey& key) const {
  if (everything) return true;
  if (!foreign) return keys.count(key) != 0;
  if (ids.count(key.test) != 0) return true;
  const auto method = key.test.substr(0, key.test.find('('));
  if (ids.count(method) != 0) return true;
  std::string cls(coverage::class_of_test(key.test));
  while (!cls.empty()) {
    if (ids.count(cls) != 0 || ids.count(cls + "#*") != 0) return true;
    const auto dollar = cls.rfind('$');
    cls = dollar == std::string::npos ? "" : cls.substr(0, dollar);
  }
  return false;
}

Selector selector_of(const std::string& view, const coverage::Answer& answer) {
  Selector out;
  out.name = view;
  out.everything = answer.mode == coverage::Mode::kAll;
  for (const auto& test : answer.selected) out.keys.insert(test.key);
  return out;
}

base::Result<Selector> read_selector(const std::string& path) {
  REJIG_TRY(const std::string text, base::read_file(path));
  Selector out;
  out.name = path;
  out.foreign = true;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(std::move(line));
    if (number == 1 && (line == "# all" || line.starts_with("# all:"))) {
      out.everything = true;
    }
    if (line.empty() || line.starts_with('#')) continue;
    if (line.find('\0') != std::string::npos) {
      return base::Error{base::Errc::kMalformed,
                         "a list of test ids has no zero bytes",
                         path + ":" + std::to_string(number)};
    }
    out.ids.insert(std::move(line));
  }
  return out;
}

base::Result<Audit> judge(const Selected& selected, const Results& results,
                          const Results* again,
                          const std::vector<Selector>& selectors) {
  return Judge(selected, results, again).run(selectors);
}

}  // namespace rejig::app
