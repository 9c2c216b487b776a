//===- Matrix.h - Elements and fragments of matrix instructions -*- C++ -*-===//
//
// An element type says how many elements a register holds and widens one to
// the type in which products are exact. Fragments of mma.sync and wgmma follow
// one rule: with g = lane / 4, t = lane % 4 and E elements a register,
//
//   A  register r: row g + 8 (r % (M/8)), k = 4E (r / (M/8)) + E t + e
//   B  register r: k = 4E r + E t + e, column g
//   C  element 2h + j: row g + 8h, column 2t + j
//
// A result is C plus its products in the order of k, one fused multiply-add
// each (integers: exact). The hardware adds in groups with its own rounding.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_ISA_MATRIX_H
#define KERNELCLAW_LIB_SIMCUDA_ISA_MATRIX_H

#include "../Exec/Block.h"
#include "../Exec/Splits.h"
#include "Bind.h"
#include "Small.h"

#include <cmath>

namespace kclaw::sim {

inline constexpr const char *matrixPrecision =
    "sums in the order of k, one f32 rounding each; hardware rounds otherwise";

struct HalfElement {
  using Word = uint32_t;
  using Wide = float;
  static constexpr unsigned perWord = 2, bits = 16;
  static Wide get(Word w, unsigned e) {
    return F16{uint16_t(w >> (16 * e))}.value();
  }
};
struct BfloatElement {
  using Word = uint32_t;
  using Wide = float;
  static constexpr unsigned perWord = 2, bits = 16;
  static Wide get(Word w, unsigned e) {
    return BF16{uint16_t(w >> (16 * e))}.value();
  }
};
struct Tf32Element {
  using Word = uint32_t;
  using Wide = float;
  static constexpr unsigned perWord = 1, bits = 32;
  static Wide get(Word w, unsigned) { return tf32ToFloat(w); }
};
struct E4m3Element {
  using Word = uint32_t;
  using Wide = float;
  static constexpr unsigned perWord = 4, bits = 8;
  static constexpr int leastExponent = -6; ///< of subnormals
  static Wide get(Word w, unsigned e) {
    return e4m3ToFloat(uint8_t(w >> 8 * e));
  }
};
struct E5m2Element {
  using Word = uint32_t;
  using Wide = float;
  static constexpr unsigned perWord = 4, bits = 8;
  static constexpr int leastExponent = -14; ///< of subnormals
  static Wide get(Word w, unsigned e) {
    return e5m2ToFloat(uint8_t(w >> 8 * e));
  }
};
template <class T> struct ByteElement {
  using Word = uint32_t;
  using Wide = int32_t;
  static constexpr unsigned perWord = 4, bits = 8;
  static Wide get(Word w, unsigned e) { return T(w >> (8 * e)); }
};
template <bool isSigned> struct NibbleElement {
  using Word = uint32_t;
  using Wide = int32_t;
  static constexpr unsigned perWord = 8, bits = 4;
  static Wide get(Word w, unsigned e) {
    uint32_t x = (w >> (4 * e)) & 15;
    return isSigned && x >= 8 ? int32_t(x) - 16 : int32_t(x);
  }
};
struct DoubleElement {
  using Word = uint64_t;
  using Wide = double;
  static constexpr unsigned perWord = 1, bits = 64;
  static Wide get(Word w, unsigned) { return std::bit_cast<double>(w); }
};

/// Two elements of a result in f16 as a register.
inline uint32_t packHalves(float low, float high) {
  return F16::fromFloat(low).bits | uint32_t(F16::fromFloat(high).bits) << 16;
}

/// d += a b, d of M rows of `columns`; b[k][n], padded rows of `columns`.
template <unsigned N, class Wide>
inline void multiplyRow(Wide *d, const Wide *a, const Wide *b, unsigned depth) {
  for (unsigned k = 0; k < depth; ++k) {
    const Wide x = a[k];
    const Wide *row = b + size_t(k) * N;
    for (unsigned n = 0; n < N; ++n)
      if constexpr (std::is_integral_v<Wide>)
        d[n] += x * row[n];
      else
        d[n] = std::fma(x, row[n], d[n]);
  }
}

/// A warp's share of a product, at its elements' rate.
template <class A>
void countProduct(Warp &w, uint64_t multiplyAdds, bool warpgroup = false) {
  constexpr TensorKind kind = sizeof(typename A::Word) == 8 ? TensorKind::F64
                              : A::perWord == 1             ? TensorKind::Tf32
                              : A::perWord == 2             ? TensorKind::F16
                                                            : TensorKind::I8;
  Counts &counts = w.block->counts;
  counts.tensorMultiplyAdds += multiplyAdds;
  (warpgroup ? counts.groupProducts : counts.warpProducts)[size_t(kind)] +=
      multiplyAdds;
}

/// C + sum of an integer product; .satfinite clamps.
inline int32_t addInteger(int32_t c, int32_t sum, bool saturates) {
  int64_t exact = int64_t(c) + sum;
  if (saturates)
    exact = std::min<int64_t>(std::max<int64_t>(exact, INT32_MIN), INT32_MAX);
  return int32_t(exact);
}

/// True when all lanes of the warp that have not exited are here; else they
/// wait for the others, and the handler must return. Lanes that never come
/// are a fault.
bool aligned(Warp &w, const Inst &i);

/// Appends the registers of {a, b, ...} or a.
void addSources(Builder &b, const ptx::Operand &operand, Type type,
                std::vector<Ref> &refs);
void addDestinations(Builder &b, const ptx::Operand &operand, Type type,
                     std::vector<Ref> &refs);
inline unsigned registerCount(const ptx::Operand &operand) {
  return operand.kind == ptx::Operand::Kind::Vector
             ? unsigned(operand.elements.size())
             : 1;
}

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_ISA_MATRIX_H
