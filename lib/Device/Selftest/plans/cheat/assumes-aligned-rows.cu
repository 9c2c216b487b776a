// Loads of 16 bytes from rows of 92: every other row starts between.
// problem: layer-norm-odd
// expect: fault misaligned-address
#include <cuda_bf16.h>
extern "C" __global__ void k(const __nv_bfloat16 *x, __nv_bfloat16 *y,
                             long long cols) {
  const __nv_bfloat16 *row = x + blockIdx.x * cols;
  float values[46], mean = 0, square = 0;
  if (threadIdx.x)
    return;
  for (int i = 0; i < 40; i += 8) {
    union {
      uint4 bits;
      __nv_bfloat162 two[4];
    } packet;
    packet.bits = *reinterpret_cast<const uint4 *>(row + i);
    for (int j = 0; j < 4; ++j) {
      values[i + 2 * j] = __low2float(packet.two[j]);
      values[i + 2 * j + 1] = __high2float(packet.two[j]);
    }
  }
  for (int i = 40; i < 46; ++i)
    values[i] = __bfloat162float(row[i]);
  for (int i = 0; i < 46; ++i)
    mean += values[i] / 46;
  for (int i = 0; i < 46; ++i)
    square += (values[i] - mean) * (values[i] - mean);
  float scale = rsqrtf(square / 46 + 1e-5f);
  for (int i = 0; i < 46; ++i)
    y[blockIdx.x * cols + i] = __float2bfloat16((values[i] - mean) * scale);
}
