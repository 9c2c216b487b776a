//===- AsyncReduceTest.cpp - Others read what a bulk reduction left -------===//
//
// Thread 0 starts it; the mbarrier's wait is what orders the other warps.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

using namespace kclaw::sim;

namespace {

std::string source(const std::string &start) {
  return R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {
.shared .align 128 .b8 buf[4096];
.reg .b32 %r<12>;
.reg .b64 %a<4>;
.reg .pred %p<3>;
mov.u32 %r1, %tid.x;
mov.u32 %r5, buf;
setp.ne.u32 %p0, %r1, 0;
@!%p0 mbarrier.init.shared.b64 [%r5+3072], 1;
mad.lo.u32 %r2, %r1, 4, %r5;
st.shared.b32 [%r2], %r1;
st.shared.b32 [%r2+1024], 7;
fence.proxy.async;
bar.sync 0;
@%p0 bra STARTED;
mapa.shared::cluster.u32 %r6, %r5, 0;
mbarrier.arrive.expect_tx.shared.b64 _, [%r5+3072], 512;
)" + start +
         R"(
STARTED:
WAIT: mbarrier.test_wait.parity.shared.b64 %p1, [%r5+3072], 0;
@!%p1 bra WAIT;
ld.shared.b32 %r3, [%r2+1024];
mul.wide.u32 %a1, %r1, 4;
ld.param.u64 %a0, [out];
add.u64 %a0, %a0, %a1;
st.global.b32 [%a0], %r3;
ret;
})";
}

const char *const reduction =
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx"
    "::bytes.add.u32 [%r6+1024], [%r5], 512, [%r6+3072];";

TEST(AsyncReduce, TheWaitOrdersOtherWarps) {
  Machine machine(source(reduction));
  machine.clustered = true;
  auto out = machine.allocate<uint32_t>(128);
  machine.run("k", {1}, {128}, out);
  for (uint32_t t = 0; t < 128; ++t)
    ASSERT_EQ(out[t], t + 7);
}

TEST(AsyncReduce, TheWaitOrdersOtherWarpsAfterRedAsync) {
  std::string start;
  for (int t = 0; t < 128; ++t)
    start += "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx"
             "::bytes.add.u32 [%r6+" +
             std::to_string(1024 + 4 * t) + "], " + std::to_string(t) +
             ", [%r6+3072];\n";
  Machine machine(source(start));
  machine.clustered = true;
  auto out = machine.allocate<uint32_t>(128);
  machine.run("k", {1}, {128}, out);
  for (uint32_t t = 0; t < 128; ++t)
    ASSERT_EQ(out[t], t + 7);
}

// An H200 gives these in a launch without a cluster: bench/sim/h200.json.
TEST(AsyncReduce, NeedsALaunchWithACluster) {
  const std::string signal = "mbarrier::complete_tx::bytes";
  for (const std::string &start :
       {std::string(reduction),
        "cp.async.bulk.shared::cluster.shared::cta." + signal +
            " [%r6+1024], [%r5], 512, [%r6+3072];",
        "st.async.weak.shared::cluster." + signal +
            ".b32 [%r6+1024], %r1, [%r6+3072];",
        "red.async.relaxed.cluster.shared::cluster." + signal +
            ".inc.u32 [%r6+1024], %r1, [%r6+3072];"}) {
    Machine machine(source(start));
    auto out = machine.allocate<uint32_t>(128);
    try {
      machine.run("k", {1}, {128}, out);
      ADD_FAILURE() << "no fault: " << start;
    } catch (const FaultError &error) {
      EXPECT_EQ(error.fault.kind, FaultKind::IllegalInstruction);
      EXPECT_NE(error.message.find("cluster"), std::string::npos);
    }
  }
}

} // namespace
