//===- Ptx.cpp - gpu.module to PTX text -----------------------------------===//
//
// Upstream's NVVM pipeline, with an early and clear error when math functions
// need libdevice and there is none.
//
//===----------------------------------------------------------------------===//
#include "Ptx.h"

#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

using namespace mlir;

static bool holdsLibdevice(const std::string &root) {
  return !root.empty() &&
         llvm::sys::fs::exists(root + "/nvvm/libdevice/libdevice.10.bc");
}

std::string kclaw::findLibdeviceRoot(const std::string &cudaRoot) {
  auto environment = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  for (const std::string &root :
       {cudaRoot, environment("KERNELCLAW_CUDA_ROOT"), environment("CUDA_HOME"),
        environment("CUDA_PATH"), std::string(KCLAW_CUDA_ROOT),
        std::string("/usr/local/cuda"), std::string("/opt/cuda")})
    if (holdsLibdevice(root))
      return root;
  return "";
}

static LogicalResult lowerToNvvm(ModuleOp module, StringRef arch) {
  PassManager pm(module.getContext());
  GpuNVVMAttachTargetOptions target;
  target.chip = arch.str();
  target.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(target));
  OpPassManager &gpu = pm.nest<gpu::GPUModuleOp>();
  gpu.addPass(memref::createExpandStridedMetadataPass());
  gpu.addPass(createLowerAffinePass());
  gpu.addPass(createCanonicalizerPass());
  gpu.addPass(createCSEPass());
  gpu.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions convert;
  convert.useBarePtrCallConv = true;
  gpu.addPass(createConvertGpuOpsToNVVMOps(convert));
  gpu.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}

/// The first libdevice function that the kernels call; empty if none.
static std::string libdeviceCall(ModuleOp module) {
  std::string found;
  module.walk([&](LLVM::LLVMFuncOp function) {
    if (function.getName().starts_with("__nv_") && found.empty())
      found = function.getName().str();
  });
  return found;
}

FailureOr<std::string> kclaw::compileToPtx(ModuleOp module, StringRef arch,
                                           const std::string &cudaRoot) {
  if (failed(lowerToNvvm(module, arch)))
    return failure();
  std::string root = findLibdeviceRoot(cudaRoot);
  std::string call = libdeviceCall(module);
  if (!call.empty() && root.empty())
    return module.emitError("kernels call ")
           << call
           << ", but no folder has nvvm/libdevice/libdevice.10.bc (tried the "
              "cuda-root option, KERNELCLAW_CUDA_ROOT, CUDA_HOME, CUDA_PATH, "
           << KCLAW_CUDA_ROOT
           << "); install a CUDA toolkit or NVIDIA's nvvm wheel and set "
              "KERNELCLAW_CUDA_ROOT";
  PassManager pm(module.getContext());
  GpuModuleToBinaryPassOptions options;
  options.toolkitPath = root;
  options.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(options));
  if (failed(pm.run(module)))
    return failure();
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    std::string text = object.getObject().getValue().str();
    while (!text.empty() && text.back() == '\0')
      text.pop_back();
    return text;
  }
  return module.emitError("gpu-module-to-binary left no binary");
}
