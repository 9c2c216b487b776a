//===- FaultClasses.cpp ---------------------------------------------------===//
#include "FaultClasses.h"

namespace kclaw::sim {

namespace {

#define KCL_KERNEL(BODY)                                                       \
  "extern \"C\" __global__ void k(const int *in, int *out) {\n"                \
  "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n" BODY "}\n"

#define KCL_MEET                                                               \
  "asm volatile(\"barrier.cluster.arrive.aligned;\\n"                          \
  "barrier.cluster.wait.aligned;\" ::: \"memory\");\n"

const FaultClass table[] = {
    {"GlobalBounds", "out of bounds, global memory (of each allocation)",
     FaultKind::OutOfBounds, KCL_KERNEL(R"(
  out[i] = in[i + /*hole*/4096]; // HERE
)"),
     "/*hole*/4096", "0"},
    {"SharedBounds", "out of bounds, shared memory", FaultKind::OutOfBounds,
     KCL_KERNEL(R"(
  __shared__ int s[64];
  s[t + in[/*hole*/1]] = 7; // HERE
  __syncthreads();
  out[i] = s[63 - t];
)"),
     "/*hole*/1", "0"},
    {"LocalBounds", "out of bounds, local memory (of the thread's stack)",
     FaultKind::OutOfBounds, KCL_KERNEL(R"(
  int stack[8];
  for (int j = 0; j < 8; ++j)
    stack[in[j]] = j;
  out[i] = stack[in[t & 7] + /*hole*/64]; // HERE
)"),
     "/*hole*/64", "0"},
    {"ConstantWrite", "write to constant memory", FaultKind::ReadOnlyWrite,
     R"(__constant__ int table[64];
__device__ int other[64];
extern "C" __global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  int *to = const_cast<int *>(/*hole*/table);
  asm volatile("st.u32 [%0], %1;" :: "l"(to + t), "r"(in[t]) : "memory"); // HERE
  out[t] = other[t];
})",
     "/*hole*/table", "other"},
    {"Misaligned", "misaligned address", FaultKind::Misaligned, KCL_KERNEL(R"(
  int2 pair = *reinterpret_cast<const int2 *>(in + 2 * t + /*hole*/1); // HERE
  out[i] = pair.x + pair.y;
)"),
     "/*hole*/1", "0"},
    {"UninitialisedGlobal", "uninitialised read, global memory",
     FaultKind::Uninitialised, KCL_KERNEL(R"(
  out[i] = in[i];
  out[i] = out[i + /*hole*/1] + 1; // HERE
)"),
     "/*hole*/1", "0"},
    {"UninitialisedShared", "uninitialised read, shared memory",
     FaultKind::Uninitialised, KCL_KERNEL(R"(
  __shared__ int s[128];
  s[t] = in[t];
  __syncthreads();
  out[i] = s[t + /*hole*/1]; // HERE
)"),
     "/*hole*/1", "0"},
    {"UninitialisedLocal", "uninitialised read, local memory",
     FaultKind::Uninitialised, KCL_KERNEL(R"(
  int stack[16];
  for (int j = 0; j < /*hole*/in[8]; ++j)
    stack[in[j]] = j;
  out[i] = stack[in[t & 15]]; // HERE
)"),
     "/*hole*/in[8]", "16"},
    {"SharedRace", "data race, shared memory", FaultKind::Race, KCL_KERNEL(R"(
  __shared__ int s[64];
  s[t] = 0;
  __syncthreads();
  s[t] = in[t] + 1; /*hole*/ out[i] = s[63 - t]; // HERE
)"),
     "/*hole*/", "__syncthreads();"},
    {"GlobalRaceInABlock", "data race, global memory, in a block",
     FaultKind::Race, KCL_KERNEL(R"(
  int *x = const_cast<int *>(in);
  x[i] = t + 1; /*hole*/ out[i] = x[i - t + 63 - t]; // HERE
)"),
     "/*hole*/", "__syncthreads();"},
    {"GlobalRaceOfBlocks",
     "data race, global memory, between blocks",
     FaultKind::Race,
     KCL_KERNEL(R"(
  if (t == 0)
    out[0] = /*hole*/int(blockIdx.x); // HERE
)"),
     "/*hole*/int(blockIdx.x)",
     "1",
     {64},
     {4}},
    {"ClusterRace",
     "data race, shared memory of another block of the cluster",
     FaultKind::Race,
     KCL_KERNEL(R"(
  __shared__ int s[64];
  unsigned other = unsigned(__cvta_generic_to_shared(s + t));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(other), "r"(1 - blockIdx.x % 2));
  s[t] = 0;
  int v;
  )" KCL_MEET R"(
  s[t] = in[t] + 1; /*hole*/ asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(other) : "memory"); // HERE
  out[i] = v;
  )" KCL_MEET),
     "/*hole*/",
     KCL_MEET,
     {64},
     {4},
     {2}},
    {"EndedBlock",
     "shared memory of a block of the cluster that has ended",
     FaultKind::OutOfBounds,
     KCL_KERNEL(R"(
  __shared__ int s[64];
  unsigned first = unsigned(__cvta_generic_to_shared(s + t));
  asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(first));
  s[t] = in[t];
  int v = 0;
  )" KCL_MEET R"(
  if (blockIdx.x % 2 == 1)
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(first) : "memory"); // HERE
  out[i] = v;
  /*hole*/
)"),
     "/*hole*/",
     KCL_MEET,
     {64},
     {4},
     {2}},
    {"DivergentBarrier",
     "divergent barrier",
     FaultKind::DivergentBarrier,
     KCL_KERNEL(R"(
  if (t < /*hole*/16)
    __syncthreads(); // HERE
  out[i] = in[i];
  __syncthreads();
)"),
     "/*hole*/16",
     "64",
     {64},
     {1},
     {1},
     false},
    {"Deadlock",
     "deadlock",
     FaultKind::Deadlock,
     KCL_KERNEL(R"(
  if (t < /*hole*/32)
    asm volatile("bar.sync 1, 64;"); // HERE
  __syncthreads();
  out[i] = in[i];
)"),
     "/*hole*/32",
     "64",
     {64},
     {1},
     {1},
     false},
    {"MissingAsyncWait", "missing wait, cp.async", FaultKind::MissingWait,
     KCL_KERNEL(R"(
  __shared__ int s[64];
  unsigned to = unsigned(__cvta_generic_to_shared(s + t));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
               :: "r"(to), "l"(in + i) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  /*hole*/
  out[i] = s[t]; // HERE
)"),
     "/*hole*/", "asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");"},
    {"MissingAsyncBarrier",
     "missing barrier after the wait for cp.async",
     FaultKind::Race,
     KCL_KERNEL(R"(
  __shared__ int s[32];
  unsigned to = unsigned(__cvta_generic_to_shared(s + t));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
               :: "r"(to), "l"(in + i) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  /*hole*/
  out[i] = s[31 - t]; // HERE
)"),
     "/*hole*/",
     "__syncwarp();",
     {32}},
    {"MissingMbarrierWait", "missing wait, bulk copy and its mbarrier",
     FaultKind::MissingWait, KCL_KERNEL(R"(
  __shared__ __align__(128) int s[64];
  __shared__ __align__(8) unsigned long long signal;
  unsigned to = unsigned(__cvta_generic_to_shared(s));
  unsigned bar = unsigned(__cvta_generic_to_shared(&signal));
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(bar));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;"
                 :: "r"(bar) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                 :: "r"(to), "l"(in), "r"(bar) : "memory");
  }
  __syncthreads();
  /*hole*/
  out[i] = s[t]; // HERE
)"),
     "/*hole*/",
     "asm volatile(\"{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta"
     ".b64 p, [%0], 0; @!p bra W; }\" :: \"r\"(bar) : \"memory\");"},
    {"MissingWgmmaWait",
     "missing wait, wgmma",
     FaultKind::MissingWait,
     KCL_KERNEL(R"(
  __shared__ __align__(128) unsigned short s[64 * 16 + 16 * 8];
  for (int j = t; j < 64 * 16 + 16 * 8; j += 128)
    s[j] = 0x3c00; // 1 in f16
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // K-major, no swizzle: 128 bytes between chunks of k, 256 of eight rows.
  auto describe = [&](const unsigned short *from) {
    unsigned long long at = __cvta_generic_to_shared(from);
    return (at >> 4 & 0x3fff) | 8ull << 16 | 16ull << 32;
  };
  float d[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(describe(s)), "l"(describe(s + 64 * 16)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  /*hole*/
  out[i] = int(d[0] + d[1]) + int(d[2] + d[3]); // HERE
)"),
     "/*hole*/",
     "asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\");",
     {128},
     {1},
     {1},
     false},
    {"EndlessLoop",
     "endless loop (instruction budget)",
     FaultKind::EndlessLoop,
     KCL_KERNEL(R"(
  volatile int *flag = out;
  out[0] = 0;
  while (flag[0] == /*hole*/0) {} // HERE
  out[i] = in[i];
)"),
     "/*hole*/0",
     "1",
     {1},
     {1},
     {1},
     false},
    {"Trap",
     "trap",
     FaultKind::Trap,
     KCL_KERNEL(R"(
  if (in[t] > /*hole*/40)
    __trap(); // HERE
  out[i] = in[i];
)"),
     "/*hole*/40",
     "64",
     {64},
     {1},
     {1},
     false},
    {"Assertion",
     "failed assertion",
     FaultKind::Assert,
     R"(extern "C" __global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  assert(in[t] < /*hole*/40); // HERE
  out[t] = in[t];
})",
     "/*hole*/40",
     "64",
     {64},
     {1},
     {1},
     false},
    {"MbarrierMisuse", "illegal instruction (misused mbarrier)",
     FaultKind::IllegalInstruction, KCL_KERNEL(R"(
  __shared__ __align__(8) unsigned long long signal;
  unsigned bar = unsigned(__cvta_generic_to_shared(&signal));
  unsigned count = /*hole*/0;
  if (t == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(bar), "r"(count)); // HERE
  __syncthreads();
  out[i] = in[i];
)"),
     "/*hole*/0", "1"},
};

} // namespace

std::span<const FaultClass> faultClasses() { return table; }

} // namespace kclaw::sim
