//===- Driver.h - The process-wide state of the simulated driver -*- C++ -*-==//
//
// One device, one lock: an entry point holds it from begin to end, launches
// included, and operations run when they are enqueued, in order. Only host
// functions (cuLaunchHostFunc) run on threads of their own; the next operation
// of their stream waits for them with the lock released.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_DRIVER_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_DRIVER_H

#include "../Exec/Fault.h"
#include "../Model/Caches.h"
#include "../Model/Counters.h"
#include "../Ptx/Parse.h"
#include "Context.h"
#include "Graph.h"
#include "Image.h"
#include "MemoryObjects.h"
#include "Options.h"
#include "Registry.h"
#include "Stream.h"

#include <atomic>
#include <mutex>
#include <new>

namespace kclaw::sim::api {

struct LinkState;

struct Driver {
  std::mutex mutex;
  bool initialised = false;
  /// A fork of a process that had called cuInit: nothing works there.
  std::atomic<bool> forked = false;
  Options options;
  std::unique_ptr<DeviceMemory> memory;
  uint64_t clockNanoseconds = 0; ///< of the device, simulated
  uint64_t nextId = 1;
  uint32_t launches = 0;
  uint64_t warpInstructions = 0; ///< of all launches
  std::string lastReport;        ///< text of the last fault or load error
  std::unique_ptr<L2Cache> l2;   ///< made by the first launch
  /// Of the last launches, launch n at n modulo the size (kclSimCounts).
  std::array<LaunchRecord, 64> records;

  Registry<CUcontext, Context> contexts;
  Context *primary = nullptr;
  unsigned primaryFlags = 0;
  Registry<CUstream, Stream> streams;
  Registry<CUevent, Event> events;
  Registry<CUmodule, Image> images;
  std::unordered_map<const void *, Kernel *> kernels;
  Registry<CUgraph, Graph> graphs;
  Registry<CUgraphExec, GraphExec> graphExecs;
  std::unordered_map<const void *, GraphNode *> nodes;
  Registry<CUuserObject, UserObject> userObjects;
  Registry<CUmemoryPool, Pool> pools;
  Pool *defaultPool = nullptr, *currentPool = nullptr;
  std::map<uintptr_t, Owned> owned; ///< by the start of the allocation
  std::map<uintptr_t, Reservation> reservations;
  Registry<CUmemGenericAllocationHandle, PhysicalMemory> physical;
  Registry<CUlinkState, LinkState> links;

  const DeviceModel &model() const { return *options.device; }
};

/// Never destroyed: clients call in from their own destructors.
Driver &driver();

/// This thread's hold of Driver::mutex.
std::unique_lock<std::mutex> &heldLock();

/// The context that calls of this thread work in. Throws INVALID_CONTEXT.
Context &currentContext();
/// Its stack; the last one is current, null entries included.
std::vector<CUcontext> &contextStack();

enum class Needs {
  Nothing,
  Init,   ///< cuInit was called
  Context ///< ... and a context is current that no fault has ended
};

/// Client code that this thread's call must run once it has let go of the lock:
/// destructors of user objects.
std::vector<HostCall> &pendingCalls();
void runPendingCalls();

template <class F> CUresult locked(Needs needs, F &&body) noexcept {
  try {
    std::unique_lock<std::mutex> lock(driver().mutex);
    std::swap(lock, heldLock());
    struct Release {
      ~Release() { heldLock() = {}; }
    } release;
    if (needs != Needs::Nothing)
      require(driver().initialised, CUDA_ERROR_NOT_INITIALIZED);
    if (needs == Needs::Context)
      require(currentContext().sticky == CUDA_SUCCESS, currentContext().sticky);
    body();
    return CUDA_SUCCESS;
  } catch (const Failure &failure) {
    return failure.code;
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

/// Checks what the call needs, runs `body` under the lock, and turns whatever
/// it throws into the error code.
template <class F> CUresult call(Needs needs, F &&body) noexcept {
  if (needs != Needs::Nothing && driver().forked)
    return CUDA_ERROR_NOT_INITIALIZED; // its lock may be held for ever
  CUresult result = locked(needs, body);
  if (!pendingCalls().empty())
    runPendingCalls();
  return result;
}

CUresult code(FaultKind kind); ///< table in Exec/Fault.h

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_DRIVER_H
