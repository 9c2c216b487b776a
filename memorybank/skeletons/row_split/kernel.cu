// SPLITS blocks share a row; what a phase reduced lies in partsN[split][row].
{{prelude}}
{{tunables}}
#define ROW_THREADS THREADS
{{shared:row_group}}

extern "C" __global__ void __launch_bounds__(THREADS)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t ROWS = {{rows}}, COLS = {{cols}};
  constexpr int SPLITS = {{splits}}, SLICES = THREADS;
  constexpr idx_t CHUNK = (COLS / VEC + SPLITS - 1) / SPLITS * VEC;
  const idx_t row = blockIdx.x / {{blocks_a_row}};
  const idx_t split = blockIdx.x % {{blocks_a_row}};
  const idx_t begin = split * CHUNK;
  const idx_t end = begin + CHUNK < COLS ? begin + CHUNK : COLS;
  constexpr bool active = true;
  const int slice = threadIdx.x;
  const bool leader = slice == 0 && split == 0;
  {{prologue}}
  {{phase}}
  {{finish}}
}
