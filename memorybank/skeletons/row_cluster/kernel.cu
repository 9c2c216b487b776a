// A cluster of blocks a row, the row in registers: one read, one write.
{{prelude}}
{{tunables}}
{{shared:cluster}}
{{shared:cluster_group}}

extern "C" __global__ void __launch_bounds__(THREADS)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t COLS = {{cols}};
  constexpr int ITEMS =
      int((COLS + CLUSTER * THREADS * VEC - 1) / (CLUSTER * THREADS * VEC));
  const idx_t row = blockIdx.x / CLUSTER;
  const int rank = blockIdx.x % CLUSTER;
  constexpr bool active = true;
  const bool leader = threadIdx.x == 0 && rank == 0;
  {{body}}
}
