//===- Access.cpp ---------------------------------------------------------===//
#include "Access.h"
#include "Fault.h"

#include <algorithm>
#include <string>

namespace kclaw::sim {

namespace {

const char *verb(AccessKind kind) {
  return kind == AccessKind::Load    ? "load"
         : kind == AccessKind::Store ? "store"
                                     : "atomic";
}

std::string describe(unsigned bytes, AccessKind kind) {
  return std::to_string(bytes) + "-byte " + verb(kind);
}

[[noreturn]] void outOfBounds(Warp &w, const Inst &inst, unsigned lane,
                              uintptr_t address, unsigned bytes,
                              AccessKind kind) {
  const Allocation *near = nullptr;
  uint64_t past = 0;
  for (const auto &[base, allocation] : w.block->grid->memory->all())
    if (base <= address)
      near = allocation.get(), past = address - base;
  std::string detail = describe(bytes, kind);
  if (near && past < near->bytes + (1 << 20))
    detail += " at byte " + std::to_string(past) + " of an allocation of " +
              std::to_string(near->bytes) + " bytes";
  else
    detail += " outside of any allocation";
  fail(w, inst, FaultKind::OutOfBounds, lane, address, detail);
}

void checkAlignment(Warp &w, const Inst &inst, unsigned lane, uint64_t address,
                    unsigned bytes, AccessKind kind) {
  if (address & (bytes - 1))
    fail(w, inst, FaultKind::Misaligned, lane, address, describe(bytes, kind));
}

/// The block of the cluster whose shared memory the host address lies in.
Block *sharedOwner(Warp &w, uintptr_t address, unsigned bytes) {
  for (Block &block : w.block->cluster->blocks) {
    auto base = reinterpret_cast<uintptr_t>(block.shared);
    if (address >= base && address + bytes <= base + block.sharedBytes)
      return &block;
  }
  return nullptr;
}

std::byte *sharedAt(Warp &w, const Inst &inst, unsigned lane, uint64_t address,
                    unsigned bytes, AccessKind kind, bool cluster) {
  Block *block = w.block;
  uint64_t rank = address >> sharedRankShift;
  uint64_t offset = address & ((1u << sharedRankShift) - 1);
  if (rank != block->rank) {
    if (!cluster || rank >= block->cluster->blocks.size())
      fail(w, inst, FaultKind::OutOfBounds, lane, address,
           describe(bytes, kind) + " outside of the shared window");
    block = &block->cluster->blocks[rank];
  }
  if (offset < sharedSystemBytes || offset + bytes > block->sharedBytes)
    fail(w, inst, FaultKind::OutOfBounds, lane, address,
         describe(bytes, kind) + " at byte " +
             std::to_string(int64_t(offset) - sharedSystemBytes) + " of " +
             std::to_string(block->sharedBytes - sharedSystemBytes) +
             " bytes of shared memory");
  return block->shared + offset;
}

std::byte *globalAt(Warp &w, const Inst &inst, unsigned lane, uintptr_t address,
                    unsigned bytes, AccessKind kind) {
  Block &block = *w.block;
  Allocation *allocation = block.lastAllocation;
  if (!allocation || !allocation->contains(address, bytes)) {
    allocation = block.grid->memory->find(address);
    if (!allocation || !allocation->contains(address, bytes))
      outOfBounds(w, inst, lane, address, bytes, kind);
    block.lastAllocation = allocation;
  }
  if (kind != AccessKind::Load && allocation->readOnly)
    fail(w, inst, FaultKind::ReadOnlyWrite, lane, address,
         describe(bytes, kind));
  if (block.grid->options.checks && kind != AccessKind::Store) {
    uint64_t offset = address - allocation->base;
    if (allocation->firstUnwritten(offset, bytes) >= 0)
      fail(w, inst, FaultKind::Uninitialised, lane, address,
           describe(bytes, kind) + " at byte " + std::to_string(offset) +
               " of an allocation of " + std::to_string(allocation->bytes) +
               " bytes that nothing has written yet");
  }
  if (kind != AccessKind::Load)
    allocation->markWritten(address - allocation->base, bytes);
  return reinterpret_cast<std::byte *>(address);
}

std::byte *genericAt(Warp &w, const Inst &inst, unsigned lane,
                     uintptr_t address, unsigned bytes, AccessKind kind) {
  if (Block *owner = sharedOwner(w, address, bytes)) {
    uint64_t offset = address - reinterpret_cast<uintptr_t>(owner->shared);
    return sharedAt(w, inst, lane, owner->windowBase() + offset, bytes, kind,
                    true);
  }
  auto local = reinterpret_cast<uintptr_t>(w.block->local);
  uint64_t localBytes =
      uint64_t(w.block->localStride) * w.block->warps.size() * lanes;
  auto inParameters = address - reinterpret_cast<uintptr_t>(
                                    w.block->grid->parameterMemory.data());
  if ((address >= local && address + bytes <= local + localBytes) ||
      inParameters + bytes <= w.block->grid->parameterMemory.size())
    return reinterpret_cast<std::byte *>(address);
  return globalAt(w, inst, lane, address, bytes, kind);
}

std::byte *stackAt(Warp &w, const Inst &inst, unsigned lane, uint64_t offset,
                   unsigned bytes, AccessKind kind) {
  const Block &block = *w.block;
  if (offset + bytes > block.localStride)
    fail(w, inst, FaultKind::OutOfBounds, lane, offset,
         describe(bytes, kind) + " outside of the thread's " +
             std::to_string(block.localStride) + " bytes of local memory");
  return block.local + size_t(w.index * lanes + lane) * block.localStride +
         offset;
}

uint32_t sectors(const Lanes &where, uint32_t active, unsigned bytes) {
  uintptr_t seen[lanes * 4];
  unsigned count = 0;
  for (uint32_t mask = active; mask; mask &= mask - 1) {
    auto address =
        reinterpret_cast<uintptr_t>(where.at[std::countr_zero(mask)]);
    for (uintptr_t s = address / 32; s <= (address + bytes - 1) / 32; ++s)
      seen[count++] = s;
  }
  std::sort(seen, seen + count);
  return uint32_t(std::unique(seen, seen + count) - seen);
}

void countGlobal(Counts &counts, AccessKind kind, uint32_t sectorCount,
                 uint32_t active, unsigned bytes) {
  uint64_t moved = uint64_t(std::popcount(active)) * bytes;
  if (kind == AccessKind::Atomic)
    ++counts.atomicRequests;
  if (kind == AccessKind::Load) {
    ++counts.globalLoadRequests;
    counts.globalLoadSectors += sectorCount;
    counts.globalLoadBytes += moved;
  } else {
    ++counts.globalStoreRequests;
    counts.globalStoreSectors += sectorCount;
    counts.globalStoreBytes += moved;
  }
}

} // namespace

std::byte *localFrame(Warp &w, unsigned lane) {
  const Block &block = *w.block;
  return block.local + size_t(w.index * lanes + lane) * block.localStride +
         size_t(w.depth()) * block.grid->program->maxLocalBytes();
}

std::byte *resolveOne(Warp &w, const Inst &inst, unsigned lane, Window window,
                      uint64_t address, unsigned bytes, AccessKind kind) {
  checkAlignment(w, inst, lane, address, bytes, kind);
  switch (window) {
  case Window::Generic:
    return genericAt(w, inst, lane, address, bytes, kind);
  case Window::Global:
  case Window::Const:
    return globalAt(w, inst, lane, address, bytes, kind);
  case Window::Shared:
  case Window::SharedCluster:
    return sharedAt(w, inst, lane, address, bytes, kind,
                    window == Window::SharedCluster);
  case Window::Local:
    return stackAt(w, inst, lane, address, bytes, kind);
  case Window::Frame:
    return stackAt(w, inst, lane,
                   address + uint64_t(w.depth()) *
                                 w.block->grid->program->maxLocalBytes(),
                   bytes, kind);
  case Window::Parameter:
    break;
  }
  const auto &parameters = w.block->grid->parameterMemory;
  if (address + bytes > parameters.size())
    fail(w, inst, FaultKind::OutOfBounds, lane, address,
         describe(bytes, kind) + " outside of the kernel's parameters");
  return const_cast<std::byte *>(parameters.data()) + address;
}

/// All lanes, side by side, in one allocation: the common case, without a look
/// at each lane.
static bool resolveContiguous(Warp &w, const Inst &inst, Window window,
                              unsigned bytes, AccessKind kind, Lanes &out) {
  Block &block = *w.block;
  if (w.active != allLanes || inst.a == noRef)
    return false;
  const uint64_t *address = w.in<uint64_t>(inst.a);
  uint64_t first = address[0];
  uint64_t apart = 0;
  for (unsigned l = 0; l < lanes; ++l)
    apart |= address[l] ^ (first + l * bytes);
  Allocation *allocation = block.lastAllocation;
  uint64_t start = first + uint64_t(inst.imm);
  if (apart || (start & (bytes - 1)) || !allocation ||
      !allocation->contains(start, uint64_t(bytes) * lanes) ||
      (kind != AccessKind::Load && allocation->readOnly))
    return false;
  (void)window; // an allocation is global memory, whatever the window says
  uint64_t offset = start - allocation->base;
  if (block.grid->options.checks && kind != AccessKind::Store &&
      allocation->firstUnwritten(offset, uint64_t(bytes) * lanes) >= 0)
    return false; // the slow path reports the lane
  if (kind != AccessKind::Load)
    allocation->markWritten(offset, uint64_t(bytes) * lanes);
  auto *host = reinterpret_cast<std::byte *>(start);
  for (unsigned l = 0; l < lanes; ++l)
    out.at[l] = host + size_t(l) * bytes;
  out.contiguous = true;
  countGlobal(block.counts, kind,
              uint32_t((start + bytes * lanes - 1) / 32 - start / 32 + 1),
              allLanes, bytes);
  return true;
}

void resolve(Warp &w, const Inst &inst, Window window, bool wide,
             unsigned bytes, AccessKind kind, Lanes &out) {
  out.contiguous = false;
  bool global = window == Window::Global || window == Window::Generic;
  if (global && wide && resolveContiguous(w, inst, window, bytes, kind, out))
    return;
  const uint64_t *wideColumn =
      inst.a != noRef && wide ? w.in<uint64_t>(inst.a) : nullptr;
  const uint32_t *column =
      inst.a != noRef && !wide ? w.in<uint32_t>(inst.a) : nullptr;
  activeLanes(w, [&](unsigned l) {
    uint64_t address = uint64_t(inst.imm);
    if (wideColumn)
      address += wideColumn[l];
    else if (column)
      address = uint32_t(address + column[l]);
    out.at[l] = resolveOne(w, inst, l, window, address, bytes, kind);
  });
  Counts &counts = w.block->counts;
  if (global)
    countGlobal(counts, kind, sectors(out, w.active, bytes), w.active, bytes);
  else if (window == Window::Local || window == Window::Frame)
    counts.localBytes += uint64_t(std::popcount(w.active)) * bytes;
}

} // namespace kclaw::sim
