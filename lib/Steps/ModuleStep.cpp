//===- ModuleStep.cpp - Device code and constants of a module -------------===//
//
// What NAME_load does, once: cuLibraryLoadData keeps kernels that no context
// owns, so one handle serves every thread and device.
//
//===----------------------------------------------------------------------===//
#include "CallError.h"

#include <cstring>
#include <memory>
#include <new>

struct kcl_module {
  CUlibrary library = nullptr;
  std::string text; ///< PTX with the final NUL that the driver needs
};

using namespace kclaw;

/// ELF (cubin) and fatbin start with a magic number; PTX is text.
static bool isText(const void *image, uint64_t bytes) {
  static const unsigned char elf[4] = {0x7f, 'E', 'L', 'F'};
  static const unsigned char fatbin[4] = {0x50, 0xed, 0x55, 0xba};
  return bytes < 4 || (std::memcmp(image, elf, 4) != 0 &&
                       std::memcmp(image, fatbin, 4) != 0);
}

int32_t kclModuleLoad(const void *image, uint64_t bytes, kcl_module **module,
                      kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  CUresult result = ensureContext(*api);
  if (result != CUDA_SUCCESS)
    return reportDriverError(*api, result, "loading device code: no context",
                             call);
  std::unique_ptr<kcl_module> loaded(new (std::nothrow) kcl_module);
  if (!loaded)
    return reportError(KCL_NO_MEMORY, "loading device code: no memory", call);
  if (isText(image, bytes)) {
    loaded->text.assign(static_cast<const char *>(image), bytes);
    image = loaded->text.c_str();
  }
  result = api->cuLibraryLoadData(&loaded->library, image, nullptr, nullptr, 0,
                                  nullptr, nullptr, 0);
  if (result != CUDA_SUCCESS)
    return reportDriverError(
        *api, result,
        "loading " + std::to_string(bytes) + " bytes of device code", call);
  *module = loaded.release();
  return KCL_OK;
}

int32_t kclModuleUnload(kcl_module *module, kcl_call *call) {
  if (!module)
    return KCL_OK;
  std::unique_ptr<kcl_module> owned(module);
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  CUresult result = api->cuLibraryUnload(owned->library);
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  return reportDriverError(*api, result, "unloading device code", call);
}

/// Raises the limit of dynamic shared memory. Always when any is asked for:
/// 48 KiB dynamic plus one static byte needs it too.
static int32_t allowShared(const DriverApi &api, CUkernel kernel,
                           const char *entry, uint32_t bytes, kcl_call *call) {
  CUdevice device = 0;
  CUresult result = api.cuCtxGetDevice(&device);
  if (result == CUDA_SUCCESS)
    result = api.cuKernelSetAttribute(
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        static_cast<int>(bytes), kernel, device);
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  int limit = 0;
  int fixed = 0;
  (void)api.cuDeviceGetAttribute(
      &limit, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  (void)api.cuKernelGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                 kernel, device);
  return reportDriverError(api, result,
                           "kernel '" + std::string(entry) + "' asks for " +
                               std::to_string(bytes) + " dynamic and " +
                               std::to_string(fixed) +
                               " static bytes of shared memory, the device "
                               "allows " +
                               std::to_string(limit) + " a block",
                           call);
}

int32_t kclModuleFunction(kcl_module *module, const char *entry,
                          uint32_t shared_bytes, void **function,
                          kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  CUkernel kernel = nullptr;
  CUresult result = api->cuLibraryGetKernel(&kernel, module->library, entry);
  if (result != CUDA_SUCCESS)
    return reportDriverError(
        *api, result, "looking up kernel '" + std::string(entry) + "'", call);
  *function = kernel;
  CUdevice device = 0;
  if (api->cuCtxGetDevice(&device) == CUDA_SUCCESS)
    // Clusters of 16 are allowed on request only; others do not mind.
    (void)api->cuKernelSetAttribute(
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1, kernel, device);
  if (shared_bytes == 0)
    return KCL_OK;
  return allowShared(*api, kernel, entry, shared_bytes, call);
}

int32_t kclConstantLoad(const void *bytes, uint64_t size, void **device,
                        kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  std::string what =
      "uploading a constant of " + std::to_string(size) + " bytes";
  CUdeviceptr memory = 0;
  CUresult result = ensureContext(*api);
  if (result == CUDA_SUCCESS)
    result = api->cuMemAlloc(&memory, size ? size : 1);
  if (result != CUDA_SUCCESS)
    return reportDriverError(*api, result, what, call);
  if (size)
    result = api->cuMemcpyHtoD(memory, bytes, size);
  if (result != CUDA_SUCCESS) {
    (void)api->cuMemFree(memory);
    return reportDriverError(*api, result, what, call);
  }
  *device = reinterpret_cast<void *>(memory);
  return KCL_OK;
}

int32_t kclConstantsWait(kcl_call *call) {
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  // A copy from pageable memory returns once the bytes are staged; it runs on
  // the null stream, which non-blocking streams do not wait for.
  CUresult result = api->cuStreamSynchronize(nullptr);
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  return reportDriverError(*api, result, "waiting for the upload of constants",
                           call);
}

int32_t kclConstantUnload(void *device, kcl_call *call) {
  if (!device)
    return KCL_OK;
  const DriverApi *api = driver(call);
  if (!api)
    return KCL_UNAVAILABLE;
  CUresult result = api->cuMemFree(reinterpret_cast<CUdeviceptr>(device));
  if (result == CUDA_SUCCESS)
    return KCL_OK;
  return reportDriverError(*api, result, "freeing a constant", call);
}
