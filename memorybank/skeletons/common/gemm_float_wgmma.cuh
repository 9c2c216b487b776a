// Operands of f32 by wgmma: the next step's tiles are split into three parts of
// bf16 in shared memory while six products of this step's parts run; each
// step's sums are added to the long ones as floats. BK is 32, a line of a part
// 64 bytes along k, whichever way the operand lies.
constexpr int PARTS = 3;
constexpr int PART_A = BM * BK * 2, PART_B = BN * BK * 2; // bytes

inline unsigned toBf16(float low, float high) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

// Four neighbouring k of a row at a time.
template <class T, class Operand, int SPAN>
void splitTile(char *parts, const char *tile) {
#pragma unroll
  for (int i = threadIdx.x; i < SPAN * BK / 4; i += THREADS) {
    constexpr bool depthwise = Operand::depthwise;
    const int row = depthwise ? i / (BK / 4) : i % SPAN;
    const int quad = depthwise ? i % (BK / 4) : i / SPAN;
    float x[4];
    if constexpr (depthwise) {
      const auto pack = loadPack<4>(
          reinterpret_cast<const float *>(tile + T::place(row, quad)));
#pragma unroll
      for (int e = 0; e < 4; ++e)
        x[e] = pack.v[e];
    } else {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        x[e] = *reinterpret_cast<const float *>(
            tile + T::place(quad * 4 + e, row / 4) + row % 4 * 4);
    }
    char *to = parts + row * 64 + (quad / 2 ^ row / 2 % 4) * 16 + quad % 2 * 8;
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
      Pack<unsigned, 2> pair;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        pair.v[h] = toBf16(x[2 * h], x[2 * h + 1]);
        x[2 * h] -= __uint_as_float(pair.v[h] << 16);
        x[2 * h + 1] -= __uint_as_float(pair.v[h] & 0xffff0000u);
      }
      storePack(reinterpret_cast<unsigned *>(to + p * SPAN * BK * 2), pair);
    }
  }
}

// 64 rows of a part of A, or BN of B, by 16 of k.
inline unsigned long long partDescriptor(const char *part, int row, int k) {
  const unsigned at = sharedAddress(part) + unsigned(row * 64 + k * 2);
  return (2ull << 62) | (512ull / 16 << 32) | (1ull << 16) |
         (at & 0x3ffff) / 16;
}

// Products of parts p of A and q of B with p + q < PARTS, the smallest first.
inline void multiplyParts(GroupSums &sums, const char *parts, int top) {
#pragma unroll
  for (int order = PARTS - 1; order >= 0; --order)
#pragma unroll
    for (int p = order; p >= 0; --p)
#pragma unroll
      for (int k = 0; k < BK; k += 16)
#pragma unroll
        for (int i = 0; i < BLOCKS; ++i)
          multiplyGroup<false, 0, 0>(
              sums[i], partDescriptor(parts + p * PART_A, top + i * 64, k),
              partDescriptor(parts + PARTS * PART_A + (order - p) * PART_B, 0,
                             k),
              order < PARTS - 1 || p < order || k > 0);
}

inline void multiplyTiles(GroupSums &sums, char *shared, const float *a,
                          const float *b, const Place &at, idx_t m, idx_t n,
                          idx_t depth, int split) {
  const Share share(depth, split);
  char *parts = shared + STAGES * (TileA::size + TileB::size);
  const int top = threadIdx.x / 128 * BLOCKS * 64;
  auto fill = [&](int step) {
    fillStage(shared, a, b, at, m, n, depth, share, step);
  };
  // Where all copies of the step have arrived: into the parts of its turn.
  auto splitStep = [&](int step) {
    const char *tile = shared + step % STAGES * (TileA::size + TileB::size);
    char *to = parts + step % 2 * PARTS * (PART_A + PART_B);
    splitTile<TileA, OperandA, BM>(to, tile);
    splitTile<TileB, OperandB, BN>(to + PARTS * PART_A, tile + TileA::size);
  };
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s)
    fill(s);
  waitCopies<STAGES - 2>();
  __syncthreads();
  if (share.count > 0)
    splitStep(0);
  for (int step = 0; step < share.count; ++step) {
    GroupSums sum;
    beginProducts(); // and all have split this step
    multiplyParts(sum, parts + step % 2 * PARTS * (PART_A + PART_B), top);
    commitProducts();
    fill(step + STAGES - 1); // where step - 1 was
    waitCopies<STAGES - 2>();
    __syncthreads();
    if (step + 1 < share.count)
      splitStep(step + 1);
    waitProducts<0>();
#pragma unroll
    for (int i = 0; i < BLOCKS; ++i)
#pragma unroll
      for (int j = 0; j < BN / 2; ++j)
        sums[i][j] += sum[i][j];
  }
  waitCopies<0>();
  __syncthreads();
}
