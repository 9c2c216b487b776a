//===- launch_overhead.cpp - What a step adds to a bare launch ------------===//
//
//   launch_overhead MODULE.so           times per launch, on the host
//   launch_overhead MODULE.so --calls   the driver calls inside one entry call;
//                                       needs the recording driver in
//                                       KERNELCLAW_CUDA_DRIVER
//
// MODULE.so is bench/empty_steps.mlir, lowered: kernels that do nothing, one
// or sixteen a call. Launches go out in batches that fit the driver's queue;
// only their issue is timed, the wait for the device is not. The ways take
// turns, so a change of clock hits all of them.
//
//===----------------------------------------------------------------------===//
#include "../unittests/RecordingDriver/RecordingDriver.h"
#include "kernelclaw/Cuda/Resources.h"
#include "kernelclaw/Steps/kcl_steps.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>

using namespace kclaw;

namespace {

constexpr int batch = 256, rounds = 101;
constexpr char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                       ".visible .entry empty(.param .u64 x, .param .u64 y)\n"
                       "{ ret; }\n";

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "launch_overhead: error: %s\n", what.c_str());
  std::exit(1);
}

template <typename T> T get(Expected<T> value) {
  if (!value)
    fail(value.error().message);
  return std::move(*value);
}

void check(int32_t status, const kcl_call &call) {
  if (status != KCL_OK)
    fail(call.error);
}

template <typename Function>
Function *symbol(void *library, const std::string &name) {
  void *address = dlsym(library, name.c_str());
  if (!address)
    fail("no " + name + " in the library");
  return reinterpret_cast<Function *>(address);
}

/// An entry of the module with its buffers, loaded.
struct Entry {
  Entry(void *library, const std::string &name, void *x, void *y,
        CUstream stream)
      : function(symbol<std::remove_pointer_t<kcl_entry_fn>>(library, name)) {
    for (auto [tensor, data] : {std::pair(&tensors[0], x), {&tensors[1], y}})
      *tensor = {.data = data,
                 .device = {kDLCUDA, 0},
                 .ndim = 1,
                 .dtype = {kDLFloat, 32, 1},
                 .shape = shape,
                 .strides = nullptr,
                 .byte_offset = 0};
    call.abi_version = KCL_ABI_VERSION;
    call.stream = stream;
    check(symbol<std::remove_pointer_t<kcl_load_fn>>(library,
                                                     name + "_load")(&call),
          call);
  }
  void operator()() { check(function(args, results, &call), call); }

  kcl_entry_fn function;
  int64_t shape[1] = {4};
  DLTensor tensors[2];
  DLTensor *args[1] = {&tensors[0]}, *results[1] = {&tensors[1]};
  kcl_call call = {};
};

/// A way to launch, and how many launches one call of it makes.
struct Way {
  const char *name;
  int launches;
  std::function<void()> call;
  std::vector<double> microseconds; ///< per launch, one a round
};

void measure(const DriverApi &api, CUstream stream, std::vector<Way> &ways) {
  using Clock = std::chrono::steady_clock;
  for (int round = -1; round < rounds; ++round) // the first one warms up
    for (Way &way : ways) {
      Clock::time_point start = Clock::now();
      for (int i = 0; i < batch / way.launches; ++i)
        way.call();
      std::chrono::duration<double, std::micro> taken = Clock::now() - start;
      if (api.cuStreamSynchronize(stream) != CUDA_SUCCESS)
        fail("the device reported an error");
      if (round >= 0)
        way.microseconds.push_back(taken.count() / batch);
    }
}

void print(std::vector<Way> &ways) {
  std::printf(
      "| launched by | median µs a launch | p10 - p90 | over bare µs |\n"
      "|---|---|---|---|\n");
  double bare = 0;
  for (Way &way : ways) {
    std::vector<double> &times = way.microseconds;
    std::sort(times.begin(), times.end());
    double median = times[times.size() / 2];
    bare = &way == &ways.front() ? median : bare;
    std::printf("| %s | %.3f | %.3f - %.3f | %.3f |\n", way.name, median,
                times[times.size() / 10], times[times.size() * 9 / 10],
                median - bare);
  }
}

/// Names and counts of the driver calls that one call of `entry` makes.
void printCalls(void *driver, const char *name, Entry &entry) {
  auto *recorded =
      symbol<decltype(kclRecordedCalls)>(driver, "kclRecordedCalls");
  auto *forget = symbol<decltype(kclForgetCalls)>(driver, "kclForgetCalls");
  entry();
  forget();
  entry();
  std::map<std::string, int> counts;
  std::string text = recorded();
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos;
       at = end + 1)
    ++counts[text.substr(at, end - at)];
  std::printf("driver calls in one call of %s:", name);
  for (const auto &[function, count] : counts)
    std::printf(" %s x%d", function.c_str(), count);
  std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
  bool calls = argc == 3 && !std::strcmp(argv[2], "--calls");
  if (argc < 2 || (argc == 3 && !calls))
    fail("usage: launch_overhead MODULE.so [--calls]");
  const DriverApi &api = get<DriverApi>(DriverApi::get());
  PrimaryContext context = get(PrimaryContext::retain(api));
  Stream stream = get(createStream(api));
  DeviceMemory x = get(allocate(api, 16)), y = get(allocate(api, 16));
  void *px = reinterpret_cast<void *>(x.get());
  void *py = reinterpret_cast<void *>(y.get());

  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    fail(dlerror());
  Entry one(library, "one_step", px, py, stream.get());
  Entry sixteen(library, "sixteen_steps", px, py, stream.get());
  const char *path = std::getenv("KERNELCLAW_CUDA_DRIVER");
  void *driver = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
  if (calls) {
    printCalls(driver, "one_step", one);
    printCalls(driver, "sixteen_steps", sixteen);
    return 0;
  }

  kcl_call call = {};
  call.abi_version = KCL_ABI_VERSION;
  call.stream = stream.get();
  kcl_module *module = nullptr;
  void *function = nullptr;
  check(kclModuleLoad(ptx, sizeof(ptx) - 1, &module, &call), call);
  check(kclModuleFunction(module, "empty", 0, &function, &call), call);
  void *args[] = {&px, &py};
  kcl_kernel_step step = {.function = function,
                          .grid = {1, 1, 1},
                          .block = {1, 1, 1},
                          .cluster = {1, 1, 1},
                          .shared_bytes = 0,
                          .cooperative = 0,
                          .arg_count = 2,
                          .args = args};
  auto *launch = symbol<decltype(cuLaunchKernel)>(driver, "cuLaunchKernel");
  std::vector<Way> ways = {
      {"cuLaunchKernel, bare",
       1,
       [&] {
         launch(static_cast<CUfunction>(function), 1, 1, 1, 1, 1, 1, 0,
                stream.get(), args, nullptr);
       },
       {}},
      {"kclStepKernel",
       1,
       [&] { check(kclStepKernel(&step, &call), call); },
       {}},
      {"a lowered entry of one step", 1, [&] { one(); }, {}},
      {"a lowered entry of sixteen steps", 16, [&] { sixteen(); }, {}}};
  measure(api, stream.get(), ways);
  std::printf("device: %s, %d launches a batch, %d batches\n",
              context.facts().name.c_str(), batch, rounds);
  print(ways);
  return 0;
}
