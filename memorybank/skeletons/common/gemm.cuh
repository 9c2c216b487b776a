// Tiles of a contraction in shared memory, filled by cp.async in STAGES.
// OperandA and OperandB say how the operands lie (memorybank/skeletons/README).
constexpr int THREADS = WARPS * 32;
constexpr int PITCH = BN + 8; // floats of a row of sums: no bank conflicts

inline unsigned sharedAddress(const void *at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
// BYTES bytes to shared memory, or zeros.
template <int BYTES> void copyAsync(unsigned to, const void *from, bool inside) {
  const int bytes = inside ? BYTES : 0;
  if constexpr (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "n"(BYTES)
                 : "memory");
}
inline void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int LEFT> void waitCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}

// SPAN rows (of M or N) x BK of one operand: lines of 16-byte chunks along the
// operand's own direction, swizzled so that fragments read all banks. Lines of
// 16-bit elements lie as wgmma's swizzle of 128 bytes has them.
template <class Operand, int SPAN> struct Tile {
  using Element = typename Operand::Element;
  static constexpr int bytes = sizeof(Element), chunk = 16 / bytes;
  static constexpr int lines = Operand::depthwise ? SPAN : BK;
  static constexpr int chunks = (Operand::depthwise ? BK : SPAN) / chunk;
  static constexpr int size = lines * chunks * 16;

  static int swizzle(int line) {
    if constexpr (bytes == 4)
      return Operand::depthwise ? (chunks >= 8 ? line % 2 * 4 : 0)
                                : line / 4 % 4 * 2;
    else
      return chunks >= 8 ? line % 8 : line / (8 / chunks) % chunks;
  }
  // Bytes from the tile's start; lines lie in panels of at most 128 bytes.
  static int place(int line, int at) {
    constexpr int panel = chunks < 8 ? chunks : 8;
    return ((at / panel * lines + line) * panel + (at % panel ^ swizzle(line))) *
           16;
  }
  static int place(int line, int at, int element) {
    return place(line, at + element / chunk) + element % chunk * bytes;
  }

  // `base`: the batch's first row; rows and k beyond the ends become zeros.
  static void fill(char *tile, const Element *from, idx_t base, idx_t row0,
                   idx_t rows, idx_t k0, idx_t depth) {
    constexpr int width = Operand::width;
#pragma unroll
    for (int i = threadIdx.x; i < lines * chunks; i += THREADS) {
      const int line = i / chunks, at = i % chunks;
      const idx_t row = row0 + (Operand::depthwise ? line : at * chunk);
      const idx_t k = k0 + (Operand::depthwise ? at * chunk : line);
      char *to = tile + place(line, at);
#pragma unroll
      for (int j = 0; j < chunk; j += width) {
        const idx_t r = Operand::depthwise ? row : row + j;
        const idx_t d = Operand::depthwise ? k + j : k;
        const bool inside = r < rows && d < depth;
        const Element *source =
            inside ? from + Operand::row(base + r) + Operand::depth(d) : from;
        if constexpr (width * bytes >= 4)
          copyAsync<width * bytes>(sharedAddress(to) + j * bytes, source,
                                   inside);
        else
          *reinterpret_cast<Element *>(to + j * bytes) =
              inside ? *source : Element(0.0f);
      }
    }
  }
};
using TileA = Tile<OperandA, BM>;
using TileB = Tile<OperandB, BN>;

// The tile of this block: neighbours in time share rows of B in the L2 cache.
struct Place {
  idx_t batch, m0, n0;
  Place(idx_t tile, idx_t m, idx_t n) {
    constexpr idx_t group = 8;
    const idx_t tilesM = (m + BM - 1) / BM, tilesN = (n + BN - 1) / BN;
    batch = tile / (tilesM * tilesN);
    tile -= batch * tilesM * tilesN;
    const idx_t first = tile / (group * tilesN) * group;
    const idx_t height = tilesM - first < group ? tilesM - first : group;
    tile -= first * tilesN;
    m0 = (first + tile % height) * BM;
    n0 = tile / height * BN;
  }
};

// What this block sums of K, in steps of BK.
struct Share {
  int first, count; // `count` may be negative
  Share(idx_t depth, int split) {
    const int steps = int((depth + BK - 1) / BK);
    const int share = (steps + SPLITS - 1) / SPLITS;
    first = split * share;
    count = min(share, steps - first);
  }
};

// Sends step `step` of the share on its way, where there is one.
inline void fillStage(char *shared, const OperandA::Element *a,
                      const OperandB::Element *b, const Place &at, idx_t m,
                      idx_t n, idx_t depth, const Share &share, int step) {
  if (step < share.count) {
    char *stage = shared + step % STAGES * (TileA::size + TileB::size);
    const idx_t k0 = idx_t(share.first + step) * BK;
    TileA::fill(stage, a, at.batch * m, at.m0, m, k0, depth);
    TileB::fill(stage + TileA::size, b, at.batch * n, at.n0, n, k0, depth);
  }
  commitCopies();
}

// Operands of f32 are multiplied in parts, and the parts of an infinity, of a
// NaN or of a value whose first part rounds to infinity cancel into NaN, which
// an epilogue may not tell from what should have come (relu of minus infinity).
// A sum without any of these is finite; another one is taken again, from the
// operands as they are. A NaN stays one, whatever is added.
template <int VEC>
void mendSums(float *sums, const OperandA::Element *a,
              const OperandB::Element *b, idx_t rowA, idx_t rowB, idx_t depth) {
  if constexpr (sizeof(OperandA::Element) == 4) {
    constexpr float largest = 3.402823466e38f;
#pragma unroll
    for (int i = 0; i < VEC; ++i) {
      if (fabsf(sums[i]) <= largest)
        continue;
      float sum = 0;
#pragma unroll 1
      for (idx_t k = 0; k < depth && sum == sum; ++k)
        sum = fmaf(a[OperandA::row(rowA) + OperandA::depth(k)],
                   b[OperandB::row(rowB + i) + OperandB::depth(k)], sum);
      sums[i] = sum;
    }
  }
}

template <class T> struct IsHalf {
  static constexpr bool value = false;
};
#ifdef __CUDA_FP16_TYPES_EXIST__
template <> struct IsHalf<__half> {
  static constexpr bool value = true;
};
#endif
