// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/report/report_data.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "apps/rejig/report/digest.h"
#include "apps/rejig/report/report_format.h"
#include "classfile/reader/code.h"
#include "coverage/row/baseline_age.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/java_names.h"
#include "traversal/describe/listing.h"
#include "traversal/describe/versions.h"

namespace rejig::app {

using traversal::Side;

namespace {

struct MethodSize {
  std::string name;  // "add(II)I"
  std::size_t bytes = 0;
  bool changed = false;
  std::size_t tests = 0;
};

std::vector<MethodSize> methods_of(const classfile::Program& program,
                                   const classfile::ProgramFile& file) {
  std::vector<MethodSize> out;
  base::Buffer buffer;
  const auto bytes = program.read(file, buffer);
  if (!bytes.ok()) return out;
  const auto view = classfile::ClassView::parse(*bytes, std::string(file.name));
  if (!view.ok()) return out;
  for (const auto& method : view->methods()) {
    const auto code = classfile::CodeView::of(*view, method);
    if (!code) continue;
    out.push_back({std::string(method.name) + std::string(method.descriptor),
                   code->code.size(), false, 0});
  }
  return out;
}

// Code that OLD does not have is changed, too.
bool is_new(const traversal::Versions* versions, const std::string& old_class,
            const std::string& member) {
  if (versions == nullptr) return false;
  const auto* shell = versions->shell(Side::kOld, old_class);
  if (shell == nullptr) return true;
  const auto open = member.find('(');
  return shell->method(std::string_view(member).substr(0, open),
                       std::string_view(member).substr(open)) == nullptr;
}

}  // namespace

void add_program(const Compared& compared,
                 const std::vector<coverage::Edge>& edges,
                 coverage::Matrix* matrix, base::ThreadPool& pool,
                 Members& members) {
  const auto& comparison = compared.comparison;
  std::set<std::string> bodies;
  for (const auto& edge : edges) {
    const auto& d = edge.delta;
    if (d.channel == classfile::Channel::kBody) bodies.insert(d.entity);
  }
  std::set<std::string> touched(comparison.changed_class_names.begin(),
                                comparison.changed_class_names.end());
  touched.insert(comparison.added_class_names.begin(),
                 comparison.added_class_names.end());
  std::map<std::string, std::string> old_names;
  for (const auto& [old_name, new_name] : comparison.renamed) {
    old_names[classfile::dotted(new_name)] = classfile::dotted(old_name);
  }
  const auto& program = *compared.new_program;
  const auto classes = program.classes();
  std::vector<std::vector<MethodSize>> all(classes.size());
  pool.for_each(classes.size(), [&](unsigned, std::size_t i) {
    all[i] = methods_of(program, classes[i]);
  });
  std::string out = "[";
  std::vector<coverage::RowId> rows;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (all[i].empty()) continue;
    const std::string name = classfile::dotted(classes[i].name);
    const auto at = old_names.find(name);
    const std::string old_name = at == old_names.end() ? name : at->second;
    const bool looked_at =
        touched.count(name) != 0 || touched.count(old_name) != 0;
    out += (out.size() == 1 ? "[" : ",\n[") + json_string(name) + ",[";
    for (bool first = true; auto& method : all[i]) {
      method.changed = bodies.count(old_name + "." + method.name) != 0 ||
                       (looked_at && is_new(comparison.versions.get(), old_name,
                                            method.name));
      if (matrix != nullptr) {
        rows.clear();
        const auto atom = matrix->find_atom(
            coverage::method_atom(old_name + "." + method.name));
        if (atom.ok() && *atom &&
            matrix->append_rows_with(*atom, rows).ok()) {
          method.tests = rows.size();
        }
      }
      if (!first) out += ',';
      first = false;
      out += "[" + json_string(traversal::java_method(method.name)) + "," +
             std::to_string(method.bytes) + "," + (method.changed ? "1" : "0") +
             "," + std::to_string(method.tests) + "]";
    }
    out += "]]";
  }
  members.emplace_back("program", out + "]");
  members.emplace_back("tested", matrix == nullptr ? "false" : "true");
}

namespace {

using traversal::ListingLine;

const classfile::MemberView* method_in(const classfile::ClassView* cls,
                                       std::string_view member) {
  if (cls == nullptr) return nullptr;
  const auto open = member.find('(');
  return traversal::find_method(*cls, member.substr(0, open),
                                member.substr(open));
}

std::string cell(const ListingLine* line) {
  return line == nullptr
             ? "0,null"
             : std::to_string(line->line) + "," + json_string(line->text);
}

class Changes {
 public:
  Changes(const traversal::Versions& versions, const ReportOptions& options)
      : versions_(versions), options_(options) {}

