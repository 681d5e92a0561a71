// SPDX-License-Identifier: Apache-2.0
// A glance is taken while the file comes in. Piece by piece it must be the one
// at the whole file, and it may not miss a class that the decoded one mentions:
// what mentions nothing that changed is not decoded. Odd samples, classes of
// the JDK, and both with random bytes changed.
#include "jig/world/glance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

#include "classfile/reader/annotations.h"
#include "classfile/reader/class_view.h"
#include "classfile/reader/descriptor.h"
#include "jig/world/shell.h"
#include "tests/classes/samples.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using classfile::AttributeKind;
using classfile::ClassView;
using classfile::Program;
using classfile::Tag;
using jig::Glance;
using jig::GlanceReader;

base::Bytes bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

void expect_same(const Glance* a, const Glance* b, std::string_view what) {
  ASSERT_EQ(a != nullptr, b != nullptr) << what;
  if (a == nullptr) return;
  EXPECT_EQ(a->super, b->super) << what;
  EXPECT_EQ(a->super_place, b->super_place) << what;
  EXPECT_TRUE(std::ranges::equal(a->interfaces, b->interfaces)) << what;
  EXPECT_TRUE(std::ranges::equal(a->interface_places, b->interface_places));
  EXPECT_TRUE(std::ranges::equal(a->mentions, b->mentions)) << what;
  EXPECT_EQ(a->is_annotation, b->is_annotation) << what;
  EXPECT_EQ(a->has_visible_annotations, b->has_visible_annotations) << what;
  EXPECT_EQ(a->says_test, b->says_test) << what;
}

// Gives as many bytes as are wanted, or up to `besides` more; each time in a
// block of just that size, and what was given before is gone.
void read_in_pieces(GlanceReader& reader, std::string_view file,
                    std::string_view name, std::size_t besides,
                    std::mt19937& random) {
  reader.begin(name);
  std::size_t wanted = reader.more({});
  std::unique_ptr<char[]> block;
  for (std::size_t had = 0; wanted != 0 && had != file.size();) {
    ASSERT_GT(wanted, had) << "asks for what it has";
    const std::size_t more = besides == 0 ? 0 : random() % besides;
    had = std::min(wanted + more, file.size());
    block = std::make_unique<char[]>(had);
    std::copy_n(file.data(), had, block.get());
    wanted = reader.more(bytes_of({block.get(), had}));
  }
}

// Which classes a decoded one names.
class Named {
 public:
  explicit Named(const ClassView& cls) : cls_(cls) {
    const auto& pool = cls.pool();
    for (std::uint16_t i = 1; i < pool.count(); ++i) {
      if (pool.tag(i) == Tag::kClass) {
        add(jig::element_class(pool.text(i)));
      } else if (pool.tag(i) == Tag::kMethodType) {
        descriptor(pool.text(i));
      } else if (pool.tag(i) == Tag::kNameAndType) {
        descriptor(pool.name_and_type(i).descriptor);
      } else if (pool.tag(i) == Tag::kDynamic ||
                 pool.tag(i) == Tag::kInvokeDynamic) {
        descriptor(pool.dynamic(i).descriptor);
      }
    }
    for (const auto& field : cls.fields()) member(field);
    for (const auto& method : cls.methods()) member(method);
    attributes(cls.attributes());
  }
  const std::set<std::string>& names() const { return names_; }
  bool is_annotated() const { return annotated_; }

 private:
  void add(std::string_view name) {
    if (!name.empty()) names_.emplace(name);
  }
  void descriptor(std::string_view text) {
    std::size_t at = text.starts_with('(') ? 1 : 0;
    while (at < text.size()) {
      if (text[at] == ')') ++at;
      add(classfile::next_type(text, at).class_name);
    }
  }
  void member(const classfile::MemberView& one) {
    descriptor(one.descriptor);
    attributes(one.attributes);
  }
  void attributes(std::span<const classfile::AttributeView> all) {
    for (const auto& a : all) {
      if (a.kind != AttributeKind::kRuntimeVisibleAnnotations) continue;
      annotated_ = true;
      if (!a.readable) continue;
      classfile::AnnotationReader reader(cls_.pool(), a);
      classfile::AnnotationView annotation;
      while (reader.next(annotation)) descriptor(annotation.type());
    }
  }

