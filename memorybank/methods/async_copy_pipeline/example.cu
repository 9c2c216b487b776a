// Three stages of cp.async: while one tile is added up, two are on their way,
// without a register to hold them. Each thread reads back only what it copied
// itself, so no barrier is needed.
// problem: row-sum
// expect: ok
// sizes-sim: {"rows": 3, "cols": 8196}
constexpr int stages = 3, threads = 256;
extern "C" __global__ void __launch_bounds__(threads)
    k(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ float4 ring[stages][threads];
  __shared__ float part[threads / 32];
  auto row = reinterpret_cast<const float4 *>(x + blockIdx.x * cols);
  const int tiles = (cols / 4 + threads - 1) / threads;
  auto fetch = [&](int tile) {
    long long at = tile * (long long)threads + threadIdx.x;
    int bytes = at < cols / 4 ? 16 : 0; // 0: fills with zeros, reads nothing
    if (tile < tiles)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                       (unsigned)__cvta_generic_to_shared(
                           &ring[tile % stages][threadIdx.x])),
                   "l"(bytes ? row + at : row), "r"(bytes)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory"); // empty ones count too
  };
  float sum = 0;
  for (int t = 0; t < stages - 1; ++t)
    fetch(t);
  for (int t = 0; t < tiles; ++t) {
    fetch(t + stages - 1);
    asm volatile("cp.async.wait_group %0;" ::"n"(stages - 1) : "memory");
    float4 v = ring[t % stages][threadIdx.x];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  for (int h = 16; h; h /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, h);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < threads / 32; ++w)
      sum += part[w];
    y[blockIdx.x] = sum;
  }
}
