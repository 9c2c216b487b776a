// Neighbouring threads on neighbouring rows; a row's values in registers.
{{prelude}}
{{tunables}}
{{shared:column_group}}

extern "C" __global__ void __launch_bounds__(LANES * SLICES)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t ROWS = {{rows}}, COLS = {{cols}};
  constexpr int ITEMS = int((COLS + SLICES - 1) / SLICES);
  const int slice = threadIdx.x / LANES;
  const idx_t own = (idx_t(blockIdx.x) * LANES + threadIdx.x % LANES) * VEC;
  const bool active = own < ROWS;
  const idx_t row = active ? own : ROWS - VEC;
  const bool leader = slice == 0;
  {{body}}
}