  void add(const std::string& entity, const std::string& file) {
    const auto cls = traversal::class_part(entity);
    const auto member = traversal::member_part(entity);
    const auto* old_class = versions_.view(Side::kOld, cls);
    const auto* new_class =
        versions_.view(Side::kNew, versions_.name_in_new(cls));
    const auto* old_method = method_in(old_class, member);
    const auto* new_method = method_in(new_class, member);
    if (old_method == nullptr || new_method == nullptr) return;
    const auto before = traversal::listing_of(*old_class, *old_method);
    const auto after = traversal::listing_of(*new_class, *new_method);
    constexpr std::size_t kMostLines = 40'000;
    lines_ += before.size() + after.size();
    if (lines_ > kMostLines) return;
    listings_ += (listings_.empty() ? "" : ",\n") + json_string(entity) + ":[";
    std::set<unsigned> wanted;
    for (bool first = true;
         const auto& row : traversal::aligned(before, after)) {
      const char* mark = row.same ? " " : "|";
      listings_ += std::string(first ? "" : ",") + "[\"" + mark + "\"," +
                   cell(row.before) + "," + cell(row.after) + "]";
      first = false;
      if (row.after != nullptr) wanted.insert(row.after->line);
    }
    listings_ += "]";
    add_source(file, wanted);
  }

  bool full() const { return lines_ > 40'000; }
  std::string listings() const { return "{" + listings_ + "}"; }
  std::string sources() const {
    std::string out = "{";
    for (const auto& [file, lines] : sources_) {
      out += (out.size() == 1 ? "" : ",\n") + json_string(file) + ":{";
      for (bool first = true; const auto& [number, text] : lines) {
        out += std::string(first ? "" : ",") + "\"" + std::to_string(number) +
               "\":" + json_string(text);
        first = false;
      }
      out += "}";
    }
    return out + "}";
  }

 private:
  void add_source(const std::string& file, const std::set<unsigned>& wanted) {
    if (options_.source_roots.empty() || file.empty()) return;
    std::ifstream in(source_path(file, options_));
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
      if (wanted.count(++number) != 0) sources_[file][number] = line;
    }
  }

  const traversal::Versions& versions_;
  const ReportOptions& options_;
  std::size_t lines_ = 0;
  std::string listings_;
  std::map<std::string, std::map<unsigned, std::string>> sources_;
};

}  // namespace

void add_changes(const std::vector<coverage::Edge>& edges,
                 const traversal::Versions* versions,
                 const ReportOptions& options, Members& members) {
  if (versions == nullptr) return;
  constexpr std::size_t kFacts = 12;
  constexpr std::size_t kItems = 400;
  std::vector<std::uint32_t> all(edges.size());
  std::iota(all.begin(), all.end(), 0U);
  const Digest digest = digest_of(edges, all, {}, versions);
  std::string words;
  std::string order;
  Changes changes(*versions, options);
  std::size_t told = 0;
  for (const auto& item : digest.items) {
    if (item.edges.empty()) continue;
    const std::string id = coverage::edge_id(item.edges.front());
    order += (order.empty() ? "" : ",") + json_string(id);
    if (told++ >= kItems) continue;
    const auto said = words_of(item, edges, versions, kFacts);
    if (!said.empty()) {
      words += (words.empty() ? "" : ",\n") + json_string(id) + ":" +
               json_list(said);
    }
    if (item.has_body && !changes.full()) changes.add(item.entity, item.file);
  }
  members.emplace_back("words", "{" + words + "}");
  members.emplace_back("order", "[" + order + "]");
  members.emplace_back("listings", changes.listings());
  members.emplace_back("sources", changes.sources());
}

void add_rows(coverage::Matrix& matrix, Members& members) {
  const auto rows = matrix.rows();
  if (!rows.ok()) return;
  std::string out = "{";
  std::string_view suite;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto& row = (*rows)[i];
    const bool same = i != 0 && row.suite == suite;
    suite = row.suite;
    out += same ? ",\n" : (i == 0 ? "" : "},\n") + json_string(suite) + ":{";
    out += json_string(row.test) + ":[" + std::to_string(row.ms) + "," +
           json_string(name_of(row.result)) + "," +
           json_string(name_of(row.grade)) + "]";
  }
  members.emplace_back("rows", out + (rows->empty() ? "}" : "}}"));
  const auto environment = matrix.environment();
  if (!environment.ok()) return;
  std::string recorded;
  for (const auto& entry : *environment) {
    if (!entry.key.starts_with(coverage::kRecordedPrefix)) continue;
    std::int64_t seconds = 0;
    std::from_chars(entry.value.data(), entry.value.data() + entry.value.size(),
                    seconds);
    const std::time_t time = seconds;
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    char text[32];
    const auto n = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    recorded += (recorded.empty() ? "" : ",") +
                json_string(entry.key.substr(coverage::kRecordedPrefix.size())) +
                ":" + json_string(std::string_view(text, n));
  }
  members.emplace_back("recorded", "{" + recorded + "}");
}

}  // namespace rejig::app
