// exp as ex2.approx of x log2(e), the division as rcp.approx: two instructions
// of the special-function unit in place of expf and an IEEE division.
// problem: silu
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 1024)",
//   "args": ["x", "y", {"i64": "rows * cols / 4"}]}
__device__ float silu(float x) {
  float e, r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(x * -1.4426950408889634f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(1.0f + e));
  return x * r; // e = inf gives r = 0
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float4 *__restrict__ x, float4 *__restrict__ y,
      long long packets) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= packets)
    return;
  float4 v = x[i];
  y[i] = make_float4(silu(v.x), silu(v.y), silu(v.z), silu(v.w));
}
