//===- Context.h - Contexts -------------------------------------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_CONTEXT_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_CONTEXT_H

#include "Stream.h"

#include <array>

namespace kclaw::sim::api {

struct Context {
  uint64_t id = 0;
  unsigned flags = 0;
  bool primary = false;
  unsigned references = 0; ///< of the primary context
  /// The code of the fault that ended it; every later call gives it.
  CUresult sticky = CUDA_SUCCESS;
  std::array<size_t, CU_LIMIT_MAX> limits = {};
  CUfunc_cache cacheConfig = CU_FUNC_CACHE_PREFER_NONE;
  CUsharedconfig sharedConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  Stream *legacy = nullptr, *perThread = nullptr; ///< registered like others
  /// Of the barrier of cooperative launches; 0 until the first.
  uintptr_t gridWorkspace = 0;
};

/// A new context with its default streams.
Context &createContext(unsigned flags, bool primary);
/// Frees what it owns: streams, events, modules, memory; the handle stays.
void clearContext(Context &context);
void destroyContext(Context &context);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_CONTEXT_H
