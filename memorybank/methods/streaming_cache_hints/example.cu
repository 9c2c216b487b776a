// What is touched once leaves the caches first (ld.cs, st.cs); the weights, read
// again by every row, keep their place.
// problem: scale
// expect: ok
// step: {"grid": ["ceildiv(cols, 1024)", "rows"],
//   "args": ["x", "w", "y", {"i64": "cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, const float *__restrict__ w,
      float *__restrict__ y, long long cols) {
  long long c = blockIdx.x * 256ll + threadIdx.x, row = blockIdx.y * cols;
  if (c * 4 >= cols)
    return;
  float4 v = __ldcs(reinterpret_cast<const float4 *>(x + row) + c);
  float4 weight = __ldg(reinterpret_cast<const float4 *>(w) + c);
  v.x *= weight.x;
  v.y *= weight.y;
  v.z *= weight.z;
  v.w *= weight.w;
  __stcs(reinterpret_cast<float4 *>(y + row) + c, v);
}
