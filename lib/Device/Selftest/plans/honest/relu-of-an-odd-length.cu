// Packets where the address allows them, single elements at both ends.
// problem: relu-odd
// expect: ok
// step: {"grid": "ceildiv(count, 1024) + 1",
//   "args": ["x", "y", {"i64": "count"}]}
__device__ float relu(float v) { return v <= 0.0f ? 0.0f : v; }
extern "C" __global__ void k(const float *x, float *y, long long n) {
  long long t = blockIdx.x * 256ll + threadIdx.x;
  int shift = (16 - (unsigned long long)x % 16) % 16 / 4;
  bool together = (unsigned long long)x % 16 == (unsigned long long)y % 16;
  if (together && t < (n - shift) / 4) {
    float4 v = reinterpret_cast<const float4 *>(x + shift)[t];
    reinterpret_cast<float4 *>(y + shift)[t] =
        make_float4(relu(v.x), relu(v.y), relu(v.z),
                    relu(v.w));
  }
  long long done = together ? (n - shift) / 4 * 4 : 0;
  if (!together)
    for (long long i = t * 4; i < n && i < t * 4 + 4; ++i)
      y[i] = relu(x[i]);
  else if (t < shift)
    y[t] = relu(x[t]);
  else if (t < 8 && shift + done + t - shift < n)
    y[done + t] = relu(x[done + t]);
}
