//===- LinalgToGpu.cpp - kclaw-linalg-to-gpu ------------------------------===//
//
// Fuses and bufferizes, then turns each host op that computes or copies into a
// kernel by the table below. The verifier at the end is the promise: the host
// touches no device memory.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"
#include "LibrarySteps.h"
#include "PrepareTensors.h"

#include "kernelclaw/PlanExport/Passes.h"
#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace kclaw {
#define GEN_PASS_DEF_LINALGTOGPU
#include "kernelclaw/PlanExport/Passes.h.inc"
} // namespace kclaw

using namespace kclaw;

namespace {

/// How one host op becomes a kernel: the first row whose `wants` says yes.
struct KernelKind {
  bool (*wants)(const GenericBody &);
  LogicalResult (*emit)(GenericBody &, KernelNames &);
};
constexpr KernelKind kernelKinds[] = {
    {wantsTiles, emitTiledKernel},
    {wantsBlockPerOutput, emitBlockKernel},
    {[](const GenericBody &) { return true; }, emitThreadKernel},
};

LogicalResult emitGeneric(linalg::GenericOp op, KernelNames &names) {
  GenericBody body(op, names.sizes);
  if (body.outputs() == 0)
    return success();
  for (const KernelKind &kind : kernelKinds)
    if (kind.wants(body))
      return kind.emit(body, names);
  return failure();
}

bool isView(Operation *op) {
  return isa<ViewLikeOpInterface>(op) || isa<memref::AllocOp>(op) ||
         isa<memref::GetGlobalOp>(op);
}

/// Every host op as linalg.generic, loop, view or launch.
LogicalResult toGenerics(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<Operation *> ops;
  for (Operation &op : function.front())
    ops.push_back(&op);
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    } else if (isa<memref::DeallocOp>(op)) {
      rewriter.eraseOp(op);
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
               linalgOp && !isa<linalg::GenericOp>(op)) {
      if (failed(linalg::generalizeNamedOp(rewriter, linalgOp)))
        return op->emitOpError("cannot be written as linalg.generic");
    }
  }
  return success();
}

/// Constant or scalar inputs (`ins(%cst : f32)`) are used from the body.
void captureScalarInputs(linalg::GenericOp op) {
  IRRewriter rewriter(op.getContext());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector erased(op.getBody()->getNumArguments());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (isa<MemRefType>(operand->get().getType())) {
      inputs.push_back(operand->get());
      maps.push_back(op.getMatchingIndexingMap(operand));
      continue;
    }
    op.getMatchingBlockArgument(operand).replaceAllUsesWith(operand->get());
    erased.set(operand->getOperandNumber());
  }
  if (erased.none())
    return;
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  op.getBody()->eraseArguments(erased);
  op.getInputsMutable().assign(inputs);
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

/// Sizes of views and temporaries become arithmetic on sizes of arguments.
void resolveDims(func::FuncOp function, HostSizes &sizes) {
  SmallVector<memref::DimOp> dims(function.front().getOps<memref::DimOp>());
  for (memref::DimOp dim : dims) {
    OpBuilder builder(dim);
    if (std::optional<int64_t> index = dim.getConstantIndex())
      dim.getResult().replaceAllUsesWith(sizes.materialize(
          builder, dim.getLoc(), sizes.dim(dim.getSource(), *index)));
  }
}

/// The next generic behind `op`, with nothing between that touches memory.
linalg::GenericOp nextGeneric(Operation *op) {
  for (op = op->getNextNode(); op; op = op->getNextNode()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      return generic;
    if (!isView(op) && !isPure(op))
      break;
  }
  return {};
}

/// `library`: who takes contractions first, or null.
LogicalResult emitKernels(func::FuncOp function, KernelNames &names,
                          LibrarySteps *library) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("has branches; GPU kernels need straight code");
  if (failed(toGenerics(function)))
    return failure();
  SmallVector<Operation *> ops;
  for (Operation &op : function.front())
    ops.push_back(&op);
  llvm::SmallPtrSet<Operation *, 4> taken;
  for (Operation *op : ops) {
    LogicalResult emitted = success();
    if (taken.contains(op)) {
      // The library did it together with the one before.
    } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      captureScalarInputs(generic);
      SmallVector<Operation *> done;
      if (library) {
        linalg::GenericOp next = nextGeneric(op);
        if (next)
          captureScalarInputs(next);
        GenericBody body(generic, names.sizes);
        done = library->emit(body, next);
      }
      taken.insert(done.begin(), done.end());
      if (done.empty())
        emitted = emitGeneric(generic, names);
    } else if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
      emitted = emitSequentialKernel(op, names);
    } else if (auto convolution = dyn_cast<claw::ConvolutionOp>(op);
               convolution && library) {
      emitted = library->emit(convolution);
    } else {
      continue;
    }
    if (failed(emitted))
      return failure();
    op->erase();
  }
  return success();
}

/// Names the first host op that touches device memory.
LogicalResult verifyHost(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    if (op == function || isView(op) ||
        isa<gpu::LaunchFuncOp, claw::MatmulStepOp, claw::ConvolutionStepOp,
            func::ReturnOp>(op) ||
        op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    if (isMemoryEffectFree(op) && op->getNumRegions() == 0)
      return WalkResult::advance();
    op->emitOpError("is left on the host and would touch device memory; "
                    "kclaw-linalg-to-gpu has no kernel for it");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct LinalgToGpu : kclaw::impl::LinalgToGpuBase<LinalgToGpu> {
  using LinalgToGpuBase::LinalgToGpuBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LinalgToGpuBase::getDependentDialects(registry);
    registerPlanExportInterfaces(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(prepareTensors(module)) || failed(bufferizeModule(module)))
      return signalPassFailure();
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(&getContext()));
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal())
        continue;
      OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
      std::string name = (function.getName() + "_kernels").str();
      auto kernels = gpu::GPUModuleOp::create(builder, function.getLoc(), name);
      HostSizes sizes(function);
      resolveDims(function, sizes);
      KernelNames names{kernels, sizes, function.getName().str()};
      LibrarySteps steps(function, sizes, library == "tf32",
                         library != "strict");
      if (failed(
              emitKernels(function, names, library.empty() ? nullptr : &steps)))
        return signalPassFailure();
    }
    PassManager pm(&getContext());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
    if (failed(pm.run(module)))
      return signalPassFailure();
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && failed(verifyHost(function)))
        return signalPassFailure();
  }
};

} // namespace
