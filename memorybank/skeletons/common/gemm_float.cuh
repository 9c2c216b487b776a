// Operands of f32, in parts that tensor cores multiply. A thread reads four
// neighbouring k of a row at once; which k a register of mma stands for is free
// as long as A and B agree.
struct Quad {
  float v[4];
};
template <class T, class Operand>
Quad loadQuad(const char *tile, int row, int k) {
  const int lane = threadIdx.x % 32;
  const int r = row + lane / 4, d = k + lane % 4 * 4;
  Quad quad;
  if constexpr (Operand::depthwise) {
    const auto pack = loadPack<4>(
        reinterpret_cast<const float *>(tile + T::place(r, d / 4)));
#pragma unroll
    for (int i = 0; i < 4; ++i)
      quad.v[i] = pack.v[i];
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      quad.v[i] =
          *reinterpret_cast<const float *>(tile + T::place(d + i, r / 4) +
                                           r % 4 * 4);
  }
  return quad;
}

// Rounded to TF32. A NaN may become zero: its difference from x keeps it.
inline unsigned bigTf32(float x) {
  return (__float_as_uint(x) + 0x1000u) & 0xffffe000u;
}
inline unsigned toTf32(float x) {
  unsigned rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
  return rounded;
}

// Two products of depth 8; PARTS 2: as good as f32, 1: as TF32.
template <int PARTS> struct Tf32 {
  static constexpr int steps = 2, parts = PARTS;
  struct Pair {
    unsigned part[PARTS][2];
  };
  static Pair split(Quad x, int step) {
    Pair pair;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float value = x.v[2 * step + i];
      if constexpr (PARTS == 1) {
        pair.part[0][i] = toTf32(value);
      } else { // the hardware reads the upper bits of what is left
        pair.part[0][i] = bigTf32(value);
        pair.part[1][i] =
            __float_as_uint(value - __uint_as_float(pair.part[0][i]));
      }
    }
    return pair;
  }
  static void product(float *d, const unsigned *a, const unsigned *b) {
    MMA("m16n8k8.row.col.f32.tf32.tf32.f32", d, a, b);
  }
};

template <class Method> struct Floats {
  using Pair = typename Method::Pair;
  static void multiply(Sums &sums, const char *tileA, const char *tileB) {
    const int warp = threadIdx.x / 32;
    const int m = warp / WARPS_N * WM, n = warp % WARPS_N * WN;
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      Quad low[MI], high[MI], y[NI];
#pragma unroll
      for (int i = 0; i < MI; ++i) {
        low[i] = loadQuad<TileA, OperandA>(tileA, m + i * 16, k);
        high[i] = loadQuad<TileA, OperandA>(tileA, m + i * 16 + 8, k);
      }
#pragma unroll
      for (int j = 0; j < NI; ++j)
        y[j] = loadQuad<TileB, OperandB>(tileB, n + j * 8, k);
#pragma unroll
      for (int step = 0; step < Method::steps; ++step)
        multiplyStep(sums, low, high, y, step);
    }
  }
  // Tensor cores round their sums towards zero, so with several parts each
  // short sum is added to the long one as a float.
  static void multiplyStep(Sums &sums, const Quad *low, const Quad *high,
                           const Quad *y, int step) {
    unsigned a[Method::parts][MI][4];
#pragma unroll
    for (int i = 0; i < MI; ++i) {
      const Pair x = Method::split(low[i], step), z = Method::split(high[i], step);
#pragma unroll
      for (int p = 0; p < Method::parts; ++p)
#pragma unroll
        for (int r = 0; r < 4; ++r)
          a[p][i][r] = (r % 2 ? z : x).part[p][r / 2];
    }
#pragma unroll
    for (int j = 0; j < NI; ++j) {
      const Pair b = Method::split(y[j], step);
      if constexpr (Method::parts == 1) {
#pragma unroll
        for (int i = 0; i < MI; ++i)
          Method::product(sums[i][j], a[0][i], b.part[0]);
      } else {
        float sum[MI][4] = {};
#pragma unroll
        for (int i = 0; i < MI; ++i)
          Method::product(sum[i], a[1][i], b.part[0]);
#pragma unroll
        for (int i = 0; i < MI; ++i)
          Method::product(sum[i], a[0][i], b.part[1]);
#pragma unroll
        for (int i = 0; i < MI; ++i)
          Method::product(sum[i], a[0][i], b.part[0]);
#pragma unroll
        for (int i = 0; i < MI; ++i)
#pragma unroll
          for (int e = 0; e < 4; ++e)
            sums[i][j][e] += sum[i][e];
      }
    }
  }
};
