// A thread marches down a column with nine weights and a window of 3 x 3 in
// its registers; three loads a result, and no shared memory.
// problem: depthwise
// expect: ok
// step: {"grid": ["ceildiv(w, 128)", "ceildiv(h, 16)", "n * c"], "block": 128,
//   "args": ["x", "f", "y", {"i32": "c"}, {"i32": "h"}, {"i32": "w"}]}
constexpr int strip = 16; // rows of results
struct Row {
  float left, middle, right;
};
extern "C" __global__ void __launch_bounds__(128)
    k(const float *__restrict__ x, const float *__restrict__ f,
      float *__restrict__ y, int c, int h, int w) {
  int col = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * strip;
  if (col >= w)
    return;
  x += (long long)blockIdx.z * h * w + col;
  y += (long long)blockIdx.z * h * w + col;
  float weight[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) // the same for the block
    weight[i] = f[blockIdx.z % c * 9 + i];
  auto load = [&](int r) {
    if (r < 0 || r >= h) // uniform over the block
      return Row{0, 0, 0};
    const float *at = x + r * w;
    return Row{col > 0 ? at[-1] : 0.0f, at[0], col + 1 < w ? at[1] : 0.0f};
  };
  auto times = [&](Row v, int i) {
    return v.left * weight[i] + v.middle * weight[i + 1] +
           v.right * weight[i + 2];
  };
  Row above = load(first - 1), here = load(first);
#pragma unroll 4
  for (int r = first; r < min(first + strip, h); ++r) {
    Row below = load(r + 1);
    y[r * w] = times(above, 0) + times(here, 3) + times(below, 6);
    above = here;
    here = below;
  }
}
