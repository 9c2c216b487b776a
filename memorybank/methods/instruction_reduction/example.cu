// Two halves in an instruction (HMUL2), eight in a packet: per element an eighth
// of a load, half a multiplication and an eighth of the index arithmetic.
// problem: triple-f16
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 2048)",
//   "args": ["x", "y", {"i32": "rows * cols / 8"}]}
// plan: {"requirements": ["rows * cols % 8 == 0", "rows * cols < 2147483648"]}
#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(256)
    k(const uint4 *__restrict__ x, uint4 *__restrict__ y, int packets) {
  int i = blockIdx.x * 256 + threadIdx.x; // 32 bits are enough
  if (i >= packets)
    return;
  uint4 packet = x[i];
  __half2 *pair = reinterpret_cast<__half2 *>(&packet);
  const __half2 three = __float2half2_rn(3.0f);
#pragma unroll
  for (int j = 0; j < 4; ++j)
    pair[j] = __hmul2(pair[j], three);
  y[i] = packet;
}
