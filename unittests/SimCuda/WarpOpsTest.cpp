//===- WarpOpsTest.cpp - shfl, vote, match, redux, elect, mapa ------------===//
#include "Machine.h"

using namespace kclaw::sim;

namespace {

/// A kernel of one warp: `body` computes %r9 (u32) of each lane from %r1
/// (laneid) and %r2 (in[lane]); out[lane] = %r9.
std::string kernel(const std::string &body) {
  return R"(
.version 8.5
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<9>;
  .reg .b32 %r<19>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r2, [%rd1];
  mov.u32 %r9, 777;
)" + body +
         R"(
DONE:
  st.global.u32 [%rd2], %r9;
  ret;
}
)";
}

std::vector<uint32_t> run(const std::string &body, std::vector<uint32_t> in,
                          unsigned threads = 32) {
  Machine machine(kernel(body));
  auto x = machine.upload(in);
  auto y = machine.upload(std::vector<uint32_t>(32, 0));
  machine.run("k", {1}, {threads}, x, y);
  return y.values();
}

std::vector<uint32_t> counting() {
  std::vector<uint32_t> in(32);
  for (uint32_t l = 0; l < 32; ++l)
    in[l] = 100 + l;
  return in;
}

TEST(WarpOps, ShuffleModesKeepOutOfRangeLanes) {
  auto up = run("shfl.sync.up.b32 %r9, %r2, 3, 0, -1;", counting());
  auto down = run("shfl.sync.down.b32 %r9, %r2, 3, 31, -1;", counting());
  auto bfly = run("shfl.sync.bfly.b32 %r9, %r2, 5, 31, -1;", counting());
  auto index = run("shfl.sync.idx.b32 %r9, %r2, 7, 31, -1;", counting());
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(up[l], 100 + (l < 3 ? l : l - 3));
    EXPECT_EQ(down[l], 100 + (l + 3 > 31 ? l : l + 3));
    EXPECT_EQ(bfly[l], 100 + (l ^ 5));
    EXPECT_EQ(index[l], 107u);
  }
}

// Width 8: c = ((32 - 8) << 8) | clamp, as __shfl_*_sync builds it.
TEST(WarpOps, ShuffleSegmentsAndPredicate) {
  auto up = run("shfl.sync.up.b32 %r9|%p1, %r2, 2, 0x1800, -1;\n"
                "@%p1 mov.u32 %r9, 1;",
                counting());
  auto down = run("shfl.sync.down.b32 %r9|%p1, %r2, 2, 0x181f, -1;\n"
                  "@!%p1 mov.u32 %r9, 1;",
                  counting());
  auto index = run("shfl.sync.idx.b32 %r9, %r2, 13, 0x181f, -1;", counting());
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(up[l], l % 8 < 2 ? 100 + l : 1u) << l;
    EXPECT_EQ(down[l], l % 8 > 5 ? 1u : 102 + l) << l;
    EXPECT_EQ(index[l], 100 + l / 8 * 8 + 5);
  }
}

TEST(WarpOps, ShuffleInPlaceAndAcrossPaths) {
  auto swap = run("shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1;\n"
                  "mov.u32 %r9, %r2;",
                  counting());
  // Both paths shuffle with all members: each sees the other's value.
  auto apart = run(R"(
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra HIGH;
  shfl.sync.bfly.b32 %r9, %r2, 16, 31, -1;
  mov.u32 %r2, 0;
  bra DONE;
HIGH:
  add.u32 %r2, %r2, 1000;
  shfl.sync.bfly.b32 %r9, %r2, 16, 31, -1;
  mov.u32 %r2, 0;
)",
                   counting());
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(swap[l], 100 + (l ^ 1));
    EXPECT_EQ(apart[l], 100 + (l ^ 16) + (l < 16 ? 1000 : 0)) << l;
  }
}

TEST(WarpOps, GroupsWithTheirOwnMasksRunTogetherAndApart) {
  const char *body = R"(
  setp.ge.u32 %p1, %r1, 16;
  selp.b32 %r3, 0xffff0000, 0x0000ffff, %p1;
  setp.ge.u32 %p2, %r1, 8;
  %GUARD% bra LATE;
  vote.sync.ballot.b32 %r9, %p2, %r3;
  bra DONE;
LATE:
  vote.sync.ballot.b32 %r9, %p2, %r3;
)";
  for (std::string guard : {"@%p1", "@%p2"}) {
    std::string text = body;
    text.replace(text.find("%GUARD%"), 7, guard);
    auto out = run(text, counting());
    for (uint32_t l = 0; l < 32; ++l)
      EXPECT_EQ(out[l], l < 16 ? 0x0000ff00u : 0xffff0000u) << l << guard;
  }
}

