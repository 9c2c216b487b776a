// Short rows: ROW_THREADS threads of a warp share a row in registers.
{{prelude}}
{{tunables}}
{{shared:row_group}}

extern "C" __global__ void __launch_bounds__(THREADS)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t ROWS = {{rows}}, COLS = {{cols}};
  constexpr int ITEMS = int((COLS + ROW_THREADS * VEC - 1) / (ROW_THREADS * VEC));
  const idx_t own =
      idx_t(blockIdx.x) * (THREADS / ROW_THREADS) + threadIdx.x / ROW_THREADS;
  const bool active = own < ROWS;
  // Threads without a row work on the last one: shuffles need all of a warp.
  const idx_t row = active ? own : ROWS - 1;
  const bool leader = threadIdx.x % ROW_THREADS == 0;
  {{body}}
}
