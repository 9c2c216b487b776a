// Element-wise: a packet of VEC elements a thread, one element at the end.
{{prelude}}
{{tunables}}

extern "C" __global__ void __launch_bounds__(THREADS)
    {{entry}}({{params}}) {
  constexpr idx_t COLS = {{cols}};
  constexpr bool active = true, leader = true;
  constexpr idx_t row = 0;
  const idx_t packet = idx_t(blockIdx.x) * THREADS + threadIdx.x;
  constexpr idx_t whole = COLS / {{vec}};
  if (packet < whole) {
    constexpr int VEC = {{vec}};
    const idx_t k = packet * VEC;
    {{body}}
  } else if (packet == whole) {
    constexpr int VEC = 1;
    for (idx_t k = whole * {{vec}}; k < COLS; ++k) {
      {{body_tail}}
    }
  }
}