TEST(WarpOps, ExitedLanesDoNotVote) {
  auto out = run(R"(
  setp.ge.u32 %p1, %r1, 30;
  @%p1 ret;
  setp.ge.u32 %p2, %r1, 3;
  vote.sync.ballot.b32 %r9, !%p2, -1;
)",
                 counting());
  for (uint32_t l = 0; l < 30; ++l)
    EXPECT_EQ(out[l], 7u);
  EXPECT_EQ(out[31], 0u);
  // A block of 20 threads has no lanes 20..31 either.
  auto small = run("vote.sync.ballot.b32 %r9, 1, -1;", counting(), 20);
  EXPECT_EQ(small[0], 0xfffffu);
}

TEST(WarpOps, VoteAllAnyUni) {
  auto out = run(R"(
  setp.ge.u32 %p1, %r1, 0;
  setp.ge.u32 %p2, %r1, 31;
  vote.sync.all.pred %p3, %p1, -1;
  vote.sync.all.pred %p4, %p2, -1;
  vote.sync.any.pred %p5, %p2, -1;
  vote.sync.uni.pred %p6, %p2, -1;
  vote.sync.uni.pred %p7, !%p1, -1;
  mov.u32 %r9, 0;
  @%p3 add.u32 %r9, %r9, 1;
  @%p4 add.u32 %r9, %r9, 2;
  @%p5 add.u32 %r9, %r9, 4;
  @%p6 add.u32 %r9, %r9, 8;
  @%p7 add.u32 %r9, %r9, 16;
)",
                 counting());
  EXPECT_EQ(out[0], 1u + 4 + 16);
  EXPECT_EQ(out[31], 1u + 4 + 16);
}

TEST(WarpOps, MatchAnyAndAll) {
  std::vector<uint32_t> in(32);
  for (uint32_t l = 0; l < 32; ++l)
    in[l] = l % 3;
  auto any = run("match.any.sync.b32 %r9, %r2, -1;", in);
  auto none = run("match.all.sync.b32 %r9|%p1, %r2, -1;\n"
                  "@%p1 mov.u32 %r9, 5;",
                  in);
  auto all = run("mul.lo.u32 %r2, %r2, 0;\n"
                 "match.all.sync.b32 %r9|%p1, %r2, -1;\n"
                 "@!%p1 mov.u32 %r9, 5;",
                 in);
  auto wide = run("mul.wide.u32 %rd4, %r2, 0x40000000;\n"
                  "match.any.sync.b64 %r9, %rd4, -1;",
                  in);
  for (uint32_t l = 0; l < 32; ++l) {
    uint32_t expected = 0;
    for (uint32_t m = l % 3; m < 32; m += 3)
      expected |= 1u << m;
    EXPECT_EQ(any[l], expected);
    EXPECT_EQ(wide[l], expected);
    EXPECT_EQ(none[l], 0u);
    EXPECT_EQ(all[l], ~0u);
  }
}

TEST(WarpOps, ReduxIntegers) {
  auto in = counting();
  in[7] = uint32_t(-5);
  EXPECT_EQ(run("redux.sync.add.s32 %r9, %r2, -1;", in)[3],
            uint32_t(31 * 100 + 31 * 16 - 7 - 5));
  EXPECT_EQ(run("redux.sync.min.s32 %r9, %r2, -1;", in)[3], uint32_t(-5));
  EXPECT_EQ(run("redux.sync.min.u32 %r9, %r2, -1;", in)[3], 100u);
  EXPECT_EQ(run("redux.sync.max.s32 %r9, %r2, -1;", in)[3], 131u);
  EXPECT_EQ(run("redux.sync.xor.b32 %r9, %r1, -1;", in)[3], 0u);
  EXPECT_EQ(run("redux.sync.or.b32 %r9, %r1, -1;", in)[3], 31u);
  EXPECT_EQ(run("add.u32 %r2, %r1, 96;\n"
                "redux.sync.and.b32 %r9, %r2, -1;",
                in)[3],
            96u);
}

TEST(WarpOps, ReduxFloatsAndNaN) {
  std::vector<uint32_t> in(32, std::bit_cast<uint32_t>(2.0f));
  in[4] = std::bit_cast<uint32_t>(-7.0f);
  in[5] = 0x7fc00001;
  auto redux = [&](const std::string &form) {
    return run("mov.b32 %f1, %r2;\nredux.sync." + form +
                   ".f32 %f2, %f1, -1;\nmov.b32 %r9, %f2;",
               in)[0];
  };
  EXPECT_EQ(redux("min"), std::bit_cast<uint32_t>(-7.0f));
  EXPECT_EQ(redux("max.abs"), std::bit_cast<uint32_t>(7.0f));
  EXPECT_EQ(redux("min.abs"), std::bit_cast<uint32_t>(2.0f));
  EXPECT_EQ(redux("max.NaN"), 0x7fffffffu);
}

