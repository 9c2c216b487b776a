//===- Elements.h - Elements of test data, on host and device ---*- C++ -*-===//
//
// Drawing, rounding and encoding one element. Compiled twice: by NVRTC in front
// of Kernels.cu (this file is embedded as text), and by the host compiler for
// tests and for the parameter structs. Hence no includes: the host includes
// <cmath> first. Counter-based: element i of a buffer depends on seed and i
// alone, so inputs can be drawn again at any time and never need a copy.
//
//===----------------------------------------------------------------------===//
#ifndef KCL_FN
#ifdef __CUDACC_RTC__
#define KCL_FN __device__ inline
#else
#define KCL_FN inline
#endif
#endif

typedef unsigned long long kcl_u64;
typedef long long kcl_i64;

// Orders of kclaw::DType, Domain::Kind and the table in Distributions.cpp.
enum KclType {
  KclF64,
  KclF32,
  KclF16,
  KclBf16,
  KclI64,
  KclI32,
  KclI16,
  KclI8,
  KclU8,
  KclBool
};
enum KclDomain {
  KclReal,
  KclNonNegative,
  KclPositive,
  KclUnit,
  KclIndex,
  KclInteger,
  KclBoolean
};
enum KclDistribution {
  KclNormal,
  KclUniform,
  KclOffset,
  KclTies,
  KclWide,
  KclRows,
  KclSpike,
  KclSpecial
};

struct KclGenerate {
  void *data;
  kcl_u64 *mismatches; // verify: elements that differ from what is drawn
  kcl_u64 count;
  kcl_u64 seed;
  kcl_u64 rowLength;
  kcl_i64 limit;   // Index: exclusive; reals: the largest magnitude, or 0
  kcl_u64 perturb; // not 0: floats moved up or down by `epsilon`; seed of it
  double scale;
  double epsilon;  // relative, and at least one unit in the last place
  double roundoff; // unit roundoff of the type
  int type;
  int domain;
  int distribution;
  int level; // 0 full strength, 1 and 2 milder
  int verify;
  int nonZero; // integers: 0 never comes
};

union KclPun {
  double f64;
  kcl_u64 u64;
  float f32[2];
  unsigned u32[2];
};

KCL_FN double kclFromBits(kcl_u64 bits) {
  KclPun pun;
  pun.u64 = bits;
  return pun.f64;
}
KCL_FN kcl_u64 kclToBits(double value) {
  KclPun pun;
  pun.f64 = value;
  return pun.u64;
}
KCL_FN bool kclFinite(double value) {
  return ((kclToBits(value) >> 52) & 2047) != 2047;
}
KCL_FN bool kclNan(double value) { return value != value; }
KCL_FN bool kclIsFloat(int type) { return type <= KclBf16; }
KCL_FN int kclSize(int type) {
  return type == KclF64 || type == KclI64   ? 8
         : type == KclF32 || type == KclI32 ? 4
         : type == KclI8 || type >= KclU8   ? 1
                                            : 2;
}

// Nearest value with `mantissa` stored bits, ties to even, by one rounding.
KCL_FN double kclRoundBits(double value, int mantissa, int minExponent,
                           double largest) {
  if (!kclFinite(value) || value == 0)
    return value;
  int exponent = (int)((kclToBits(value) >> 52) & 2047) - 1023;
  if (exponent < minExponent)
    exponent = minExponent;
  double unit = kclFromBits((kcl_u64)(exponent - mantissa + 1023) << 52);
  double rounded = rint(value / unit) * unit;
  if (rounded > largest)
    return kclFromBits(2047ull << 52);
  if (rounded < -largest)
    return -kclFromBits(2047ull << 52);
  return rounded;
}

KCL_FN double kclRound(double value, int type) {
  switch (type) {
  case KclF32:
    return kclRoundBits(value, 23, -126, 3.4028234663852886e38);
  case KclF16:
    return kclRoundBits(value, 10, -14, 65504.0);
  case KclBf16:
    return kclRoundBits(value, 7, -126, 3.3895313892515355e38);
  default:
    return value;
  }
}

