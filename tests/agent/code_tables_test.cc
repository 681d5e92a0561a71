// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/code_tables.h"

#include <gtest/gtest.h>

#include <vector>

namespace rejig::agent {
namespace {

using Octets = std::vector<unsigned char>;
using Move = bool (*)(ByteReader, unsigned, Buffer&);

ByteReader reader(const Octets& bytes) {
  return ByteReader(
      Bytes(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
}

Octets moved(Move move, const Octets& in, unsigned by = 8) {
  Buffer out;
  EXPECT_TRUE(move(reader(in), by, out));
  return {out.data(), out.data() + out.size()};
}

TEST(CodeTables, FirstLineOwnsThePrefixAndOthersMove) {
  EXPECT_EQ(moved(move_line_numbers, {0, 2, 0, 0, 0, 7, 0, 5, 0, 9}),
            (Octets{0, 2, 0, 0, 0, 7, 0, 13, 0, 9}));
}

TEST(CodeTables, ParameterLivesInThePrefixOtherVariablesMove) {
  EXPECT_EQ(moved(move_local_variables,
                  {0, 2, 0, 0, 0, 9, 0, 1, 0, 2, 0, 0,  //
                   0, 4, 0, 5, 0, 3, 0, 4, 0, 1}),
            (Octets{0, 2, 0, 0, 0, 17, 0, 1, 0, 2, 0, 0,  //
                    0, 12, 0, 5, 0, 3, 0, 4, 0, 1}));
}

TEST(CodeTables, OnlyTheFirstFrameMoves) {
  EXPECT_EQ(moved(move_frames, {0, 2, 10, 10}), (Octets{0, 2, 18, 10}));
}

TEST(CodeTables, SameFrameGrowsIntoAnExtendedOne) {
  EXPECT_EQ(moved(move_frames, {0, 1, 55}), (Octets{0, 1, 63}));
  EXPECT_EQ(moved(move_frames, {0, 1, 56}), (Octets{0, 1, 251, 0, 64}));
  EXPECT_EQ(moved(move_frames, {0, 1, 63}), (Octets{0, 1, 251, 0, 71}));
}

TEST(CodeTables, SameLocalsFrameGrowsIntoAnExtendedOne) {
  EXPECT_EQ(moved(move_frames, {0, 1, 119, 1}), (Octets{0, 1, 127, 1}));
  EXPECT_EQ(moved(move_frames, {0, 1, 120, 7, 0, 5}),
            (Octets{0, 1, 247, 0, 64, 7, 0, 5}));
}

TEST(CodeTables, UninitializedOffsetsMoveInEveryFrame) {
  EXPECT_EQ(moved(move_frames,
                  {0, 2, 252, 0, 3, 8, 0, 3,  // append: uninitialized(3)
                   255, 0, 4, 0, 1, 6, 0, 2, 8, 0, 5, 1}),
            (Octets{0, 2, 252, 0, 11, 8, 0, 11,  //
                    255, 0, 4, 0, 1, 6, 0, 2, 8, 0, 13, 1}));
}

TEST(CodeTables, DeltaThatWouldPassTheLimitIsRefused) {
  Buffer out;
  EXPECT_FALSE(move_frames(reader({0, 1, 251, 0xff, 0xfa}), 8, out));
}

TEST(CodeTables, ReservedFrameTagIsRefused) {
  Buffer out;
  EXPECT_FALSE(move_frames(reader({0, 1, 200}), 8, out));
}

TEST(CodeTables, TypeAnnotationTargetsMove) {
  // new at 2; cast at 3; a local variable from 0 for 4; a catch clause.
  EXPECT_EQ(moved(move_type_annotations,
                  {0, 4,                                            //
                   0x44, 0, 2, 0, 0, 1, 0, 0,                       //
                   0x47, 0, 3, 1, 1, 0, 0, 0, 1, 0, 0,              //
                   0x40, 0, 1, 0, 0, 0, 4, 0, 2, 0, 0, 1, 0, 0,     //
                   0x42, 0, 6, 0, 0, 1, 0, 1, 0, 9, 's', 0, 3}),
            (Octets{0, 4,                                            //
                    0x44, 0, 10, 0, 0, 1, 0, 0,                      //
                    0x47, 0, 11, 1, 1, 0, 0, 0, 1, 0, 0,             //
                    0x40, 0, 1, 0, 0, 0, 12, 0, 2, 0, 0, 1, 0, 0,    //
                    0x42, 0, 6, 0, 0, 1, 0, 1, 0, 9, 's', 0, 3}));
}

TEST(CodeTables, DeepAnnotationsAreRefused) {
  Octets in{0, 1, 0x44, 0, 2, 0, 0, 1, 0, 1, 0, 9};
  in.insert(in.end(), 5000, '[');
  Buffer out;
  EXPECT_FALSE(move_type_annotations(reader(in), 8, out));
}

struct Named {
  const char* name;
  Move move;
  Octets table;
};

TEST(CodeTables, EveryCutOffTableIsRefused) {
  const Named tables[] = {
      {"lines", move_line_numbers, {0, 2, 0, 0, 0, 7, 0, 5, 0, 9}},
      {"variables", move_local_variables, {0, 1, 0, 0, 0, 9, 0, 1, 0, 2, 0, 0}},
      {"frames", move_frames, {0, 2, 252, 0, 3, 8, 0, 3, 120, 7, 0, 5}},
      {"annotations", move_type_annotations, {0, 1, 0x44, 0, 2, 0, 0, 1, 0, 0}},
  };
  for (const Named& t : tables) {
    for (std::size_t n = 0; n < t.table.size(); ++n) {
      // Exactly as large as its content, so that sanitizers see a read past it.
      const Octets cut(t.table.begin(),
                       t.table.begin() + static_cast<std::ptrdiff_t>(n));
      Buffer out;
      EXPECT_FALSE(t.move(reader(cut), 8, out)) << t.name << " at " << n;
    }
  }
}

}  // namespace
}  // namespace rejig::agent
