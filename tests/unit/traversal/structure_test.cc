// SPDX-License-Identifier: Apache-2.0
// What is left unread may be left unread: the marks that spread from changed
// classes to their subtypes against the supertypes of every single name, and
// what a glance finds in a pool against the pool itself. Two releases of a real
// program of over a thousand classes.
#include <gtest/gtest.h>

#include <algorithm>

#include "classfile/reader/descriptor.h"
#include "tests/unit/traversal/worlds.h"
#include "traversal/session/phases.h"

namespace rejig::test {
namespace {

using classfile::Program;
using classfile::Tag;
using jig::Name;

class Structure : public ::testing::Test {
 protected:
  Structure()
      : old_program_(load("1.9.3")),
        new_program_(load("1.10.5")),
        worlds_(inputs()),
        matching_(traversal::match_classes(
            worlds_, traversal::Alike::kLikeEqual, findings_)),
        structure_(
            traversal::find_structure(worlds_, *matching_, findings_)) {}

  static Program load(const std::string& version) {
    base::Diagnostics diagnostics;
    auto program =
        Program::load({artifact("agent", "junit-platform-console-standalone-" +
                                             version + ".jar")},
                      {}, diagnostics);
    EXPECT_TRUE(program.ok());
    return std::move(program).value();
  }
  traversal::CompareInputs inputs() const {
    traversal::CompareInputs out;
    out.old_internal = &old_program_;
    out.new_internal = &new_program_;
    return out;
  }

  Program old_program_;
  Program new_program_;
  traversal::Worlds worlds_;
  traversal::Findings findings_;
  std::unique_ptr<traversal::Matching> matching_;
  std::unique_ptr<const traversal::Structure> structure_;
};

TEST_F(Structure, BelowAChangeIsWhatTheSupertypesSay) {
  ASSERT_FALSE(structure_->doubtful_sorted.empty());
  std::size_t doubtful = 0;
  std::size_t others = 0;
  for (const Program* program : {&old_program_, &new_program_}) {
    for (const auto& file : program->classes()) {
      const bool expected = structure_->compute_doubtful(file.name);
      EXPECT_EQ(structure_->doubtful.contains(file.name), expected) << file.name;
      ++(expected ? doubtful : others);
    }
  }
  EXPECT_GT(doubtful, 100u);
  EXPECT_GT(others, 100u);
}

TEST_F(Structure, AGlanceMissesNoMention) {
  std::size_t classes = 0;
  for (const auto& file : old_program_.classes()) {
    const jig::Glance* glance = worlds_.old_world.glance(file.name);
    ASSERT_NE(glance, nullptr) << file.name;
    const auto loaded = worlds_.old_world.load_internal(file.name);
    ASSERT_TRUE(loaded.ok()) << file.name;
    const auto& cls = *loaded.value().view;
    EXPECT_EQ(glance->super, cls.super_name());
    EXPECT_TRUE(std::equal(glance->interfaces.begin(), glance->interfaces.end(),
                           cls.interfaces().begin(), cls.interfaces().end()));
    // Here nobody asks for classes of the platform.
    const auto seen = [&](Name name) {
      return name.empty() || name.starts_with("java/") ||
             std::count(glance->mentions.begin(), glance->mentions.end(),
                        jig::mention_of(name)) != 0;
    };
    const auto all_seen = [&](std::string_view descriptor) {
      std::size_t at = descriptor.starts_with('(') ? 1 : 0;
      while (at < descriptor.size()) {
        if (descriptor[at] == ')') ++at;
        if (!seen(classfile::next_type(descriptor, at).class_name))
          return false;
      }
      return true;
    };
    const auto& pool = cls.pool();
    for (std::uint16_t i = 1; i < pool.count(); ++i) {
      if (pool.tag(i) == Tag::kClass) {
        EXPECT_TRUE(seen(jig::element_class(pool.text(i)))) << file.name;
      } else if (pool.tag(i) == Tag::kMethodType) {
        EXPECT_TRUE(all_seen(pool.text(i))) << file.name;
      } else if (pool.tag(i) == Tag::kNameAndType) {
        EXPECT_TRUE(all_seen(pool.name_and_type(i).descriptor)) << file.name;
      }
    }
    for (const auto& method : cls.methods()) {
      EXPECT_TRUE(all_seen(method.descriptor)) << file.name << method.name;
    }
    ++classes;
  }
  EXPECT_GT(classes, 500u);
}

TEST(Glance, WhatIsCutOrOddIsNoAnswer) {
  base::Diagnostics diagnostics;
  const auto program =
      Program::load({artifact("agent", "junit-4.13.2.jar")}, {}, diagnostics);
  ASSERT_TRUE(program.ok());
  const auto* file = program->find_class("org/junit/Assert");
  ASSERT_NE(file, nullptr);
  base::Buffer buffer;
  const auto bytes = program->read(*file, buffer);
  ASSERT_TRUE(bytes.ok());
  jig::Names names;
  base::Arena arena;
  const auto glance_at = [&](base::Bytes file_bytes, jig::Name name) {
    jig::GlanceReader reader(*program, names, false);
    reader.begin(name);
    reader.more(file_bytes);
    return reader.glance(arena);
  };
  EXPECT_TRUE(glance_at(*bytes, "org/junit/Assert"));
  EXPECT_FALSE(glance_at(*bytes, "org/junit/Other"));
  std::vector<std::byte> copy(bytes->begin(), bytes->end());
  std::size_t first = copy.size();
  std::size_t understood = 0;
  for (std::size_t n = 0; n < copy.size(); ++n) {
    // In a block of just that size, so that a read behind it is seen.
    const std::vector<std::byte> cut(copy.begin(),
                                     copy.begin() + static_cast<long>(n));
    if (!glance_at(cut, "org/junit/Assert")) continue;
    first = std::min(first, n);
    ++understood;
  }
  // Members are not looked at: nothing behind the names of the class, of the one
  // above and the number of interfaces.
  EXPECT_EQ(understood, copy.size() - first);
  base::ByteReader names_of_class(*bytes);
  names_of_class.seek(first - 6);
  const auto cls = classfile::ClassView::parse(*bytes, "Assert");
  ASSERT_TRUE(cls.ok());
  EXPECT_EQ(cls->pool().text(names_of_class.u2()), "org/junit/Assert");
  EXPECT_EQ(cls->pool().text(names_of_class.u2()), "java/lang/Object");
  EXPECT_EQ(names_of_class.u2(), 0u);
  copy[10] = std::byte{99};
  EXPECT_FALSE(glance_at(copy, "org/junit/Assert"));
}

}  // namespace
}  // namespace rejig::test
