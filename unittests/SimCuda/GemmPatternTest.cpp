//===- GemmPatternTest.cpp - The instruction patterns of CUTLASS's GEMMs --===//
//
// Small own kernels that put together what CUTLASS's do (unittests/SimCuda/
// Cutlass runs those themselves): copies in flight over several stages, the
// split of an f32 into TF32 parts, warp-specialised TMA with multicast.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "TensorMaps.h"

#include <cmath>

using namespace kclaw::sim;

namespace {

// Block: 64 x 64 of C. 4 warps of 32 x 32; three stages of 16 in k.
const char *sm80 = R"(
constexpr int stages = 3, depth = 16, aStride = 20, bStride = 72;
__device__ unsigned at(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ void copy(float *to, const float *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at(to)), "l"(from) : "memory");
}
__device__ void split(unsigned bits, unsigned &big, unsigned &small) {
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(big) : "f"(__uint_as_float(bits)));
  float rest = __uint_as_float(bits) - __uint_as_float(big);
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(small) : "f"(rest));
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
extern "C" __global__ void __launch_bounds__(128)
gemm(const float *a, const float *b, float *c, int n, int k) {
  __shared__ __align__(16) float as[stages][64 * aStride], bs[stages][depth * bStride];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int row0 = blockIdx.x * 64, column0 = blockIdx.y * 64;
  auto fetch = [&](int step) {
    if (step * depth < k)
      for (int p = t; p < 64 * depth / 4; p += 128) {
        int row = p / 4, x = p % 4 * 4;
        copy(&as[step % stages][row * aStride + x], a + (row0 + row) * k + step * depth + x);
        row = p / 16, x = p % 16 * 4;
        copy(&bs[step % stages][row * bStride + x], b + (step * depth + row) * n + column0 + x);
      }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float d[2][4][4] = {};
  for (int step = 0; step < stages - 1; ++step)
    fetch(step);
  int m0 = warp / 2 * 32, n0 = warp % 2 * 32;
  for (int step = 0; step * depth < k; ++step) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    fetch(step + stages - 1);
    const float *sa = as[step % stages], *sb = bs[step % stages];
    for (int k8 = 0; k8 < depth; k8 += 8)
      for (int i = 0; i < 2; ++i) {
        int row = m0 + 16 * i + lane / 8 % 2 * 8 + lane % 8, x = k8 + lane / 16 * 4;
        unsigned bits[4], big[4], small[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
                     : "r"(at(sa + row * aStride + x)));
        for (int e = 0; e < 4; ++e)
          split(bits[e], big[e], small[e]);
        for (int j = 0; j < 4; ++j) {
          unsigned bBig[2], bSmall[2];
          for (int e = 0; e < 2; ++e)
            split(__float_as_uint(sb[(k8 + lane % 4 + 4 * e) * bStride + n0 + 8 * j + lane / 4]),
                  bBig[e], bSmall[e]);
          multiply(d[i][j], small, bBig);
          multiply(d[i][j], big, bSmall);
          multiply(d[i][j], big, bBig);
        }
      }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        int row = row0 + m0 + 16 * i + lane / 4 + e / 2 * 8;
        c[row * n + column0 + n0 + 8 * j + lane % 4 * 2 + e % 2] = d[i][j][e];
      }
}
)";

std::vector<float> randomNumbers(size_t count, uint32_t state) {
  std::vector<float> values(count);
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;
    value = float(int32_t(state)) / float(1u << 30);
  }
  return values;
}

TEST(GemmPattern, StagesOfAsyncCopiesAndThreeTf32Products) {
  const int m = 128, n = 64, k = 80;
  Machine machine(compileCuda(sm80, "compute_80"));
  auto a = machine.upload(randomNumbers(m * k, 1));
  auto b = machine.upload(randomNumbers(k * n, 2));
  auto c = machine.allocate<float>(m * n);
  machine.run("gemm", {m / 64, n / 64}, {128}, a, b, c, n, k);
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = 0, scale = 0;
      for (size_t l = 0; l < k; ++l) {
        double product = double(a[i * k + l]) * b[l * n + j];
        sum += product, scale += std::fabs(product);
      }
      ASSERT_LT(std::fabs(c[i * n + j] - sum), 1e-6 * scale) << i << " " << j;
    }
}

