// The window is a product: maxima along the rows first, of these along the
// columns, k + k steps in place of k x k. The tile and its halo are staged once.
// problem: max-pool
// expect: ok
// step: {"grid": ["ceildiv(width, 64)", "ceildiv(height, 16)", "planes"],
//   "block": [64, 4], "args": ["x", "y", {"i32": "height"}, {"i32": "width"}]}
constexpr int wide = 64, tall = 16;
__device__ float larger(float a, float b) { // NaN wins
  return a > b || a != a ? a : b;
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, int height,
      int width) {
  __shared__ float tile[tall + 2][wide + 2], rows[tall + 2][wide];
  int c0 = blockIdx.x * wide, r0 = blockIdx.y * tall;
  long long plane = (long long)blockIdx.z * height * width;
  for (int r = threadIdx.y; r < tall + 2; r += 4)
    for (int c = threadIdx.x; c < wide + 2; c += wide) {
      int row = r0 + r - 1, col = c0 + c - 1;
      bool inside = row >= 0 && row < height && col >= 0 && col < width;
      tile[r][c] = inside ? x[plane + (long long)row * width + col]
                          : __int_as_float(0xff800000);
    }
  __syncthreads();
  int c = threadIdx.x;
  for (int r = threadIdx.y; r < tall + 2; r += 4)
    rows[r][c] = larger(larger(tile[r][c], tile[r][c + 1]), tile[r][c + 2]);
  __syncthreads();
  for (int r = threadIdx.y; r < tall; r += 4)
    if (r0 + r < height && c0 + c < width)
      y[plane + (long long)(r0 + r) * width + c0 + c] =
          larger(larger(rows[r][c], rows[r + 1][c]), rows[r + 2][c]);
}
