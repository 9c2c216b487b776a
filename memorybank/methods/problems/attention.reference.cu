// A block a query. Its threads score 64 keys at a time, one each, then add up
// one column of the result each.
#include <cuda_fp16.h>
extern "C" __global__ void k(const __half *q, const __half *k, const __half *v,
                             double *y, int length) {
  __shared__ double scores[64];
  int i = threadIdx.x;
  long long head = blockIdx.y * (long long)length * 64;
  q += head + blockIdx.x * 64;
  double top = -1e30, total = 0, sum = 0;
  for (int from = 0; from < length; from += 64) {
    double score = 0;
    if (from + i < length)
      for (int d = 0; d < 64; ++d)
        score += (double)__half2float(q[d]) *
                 (double)__half2float(k[head + (from + i) * 64 + d]);
    scores[i] = score * 0.125f;
    __syncthreads();
    for (int j = 0; j < 64 && from + j < length; ++j) {
      double most = scores[j] > top ? scores[j] : top;
      double fade = exp(top - most), weight = exp(scores[j] - most);
      total = total * fade + weight;
      sum = sum * fade +
            weight * (double)__half2float(v[head + (from + j) * 64 + i]);
      top = most;
    }
    __syncthreads();
  }
  y[head + blockIdx.x * 64 + i] = sum / total;
}
