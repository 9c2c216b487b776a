//===- Module.cpp - cuModule*, cuLibrary* ---------------------------------===//
#include "Driver.h"

#include <fstream>
#include <iterator>

namespace kclaw::sim::api {

namespace {

std::string readFile(const char *path) {
  require(path);
  std::ifstream file(path, std::ios::binary);
  require(file.good(), CUDA_ERROR_FILE_NOT_FOUND);
  std::string data(std::istreambuf_iterator<char>(file), {});
  require(!data.empty(), CUDA_ERROR_INVALID_IMAGE);
  data.resize(data.size() + 16); // ends the text; room for a magic number
  return data;
}

Image &load(const void *data, unsigned count, CUjit_option *options,
            void **values, Context *context) {
  JitLog log(count, options, values);
  try {
    return loadImage(ptxTexts(data, log), log, context);
  } catch (const Failure &) {
    log.write();
    throw;
  }
}

CUmodule handleOf(const Image &image) {
  return Registry<CUmodule, Image>::handle(image);
}
Image &imageOf(CUlibrary library) {
  return api::imageOf(reinterpret_cast<CUmodule>(library));
}

void global(Image &image, CUdeviceptr *address, size_t *bytes,
            const char *name) {
  require(name && (address || bytes));
  auto found = image.program->globals().find(name);
  require(found != image.program->globals().end(), CUDA_ERROR_NOT_FOUND);
  if (address)
    *address = found->second.address;
  if (bytes)
    *bytes = found->second.bytes;
}

template <class Handle>
void kernel(Image &image, Handle *out, const char *name) {
  require(out && name);
  Kernel *found = image.find(name);
  require(found, CUDA_ERROR_NOT_FOUND);
  *out = reinterpret_cast<Handle>(found);
}

template <class Handle>
void kernels(Image &image, Handle *out, unsigned count) {
  require(out || !count);
  for (unsigned i = 0; i < count; ++i)
    out[i] = reinterpret_cast<Handle>(
        i < image.kernels.size() ? image.kernels[i].get() : nullptr);
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuModuleLoadDataEx(CUmodule *out, const void *data, unsigned count,
                           CUjit_option *options, void **values) {
  return call(Needs::Context, [&] {
    require(out && data);
    *out = handleOf(load(data, count, options, values, &currentContext()));
  });
}
KCL_API cuModuleLoadData(CUmodule *out, const void *data) {
  return cuModuleLoadDataEx(out, data, 0, nullptr, nullptr);
}
KCL_API cuModuleLoadFatBinary(CUmodule *out, const void *data) {
  return cuModuleLoadDataEx(out, data, 0, nullptr, nullptr);
}
KCL_API cuModuleLoad(CUmodule *out, const char *path) {
  return call(Needs::Context, [&] {
    require(out);
    *out = handleOf(
        load(readFile(path).data(), 0, nullptr, nullptr, &currentContext()));
  });
}
KCL_API cuModuleUnload(CUmodule module) {
  return call(Needs::Context, [&] {
    Image &image = imageOf(module);
    require(image.context, CUDA_ERROR_NOT_PERMITTED); // of a library
    waitForHosts(currentContext());
    driver().images.erase(image);
  });
}
KCL_API cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  return call(Needs::Init, [&] {
    require(mode);
    *mode = CU_MODULE_EAGER_LOADING;
  });
}
KCL_API cuModuleGetFunction(CUfunction *out, CUmodule module,
                            const char *name) {
  return call(Needs::Context, [&] { kernel(imageOf(module), out, name); });
}
KCL_API cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  return call(Needs::Context, [&] {
    require(count);
    *count = unsigned(imageOf(module).kernels.size());
  });
}
KCL_API cuModuleEnumerateFunctions(CUfunction *out, unsigned count,
                                   CUmodule module) {
  return call(Needs::Context, [&] { kernels(imageOf(module), out, count); });
}
KCL_API cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes,
                             CUmodule module, const char *name) {
  return call(Needs::Context,
              [&] { global(imageOf(module), address, bytes, name); });
}

KCL_API cuLibraryLoadData(CUlibrary *out, const void *data,
                          CUjit_option *options, void **values, unsigned count,
                          CUlibraryOption *, void **, unsigned) {
  return call(Needs::Init, [&] {
    require(out && data);
    *out = reinterpret_cast<CUlibrary>(
        handleOf(load(data, count, options, values, nullptr)));
  });
}
KCL_API cuLibraryLoadFromFile(CUlibrary *out, const char *path,
                              CUjit_option *options, void **values,
                              unsigned count, CUlibraryOption *, void **,
                              unsigned) {
  return call(Needs::Init, [&] {
    require(out);
    *out = reinterpret_cast<CUlibrary>(
        handleOf(load(readFile(path).data(), count, options, values, nullptr)));
  });
}
KCL_API cuLibraryUnload(CUlibrary library) {
  return call(Needs::Init, [&] {
    Image &image = imageOf(library);
    require(!image.context, CUDA_ERROR_INVALID_HANDLE);
    driver().images.erase(image);
  });
}
KCL_API cuLibraryGetKernel(CUkernel *out, CUlibrary library, const char *name) {
  return call(Needs::Init, [&] { kernel(imageOf(library), out, name); });
}
KCL_API cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  return call(Needs::Init, [&] {
    require(count);
    *count = unsigned(imageOf(library).kernels.size());
  });
}
KCL_API cuLibraryEnumerateKernels(CUkernel *out, unsigned count,
                                  CUlibrary library) {
  return call(Needs::Init, [&] { kernels(imageOf(library), out, count); });
}
KCL_API cuLibraryGetModule(CUmodule *out, CUlibrary library) {
  return call(Needs::Context, [&] {
    require(out);
    *out = handleOf(imageOf(library));
  });
}
KCL_API cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes,
                           CUlibrary library, const char *name) {
  return call(Needs::Context,
              [&] { global(imageOf(library), address, bytes, name); });
}
KCL_API cuLibraryGetManaged(CUdeviceptr *, size_t *, CUlibrary library,
                            const char *name) {
  return call(Needs::Init, [&] {
    require(name);
    imageOf(library);
    fail(CUDA_ERROR_NOT_FOUND); // managed variables are plain globals here
  });
}