// `value` is already rounded to the type.
KCL_FN kcl_u64 kclEncode(double value, int type) {
  KclPun pun;
  switch (type) {
  case KclF64:
    return kclToBits(value);
  case KclF32:
    pun.f32[0] = (float)value;
    return pun.u32[0];
  case KclBf16:
    pun.f32[0] = (float)value;
    return pun.u32[0] >> 16;
  case KclF16: {
    kcl_u64 sign = (kclToBits(value) >> 63) << 15;
    double magnitude = value < 0 ? -value : value;
    if (kclNan(value))
      return 0x7e00;
    if (!kclFinite(value))
      return sign | 0x7c00;
    if (magnitude < 6.103515625e-05) // subnormal: units of 2^-24
      return sign | (kcl_u64)(magnitude * 16777216.0);
    kcl_u64 bits = kclToBits(magnitude);
    kcl_u64 exponent = (bits >> 52) - 1023 + 15;
    return sign | (exponent << 10) | ((bits >> 42) & 1023);
  }
  default:
    return (kcl_u64)(kcl_i64)value;
  }
}

KCL_FN double kclDecode(kcl_u64 bits, int type) {
  KclPun pun;
  switch (type) {
  case KclF64:
    return kclFromBits(bits);
  case KclF32:
    pun.u32[0] = (unsigned)bits;
    return pun.f32[0];
  case KclBf16:
    pun.u32[0] = (unsigned)bits << 16;
    return pun.f32[0];
  case KclF16: {
    int exponent = (int)(bits >> 10) & 31;
    double mantissa = (double)(bits & 1023);
    double magnitude =
        exponent == 0 ? mantissa / 16777216.0
        : exponent == 31
            ? kclFromBits((2047ull << 52) | ((bits & 1023) << 42))
            : (1024.0 + mantissa) *
                  kclFromBits((kcl_u64)(exponent - 25 + 1023) << 52);
    return (bits >> 15) & 1 ? -magnitude : magnitude;
  }
  case KclI64:
    return (double)(kcl_i64)bits;
  case KclI32:
    return (double)(int)bits;
  case KclI16:
    return (double)(short)bits;
  case KclI8:
    return (double)(signed char)bits;
  default:
    return (double)(unsigned char)bits;
  }
}

KCL_FN kcl_u64 kclLoad(const void *data, kcl_u64 i, int type) {
  switch (kclSize(type)) {
  case 8:
    return ((const kcl_u64 *)data)[i];
  case 4:
    return ((const unsigned *)data)[i];
  case 2:
    return ((const unsigned short *)data)[i];
  default:
    return ((const unsigned char *)data)[i];
  }
}

KCL_FN void kclStore(void *data, kcl_u64 i, int type, kcl_u64 bits) {
  switch (kclSize(type)) {
  case 8:
    ((kcl_u64 *)data)[i] = bits;
    break;
  case 4:
    ((unsigned *)data)[i] = (unsigned)bits;
    break;
  case 2:
    ((unsigned short *)data)[i] = (unsigned short)bits;
    break;
  default:
    ((unsigned char *)data)[i] = (unsigned char)bits;
  }
}

