// As many blocks as fit at once; each keeps its 1024 weights in registers and
// walks down the rows, so that the weights are read once a block.
// problem: scale
// expect: ok
// step: {"grid": ["ceildiv(cols, 1024)",
//   "min(rows, max(1, 132 * 4 / ceildiv(cols, 1024)))"],
//   "args": ["x", "w", "y", {"i64": "rows"}, {"i64": "cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ w,
      float *__restrict__ y, long long rows, long long cols) {
  long long c = blockIdx.x * 256ll + threadIdx.x;
  if (c * 4 >= cols)
    return;
  float4 weight = reinterpret_cast<const float4 *>(w)[c];
  for (long long r = blockIdx.y; r < rows; r += gridDim.y) {
    float4 v = reinterpret_cast<const float4 *>(x + r * cols)[c];
    v.x *= weight.x;
    v.y *= weight.y;
    v.z *= weight.z;
    v.w *= weight.w;
    reinterpret_cast<float4 *>(y + r * cols)[c] = v;
  }
}
