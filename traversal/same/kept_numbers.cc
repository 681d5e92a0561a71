// SPDX-License-Identifier: Apache-2.0
// A family is an outermost class with all that is nested in it: only these
// mention each other's numbered members by a name that a compiler gave. Of each
// class of it that changed, methods that do not say the same taint whatever
// they mention, on both sides, and what is tainted taints what it mentions
// itself.
#include "traversal/same/kept_numbers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "classfile/reader/class_view.h"
#include "classfile/reader/code.h"
#include "traversal/code/enum_values.h"
#include "traversal/same/alike.h"
#include "traversal/same/pool_map.h"

namespace rejig::traversal {

using classfile::ClassView;
using classfile::CodeView;
using classfile::MemberView;
using classfile::Program;
using classfile::Tag;

namespace {

constexpr unsigned kDeepest = 8;  // constants made of constants

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "a/B" of "a/B$1$C".
std::string_view outermost_of(std::string_view name) {
  const auto simple = name.rfind('/') + 1;
  const auto dollar = name.find('$', simple + 1);
  return name.substr(0, dollar);
}

bool is_numbered_class(std::string_view name) {
  const auto behind = name.substr(outermost_of(name).size());
  return std::ranges::any_of(behind, is_digit);
}

// Names that stand for themselves, whatever else the class holds.
bool is_fixed_helper(std::string_view method) {
  const auto name = method.substr(0, method.find('('));
  return name == kValuesHelper || name == "$deserializeLambda$";
}

std::string method_key(std::string_view owner, std::string_view name,
                       std::string_view descriptor) {
  std::string out(owner);
  out += '.';
  out += name;
  out += descriptor;
  return out;
}

using Keys = std::set<std::string, std::less<>>;

// What a method names of its own family: "a/B$1" and "a/B.lambda$f$0()V".
class Mentions {
 public:
  Mentions(const ClassView& cls, std::string_view outermost, Keys& out)
      : cls_(cls), outermost_(outermost), out_(out) {}

  void of(const MemberView& method) {
    const auto code = CodeView::of(cls_, method);
    if (!code) return;
    classfile::InstructionReader reader(code->code);
    classfile::Instruction ins;
    while (reader.next(ins)) {
      if (classfile::names_constant(ins.op)) entry(ins.index, 0);
    }
    for (std::uint16_t i = 0; i < code->handler_count; ++i) {
      entry(code->handler(i).type, 0);
    }
  }

 private:
  void cls(std::string_view name) {
    while (name.starts_with('[')) name.remove_prefix(1);
    if (name.starts_with('L') && name.ends_with(';')) {
      name = name.substr(1, name.size() - 2);
    }
    if (outermost_of(name) == outermost_) out_.emplace(name);
  }

  void member(const classfile::MemberRef& ref) {
    cls(ref.owner);
    if (!ref.field && outermost_of(ref.owner) == outermost_) {
      out_.insert(method_key(ref.owner, ref.name, ref.descriptor));
    }
  }

  void entry(std::uint16_t index, unsigned depth) {
    const auto& pool = cls_.pool();
    if (index == 0 || depth > kDeepest) return;
    switch (pool.tag(index)) {
      case Tag::kClass:
        cls(pool.text(index));
        break;
      case Tag::kFieldref:
      case Tag::kMethodref:
      case Tag::kInterfaceMethodref:
        member(pool.member(index));
        break;
      case Tag::kMethodHandle:
        member(pool.handle(index).ref);
        break;
      case Tag::kDynamic:
      case Tag::kInvokeDynamic: {
        const auto& rows = cls_.bootstrap_methods();
        const std::uint16_t row = pool.dynamic(index).bootstrap;
        if (row >= rows.size()) break;
        entry(rows[row].handle, depth + 1);
        for (const auto argument : rows[row].arguments) {
          entry(argument, depth + 1);
        }
        break;
      }
      default:
        break;
    }
  }

