//===- Access.cpp ---------------------------------------------------------===//
#include "Access.h"
#include "../Check/BlockChecks.h"
#include "Fault.h"
#include "Pattern.h"
#include "Traffic.h"

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
      fail(w, inst,
           cluster ? FaultKind::IllegalInstruction : FaultKind::OutOfBounds,
           lane, address,
           describe(bytes, kind) + " outside of the shared window");
    block = &block->cluster->blocks[rank];
    if (w.block->checks && !block->aliveThreads)
      fail(w, inst, FaultKind::OutOfBounds, lane, address,
           describe(bytes, kind) + " to the shared memory of block " +
               std::to_string(rank) + " of the cluster, which has ended");
  }
  if (offset < sharedSystemBytes || offset + bytes > block->sharedBytes)
    fail(w, inst, FaultKind::OutOfBounds, lane, address,
         describe(bytes, kind) + " at byte " +
             std::to_string(int64_t(offset) - sharedSystemBytes) + " of " +
             std::to_string(block->sharedBytes - sharedSystemBytes) +
             " bytes of shared memory");
  return block->shared + offset;
}

Allocation &allocationAt(Warp &w, const Inst &inst, unsigned lane,
                         uintptr_t address, unsigned bytes, AccessKind kind) {
  Block &block = *w.block;
  Allocation *allocation = block.lastAllocation;
  if (!allocation || !allocation->reaches(address, bytes)) {
    allocation = block.grid->memory->find(address);
    if (!allocation || !allocation->reaches(address, bytes))
      outOfBounds(w, inst, lane, address, bytes, kind);
    block.lastAllocation = allocation;
  }
  if (kind != AccessKind::Load && allocation->readOnly)
    fail(w, inst, FaultKind::ReadOnlyWrite, lane, address,
         describe(bytes, kind));
  return *allocation;
}

/// Bytes that nothing has written; notes what this access writes.
void checkDefined(Warp &w, const Inst &inst, unsigned lane,
                  Allocation &allocation, uint64_t offset, unsigned bytes,
                  AccessKind kind) {
  if (w.block->checks && kind != AccessKind::Store &&
      allocation.firstUnwritten(offset, bytes) >= 0)
    fail(w, inst, FaultKind::Uninitialised, lane, allocation.base + offset,
         describe(bytes, kind) + " at byte " + std::to_string(offset) +
             " of an allocation of " + std::to_string(allocation.bytes) +
             " bytes that nothing has written yet");
  if (kind != AccessKind::Load)
    allocation.markWritten(offset, bytes);
}

unsigned elementBytes(const Inst &inst, unsigned bytes) {
  return inst.refCount > 1 && inst.refCount <= 8 ? bytes / inst.refCount
                                                 : bytes;
}

uint32_t touchGlobal(const Touch &touch, Allocation &allocation,
                     const uint64_t *offsets) {
  Warp &w = touch.w;
  Block &block = *w.block;
  for (uint32_t rest = touch.leaders; rest; rest &= rest - 1) {
    auto l = unsigned(std::countr_zero(rest));
    checkDefined(w, touch.inst, l, allocation, offsets[l], touch.bytes,
                 touch.kind);
  }
  if (touch.strong()) {
    block.checks->strongGlobal(block);
    block.cluster->signalled |= block.checks->hasFenced();
  }
  if (touch.inst.small & accessOrders)
    block.checks->fence(block);
  return allocation.readOnly ? 0 : checkGlobalRaces(touch, allocation, offsets);
}

/// One lane's access to global memory.
std::byte *globalAt(Warp &w, const Inst &inst, unsigned lane, uintptr_t address,
                    unsigned bytes, AccessKind kind, uint32_t &suspicious) {
  Allocation &allocation = allocationAt(w, inst, lane, address, bytes, kind);
  uint64_t offsets[lanes];
  offsets[lane] = address - allocation.base;
  Touch touch{w, inst, kind, bytes, elementBytes(inst, bytes), 1u << lane, 0};
  if (w.block->checks)
    suspicious |= touchGlobal(touch, allocation, offsets);
  else if (kind != AccessKind::Load)
    allocation.markWritten(offsets[lane], bytes);
  return reinterpret_cast<std::byte *>(address);
}

/// Generic addresses that are no global memory: where they lie.
enum class Home : uint8_t { Global, Shared, Local, Parameter };
Home homeOf(Warp &w, uintptr_t address, unsigned bytes) {
  const Block &block = *w.block;
  if (sharedOwner(w, address, bytes))
    return Home::Shared;
  auto local = reinterpret_cast<uintptr_t>(block.local);
  uint64_t localBytes =
      uint64_t(block.localStride) * block.warps.size() * lanes;
  if (address >= local && address + bytes <= local + localBytes)
    return Home::Local;
  const auto &parameters = block.grid->parameterMemory;
  auto inParameters = address - reinterpret_cast<uintptr_t>(parameters.data());
  return inParameters + bytes <= parameters.size() &&
                 inParameters < parameters.size()
             ? Home::Parameter
             : Home::Global;
}

