// SPDX-License-Identifier: Apache-2.0
// What does a changed module declaration mean (channel C9)? Exports decide which
// references into a package are legal, so whoever loaded a class of it is
// affected; opens decide about deep reflection on it; provides about who finds a
// service. A change of anything else in it concerns everybody. Names of
// platforms, versions and hashes say nothing.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "classfile/reader/class_view.h"
#include "traversal/session/phases.h"

namespace rejig::traversal {

using classfile::Channel;
using classfile::ClassView;
using classfile::Delta;
using classfile::Program;
using classfile::ProgramFile;
using classfile::Rule;

namespace {

constexpr std::string_view kModuleInfo = "module-info.class";

struct ModuleText {
  std::string name;  // with flags
  std::set<std::string> requires_;
  std::map<std::string, std::string> exports;  // package -> to whom
  std::map<std::string, std::string> opens;
  std::set<std::string> uses;
  std::map<std::string, std::string> provides;  // service -> with what
  friend bool operator==(const ModuleText&, const ModuleText&) = default;
};

std::string names(base::ByteReader& reader, const ClassView& cls) {
  std::string out;
  for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
    out += std::string(cls.pool().text(reader.u2())) + ",";
  }
  return out;
}

std::optional<ModuleText> module_text(const ClassView& cls) {
  const auto* attribute = cls.attribute("Module");
  if (attribute == nullptr) return std::nullopt;
  const auto& pool = cls.pool();
  base::ByteReader reader(attribute->content);
  ModuleText out;
  out.name = std::string(pool.text(reader.u2()));
  out.name += " " + std::to_string(reader.u2());
  reader.skip(2);
  for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
    std::string one(pool.text(reader.u2()));
    one += " " + std::to_string(reader.u2());
    reader.skip(2);
    out.requires_.insert(std::move(one));
  }
  for (auto* list : {&out.exports, &out.opens}) {
    for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
      const std::string package(pool.text(reader.u2()));
      reader.skip(2);
      (*list)[package] = "to " + names(reader, cls);
    }
  }
  for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
    out.uses.emplace(pool.text(reader.u2()));
  }
  for (unsigned n = reader.u2(); n > 0 && !reader.failed(); --n) {
    const std::string service(pool.text(reader.u2()));
    out.provides[service] = names(reader, cls);
  }
  if (reader.failed()) return std::nullopt;
  return out;
}

std::vector<const ProgramFile*> module_files(const Program& program) {
  std::vector<const ProgramFile*> out;
  for (const auto& file : program.resources()) {
    if (file.name == kModuleInfo) out.push_back(&file);
  }
  return out;
}

std::optional<ModuleText> read_module(const Program& program,
                                      const ProgramFile& file) {
  base::Buffer buffer;
  const auto bytes = program.read(file, buffer);
  if (!bytes.ok()) return std::nullopt;
  const auto cls = ClassView::parse(bytes.value(), program.where(file));
  if (!cls.ok()) return std::nullopt;
  return module_text(*cls);
}

class Modules {
 public:
  Modules(const Worlds& worlds, Findings& findings)
      : worlds_(worlds), findings_(findings) {}

  void run() {
    const Program& a = *worlds_.inputs.old_internal;
    const Program& b = *worlds_.inputs.new_internal;
    const auto olds = module_files(a);
    const auto news = module_files(b);
    if (olds.size() != news.size()) {
      everybody("a module declaration was added or deleted");
      return;
    }
    for (std::size_t i = 0; i < olds.size(); ++i) {
      if (known_equal(a, *olds[i], b, *news[i])) continue;
      const auto x = read_module(a, *olds[i]);
      const auto y = read_module(b, *news[i]);
      if (!x || !y) {
        everybody("a module declaration cannot be read");
      } else if (*x != *y) {
        compare(*x, *y);
      }
    }
  }

 private:
  void compare(const ModuleText& x, const ModuleText& y) {
    if (x.name != y.name || x.requires_ != y.requires_ || x.uses != y.uses) {
      everybody("the module has another name, other flags, requires or uses");
    }
    each_difference(x.exports, y.exports, [&](const std::string& package) {
      of_package(package, Rule::kD14, "exports");
    });
    each_difference(x.opens, y.opens, [&](const std::string& package) {
      of_package(package, Rule::kD16, "opens");
    });
    each_difference(x.provides, y.provides, [&](const std::string& service) {
      add(Rule::kD14, classfile::dotted(service), "provides");
    });
  }

  template <class F>
  static void each_difference(const std::map<std::string, std::string>& x,
                              const std::map<std::string, std::string>& y,
                              F&& report) {
    std::set<std::string> keys;
    for (const auto& [key, value] : x) keys.insert(key);
    for (const auto& [key, value] : y) keys.insert(key);
    for (const auto& key : keys) {
      const auto a = x.find(key);
      const auto b = y.find(key);
      if (a == x.end() || b == y.end() || a->second != b->second) report(key);
    }
  }

  void of_package(const std::string& package, Rule rule,
                  const std::string& what) {
    for (const auto& file : worlds_.inputs.old_internal->classes()) {
      if (jig::package_of(file.name) == package) {
        add(rule, classfile::dotted(file.name), what);
      }
    }
  }

  void add(Rule rule, const std::string& subject, const std::string& what) {
    Delta d;
    d.rule = rule;
    d.channel = Channel::kArtefact;
    d.entity = subject;
    d.subject = subject;
    d.label = "module " + what;
    d.old_fact = "declared one way";
    d.new_fact = "declared another way";
    d.file = std::string(kModuleInfo);
    d.why = "the module's `" + what + "` that concern `" + subject +
            "` changed";
    findings_.edges.push_back(std::move(d));
  }

  void everybody(const std::string& why) {
    Delta d;
    d.rule = Rule::kD20;
    d.channel = Channel::kArtefact;
    d.entity = std::string(kModuleInfo);
    d.subject = d.entity;
    d.label = "module";
    d.old_fact = "one module graph";
    d.new_fact = "another one";
    d.file = d.entity;
    d.why = why;
    d.everybody = true;
    findings_.edges.push_back(std::move(d));
  }

  const Worlds& worlds_;
  Findings& findings_;
};

}  // namespace

void compare_modules(const Worlds& worlds, Findings& findings) {
  Modules(worlds, findings).run();
}

}  // namespace rejig::traversal
