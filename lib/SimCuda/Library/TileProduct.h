//===- TileProduct.h - Matrix products tile by tile -------------*- C++ -*-===//
//
// The loops that matmul and convolution share. Operands are produced and
// results taken a tile at a time, so that a convolution is a product whose
// right operand is never stored.
//
// Each result is summed in blocks of `depth` terms, in order, each block by
// fused multiply-adds from zero, and the blocks in order: the same bits
// whatever the number of host threads, and an error that grows with
// depth + k / depth.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_LIBRARY_TILEPRODUCT_H
#define KERNELCLAW_LIB_SIMCUDA_LIBRARY_TILEPRODUCT_H

#include <cstdint>
#include <functional>

namespace kclaw::sim {

struct Span {
  int64_t begin = 0, count = 0;
};

/// T: float, double, or uint32_t (sums that wrap around).
template <class T> struct TileProduct {
  static constexpr int64_t rows = 64, columns = 128, depth = 256;
  int64_t batch = 0, m = 0, n = 0, k = 0;
  /// Element (i, p) of the left operand to to[i * depth + p], from the tile's
  /// start. Called by several threads.
  std::function<void(int64_t batch, Span i, Span p, T *to)> left;
  /// Element (p, j) of the right operand to to[p * columns + j].
  std::function<void(int64_t batch, Span p, Span j, T *to)> right;
  /// Sum (i, j) is sums[i * columns + j].
  std::function<void(int64_t batch, Span i, Span j, const T *sums)> result;

  /// Exceptions of the functions end the program.
  void run(unsigned threads) const;
};

extern template struct TileProduct<float>;
extern template struct TileProduct<double>;
extern template struct TileProduct<uint32_t>;

} // namespace kclaw::sim

#endif // KERNELCLAW_LIB_SIMCUDA_LIBRARY_TILEPRODUCT_H
