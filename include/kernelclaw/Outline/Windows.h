//===- Windows.h - Windows that slide over images ---------------*- C++ -*-===//
//
// Of convolutions and pools, as their constants say.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_OUTLINE_WINDOWS_H
#define KERNELCLAW_OUTLINE_WINDOWS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace kclaw {

/// Along one dimension of the image.
struct Window {
  int64_t kernel = 1; ///< elements of the window
  int64_t stride = 1;
  int64_t padding = 0; ///< on either side
  int64_t dilation = 1;

  /// Elements of the result over `size` of the input; below 1: none.
  int64_t results(int64_t size) const {
    int64_t span = size + 2 * padding - dilation * (kernel - 1) - 1;
    return span < 0 ? 0 : span / stride + 1;
  }
};

/// How many dimensions an op's windows have, which are the last of operand and
/// result: 2 of max_pool2d; 0 where its name does not say.
int64_t imageRank(mlir::Operation *op);

/// One for each of these dimensions. None where a number is not constant, where
/// results are rounded up (ceil_mode), of transposed convolutions, and of
/// adaptive pools, whose windows depend on the size.
std::optional<llvm::SmallVector<Window>> windowsOf(mlir::Operation *op);

} // namespace kclaw

#endif // KERNELCLAW_OUTLINE_WINDOWS_H
