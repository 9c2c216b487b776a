// Tiles multiplied by mma.sync: each warp has MI x NI products of 16 x 8.
// Four or eight warps, the longer side of the tile has more of them.
constexpr int WARPS_M = WARPS == 8 && BM > BN ? 4 : 2;
constexpr int WARPS_N = WARPS / WARPS_M;
constexpr int WM = BM / WARPS_M, WN = BN / WARPS_N; // of a warp
constexpr int MI = WM / 16, NI = WN / 8;            // products of a warp

using Sums = float[MI][NI][4];

// The sums over this block's part of K; STAGES - 1 tiles are on their way.
template <class Math>
void multiplyTiles(Sums &sums, char *shared, const OperandA::Element *a,
                   const OperandB::Element *b, const Place &at,
                   idx_t m, idx_t n, idx_t depth, int split) {
  const Share share(depth, split);
  auto fill = [&](int step) {
    fillStage(shared, a, b, at, m, n, depth, share, step);
  };
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s)
    fill(s);
  for (int step = 0; step < share.count; ++step) {
    waitCopies<STAGES - 2>();
    __syncthreads(); // the stage is full, and nobody reads the one before it
    fill(step + STAGES - 1);
    const char *stage = shared + step % STAGES * (TileA::size + TileB::size);
    Math::multiply(sums, stage, stage + TileA::size);
  }
  waitCopies<0>();
  __syncthreads();
}

// The sums as rows of PITCH floats in shared memory.
inline void placeSums(const Sums &sums, float *rows) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m = warp / WARPS_N * WM + lane / 4;
  const int n = warp % WARPS_N * WN + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < MI; ++i)
#pragma unroll
    for (int j = 0; j < NI; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        storePack(rows + (m + i * 16 + h * 8) * PITCH + n + j * 8,
                  Pack<float, 2>{{sums[i][j][2 * h], sums[i][j][2 * h + 1]}});
}

#define MMA(SHAPE, D, A, B)                                                    \
  asm("mma.sync.aligned." SHAPE " {%0, %1, %2, %3}, {%4, %5, %6, %7}, "        \
      "{%8, %9}, {%0, %1, %2, %3};"                                            \
      : "+f"((D)[0]), "+f"((D)[1]), "+f"((D)[2]), "+f"((D)[3])                 \
      : "r"((A)[0]), "r"((A)[1]), "r"((A)[2]), "r"((A)[3]), "r"((B)[0]),       \
        "r"((B)[1]))
