//===- HardwareTest.cpp - What an H200 gives where PTX leaves it open -----===//
//
// Every result here is from bench/sim/h200.json.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"

#include "SimCuda/Isa/EighthSum.h"
#include "SimCuda/Isa/Reduce.h"

#include <cmath>

using namespace kclaw::sim;

namespace {

constexpr uint64_t quiet = uint64_t(1) << 51;
constexpr uint64_t nanA = 0xfff0000012345678, nanB = 0x7ff8000000000000,
                   nanC = 0xffffffffffffffff;

/// `form` of its sources in register 0 of `kind`.
uint64_t give(const std::string &form, char kind, char source, Words in) {
  std::string text = form + " %" + kind + "0";
  for (size_t k = 1; k <= in.size(); ++k)
    text += std::string(", %") + source + std::to_string(k);
  return apply1(text + ";", kind, in);
}

TEST(Hardware, SubtractionLeavesTheAddersCarry) {
  std::string after = "sub.cc.u32 %r5, %r1, %r2;\naddc.u32 %r0, 0, 0;";
  EXPECT_EQ(apply1(after, 'r', {5, 3}), 1u);
  EXPECT_EQ(apply1(after, 'r', {3, 5}), 0u);
  std::string chain = "sub.cc.u32 %r5, %r1, %r2;\nsubc.u32 %r0, %r3, %r4;";
  EXPECT_EQ(apply1(chain, 'r', {5, 3, 9, 4}), 5u);
  EXPECT_EQ(apply1(chain, 'r', {3, 5, 9, 4}), 4u);
  std::string wide = "sub.cc.u64 %l5, %l1, %l2;\nsubc.cc.u64 %l0, %l3, %l4;\n"
                     "addc.u64 %l0, %l0, 0;";
  EXPECT_EQ(apply1(wide, 'l', {0, 1, 7, 7}), ~uint64_t(0));
  EXPECT_EQ(apply1(wide, 'l', {1, 0, 7, 7}), 1u);
}

TEST(Hardware, WideFieldsTakeAllOfTheirAmounts) {
  uint64_t a = 0x7fefffffffffffff;
  auto field = [&](const char *form, uint64_t position, uint64_t length) {
    return apply1(std::string(form) + " %l0, %l1, %r2, %r3;", 'l',
                  {a, position, length});
  };
  EXPECT_EQ(field("bfe.u64", 0, 0x54442d18), a);
  EXPECT_EQ(field("bfe.s64", 0, 0x54442d18), a);
  EXPECT_EQ(field("bfe.s64", 52, 8), 0xfffffffffffffffeu);
  EXPECT_EQ(field("bfe.u64", 256, 8), 0u);
  std::string insert = "bfi.b64 %l0, %l1, %l2, %r3, %r4;";
  EXPECT_EQ(apply1(insert, 'l', {0xbff0000000000000, 0, 0, 0xf053234}),
            0xbff0000000000000u);
  EXPECT_EQ(apply1(insert, 'l', {a, 7, 256, 8}), 7u);
  EXPECT_EQ(apply1(insert, 'l', {5, 0xff00, 8, 4}), 0xf500u);
}

TEST(Hardware, ZeroIsNormal) {
  for (uint64_t x : {uint64_t(0), uint64_t(1) << 31})
    EXPECT_EQ(apply1("testp.normal.f32 %p0, %f1;\nselp.b32 %r0, 1, 0, %p0;",
                     'r', {x}),
              1u);
  EXPECT_EQ(apply1("testp.normal.f64 %p0, %g1;\nselp.b32 %r0, 1, 0, %p0;", 'r',
                   {uint64_t(1) << 63}),
            1u);
}

TEST(Hardware, FlushingSeesTheUnboundedExponent) {
  for (const char *form : {"mul.rn.ftz.f32", "mul.rp.ftz.f32"}) {
    EXPECT_EQ(give(form, 'f', 'f', {0x3f7fffff, 0x00800000}), 0u);
    EXPECT_EQ(give(form, 'f', 'f', {0x00800000, 0xbf7fffff}), 0x80000000u);
    EXPECT_EQ(give(form, 'f', 'f', {0x3f800000, 0x00800000}), 0x00800000u);
  }
  EXPECT_EQ(give("mul.rn.f32", 'f', 'f', {0x3f7fffff, 0x00800000}),
            0x00800000u);
  EXPECT_EQ(give("div.rp.ftz.f32", 'f', 'f', {0x00800000, 0x3f800001}), 0u);
  EXPECT_EQ(give("mul.ftz.f16", 'h', 'h', {0x3bff, 0x0400}), 0u);
  EXPECT_EQ(give("mul.f16", 'h', 'h', {0x3bff, 0x0400}), 0x0400u);
}

TEST(Hardware, DoubleNansKeepTheirPayload) {
  for (const char *form : {"add.f64", "sub.rz.f64", "mul.rp.f64"}) {
    EXPECT_EQ(give(form, 'g', 'g', {nanA, nanB}), nanB) << form;
    EXPECT_EQ(give(form, 'g', 'g', {nanB, nanA}), nanA | quiet) << form;
    EXPECT_EQ(give(form, 'g', 'g', {nanA, word(1.0)}), nanA | quiet) << form;
  }
  uint64_t one = word(1.0);
  EXPECT_EQ(give("fma.rn.f64", 'g', 'g', {nanB, nanA, nanC}), nanA | quiet);
  EXPECT_EQ(give("fma.rn.f64", 'g', 'g', {nanB, one, nanC}), nanC);
  EXPECT_EQ(give("fma.rm.f64", 'g', 'g', {nanB, one, one}), nanB);
  EXPECT_EQ(give("neg.f64", 'g', 'g', {nanB}), nanB);
  EXPECT_EQ(give("neg.f64", 'g', 'g', {0}), uint64_t(1) << 63);
  EXPECT_EQ(give("abs.f64", 'g', 'g', {nanA}), nanA | quiet);
  EXPECT_EQ(give("min.f64", 'g', 'g', {nanB, nanA}), nanA | quiet);
  EXPECT_EQ(give("max.f64", 'g', 'g', {one, nanA}), one);
}

TEST(Hardware, AtomicDoubleNans) {
  auto sum = [](std::string space, uint64_t memory, uint64_t operand) {
    std::string at = space == "shared" ? "[s]" : "[%a1]";
    std::string text = ".shared .b64 s;\nst." + space + ".f64 " + at +
                       ", %g1;\nred." + space + ".add.f64 " + at +
                       ", %g2;\nld." + space + ".f64 %g0, " + at + ";";
    return apply1(text, 'g', {memory, operand});
  };
  EXPECT_EQ(sum("shared", nanA, nanC), nanA | quiet);
  EXPECT_EQ(sum("shared", word(1.0), nanA), nanA | quiet);
  EXPECT_EQ(sum("global", nanC, nanA), nanA);
  EXPECT_EQ(sum("global", nanA, word(1.0)), nanA);
  for (const char *space : {"shared", "global"}) {
    EXPECT_EQ(sum(space, word(HUGE_VAL), word(-HUGE_VAL)), 0x1fffull << 51);
    EXPECT_EQ(sum(space, word(1.0), word(2.0)), word(3.0));
  }
}

TEST(Hardware, BulkReductionsOfFloats) {
  auto of = [](const char *op, Type type, uint32_t memory, uint32_t operand) {
    findReduction(op, type)(reinterpret_cast<std::byte *>(&memory),
                            reinterpret_cast<std::byte *>(&operand), 4);
    return memory;
  };
  EXPECT_EQ(of("add", Type::F32, 0, 0xffffffff), 0x7fffffffu);
  EXPECT_EQ(of("add", Type::F32, 1, 2), 3u); // subnormals
  EXPECT_EQ(of("min", Type::F16, 0, 0x8000), 0x8000u);
  EXPECT_EQ(of("max", Type::BF16, 0x8000, 0), 0u);
  EXPECT_EQ(of("max", Type::BF16, 0x7fff3f80, 0x3f807fff), 0x3f803f80u);
}

TEST(Hardware, SumsOfEighthsKeepThirteenBits) {
  auto sum = [](float start, std::vector<float> products, bool cuts = true) {
    std::vector<float> b(8 * products.size(), 1.0f);
    float sums[8];
    std::fill_n(sums, 8, start);
    addEighths<-6, -6>(sums, products.data(), b.data(),
                       uint32_t(products.size()), 8, cuts);
    for (float x : sums)
      EXPECT_EQ(word(x), word(sums[0]));
    return sums[0];
  };
  constexpr float least = 0x1p-13f;
  EXPECT_EQ(sum(0, {1, least, 1.5f * least}), 1 + 2 * least);
  EXPECT_EQ(sum(0, {1, least / 2, least / 2}), 1.0f);
  EXPECT_EQ(sum(0, {1, -least / 2}), 1.0f); // cut towards zero
  EXPECT_EQ(sum(1 + least, {1, 1}), 3.0f);  // the sum is cut as well
  EXPECT_EQ(sum(-4096, {0.25f, 0.75f}), -4095.5f);
  EXPECT_EQ(sum(0, {0, 0}), 0.0f);
  EXPECT_EQ(sum(0, {0x1p-12f}), 0x1p-12f);
  EXPECT_EQ(sum(1 + least, {1, 1}, false), 3 + least);
  // 1.5 * 1.5 counts as below 2, a subnormal as 2^-6.
  float both[8] = {};
  const float a[2] = {1.5f, least}, b[16] = {1.5f, 0, 0, 0, 0, 0, 0, 0, 1.0f};
  addEighths<-6, -6>(both, a, b, 2, 8, false);
  EXPECT_EQ(both[0], 2.25f + least);
  EXPECT_EQ(sum(0, {0x1p-9f, 0x1p-20f}), 0x1p-9f);
  EXPECT_EQ(sum(HUGE_VALF, {1}), HUGE_VALF);
}

TEST(Hardware, ConvertedNans) {
  EXPECT_EQ(give("cvt.rn.f32.f64", 'f', 'g', {nanA}), 0xffc00000u);
  EXPECT_EQ(give("cvt.rp.ftz.f32.f64", 'f', 'g', {nanC}), 0xffffffffu);
  EXPECT_EQ(give("cvt.rz.f16.f64", 'h', 'g', {nanA}), 0xfe00u);
  EXPECT_EQ(give("cvt.ftz.f64.f32", 'g', 'f', {0xff812345}),
            0x7fffffffe0000000u);
  EXPECT_EQ(give("cvt.rni.f64.f64", 'g', 'g', {nanA}), nanA | quiet);
  EXPECT_EQ(give("cvt.f64.f16", 'g', 'h', {0xfc12}), 0xfff8480000000000u);
  EXPECT_EQ(give("cvt.f64.bf16", 'g', 'h', {0x7fff}), 0x7fffe00000000000u);
  EXPECT_EQ(give("cvt.f32.f32", 'f', 'f', {0xff812345}), 0xff812345u);
  EXPECT_EQ(give("cvt.rn.tf32.f32", 'r', 'f', {0xffffffff}), 0x7fffe000u);
}

TEST(Hardware, HalvesAreRoundedWhateverFtz) {
  EXPECT_EQ(give("cvt.rp.ftz.f16.f32", 'h', 'f', {1}), 1u);
  EXPECT_EQ(give("cvt.rm.ftz.f16.f32", 'h', 'f', {0x807fffff}), 0x8001u);
}

TEST(Hardware, AverageRoundsAwayFromZero) {
  EXPECT_EQ(give("vavrg2.s32.s32.s32.sat", 'r', 'r', {0x807fffff, 0, 0}),
            0xc03fffffu);
  EXPECT_EQ(give("vavrg4.s32.s32.s32.sat", 'r', 'r', {0x3f7fffff, 0, 0}),
            0x2040ffffu);
}

TEST(Hardware, HalfExponentialTruncates) {
  EXPECT_EQ(give("ex2.approx.f16", 'h', 'h', {0xcce3}), 0x15u); // -19.546875
  EXPECT_EQ(give("ex2.approx.f16", 'h', 'h', {0x53c4}), 0x7c00u);
}

} // namespace
