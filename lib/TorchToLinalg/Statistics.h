//===- Statistics.h - Mean and variance for the families --------*- C++ -*-===//
//
// Shared by reductions, norms and losses. Statistics are kept in f64 and have
// the rank of their source less the reduced dims.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_TORCHTOLINALG_STATISTICS_H
#define KERNELCLAW_LIB_TORCHTOLINALG_STATISTICS_H

#include "OpContext.h"

namespace kclaw {

mlir::OpFoldResult elementCount(OpContext &c, Tensor x,
                                llvm::ArrayRef<int64_t> over);
Tensor meanOf(OpContext &c, Tensor x, llvm::ArrayRef<int64_t> over);
/// Two passes: the mean of (x - mean)^2 over n - correction elements.
Tensor varianceOf(OpContext &c, Tensor x, Tensor mean,
                  llvm::ArrayRef<int64_t> over, double correction);
/// The map that reads a statistic in the iteration space of its source.
mlir::AffineMap statisticMap(OpContext &c, int64_t rank,
                             llvm::ArrayRef<int64_t> over);

/// Row statistics of a softmax over `dim`: the maximum (0 for infinite ones if
/// `finite`) and the sum of exp(x - maximum), in f64.
struct SoftmaxRow {
  Tensor max, sum;
  mlir::AffineMap map;
};
SoftmaxRow softmaxRow(OpContext &c, Tensor x, llvm::ArrayRef<int64_t> over,
                      bool finite);

} // namespace kclaw

#endif // KERNELCLAW_LIB_TORCHTOLINALG_STATISTICS_H
