// SPLITS blocks share rows of a group; partial results in partsN[split][row].
{{prelude}}
{{tunables}}
{{shared:column_group}}

extern "C" __global__ void __launch_bounds__(LANES * SLICES)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t ROWS = {{rows}}, COLS = {{cols}};
  constexpr int SPLITS = {{splits}};
  constexpr idx_t CHUNK = (COLS + SPLITS - 1) / SPLITS;
  const int slice = threadIdx.x / LANES;
  const idx_t group = blockIdx.x / {{blocks_a_row}};
  const idx_t split = blockIdx.x % {{blocks_a_row}};
  const idx_t begin = split * CHUNK;
  const idx_t end = begin + CHUNK < COLS ? begin + CHUNK : COLS;
  const idx_t own = (group * LANES + threadIdx.x % LANES) * VEC;
  const bool active = own < ROWS;
  const idx_t row = active ? own : ROWS - VEC;
  const bool leader = slice == 0 && split == 0;
  {{prologue}}
  {{phase}}
  {{finish}}
}
