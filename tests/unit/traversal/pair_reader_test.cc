// SPDX-License-Identifier: Apache-2.0
// Two versions of a class are checked without what both have, and of methods
// with the same code nothing is decoded. Both against the long way: a check of
// everything, and instructions as text. Odd classes, two releases of a real
// program, and random changes of both.
#include "traversal/same/pair_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "classfile/program/program.h"
#include "classfile/reader/code.h"
#include "tests/classes/samples.h"
#include "tests/unit/traversal/worlds.h"
#include "traversal/code/enum_values.h"

namespace rejig::test {
namespace {

using classfile::ClassView;
using classfile::CodeView;
using classfile::ConstantPool;
using classfile::MemberView;
using classfile::Program;
using classfile::Tag;
using traversal::PairReader;

base::Bytes bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
std::string text_of(base::Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// All that a view says, with the places of what it only points to.
class Description {
 public:
  explicit Description(const ClassView& cls) : begin_(cls.bytes().data()) {
    add(cls.major(), cls.minor(), cls.access(), cls.unknown_attributes(),
        cls.unreadable_attributes(), cls.pool().count());
    text(cls.name());
    text(cls.super_name());
    for (const auto name : cls.interfaces()) text(name);
    for (const auto& members : {cls.fields(), cls.methods()}) {
      for (const MemberView& one : members) {
        text(one.name);
        text(one.descriptor);
        add(one.access, one.offset);
        rows(one.attributes);
        rows(one.code_attributes);
      }
    }
    rows(cls.attributes());
    for (const auto& one : cls.bootstrap_methods()) {
      add(one.handle);
      for (const std::uint16_t argument : one.arguments) add(argument);
    }
  }
  const std::string& str() const { return out_; }

 private:
  template <class... Numbers>
  void add(Numbers... numbers) {
    ((out_ += std::to_string(numbers) + " "), ...);
  }
  void text(std::string_view one) { (out_ += one) += '\n'; }
  void rows(std::span<const classfile::AttributeView> all) {
    for (const auto& a : all) {
      text(a.name);
      add(a.offset, a.readable ? 1 : 0, static_cast<int>(a.kind),
          a.content.size(), a.content.data() - begin_);
    }
    out_ += ';';
  }

  const std::byte* begin_;
  std::string out_;
};

// What an entry says, without a number of the pool; of call sites the number of
// the bootstrap method.
std::string content(const ConstantPool& pool, std::uint16_t i) {
  const Tag tag = pool.tag(i);
  std::string out = std::to_string(static_cast<unsigned>(tag)) + " ";
  const auto add = [&](std::string_view text) { (out += text) += '\0'; };
  const auto member = [&](const classfile::MemberRef& ref) {
    add(ref.owner);
    add(ref.name);
    add(ref.descriptor);
    out += std::to_string(ref.interface) + std::to_string(ref.field);
  };
  switch (tag) {
    case Tag::kInteger:
      add(std::to_string(pool.int_value(i)));
      break;
    case Tag::kFloat:
      add(std::to_string(pool.float_bits(i)));
      break;
    case Tag::kLong:
      add(std::to_string(pool.long_value(i)));
      break;
    case Tag::kDouble:
      add(std::to_string(pool.double_bits(i)));
      break;
    case Tag::kFieldref:
    case Tag::kMethodref:
    case Tag::kInterfaceMethodref:
      member(pool.member(i));
      break;
    case Tag::kMethodHandle:
      out += std::to_string(pool.handle(i).kind);
      member(pool.handle(i).ref);
      break;
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      out += std::to_string(pool.dynamic(i).bootstrap) + " ";
      add(pool.dynamic(i).name);
      add(pool.dynamic(i).descriptor);
      break;
    default:
      add(pool.text(i));
  }
  return out;
}

struct SlowCode {
  std::string text;
  std::vector<std::uint16_t> looked_through;
};

SlowCode slow_code(const ClassView& cls, const MemberView& method) {
  SlowCode out;
  out.text = std::to_string(method.access) + std::string(method.descriptor);
  const auto body = CodeView::of(cls, method);
  if (!body) return out;
  const ConstantPool& pool = cls.pool();
  out.text += " " + std::to_string(body->max_stack) + " " +
              std::to_string(body->max_locals) + " " +
              std::to_string(body->handler_count) + ":";
  classfile::InstructionReader reader(body->code);
  classfile::Instruction ins;
  while (reader.next(ins)) {
    const std::string bytes = text_of(body->code.subspan(ins.pc, ins.length));
    if (!classfile::names_constant(ins.op)) {
      out.text += bytes;
      continue;
    }
    const bool is_short = ins.op == classfile::Opcode::k_ldc;
    out.text += bytes.substr(0, 1) + bytes.substr(is_short ? 2 : 3) +
                content(pool, ins.index);
    const Tag tag = pool.tag(ins.index);
    const bool is_member =
        tag >= Tag::kFieldref && tag <= Tag::kInterfaceMethodref;
    const std::string_view name =
        is_member ? pool.member(ins.index).name : std::string_view();
    if (tag == Tag::kDynamic || tag == Tag::kInvokeDynamic ||
        name.starts_with("access$") || name.starts_with("$SwitchMap$") ||
        name == traversal::kValuesHelper) {
      out.looked_through.push_back(static_cast<std::uint16_t>(ins.pc));
    }
  }
  base::ByteReader handlers(body->handler_table);
  for (unsigned left = body->handler_count; left != 0; --left) {
    out.text += text_of(handlers.bytes(6));
    const std::uint16_t type = handlers.u2();
    if (type != 0) out.text += content(pool, type);
  }
  return out;
}

struct Counts {
  std::size_t both = 0;  // can be read
  std::size_t one = 0;
  std::size_t none = 0;
  std::size_t same_code = 0;
  std::size_t plain = 0;
  std::size_t other_code = 0;
};

class Pairs : public testing::Test {
 protected:
  void compare(const std::string& olds, const std::string& news,
               const std::string& name) {
    if (!reader_.lay_out(bytes_of(olds), bytes_of(news), name)) return;
    const PairReader::Checked quick = reader_.checked();
    const auto old_whole = ClassView::parse(bytes_of(olds), name);
    const auto new_whole = ClassView::parse(bytes_of(news), name);
    const bool both_wrong = !old_whole.ok() && !new_whole.ok();
    expect_same(quick.old_class, old_whole, both_wrong, name);
    expect_same(quick.new_class, new_whole, both_wrong, name);
    ++(both_wrong                         ? counts_.none
       : old_whole.ok() && new_whole.ok() ? counts_.both
                                          : counts_.one);
    if (!old_whole.ok() || !new_whole.ok()) return;
    expect_same_code(*old_whole, *new_whole);
  }

  std::string changed(const std::string& file) {
    std::string out = file;
    // Another version has other rules.
    if (random_() % 8 == 0 && out.size() > 7) {
      out[7] = static_cast<char>(45 + random_() % 26);
    }
    for (auto n = random_() % 3; n > 0; --n) {
      const std::size_t first = random_() % 2 == 0 ? 8 : out.size() / 2;
      if (first >= out.size()) continue;
      const std::size_t at = first + random_() % (out.size() - first);
      out[at] = random_() % 4 == 0
                    ? static_cast<char>(random_())
                    : static_cast<char>(out[at] ^ 1 << random_() % 8);
    }
    return out;
  }

  std::mt19937 random_{23};
  Counts counts_;

 private:
  static void expect_same(const base::Result<ClassView>& quick,
                          const base::Result<ClassView>& whole, bool both_wrong,
                          const std::string& name) {
    if (quick.ok() && whole.ok()) {
      EXPECT_EQ(Description(*quick).str(), Description(*whole).str()) << name;
    } else if (whole.ok()) {
      ADD_FAILURE() << name << " is legal: " << quick.error().message();
    } else if (!both_wrong) {
      // What is wrong here is not in the other one.
      ASSERT_FALSE(quick.ok()) << name << ": " << whole.error().message();
      EXPECT_EQ(quick.error().message(), whole.error().message());
    }
  }

  void expect_same_code(const ClassView& olds, const ClassView& news) {
    const traversal::SameCode& found = reader_.same_code();
    ASSERT_EQ(found.of_old.size(), olds.methods().size());
    ASSERT_EQ(found.of_new.size(), news.methods().size());
    std::vector<std::uint8_t> of_new(news.methods().size(), 0);
    std::vector<std::pair<unsigned, unsigned>> looked_through;
    const bool twins = has_twins(olds) || has_twins(news);
    for (std::size_t i = 0; i < olds.methods().size(); ++i) {
      const MemberView& method = olds.methods()[i];
      const auto other =
          std::ranges::find_if(news.methods(), [&](const MemberView& one) {
            return one.name == method.name &&
                   one.descriptor == method.descriptor;
          });
      const SlowCode slow = slow_code(olds, method);
      const bool same = other != news.methods().end() &&
                        slow_code(news, *other).text == slow.text;
      const unsigned mark = !same ? 0
                            : slow.looked_through.empty()
                                ? traversal::kSamePlainCode
                                : traversal::kSameCode;
      ++(mark == 0                      ? counts_.other_code
         : mark == traversal::kSameCode ? counts_.same_code
                                        : counts_.plain);
      // Of two entries that say the same one is known: no is never wrong.
      if (found.of_old[i] != 0 || !twins) {
        EXPECT_EQ(found.of_old[i], mark) << olds.name() << "." << method.name;
      }
      if (found.of_old[i] == 0) continue;
      of_new[static_cast<std::size_t>(other - news.methods().begin())] =
          found.of_old[i];
      for (const std::uint16_t pc : slow.looked_through) {
        looked_through.emplace_back(i, pc);
      }
    }
    EXPECT_TRUE(std::ranges::equal(found.of_new, of_new)) << olds.name();
    ASSERT_EQ(found.looked_through.size(), looked_through.size());
    for (std::size_t i = 0; i < looked_through.size(); ++i) {
      EXPECT_EQ(found.looked_through[i].method, looked_through[i].first);
      EXPECT_EQ(found.looked_through[i].pc, looked_through[i].second);
    }
  }

  static bool has_twins(const ClassView& cls) {
    std::set<std::string> seen;
    for (std::uint16_t i = 1; i < cls.pool().count(); ++i) {
      if (cls.pool().tag(i) == Tag::kNone) continue;
      if (!seen.insert(content(cls.pool(), i)).second) return true;
    }
    return false;
  }

  PairReader reader_;
};

std::string jar(const std::string& version) {
  return artifact("agent",
                  "junit-platform-console-standalone-" + version + ".jar");
}

Program load(const std::string& path) {
  base::Diagnostics diagnostics;
  auto program = Program::load({path}, {}, diagnostics);
  EXPECT_TRUE(program.ok()) << path;
  return std::move(program).value();
}

std::string read(const Program& program, const classfile::ProgramFile& file) {
  base::Buffer buffer;
  const auto bytes = program.read(file, buffer);
  EXPECT_TRUE(bytes.ok());
  return bytes.ok() ? text_of(*bytes) : "";
}

// Nearly all of them are called alike.
TEST_F(Pairs, OfOddClasses) {
  std::vector<Sample> samples = legal_samples();
  for (Sample& one : illegal_samples()) samples.push_back(std::move(one));
  for (const Sample& a : samples) {
    const auto cls = ClassView::parse_layout(bytes_of(a.bytes), "");
    if (!cls.ok() || a.bytes.size() > 5000) continue;
    const std::string name(cls->name());
    for (const Sample& b : samples) {
      if (b.bytes.size() <= 5000) compare(a.bytes, b.bytes, name);
    }
    for (int i = 0; i < 300; ++i) {
      compare(a.bytes, changed(a.bytes), name);
      compare(changed(a.bytes), changed(a.bytes), name);
    }
    if (HasFailure()) FAIL() << a.name;
  }
  EXPECT_GT(counts_.both, 5000u);
  EXPECT_GT(counts_.one, 5000u);
  EXPECT_GT(counts_.none, 2000u);
}

TEST_F(Pairs, OfTwoReleases) {
  const Program olds = load(jar("1.9.3"));
  const Program news = load(jar("1.10.5"));
  for (const auto& file : olds.classes()) {
    const auto* other = news.find_class(file.name);
    if (other == nullptr) continue;
    compare(read(olds, file), read(news, *other), std::string(file.name));
  }
  EXPECT_GT(counts_.both, 500u);
  EXPECT_EQ(counts_.one + counts_.none, 0u);
  EXPECT_GT(counts_.same_code, 50u);
  EXPECT_GT(counts_.plain, 3000u);
  EXPECT_GT(counts_.other_code, 500u);
}

TEST_F(Pairs, OfTwoReleasesWithRandomChanges) {
  const Program olds = load(jar("1.9.3"));
  const Program news = load(jar("1.10.5"));
  for (const auto& file : olds.classes()) {
    const auto* other = news.find_class(file.name);
    if (other == nullptr) continue;
    const std::string before = read(olds, file);
    const std::string after = read(news, *other);
    const std::string name(file.name);
    for (int i = 0; i < 6; ++i) {
      compare(changed(before), changed(after), name);
      compare(changed(before), changed(before), name);
      const std::string damaged = changed(before);
      compare(damaged, changed(damaged), name);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(counts_.both, 3000u);
  EXPECT_GT(counts_.one, 2000u);
  EXPECT_GT(counts_.none, 1000u);
}

}  // namespace
}  // namespace rejig::test