// A cluster of two blocks of 64 x 64 below each other. Each loads its rows of A
// and half of the columns of B, which it sends to both. Two stages of 32 in k;
// a warpgroup that copies and one that multiplies.
std::string sm90() {
  std::string registers, operands;
  for (int r = 0; r < 32; ++r) {
    registers += (r ? ", %" : "%") + std::to_string(r);
    operands += (r ? ", \"+f\"(d[" : "\"+f\"(d[") + std::to_string(r) + "])";
  }
  return R"(
struct __align__(64) Map { unsigned char bytes[128]; };
__device__ unsigned at(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ void wait(unsigned bar, unsigned parity) {
  asm volatile("{ .reg .pred p;\nW%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra W%=; }" :: "r"(bar), "r"(parity) : "memory");
}
__device__ void copy(unsigned to, const Map &map, unsigned bar, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1, {%3, %4}], [%2];"
               :: "r"(to), "l"(&map), "r"(bar), "r"(x), "r"(y) : "memory");
}
__device__ void send(unsigned to, const Map &map, unsigned bar, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
               :: "r"(to), "l"(&map), "r"(bar), "r"(x), "r"(y), "h"((short)3) : "memory");
}
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
// K-major, 128-byte swizzle: eight rows are 1024 bytes.
__device__ unsigned long long describe(unsigned start) {
  return (start >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256)
gemm(const __grid_constant__ Map a, const __grid_constant__ Map b, float *c, int steps) {
  extern __shared__ __align__(1024) unsigned char s[];
  __shared__ __align__(8) unsigned long long full[2], empty[2];
  int t = threadIdx.x;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (t == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&full[stage])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" :: "r"(at(&empty[stage])));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncwarp();
  meet();
  if (t < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (t == 0)
      for (int step = 0; step < steps; ++step) {
        int stage = step % 2;
        unsigned bar = at(&full[stage]), to = at(s) + stage * 16384;
        wait(at(&empty[stage]), (step / 2 & 1) ^ 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" :: "r"(bar) : "memory");
        copy(to, a, bar, step * 32, blockIdx.x * 64);
        send(to + 8192 + rank * 4096, b, bar, step * 32, rank * 32);
      }
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[32] = {};
    for (int step = 0; step < steps; ++step) {
      int stage = step % 2;
      unsigned from = at(s) + stage * 16384;
      wait(at(&full[stage]), step / 2 & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int part = 0; part < 4; ++part)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {)" +
         registers + R"(}, %32, %33, 1, 1, 1;"
          : )" +
         operands +
         R"( : "l"(describe(from + 32 * part)), "l"(describe(from + 8192 + 32 * part)));
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (t == 128)
        for (int block = 0; block < 2; ++block)
          asm volatile("{ .reg .b32 r;\nmapa.shared::cluster.u32 r, %0, %1;\n"
                       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]; }"
                       :: "r"(at(&empty[stage])), "r"(block) : "memory");
      __syncwarp();
    }
    int lane = t % 32, row = blockIdx.x * 64 + (t - 128) / 32 * 16 + lane / 4;
    for (int j = 0; j < 32; ++j)
      c[(row + j / 2 % 2 * 8) * 64 + j / 4 * 8 + lane % 4 * 2 + j % 2] = d[j];
  }
  meet();
}
)";
}

TEST(GemmPattern, WarpSpecialisedMulticastAndWgmma) {
  const int m = 256, n = 64, k = 160;
  std::string ptx = compileCuda(sm90());
  Machine machine(ptx);
  machine.cluster = {2};
  machine.dynamicShared = 2 * 16384;
  std::vector<float> left(m * k), right(n * k); // exact in TF32
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = float(int(i * 37 % 23) - 11);
  for (size_t i = 0; i < right.size(); ++i)
    right[i] = float(int(i * 29 % 19) - 9);
  auto a = machine.upload(left), b = machine.upload(right);
  auto c = machine.allocate<float>(m * n);
  auto rowsOf = [](auto &matrix, uint32_t rows, uint16_t boxRows) {
    return mapOf(matrix.address, {k, rows}, {32, boxRows},
                 TensorMap::Swizzle::Bytes128);
  };
  machine.run("gemm", {m / 64}, {256}, rowsOf(a, m, 64), rowsOf(b, n, 32), c,
              k / 32);
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t l = 0; l < k; ++l)
        sum += left[i * k + l] * right[j * k + l];
      ASSERT_EQ(c[i * n + j], sum) << i << " " << j;
    }
}

} // namespace
