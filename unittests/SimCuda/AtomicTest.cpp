//===- AtomicTest.cpp - atom and red in every space -----------------------===//
#include "Machine.h"

#include <algorithm>

using namespace kclaw::sim;

namespace {

/// Each thread does `body` with %rd1 = the cell's address (%r2: shared window
/// address of a cell that begins with 0), %r1 = its number, %rd2 = its place in
/// out (8 bytes a thread).
std::string kernel(const std::string &body) {
  return R"(
.version 8.5
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 cell, .param .u64 out)
{
  .reg .pred %p<9>;
  .reg .b16 %h<9>;
  .reg .b32 %r<19>;
  .reg .f32 %f<9>;
  .reg .f64 %fd<9>;
  .reg .b64 %rd<19>;
  .reg .b128 %q<5>;
  .shared .align 16 .b8 s[16];
  ld.param.u64 %rd1, [cell];
  ld.param.u64 %rd2, [out];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r1, %r3, %r4, %r1;
  mul.wide.u32 %rd3, %r1, 8;
  add.u64 %rd2, %rd2, %rd3;
  mov.u32 %r2, s;
  mov.u64 %rd4, 0;
  mov.u32 %r5, %tid.x;
  setp.ge.u32 %p1, %r5, 1;
  @!%p1 st.shared.v2.u64 [%r2], {%rd4, %rd4};
  bar.sync 0;
  mul.wide.u32 %rd5, %r1, 1;
  mov.u32 %r6, %r1;
  add.u32 %r7, %r1, 1;
)" + body +
         R"(
  ret;
}
)";
}

struct Result {
  std::vector<uint64_t> cell, out;
};

Result run(const std::string &body, std::vector<uint64_t> cell,
           uint32_t blocks = 1, uint32_t threads = 32) {
  Machine machine(kernel(body));
  auto x = machine.upload(cell);
  auto y = machine.upload(std::vector<uint64_t>(blocks * threads, 0));
  machine.run("k", {blocks}, {threads}, x, y);
  return {x.values(), y.values()};
}

uint32_t low(const Result &result) { return uint32_t(result.cell[0]); }

TEST(Atomic, AddsOfTwoHostThreadsAreNotLost) {
  Result result = run("atom.global.add.u32 %r8, [%rd1], 1;\n"
                      "st.global.u32 [%rd2], %r8;",
                      {0}, 64, 256);
  EXPECT_EQ(low(result), 64u * 256);
  std::ranges::sort(result.out);
  for (size_t i = 0; i < result.out.size(); ++i)
    ASSERT_EQ(result.out[i], i); // every ticket once
}

TEST(Atomic, IntegersInGlobalMemory) {
  EXPECT_EQ(low(run("red.global.min.s32 [%rd1], %r6;", {uint32_t(-4)})),
            uint32_t(-4));
  EXPECT_EQ(low(run("red.global.min.u32 [%rd1], %r7;", {uint32_t(-4)})), 1u);
  EXPECT_EQ(low(run("red.global.max.u32 [%rd1], %r6;", {5})), 31u);
  EXPECT_EQ(low(run("red.global.inc.u32 [%rd1], 9;", {0})), 2u);
  EXPECT_EQ(low(run("red.global.dec.u32 [%rd1], 9;", {3})), 1u);
  EXPECT_EQ(low(run("red.global.and.b32 [%rd1], %r6;", {255})), 0u);
  EXPECT_EQ(low(run("red.global.or.b32 [%rd1], %r6;", {64})), 95u);
  EXPECT_EQ(low(run("red.global.xor.b32 [%rd1], %r7;", {0})), 32u);
  EXPECT_EQ(run("red.global.add.u64 [%rd1], %rd5;", {1ull << 40}).cell[0],
            (1ull << 40) + 496);
  EXPECT_EQ(run("red.relaxed.gpu.global.max.s64 [%rd1], %rd5;", {uint64_t(-7)})
                .cell[0],
            31u);
}

TEST(Atomic, CompareAndSwapAndExchange) {
  // Only one thread finds 5.
  Result cas = run("atom.global.cas.b32 %r8, [%rd1], 5, %r7;\n"
                   "st.global.u32 [%rd2], %r8;",
                   {5});
  EXPECT_EQ(low(cas), 1u);
  EXPECT_EQ(cas.out[0], 5u);
  EXPECT_EQ(cas.out[1], 1u);
  Result exchange = run("atom.exch.b64 %rd6, [%rd1], %rd5;\n"
                        "st.global.u64 [%rd2], %rd6;",
                        {77});
  EXPECT_EQ(exchange.cell[0], 31u);
  EXPECT_EQ(exchange.out[0], 77u);
  EXPECT_EQ(exchange.out[31], 30u);
  Result half = run("atom.global.cas.b16 %h1, [%rd1], 5, 9;", {5 | 0x70000});
  EXPECT_EQ(low(half), 0x70009u);
}

