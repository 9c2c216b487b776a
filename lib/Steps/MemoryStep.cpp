//===- MemoryStep.cpp - Memset and copy steps -----------------------------===//
#include "CallError.h"

using namespace kclaw;

static CUdeviceptr address(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

/// Runs `enqueue`, once more after giving the thread a context.
template <typename Enqueue>
static int32_t run(const std::string &what, kcl_call *call, Enqueue enqueue) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  CUresult result = enqueue(*api);
  if (result == CUDA_ERROR_INVALID_CONTEXT &&
      ensureContext(*api) == CUDA_SUCCESS)
    result = enqueue(*api);
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  return reportDriverError(*api, result, what, call);
}

int32_t kclStepMemset(const kcl_memset_step *step, kcl_call *call) {
  if (step->bytes == 0)
    return KCL_OK;
  return run("setting device memory", call, [&](const DriverApi &api) {
    return api.cuMemsetD8Async(address(step->target),
                               static_cast<unsigned char>(step->value),
                               step->bytes, streamOf(call));
  });
}

int32_t kclStepCopy(const kcl_copy_step *step, kcl_call *call) {
  if (step->rows == 0 || step->row_bytes == 0)
    return KCL_OK;
  bool dense = step->rows == 1 || (step->source_pitch == step->row_bytes &&
                                   step->target_pitch == step->row_bytes);
  if (dense)
    return run("copying device memory", call, [&](const DriverApi &api) {
      return api.cuMemcpyDtoDAsync(address(step->target), address(step->source),
                                   step->rows * step->row_bytes,
                                   streamOf(call));
    });
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = address(step->source);
  copy.srcPitch = step->source_pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = address(step->target);
  copy.dstPitch = step->target_pitch;
  copy.WidthInBytes = step->row_bytes;
  copy.Height = step->rows;
  return run("copying rows of device memory", call, [&](const DriverApi &api) {
    return api.cuMemcpy2DAsync(&copy, streamOf(call));
  });
}
