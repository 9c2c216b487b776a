//===- Absent.cpp - What exists only to say that it is not supported ------===//
#include "Driver.h"

using namespace kclaw::sim::api;

static CUresult notSupported() {
  return call(Needs::Init, [] { fail(CUDA_ERROR_NOT_SUPPORTED); });
}

KCL_API cuIpcGetEventHandle(CUipcEventHandle *, CUevent) {
  return notSupported();
}
KCL_API cuIpcOpenEventHandle(CUevent *, CUipcEventHandle) {
  return notSupported();
}
KCL_API cuIpcGetMemHandle(CUipcMemHandle *, CUdeviceptr) {
  return notSupported();
}
KCL_API cuIpcOpenMemHandle_v2(CUdeviceptr *, CUipcMemHandle, unsigned) {
  return notSupported();
}
KCL_API cuIpcCloseMemHandle(CUdeviceptr) { return notSupported(); }
KCL_API cuArrayCreate_v2(CUarray *, const CUDA_ARRAY_DESCRIPTOR *) {
  return notSupported();
}
KCL_API cuArray3DCreate_v2(CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *) {
  return notSupported();
}
KCL_API cuArrayDestroy(CUarray) { return notSupported(); }
KCL_API cuTexObjectCreate(CUtexObject *, const CUDA_RESOURCE_DESC *,
                          const CUDA_TEXTURE_DESC *,
                          const CUDA_RESOURCE_VIEW_DESC *) {
  return notSupported();
}
KCL_API cuTexObjectDestroy(CUtexObject) { return notSupported(); }
KCL_API cuMulticastCreate(CUmemGenericAllocationHandle *,
                          const CUmulticastObjectProp *) {
  return notSupported();
}
KCL_API cuStreamWaitValue32_v2(CUstream, CUdeviceptr, cuuint32_t, unsigned) {
  return notSupported();
}
KCL_API cuStreamWriteValue32_v2(CUstream, CUdeviceptr, cuuint32_t, unsigned) {
  return notSupported();
}
/// Private tables of NVIDIA's own libraries.
KCL_API cuGetExportTable(const void **table, const CUuuid *id) {
  return call(Needs::Nothing, [&] {
    require(table && id);
    *table = nullptr;
    fail(CUDA_ERROR_NOT_FOUND);
  });
}
