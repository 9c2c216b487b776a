//===- Memory.cpp - Allocation: device, pitched, host, managed ------------===//
#include "Driver.h"

#include <algorithm>
#include <sys/mman.h>

namespace kclaw::sim::api {

constexpr size_t pageBytes = 4096;
static size_t pages(size_t bytes) {
  return (bytes + pageBytes - 1) / pageBytes * pageBytes;
}

uintptr_t allocateOwned(Owned owned, uint64_t bytes) {
  Driver &d = driver();
  require(bytes);
  uintptr_t base = d.memory->allocate(bytes);
  require(base, CUDA_ERROR_OUT_OF_MEMORY);
  owned.context = owned.context ? owned.context : &currentContext();
  owned.id = d.nextId++;
  if (owned.pool) {
    owned.pool->used += bytes;
    owned.pool->usedHigh = std::max(owned.pool->usedHigh, owned.pool->used);
  }
  d.owned[base] = owned;
  return base;
}

std::pair<const uintptr_t, Owned> *ownerOf(uintptr_t address) {
  Driver &d = driver();
  Allocation *allocation = d.memory->find(address);
  if (!allocation)
    return nullptr;
  auto found = d.owned.find(allocation->base);
  return found == d.owned.end() ? nullptr : &*found;
}

void freeOwned(uintptr_t base) {
  Driver &d = driver();
  Owned owned = d.owned.at(base);
  uint64_t bytes = d.memory->find(base)->bytes;
  d.owned.erase(base);
  d.memory->release(base);
  if (owned.kind == Owned::Kind::Host)
    munmap(reinterpret_cast<void *>(base), pages(bytes));
  if (owned.pool)
    owned.pool->used -= bytes;
}

bool covered(uintptr_t address, uint64_t bytes) {
  while (bytes > 0) {
    Allocation *allocation = driver().memory->find(address);
    if (!allocation)
      return false;
    uint64_t here =
        std::min(bytes, allocation->bytes - (address - allocation->base));
    address += here;
    bytes -= here;
  }
  return true;
}

void markWritten(uintptr_t address, uint64_t bytes) {
  while (bytes > 0) {
    Allocation *allocation = driver().memory->find(address);
    if (!allocation)
      return; // pageable host memory
    uint64_t offset = address - allocation->base;
    uint64_t here = std::min(bytes, allocation->bytes - offset);
    allocation->markWritten(offset, here);
    address += here;
    bytes -= here;
  }
}

void markUnwritten(uintptr_t address, uint64_t bytes) {
  Allocation *allocation = driver().memory->find(address);
  require(allocation && allocation->contains(address, bytes));
  allocation->markUnwritten(address - allocation->base, bytes);
}

void copyBytes(uintptr_t to, uintptr_t from, uint64_t bytes) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
               bytes);
  Allocation *source = driver().memory->find(from);
  if (!source || !source->contains(from, bytes))
    return markWritten(to, bytes);
  uint64_t offset = from - source->base, end = offset + bytes;
  for (uint64_t at = offset; at < end;) {
    int64_t hole = source->firstUnwritten(at, end - at);
    uint64_t next = hole < 0 ? end : uint64_t(hole);
    markWritten(to + (at - offset), next - at);
    for (at = next; at < end && source->firstUnwritten(at, 1) >= 0;)
      ++at;
  }
}

/// Only the start of an allocation of one of `kinds` may be freed.
static void freeKind(uintptr_t base, std::initializer_list<Owned::Kind> kinds) {
  auto found = driver().owned.find(base);
  require(found != driver().owned.end() &&
          std::ranges::find(kinds, found->second.kind) != kinds.end());
  freeOwned(base);
}

