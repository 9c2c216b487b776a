//===- MemoryObjects.h - What the driver knows of memory --------*- C++ -*-===//
#ifndef KERNELCLAW_LIB_SIMCUDA_DRIVER_MEMORYOBJECTS_H
#define KERNELCLAW_LIB_SIMCUDA_DRIVER_MEMORYOBJECTS_H

#include "../Exec/DeviceMemory.h"
#include "Registry.h"

#include <cstring>

namespace kclaw::sim::api {

struct Context;

struct Pool {
  CUmemPoolProps properties = {};
  uint64_t releaseThreshold = 0;
  uint64_t used = 0, usedHigh = 0;
  int reuse[3] = {1, 1, 1};
  bool implicit = false;
};

/// An allocation of a client.
struct Owned {
  enum class Kind { Device, Pool, Host, RegisteredHost, Managed, Mapped } kind;
  Context *context = nullptr;
  uint64_t id = 0;
  unsigned flags = 0;
  Pool *pool = nullptr;
  CUmemGenericAllocationHandle physical = 0; ///< Mapped
  bool syncMemops = false;
};

/// A range of addresses of cuMemAddressReserve.
struct Reservation {
  size_t bytes = 0;
};

/// What cuMemCreate gives: pages of a memfd.
struct PhysicalMemory {
  int file = -1;
  size_t bytes = 0;
  CUmemAllocationProp properties = {};
  unsigned references = 1; ///< handles and mappings
  unsigned handles = 1;
  ~PhysicalMemory();
};

/// Allocates device memory for the current context and notes whose it is.
uintptr_t allocateOwned(Owned owned, uint64_t bytes);
/// The owned allocation that holds the address, and where it starts; null.
std::pair<const uintptr_t, Owned> *ownerOf(uintptr_t address);
void freeOwned(uintptr_t base);

/// Is the whole range device-accessible memory, maybe over several mappings
/// side by side?
bool covered(uintptr_t address, uint64_t bytes);
/// Notes that the range was written with data that is defined.
void markWritten(uintptr_t address, uint64_t bytes);
/// Notes that the range, within one allocation, is undefined.
void markUnwritten(uintptr_t address, uint64_t bytes);
/// Copies, and what the checks know of the source with it.
void copyBytes(uintptr_t to, uintptr_t from, uint64_t bytes);

} // namespace kclaw::sim::api

#endif // KERNELCLAW_LIB_SIMCUDA_DRIVER_MEMORYOBJECTS_H
