// SPDX-License-Identifier: Apache-2.0
// Body equality on code that no compiler has to be asked for: one static method
// m of a class T in both versions, byte by byte (semantics N1-N5, N11, N12, N13,
// handlers, dead stores of constants), each with its counter case.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "tests/support/class_builder.h"
#include "tests/unit/traversal/worlds.h"

namespace rejig::test {
namespace {

namespace fs = std::filesystem;

// Instructions.
constexpr int iconst_0 = 3, iconst_1 = 4, iconst_2 = 5, iconst_5 = 8,
              lconst_0 = 9, lconst_1 = 10, fconst_0 = 11, dconst_0 = 14,
              bipush = 16, sipush = 17, ldc = 18, ldc_w = 19, ldc2_w = 20,
              iload_0 = 26, iload_1 = 27, iload_2 = 28, iload_3 = 29,
              lload_0 = 30, lload_2 = 32, fload_0 = 34, fload_1 = 35,
              aload_0 = 42, aload_1 = 43, istore_1 = 60, istore_2 = 61,
              istore_3 = 62, lstore_0 = 63, lstore_1 = 64, lstore_2 = 65,
              pop = 87, iadd = 96, isub = 100, idiv = 108, iinc = 132,
              fcmpl = 149, fcmpg = 150, ifeq = 153, ifne = 154, ifgt = 157,
              ifle = 158, goto_ = 167, tableswitch = 170, lookupswitch = 171,
              ireturn = 172, lreturn = 173, freturn = 174, dreturn = 175,
              areturn = 176, return_ = 177, invokevirtual = 182,
              invokespecial = 183, invokestatic = 184, invokeinterface = 185,
              nop = 0;

struct Method {
  std::string descriptor = "()I";
  std::function<Out(ClassBuilder&)> code;
  std::function<std::vector<BuiltHandler>(ClassBuilder&)> handlers;
};

Method code(std::string descriptor, const Out& bytes) {
  return {std::move(descriptor), [bytes](ClassBuilder&) { return bytes; }, {}};
}

void write(const fs::path& root, const Method& method) {
  ClassBuilder b("t/T");
  const Out bytes = method.code(b);
  const auto handlers =
      method.handlers ? method.handlers(b) : std::vector<BuiltHandler>{};
  b.version(49);
  b.add_code(bytes, 8, 8, handlers, {}, "m", method.descriptor);
  // Private in both: what N13 may identify.
  b.add_method(0x0002, "p", "()V", {b.code(1, 1, Out{return_})});
  b.add_method(0x0001, "q", "()V", {b.code(1, 1, Out{return_})});
  fs::create_directories(root / "t");
  const std::string text = b.build();
  std::ofstream(root / "t" / "T.class", std::ios::binary) << text;
}

bool equal(const Method& a, const Method& b) {
  const Scratch scratch;
  write(scratch.path() / "old", a);
  write(scratch.path() / "new", b);
  auto edges = edges_of(scratch.path() / "old", scratch.path() / "new");
  const Edges found = bodies(edges["t"]);
  if (found.empty()) return true;
  EXPECT_EQ(found, Edges{"D1 T.m" + a.descriptor});
  return false;
}

bool equal(const std::string& descriptor, const Out& a, const Out& b) {
  const bool forth = equal(code(descriptor, a), code(descriptor, b));
  EXPECT_EQ(forth, equal(code(descriptor, b), code(descriptor, a)));
  return forth;
}

TEST(BodyBytes, N1EncodingsOfOneIntAreOneConstant) {
  const Out short_form{iconst_5, ireturn};
  EXPECT_TRUE(equal("()I", short_form, Out{bipush, 5, ireturn}));
  EXPECT_TRUE(equal("()I", short_form, Out{sipush, 0, 5, ireturn}));
  EXPECT_FALSE(equal("()I", short_form, Out{bipush, 6, ireturn}));
  for (const int width : {ldc, ldc_w}) {
    auto of = [&](int value) {
      return Method{"()I",
                    [=](ClassBuilder& b) {
                      Out o{width};
                      const unsigned i = b.integer(value);
                      width == ldc ? o.u1(i) : o.u2(i);
                      return o.u1(ireturn);
                    },
                    {}};
    };
    EXPECT_TRUE(equal(code("()I", short_form), of(5)));
    EXPECT_FALSE(equal(code("()I", short_form), of(6)));
  }
}

TEST(BodyBytes, N1FloatsByTheirBits) {
  auto of_double = [](std::uint64_t bits) {
    return Method{"()D",
                  [=](ClassBuilder& b) {
                    return Out{ldc2_w}.u2(b.double_bits(bits)).u1(dreturn);
                  },
                  {}};
  };
  const Method zero = code("()D", Out{dconst_0, dreturn});
  EXPECT_TRUE(equal(zero, of_double(0)));
  EXPECT_FALSE(equal(zero, of_double(0x8000000000000000)));
  EXPECT_FALSE(
      equal(of_double(0x7ff8000000000000), of_double(0x7ff8000000000001)));
  auto of_float = [](std::uint32_t bits) {
    return Method{"()F",
                  [=](ClassBuilder& b) {
                    return Out{ldc_w}.u2(b.float_bits(bits)).u1(freturn);
                  },
                  {}};
  };
  const Method zerof = code("()F", Out{fconst_0, freturn});
  EXPECT_TRUE(equal(zerof, of_float(0)));
  EXPECT_FALSE(equal(zerof, of_float(0x80000000)));
  EXPECT_FALSE(
      equal("()J", Out{lconst_0, lreturn}, Out{lconst_1, lreturn}));
}

TEST(BodyBytes, N2JumpsAndNopsAreTransparent) {
  const Out straight{iconst_1, ireturn};
  EXPECT_TRUE(equal("()I", straight, Out{nop, iconst_1, nop, ireturn}));
  EXPECT_TRUE(equal("()I", straight, Out{goto_, 0, 3, iconst_1, ireturn}));
  EXPECT_TRUE(equal("()I", straight,
                    Out{goto_, 0, 4, ireturn, iconst_1, goto_, 0xff, 0xfe}));
  EXPECT_FALSE(equal("()I", straight, Out{goto_, 0, 0}));
}

TEST(BodyBytes, N3InverseConditionsExchangeTheirSuccessors) {
  const Out is_zero{iload_0, ifeq, 0, 5, iconst_1, ireturn, iconst_2, ireturn};
  const Out inverse{iload_0, ifne, 0, 5, iconst_2, ireturn, iconst_1, ireturn};
  const Out other{iload_0, ifne, 0, 5, iconst_1, ireturn, iconst_2, ireturn};
  EXPECT_TRUE(equal("(I)I", is_zero, inverse));
  EXPECT_FALSE(equal("(I)I", is_zero, other));
  const Out not_inverse{iload_0, ifgt, 0, 5, iconst_2, ireturn,
                        iconst_1, ireturn};
  EXPECT_FALSE(equal("(I)I", is_zero, not_inverse));
}

TEST(BodyBytes, N3NeverAcrossAFloatComparison) {
  auto compares = [](int compare, int jump, int first, int second) {
    return Out{fload_0, fload_1, compare, jump, 0, 5,
               first, ireturn, second, ireturn};
  };
  EXPECT_FALSE(equal("(FF)I", compares(fcmpl, ifle, iconst_1, iconst_2),
                     compares(fcmpg, ifgt, iconst_2, iconst_1)));
  EXPECT_FALSE(equal("(FF)I", compares(fcmpl, ifle, iconst_1, iconst_2),
                     compares(fcmpg, ifle, iconst_1, iconst_2)));
}

Out switch_table(int one, int two, int three) {
  return Out{iload_0, tableswitch, 0, 0}
      .u4(static_cast<std::uint32_t>(three - 1))
      .u4(1).u4(2)
      .u4(static_cast<std::uint32_t>(one - 1))
      .u4(static_cast<std::uint32_t>(two - 1))
      .raw(Out{iconst_0, ireturn, iconst_1, ireturn, iconst_2, ireturn});
}

TEST(BodyBytes, N4SwitchesAreMaps) {
  // Behind the 24 bytes of the table: 24 returns 0, 26 returns 1, 28 returns 2.
  const Out table = switch_table(26, 24, 24);
  const Out lookup = Out{iload_0, lookupswitch, 0, 0}
                         .u4(19).u4(1).u4(1).u4(21)
                         .raw(Out{iconst_0, ireturn, iconst_1, ireturn});
  EXPECT_TRUE(equal("(I)I", table, lookup));
  EXPECT_FALSE(equal("(I)I", switch_table(26, 28, 24), lookup));
  EXPECT_FALSE(equal("(I)I", switch_table(26, 28, 24), switch_table(28, 26, 24)));
}

TEST(BodyBytes, N5SlotsNeedToHoldEqualValuesOnly) {
  const Out one{iload_0, istore_1, iload_1, ireturn};
  const Out three{iload_0, istore_3, iload_3, ireturn};
  EXPECT_TRUE(equal("(I)I", one, three));
  EXPECT_FALSE(equal("(II)I", Out{iload_0, iload_1, isub, ireturn},
                     Out{iload_1, iload_0, isub, ireturn}));
  EXPECT_FALSE(equal("(II)I", Out{iload_1, istore_2, iload_2, ireturn},
                     Out{iload_0, istore_2, iload_2, ireturn}));
  EXPECT_TRUE(equal("(J)J", Out{lload_0, lstore_2, lload_2, lreturn},
                    Out{lload_0, nop, lstore_2, lload_2, lreturn}));
  // A long over half of another long: its value is gone.
  EXPECT_FALSE(equal("(JI)J",
                     Out{lconst_1, lstore_0, lload_0, lreturn},
                     Out{lconst_1, lstore_1, lload_0, lreturn}));
  EXPECT_FALSE(equal("(II)I", Out{iinc, 0, 1, iload_0, ireturn},
                     Out{iinc, 1, 1, iload_0, ireturn}));
  EXPECT_FALSE(equal("(I)I", Out{iinc, 0, 1, iload_0, ireturn},
                     Out{iinc, 0, 2, iload_0, ireturn}));
}

TEST(BodyBytes, N5TheRelationIsCutWherePathsMeet) {
  auto of = [](int store) {
    return Out{iload_0, istore_2, iload_0, istore_1, iload_0, ifeq, 0, 5,
               iload_1, store,    iload_2, ireturn};
  };
  EXPECT_TRUE(equal("(I)I", of(istore_2), of(istore_2)));
  EXPECT_FALSE(equal("(I)I", of(istore_2), of(istore_3)));
}

TEST(BodyBytes, DeadStoresOfConstantsAreNothing) {
  const Out plain{iload_0, ireturn};
  EXPECT_TRUE(equal("(I)I", plain, Out{iconst_1, istore_1, iload_0, ireturn}));
  EXPECT_TRUE(equal("(I)I", Out{iconst_1, ireturn},
                    Out{iconst_1, istore_1, iconst_1, ireturn}));
  // The slot is read later.
  EXPECT_FALSE(equal("(I)I", plain, Out{iconst_1, 59, iload_0, ireturn}));
  EXPECT_FALSE(equal("(II)I", Out{iload_1, ireturn},
                     Out{iconst_1, istore_1, iload_1, ireturn}));
  // A loop of nothing but dead stores never ends.
  EXPECT_FALSE(equal("(I)I", plain,
                     Out{iconst_1, istore_1, goto_, 0xff, 0xfe}));
}

TEST(BodyBytes, AValueMayBeCopiedOnTheStackOrThroughItsSlot) {
  constexpr int dup = 89, istore_0 = 59;
  auto through_slot = [](int store, int load, int last) {
    return Out{iconst_5, store, load, iconst_2, iadd, last, iadd, ireturn};
  };
  const Out on_stack{iconst_5, dup, istore_2, iconst_2, iadd,
                     iload_2,  iadd, ireturn};
  EXPECT_TRUE(equal("(I)I", through_slot(istore_1, iload_1, iload_1), on_stack));
  EXPECT_TRUE(equal("(I)I", on_stack, through_slot(istore_1, iload_1, iload_1)));
  // Another slot is read in the end.
  EXPECT_FALSE(
      equal("(I)I", through_slot(istore_1, iload_1, iload_0), on_stack));
  // The slot held something that is read later.
  EXPECT_FALSE(equal("(I)I",
                     Out{iload_0, iconst_2, iadd, istore_1, iload_1, iload_0,
                         iadd, ireturn},
                     Out{iload_0, iconst_2, iadd, dup, istore_0, iload_0, iadd,
                         ireturn}));
}

// scalac up to 2.12.15 returns what a match is worth through a local.
TEST(BodyBytes, AValueMayGoThroughALocalThatNobodyElseReads) {
  constexpr int istore_0 = 59;
  // 0: x; ifeq 12; 5; store; goto 14; nop; 12: 2; store; 14: load; return
  const auto joined = [](int store, int load) {
    return Out{iload_0,  ifeq, 0, 9,        iconst_5, store,  goto_, 0,
               6,        nop,  iconst_2, store, load,     ireturn};
  };
  const Out at_once{iload_0, ifeq, 0, 5, iconst_5, ireturn, iconst_2, ireturn};
  EXPECT_TRUE(equal("(I)I", joined(istore_1, iload_1), at_once));
  EXPECT_TRUE(equal("(I)I", at_once, joined(istore_1, iload_1)));
  // Another value is read in the end.
  EXPECT_FALSE(equal("(I)I", joined(istore_1, iload_0), at_once));
  EXPECT_FALSE(equal("(I)I", at_once, joined(istore_1, iload_0)));
  // Another value is returned.
  EXPECT_FALSE(equal("(I)I", joined(istore_1, iload_1),
                     Out{iload_0, ifeq, 0, 5, iconst_2, ireturn, iconst_2,
                         ireturn}));
  // Two copies, one after the other; what goes on may be anything.
  EXPECT_TRUE(equal("(I)I",
                    Out{iload_0, iconst_2, iadd, istore_1, iload_1, istore_2,
                        iload_2, iconst_5, iadd, ireturn},
                    Out{iload_0, iconst_2, iadd, iconst_5, iadd, ireturn}));
  // The slot held something that is read later.
  const Out on_stack{iload_0, iconst_2, iadd, iload_0, iadd, ireturn};
  EXPECT_TRUE(equal("(I)I",
                    Out{iload_0, iconst_2, iadd, istore_1, iload_1, iload_0,
                        iadd, ireturn},
                    on_stack));
  EXPECT_FALSE(equal("(I)I",
                     Out{iload_0, iconst_2, iadd, istore_0, iload_0, iload_0,
                         iadd, ireturn},
                     on_stack));
  // Copying for ever is not nothing.
  EXPECT_FALSE(equal("(I)I",
                     Out{iload_0, istore_1, iload_1, goto_, 0xff, 0xfe},
                     Out{iload_0, ireturn}));
}

// scalac up to 2.12.15 asks a constant that it just made.
TEST(BodyBytes, ABranchOnAConstantIsAJump) {
  // 0: x; ifeq 8; first; goto 9; 8: second; 9: ifeq 14; 5; return; 14: 2; return
  const auto asked = [](int first, int second, int zero, int other) {
    return Out{iload_0, ifeq, 0,     7,        first, goto_,   0,      4, second,
               ifeq,    0,    5, zero, ireturn, other, ireturn};
  };
  const Out at_once{iload_0, ifeq, 0, 5, iconst_5, ireturn, iconst_2, ireturn};
  EXPECT_TRUE(
      equal("(I)I", asked(iconst_1, iconst_0, iconst_5, iconst_2), at_once));
  EXPECT_FALSE(
      equal("(I)I", asked(iconst_0, iconst_1, iconst_5, iconst_2), at_once));
  EXPECT_FALSE(
      equal("(I)I", asked(iconst_1, iconst_1, iconst_5, iconst_2), at_once));
  EXPECT_FALSE(
      equal("(I)I", asked(iconst_1, iconst_0, iconst_2, iconst_5), at_once));
  EXPECT_FALSE(equal("(I)I", asked(iconst_1, iconst_0, iconst_5, iconst_2),
                     asked(iconst_0, iconst_1, iconst_5, iconst_2)));
  // Through a local, which is read once more: 1; store; load; ifgt 8; 2; return
  // 8: load; return
  const Out kept{iconst_1, istore_1, iload_1,  ifgt,    0,
                 5,        iconst_2, ireturn, iload_1, ireturn};
  EXPECT_TRUE(equal("(I)I", kept,
                    Out{iconst_1, istore_2, iload_2, ifgt, 0, 5, iconst_2,
                        ireturn, iload_2, ireturn}));
  EXPECT_FALSE(equal("(I)I", kept, Out{iload_0, ireturn}));
  // For ever is not nothing.
  EXPECT_FALSE(equal("(I)I", Out{iconst_0, ifeq, 0xff, 0xff, iload_0, ireturn},
                     Out{iload_0, ireturn}));
}

TEST(BodyBytes, AStoreThatNobodyReadsDropsTheValue) {
  const Out dropped{iload_0, iconst_2, iadd, pop, iload_0, ireturn};
  EXPECT_TRUE(equal("(I)I", dropped,
                    Out{iload_0, iconst_2, iadd, istore_1, iload_0, ireturn}));
  EXPECT_FALSE(equal("(I)I", dropped,
                     Out{iload_0, iconst_2, iadd, 59, iload_0, ireturn}));
}

TEST(BodyBytes, ManyConstantsAreNotTooMany) {
  auto of = [](bool nop_first, const std::string& last) {
    return Method{"()V",
                  [=](ClassBuilder& b) {
                    Out o;
                    if (nop_first) o.u1(nop);
                    for (int i = 0; i < 6000; ++i) {
                      o.u1(ldc_w).u2(b.string(i == 5999 ? last : "x")).u1(pop);
                    }
                    return o.u1(return_);
                  },
                  {}};
  };
  EXPECT_TRUE(equal(of(false, "y"), of(true, "y")));
  EXPECT_FALSE(equal(of(false, "y"), of(true, "z")));
}

Method guarded(const Out& bytes, std::vector<std::array<int, 3>> ranges,
               std::vector<std::string> types) {
  Method m;
  m.descriptor = "(I)I";
  m.code = [=](ClassBuilder&) { return bytes; };
  m.handlers = [=](ClassBuilder& b) {
    std::vector<BuiltHandler> out;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      out.push_back({static_cast<unsigned>(ranges[i][0]),
                     static_cast<unsigned>(ranges[i][1]),
                     static_cast<unsigned>(ranges[i][2]),
                     types[i].empty() ? 0 : b.cls(types[i])});
    }
    return out;
  };
  return m;
}

// 0: 1/x; 4: catch, 1; 7: catch, 2
const Out kDivides{iconst_1, iload_0, idiv, ireturn, pop, iconst_1, ireturn,
                   pop, iconst_2, ireturn};
const std::string kRuntime = "java/lang/RuntimeException";
const std::string kArithmetic = "java/lang/ArithmeticException";

TEST(BodyBytes, HandlersAreOrdered) {
  const Method a =
      guarded(kDivides, {{0, 3, 4}, {0, 3, 7}}, {kArithmetic, kRuntime});
  EXPECT_TRUE(equal(a, a));
  EXPECT_FALSE(equal(
      a, guarded(kDivides, {{0, 3, 7}, {0, 3, 4}}, {kRuntime, kArithmetic})));
  EXPECT_FALSE(equal(a, guarded(kDivides, {{0, 3, 4}}, {kArithmetic})));
  EXPECT_FALSE(equal(
      a, guarded(kDivides, {{0, 3, 4}, {0, 3, 4}}, {kArithmetic, kRuntime})));
}

TEST(BodyBytes, AReturnThrowsWhereMonitorsAreHeld) {
  constexpr int athrow = 191, monitorenter = 194;
  const auto returns = [](int end, int first) {
    return guarded(Out{first, first == aload_0 ? monitorenter : pop, iconst_5,
                       ireturn, athrow},
                   {{0, end, 4}}, {"java/lang/Error"});
  };
  EXPECT_TRUE(equal(returns(4, iconst_2), returns(3, iconst_2)));
  auto held = returns(4, aload_0);
  auto left = returns(3, aload_0);
  held.descriptor = left.descriptor = "(Ljava/lang/Object;)I";
  EXPECT_TRUE(equal(held, held));
  EXPECT_FALSE(equal(held, left));
}

TEST(BodyBytes, HandlersThatCannotBeReachedAreNothing) {
  const Method one = guarded(kDivides, {{0, 3, 4}}, {kArithmetic});
  // The same type again, anything behind "any", loads that cannot throw.
  EXPECT_TRUE(equal(one, guarded(kDivides, {{0, 3, 4}, {0, 3, 7}},
                                 {kArithmetic, kArithmetic})));
  EXPECT_TRUE(equal(guarded(kDivides, {{0, 3, 4}}, {""}),
                    guarded(kDivides, {{0, 3, 4}, {0, 3, 7}},
                            {"", kArithmetic})));
  EXPECT_TRUE(equal(one, guarded(kDivides, {{2, 3, 4}}, {kArithmetic})));
  EXPECT_TRUE(equal(one, guarded(kDivides, {{0, 1, 7}, {2, 3, 4}},
                                 {kRuntime, kArithmetic})));
  EXPECT_FALSE(equal(one, guarded(kDivides, {{0, 2, 4}}, {kArithmetic})));
}

Method call(int op, int tag, const std::string& owner, const std::string& name,
            const std::string& descriptor, Out load, Out after,
            const std::string& method = "(Lt/T;)V") {
  return {method,
          [=](ClassBuilder& b) {
            Out o = load;
            o.u1(static_cast<unsigned>(op))
                .u2(b.member(static_cast<unsigned>(tag), owner, name,
                             descriptor));
            if (op == invokeinterface) {
              o.u1(static_cast<unsigned>(load.size())).u1(0);
            }
            return o.raw(after);
          },
          {}};
}

TEST(BodyBytes, N11ObjectMethodsThroughAnInterface) {
  const Out two{aload_0, aload_1};
  const Out drop{pop, return_};
  const std::string d = "(Ljava/lang/Object;)Z";
  const std::string m = "(Ljava/util/List;Lt/T;)V";
  const Method as_interface =
      call(invokeinterface, 11, "java/util/List", "equals", d, two, drop, m);
  const Method as_object =
      call(invokevirtual, 10, "java/lang/Object", "equals", d, two, drop, m);
  EXPECT_TRUE(equal(as_interface, as_object));
  EXPECT_TRUE(equal(as_object, as_interface));
  EXPECT_FALSE(equal(as_interface, call(invokevirtual, 10, "t/T", "equals", d,
                                        two, drop, m)));
  // Not a method of Object: a name alone is none.
  auto other = [&](const std::string& name, const std::string& descriptor) {
    return equal(call(invokeinterface, 11, "java/util/List", name, descriptor,
                      two, drop, m),
                 call(invokevirtual, 10, "java/lang/Object", name, descriptor,
                      two, drop, m));
  };
  EXPECT_FALSE(other("equals", "(Lt/T;)Z"));
  EXPECT_FALSE(other("wait", "(Lt/T;)Z"));
  EXPECT_FALSE(other("contains", d));
}

TEST(BodyBytes, N12NullChecksOfTwoCompilers) {
  const Out one{aload_0};
  const Out drop{pop, return_};
  const Method by_class = call(invokevirtual, 10, "java/lang/Object",
                               "getClass", "()Ljava/lang/Class;", one, drop);
  const Method by_objects =
      call(invokestatic, 10, "java/util/Objects", "requireNonNull",
           "(Ljava/lang/Object;)Ljava/lang/Object;", one, drop);
  EXPECT_TRUE(equal(by_class, by_objects));
  EXPECT_TRUE(equal(by_objects, by_class));
  EXPECT_FALSE(equal(by_class, call(invokevirtual, 10, "java/lang/Object",
                                    "hashCode", "()I", one, drop)));
  // The answer is used.
  const std::string m = "(Lt/T;)Ljava/lang/Object;";
  EXPECT_FALSE(
      equal(call(invokevirtual, 10, "java/lang/Object", "getClass",
                 "()Ljava/lang/Class;", one, Out{areturn}, m),
            call(invokestatic, 10, "java/util/Objects", "requireNonNull",
                 "(Ljava/lang/Object;)Ljava/lang/Object;", one, Out{areturn},
                 m)));
}

TEST(BodyBytes, N13PrivateMethodsOnly) {
  auto calls = [](int op, const std::string& name) {
    return call(op, 10, "t/T", name, "()V", Out{aload_0}, Out{return_});
  };
  EXPECT_TRUE(equal(calls(invokespecial, "p"), calls(invokevirtual, "p")));
  EXPECT_TRUE(equal(calls(invokevirtual, "p"), calls(invokespecial, "p")));
  EXPECT_FALSE(equal(calls(invokespecial, "q"), calls(invokevirtual, "q")));
  EXPECT_FALSE(equal(calls(invokespecial, "p"), calls(invokevirtual, "q")));
}

}  // namespace
}  // namespace rejig::test
