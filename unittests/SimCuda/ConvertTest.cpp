//===- ConvertTest.cpp - cvt ----------------------------------------------===//
#include "Apply.h"

#include <cmath>

using namespace kclaw::sim;

namespace {

struct Case {
  const char *text;
  char result;
  Words in;
  uint64_t out;
};
void check(std::initializer_list<Case> cases) {
  for (const Case &c : cases)
    EXPECT_EQ(apply1(c.text, c.result, c.in), c.out)
        << c.text << " of " << std::hex << c.in[0];
}

constexpr uint64_t nan32 = 0x7fffffff;

TEST(Convert, IntegersExtendAndSaturate) {
  check({
      {"cvt.s64.s32 %l0, %r1;", 'l', {0x80000000}, 0xffffffff80000000},
      {"cvt.u64.u32 %l0, %r1;", 'l', {0x80000000}, 0x80000000},
      {"cvt.s32.s8 %r0, %r1;", 'r', {0x1280}, 0xffffff80},
      {"cvt.u32.u8 %r0, %h1;", 'r', {0x1280}, 0x80},
      {"cvt.u8.u32 %r0, %r1;", 'r', {0x1280}, 0x80},
      {"cvt.s8.s32 %h0, %r1;", 'h', {0x1280}, 0xff80},
      {"cvt.u16.u64 %h0, %l1;", 'h', {0x12345}, 0x2345},
      {"cvt.s64.s16 %l0, %r1;", 'l', {0x8000}, 0xffffffffffff8000},
      {"cvt.sat.s8.s32 %r0, %r1;", 'r', {300}, 127},
      {"cvt.sat.u8.s32 %r0, %r1;", 'r', {0xffffffff}, 0},
      {"cvt.sat.s32.u64 %r0, %l1;", 'r', {~0ull}, 0x7fffffff},
      {"cvt.sat.u32.s64 %r0, %l1;", 'r', {~0ull}, 0},
  });
}

TEST(Convert, FloatToIntegerClampsAndNan) {
  check({
      {"cvt.rni.s32.f32 %r0, %f1;", 'r', {word(2.5f)}, 2},
      {"cvt.rpi.s32.f32 %r0, %f1;", 'r', {word(-2.5f)}, uint32_t(-2)},
      {"cvt.rmi.s32.f64 %r0, %g1;", 'r', {word(-2.5)}, uint32_t(-3)},
      {"cvt.rzi.s32.f32 %r0, %f1;", 'r', {word(3e9f)}, 0x7fffffff},
      {"cvt.rzi.s32.f32 %r0, %f1;", 'r', {word(-3e9f)}, 0x80000000},
      {"cvt.rzi.u32.f32 %r0, %f1;", 'r', {word(-1.0f)}, 0},
      {"cvt.rzi.s32.f32 %r0, %f1;", 'r', {nan32}, 0},
      {"cvt.rzi.s64.f32 %l0, %f1;", 'l', {nan32}, 1ull << 63},
      {"cvt.rzi.u64.f64 %l0, %g1;", 'l', {word(double(NAN))}, 1ull << 63},
      {"cvt.rzi.s32.f64 %r0, %g1;", 'r', {word(double(NAN))}, 0x80000000},
      {"cvt.rzi.u64.f32 %l0, %f1;", 'l', {word(1e30f)}, ~0ull},
      {"cvt.rzi.u64.f64 %l0, %g1;", 'l', {word(0x1p63)}, 1ull << 63},
      {"cvt.rzi.s8.f32 %r0, %f1;", 'r', {word(-300.0f)}, 0xffffff80},
      {"cvt.rzi.u16.f16 %h0, %h1;", 'h', {0x7bff}, 65504},
      {"cvt.rni.f32.f32 %f0, %f1;", 'f', {word(-0.5f)}, 0x80000000},
      {"cvt.rmi.f64.f64 %g0, %g1;", 'g', {word(-0.5)}, word(-1.0)},
      {"cvt.rzi.ftz.s32.f32 %r0, %f1;", 'r', {1}, 0},
      {"cvt.rpi.s32.f32 %r0, %f1;", 'r', {1}, 1},
      {"cvt.rpi.ftz.s32.f32 %r0, %f1;", 'r', {1}, 0},
  });
}

TEST(Convert, ToFloatInEveryMode) {
  check({
      {"cvt.rn.f32.s32 %f0, %r1;", 'f', {0x7fffffff}, word(0x1p31f)},
      {"cvt.rz.f32.s32 %f0, %r1;", 'f', {0x7fffffff}, 0x4effffff},
      {"cvt.rm.f32.s32 %f0, %r1;", 'f', {0x80000001}, word(-0x1p31f)},
      {"cvt.rp.f32.u64 %f0, %l1;", 'f', {(1ull << 63) + 1}, word(0x1p63f) + 1},
      {"cvt.rn.f64.u64 %g0, %l1;", 'g', {~0ull}, word(0x1p64)},
      {"cvt.rn.f32.s64 %f0, %l1;", 'f', {~0ull}, word(-1.0f)},
      {"cvt.rn.f16.s32 %h0, %r1;", 'h', {100000}, 0x7c00},
      {"cvt.rz.f16.u32 %h0, %r1;", 'h', {100000}, 0x7bff},
      {"cvt.rn.f32.f64 %f0, %g1;", 'f', {word(1.0 + 0x1p-24)}, word(1.0f)},
      {"cvt.rp.f32.f64 %f0, %g1;", 'f', {word(1.0 + 0x1p-50)}, word(1.0f) + 1},
      {"cvt.rn.f32.f64 %f0, %g1;", 'f', {word(0x1p-149 * 1.5)}, 2},
      {"cvt.rn.ftz.f32.f64 %f0, %g1;", 'f', {word(0x1p-140)}, 0},
      {"cvt.f64.f32 %g0, %f1;", 'g', {1}, word(0x1p-149)},
      {"cvt.sat.f32.f32 %f0, %f1;", 'f', {word(7.0f)}, word(1.0f)},
      {"cvt.sat.f32.f32 %f0, %f1;", 'f', {nan32}, 0},
      {"cvt.ftz.f32.f32 %f0, %f1;", 'f', {0x80000001}, 0x80000000},
      {"cvt.f32.f16 %f0, %h1;", 'f', {0x0001}, word(0x1p-24f)},
      {"cvt.f32.bf16 %f0, %h1;", 'f', {0x3f80}, word(1.0f)},
      {"cvt.rn.f16.f32 %h0, %f1;", 'h', {word(65520.0f)}, 0x7c00},
      {"cvt.rz.f16.f32 %h0, %f1;", 'h', {word(65520.0f)}, 0x7bff},
      {"cvt.rn.f16.f64 %h0, %g1;", 'h', {word(1 + 0x1p-11 + 0x1p-40)}, 0x3c01},
      {"cvt.rn.bf16.f32 %h0, %f1;", 'h', {0x3f808000}, 0x3f80},
      {"cvt.rn.bf16.f32 %h0, %f1;", 'h', {0x3f818000}, 0x3f82},
      {"cvt.rz.bf16.f32 %h0, %f1;", 'h', {0x3f81ffff}, 0x3f81},
      {"cvt.rn.bf16.f32 %h0, %f1;", 'h', {0xffc00001}, 0x7fff},
      {"cvt.rn.relu.bf16.f32 %h0, %f1;", 'h', {word(-2.0f)}, 0},
  });
}

TEST(Convert, PairsAndSmallFormats) {
  uint64_t one = word(1.0f), two = word(2.0f);
  check({
      {"cvt.rn.f16x2.f32 %r0, %f1, %f2;", 'r', {one, two}, 0x3c004000},
      {"cvt.rn.relu.f16x2.f32 %r0, %f1, %f2;",
       'r',
       {word(-1.0f), nan32},
       0x00007fff},
      {"cvt.rz.bf16x2.f32 %r0, %f1, %f2;", 'r', {0x3f80ffff, two}, 0x3f804000},
      {"cvt.rna.tf32.f32 %r0, %f1;", 'r', {0x3f801000}, 0x3f802000},
      {"cvt.rn.tf32.f32 %r0, %f1;", 'r', {0x3f801000}, 0x3f800000},
      {"cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;",
       'h',
       {one, word(1e6f)},
       0x387e},
      {"cvt.rn.satfinite.e5m2x2.f32 %h0, %f1, %f2;",
       'h',
       {word(-1e9f), nan32},
       0xfb7f},
      {"cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;",
       'h',
       {word(0x1p-9f), word(0x1p-10f)},
       0x0100},
      {"cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;", 'h', {0x3c00c000}, 0x38c0},
      {"cvt.rn.f16x2.e4m3x2 %r0, %h1;", 'r', {0x387f}, 0x3c007fff},
      {"cvt.rn.f16x2.e5m2x2 %r0, %h1;", 'r', {0x7c01}, 0x7c000100},
      {"cvt.pack.sat.s16.s32 %r0, %r1, %r2;",
       'r',
       {100000, 0xfffffffe},
       0x7ffffffe},
      {"cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;",
       'r',
       {300, 0xffffffff, 0x1234},
       0x1234ff00},
  });
}

// Every f16 goes to f32 and back; every bf16 too.
TEST(Convert, HalvesSurviveARoundTrip) {
  for (const char *type : {"f16", "bf16"}) {
    std::string t = type;
    std::string text =
        "cvt.f32." + t + " %f2, %h1;\ncvt.rn." + t + ".f32 %h0, %f2;";
    for (uint32_t base = 0; base < 65536; base += 1024) {
      Words in;
      for (uint32_t k = 0; k < 1024; ++k)
        in.push_back(base + k);
      Words out = apply(text, 'h', {in});
      for (uint32_t k = 0; k < 1024; ++k) {
        uint32_t limit = t == "f16" ? 0x7c00 : 0x7f80;
        uint64_t want = (in[k] & 0x7fff) > limit ? 0x7fff : in[k];
        ASSERT_EQ(out[k], want) << type << " " << in[k];
      }
    }
  }
}

} // namespace
