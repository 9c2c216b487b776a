// One block a row, the row in registers: one read, one write.
{{prelude}}
{{tunables}}
#define ROW_THREADS THREADS
{{shared:row_group}}

extern "C" __global__ void __launch_bounds__(THREADS)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t COLS = {{cols}};
  constexpr int ITEMS = int((COLS + THREADS * VEC - 1) / (THREADS * VEC));
  const idx_t row = blockIdx.x;
  constexpr bool active = true;
  const bool leader = threadIdx.x == 0;
  {{body}}
}
