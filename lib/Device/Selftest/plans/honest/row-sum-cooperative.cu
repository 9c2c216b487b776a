// A cooperative launch whose blocks meet in the middle.
// problem: row-sum
// expect: ok
// step: {"grid": 64, "cooperative": true,
//   "args": ["x", "y", {"i64": "rows"}, {"i64": "cols"}, "w"]}
// buffer: {"name": "w", "sizeBytes": "rows * 8 * 4"}
#include <cooperative_groups.h>
extern "C" __global__ void k(const float *x, float *y, long long rows,
                             long long cols, float *w) {
  long long warp = blockIdx.x * 8ll + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  for (long long p = warp; p < rows * 8; p += gridDim.x * 8ll) {
    float sum = 0;
    for (long long i = p % 8 * 32 + lane; i < cols; i += 256)
      sum += x[p / 8 * cols + i];
    for (int h = 16; h; h /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, h);
    if (lane == 0)
      w[p] = sum;
  }
  cooperative_groups::this_grid().sync();
  for (long long r = blockIdx.x * 256ll + threadIdx.x; r < rows;
       r += gridDim.x * 256ll) {
    float sum = 0;
    for (int j = 0; j < 8; ++j)
      sum += w[r * 8 + j];
    y[r] = sum;
  }
}
