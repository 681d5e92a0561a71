// SPDX-License-Identifier: Apache-2.0
// A file that is read from its begin and only as far as somebody wants: the
// same bytes as of the whole file, also in archives that lie; what is not as
// usual is read as a whole, and fails as that does.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "tests/support/slow_inflate.h"
#include "tests/unit/archive/archive_text.h"

namespace rejig::test {
namespace {

using Wants = std::vector<std::size_t>;

constexpr std::size_t kAll = ~std::size_t{0};

struct Front {
  bool ok = false;
  std::string text;              // or the message
  std::vector<std::size_t> had;  // whenever it was asked
};

// Wants these numbers of bytes, one after the other; the last one until it is
// there.
Front front_of(const classfile::Artefact& artefact, classfile::EntryId id,
               const Wants& wants) {
  Front out;
  std::string before;
  std::size_t next = 0;
  base::Buffer buffer;
  const auto more = [&](base::Bytes bytes) -> std::size_t {
    const std::string text = text_of(bytes);
    EXPECT_TRUE(text.starts_with(before)) << "took bytes back";
    before = text;
    out.had.push_back(text.size());
    if (out.had.size() > wants.size() + 10) {
      ADD_FAILURE() << "asks again and again";
      return 0;
    }
    while (next < wants.size() && wants[next] <= text.size()) ++next;
    return next < wants.size() ? wants[next] : 0;
  };
  const auto read = artefact.read_front(id, buffer, more);
  out.ok = read.ok();
  out.text = read.ok() ? text_of(*read) : read.error().message();
  if (read.ok()) {
    EXPECT_TRUE(out.text.starts_with(before));
  }
  return out;
}

// What must be true of every archive and entry.
void must_agree(const ArchiveText& zip, classfile::EntryId id,
                const Wants& wants) {
  const auto& entry = zip.artefact().entries()[id.index()];
  SCOPED_TRACE(std::string(entry.name) + " of " + std::to_string(entry.size));
  base::Buffer buffer;
  const auto whole = zip.artefact().read(id, buffer);
  const Front front = front_of(zip.artefact(), id, wants);
  const std::size_t most =
      wants.empty() ? 0 : *std::max_element(wants.begin(), wants.end());
  if (whole.ok()) {
    ASSERT_TRUE(front.ok) << front.text;
    EXPECT_TRUE(text_of(*whole).starts_with(front.text));
    EXPECT_GE(front.text.size(), std::min(most, whole->size()));
  } else if (!front.ok) {
    EXPECT_EQ(front.text, whole.error().message());
  } else {
    // Nobody has looked as far as what is wrong.
    EXPECT_LT(front.text.size(), entry.size);
    const auto stored = zip.artefact().stored_bytes(id);
    ASSERT_TRUE(stored);
    EXPECT_TRUE(slow_inflate(text_of(*stored)).bytes.starts_with(front.text));
    EXPECT_GE(front.text.size(), most);
  }
}

ZipItem item(const std::string& name, const std::string& content,
             bool deflated = true) {
  return zip_item(name, content, deflated);
}

std::string noise(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += static_cast<char>(random());
  return out;
}
std::string prose(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string out;
  while (out.size() < n) {
    out += "a/b/C" + std::to_string(random() % 1000) + "();";
  }
  out.resize(n);
  return out;
}

const std::vector<Wants> kWants = {{},           {1},
                                   {2, 3, 4, 5}, {10, 512, 700},
                                   {512, 40000}, {299, 300, 301},
                                   {512, kAll},  {kAll}};

void must_agree(const std::string& bytes) {
  const ArchiveText zip(bytes);
  for (std::size_t i = 0; i < zip.artefact().entries().size(); ++i) {
    for (const Wants& wants : kWants) {
      must_agree(zip, classfile::EntryId::of(i), wants);
    }
  }
}

std::vector<ZipItem> usual_items() {
  std::vector<ZipItem> out;
  unsigned n = 0;
  for (const std::string& content :
       {std::string(), std::string("x"), prose(300), prose(5000), prose(200000),
        noise(300), noise(70000), std::string(100000, 'z'),
        tiny_class("x/Y")}) {
    for (const bool deflated : {true, false}) {
      out.push_back(item("f" + std::to_string(n++), content, deflated));
      out.push_back(out.back());
      out.back().name += "described";
      out.back().data_descriptor = true;
      out.push_back(out.back());
      out.back().name += "wide";
      out.back().data_descriptor = false;
      out.back().zip64 = true;
    }
  }
  return out;
}

TEST(ReadFront, IsTheBeginOfTheFile) {
  const auto items = usual_items();
  must_agree(make_zip(items));
  ZipLayout layout;
  layout.zip64_end = true;
  layout.prefix = std::string("JM\1\0", 4);
  layout.gap = noise(100);
  layout.comment = "comment";
  must_agree(make_zip(items, layout));
}

// A class of a fat jar: in a stored jar, and in a deflated one that is inflated
// into memory.
TEST(ReadFront, InNestedArchives) {
  const std::string inner = make_zip(usual_items());
  must_agree(make_zip({item("BOOT-INF/lib/a.jar", inner, false),
                       item("BOOT-INF/lib/b.jar", inner, true),
                       item("BOOT-INF/classes/x/Y.class", prose(3000))}));
}

TEST(ReadFront, StopsWhereItMay) {
  const ArchiveText zip(
      make_zip({item("a", prose(100000)), item("b", prose(100000), false)}));
  const Front front = front_of(zip.artefact(), zip.id("a"), {512, 600, 3000});
  ASSERT_TRUE(front.ok);
  ASSERT_EQ(front.had.size(), 4u);
  EXPECT_EQ(front.had[0], 0u);
  EXPECT_LT(front.text.size(), 3000u + 300u);
  // What is stored as it is costs nothing.
  EXPECT_EQ(front_of(zip.artefact(), zip.id("b"), {512}).text.size(), 100000u);
}

TEST(ReadFront, OfFolderAndClassFile) {
  const TempFolder folder;
  const std::string bytes = tiny_class("x/Y");
  const std::string path = folder.write("x/Y.class", bytes);
  for (const std::string& root : {folder.path(), path}) {
    const auto artefact = ArchiveText::at(root);
    ASSERT_EQ(artefact.artefact().entries().size(), 1u);
    for (const Wants& wants : kWants) {
      const Front front =
          front_of(artefact.artefact(), classfile::EntryId(0), wants);
      EXPECT_TRUE(front.ok);
      EXPECT_EQ(front.text, bytes);
    }
  }
}

// The inflater wants some bytes behind the stream: the data stand in the
// comment of the archive, at the very end of the file or just in front of it.
TEST(ReadFront, AtTheEndOfTheFile) {
  for (const std::string& content :
       {std::string(), prose(100), prose(4000), noise(3000)}) {
    for (std::size_t behind = 0; behind <= 64; ++behind) {
      const ZipItem honest = item("a", content);
      const std::string local =
          make_zip({honest}).substr(0, 31 + deflate(content).size());
      ZipLayout layout;
      layout.comment = local + std::string(behind, '\xff');
      ZipItem moved = honest;
      moved.content = "";
      moved.size = content.size();
      moved.stored_size = deflate(content).size();
      moved.crc = crc_of(content);
      moved.offset = 0;
      const std::size_t size = make_zip({moved}, layout).size();
      moved.offset = size - layout.comment.size();
      const ArchiveText zip(make_zip({moved}, layout));
      EXPECT_EQ(zip.text("a"), content);
      for (const Wants& wants : kWants) must_agree(zip, zip.id("a"), wants);
    }
  }
}

TEST(ReadFront, SizesThatAreNotTrue) {
  for (const std::string& content :
       {std::string("few"), prose(300), prose(5000), noise(300)}) {
    const std::size_t stored = deflate(content).size();
    for (const int lie :
         {-5000, -300, -299, -2, -1, 1, 2, 299, 300, 5000, 200000, 1 << 30}) {
      ZipItem one = item("a", content);
      const auto lied = [&](std::size_t truth) {
        return std::max<std::int64_t>(static_cast<std::int64_t>(truth) + lie,
                                      0);
      };
      one.size = static_cast<std::uint64_t>(lied(content.size()));
      ZipItem other = item("b", content);
      other.stored_size = static_cast<std::uint64_t>(lied(stored));
      ZipItem both = other;
      both.name = "c";
      both.size = one.size;
      const std::vector<ZipItem> behind{item("d", noise(70000), false)};
      for (const ZipItem& liar : {one, other, both}) {
        must_agree(make_zip({liar, behind[0]}));
        must_agree(make_zip({liar}));
      }
    }
  }
}

// It ends where nobody expects it, and whoever reads it wants more and more.
TEST(ReadFront, AStreamThatEndsTooEarlyIsAnError) {
  for (const std::size_t n : {0u, 1u, 300u, 511u, 513u}) {
    ZipItem liar = item("a", prose(n));
    liar.size = n + 700;
    const ArchiveText zip(make_zip({liar, item("b", noise(1000))}));
    const Front front = front_of(zip.artefact(), zip.id("a"), {512, n + 500});
    EXPECT_FALSE(front.ok);
    EXPECT_NE(front.text.find("fewer than the"), std::string::npos)
        << front.text;
  }
}

TEST(ReadFront, WrongSums) {
  ZipItem wrong = item("a", prose(5000));
  wrong.crc = 1;
  const std::string bytes = make_zip({wrong, item("b", "text")});
  must_agree(bytes);
  const auto wrong_after = [&](const Wants& wants) {
    const ArchiveText zip(bytes);
    EXPECT_TRUE(front_of(zip.artefact(), zip.id("a"), wants).ok);
    return zip.artefact().wrong_checksums().size();
  };
  EXPECT_EQ(wrong_after({100}), 0u);
  EXPECT_EQ(wrong_after({kAll}), 1u);
  EXPECT_EQ(wrong_after({5000}), 1u);
}

TEST(ReadFront, OtherLies) {
  std::vector<ZipItem> items;
  for (const bool deflated : {true, false}) {
    ZipItem encrypted = item("encrypted", prose(500), deflated);
    encrypted.flags = 1;
    ZipItem odd = item("odd", prose(500), deflated);
    odd.method = 12;
    ZipItem other = item("other", prose(500), deflated);
    other.method = deflated ? std::uint16_t{0} : std::uint16_t{8};
    ZipItem away = item("away", prose(500), deflated);
    away.offset = 7;
    ZipItem outside = item("outside", prose(500), deflated);
    outside.offset = 0xfffffff0;
    ZipItem local = item("local", prose(500), deflated);
    local.local_name = "longer than the name";
    local.local_size = 3;
    local.local_crc = 5;
    for (const ZipItem& one : {encrypted, odd, other, away, outside, local}) {
      must_agree(make_zip({one, item("behind", prose(100))}));
      items.push_back(one);
    }
  }
  must_agree(make_zip(items));
}

TEST(ReadFront, OfAFileThatShrinks) {
  const TempFolder folder;
  const std::string bytes =
      make_zip({item("first", prose(3000)), item("big", noise(1 << 20), false),
                item("second", prose(3000)), item("third", prose(300000))});
  const std::string path = folder.write("x.jar", bytes);
  const auto jar = ArchiveText::at(path);
  for (const std::string name : {"first", "second", "third"}) {
    must_agree(jar, jar.id(name), {512});
  }
  ASSERT_EQ(truncate(path.c_str(), 1 << 18), 0);
  EXPECT_TRUE(front_of(jar.artefact(), jar.id("first"), {512}).ok);
  for (const std::string name : {"second", "third"}) {
    const Front front = front_of(jar.artefact(), jar.id(name), {512});
    EXPECT_FALSE(front.ok);
    EXPECT_NE(front.text.find("the file changed while it was read"),
              std::string::npos);
  }
  EXPECT_FALSE(jar.artefact().check_unchanged().ok());
}

// Archives with a byte changed anywhere; what is still one is asked.
TEST(ReadFront, RandomArchives) {
  std::mt19937 random(20);
  std::vector<ZipItem> items;
  for (unsigned i = 0; i < 8; ++i) {
    items.push_back(item("a/B" + std::to_string(i),
                         i % 3 == 0 ? noise(60 * i, i) : prose(200 * i, i),
                         i % 4 != 1));
    items.back().data_descriptor = i % 4 == 2;
    items.back().zip64 = i % 4 == 3;
  }
  const std::string honest = make_zip(items);
  const TempFolder folder;
  std::size_t asked = 0;
  std::size_t failed = 0;
  for (int round = 0; round < 1500 && !testing::Test::HasFailure(); ++round) {
    std::string bytes = honest;
    for (unsigned n = random() % 4 + 1; n > 0; --n) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    }
    const std::string path = folder.write("x.zip", bytes);
    base::Diagnostics ignored;
    if (!classfile::Artefact::open(path, ignored).ok()) continue;
    const auto zip = ArchiveText::at(path);
    for (std::size_t i = 0; i < zip.artefact().entries().size(); ++i) {
      const auto id = classfile::EntryId::of(i);
      must_agree(zip, id, {1 + random() % 600, 1 + random() % 2000});
      base::Buffer buffer;
      ++asked;
      if (!zip.artefact().read(id, buffer).ok()) ++failed;
    }
  }
  EXPECT_GT(asked, 5000u);
  EXPECT_GT(failed, 300u);
}

}  // namespace
}  // namespace rejig::test