  const ClassView& cls_;
  std::string_view outermost_;
  Keys& out_;
};

// Do the call sites of two methods with the same instructions link the same?
bool same_sites(const ClassView& olds, const MemberView& old_method,
                const ClassView& news, const PoolMap& map) {
  const auto code = CodeView::of(olds, old_method);
  if (!code) return true;
  const auto& before = olds.bootstrap_methods();
  const auto& after = news.bootstrap_methods();
  std::vector<std::uint16_t> to_ask;
  std::set<std::uint16_t> asked;
  classfile::InstructionReader reader(code->code);
  classfile::Instruction ins;
  while (reader.next(ins)) {
    if (classfile::names_constant(ins.op)) to_ask.push_back(ins.index);
  }
  while (!to_ask.empty()) {
    const std::uint16_t index = to_ask.back();
    to_ask.pop_back();
    const Tag tag = olds.pool().tag(index);
    if (tag != Tag::kDynamic && tag != Tag::kInvokeDynamic) continue;
    if (!asked.insert(index).second) continue;
    // Entries of the same row number are partners (pool_map.h).
    const std::uint16_t row = olds.pool().dynamic(index).bootstrap;
    if (row >= before.size() || row >= after.size()) return false;
    const auto& a = before[row];
    const auto& b = after[row];
    if (!map.same(a.handle, b.handle) ||
        a.arguments.size() != b.arguments.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      if (!map.same(a.arguments[i], b.arguments[i])) return false;
      to_ask.push_back(a.arguments[i]);
    }
  }
  return true;
}

bool same_outline(const ClassView& a, const ClassView& b) {
  const auto same_fields = [](const MemberView& x, const MemberView& y) {
    return x.access == y.access && x.name == y.name &&
           x.descriptor == y.descriptor;
  };
  return a.access() == b.access() && a.super_name() == b.super_name() &&
         std::ranges::equal(a.interfaces(), b.interfaces()) &&
         std::ranges::equal(a.fields(), b.fields(), same_fields);
}

// A name of the source stands for the same thing in both versions.
bool is_numbered(std::string_view key) {
  const auto dot = key.find('.');
  return dot == std::string_view::npos
             ? is_numbered_class(key)
             : may_be_numbered(key.substr(0, dot), key.substr(dot + 1));
}

// A class of the family in one version.
struct Member {
  base::Buffer buffer;
  std::optional<ClassView> view;
};

}  // namespace

struct KeptNumbers::Family {
  bool readable = true;
  Keys stays;    // methods that say the same, by key
  Keys classes;  // classes that say the same as a whole
  Keys tainted;

  std::map<std::string, Member, std::less<>> of_old;
  std::map<std::string, Member, std::less<>> of_new;

  void read(const Program& program, std::string_view outermost,
            std::map<std::string, Member, std::less<>>& out) {
    const auto all = program.classes();
    const auto from = std::ranges::lower_bound(all, outermost, {},
                                               &classfile::ProgramFile::name);
    for (auto at = from; at != all.end() && at->name.starts_with(outermost);
         ++at) {
      if (outermost_of(at->name) != outermost) continue;
      Member& member = out[std::string(at->name)];
      const auto bytes = program.read(*at, member.buffer);
      if (!bytes.ok()) {
        readable = false;
        return;
      }
      // The reader may lend bytes of the file, which stay as long as it.
      auto view = ClassView::parse(*bytes, program.where(*at));
      if (!view.ok()) {
        readable = false;
        return;
      }
      member.view.emplace(std::move(view).value());
    }
  }

  void taint_all(const ClassView& cls, std::string_view outermost) {
    for (const auto& method : cls.methods()) {
      Mentions(cls, outermost, tainted).of(method);
    }
  }

