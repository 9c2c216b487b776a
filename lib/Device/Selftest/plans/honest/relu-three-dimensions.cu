// A grid and a block of three dimensions.
// problem: relu
// expect: ok
// step: {"grid": ["ceildiv(cols, 64)", "ceildiv(rows, 8)", 2],
//   "block": [32, 4, 2], "args": ["x", "y", {"i32": "rows"}, {"i32": "cols"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, int rows, int cols) {
  int col = (blockIdx.x * 2 + blockIdx.z) * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y * 2 + threadIdx.z;
  if (row < rows && col < cols)
    y[row * cols + col] = relu(x[row * cols + col]);
}
