// Two f16 at a time.
// problem: triple-f16
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 512)",
//   "args": ["x", "y", {"i64": "rows * cols / 2"}]}
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half2 *x, __half2 *y, long long n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < n)
    y[i] = __hmul2(x[i], __float2half2_rn(3.0f));
}
