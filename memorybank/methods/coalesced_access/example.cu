// Four elements a thread, a block's width apart: in each access the lanes of a
// warp are neighbours. Four adjacent ones would touch four times the sectors.
// problem: relu-odd
// expect: ok
// step: {"grid": "ceildiv(count, 1024)",
//   "args": ["x", "y", {"i64": "count"}]}
extern "C" __global__ void k(const float *__restrict__ x,
                             float *__restrict__ y, long long n) {
  long long first = blockIdx.x * 1024ll + threadIdx.x; // not threadIdx.x * 4
  float v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    v[j] = first + j * 256 < n ? x[first + j * 256] : 0.0f;
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (first + j * 256 < n)
      y[first + j * 256] = v[j] <= 0.0f ? 0.0f : v[j];
}
