//===- Control.cpp - kclSim*: what only a simulated driver offers ---------===//
//
// For programs that know they may be on the simulator. Usable after cuInit,
// from any thread; each holds for the launches that follow, of all contexts.
// include/kernelclaw/Cuda/DriverApi.h declares the same functions for callers.
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <cstring>
#include <utility>

using namespace kclaw::sim::api;

/// Of this interface. That the symbol is there tells that a driver simulates.
extern "C" int kclSimVersion() { return 1; }

/// Nonzero: look for races, uninitialised reads and the like. Bounds and
/// alignment are checked either way. Returns what held before.
extern "C" int kclSimSetChecks(int on) {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  return std::exchange(d.options.checks, on != 0);
}

/// Warp instructions after which one launch is an endless loop; 0: no limit.
/// Returns what held before.
extern "C" uint64_t kclSimSetBudget(uint64_t warpInstructions) {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  return std::exchange(d.options.budget, warpInstructions);
}

/// Warp instructions of all launches of this process, failed ones included.
extern "C" uint64_t kclSimInstructions() {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  return d.warpInstructions;
}

/// The bytes count as never written, until something writes them; what they
/// hold stays. Ranges may end inside of an allocation, not beyond it.
extern "C" CUresult kclSimForget(CUdeviceptr address, size_t bytes) {
  return call(Needs::Context, [&] {
    if (bytes)
      markUnwritten(address, bytes);
  });
}

/// The modelled L2 is empty for the next launch.
extern "C" void kclSimFlushCaches() {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  d.l2.reset();
}

/// The text of the last fault or refused module, ended by a zero and cut to
/// `bytes`. A fault's begins with its kind and a colon. Returns the whole
/// text's length, zero not counted.
extern "C" size_t kclSimLastReport(char *buffer, size_t bytes) {
  Driver &d = driver();
  std::lock_guard lock(d.mutex);
  if (buffer && bytes) {
    size_t count = std::min(bytes - 1, d.lastReport.size());
    std::memcpy(buffer, d.lastReport.data(), count);
    buffer[count] = 0;
  }
  return d.lastReport.size();
}