  const ClassView& cls_;
  std::set<std::string> names_;
  bool annotated_ = false;
};

class Glances : public testing::Test {
 protected:
  // Whole and in pieces; true: there is one, of a class that can be decoded.
  bool look_at(std::string_view file, std::string_view name,
               const Program& program, std::string_view what) {
    bool compared = false;
    for (const bool without_platform : {false, true}) {
      GlanceReader whole(program, names_, without_platform);
      GlanceReader pieces(program, names_, without_platform);
      whole.begin(name);
      whole.more(bytes_of(file));
      for (const std::size_t besides : {0u, 40u, 2000u}) {
        read_in_pieces(pieces, file, name, besides, random_);
        expect_same(whole.seen(), pieces.seen(), what);
      }
      const auto cls = ClassView::parse(bytes_of(file), what);
      if (whole.seen() == nullptr || !cls.ok()) continue;
      misses_nothing(*whole.seen(), *cls, without_platform, what);
      compared = true;
    }
    return compared;
  }

  std::mt19937 random_{21};
  jig::Names names_;

 private:
  static void misses_nothing(const Glance& glance, const ClassView& cls,
                             bool without_platform, std::string_view what) {
    EXPECT_EQ(glance.super, cls.super_name()) << what;
    EXPECT_TRUE(std::ranges::equal(glance.interfaces, cls.interfaces()));
    EXPECT_EQ(glance.is_annotation, cls.is(classfile::kAccAnnotation)) << what;
    const std::set<std::uint32_t> mentions(glance.mentions.begin(),
                                           glance.mentions.end());
    const Named named(cls);
    for (const std::string& one : named.names()) {
      if (without_platform && one.starts_with("java/")) continue;
      EXPECT_TRUE(mentions.contains(jig::mention_of(one)))
          << what << " mentions " << one;
    }
    EXPECT_TRUE(glance.has_visible_annotations || !named.is_annotated())
        << what;
    for (const auto& method : cls.methods()) {
      EXPECT_TRUE(glance.says_test || !method.name.starts_with("test"))
          << what << " " << method.name;
    }
  }
};

std::vector<Sample> all_samples() {
  std::vector<Sample> out = legal_samples();
  for (Sample& one : illegal_samples()) out.push_back(std::move(one));
  return out;
}

// What it calls itself, if it can be laid out.
std::string name_of(std::string_view file) {
  const auto cls = ClassView::parse_layout(bytes_of(file), "");
  return cls.ok() ? std::string(cls->name()) : "T";
}

TEST_F(Glances, AtOddClasses) {
  const Program nothing;
  std::size_t compared = 0;
  for (const Sample& sample : all_samples()) {
    const std::string name = name_of(sample.bytes);
    if (look_at(sample.bytes, name, nothing, sample.name)) ++compared;
    EXPECT_FALSE(look_at(sample.bytes, name + "1", nothing, sample.name));
  }
  EXPECT_GT(compared, 20u);
}

TEST_F(Glances, AtOddClassesThatAreCutAnywhere) {
  const Program nothing;
  for (const Sample& sample : all_samples()) {
    const std::string name = name_of(sample.bytes);
    const std::size_t most = std::min<std::size_t>(sample.bytes.size(), 2000);
    const std::size_t step = 1 + sample.bytes.size() / 400;
    for (std::size_t n = 0; n < most; n += step) {
      look_at(std::string_view(sample.bytes).substr(0, n), name, nothing,
              sample.name);
    }
  }
}

void change(std::string& bytes, std::mt19937& random) {
  for (auto n = random() % 3 + 1; n > 0; --n) {
    // The pool is what is looked at.
    const std::size_t at =
        random() % (random() % 2 == 0 ? bytes.size() : bytes.size() / 2 + 1);
    bytes[at] = random() % 2 == 0
                    ? static_cast<char>(random())
                    : static_cast<char>(bytes[at] ^ 1 << random() % 8);
  }
}

