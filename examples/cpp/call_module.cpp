//===- call_module.cpp - Calls a lowered module from C++ ------------------===//
//
// Memory, workspace and stream belong to this program; the module only enqueues
// work. On CUDA the driver is opened with dlopen, so the same program runs
// where there is none. rms_norm.h is what kernelclaw-opt wrote beside the
// library.
//
//===----------------------------------------------------------------------===//
#include "rms_norm.h"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int64_t rows = 3 * 21, columns = 65;

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
  ~Host() override {
    for (void *memory : owned)
      std::free(memory);
  }
  void *allocate(size_t size) override {
    owned.push_back(std::aligned_alloc(256, (size + 255) / 256 * 256));
    return owned.back();
  }
  void upload(void *target, const void *source, size_t size) override {
    std::memcpy(target, source, size);
  }
  void download(void *target, const void *source, size_t size) override {
    std::memcpy(target, source, size);
  }
  void *stream() override { return nullptr; }
  DLDeviceType type() override { return kDLCPU; }

private:
  std::vector<void *> owned;
};

/// The few entry points of the CUDA driver that a caller needs.
class Cuda : public Device {
public:
  Cuda() {
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      fail("no CUDA driver found (libcuda.so.1); try --device=cpu");
    void *context = nullptr;
    call("cuInit", 0u);
    call("cuDeviceGet", &device, 0);
    call("cuDevicePrimaryCtxRetain", &context, device);
    call("cuCtxSetCurrent", context);
    call("cuStreamCreate", &queue, 1u /* non-blocking */);
  }
  ~Cuda() override {
    for (unsigned long long memory : owned)
      call("cuMemFree_v2", memory);
    call("cuStreamDestroy_v2", queue);
    call("cuDevicePrimaryCtxRelease_v2", device);
  }
  void *allocate(size_t size) override {
    unsigned long long address = 0;
    call("cuMemAlloc_v2", &address, size ? size : 1);
    owned.push_back(address);
    return reinterpret_cast<void *>(address);
  }
  void upload(void *target, const void *source, size_t size) override {
    call("cuMemcpyHtoDAsync_v2", reinterpret_cast<unsigned long long>(target),
         source, size, queue);
  }
  void download(void *target, const void *source, size_t size) override {
    call("cuMemcpyDtoHAsync_v2", target,
         reinterpret_cast<unsigned long long>(source), size, queue);
    call("cuStreamSynchronize", queue);
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
  int device = 0;
  std::vector<unsigned long long> owned;
};

DLTensor tensor(void *data, DLDeviceType device, int32_t ndim, int64_t *shape) {
  DLTensor result = {};
  result.data = data;
  result.device = {device, 0};
  result.ndim = ndim;
  result.dtype = {kDLFloat, 32, 1};
  result.shape = shape;
  return result;
}

void check(int32_t status, const char *what, const kcl_call &call) {
  if (status != KCL_OK)
    fail(std::string(what) + ": " + call.error);
}

/// Largest difference from what this program computes itself, in double.
double largestError(const std::vector<float> &weight,
                    const std::vector<float> &x,
                    const std::vector<float> &got) {
  double largest = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const float *values = &x[row * columns];
    double squares = 0;
    for (int64_t i = 0; i < columns; ++i)
      squares += double(values[i]) * values[i];
    double scale = 1 / std::sqrt(squares / columns + 1e-5);
    for (int64_t i = 0; i < columns; ++i) {
      double error = got[row * columns + i] - values[i] * scale * weight[i];
      if (!(std::fabs(error) <= largest)) // a NaN counts too
        largest = std::fabs(error);
    }
  }
  return largest;
}

} // namespace

int main(int argc, char **argv) {
  std::string option = argc > 1 ? argv[1] : "--device=cpu";
  if (option != "--device=cpu" && option != "--device=cuda")
    fail("usage: call_module [--device=cpu|cuda]");
  std::unique_ptr<Device> device;
  if (option == "--device=cpu")
    device = std::make_unique<Host>();
  else
    device = std::make_unique<Cuda>();

  std::vector<float> weight(columns), x(rows * columns), y(rows * columns);
  for (size_t i = 0; i < weight.size(); ++i)
    weight[i] = 1 + 0.25f * std::cos(static_cast<float>(i));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(static_cast<float>(i));

  // Tensors around the program's own buffers.
  size_t weightBytes = 4 * weight.size(), bytes = 4 * x.size();
  int64_t weightShape[] = {columns}, shape[] = {3, 21, columns};
  DLTensor tensors[] = {
      tensor(device->allocate(weightBytes), device->type(), 1, weightShape),
      tensor(device->allocate(bytes), device->type(), 3, shape),
      tensor(device->allocate(bytes), device->type(), 3, shape)};
  DLTensor *arguments[] = {&tensors[0], &tensors[1]};
  DLTensor *results[] = {&tensors[2]};
  device->upload(tensors[0].data, weight.data(), weightBytes);
  device->upload(tensors[1].data, x.data(), bytes);

  // Once a program: load. Once a set of weights: prepare. Then any calls.
  kcl_call call = {};
  call.abi_version = KCL_ABI_VERSION;
  call.stream = device->stream();
  check(rms_norm_load(&call), "rms_norm_load", call);
  check(rms_norm_workspace(arguments, &call.workspace_bytes, &call),
        "rms_norm_workspace", call);
  call.workspace = device->allocate(call.workspace_bytes);
  check(rms_norm_persistent(arguments, &call.persistent_bytes, &call),
        "rms_norm_persistent", call);
  if (call.persistent_bytes > 0)
    call.persistent = device->allocate(call.persistent_bytes);
  check(rms_norm_prepare(arguments, &call), "rms_norm_prepare", call);
  check(rms_norm(arguments, results, &call), "rms_norm", call);
  device->download(y.data(), tensors[2].data, bytes);
  check(rms_norm_unload(&call), "rms_norm_unload", call);

  auto count = [](uint64_t value) {
    return static_cast<unsigned long long>(value);
  };
  std::printf("rms_norm on %s: %zu bytes of arguments and results, workspace "
              "%llu, prepared %llu, %s stream\n",
              option.c_str() + 9, weightBytes + 2 * bytes,
              count(call.workspace_bytes), count(call.persistent_bytes),
              call.stream ? "own" : "no");
  double error = largestError(weight, x, y);
  bool right = error <= 2e-6;
  std::printf("largest error %.3g against values computed here, %llu regions "
              "won, %llu stock: %s\n",
              error, count(call.regions_won), count(call.regions_stock),
              right ? "right" : "WRONG");
  return right ? 0 : 1;
}
