// Shuffles inside the warps, one word a warp through shared memory, one barrier,
// shuffles again in the first warp.
// problem: row-sum
// expect: ok
constexpr int threads = 256;
__device__ float warpSum(float v) {
#pragma unroll
  for (int h = 16; h; h /= 2)
    v += __shfl_down_sync(0xffffffffu, v, h);
  return v;
}
/// Right in thread 0.
__device__ float blockSum(float v) {
  __shared__ float part[threads / 32];
  v = warpSum(v);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32)
    v = warpSum(threadIdx.x < threads / 32 ? part[threadIdx.x] : 0.0f);
  return v;
}
extern "C" __global__ void __launch_bounds__(threads)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  auto row = reinterpret_cast<const float4 *>(x + blockIdx.x * cols);
  float sum = 0;
  for (long long i = threadIdx.x; i < cols / 4; i += threads) {
    float4 v = row[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  sum = blockSum(sum);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}
