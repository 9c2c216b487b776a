//===- KernelBuilder.h - One GPU kernel under construction ------*- C++ -*-===//
//
// A gpu.func whose arguments are the host buffers it turns out to need. Views
// of the host (subview, reshape, cast) become one reinterpret_cast of the root
// buffer inside the kernel, so kernels take base pointers only. Dynamic sizes
// and host scalars become arguments by value, one for each distinct expression.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_KERNELBUILDER_H
#define KERNELCLAW_LIB_PLANEXPORT_KERNELBUILDER_H

#include "HostSizes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace kclaw {

/// Threads of a block in every kernel but the one-thread ones.
inline constexpr int64_t blockThreads = 256;

/// The buffer behind a chain of views.
mlir::Value rootBuffer(mlir::Value view);

class KernelBuilder {
public:
  /// The kernel's launch replaces (goes before) the host op `site`.
  KernelBuilder(mlir::gpu::GPUModuleOp module, llvm::StringRef name,
                mlir::Operation *site, HostSizes &sizes);

  mlir::Location loc() const { return site->getLoc(); }

  /// `view` of the host as a strided memref inside the kernel; fails with a
  /// diagnostic when its layout is not known on the host.
  mlir::FailureOr<mlir::Value> buffer(mlir::Value view);
  mlir::Value sharedBuffer(int64_t elements, mlir::Type elementType);

  /// Makes everything that `region` uses from the host available in `map`:
  /// buffers, constants and pure scalar ops on those.
  mlir::LogicalResult mapCaptured(mlir::Region &region, mlir::IRMapping &map);

  mlir::Value index(int64_t value);
  mlir::Value index(Size size);
  mlir::Value blockId();
  mlir::Value threadId();
  /// blockId * blockThreads + threadId.
  mlir::Value globalId();
  /// Row-major coordinates of `linear` in a space of `sizes`; 32-bit division
  /// where the space allows it.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value linear,
                                             llvm::ArrayRef<Size> sizes);
  llvm::SmallVector<mlir::Value> applyMap(mlir::AffineMap map,
                                          mlir::ValueRange dims);
  mlir::Value less(mlir::Value a, mlir::Value b);

  /// Ends the kernel and launches it on `blocks` x `threads`.
  void launch(Size blocks, int64_t threads);

  mlir::OpBuilder b; ///< inserts into the kernel's body
  HostSizes &sizes;

private:
  mlir::Value addArgument(mlir::Value host);
  mlir::Value rootArgument(mlir::Value root);
  mlir::Value dynamicView(mlir::Value view, mlir::Value root);
  mlir::FailureOr<mlir::Value> scalar(mlir::Value value);

  mlir::Operation *site;
  mlir::gpu::GPUFuncOp function;
  llvm::SmallVector<mlir::Value> hostArguments;
  llvm::DenseMap<mlir::Value, mlir::Value> views;
  llvm::DenseMap<mlir::Value, mlir::Value> dynamicViews;
  llvm::DenseMap<Size, mlir::Value> indices; ///< arguments, by expression
};

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_KERNELBUILDER_H
