// Warps decide as one: those above the diagonal load nothing, those below it
// check nothing; only the few on it select lane by lane.
// problem: tril
// expect: ok
// step: {"grid": ["ceildiv(cols, 1024)", "rows"],
//   "args": ["x", "y", {"i64": "cols"}]}
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  long long row = blockIdx.y;
  long long first = blockIdx.x * 1024ll + threadIdx.x / 32 * 128; // of the warp
  long long c = first + threadIdx.x % 32 * 4;
  if (c >= cols) // cols is a multiple of 4
    return;
  float4 v = make_float4(0, 0, 0, 0);
  if (first <= row) // the same for 32 lanes
    v = *reinterpret_cast<const float4 *>(x + row * cols + c);
  if (first <= row && first + 127 > row) { // the same again: on the diagonal
    v.x = c + 0 <= row ? v.x : 0.0f;
    v.y = c + 1 <= row ? v.y : 0.0f;
    v.z = c + 2 <= row ? v.z : 0.0f;
    v.w = c + 3 <= row ? v.w : 0.0f;
  }
  *reinterpret_cast<float4 *>(y + row * cols + c) = v;
}
