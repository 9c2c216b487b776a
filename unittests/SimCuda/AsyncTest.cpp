//===- AsyncTest.cpp - cp.async, mbarrier, bulk copies --------------------===//
#include "Machine.h"

#include "SimCuda/Exec/AsyncState.h"

using namespace kclaw::sim;

namespace {

/// A kernel k(in, out) with %rd0 = in + 4 tid, %rd1 = out + 4 tid, %r0 = tid,
/// %r1 = address of shared s (4096 bytes), %r2 = s + 4 tid, %r3 = mbarrier.
std::string kernel(const std::string &body) {
  return R"(.version 8.4
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<32>;
.reg .b64 %rd<32>;
.reg .b16 %h<4>;
.reg .pred %p<8>;
.shared .align 128 .b8 s[4096];
.shared .align 8 .b64 bar;
mov.u32 %r0, %tid.x;
mov.u32 %r1, s;
shl.b32 %r2, %r0, 2;
add.u32 %r2, %r2, %r1;
mov.u32 %r3, bar;
mul.wide.u32 %rd2, %r0, 4;
ld.param.u64 %rd3, [in];
ld.param.u64 %rd4, [out];
add.u64 %rd0, %rd3, %rd2;
add.u64 %rd1, %rd4, %rd2;
)" + body +
         "\nret;\n}\n";
}

std::vector<uint32_t> numbers(unsigned count, uint32_t first = 100) {
  std::vector<uint32_t> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i] = first + i;
  return values;
}

struct Result {
  std::vector<uint32_t> out;
  Counts counts;
};
Result run(const std::string &body, unsigned threads = 32, bool checks = true,
           Dim3 grid = {1}, Dim3 cluster = {}) {
  Machine machine(kernel(body));
  machine.options.checks = checks;
  machine.options.hostThreads = 1; // blocks follow each other
  machine.cluster = cluster;
  unsigned count = threads * unsigned(grid.count());
  auto in = machine.upload(numbers(1024));
  auto out = machine.upload(std::vector<uint32_t>(count));
  Result result;
  result.counts = machine.run("k", grid, {threads}, in, out);
  result.out = out.values();
  return result;
}

FaultKind faultOf(const std::string &body, unsigned threads = 32) {
  try {
    run(body, threads);
  } catch (const FaultError &error) {
    return error.fault.kind;
  }
  ADD_FAILURE() << "no fault";
  return FaultKind::Trap;
}

const char *copy = R"(
st.shared.u32 [%r2], 7;
cp.async.ca.shared.global [%r2], [%rd0], 4;
cp.async.commit_group;
)";
const char *readBack = R"(
ld.shared.u32 %r9, [%r2];
st.global.u32 [%rd1], %r9;
)";

TEST(Async, CopiesLandAtTheWaitThatCoversThem) {
  Result result = run(std::string(copy) + "cp.async.wait_group 0;" + readBack);
  EXPECT_EQ(result.out, numbers(32));
  EXPECT_EQ(result.counts.asyncBytes, 128u);
  EXPECT_EQ(
      run(std::string(copy) + "cp.async.wait_group 1;" + readBack, 32, false)
          .out,
      std::vector<uint32_t>(32, 7));
}

TEST(Async, WaitGroupLeavesTheNewestGroups) {
  EXPECT_EQ(run(std::string(copy) + R"(
cp.async.ca.shared.global [%r2+128], [%rd0+128], 4;
cp.async.commit_group;
st.shared.u32 [%r2+256], 9;
cp.async.wait_group 1;
ld.shared.u32 %r9, [%r2];
st.global.u32 [%rd1], %r9;
cp.async.wait_all;
)")
                .out,
            numbers(32));
}

