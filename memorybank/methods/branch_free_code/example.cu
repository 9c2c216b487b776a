// Both sides of the condition in one formula: no lane waits for another. With
// m = min(|d|, 1) the loss is m (|d| - m / 2) on either side of 1.
// problem: huber
// expect: ok
// step: {"grid": "ceildiv(rows * cols, 1024)",
//   "args": ["a", "b", "y", {"i64": "rows * cols / 4"}]}
__device__ float huber(float d) {
  d = fabsf(d);
  float m = d > 1.0f ? 1.0f : d; // a select; NaN stays, fminf would drop it
  return m * (d - 0.5f * m);
}
extern "C" __global__ void __launch_bounds__(256)
    k(const float4 *__restrict__ a, const float4 *__restrict__ b,
      float4 *__restrict__ y, long long packets) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= packets)
    return;
  float4 v = a[i], w = b[i];
  y[i] = make_float4(huber(v.x - w.x), huber(v.y - w.y), huber(v.z - w.z),
                     huber(v.w - w.w));
}
