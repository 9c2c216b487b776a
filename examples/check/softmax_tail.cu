// A mistake to look at: the last columns of each row are never written.
// claw: grid=rows, block=32
#include <cmath>

extern "C" __global__ void softmax(const float *x, float *y, int rows,
                                   int cols) {
  const float *in = x + (long long)blockIdx.x * cols;
  float *out = y + (long long)blockIdx.x * cols;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < cols; j += 32)
    top = fmaxf(top, in[j]);
  for (int step = 16; step > 0; step /= 2)
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, step));
  float sum = 0;
  for (int j = threadIdx.x; j < cols; j += 32)
    sum += expf(in[j] - top);
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, step);
  for (int k = 0; k < cols / 32; ++k) // rounds down: loses cols % 32
    out[k * 32 + threadIdx.x] = expf(in[k * 32 + threadIdx.x] - top) / sum;
}
