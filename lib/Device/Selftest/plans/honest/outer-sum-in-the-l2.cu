// Reads next to nothing and writes what mostly stays in the L2: faster than the
// memory.
// problem: outer-sum
// expect: ok
// step: {"grid": ["ceildiv(cols, 1024)", "rows"],
//   "args": ["x", "w", "y", {"i64": "cols"}]}
extern "C" __global__ void k(const float *x, const float *w, float *y,
                             long long cols) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i * 4 >= cols)
    return;
  float4 v = reinterpret_cast<const float4 *>(w)[i];
  float add = x[blockIdx.y];
  v.x += add;
  v.y += add;
  v.z += add;
  v.w += add;
  reinterpret_cast<float4 *>(y + blockIdx.y * cols)[i] = v;
}
