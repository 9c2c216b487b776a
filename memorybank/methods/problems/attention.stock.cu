// A block a query. Its threads score 64 keys at a time, one each, then add up
// one column of the result each.
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *q, const __half *k, const __half *v,
                             __half *y, int length) {
  __shared__ float scores[64];
  int i = threadIdx.x;
  long long head = blockIdx.y * (long long)length * 64;
  q += head + blockIdx.x * 64;
  float top = -1e30, total = 0, sum = 0;
  for (int from = 0; from < length; from += 64) {
    float score = 0;
    if (from + i < length)
      for (int d = 0; d < 64; ++d)
        score += (float)__half2float(q[d]) *
                 (float)__half2float(k[head + (from + i) * 64 + d]);
    scores[i] = score * 0.125f;
    __syncthreads();
    for (int j = 0; j < 64 && from + j < length; ++j) {
      float most = scores[j] > top ? scores[j] : top;
      float fade = expf(top - most), weight = expf(scores[j] - most);
      total = total * fade + weight;
      sum = sum * fade +
            weight * (float)__half2float(v[head + (from + j) * 64 + i]);
      top = most;
    }
    __syncthreads();
  }
  y[head + blockIdx.x * 64 + i] = __float2half(sum / total);
}