// splitmix64's finaliser over a Weyl sequence: 64 independent-looking bits for
// each (seed, index). Steele, Lea, Flood, "Fast splittable PRNGs", 2014.
KCL_FN kcl_u64 kclMix(kcl_u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
KCL_FN kcl_u64 kclRandom(kcl_u64 seed, kcl_u64 index) {
  return kclMix(kclMix(seed) + (index + 1) * 0x9e3779b97f4a7c15ull);
}
// In (0, 1), 24 bits.
KCL_FN float kclUnitFloat(kcl_u64 bits) {
  return ((float)(unsigned)(bits & 0xffffff) + 0.5f) * 5.9604644775390625e-8f;
}

// Standard normal by Box and Muller; one value an element.
KCL_FN float kclGaussian(kcl_u64 bits) {
  float radius = sqrtf(-2.0f * logf(kclUnitFloat(bits)));
  return radius * cosf(6.2831853071795865f * kclUnitFloat(bits >> 24));
}

KCL_FN double kclPick(int level, double full, double milder, double mildest) {
  return level == 0 ? full : level == 1 ? milder : mildest;
}

// Which element of its row is the spike; rows without one have none.
KCL_FN bool kclIsSpike(const KclGenerate &p, kcl_u64 i) {
  if (p.count && i == kclRandom(~p.seed, 0) % p.count)
    return true;
  kcl_u64 length = p.rowLength ? p.rowLength : 1;
  kcl_u64 bits = kclRandom(~p.seed, 1 + i / length);
  return length > 1 && bits >> 60 == 0 && i % length == bits % length;
}

// What is planted in element i: nothing (0), NaN (1), infinity (2, 3), zero (4)
// or a denormal (5). One NaN in each tensor, and one of each infinity in those
// of 16 elements or more; beyond them a row in sixteen has one of each kind, or
// is zero, or has denormals in every fourth place. At the mildest level only
// the NaN.
KCL_FN int kclPlanted(const KclGenerate &p, kcl_u64 i) {
  int most = p.level == 2 || p.count < 16 ? 1 : 3;
  for (int kind = most; kind >= 1; --kind)
    if (i == kclRandom(~p.seed, (kcl_u64)kind << 60) % p.count)
      return kind;
  if (p.level == 2)
    return 0;
  kcl_u64 length = p.rowLength ? p.rowLength : 1;
  kcl_u64 bits = kclRandom(~p.seed, 1 + i / length);
  kcl_u64 kind = bits >> (p.level == 0 ? 60 : 56);
  if (kind == 4 || (kind == 5 && i % 4 == 0))
    return (int)kind;
  return kind <= 3 && i % length == bits % length ? (int)kind : 0;
}

KCL_FN double kclDrawSpecial(const KclGenerate &p, kcl_u64 i, double plain) {
  const double infinity = kclFromBits(2047ull << 52);
  switch (kclPlanted(p, i)) {
  case 1:
    return infinity - infinity;
  case 2:
    return infinity;
  case 3:
    return -infinity;
  case 4:
    return plain < 0 ? -0.0 : 0.0;
  case 5: // of f16, or of f32 and bf16
    return plain * kclFromBits((1023ull - (p.type == KclF16 ? 18 : 128)) << 52);
  default:
    return plain;
  }
}

// A quarter of all rows is negative throughout, another positive: a maximum or
// minimum that starts at zero is wrong there. For values in [-1, 1]: functions
// that vanish towards minus infinity lose all digits in a row far below.
KCL_FN double kclRowSigned(kcl_u64 rowBits, double value) {
  double magnitude = value < 0 ? -value : value;
  kcl_u64 kind = rowBits >> 62;
  return kind == 0 ? -magnitude : kind == 1 ? magnitude : value;
}

// A value before domain and scale.
KCL_FN double kclDrawReal(const KclGenerate &p, kcl_u64 i, kcl_u64 bits) {
  double shrink = kclPick(p.level, 1.0, 0.25, 0.0625);
  double unit = kclUnitFloat(bits);
  double sign = bits >> 63 ? -1.0 : 1.0;
  switch (p.distribution) {
  case KclUniform: {
    kcl_u64 row = p.rowLength ? i / p.rowLength : 0;
    return shrink * kclRowSigned(kclRandom(~p.seed, row), 2 * unit - 1);
  }
  case KclOffset:
    return kclPick(p.level, 100, 10, 2) + shrink * kclGaussian(bits);
  case KclTies: // half zeros, the rest on a grid of nine values
    return bits >> 63 ? 0 : shrink * 0.5 * ((int)((bits >> 40) % 9) - 4);
  case KclWide:
    return sign * exp2f((float)(kclPick(p.level, 12, 6, 2) * (2 * unit - 1)));
  case KclRows: {
    kcl_u64 row = p.rowLength ? i / p.rowLength : 0;
    double rowUnit = kclUnitFloat(kclRandom(~p.seed, row));
    return kclGaussian(bits) *
           exp2f((float)(kclPick(p.level, 8, 4, 1) * (2 * rowUnit - 1)));
  }
  case KclSpike:
    return kclIsSpike(p, i) ? sign * kclPick(p.level, 1024, 64, 8)
                            : shrink * kclGaussian(bits);
  case KclSpecial:
    return kclDrawSpecial(p, i, kclGaussian(bits));
  default:
    return shrink * kclGaussian(bits);
  }
}

// A value in [0, 1].
KCL_FN double kclDrawUnit(const KclGenerate &p, kcl_u64 bits) {
  double unit = kclUnitFloat(bits);
  switch (p.distribution) {
  case KclOffset:
    return 0.75 + 0.125 * unit;
  case KclTies:
    return 0.125 * (double)((bits >> 40) % 9);
  case KclWide:
    return exp2f((float)(-12 * unit));
  default:
    return unit;
  }
}

// Bits of the largest magnitudes of integers on `wide`: the type, or a float's
// significand, holds a product of two exactly, and sums of hundreds of products
// too. 0: as on all other distributions.
KCL_FN int kclWideBits(int type) {
  switch (type) {
  case KclI64:
  case KclF64:
    return 20;
  case KclI32:
  case KclF32:
    return 11;
  case KclI16:
    return 6;
  default:
    return 0;
  }
}

// Of any size up to the largest, as many of each.
KCL_FN kcl_i64 kclDrawWideInteger(const KclGenerate &p, kcl_u64 bits) {
  int size = 1 + (int)((bits >> 8) % (kcl_u64)kclWideBits(p.type));
  kcl_i64 value = (kcl_i64)((bits >> 16) & ((1ull << size) - 1));
  return bits >> 63 ? -value : value;
}

KCL_FN kcl_i64 kclDrawInteger(const KclGenerate &p, kcl_u64 bits) {
  if (p.domain == KclBoolean || p.domain == KclUnit || p.type == KclBool)
    return (kcl_i64)(bits >> 63);
  if (p.domain == KclIndex)
    return p.limit > 0 ? (kcl_i64)((bits >> 8) % (kcl_u64)p.limit) : 0;
  if (p.domain == KclInteger && p.distribution == KclWide && p.level == 0 &&
      kclWideBits(p.type) > 0)
    return kclDrawWideInteger(p, bits);
  kcl_i64 value = (kcl_i64)(bits >> 60) - 8;
  bool natural =
      p.type == KclU8 || p.domain == KclNonNegative || p.domain == KclPositive;
  return natural ? value + 8 + (p.domain == KclPositive) : value;
}

// `value`, rounded to the type, moved up or down a little.
KCL_FN double kclPerturb(const KclGenerate &p, kcl_u64 i, double value) {
  // Seeds 2n and 2n + 1 move each element in opposite directions.
  kcl_u64 bits = kclRandom(p.perturb >> 1, i) >> 63;
  double sign = (bits ^ (p.perturb & 1)) ? 1.0 : -1.0;
  double step = p.epsilon > 2 * p.roundoff ? p.epsilon : 2 * p.roundoff;
  double moved = kclRound(value * (1 + sign * step), p.type);
  return p.domain == KclUnit && moved > 1 ? value : moved;
}

KCL_FN double kclLimited(const KclGenerate &p, double value) {
  double limit = (double)p.limit;
  if (p.limit <= 0)
    return value;
  return value > limit ? limit : value < -limit ? -limit : value;
}

// The bits of element i.
KCL_FN kcl_u64 kclDraw(const KclGenerate &p, kcl_u64 i) {
  kcl_u64 bits = kclRandom(p.seed, i);
  if (!kclIsFloat(p.type) || p.domain >= KclIndex) {
    kcl_i64 value = kclDrawInteger(p, bits);
    if (p.nonZero && value == 0)
      value = 8; // of no other draw but wide ones
    return kclIsFloat(p.type)
               ? kclEncode(kclRound((double)value, p.type), p.type)
               : (kcl_u64)value;
  }
  double value;
  if (p.domain == KclUnit) {
    value = kclDrawUnit(p, bits);
  } else {
    value = kclDrawReal(p, i, bits);
    if (p.domain != KclReal && value < 0)
      value = -value;
    if (p.domain == KclPositive && !(value >= 0.0625))
      value = 0.0625;
    value = kclLimited(p, value * p.scale);
  }
  value = kclRound(value, p.type);
  if (p.perturb)
    value = kclPerturb(p, i, value);
  return kclEncode(value, p.type);
}