TEST(Async, FillsWithZerosWhatTheSourceDoesNotHave) {
  Result result = run(R"(
st.shared.u32 [%r2], 7;
setp.ge.u32 %p0, %r0, 16;
selp.u32 %r4, 4, 0, %p0;
cp.async.ca.shared.global [%r2], [%rd0], 4, %r4;
cp.async.wait_all;)" + std::string(readBack));
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(result.out[l], l >= 16 ? 100 + l : 0);
  result = run(R"(
st.shared.u32 [%r2], 7;
setp.ge.u32 %p0, %r0, 16;
cp.async.ca.shared.global [%r2], [%rd0], 4, %p0;
cp.async.wait_all;)" +
               std::string(readBack));
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(result.out[l], l >= 16 ? 0 : 100 + l);
}

const char *initialise = R"(
setp.ge.u32 %p1, %r0, 1;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 64;
bar.sync 0;
)";
const char *waitParity0 = R"(
W:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
@%p2 bra D;
bra W;
D:
)";

TEST(Async, ThreadsMeetAtAMbarrier) {
  // Thread t reads what thread 63 - t wrote.
  EXPECT_EQ(run(std::string(initialise) + R"(
ld.global.u32 %r9, [%rd0];
st.shared.u32 [%r2], %r9;
mbarrier.arrive.shared::cta.b64 %rd8, [%r3];
W: mbarrier.try_wait.shared::cta.b64 %p2, [%r3], %rd8;
@!%p2 bra W;
sub.u32 %r10, %r1, %r2;
ld.shared.u32 %r9, [%r2];
st.global.u32 [%rd1], %r9;
mbarrier.pending_count.b64 %r11, %rd8;
)",
                64)
                .out,
            numbers(64));
}

TEST(Async, AMbarrierCompletesWhenCopiesLanded) {
  EXPECT_EQ(run(std::string(initialise) + copy + R"(
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r3];
)" + waitParity0 + readBack,
                64)
                .out,
            numbers(64));
}

TEST(Async, BulkCopiesSignalBytes) {
  EXPECT_EQ(run(R"(
setp.ge.u32 %p1, %r0, 1;
st.shared.u32 [%r2], 7;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
bar.sync 0;
@!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
@!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd3], 256, [%r3];
)" + std::string(waitParity0) +
                    readBack,
                64)
                .out,
            numbers(64));
}

TEST(Async, BulkStoresLandInTheirGroup) {
  Result result = run(R"(
ld.global.u32 %r9, [%rd0];
st.shared.u32 [%r2], %r9;
fence.proxy.async;
bar.sync 0;
setp.ge.u32 %p1, %r0, 1;
@%p1 bra E;
cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r1], 256;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd4], [%r1], 128;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
E:
)",
                      64);
  for (unsigned l = 0; l < 64; ++l)
    EXPECT_EQ(result.out[l], (100 + l) * (l < 32 ? 2 : 1));
  EXPECT_EQ(result.counts.asyncBytes, 384u);
}

TEST(Async, NobodyArrivesIsADeadlock) {
  EXPECT_EQ(faultOf(std::string(initialise) + waitParity0 + readBack),
            FaultKind::Deadlock);
  EXPECT_EQ(faultOf(R"(
setp.ge.u32 %p1, %r0, 1;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
bar.sync 0;
@!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
@!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd3], 128, [%r3];
)" + std::string(waitParity0)),
            FaultKind::Deadlock);
}

TEST(Async, MoreArrivalsThanExpectedAndNoMbarrierAreFaults) {
  EXPECT_EQ(faultOf(R"(
setp.ge.u32 %p1, %r0, 1;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 3;
bar.sync 0;
mbarrier.arrive.shared::cta.b64 _, [%r3], 2;
)"),
            FaultKind::IllegalInstruction);
  EXPECT_EQ(
      faultOf(
          "st.shared.u64 [%r3], 0; mbarrier.arrive.shared::cta.b64 _, [%r3];"),
      FaultKind::IllegalInstruction);
}

