// A tile and the seven elements behind it are loaded once, coalesced; the eight
// reads of each output come from shared memory.
// problem: moving-average
// expect: ok
// step: {"grid": ["ceildiv(outputs, 1024)", "rows"],
//   "args": ["x", "y", {"i32": "length"}, {"i32": "outputs"}]}
constexpr int tile = 1024, halo = 7;
extern "C" __global__ void __launch_bounds__(256)
    k(const float *__restrict__ x, float *__restrict__ y, int length,
      int outputs) {
  __shared__ float staged[tile + halo];
  int first = blockIdx.x * tile;
  x += (long long)blockIdx.y * length;
  y += (long long)blockIdx.y * outputs;
  for (int i = threadIdx.x; i < tile + halo; i += 256)
    staged[i] = first + i < length ? x[first + i] : 0.0f;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < tile; j += 256) {
    int i = j + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int t = 0; t <= halo; ++t)
      sum += staged[i + t];
    if (first + i < outputs)
      y[first + i] = sum * 0.125f;
  }
}
