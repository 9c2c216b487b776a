//===- Pipeline.cpp - The bundle kclaw-lower ------------------------------===//
//
// Reads from top to bottom; the two devices meet in form M (Lower.h).
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/TorchToLinalg/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace kclaw {

/// linalg on tensors -> linalg on memrefs, results still returned.
static void addBufferization(OpPassManager &pm) {
  pm.addPass(createFuseElementwisePass());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(memref::createResolveShapedTypeResultDimsPass());
  function.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  OpPassManager &memrefs = pm.nest<func::FuncOp>();
  memrefs.addPass(bufferization::createBufferHoistingPass());
  memrefs.addPass(bufferization::createBufferLoopHoistingPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// 16-bit floats compute in f32, as PyTorch's CPU kernels do.
static void addSmallFloats(OpPassManager &pm) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  math::MathExtendToSupportedTypesOptions extend;
  extend.targetTypeStr = "f32";
  function.addPass(math::createMathExtendToSupportedTypes(extend));
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16", "f16"};
  emulate.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  pm.addPass(createNarrowFloatsPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
}

/// What is left after the entry ABI -> LLVM dialect.
static void addToLlvm(OpPassManager &pm) {
  pm.addPass(createExpandMemrefsPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  // One walk for all dialects: on 200 repeated blocks a pass for each takes
  // five times as long. registerLowerDialects registers their interfaces.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled)));
  pm.addPass(createCSEPass());
}

void buildLowerPipeline(OpPassManager &pm, TargetDevice device) {
  std::string name = device == TargetDevice::Cpu ? "cpu" : "cuda";
  pm.addPass(createRecordAbiPass());
  if (device == TargetDevice::Cpu) {
    pm.addPass(createKClawLabelDims());
    pm.addPass(createTorchToLinalg());
  }
  pm.addPass(createInlineRegionsPass());
  if (device == TargetDevice::Cpu) {
    pm.addPass(createSizeChecksPass());
    addBufferization(pm);
  }
  pm.addPass(createOutParamsPass());
  pm.addPass(createPlanMemoryPass());
  CopiesPassOptions copies;
  copies.device = name;
  pm.addPass(createCopiesPass(copies));
  if (device == TargetDevice::Cpu) {
    pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
    addSmallFloats(pm);
  }
  pm.addPass(createLowerAffinePass());
  pm.addPass(createControlFlowPass());
  EntryAbiPassOptions abi;
  abi.device = name;
  pm.addPass(createEntryAbiPass(abi));
  addToLlvm(pm);
}

namespace {
struct LowerOptions : PassPipelineOptions<LowerOptions> {
  Option<TargetDevice> device{
      *this, "device", llvm::cl::desc("where the module runs"),
      llvm::cl::init(TargetDevice::Cpu),
      llvm::cl::values(clEnumValN(TargetDevice::Cpu, "cpu", "host code"),
                       clEnumValN(TargetDevice::Cuda, "cuda",
                                  "claw steps on a CUDA device"))};
};
} // namespace

void registerLowerPipelines() {
  PassPipelineRegistration<LowerOptions>(
      "kclaw-lower",
      "linalg (cpu) or claw steps (cuda) to the LLVM dialect "
      "with the entry ABI",
      [](OpPassManager &pm, const LowerOptions &options) {
        buildLowerPipeline(pm, options.device);
      });
}

} // namespace kclaw
