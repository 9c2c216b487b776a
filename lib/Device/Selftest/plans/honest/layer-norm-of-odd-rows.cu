// Rows of 92 bytes, read in pairs where they begin at a pair.
// problem: layer-norm-odd
// expect: ok
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y,
                             long long cols) {
  const auto *row =
      reinterpret_cast<const __nv_bfloat162 *>(x + blockIdx.x * cols);
  auto *to = reinterpret_cast<__nv_bfloat162 *>(y + blockIdx.x * cols);
  int lane = threadIdx.x;
  float2 v = lane < 23 ? __bfloat1622float2(row[lane]) : make_float2(0, 0);
  float sum = v.x + v.y;
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  float mean = sum / 46;
  v.x -= mean;
  v.y -= mean;
  float square = lane < 23 ? v.x * v.x + v.y * v.y : 0.0f;
  for (int h = 16; h; h /= 2)
    square += __shfl_xor_sync(0xffffffffu, square, h);
  float scale = rsqrtf(square / 46 + 1e-5f);
  if (lane < 23)
    to[lane] = __floats2bfloat162_rn(v.x * scale, v.y * scale);
}
