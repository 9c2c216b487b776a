// Short rows: ROW_THREADS threads of a warp share a row in registers.
using idx_t = int;
using llong = long long;
using schar = signed char;
using uchar = unsigned char;

template <class T> struct Limits;
template <> struct Limits<float> {
  static float infinity() { return __int_as_float(0x7f800000); }
  static float nan() { return __int_as_float(0x7fc00000); }
  static float epsilon() { return 1.1920928955078125e-7f; }
  static float lowest() { return -infinity(); }
  static float highest() { return infinity(); }
};
template <> struct Limits<double> {
  static double infinity() { return __longlong_as_double(0x7ff0000000000000); }
  static double nan() { return __longlong_as_double(0x7ff8000000000000); }
  static double epsilon() { return 2.220446049250313e-16; }
  static double lowest() { return -infinity(); }
  static double highest() { return infinity(); }
};
template <> struct Limits<int> {
  static int lowest() { return -2147483647 - 1; }
  static int highest() { return 2147483647; }
};
template <> struct Limits<llong> {
  static llong lowest() { return -9223372036854775807LL - 1; }
  static llong highest() { return 9223372036854775807LL; }
};

// N neighbouring elements, loaded and stored in pieces of at most 16 bytes.
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Pack {
  T v[N];
};
template <int N, class T> Pack<T, N> loadPack(const T *from) {
  return *reinterpret_cast<const Pack<T, N> *>(from);
}
template <int N, class T> void storePack(T *to, const Pack<T, N> &pack) {
  *reinterpret_cast<Pack<T, N> *>(to) = pack;
}

// What a 16-bit operator leaves behind: rounded, held as float.
template <class T> float roundTo(float x) { return float(T(x)); }

