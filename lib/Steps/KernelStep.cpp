//===- KernelStep.cpp - Launching a kernel --------------------------------===//
//
// One cuLaunchKernelEx. The fast path touches nothing else: a thread without a
// context is noticed by the driver's answer, not asked for before each launch.
//
//===----------------------------------------------------------------------===//
#include "CallError.h"

namespace kclaw {

static std::string size3(const uint32_t (&size)[3]) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
         std::to_string(size[2]);
}

/// "launching 'softmax' grid 4096x1x1 block 1024x1x1, 49152 shared bytes"
static std::string describe(const DriverApi &api, const kcl_kernel_step &step) {
  const char *name = nullptr;
  if (!api.cuKernelGetName ||
      api.cuKernelGetName(&name, static_cast<CUkernel>(step.function)) !=
          CUDA_SUCCESS)
    name = nullptr;
  std::string text = "launching '";
  text += name ? name : "kernel";
  text += "' grid " + size3(step.grid) + " block " + size3(step.block);
  if (step.cluster[0] * step.cluster[1] * step.cluster[2] > 1)
    text += " cluster " + size3(step.cluster);
  if (step.shared_bytes)
    text += ", " + std::to_string(step.shared_bytes) + " shared bytes";
  return text;
}

static CUresult launch(const DriverApi &api, const kcl_kernel_step &step,
                       CUstream stream) {
  CUlaunchAttribute attributes[2];
  CUlaunchConfig config = {};
  config.gridDimX = step.grid[0];
  config.gridDimY = step.grid[1];
  config.gridDimZ = step.grid[2];
  config.blockDimX = step.block[0];
  config.blockDimY = step.block[1];
  config.blockDimZ = step.block[2];
  config.sharedMemBytes = step.shared_bytes;
  config.hStream = stream;
  config.attrs = attributes;
  if (step.cluster[0] > 1 || step.cluster[1] > 1 || step.cluster[2] > 1) {
    CUlaunchAttribute &cluster = attributes[config.numAttrs++];
    cluster = {};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = step.cluster[0];
    cluster.value.clusterDim.y = step.cluster[1];
    cluster.value.clusterDim.z = step.cluster[2];
  }
  if (step.cooperative) {
    CUlaunchAttribute &cooperative = attributes[config.numAttrs++];
    cooperative = {};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
  }
  return api.cuLaunchKernelEx(&config, static_cast<CUfunction>(step.function),
                              const_cast<void **>(step.args), nullptr);
}

} // namespace kclaw

using namespace kclaw;

int32_t kclStepKernel(const kcl_kernel_step *step, kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  if (!step->function)
    return reportError(KCL_NOT_LOADED,
                       "launching a kernel: its module is not loaded; call "
                       "NAME_load first",
                       call);
  // Tensors of a dynamic size may be empty; the driver refuses an empty grid.
  if (step->grid[0] == 0 || step->grid[1] == 0 || step->grid[2] == 0)
    return KCL_OK;
  CUresult result = launch(*api, *step, streamOf(call));
  if (result == CUDA_ERROR_INVALID_CONTEXT &&
      ensureContext(*api) == CUDA_SUCCESS)
    result = launch(*api, *step, streamOf(call));
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  return reportDriverError(*api, result, describe(*api, *step), call);
}
