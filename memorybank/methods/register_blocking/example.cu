// Each thread owns 4 x 4 results: eight values from shared memory, as two
// packets, feed sixteen multiply-adds.
// problem: matmul
// expect: ok
// sizes-sim: {"m": 64, "n": 64}
// step: {"grid": ["n / 64", "m / 64"],
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
constexpr int tile = 64, depth = 8; // k is a multiple of 8
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) {
  __shared__ alignas(16) float as[depth][tile + 4], bs[depth][tile];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  a += blockIdx.y * tile * k;
  b += blockIdx.x * tile;
  float sum[4][4] = {};
  for (int t = 0; t < k; t += depth) {
    for (int i = threadIdx.x; i < tile * depth; i += 256) {
      as[i % depth][i / depth] = a[i / depth * k + t + i % depth];
      bs[i / tile][i % tile] = b[(t + i / tile) * n + i % tile];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < depth; ++i) {
      float4 u = *reinterpret_cast<float4 *>(&as[i][ty * 4]);
      float4 v = *reinterpret_cast<float4 *>(&bs[i][tx * 4]);
      float us[] = {u.x, u.y, u.z, u.w}, vs[] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c)
          sum[r][c] += us[r] * vs[c];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
    *reinterpret_cast<float4 *>(y + (blockIdx.y * tile + ty * 4 + r) * n +
                                blockIdx.x * tile + tx * 4) =
        make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}
