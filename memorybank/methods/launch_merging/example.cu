// Two phases that need each other's results in one cooperative launch: all
// blocks are resident, and a barrier of the grid stands where the second launch
// would.
// problem: centre-columns
// expect: ok
// step: {"grid": 128, "cooperative": true,
//   "args": ["x", "y", {"i64": "rows"}, {"i64": "cols"}, "mean"]}
// buffer: {"name": "mean", "sizeBytes": "cols * 8"}
#include <cooperative_groups.h>
extern "C" __global__ void __launch_bounds__(256)
    k(const float *x, float *y, long long rows, long long cols,
      double *mean) {
  __shared__ double part[8][33];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (long long f = blockIdx.x * 32; f < cols; f += gridDim.x * 32ll) {
    double sum = 0; // a mean far from zero needs it
    if (f + lane < cols)
      for (long long r = warp; r < rows; r += 8)
        sum += x[r * cols + f + lane];
    part[warp][lane] = sum;
    __syncthreads();
    if (warp == 0 && f + lane < cols) {
      for (int w = 1; w < 8; ++w)
        sum += part[w][lane];
      mean[f + lane] = sum / rows;
    }
    __syncthreads();
  }
  cooperative_groups::this_grid().sync();
  for (long long r = blockIdx.x; r < rows; r += gridDim.x)
    for (long long c = threadIdx.x; c < cols; c += 256)
      y[r * cols + c] = (float)(x[r * cols + c] - mean[c]);
}
