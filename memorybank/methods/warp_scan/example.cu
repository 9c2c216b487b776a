// Five shuffle steps scan a warp, eight words through shared memory join the
// warps of a block; what came before is carried from tile to tile.
// problem: cumsum
// expect: ok
__device__ float warpScan(float v) {
#pragma unroll
  for (int h = 1; h < 32; h *= 2) {
    float left = __shfl_up_sync(0xffffffffu, v, h);
    if (threadIdx.x % 32 >= h)
      v += left;
  }
  return v;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ float part[2][8];
  int warp = threadIdx.x / 32;
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float carry = 0;
  for (long long tile = 0, turn = 0; tile < cols; tile += 256, turn ^= 1) {
    long long i = tile + threadIdx.x;
    float v = warpScan(i < cols ? x[i] : 0.0f);
    if (threadIdx.x % 32 == 31)
      part[turn][warp] = v;
    __syncthreads(); // one a tile: the other half is written next time
    float before = 0, all = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      before = w == warp ? all : before;
      all += part[turn][w];
    }
    if (i < cols)
      y[i] = carry + before + v;
    carry += all;
  }
}