void touchShared(Warp &w, const Inst &inst, unsigned lane, std::byte *at,
                 unsigned bytes, AccessKind kind, uint32_t &suspicious) {
  Block &block = *w.block;
  if (!block.checks)
    return;
  auto offset = uint64_t(at - block.shared);
  if (at < block.shared || offset >= block.sharedBytes) {
    Block *owner = sharedOwner(w, reinterpret_cast<uintptr_t>(at), bytes);
    if (owner &&
        owner->checks->remote(
            {w, inst, kind, bytes, elementBytes(inst, bytes), 1u << lane, 0},
            lane, *owner, uint32_t(at - owner->shared)))
      suspicious |= 1u << lane;
    return;
  }
  uint32_t offsets[lanes];
  offsets[lane] = uint32_t(offset);
  suspicious |= block.checks->shared(
      {w, inst, kind, bytes, elementBytes(inst, bytes), 1u << lane, 0},
      offsets);
}

void touchLocal(Warp &w, const Inst &inst, unsigned lane, std::byte *at,
                unsigned bytes, AccessKind kind) {
  if (w.block->checks)
    w.block->checks->local(
        {w, inst, kind, bytes, elementBytes(inst, bytes), 1u << lane, 0}, lane,
        at);
}

/// Of a thread's stack, in the block's local memory.
size_t stackStart(const Warp &w, unsigned lane) {
  return size_t(w.index * lanes + lane) * w.block->localStride;
}

std::byte *stackAt(Warp &w, const Inst &inst, unsigned lane, uint64_t offset,
                   unsigned bytes, AccessKind kind) {
  const Block &block = *w.block;
  if (offset + bytes > block.localStride)
    fail(w, inst, FaultKind::OutOfBounds, lane, offset,
         describe(bytes, kind) + " outside of the thread's " +
             std::to_string(block.localStride) + " bytes of local memory");
  return block.local + stackStart(w, lane) + offset;
}

} // namespace

std::byte *localFrame(Warp &w, unsigned lane) {
  const Block &block = *w.block;
  return block.local + stackStart(w, lane) +
         size_t(w.depth()) * block.grid->program->maxLocalBytes();
}

/// One lane's access, with all checks.
static std::byte *locate(Warp &w, const Inst &inst, unsigned lane,
                         Window window, uint64_t address, unsigned bytes,
                         AccessKind kind, Lanes &out) {
  checkAlignment(w, inst, lane, address, bytes, kind);
  switch (window) {
  case Window::Generic: {
    auto *at = reinterpret_cast<std::byte *>(address);
    switch (homeOf(w, address, bytes)) {
    case Home::Shared: {
      Block *owner = sharedOwner(w, address, bytes);
      uint64_t offset = uint64_t(at - owner->shared);
      return locate(w, inst, lane, Window::SharedCluster,
                    owner->windowBase() + offset, bytes, kind, out);
    }
    case Home::Local: {
      auto own = uint64_t(at - w.block->local) - stackStart(w, lane);
      if (w.block->checks && own + bytes > w.block->localStride)
        fail(w, inst, FaultKind::OutOfBounds, lane, address,
             describe(bytes, kind) + " in the local memory of another thread");
      touchLocal(w, inst, lane, at, bytes, kind);
      return at;
    }
    case Home::Parameter: // or the workspace of a grid barrier
      if (BlockChecks *checks = w.block->checks) {
        if (kind == AccessKind::Atomic || (inst.small & accessStrong))
          checks->strongGlobal(*w.block);
        if (inst.small & accessOrders)
          checks->fence(*w.block);
      }
      return at;
    case Home::Global:
      break;
    }
    return globalAt(w, inst, lane, address, bytes, kind, out.suspicious);
  }
  case Window::Global:
  case Window::Const:
    return globalAt(w, inst, lane, address, bytes, kind, out.suspicious);
  case Window::Shared:
  case Window::SharedCluster: {
    std::byte *at = sharedAt(w, inst, lane, address, bytes, kind,
                             window == Window::SharedCluster);
    touchShared(w, inst, lane, at, bytes, kind, out.suspicious);
    out.shared |= 1u << lane;
    return at;
  }
  case Window::Local:
  case Window::Frame:
  case Window::Argument: {
    if (window != Window::Local)
      address += uint64_t(w.depth()) * w.block->grid->program->maxLocalBytes();
    std::byte *at = stackAt(w, inst, lane, address, bytes, kind);
    if (window != Window::Argument)
      touchLocal(w, inst, lane, at, bytes, kind);
    return at;
  }
  case Window::Parameter:
    break;
  }
  const auto &parameters = w.block->grid->parameterMemory;
  if (address + bytes > parameters.size())
    fail(w, inst, FaultKind::OutOfBounds, lane, address,
         describe(bytes, kind) + " outside of the kernel's parameters");
  return const_cast<std::byte *>(parameters.data()) + address;
}

