//===- Virtual.cpp - cuMemAddressReserve, cuMemCreate, cuMemMap, ... ------===//
//
// Physical memory is a memfd, a mapping is mmap of it. A range becomes known to
// the device when cuMemSetAccess allows the access.
//
//===----------------------------------------------------------------------===//
#include "Driver.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace kclaw::sim::api {

constexpr size_t granularity = 2 << 20; ///< as on the real device

PhysicalMemory::~PhysicalMemory() {
  if (file >= 0)
    close(file);
}

namespace {

struct Mapping {
  size_t bytes = 0;
  CUmemGenericAllocationHandle physical = 0;
  bool accessible = false;
};
/// By start; under Driver::mutex.
std::map<uintptr_t, Mapping> &mappings() {
  static auto &all = *new std::map<uintptr_t, Mapping>;
  return all;
}

void *at(uintptr_t address) { return reinterpret_cast<void *>(address); }

void release(PhysicalMemory &memory) {
  if (--memory.references)
    return;
  driver().memory->charge(-int64_t(memory.bytes));
  driver().physical.erase(memory);
}

PhysicalMemory &physicalOf(CUmemGenericAllocationHandle handle) {
  PhysicalMemory &memory =
      driver().physical.get(handle, CUDA_ERROR_INVALID_VALUE);
  require(memory.handles);
  return memory;
}

bool reserved(uintptr_t address, size_t bytes) {
  auto next = driver().reservations.upper_bound(address);
  if (next == driver().reservations.begin())
    return false;
  auto [base, range] = *std::prev(next);
  return address + bytes <= base + range.bytes;
}

/// The mappings that fill [address, address + bytes) exactly.
std::vector<std::pair<const uintptr_t, Mapping> *> exactly(uintptr_t address,
                                                           size_t bytes) {
  std::vector<std::pair<const uintptr_t, Mapping> *> found;
  for (uintptr_t end = address + bytes; address < end;) {
    auto mapping = mappings().find(address);
    require(mapping != mappings().end());
    found.push_back(&*mapping);
    address += mapping->second.bytes;
    require(address <= end);
  }
  return found;
}

void hide(uintptr_t base) {
  driver().memory->release(base);
  driver().owned.erase(base);
}

void requireDeviceLocation(const CUmemLocation &location) {
  require(location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == 0,
          CUDA_ERROR_INVALID_DEVICE);
}

} // namespace

} // namespace kclaw::sim::api

using namespace kclaw::sim;
using namespace kclaw::sim::api;

