//===- RecordingDriver.cpp - A CUDA driver that writes down its calls -----===//
//
// Named in KERNELCLAW_CUDA_DRIVER it stands in for libcuda.so.1: each entry
// point of the table (Cuda/DriverApi.h) notes its name, then
//   * with KCLAW_RECORD_DRIVER=FILE calls the driver in that file;
//   * without, plays one device of architecture 9.0 whose memory is the host's
//     and whose kernels do nothing (Device.h). While a stream is captured it
//     refuses whatever a capture cannot hold, as the real one does.
// The names go to the file KCLAW_RECORD_LOG, one a line, and to
// kclRecordedCalls. Thread-safe.
//
// Every exported function is an ifunc: its address is that of a template
// instantiation, so no signature is written down here.
//
//===----------------------------------------------------------------------===//
#include "RecordingDriver.h"
#include "Device.h"

#include "kernelclaw/Cuda/DriverApi.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string>

using namespace kclaw;

#define TEXT(NAME) #NAME
#define SYMBOL(NAME) TEXT(NAME)
// The table's, and what examples and benchmarks call beside it.
#define ALL_ENTRIES(X)                                                         \
  KCLAW_DRIVER_ENTRIES(X)                                                      \
  KCLAW_DRIVER_OPTIONAL_ENTRIES(X)                                             \
  X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuLaunchKernel)

namespace {

enum Index : unsigned {
#define ENTRY(NAME) index_##NAME,
  ALL_ENTRIES(ENTRY)
#undef ENTRY
      numEntries
};

/// As the table spells it, and as the library exports it.
struct Name {
  const char *plain;
  const char *symbol;
};
const Name names[] = {
#define ENTRY(NAME) {#NAME, SYMBOL(NAME)},
    ALL_ENTRIES(ENTRY)
#undef ENTRY
};

class Recorder {
public:
  Recorder() {
    const char *path = std::getenv("KCLAW_RECORD_DRIVER");
    void *driver = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (path && !driver) {
      std::fprintf(stderr, "recording driver: %s\n", dlerror());
      std::abort();
    }
    for (unsigned i = 0; i < numEntries; ++i)
      targets[i] = driver ? dlsym(driver, names[i].symbol)
                          : recording::deviceFunction(names[i].plain);
    if (const char *log = std::getenv("KCLAW_RECORD_LOG"))
      file = std::fopen(log, "w");
    plays = !driver;
  }

  /// Notes the call; who answers it, null: nobody, it succeeds.
  void *note(unsigned index) {
    std::lock_guard<std::mutex> lock(mutex);
    calls += names[index].plain;
    calls += '\n';
    if (file) {
      std::fprintf(file, "%s\n", names[index].plain);
      std::fflush(file);
    }
    return targets[index];
  }

  std::mutex mutex;
  std::string calls;
  std::string given; ///< what kclRecordedCalls handed out last
  bool plays = false;

private:
  void *targets[numEntries] = {};
  FILE *file = nullptr;
};

Recorder &recorder() {
  static Recorder *one = new Recorder;
  return *one;
}

template <unsigned I, typename Function> struct Entry;
template <unsigned I, typename... Args> struct Entry<I, CUresult(Args...)> {
  static CUresult call(Args... args) {
    void *target = recorder().note(I);
    if (recorder().plays && !recording::allowedNow(names[I].plain))
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return target ? reinterpret_cast<CUresult (*)(Args...)>(target)(args...)
                  : CUDA_SUCCESS;
  }
};

} // namespace

extern "C" {
#define ENTRY(NAME)                                                            \
  __attribute__((visibility("hidden"))) decltype(NAME) *kclResolve_##NAME() {  \
    return &Entry<index_##NAME, decltype(NAME)>::call;                         \
  }                                                                            \
  __attribute__((visibility("default"),                                        \
                 ifunc("kclResolve_" #NAME))) decltype(NAME) NAME;
ALL_ENTRIES(ENTRY)
#undef ENTRY

const char *kclRecordedCalls() {
  std::lock_guard<std::mutex> lock(recorder().mutex);
  recorder().given = recorder().calls;
  return recorder().given.c_str();
}

void kclForgetCalls() {
  std::lock_guard<std::mutex> lock(recorder().mutex);
  recorder().calls.clear();
}

const void *kclWaitedStream() { return recording::waitedStream(); }
}
