// Mean and squared deviations in one pass without cancellation (Welford), parts
// of different counts joined by Chan's formula.
// problem: layer-norm
// expect: ok
// sizes-sim: {"rows": 4, "cols": 1000}
struct Moments {
  float mean, square, count;
};
__device__ Moments join(Moments a, Moments b) {
  float count = a.count + b.count, share = count > 0 ? b.count / count : 0.0f;
  float d = b.mean - a.mean;
  return {a.mean + d * share, a.square + b.square + d * d * a.count * share,
          count};
}
__device__ Moments warpJoin(Moments m) {
  for (int h = 16; h; h /= 2)
    m = join(m, {__shfl_down_sync(0xffffffffu, m.mean, h),
                 __shfl_down_sync(0xffffffffu, m.square, h),
                 __shfl_down_sync(0xffffffffu, m.count, h)});
  return m; // right in lane 0
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ Moments part[8];
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  Moments m = {0, 0, 0};
  for (long long i = threadIdx.x; i < cols; i += 256) {
    m.count += 1;
    float d = x[i] - m.mean;
    m.mean += __fdividef(d, m.count);
    m.square += d * (x[i] - m.mean);
  }
  m = warpJoin(m);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = m;
  __syncthreads();
  m = part[0]; // all threads join in the same order: no second barrier
  for (int w = 1; w < 8; ++w)
    m = join(m, part[w]);
  float scale = rsqrtf(m.square / cols + 1e-5f);
  for (long long i = threadIdx.x; i < cols; i += 256)
    y[i] = (x[i] - m.mean) * scale;
}