TEST(Async, ClusterBlocksWaitForEachOther) {
  // Block r reads what the other block stored.
  Result result = run(R"(
mov.u32 %r4, %cluster_ctarank;
shl.b32 %r5, %r4, 6;
add.u32 %r5, %r5, %r0;
st.shared.u32 [%r2], %r5;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
sub.u32 %r6, 1, %r4;
shl.b32 %r6, %r6, 24;
shl.b32 %r7, %r4, 24;
sub.u32 %r2, %r2, %r7;
add.u32 %r6, %r6, %r2;
ld.shared::cluster.u32 %r9, [%r6];
mul.wide.u32 %rd9, %r4, 256;
add.u64 %rd1, %rd1, %rd9;
st.global.u32 [%rd1], %r9;
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
)",
                      64, true, {2}, {2});
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(result.out[i], (i + 64) % 128);
}

TEST(Async, AlignedClusterBarriersWaitForLanesOnTheirWay) {
  // Thread 0 waits for the other warp while its own warp goes to the barrier.
  Result result = run(R"(
setp.ge.u32 %p1, %r0, 1;
setp.ge.u32 %p3, %r0, 32;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 32;
bar.sync 0;
@%p3 mbarrier.arrive.shared::cta.b64 _, [%r3];
@%p1 bra D;
)" + std::string(waitParity0) +
                          R"(
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
st.global.u32 [%rd1], %r0;
)",
                      64);
  EXPECT_EQ(result.out, numbers(64, 0));
}

TEST(Async, MulticastFillsTheBlocksOfTheMask) {
  Result result = run(R"(
setp.ge.u32 %p1, %r0, 1;
mov.u32 %r4, %cluster_ctarank;
setp.ge.u32 %p3, %r4, 1;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
@!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
barrier.cluster.arrive.release.aligned;
barrier.cluster.wait.acquire.aligned;
@%p3 bra W;
@%p1 bra W;
mov.u16 %h0, 3;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd3], 256, [%r3], %h0;
)" + std::string(waitParity0) +
                          R"(
mul.wide.u32 %rd9, %r4, 256;
add.u64 %rd1, %rd1, %rd9;
)" + readBack,
                      64, true, {2}, {2});
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(result.out[i], 100 + i % 64);
}

TEST(Async, ReadingWithoutTheWaitIsReported) {
  EXPECT_EQ(faultOf(std::string(copy) + "cp.async.wait_group 1;" + readBack),
            FaultKind::MissingWait);
  // The mbarrier is there, but nobody looks at it.
  std::string bulk = R"(
setp.ge.u32 %p1, %r0, 1;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
bar.sync 0;
@!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 256;
@!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd3], 256, [%r3];
bar.sync 0;
)";
  EXPECT_EQ(faultOf(bulk + readBack, 64), FaultKind::MissingWait);
  EXPECT_EQ(run(bulk + waitParity0 + readBack, 64).out, numbers(64));
}

TEST(Async, CopiesThatNobodyWaitedForAreForgotten) {
  // The second block runs in the place of the first.
  std::string body = R"(
mov.u32 %r4, %ctaid.x;
setp.ge.u32 %p3, %r4, 1;
@%p3 bra SECOND;
setp.ge.u32 %p1, %r0, 1;
@!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
@!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd3], 128, [%r3];
ret;
SECOND:
st.shared.u32 [%r2], %r0;
ld.shared.u32 %r9, [%r2];
st.global.u32 [%rd1], %r9;
)";
  EXPECT_EQ(run(body, 32, true, {2}).out[5], 5u);
}

TEST(Async, MbarrierValuesKeepTheirFields) {
  Mbarrier value;
  value.pending = 5, value.expected = 70000, value.transactions = -300;
  value.phase = value.live = true;
  Mbarrier again = Mbarrier::unpack(value.pack());
  EXPECT_EQ(again.pending, 5u);
  EXPECT_EQ(again.expected, 70000u);
  EXPECT_EQ(again.transactions, -300);
  EXPECT_TRUE(again.phase && again.live);
}

} // namespace
