// A tile of the result a block, or a cluster of SPLITS blocks that share K; the
// sums meet in shared memory, where every thread takes packets of neighbours
// through the rest of the region.
{{prelude}}
{{tunables}}
{{operands}}
{{shared:gemm}}
{{shared:gemm_mma}}
{{math_header}}
{{shared:cluster}}

extern "C" __global__ void __launch_bounds__(WARPS * 32)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t M = {{m}}, N = {{n}}, K = {{k}};
  constexpr bool active = true, leader = false;
  extern __shared__ __align__(128) char memory[];
  const int split = blockIdx.x % SPLITS;
  const Place at(blockIdx.x / SPLITS, M, N);
  {
    Sums sums = {};
    multiplyTiles<{{math}}>(sums, memory, {{a}}, {{b}}, at, M, N, K, split);
    placeSums(sums, reinterpret_cast<float *>(memory));
  }
  if constexpr (SPLITS > 1) {
    clusterArrive();
    clusterWait();
  } else {
    __syncthreads();
  }
  for (int packet = split * THREADS + threadIdx.x; packet < BM * (BN / VEC);
       packet += SPLITS * THREADS) {
    const int line = packet / (BN / VEC), lane = packet % (BN / VEC) * VEC;
    const idx_t k = at.n0 + lane;
    if (at.m0 + line >= M || k >= N)
      continue;
    float *sum = reinterpret_cast<float *>(memory) + line * PITCH + lane;
    float acc[VEC] = {};
#pragma unroll
    for (int rank = 0; rank < SPLITS; ++rank) {
      const auto part =
          loadPack<VEC>(SPLITS > 1 ? atRank(sum, unsigned(rank)) : sum);
#pragma unroll
      for (int i = 0; i < VEC; ++i)
        acc[i] += part.v[i];
    }
    const idx_t row = at.batch * M + at.m0 + line;
    mendSums<VEC>(acc, {{a}}, {{b}}, row, at.batch * N + k, K);
    {{body}}
  }
  if constexpr (SPLITS > 1) {
    clusterArrive(); // the others may still read this block's sums
    clusterWait();
  }
}
