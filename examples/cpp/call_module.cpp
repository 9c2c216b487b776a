//===- call_module.cpp - Calls a lowered module from C++ ------------------===//
//
// Memory, workspace and stream belong to this program; the module only enqueues
// work. On CUDA the driver is opened with dlopen, so the same program runs
// where there is none.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Runtime/kernelclaw.h"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
KCL_DECLARE_ENTRY(gelu_scale);
}

namespace {

constexpr int64_t rows = 64, columns = 256;
constexpr size_t bytes = rows * columns * sizeof(float);

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "call_module: error: %s\n", what.c_str());
  std::exit(1);
}

/// Where tensors live.
class Device {
public:
  virtual ~Device() = default;
  virtual void *allocate(size_t size) = 0;
  virtual void upload(void *target, const void *source, size_t size) = 0;
  /// Waits for the stream first.
  virtual void download(void *target, const void *source, size_t size) = 0;
  virtual void *stream() = 0;
  virtual DLDeviceType type() = 0;
};

class Host : public Device {
public:
  void *allocate(size_t size) override {
    return std::aligned_alloc(256, (size + 255) / 256 * 256);
  }
  void upload(void *target, const void *source, size_t size) override {
    std::memcpy(target, source, size);
  }
  void download(void *target, const void *source, size_t size) override {
    std::memcpy(target, source, size);
  }
  void *stream() override { return nullptr; }
  DLDeviceType type() override { return kDLCPU; }
};

/// The few entry points of the CUDA driver that a caller needs.
class Cuda : public Device {
public:
  Cuda() {
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      fail("no CUDA driver found (libcuda.so.1); try --device=cpu");
    void *context = nullptr;
    int device = 0;
    call("cuInit", 0u);
    call("cuDeviceGet", &device, 0);
    call("cuDevicePrimaryCtxRetain", &context, device);
    call("cuCtxSetCurrent", context);
    call("cuStreamCreate", &queue, 1u /* non-blocking */);
  }
  void *allocate(size_t size) override {
    unsigned long long address = 0;
    call("cuMemAlloc_v2", &address, size ? size : 1);
    return reinterpret_cast<void *>(address);
  }
  void upload(void *target, const void *source, size_t size) override {
    call("cuMemcpyHtoD_v2", reinterpret_cast<unsigned long long>(target),
         source, size);
  }
  void download(void *target, const void *source, size_t size) override {
    call("cuStreamSynchronize", queue);
    call("cuMemcpyDtoH_v2", target,
         reinterpret_cast<unsigned long long>(source), size);
  }
  void *stream() override { return queue; }
  DLDeviceType type() override { return kDLCUDA; }

private:
  template <typename... Args> void call(const char *name, Args... args) {
    auto function = reinterpret_cast<int (*)(Args...)>(dlsym(library, name));
    if (!function)
      fail(std::string("the CUDA driver has no ") + name);
    if (int result = function(args...))
      fail(std::string(name) + " gave error " + std::to_string(result));
  }

  void *library = nullptr;
  void *queue = nullptr;
};

DLTensor tensor(void *data, DLDeviceType device, int64_t *shape) {
  DLTensor result = {};
  result.data = data;
  result.device = {device, 0};
  result.ndim = 2;
  result.dtype = {kDLFloat, 32, 1};
  result.shape = shape;
  return result;
}

void check(int32_t status, const char *what, const kcl_call &call) {
  if (status != KCL_OK)
    fail(std::string(what) + ": " + call.error);
}

} // namespace

int main(int argc, char **argv) {
  std::string option = argc > 1 ? argv[1] : "--device=cpu";
  if (option != "--device=cpu" && option != "--device=cuda")
    fail("usage: call_module [--device=cpu|cuda]");
  Device *device =
      option == "--device=cpu" ? static_cast<Device *>(new Host) : new Cuda;

  std::vector<float> input(rows * columns), output(rows * columns);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = std::sin(static_cast<float>(i));
  int64_t shape[2] = {rows, columns};
  DLTensor argument = tensor(device->allocate(bytes), device->type(), shape);
  DLTensor result = tensor(device->allocate(bytes), device->type(), shape);
  DLTensor *arguments[] = {&argument}, *results[] = {&result};
  device->upload(argument.data, input.data(), bytes);

  kcl_call call = {};
  call.abi_version = KCL_ABI_VERSION;
  call.stream = device->stream();
  check(gelu_scale_load(&call), "gelu_scale_load", call);
  check(gelu_scale_workspace(arguments, &call.workspace_bytes, &call),
        "gelu_scale_workspace", call);
  call.workspace = device->allocate(call.workspace_bytes);
  check(gelu_scale(arguments, results, &call), "gelu_scale", call);
  device->download(output.data(), result.data, bytes);
  check(gelu_scale_unload(&call), "gelu_scale_unload", call);

  double largest = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    double x = input[i], expected = x * (1 + std::erf(x / std::sqrt(2.0)));
    largest = std::max(largest, std::fabs(output[i] - expected));
  }
  std::printf("gelu_scale on %s: largest error %.3g, %llu regions won\n",
              option.c_str() + 9, largest,
              static_cast<unsigned long long>(call.regions_won));
  return largest < 1e-6 ? 0 : 1;
}
