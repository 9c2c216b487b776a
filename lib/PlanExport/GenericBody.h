//===- GenericBody.h - A linalg.generic seen by the kernels -----*- C++ -*-===//
//
// Iteration space in the order that suits memory, the scalar body, and the
// combiner of a plain reduction.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_GENERICBODY_H
#define KERNELCLAW_LIB_PLANEXPORT_GENERICBODY_H

#include "KernelBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kclaw {

/// `out = combiner(out, term)` where the term does not depend on out.
struct Combiner {
  mlir::Operation *op = nullptr; ///< in the body of the generic
  mlir::TypedAttr neutral;
};

class GenericBody {
public:
  GenericBody(mlir::linalg::GenericOp op, HostSizes &hostSizes);

  mlir::linalg::GenericOp op;
  HostSizes &hostSizes;
  llvm::SmallVector<Size> sizes;         ///< of all loops
  llvm::SmallVector<unsigned> parallel;  ///< last one contiguous in output 0
  llvm::SmallVector<unsigned> reduction; ///< loop order
  std::optional<Combiner> combiner;      ///< single output only

  llvm::SmallVector<Size> sizesOf(llvm::ArrayRef<unsigned> loops) const;
  Size product(llvm::ArrayRef<unsigned> loops) const;
  Size outputs() const { return product(parallel); }
  Size reduced() const { return product(reduction); }
  /// A size as a number, to choose kernels by.
  int64_t estimate(Size size) const { return hostSizes.estimate(size); }
  /// The last reduction loop walks input 0 with stride 1.
  bool reducesContiguously() const;

  /// Loads the inputs at `dims` (one value per loop), evaluates the body with
  /// `accumulators` as outputs, returns what it yields.
  llvm::SmallVector<mlir::Value> evaluate(KernelBuilder &kernel,
                                          const mlir::IRMapping &captured,
                                          mlir::ValueRange dims,
                                          mlir::ValueRange accumulators);

  /// A value of the body that depends on one input only, at `dims`.
  mlir::Value factorValue(KernelBuilder &kernel,
                          const mlir::IRMapping &captured, unsigned input,
                          mlir::Value value, mlir::ValueRange dims);

  /// Start value of output i at `dims`: the noted constant or what is stored.
  /// Null when the body does not read it.
  mlir::Value start(KernelBuilder &kernel, unsigned output,
                    mlir::ValueRange dims);
  void store(KernelBuilder &kernel, mlir::ValueRange dims,
             mlir::ValueRange values);

  mlir::Value combine(KernelBuilder &kernel, mlir::Value a, mlir::Value b);
  mlir::Value neutral(KernelBuilder &kernel);

  /// Makes kernel-side views of all operands and captured values; to be called
  /// at the top of the kernel.
  mlir::LogicalResult bind(KernelBuilder &kernel, mlir::IRMapping &captured);

private:
  llvm::SmallVector<mlir::Value> buffers; ///< kernel side, one per operand
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_GENERICBODY_H