std::byte *resolveOne(Warp &w, const Inst &inst, unsigned lane, Window window,
                      uint64_t address, unsigned bytes, AccessKind kind) {
  Lanes out;
  return locate(w, inst, lane, window, address, bytes, kind, out);
}

namespace {

/// The addresses of all lanes; those of inactive ones are the first's.
struct Addresses {
  alignas(32) uint64_t at[lanes];
  alignas(32) uint32_t relative[lanes]; ///< to the first active lane
  unsigned first;
  bool near = true; ///< `relative` is exact
  uint64_t misaligned = 0;

  Addresses(const Warp &w, const Inst &inst, bool wide, unsigned bytes)
      : first(unsigned(std::countr_zero(w.active))) {
    auto offset = uint64_t(inst.imm);
    if (inst.a == noRef) {
      for (unsigned l = 0; l < lanes; ++l)
        at[l] = offset;
    } else if (wide) {
      const uint64_t *a = w.in<uint64_t>(inst.a);
      for (unsigned l = 0; l < lanes; ++l)
        at[l] = a[l] + offset;
    } else {
      const uint32_t *a = w.in<uint32_t>(inst.a);
      for (unsigned l = 0; l < lanes; ++l)
        at[l] = uint32_t(a[l] + uint32_t(offset));
    }
    const uint64_t start = at[first];
    if (w.active != allLanes)
      for (unsigned l = 0; l < lanes; ++l)
        at[l] = (w.active >> l) & 1 ? at[l] : start;
    uint64_t far = 0, low = 0;
    for (unsigned l = 0; l < lanes; ++l) {
      uint64_t apart = at[l] - start;
      relative[l] = uint32_t(apart);
      far |= (apart + (1u << 30)) >> 31;
      low |= at[l];
    }
    near = far == 0;
    misaligned = low & (bytes - 1);
  }
};

bool cachedInL1(const Inst &inst) {
  return !(inst.small & (accessStrong | accessOrders | accessPastL1));
}

/// All active lanes in this block's shared memory; `base` is the address of the
/// window's start. False: look at each lane.
bool resolveShared(Warp &w, const Inst &inst, const Addresses &addresses,
                   uint64_t base, unsigned bytes, AccessKind kind, Lanes &out) {
  Block &block = *w.block;
  alignas(32) uint32_t offset[lanes];
  if (addresses.misaligned || !addresses.near ||
      addresses.at[addresses.first] - base >= block.sharedBytes ||
      block.sharedBytes < sharedSystemBytes + bytes)
    return false;
  auto start = uint32_t(addresses.at[addresses.first] - base);
  uint32_t room = block.sharedBytes - sharedSystemBytes - bytes, bad = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    offset[l] = start + addresses.relative[l];
    bad |= uint32_t(offset[l] - sharedSystemBytes > room);
  }
  if (bad)
    return false;
  for (unsigned l = 0; l < lanes; ++l)
    out.at[l] = block.shared + offset[l];
  const AccessPattern &pattern = patternOf(
      block, inst, w.active, addresses.relative, start & 31, bytes, true);
  out.contiguous = pattern.contiguous;
  out.shared = w.active;
  countShared(block.counts, kind, pattern.cost, pattern.ideal, pattern.serial);
  if (block.checks)
    out.suspicious =
        block.checks->shared({w, inst, kind, bytes, elementBytes(inst, bytes),
                              pattern.leaders, pattern.several},
                             offset);
  return true;
}

