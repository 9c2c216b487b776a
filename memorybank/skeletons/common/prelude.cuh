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