  void compare(const std::string& name, const ClassView& olds,
               const ClassView& news, std::string_view outermost) {
    PoolMap map;
    map.build(olds.pool(), news.pool());
    SameCode same;
    find_same_code(olds, news, map, same);
    bool all = same_outline(olds, news);
    for (std::size_t i = 0; i < olds.methods().size(); ++i) {
      const MemberView& method = olds.methods()[i];
      if (same.of_old[i] != 0 && same_sites(olds, method, news, map)) {
        stays.insert(method_key(name, method.name, method.descriptor));
      } else {
        Mentions(olds, outermost, tainted).of(method);
        all = false;
      }
    }
    for (const MemberView& method : news.methods()) {
      if (stays.contains(method_key(name, method.name, method.descriptor))) {
        continue;
      }
      Mentions(news, outermost, tainted).of(method);
      all = false;
    }
    if (all) classes.insert(name);
  }

  void spread(std::string_view outermost) {
    std::erase_if(tainted, [](const auto& key) { return !is_numbered(key); });
    std::vector<std::string> open(tainted.begin(), tainted.end());
    while (!open.empty()) {
      const std::string key = std::move(open.back());
      open.pop_back();
      const auto dot = key.find('.');
      const std::string owner = key.substr(0, dot);
      Keys found;
      for (const auto* side : {&of_old, &of_new}) {
        const auto at = side->find(owner);
        if (at == side->end()) continue;
        const ClassView& cls = *at->second.view;
        for (const auto& method : cls.methods()) {
          if (dot == std::string::npos
                  ? is_numbered_class(owner)
                  : key == method_key(owner, method.name, method.descriptor)) {
            Mentions(cls, outermost, found).of(method);
          }
        }
      }
      for (const auto& one : found) {
        if (is_numbered(one) && tainted.insert(one).second) open.push_back(one);
      }
    }
  }
};

bool may_be_numbered(std::string_view owner, std::string_view method) {
  if (is_numbered_class(owner)) return true;
  return method.substr(0, method.find('(')).find('$') !=
             std::string_view::npos &&
         !is_fixed_helper(method);
}

KeptNumbers::KeptNumbers(const Program& olds, const Program& news)
    : olds_(olds), news_(news) {}
KeptNumbers::~KeptNumbers() = default;

const KeptNumbers::Family& KeptNumbers::family_of(std::string_view outermost) {
  auto at = families_.find(outermost);
  if (at != families_.end()) return *at->second;
  auto made = std::make_unique<Family>();
  Family& family = *made;
  family.read(olds_, outermost, family.of_old);
  family.read(news_, outermost, family.of_new);
  if (family.readable) {
    for (const auto& [name, old_class] : family.of_old) {
      const auto partner = family.of_new.find(name);
      if (partner == family.of_new.end()) {
        family.taint_all(*old_class.view, outermost);
      } else {
        family.compare(name, *old_class.view, *partner->second.view, outermost);
      }
    }
    for (const auto& [name, new_class] : family.of_new) {
      if (!family.of_old.contains(name)) {
        family.taint_all(*new_class.view, outermost);
      }
    }
    family.spread(outermost);
  }
  at = families_.emplace(std::string(outermost), std::move(made)).first;
  return *at->second;
}

bool KeptNumbers::keeps(std::string_view owner, std::string_view method) {
  const std::string_view outermost = outermost_of(owner);
  const Family& family = family_of(outermost);
  if (!family.readable) return false;
  const auto paren = method.find('(');
  const std::string key =
      method_key(owner, method.substr(0, paren),
                 paren == std::string_view::npos ? std::string_view()
                                                 : method.substr(paren));
  if (!family.stays.contains(key) || family.tainted.contains(key)) return false;
  // "a/B$1$C" stands where "a/B$1" does.
  for (std::size_t end = outermost.size(); end < owner.size();) {
    end = owner.find('$', end + 1);
    const auto around = owner.substr(0, end);
    if (is_numbered_class(around) && family.of_old.contains(around) &&
        (!family.classes.contains(around) || family.tainted.contains(around))) {
      return false;
    }
    if (end == std::string_view::npos) break;
  }
  return true;
}

}  // namespace rejig::traversal