TEST(WarpOps, ActiveMaskAndElect) {
  auto out = run(R"(
  setp.ge.u32 %p1, %r1, 12;
  @!%p1 bra DONE;
  activemask.b32 %r3;
  elect.sync %r4|%p2, %r3;
  mov.u32 %r9, %r4;
  @%p2 mov.u32 %r9, %r3;
)",
                 counting());
  EXPECT_EQ(out[0], 777u);
  EXPECT_EQ(out[12], 0xfffff000u);
  EXPECT_EQ(out[13], 12u);
}

TEST(WarpOps, ALaneOutsideOfItsMaskIsReported) {
  try {
    run("vote.sync.ballot.b32 %r9, 1, 0xfffffffe;", counting());
    FAIL() << "no fault";
  } catch (const FaultError &error) {
    EXPECT_EQ(error.fault.kind, FaultKind::DivergentBarrier);
    EXPECT_EQ(error.fault.thread[0], 0u);
  }
}

TEST(WarpOps, AMemberThatNeverComesIsReported) {
  try {
    run(R"(
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra HIGH;
  bar.warp.sync -1;
  bra DONE;
HIGH:
  bar.sync 0;
)",
        counting());
    FAIL() << "no fault";
  } catch (const FaultError &error) {
    EXPECT_EQ(error.fault.kind, FaultKind::DivergentBarrier) << error.what();
  }
}

TEST(WarpOps, SpacesOfGenericAddresses) {
  Machine machine(R"(
.version 8.5
.target sm_90a
.address_size 64
.const .align 4 .b32 fixed = 5;
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 s[16];
  .local .align 4 .b8 stack[16];
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, s;
  cvta.shared.u64 %rd2, %rd2;
  mov.u64 %rd3, stack;
  cvta.local.u64 %rd3, %rd3;
  mov.u64 %rd4, fixed;
  cvta.const.u64 %rd4, %rd4;
  mov.u32 %r1, 0;
  isspacep.global %p1, %rd1;
  @%p1 add.u32 %r1, %r1, 1;
  isspacep.shared %p1, %rd2;
  @%p1 add.u32 %r1, %r1, 2;
  isspacep.local %p1, %rd3;
  @%p1 add.u32 %r1, %r1, 4;
  isspacep.const %p1, %rd4;
  @%p1 add.u32 %r1, %r1, 8;
  isspacep.global %p1, %rd2;
  @%p1 add.u32 %r1, %r1, 16;
  isspacep.shared %p1, %rd1;
  @%p1 add.u32 %r1, %r1, 32;
  isspacep.shared::cluster %p1, %rd2;
  @%p1 add.u32 %r1, %r1, 64;
  st.global.u32 [%rd1], %r1;
  ret;
}
)");
  auto out = machine.allocate<uint32_t>(1);
  machine.run("k", {1}, {1}, out);
  EXPECT_EQ(out[0], 1u + 2 + 4 + 8 + 64);
}

TEST(WarpOps, MapsSharedMemoryOfTheCluster) {
  Machine machine(R"(
.version 8.5
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 s[16];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, s;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, 1;
  sub.u32 %r3, %r3, %r2;
  mapa.shared::cluster.u32 %r4, %r1, %r3;
  getctarank.shared::cluster.u32 %r5, %r4;
  mov.u64 %rd2, s;
  cvta.shared.u64 %rd2, %rd2;
  mapa.u64 %rd3, %rd2, %r3;
  getctarank.u64 %r6, %rd3;
  mad.lo.u32 %r5, %r6, 16, %r5;
  mul.wide.u32 %rd4, %r2, 4;
  add.u64 %rd1, %rd1, %rd4;
  st.global.u32 [%rd1], %r5;
  ret;
}
)");
  machine.cluster = {2};
  auto out = machine.allocate<uint32_t>(2);
  machine.run("k", {2}, {1}, out);
  EXPECT_EQ(out[0], 17u);
  EXPECT_EQ(out[1], 0u);
}

// Each block adds the other's number through its shared memory.
TEST(WarpOps, ClusterBarrierOrdersDistributedSharedMemory) {
  Machine machine(R"(
.version 8.5
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 s[256];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  shl.b32 %r3, %r2, 2;
  mov.u32 %r4, s;
  add.u32 %r4, %r4, %r3;
  mad.lo.u32 %r5, %r1, 100, %r2;
  st.shared.u32 [%r4], %r5;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  mov.u32 %r6, 1;
  sub.u32 %r6, %r6, %r1;
  mapa.shared::cluster.u32 %r7, %r4, %r6;
  ld.shared::cluster.u32 %r8, [%r7];
  barrier.cluster.arrive;
  mad.lo.u32 %r5, %r1, 64, %r2;
  mul.wide.u32 %rd4, %r5, 4;
  add.u64 %rd1, %rd1, %rd4;
  barrier.cluster.wait;
  st.global.u32 [%rd1], %r8;
  ret;
}
)");
  machine.cluster = {2};
  auto out = machine.allocate<uint32_t>(128);
  machine.run("k", {2}, {64}, out);
  EXPECT_EQ(out[3], 103u);
  EXPECT_EQ(out[64 + 63], 63u);
}

} // namespace