inline float truncDivide(float a, float b) { return trunc(a / b); }
inline double truncDivide(double a, double b) { return trunc(a / b); }
template <class T> T truncDivide(T a, T b) { return a / b; }
template <class T> T floorRemainder(T a, T b) {
  T r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
template <class T> T fmodSigned(T a, T b) {
  T r = fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
template <> inline float floorRemainder(float a, float b) {
  return fmodSigned(a, b);
}
template <> inline double floorRemainder(double a, double b) {
  return fmodSigned(a, b);
}
template <class T> T floorDivide(T a, T b) {
  T q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
// As PyTorch: the exact quotient of a - remainder, rounded.
template <class T> T floorQuotient(T a, T b) {
  if (b == 0)
    return a / b;
  T r = fmod(a, b), q = (a - r) / b;
  if (r != 0 && (b < 0) != (r < 0))
    q -= 1;
  T f = floor(q);
  return q != 0 ? (q - f > T(0.5) ? f + 1 : f) : copysign(T(0), a / b);
}
template <> inline float floorDivide(float a, float b) {
  return floorQuotient(a, b);
}
template <> inline double floorDivide(double a, double b) {
  return floorQuotient(a, b);
}

// Reductions; Max and Min keep NaN, as PyTorch does.
template <class T> struct Sum {
  using type = T;
  static T identity() { return T(0); }
  static T apply(T a, T b) { return a + b; }
};
template <class T> struct Prod {
  using type = T;
  static T identity() { return T(1); }
  static T apply(T a, T b) { return a * b; }
};
template <class T> struct Max {
  using type = T;
  static T identity() { return Limits<T>::lowest(); }
  static T apply(T a, T b) { return a > b || a != a ? a : b; }
};
template <class T> struct Min {
  using type = T;
  static T identity() { return Limits<T>::highest(); }
  static T apply(T a, T b) { return a < b || a != a ? a : b; }
};
template <class T> struct Any {
  using type = T;
  static T identity() { return T(0); }
  static T apply(T a, T b) { return T(a != T(0) || b != T(0)); }
};
template <class T> struct All {
  using type = T;
  static T identity() { return T(1); }
  static T apply(T a, T b) { return T(a != T(0) && b != T(0)); }
};

// An extremum and where it lies; the first of equals, NaN before all.
template <class T> struct Indexed {
  using scalar = T;
  T value;
  llong index;
};
template <class P> struct ArgMax {
  using type = P;
  using T = typename P::scalar;
  static P identity() { return {Limits<T>::lowest(), Limits<llong>::highest()}; }
  static P apply(P a, P b) {
    bool nanA = a.value != a.value, nanB = b.value != b.value;
    bool tie = a.value == b.value || (nanA && nanB);
    bool first = tie ? a.index < b.index : nanA || (!nanB && a.value > b.value);
    return first ? a : b;
  }
};
template <class P> struct ArgMin {
  using type = P;
  using T = typename P::scalar;
  static P identity() {
    return {Limits<T>::highest(), Limits<llong>::highest()};
  }
  static P apply(P a, P b) {
    bool nanA = a.value != a.value, nanB = b.value != b.value;
    bool tie = a.value == b.value || (nanA && nanB);
    bool first = tie ? a.index < b.index : nanA || (!nanB && a.value < b.value);
    return first ? a : b;
  }
};

template <class T> T shuffleXor(T x, int lanes) {
  return __shfl_xor_sync(0xffffffffu, x, lanes);
}
template <class T> Indexed<T> shuffleXor(Indexed<T> x, int lanes) {
  return {shuffleXor(x.value, lanes), shuffleXor(x.index, lanes)};
}
#ifndef ROW_THREADS
#define ROW_THREADS 32
#endif
#ifndef THREADS
#define THREADS 256
#endif
// Combines one value of each of the ROW_THREADS neighbouring threads that
// share a row; every one of them gets the result.
template <class Op> typename Op::type rowReduce(typename Op::type x) {
  constexpr int inWarp = ROW_THREADS < 32 ? ROW_THREADS : 32;
#pragma unroll
  for (int lanes = inWarp / 2; lanes > 0; lanes /= 2)
    x = Op::apply(x, shuffleXor(x, lanes));
  if constexpr (ROW_THREADS > 32) {
    constexpr int warps = ROW_THREADS / 32;
    __shared__ typename Op::type parts[THREADS / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __syncthreads(); // the previous call's readers are done
    if (lane == 0)
      parts[warp] = x;
    __syncthreads();
    x = lane < warps ? parts[warp / warps * warps + lane] : Op::identity();
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
      x = Op::apply(x, shuffleXor(x, lanes));
  }
  return x;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    kclaw_row_warp(const float *__restrict__ arg0, const float *__restrict__ arg1, float *__restrict__ res0) {
  constexpr int VEC = 1;
  constexpr idx_t ROWS = 63, COLS = 65;
  constexpr int ITEMS = int((COLS + ROW_THREADS * VEC - 1) / (ROW_THREADS * VEC));
  const idx_t own =
      idx_t(blockIdx.x) * (THREADS / ROW_THREADS) + threadIdx.x / ROW_THREADS;
  const bool active = own < ROWS;
  // Threads without a row work on the last one: shuffles need all of a warp.
  const idx_t row = active ? own : ROWS - 1;
  const bool leader = threadIdx.x % ROW_THREADS == 0;
  const float v8 = float(1.0000000000000001e-05);
  float a5 = Sum<float>::identity();
  Pack<float, VEC> x0[ITEMS];
  #pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const idx_t k = (j * ROW_THREADS + int(threadIdx.x) % ROW_THREADS) * VEC;
    if (ITEMS * ROW_THREADS * VEC == COLS || k < COLS) {
      x0[j] = loadPack<VEC>(arg0 + row * 65 + k);
    }
  }
  #pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const idx_t k = (j * ROW_THREADS + int(threadIdx.x) % ROW_THREADS) * VEC;
    if (ITEMS * ROW_THREADS * VEC == COLS || k < COLS) {
      {
        constexpr int i = 0;
        const float v0 = float(x0[j].v[i]);
        const float v2 = v0 * v0;
        const float v3 = v2;
        const float v4 = v3;
        a5 = Sum<float>::apply(a5, v4);
      }
    }
  }
  const float v5 = float(rowReduce<Sum<float>>(a5));
  const float v6 = v5 / float(65);
  const float v7 = v6;
  const float v9 = v7 + v8;
  const float v10 = v9;
  const float v11 = rsqrt(v10);
  const float v12 = v11;
  Pack<float, VEC> x1[ITEMS];
  #pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const idx_t k = (j * ROW_THREADS + int(threadIdx.x) % ROW_THREADS) * VEC;
    if (ITEMS * ROW_THREADS * VEC == COLS || k < COLS) {
      x1[j] = loadPack<VEC>(arg1 + k);
    }
  }
  #pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const idx_t k = (j * ROW_THREADS + int(threadIdx.x) % ROW_THREADS) * VEC;
    if (ITEMS * ROW_THREADS * VEC == COLS || k < COLS) {
      Pack<float, VEC> o0;
      {
        constexpr int i = 0;
        const float v0 = float(x0[j].v[i]);
        const float v1 = float(x1[j].v[i]);
        const float v13 = v0 * v12;
        const float v14 = v13;
        const float v15 = v14 * v1;
        const float v16 = v15;
        o0.v[i] = float(v16);
      }
      if (active) {
        storePack(res0 + row * 65 + k, o0);
      }
    }
  }
}