TEST(Atomic, Wide128) {
  Result result = run("mov.b128 %q1, {%rd5, %rd5};\n"
                      "atom.global.exch.b128 %q2, [%rd1], %q1;\n"
                      "mov.b128 {%rd6, %rd7}, %q2;\n"
                      "st.global.u64 [%rd2], %rd7;",
                      {1, 2});
  EXPECT_EQ(result.cell, (std::vector<uint64_t>{31, 31}));
  EXPECT_EQ(result.out[0], 2u);
  EXPECT_EQ(result.out[1], 0u);
  Result cas = run("mov.u64 %rd8, 1;\nmov.u64 %rd9, 2;\n"
                   "mov.b128 %q1, {%rd8, %rd9};\n"
                   "mov.b128 %q2, {%rd9, %rd8};\n"
                   "atom.global.cas.b128 %q3, [%rd1], %q1, %q2;",
                   {1, 2});
  EXPECT_EQ(cas.cell, (std::vector<uint64_t>{2, 1}));
}

TEST(Atomic, FloatsFlushInGlobalMemoryOnly) {
  Result sum = run("mov.f32 %f1, 0f3F800000;\n"
                   "red.global.add.f32 [%rd1], %f1;",
                   {std::bit_cast<uint32_t>(0.5f)});
  EXPECT_EQ(std::bit_cast<float>(low(sum)), 32.5f);
  const char *tiny = "mov.b32 %f1, 0x00000001;\n";
  EXPECT_EQ(
      low(run(std::string(tiny) + "red.global.add.f32 [%rd1], %f1;", {0})), 0u);
  Result shared =
      run(std::string(tiny) + "red.shared.add.f32 [%r2], %f1;\nbar.sync 0;\n"
                              "ld.shared.u32 %r8, [%r2];\n"
                              "st.global.u32 [%rd2], %r8;",
          {0});
  EXPECT_EQ(shared.out[3], 32u);
  Result generic =
      run(std::string(tiny) + "mov.u64 %rd6, s;\ncvta.shared.u64 %rd6, %rd6;\n"
                              "red.add.f32 [%rd6], %f1;\nbar.sync 0;\n"
                              "ld.shared.u32 %r8, [%r2];\n"
                              "st.global.u32 [%rd2], %r8;",
          {0});
  EXPECT_EQ(generic.out[3], 32u);
  Result wide = run("mov.f64 %fd1, 0d3FF0000000000000;\n"
                    "atom.global.add.f64 %fd2, [%rd1], %fd1;",
                    {std::bit_cast<uint64_t>(0.25)});
  EXPECT_EQ(std::bit_cast<double>(wide.cell[0]), 32.25);
}

TEST(Atomic, HalvesRoundOnce) {
  // 2048 + 1 ties to even in f16; bf16 256 + 1 likewise.
  EXPECT_EQ(low(run("mov.b32 %r8, 0x3c003c00;\n"
                    "red.global.add.noftz.f16x2 [%rd1], %r8;",
                    {0x68003c00})),
            0x68005020u); // 2048 stays; 1 + 32 = 33
  EXPECT_EQ(low(run("mov.b32 %r8, 0x3f803f80;\n"
                    "atom.global.add.noftz.bf16x2 %r9, [%rd1], %r8;",
                    {0x43803f80})),
            0x43804204u);
  EXPECT_EQ(low(run("mov.b16 %h1, 0x3c00;\n"
                    "atom.global.add.noftz.f16 %h2, [%rd1], %h1;",
                    {0xabcd0000})),
            0xabcd5000u);
  EXPECT_EQ(low(run("mov.b16 %h1, 0x3c00;\nmov.b16 %h2, 0x8000;\n"
                    "atom.global.v2.f16.min.noftz {%h3, %h4}, [%rd1], "
                    "{%h1, %h2};",
                    {0x00004000})),
            0x80003c00u);
}

TEST(Atomic, VectorsOfFloats) {
  Result result = run("mov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f40000000;\n"
                      "atom.global.add.v4.f32 {%f3, %f4, %f5, %f6}, [%rd1], "
                      "{%f1, %f2, %f1, %f2};\n"
                      "st.global.f32 [%rd2], %f4;",
                      {0, 0});
  auto *cell = reinterpret_cast<const float *>(result.cell.data());
  EXPECT_EQ(cell[0], 32.0f);
  EXPECT_EQ(cell[3], 64.0f);
  EXPECT_EQ(uint32_t(result.out[2]), std::bit_cast<uint32_t>(4.0f));
}

TEST(Atomic, ModifiersInTheOrderOfLibcudacxx) {
  Result result = run("atom.add.acq_rel.gpu.u32 %r8, [%rd1], 1;\n"
                      "atom.acquire.gpu.global.add.u32 %r8, [%rd1], 1;\n"
                      "atom.cas.relaxed.cta.b32 %r8, [%rd1], 0, 0;\n"
                      "atom.global.cta.add.u32 _, [%rd1], 1;",
                      {0});
  EXPECT_EQ(low(result), 96u);
}

TEST(Atomic, MisalignedCellsFault) {
  try {
    run("red.global.add.u32 [%rd1+2], 1;", {0});
    FAIL() << "no fault";
  } catch (const FaultError &error) {
    EXPECT_EQ(error.fault.kind, FaultKind::Misaligned);
  }
}

} // namespace
