//===- CompareTest.cpp - setp, set, slct, testp, copysign -----------------===//
#include "Apply.h"

#include <limits>

using namespace kclaw::sim;

namespace {

const uint64_t nan = word(std::numeric_limits<float>::quiet_NaN());
const uint64_t one = word(1.0f), two = word(2.0f);

uint64_t setp(const std::string &form, Words in, char kind = 'f') {
  std::string k = std::string(" %p0, %") + kind;
  return apply1("setp." + form + k + "1, %" + kind +
                    "2;\nselp.b32 %r0, 1, 0, %p0;",
                'r', in);
}

TEST(Compare, FloatsAgainstNan) {
  // Ordered comparisons with NaN are false, unordered ones true.
  for (const char *form : {"eq", "ne", "lt", "le", "gt", "ge", "num"})
    EXPECT_EQ(setp(std::string(form) + ".f32", {nan, one}), 0u) << form;
  for (const char *form : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"})
    EXPECT_EQ(setp(std::string(form) + ".f32", {nan, one}), 1u) << form;
  for (const char *form : {"ne", "lt", "le", "neu", "ltu", "leu", "num"})
    EXPECT_EQ(setp(std::string(form) + ".f32", {one, two}), 1u) << form;
  for (const char *form : {"eq", "gt", "ge", "equ", "gtu", "geu", "nan"})
    EXPECT_EQ(setp(std::string(form) + ".f32", {one, two}), 0u) << form;
  EXPECT_EQ(setp("eq.f32", {0, 1}), 0u);
  EXPECT_EQ(setp("eq.ftz.f32", {0, 1}), 1u);
  EXPECT_EQ(setp("eq.f32", {0, 0x80000000}), 1u);
}

TEST(Compare, IntegersBySign) {
  EXPECT_EQ(setp("lt.s32", {0xffffffff, 1}, 'r'), 1u);
  EXPECT_EQ(setp("lt.u32", {0xffffffff, 1}, 'r'), 0u);
  EXPECT_EQ(setp("hi.u32", {0xffffffff, 1}, 'r'), 1u);
  EXPECT_EQ(setp("ls.u64", {0xffffffff, 1}, 'l'), 0u);
  EXPECT_EQ(setp("gt.s16", {0x8000, 1}, 'h'), 0u);
}

TEST(Compare, TwoResultsAndABoolean) {
  // p = (a < b) and !c, q = !(a < b) and !c.
  std::string text = "setp.ne.s32 %p1, %r3, 0;\n"
                     "setp.lt.and.s32 %p0|%p2, %r1, %r2, !%p1;\n"
                     "selp.b32 %r4, 1, 0, %p0;\nselp.b32 %r5, 2, 0, %p2;\n"
                     "or.b32 %r0, %r4, %r5;";
  EXPECT_EQ(apply1(text, 'r', {1, 2, 0}), 1u);
  EXPECT_EQ(apply1(text, 'r', {2, 1, 0}), 2u);
  EXPECT_EQ(apply1(text, 'r', {1, 2, 7}), 0u);
}

TEST(Compare, PackedHalves) {
  std::string text = "setp.gt.f16x2 %p0|%p1, %r1, %r2;\n"
                     "selp.b32 %r4, 1, 0, %p0;\nselp.b32 %r5, 2, 0, %p1;\n"
                     "or.b32 %r0, %r4, %r5;";
  EXPECT_EQ(apply1(text, 'r', {0x3c004000, 0x40003c00}), 1u);
  EXPECT_EQ(apply1("set.gt.f16x2.f16x2 %r0, %r1, %r2;", 'r',
                   {0x40003c00, 0x3c004000}),
            0x3c000000u);
  EXPECT_EQ(
      apply1("set.gt.u32.f16x2 %r0, %r1, %r2;", 'r', {0x40003c00, 0x3c004000}),
      0xffff0000u);
}

TEST(Compare, SetSelectTest) {
  EXPECT_EQ(apply1("set.lt.u32.s32 %r0, %r1, %r2;", 'r', {1, 2}), 0xffffffffu);
  EXPECT_EQ(apply1("set.lt.f32.s32 %f0, %r1, %r2;", 'f', {1, 2}), one);
  EXPECT_EQ(apply1("set.nan.f32.f64 %f0, %g1, %g2;", 'f', {word(1.0), 0}), 0u);
  EXPECT_EQ(
      apply1("slct.f32.s32 %f0, %f1, %f2, %r3;", 'f', {one, two, 0xffffffff}),
      two);
  EXPECT_EQ(apply1("slct.u32.f32 %r0, %r1, %r2, %f3;", 'r', {1, 2, 0x80000000}),
            1u);
  EXPECT_EQ(apply1("slct.u32.f32 %r0, %r1, %r2, %f3;", 'r', {1, 2, nan}), 2u);
  EXPECT_EQ(apply1("testp.subnormal.f32 %p0, %f1;\nselp.b32 %r0, 1, 0, %p0;",
                   'r', {1}),
            1u);
  EXPECT_EQ(apply1("copysign.f32 %f0, %f1, %f2;", 'f', {0x80000000, two}),
            0x80000000 | two);
}

// PX-01: a negated predicate of selp, after a comparison with NaN.
TEST(Compare, SelectWithNegatedPredicate) {
  EXPECT_EQ(apply1("setp.lt.f32 %p0, %f1, %f2;\n"
                   "selp.s32 %r0, 0x80000000, 7, !%p0;",
                   'r', {nan, one}),
            0x80000000u);
}

} // namespace
