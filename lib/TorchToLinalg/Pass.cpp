//===- Pass.cpp - kclaw-torch-to-linalg -----------------------------------===//
//
// Lowers each function of the module.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/TorchToLinalg/Passes.h"

#include "kernelclaw/TorchToLinalg/TorchToLinalg.h"

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace kclaw {
#define GEN_PASS_DEF_TORCHTOLINALG
#include "kernelclaw/TorchToLinalg/Passes.h.inc"

namespace {
struct TorchToLinalg : impl::TorchToLinalgBase<TorchToLinalg> {
  using TorchToLinalgBase::TorchToLinalgBase;

  void runOnOperation() override {
    LinalgOptions options;
    options.widenToF64 = widenToF64;
    for (auto function : getOperation().getOps<mlir::func::FuncOp>())
      if (mlir::failed(lowerTorchToLinalg(function, options)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace kclaw
