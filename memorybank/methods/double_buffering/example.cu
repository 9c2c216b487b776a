// The next tile is on its way into registers while this one is multiplied; two
// buffers in shared memory, so that one barrier a tile is enough.
// problem: matmul
// expect: ok
// step: {"grid": ["n / 32", "m / 32"],
//   "args": ["a", "b", "y", {"i32": "n"}, {"i32": "k"}]}
constexpr int tile = 32, depth = 8; // k is a multiple of 8
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ a, const float *__restrict__ b,
      float *__restrict__ y, int n, int k) {
  __shared__ float as[2][depth][tile + 1], bs[2][depth][tile];
  int i = threadIdx.x, tx = i % tile, ty = i / tile;
  a += (blockIdx.y * tile + i / depth) * k + i % depth;
  b += ty * n + blockIdx.x * tile + tx;
  float nextA = a[0], nextB = b[0], sum[4] = {};
  for (int t = 0; t < k; t += depth) {
    int buffer = t / depth & 1;
    as[buffer][i % depth][i / depth] = nextA;
    bs[buffer][ty][tx] = nextB;
    __syncthreads(); // filled; and all are done with the other buffer's tile
    if (t + depth < k) { // asked for now, waited for when it is stored
      nextA = a[t + depth];
      nextB = b[(t + depth) * n];
    }
#pragma unroll
    for (int s = 0; s < depth; ++s)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        sum[j] += as[buffer][s][ty + 8 * j] * bs[buffer][s][tx];
  }
#pragma unroll
  for (int j = 0; j < 4; ++j)
    y[(blockIdx.y * tile + ty + 8 * j) * n + blockIdx.x * tile + tx] = sum[j];
}
