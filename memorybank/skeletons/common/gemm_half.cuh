// Operands of 16 bits: one product, f32 sums.
template <bool TRANSPOSED> void loadMatrices(unsigned *to, const void *from) {
  if constexpr (TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, "
                 "%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(sharedAddress(from))
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
                 "[%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(sharedAddress(from))
                 : "memory");
}

struct Halves {
  static void product(float *d, const unsigned *a, const unsigned *b) {
    if constexpr (IsHalf<OperandA::Element>::value)
      MMA("m16n8k16.row.col.f32.f16.f16.f32", d, a, b);
    else
      MMA("m16n8k16.row.col.f32.bf16.bf16.f32", d, a, b);
  }
  // Sixteen rows of A, or of B, by sixteen k: four matrices of 8 x 8, in the
  // order of the registers of mma.
  template <class T, class Operand, bool ROWS_FIRST>
  static void load(unsigned *to, const char *tile, int row, int k) {
    const int lane = threadIdx.x % 32, matrix = lane / 8;
    const int r = row + (ROWS_FIRST ? matrix % 2 : matrix / 2) * 8;
    const int d = k + (ROWS_FIRST ? matrix / 2 : matrix % 2) * 8;
    if constexpr (Operand::depthwise)
      loadMatrices<false>(to, tile + T::place(r + lane % 8, d / 8));
    else
      loadMatrices<true>(to, tile + T::place(d + lane % 8, r / 8));
  }
  static void multiply(Sums &sums, const char *tileA, const char *tileB) {
    const int warp = threadIdx.x / 32;
    const int m = warp / WARPS_N * WM, n = warp % WARPS_N * WN;
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      unsigned a[MI][4], b[NI / 2][4];
#pragma unroll
      for (int i = 0; i < MI; ++i)
        load<TileA, OperandA, true>(a[i], tileA, m + i * 16, k);
#pragma unroll
      for (int j = 0; j < NI / 2; ++j)
        load<TileB, OperandB, false>(b[j], tileB, n + j * 16, k);
#pragma unroll
      for (int i = 0; i < MI; ++i)
#pragma unroll
        for (int j = 0; j < NI; ++j)
          product(sums[i][j], a[i], b[j / 2] + j % 2 * 2);
    }
  }
};
