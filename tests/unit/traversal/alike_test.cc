// SPDX-License-Identifier: Apache-2.0
// Classes that are alike are told apart by nobody: pools against their contents
// as text, and files with random bytes changed against a comparison that does
// not know the word (--exhaustive). Classes of a real program, two releases.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "tests/unit/traversal/worlds.h"
#include "traversal/compare.h"
#include "traversal/same/pair_reader.h"

namespace rejig::test {
namespace {

using classfile::ClassView;
using classfile::ConstantPool;
using classfile::Program;
using classfile::Tag;

std::string jar(const std::string& version) {
  return artifact("agent",
                  "junit-platform-console-standalone-" + version + ".jar");
}

Program load(const std::string& path) {
  base::Diagnostics diagnostics;
  auto program =
      Program::load(Program::split_path_list(path), {}, diagnostics);
  EXPECT_TRUE(program.ok()) << path;
  return std::move(program).value();
}

// What an entry says, without a number of the pool.
std::string content(const ConstantPool& pool, std::uint16_t i) {
  const Tag tag = pool.tag(i);
  const std::string kind = std::to_string(static_cast<unsigned>(tag)) + " ";
  const auto member = [](const classfile::MemberRef& ref) {
    return std::string(ref.owner) + "." + std::string(ref.name) + ":" +
           std::string(ref.descriptor) + (ref.interface ? " i" : "") +
           (ref.field ? " f" : "");
  };
  switch (tag) {
    case Tag::kUtf8:
      return kind + std::string(pool.utf8(i));
    case Tag::kInteger:
      return kind + std::to_string(pool.int_value(i));
    case Tag::kFloat:
      return kind + std::to_string(pool.float_bits(i));
    case Tag::kLong:
      return kind + std::to_string(pool.long_value(i));
    case Tag::kDouble:
      return kind + std::to_string(pool.double_bits(i));
    case Tag::kNameAndType: {
      const auto nt = pool.name_and_type(i);
      return kind + std::string(nt.name) + ":" + std::string(nt.descriptor);
    }
    case Tag::kFieldref:
    case Tag::kMethodref:
    case Tag::kInterfaceMethodref:
      return kind + member(pool.member(i));
    case Tag::kMethodHandle:
      return kind + std::to_string(pool.handle(i).kind) + " " +
             member(pool.handle(i).ref);
    case Tag::kDynamic:
    case Tag::kInvokeDynamic: {
      const auto site = pool.dynamic(i);
      return kind + std::to_string(site.bootstrap) + " " +
             std::string(site.name) + ":" + std::string(site.descriptor);
    }
    default:
      return kind + std::string(pool.text(i));
  }
}

TEST(PoolMap, FindsWhatTheContentsSay) {
  const Program olds = load(jar("1.9.3"));
  const Program news = load(jar("1.10.5"));
  traversal::PoolMap map;
  std::size_t found = 0;
  std::size_t none = 0;
  for (const auto& file : olds.classes()) {
    const auto* other = news.find_class(file.name);
    if (other == nullptr) continue;
    base::Buffer old_buffer;
    base::Buffer new_buffer;
    const auto a =
        ClassView::parse(olds.read(file, old_buffer).value(), "old");
    const auto b =
        ClassView::parse(news.read(*other, new_buffer).value(), "new");
    ASSERT_TRUE(a.ok() && b.ok());
    const ConstantPool& x = a.value().pool();
    const ConstantPool& y = b.value().pool();
    map.build(x, y);
    std::map<std::string, std::uint16_t> by_content;
    for (std::uint16_t i = 1; i < x.count(); ++i) {
      if (x.tag(i) != Tag::kNone) by_content.emplace(content(x, i), i);
    }
    std::set<std::uint16_t> only_new(map.only_new().begin(),
                                     map.only_new().end());
    for (std::uint16_t j = 1; j < y.count(); ++j) {
      if (y.tag(j) == Tag::kNone) continue;
      const std::uint16_t i = map.old_of(j);
      const auto known = by_content.find(content(y, j));
      EXPECT_EQ(i != 0, known != by_content.end()) << file.name << " " << j;
      EXPECT_EQ(only_new.contains(j), i == 0);
      EXPECT_EQ(i == 0 ? content(y, j) : content(x, i), content(y, j));
      ++(i != 0 ? found : none);
    }
  }
  EXPECT_GT(found, 50'000u);
  EXPECT_GT(none, 1'000u);
}

using Told = std::set<std::string>;

Told told(const std::string& olds, const std::string& news, bool trust_alike,
          std::size_t& changed) {
  const Program a = load(olds);
  const Program b = load(news);
  traversal::CompareInputs inputs;
  inputs.old_internal = &a;
  inputs.new_internal = &b;
  inputs.trust_alike = trust_alike;
  auto comparison = traversal::compare(inputs);
  EXPECT_TRUE(comparison.ok());
  Told out;
  for (const auto& d : comparison.value().edges) {
    out.insert(std::string(classfile::name_of(d.rule)) + " " + d.entity + " " +
               d.label + ": " + d.old_fact + " -> " + d.new_fact);
  }
  for (const auto& d : comparison.value().facets) {
    out.insert("facet " + std::string(classfile::name_of(d.rule)) + " " +
               d.entity + " " + d.label);
  }
  for (const auto& one : comparison.value().widened) {
    out.insert("widened " + one.where + ": " + one.what);
  }
  changed = comparison.value().changed_classes;
  return out;
}

void expect_same(const Told& quick, const Told& full) {
  for (const auto& one : full) {
    // An accessor in a class that cannot be read: that is D14 of the class, for
    // alike callers as for equal ones.
    if (one.find(".access$") != std::string::npos) continue;
    EXPECT_TRUE(quick.contains(one)) << "not told: " << one;
  }
  for (const auto& one : quick) {
    // Lines of a switch table's initializer, which is not compared in full.
    if (one.starts_with("facet D23 ")) continue;
    EXPECT_TRUE(full.contains(one)) << "told besides: " << one;
  }
}

void write(const std::filesystem::path& path, base::Bytes bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

// With methods of the same code in most classes, and classes that come and go.
TEST(Alike, TwoReleasesAreSeenAsByAFullComparison) {
  for (const auto& [olds, news] :
       {std::pair("1.9.3", "1.10.5"), std::pair("1.10.5", "1.9.3")}) {
    SCOPED_TRACE(olds);
    std::size_t quick_changed = 0;
    std::size_t full_changed = 0;
    const Told quick = told(jar(olds), jar(news), true, quick_changed);
    const Told full = told(jar(olds), jar(news), false, full_changed);
    expect_same(quick, full);
    EXPECT_EQ(quick_changed, full_changed);
    EXPECT_GT(full.size(), 1'000u);
  }
}

// A text that somebody reads, one that nobody does, an index, a flag, a line, an
// opcode: anything may be what is hit. The pool is most of a class, so half of
// the hits go behind it.
TEST(Alike, RandomChangesAreSeenAsByAFullComparison) {
  const std::string olds = jar("1.10.5");
  const Program program = load(olds);
  std::size_t alike = 0;
  std::size_t different = 0;
  constexpr unsigned kRounds = 30;
  constexpr unsigned kOneIn = 20;
  for (unsigned seed = 1; seed <= kRounds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Scratch scratch;
    traversal::PairReader reader;
    std::size_t taken = 0;
    for (const auto& file : program.classes()) {
      if (random() % kOneIn != 0) continue;
      base::Buffer buffer;
      const auto read = program.read(file, buffer);
      ASSERT_TRUE(read.ok());
      const base::Bytes before = read.value();
      std::vector<std::byte> after(before.begin(), before.end());
      const std::size_t first = random() % 2 == 0 ? 8 : before.size() / 2;
      const std::size_t at = first + random() % (after.size() - first);
      after[at] ^= static_cast<std::byte>(1u << random() % 8);
      write(scratch.path() / (std::string(file.name) + ".class"), after);
      const bool is_alike = reader.lay_out(before, after, file.name) &&
                            reader.likeness().alike;
      ++(is_alike ? alike : different);
      ++taken;
    }
    std::size_t changed = 0;
    const std::string news = scratch.path().string();
    const Told quick = told(olds, news + ":" + olds, true, changed);
    EXPECT_EQ(changed, taken);
    const Told full = told(olds, news + ":" + olds, false, changed);
    EXPECT_EQ(changed, taken);
    expect_same(quick, full);
  }
  EXPECT_GT(alike, 100u);
  EXPECT_GT(different, 1'000u);
}

}  // namespace
}  // namespace rejig::test