KCL_API cuMemGetAllocationGranularity(size_t *out,
                                      const CUmemAllocationProp *properties,
                                      CUmemAllocationGranularity_flags) {
  return call(Needs::Init, [&] {
    require(out && properties &&
            properties->type == CU_MEM_ALLOCATION_TYPE_PINNED);
    requireDeviceLocation(properties->location);
    *out = granularity;
  });
}
KCL_API cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment,
                            CUdeviceptr, unsigned long long flags) {
  return call(Needs::Init, [&] {
    require(out && bytes && bytes % granularity == 0 && flags == 0);
    require((alignment & (alignment - 1)) == 0);
    size_t aligned = std::max(alignment, granularity);
    void *raw = mmap(nullptr, bytes + aligned, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(raw != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
    auto start = reinterpret_cast<uintptr_t>(raw);
    uintptr_t base = (start + aligned - 1) / aligned * aligned;
    if (base > start)
      munmap(raw, base - start);
    if (size_t rest = start + aligned - base)
      munmap(at(base + bytes), rest);
    driver().reservations[base] = {bytes};
    *out = base;
  });
}
KCL_API cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return call(Needs::Init, [&] {
    auto found = driver().reservations.find(address);
    require(found != driver().reservations.end() &&
            found->second.bytes == bytes);
    auto first = mappings().lower_bound(address);
    require(first == mappings().end() || first->first >= address + bytes);
    munmap(at(address), bytes);
    driver().reservations.erase(found);
  });
}
KCL_API cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes,
                    const CUmemAllocationProp *properties,
                    unsigned long long flags) {
  return call(Needs::Init, [&] {
    require(out && properties && bytes && bytes % granularity == 0 &&
            flags == 0 && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED);
    requireDeviceLocation(properties->location);
    DeviceMemory &memory = *driver().memory;
    require(bytes <= memory.total() - memory.used(), CUDA_ERROR_OUT_OF_MEMORY);
    auto made = std::make_unique<PhysicalMemory>();
    made->file = memfd_create("kernelclaw-sim", MFD_CLOEXEC);
    require(made->file >= 0 && ftruncate(made->file, off_t(bytes)) == 0,
            CUDA_ERROR_OUT_OF_MEMORY);
    made->bytes = bytes;
    made->properties = *properties;
    memory.charge(int64_t(bytes));
    *out = driver().physical.add(std::move(made));
  });
}
KCL_API cuMemRelease(CUmemGenericAllocationHandle handle) {
  return call(Needs::Init, [&] {
    PhysicalMemory &memory = physicalOf(handle);
    --memory.handles;
    release(memory);
  });
}
KCL_API cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                 CUmemGenericAllocationHandle handle,
                 unsigned long long flags) {
  return call(Needs::Init, [&] {
    PhysicalMemory &memory = physicalOf(handle);
    require(bytes && bytes % granularity == 0 && offset == 0 && flags == 0 &&
            bytes <= memory.bytes && reserved(address, bytes));
    for (const auto &[base, mapping] : mappings())
      require(base >= address + bytes || base + mapping.bytes <= address);
    void *mapped = mmap(at(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
                        memory.file, 0);
    require(mapped != MAP_FAILED, CUDA_ERROR_UNKNOWN);
    ++memory.references;
    mappings()[address] = {bytes, handle};
  });
}
KCL_API cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return call(Needs::Init, [&] {
    for (auto *mapping : exactly(address, bytes)) {
      auto [base, what] = *mapping;
      if (what.accessible)
        hide(base);
      mmap(at(base), what.bytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
      release(driver().physical.get(what.physical));
      mappings().erase(base);
    }
  });
}
KCL_API cuMemSetAccess(CUdeviceptr address, size_t bytes,
                       const CUmemAccessDesc *access, size_t count) {
  return call(Needs::Init, [&] {
    require(access && count);
    bool allow = false, write = false;
    for (size_t i = 0; i < count; ++i) {
      requireDeviceLocation(access[i].location);
      allow = access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
      write = access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    for (auto *mapping : exactly(address, bytes)) {
      auto &[base, what] = *mapping;
      // The simulator itself must read and write it.
      mprotect(at(base), what.bytes,
               allow ? PROT_READ | PROT_WRITE : PROT_NONE);
      if (what.accessible)
        hide(base);
      what.accessible = allow;
      if (!allow)
        continue;
      driver().memory->adopt(base, what.bytes);
      driver().memory->find(base)->readOnly = !write;
      Owned owned{Owned::Kind::Mapped};
      owned.id = driver().nextId++;
      owned.physical = what.physical;
      driver().owned[base] = owned;
    }
  });
}
KCL_API cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                       CUdeviceptr address) {
  return call(Needs::Init, [&] {
    require(flags && location);
    requireDeviceLocation(*location);
    auto next = mappings().upper_bound(address);
    require(next != mappings().begin());
    auto &[base, what] = *std::prev(next);
    require(address < base + what.bytes);
    *flags = !what.accessible ? CU_MEM_ACCESS_FLAGS_PROT_NONE
             : driver().memory->find(base)->readOnly
                 ? CU_MEM_ACCESS_FLAGS_PROT_READ
                 : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  });
}
KCL_API cuMemExportToShareableHandle(void *out,
                                     CUmemGenericAllocationHandle handle,
                                     CUmemAllocationHandleType type,
                                     unsigned long long flags) {
  return call(Needs::Init, [&] {
    PhysicalMemory &memory = physicalOf(handle);
    require(out && flags == 0 &&
            type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
            (memory.properties.requestedHandleTypes & type));
    int file = dup(memory.file);
    require(file >= 0, CUDA_ERROR_UNKNOWN);
    std::memcpy(out, &file, sizeof file);
  });
}
KCL_API
cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *out,
                                       CUmemGenericAllocationHandle handle) {
  return call(Needs::Init, [&] {
    require(out);
    *out = physicalOf(handle).properties;
  });
}
KCL_API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out,
                                    void *address) {
  return call(Needs::Init, [&] {
    require(out);
    auto next = mappings().upper_bound(reinterpret_cast<uintptr_t>(address));
    require(next != mappings().begin());
    auto &[base, what] = *std::prev(next);
    require(reinterpret_cast<uintptr_t>(address) < base + what.bytes);
    PhysicalMemory &memory = driver().physical.get(what.physical);
    ++memory.references;
    ++memory.handles;
    *out = what.physical;
  });
}