/// All active lanes in one allocation.
bool resolveGlobal(Warp &w, const Inst &inst, const Addresses &addresses,
                   unsigned bytes, AccessKind kind, Lanes &out) {
  Block &block = *w.block;
  const uint64_t start = addresses.at[addresses.first];
  Allocation *&allocation = patternSlot(block, inst).allocation;
  if (!allocation || !allocation->reaches(start, bytes)) {
    allocation = block.grid->memory->find(start);
    if (!allocation)
      return false;
  }
  if (addresses.misaligned || !addresses.near || allocation->reach < bytes ||
      (kind != AccessKind::Load && allocation->readOnly))
    return false;
  alignas(32) uint64_t offset[lanes];
  uint64_t bad = 0, room = allocation->reach - bytes;
  for (unsigned l = 0; l < lanes; ++l) {
    offset[l] = addresses.at[l] - allocation->base;
    bad |= uint64_t(offset[l] > room);
  }
  if (bad)
    return false;
  for (unsigned l = 0; l < lanes; ++l)
    out.at[l] = reinterpret_cast<std::byte *>(addresses.at[l]);
  const AccessPattern &pattern = patternOf(
      block, inst, w.active, addresses.relative, start & 31, bytes, false);
  out.contiguous = pattern.contiguous;
  countGlobal(block, {kind, addresses.at, w.active, pattern.leaders, bytes,
                      pattern.cost, pattern.contiguous, cachedInL1(inst)});
  if (pattern.contiguous) { // all bytes at once; else lane by lane
    uint64_t all = uint64_t(bytes) * lanes;
    if (kind != AccessKind::Load)
      allocation->markWritten(offset[0], all);
  } else if (kind != AccessKind::Load && !block.checks) {
    activeLanes(w,
                [&](unsigned l) { allocation->markWritten(offset[l], bytes); });
  }
  if (!block.checks)
    return true;
  Touch touch{w,
              inst,
              kind,
              bytes,
              elementBytes(inst, bytes),
              pattern.leaders,
              pattern.several};
  if (pattern.contiguous && kind != AccessKind::Atomic &&
      !(inst.small & (accessStrong | accessOrders)) &&
      (kind == AccessKind::Store ||
       allocation->firstUnwritten(offset[0], uint64_t(bytes) * lanes) < 0))
    out.suspicious =
        allocation->readOnly ? 0 : checkGlobalRaces(touch, *allocation, offset);
  else
    out.suspicious = touchGlobal(touch, *allocation, offset);
  return true;
}

} // namespace

/// After lane-by-lane resolution: lanes of each kind of memory.
static void countEach(Warp &w, const Inst &inst, const uint64_t *at,
                      unsigned bytes, AccessKind kind, const Lanes &out,
                      uint32_t global, uint32_t local) {
  uint32_t low[lanes];
  for (unsigned l = 0; l < lanes; ++l)
    low[l] = uint32_t(at[l]);
  if (global)
    countGlobal(*w.block,
                {kind, at, global, global, bytes,
                 sectorCount(low, global, bytes), false, cachedInL1(inst)});
  if (out.shared)
    countShared(w.block->counts, kind, sharedWavefronts(low, out.shared, bytes),
                sharedPhases(out.shared, bytes), 1);
  if (!local)
    return;
  uint64_t offset[lanes];
  for (uint32_t rest = local; rest; rest &= rest - 1) {
    auto l = unsigned(std::countr_zero(rest));
    offset[l] = uint64_t(out.at[l] - w.block->local) % w.block->localStride;
  }
  countLocal(w, kind, offset, local, bytes);
}

void resolve(Warp &w, const Inst &inst, Window window, bool wide,
             unsigned bytes, AccessKind kind, Lanes &out) {
  Block &block = *w.block;
  out.contiguous = false;
  out.shared = out.suspicious = 0;
  const Addresses addresses(w, inst, wide, bytes);
  switch (window) {
  case Window::Shared:
  case Window::SharedCluster:
    if (resolveShared(w, inst, addresses, block.windowBase(), bytes, kind, out))
      return;
    break;
  case Window::Generic:
    if (auto base = reinterpret_cast<uint64_t>(block.shared);
        addresses.at[addresses.first] - base < block.sharedBytes &&
        resolveShared(w, inst, addresses, base, bytes, kind, out))
      return;
    [[fallthrough]];
  case Window::Global:
  case Window::Const:
    if (resolveGlobal(w, inst, addresses, bytes, kind, out))
      return;
    break;
  default:
    break;
  }
  uint32_t global = 0, local = 0;
  activeLanes(w, [&](unsigned l) {
    out.at[l] = locate(w, inst, l, window, addresses.at[l], bytes, kind, out);
    Home home = window == Window::Generic ? homeOf(w, addresses.at[l], bytes)
                : window == Window::Global || window == Window::Const
                    ? Home::Global
                    : Home::Local;
    global |= uint32_t(home == Home::Global) << l;
    bool stack = home == Home::Local && window != Window::Parameter &&
                 window != Window::Argument && !((out.shared >> l) & 1);
    local |= uint32_t(stack) << l;
  });
  countEach(w, inst, addresses.at, bytes, kind, out, global, local);
}

} // namespace kclaw::sim