TEST_F(Glances, AtOddClassesThatWereChanged) {
  const Program nothing;
  std::size_t compared = 0;
  for (const Sample& sample : all_samples()) {
    if (sample.bytes.empty() || sample.bytes.size() > 5000) continue;
    const std::string name = name_of(sample.bytes);
    for (int i = 0; i < 2000; ++i) {
      std::string bytes = sample.bytes;
      change(bytes, random_);
      if (look_at(bytes, name, nothing, sample.name)) ++compared;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 10000u);
}

class JdkGlances : public Glances {
 protected:
  void SetUp() override {
    const std::string home = jdk_home("17", "JAVA_HOME");
    ASSERT_FALSE(home.empty());
    base::Diagnostics diagnostics;
    auto program =
        Program::load({home + "/jmods/java.base.jmod"}, {}, diagnostics);
    ASSERT_TRUE(program.ok()) << program.error().message();
    program_ = std::move(program).value();
  }
  Program program_;
};

TEST_F(JdkGlances, ReadFromAnArchive) {
  base::Buffer buffer;
  base::Buffer front_buffer;
  std::size_t compared = 0;
  std::size_t saved = 0;
  std::size_t all = 0;
  for (std::size_t i = random_() % 8; i < program_.classes().size(); i += 8) {
    const auto& file = program_.classes()[i];
    const auto bytes = program_.read(file, buffer);
    ASSERT_TRUE(bytes.ok());
    const std::string text = text_of(*bytes);
    if (look_at(text, file.name, program_, file.name)) ++compared;
    GlanceReader whole(program_, names_, false);
    GlanceReader front(program_, names_, false);
    whole.begin(file.name);
    whole.more(*bytes);
    front.begin(file.name);
    const auto some = program_.read_front(
        file, front_buffer,
        [&](base::Bytes first) { return front.more(first); });
    ASSERT_TRUE(some.ok());
    saved += bytes->size() - some->size();
    all += bytes->size();
    expect_same(whole.seen(), front.seen(), file.name);
    base::Arena arena;
    const auto kept = front.glance(arena);
    ASSERT_TRUE(kept);
    front.begin("another");
    expect_same(whole.seen(), &*kept, file.name);
    EXPECT_EQ(front.seen(), nullptr);
  }
  // Each JDK has other classes: an eighth of them is asked, and a tenth of its
  // bytes need not be read, or reading only fronts is not worth its name.
  EXPECT_GE(compared, program_.classes().size() / 8 * 9 / 10);
  EXPECT_GT(saved, all / 10);
}

TEST_F(JdkGlances, AtClassesThatWereChanged) {
  base::Buffer buffer;
  std::size_t compared = 0;
  std::size_t looked = 0;
  for (std::size_t i = random_() % 20; i < program_.classes().size(); i += 20) {
    const auto& file = program_.classes()[i];
    const auto bytes = program_.read(file, buffer);
    ASSERT_TRUE(bytes.ok());
    if (bytes->size() > 20000) continue;
    for (int k = 0; k < 100; ++k) {
      std::string text = text_of(*bytes);
      change(text, random_);
      if (random_() % 8 == 0) text.resize(random_() % text.size());
      ++looked;
      if (look_at(text, file.name, program_, file.name)) ++compared;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, looked / 8);
}

TEST(MentionSet, SaysWhatIsInIt) {
  std::mt19937 random(22);
  for (const std::size_t n : {0u, 1u, 10u, 3000u}) {
    jig::MentionSet set;
    std::set<std::uint32_t> truth;
    while (truth.size() < n) {
      // Some that differ above the bits that are looked at first.
      const auto one = static_cast<std::uint32_t>(random());
      for (const std::uint32_t m : {one, one ^ 1u << 31}) {
        set.insert(m);
        truth.insert(m);
      }
    }
    EXPECT_EQ(set.empty(), truth.empty());
    std::vector<std::uint32_t> few;
    for (const std::uint32_t m : truth) {
      EXPECT_TRUE(set.contains(m));
      EXPECT_EQ(set.contains(m ^ 1u << 30), truth.contains(m ^ 1u << 30));
    }
    for (int i = 0; i < 1000; ++i) {
      few.assign(random() % 4, 0);
      for (auto& m : few) m = static_cast<std::uint32_t>(random());
      if (!truth.empty() && !few.empty() && i % 3 == 0) {
        few.back() = *truth.lower_bound(*truth.rbegin() / 2);
      }
      Glance glance;
      glance.mentions = few;
      EXPECT_EQ(set.any_in(glance),
                std::ranges::any_of(
                    few, [&](std::uint32_t m) { return truth.contains(m); }));
    }
  }
}

}  // namespace
}  // namespace rejig::test
