// One block a row; every phase streams the row.
{{prelude}}
{{tunables}}
#define ROW_THREADS THREADS
{{shared:row_group}}

extern "C" __global__ void __launch_bounds__(THREADS)
    {{entry}}({{params}}) {
  constexpr int VEC = {{vec}};
  constexpr idx_t COLS = {{cols}};
  const idx_t row = blockIdx.x;
  constexpr bool active = true;
  const bool leader = threadIdx.x == 0;
  {{body}}
}
