//===- Driver.cpp - The process-wide state, cuInit, reports ---------------===//
#include "Driver.h"
#include "Link.h"

#include <algorithm>
#include <cstdio>
#include <pthread.h>
#include <thread>

namespace kclaw::sim::api {

Driver &driver() {
  static Driver &instance = *new Driver;
  return instance;
}

std::unique_lock<std::mutex> &heldLock() {
  static thread_local std::unique_lock<std::mutex> lock;
  return lock;
}

std::vector<CUcontext> &contextStack() {
  static thread_local std::vector<CUcontext> stack;
  return stack;
}

Context &currentContext() {
  auto &stack = contextStack();
  require(!stack.empty() && stack.back(), CUDA_ERROR_INVALID_CONTEXT);
  return driver().contexts.get(stack.back(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

CUresult code(FaultKind kind) {
  switch (kind) {
  case FaultKind::OutOfBounds:
  case FaultKind::ReadOnlyWrite:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case FaultKind::Misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case FaultKind::Deadlock:
  case FaultKind::EndlessLoop:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case FaultKind::Assert:
    return CUDA_ERROR_ASSERT;
  case FaultKind::IllegalInstruction:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  default:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

static void initialise(Driver &d) {
  auto options = readOptions();
  if (!options) {
    std::fprintf(stderr, "simulated CUDA driver: %s\n",
                 options.error().c_str());
    fail(CUDA_ERROR_INVALID_VALUE);
  }
  d.options = *options;
  if (!d.options.threads)
    d.options.threads = std::max(1u, std::thread::hardware_concurrency());
  d.memory = std::make_unique<DeviceMemory>(
      d.options.memoryBytes ? d.options.memoryBytes : d.model().memoryBytes);
  if (!d.options.checks)
    d.memory->setGranularity(512); // of cudaMalloc
  auto pool = std::make_unique<Pool>();
  pool->implicit = true;
  pool->properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  pool->properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  d.defaultPool = d.currentPool = pool.get();
  d.pools.add(std::move(pool));
  d.initialised = true;
  pthread_atfork(nullptr, nullptr, [] { driver().forked = true; });
}

} // namespace kclaw::sim::api

using namespace kclaw::sim::api;

KCL_API cuInit(unsigned flags) {
  if (driver().forked)
    return CUDA_ERROR_NOT_INITIALIZED;
  return call(Needs::Nothing, [&] {
    require(flags == 0);
    if (!driver().initialised)
      initialise(driver());
  });
}

KCL_API cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

KCL_API cuProfilerStart() {
  return call(Needs::Context, [] {});
}
KCL_API cuProfilerStop() {
  return call(Needs::Context, [] {});
}
