//===- Function.cpp - cuFunc*, cuKernel* ----------------------------------===//
#include "Driver.h"

#include <algorithm>

namespace kclaw::sim::api {

namespace {

struct AttributeRow {
  CUfunction_attribute attribute;
  int (*get)(const Kernel &k);
  /// Null: read only. False: not such a value.
  bool (*set)(Kernel &k, int value) = nullptr;
};

int constBytes(const Kernel &k) {
  uint64_t bytes = 0;
  for (const auto &[name, global] : k.image->program->globals())
    if (global.space == ptx::Space::Const)
      bytes += global.bytes;
  return int(bytes);
}

int clusterSide(uint32_t side) { return int(side); }

const AttributeRow rows[] = {
    {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
     [](const Kernel &k) { return int(k.maxThreads()); }},
    {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
     [](const Kernel &k) { return int(k.function->sharedBytes); }},
    {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, constBytes},
    {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
     [](const Kernel &k) { return int(k.function->localBytes); }},
    {CU_FUNC_ATTRIBUTE_NUM_REGS, [](const Kernel &k) { return k.registers; }},
    {CU_FUNC_ATTRIBUTE_PTX_VERSION,
     [](const Kernel &k) { return int(k.ptxVersion); }},
    {CU_FUNC_ATTRIBUTE_BINARY_VERSION,
     [](const Kernel &k) { return int(k.binaryVersion); }},
    {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, [](const Kernel &) { return 0; }},
    {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
     [](const Kernel &k) { return k.maxDynamicShared; },
     [](Kernel &k, int value) {
       int room =
           driver().model().sharedBytesOptin - int(k.function->sharedBytes);
       if (value < 0 || value > room)
         return false;
       k.maxDynamicShared = value;
       return true;
     }},
    {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
     [](const Kernel &k) { return k.carveout; },
     [](Kernel &k, int value) {
       k.carveout = value;
       return value >= -1 && value <= 100;
     }},
    {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
     [](const Kernel &k) { return int(k.requiresCluster); }},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
     [](const Kernel &k) { return clusterSide(k.requiredCluster.x); },
     [](Kernel &k, int value) {
       k.requiredCluster.x = uint32_t(value);
       k.requiredCluster.y = std::max(k.requiredCluster.y, 1u);
       k.requiredCluster.z = std::max(k.requiredCluster.z, 1u);
       return value > 0;
     }},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
     [](const Kernel &k) { return clusterSide(k.requiredCluster.y); },
     [](Kernel &k, int value) {
       k.requiredCluster.y = uint32_t(value);
       return value > 0;
     }},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
     [](const Kernel &k) { return clusterSide(k.requiredCluster.z); },
     [](Kernel &k, int value) {
       k.requiredCluster.z = uint32_t(value);
       return value > 0;
     }},
    {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
     [](const Kernel &k) { return int(k.nonPortableCluster); },
     [](Kernel &k, int value) {
       k.nonPortableCluster = value != 0;
       return true;
     }},
    {CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
     [](const Kernel &k) { return k.schedulingPolicy; },
     [](Kernel &k, int value) {
       k.schedulingPolicy = value;
       return value >= 0 && value <= 2;
     }},
};

const AttributeRow &rowOf(CUfunction_attribute attribute) {
  for (const AttributeRow &row : rows)
    if (row.attribute == attribute)
      return row;
  fail(CUDA_ERROR_INVALID_VALUE);
}

void get(int *out, CUfunction_attribute attribute, const void *kernel) {
  require(out);
  const AttributeRow &row = rowOf(attribute);
  *out = row.get(kernelOf(kernel));
}

void set(CUfunction_attribute attribute, int value, const void *kernel) {
  const AttributeRow &row = rowOf(attribute);
  require(row.set && row.set(kernelOf(kernel), value));
}

void parameterInfo(const void *handle, size_t index, size_t *offset,
                   size_t *bytes) {
  Kernel &kernel = kernelOf(handle);
  require(offset);
  require(index < kernel.parameters.size());
  *offset = kernel.parameters[index].offset;
  if (bytes)
    *bytes = kernel.parameters[index].bytes;
}

void requireDevice(CUdevice device) {
  require(device == 0, CUDA_ERROR_INVALID_DEVICE);
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuFuncGetAttribute(int *out, CUfunction_attribute attribute,
                           CUfunction f) {
  return call(Needs::Context, [&] { get(out, attribute, f); });
}
KCL_API cuFuncSetAttribute(CUfunction f, CUfunction_attribute attribute,
                           int value) {
  return call(Needs::Context, [&] { set(attribute, value, f); });
}
KCL_API cuFuncSetCacheConfig(CUfunction f, CUfunc_cache config) {
  return call(Needs::Context, [&] {
    kernelOf(f);
    require(unsigned(config) <= CU_FUNC_CACHE_PREFER_EQUAL);
  });
}
KCL_API cuFuncSetSharedMemConfig(CUfunction f, CUsharedconfig config) {
  return call(Needs::Context, [&] {
    kernelOf(f);
    require(unsigned(config) <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
  });
}
KCL_API cuFuncGetModule(CUmodule *out, CUfunction f) {
  return call(Needs::Context, [&] {
    require(out);
    *out = Registry<CUmodule, Image>::handle(*kernelOf(f).image);
  });
}
KCL_API cuFuncGetName(const char **out, CUfunction f) {
  return call(Needs::Context, [&] {
    require(out);
    *out = kernelOf(f).name.c_str();
  });
}
KCL_API cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset,
                           size_t *bytes) {
  return call(Needs::Context, [&] { parameterInfo(f, index, offset, bytes); });
}
KCL_API cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f) {
  return call(Needs::Context, [&] {
    require(state);
    kernelOf(f);
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
  });
}
KCL_API cuFuncLoad(CUfunction f) {
  return call(Needs::Context, [&] { kernelOf(f); });
}

KCL_API cuKernelGetFunction(CUfunction *out, CUkernel kernel) {
  return call(Needs::Context, [&] {
    require(out);
    kernelOf(kernel);
    *out = reinterpret_cast<CUfunction>(kernel);
  });
}
KCL_API cuKernelGetLibrary(CUlibrary *out, CUkernel kernel) {
  return call(Needs::Init, [&] {
    require(out);
    *out = reinterpret_cast<CUlibrary>(kernelOf(kernel).image);
  });
}
KCL_API cuKernelGetAttribute(int *out, CUfunction_attribute attribute,
                             CUkernel kernel, CUdevice device) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    get(out, attribute, kernel);
  });
}
KCL_API cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                             CUkernel kernel, CUdevice device) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    set(attribute, value, kernel);
  });
}
KCL_API cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config,
                               CUdevice device) {
  return call(Needs::Init, [&] {
    requireDevice(device);
    kernelOf(kernel);
    require(unsigned(config) <= CU_FUNC_CACHE_PREFER_EQUAL);
  });
}
KCL_API cuKernelGetName(const char **out, CUkernel kernel) {
  return call(Needs::Init, [&] {
    require(out);
    *out = kernelOf(kernel).name.c_str();
  });
}
KCL_API cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                             size_t *bytes) {
  return call(Needs::Init,
              [&] { parameterInfo(kernel, index, offset, bytes); });
}