static uintptr_t allocateHost(size_t bytes, unsigned flags) {
  require(bytes);
  void *pointer = mmap(nullptr, pages(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(pointer != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
  auto base = reinterpret_cast<uintptr_t>(pointer);
  driver().memory->adopt(base, bytes);
  driver().owned[base] = {Owned::Kind::Host, &currentContext(),
                          driver().nextId++, flags};
  return base;
}

static bool hostKind(const Owned &owned) {
  return owned.kind == Owned::Kind::Host ||
         owned.kind == Owned::Kind::RegisteredHost;
}

} // namespace kclaw::sim::api

using namespace kclaw::sim;
using namespace kclaw::sim::api;
using Kind = Owned::Kind;

KCL_API cuMemGetInfo_v2(size_t *free, size_t *total) {
  return call(Needs::Context, [&] {
    require(free && total);
    *total = driver().memory->total();
    *free = *total - driver().memory->used();
  });
}
KCL_API cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  return call(Needs::Context, [&] {
    require(out);
    *out = allocateOwned({Kind::Device}, bytes);
  });
}
KCL_API cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width,
                           size_t height, unsigned elementBytes) {
  return call(Needs::Context, [&] {
    require(out && pitch && width && height);
    require(elementBytes == 4 || elementBytes == 8 || elementBytes == 16);
    size_t row = (width + 511) / 512 * 512;
    *out = allocateOwned({Kind::Device}, row * height);
    *pitch = row;
  });
}
KCL_API cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags) {
  return call(Needs::Context, [&] {
    require(out &&
            (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST));
    *out = allocateOwned({Kind::Managed, nullptr, 0, flags}, bytes);
    // The host may write it without a call.
    driver().memory->find(*out)->written = nullptr;
  });
}
KCL_API cuMemFree_v2(CUdeviceptr address) {
  return call(Needs::Context, [&] {
    waitForHosts(currentContext());
    freeKind(address, {Kind::Device, Kind::Pool, Kind::Managed});
  });
}
KCL_API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes,
                                CUdeviceptr address) {
  return call(Needs::Context, [&] {
    Allocation *allocation = driver().memory->find(address);
    require(allocation, CUDA_ERROR_NOT_FOUND);
    if (base)
      *base = allocation->base;
    if (bytes)
      *bytes = allocation->bytes;
  });
}
KCL_API cuMemAllocHost_v2(void **out, size_t bytes) {
  return call(Needs::Context, [&] {
    require(out);
    *out = reinterpret_cast<void *>(
        allocateHost(bytes, CU_MEMHOSTALLOC_DEVICEMAP));
  });
}
KCL_API cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  return call(Needs::Context, [&] {
    require(out && flags < 8);
    *out = reinterpret_cast<void *>(
        allocateHost(bytes, flags | CU_MEMHOSTALLOC_DEVICEMAP));
  });
}
KCL_API cuMemFreeHost(void *pointer) {
  return call(Needs::Context, [&] {
    waitForHosts(currentContext());
    freeKind(reinterpret_cast<uintptr_t>(pointer), {Kind::Host});
  });
}
KCL_API cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  return call(Needs::Context, [&] {
    require(pointer && bytes && flags < 16);
    auto base = reinterpret_cast<uintptr_t>(pointer);
    for (const auto &[start, allocation] : driver().memory->all())
      require(start >= base + bytes || start + allocation->bytes <= base,
              CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    driver().memory->adopt(base, bytes);
    driver().owned[base] = {Kind::RegisteredHost, &currentContext(),
                            driver().nextId++, flags};
  });
}
KCL_API cuMemHostUnregister(void *pointer) {
  return call(Needs::Context, [&] {
    auto found = driver().owned.find(reinterpret_cast<uintptr_t>(pointer));
    require(pointer != nullptr);
    require(found != driver().owned.end() &&
                found->second.kind == Kind::RegisteredHost,
            CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    freeOwned(found->first);
  });
}
KCL_API cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *pointer,
                                     unsigned flags) {
  return call(Needs::Context, [&] {
    require(out && pointer && flags == 0);
    auto *owner = ownerOf(reinterpret_cast<uintptr_t>(pointer));
    require(owner && hostKind(owner->second));
    *out = reinterpret_cast<CUdeviceptr>(pointer);
  });
}
KCL_API cuMemHostGetFlags(unsigned *flags, void *pointer) {
  return call(Needs::Context, [&] {
    require(flags && pointer);
    auto *owner = ownerOf(reinterpret_cast<uintptr_t>(pointer));
    require(owner && owner->second.kind == Kind::Host);
    *flags = owner->second.flags;
  });
}
