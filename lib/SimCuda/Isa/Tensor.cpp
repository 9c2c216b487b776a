//===- Tensor.cpp - TMA: cp.async.bulk.tensor, both directions ------------===//
#include "../Exec/Fault.h"
#include "../Exec/Traffic.h"
#include "Bulk.h"
#include "Matrix.h"
#include "TensorBox.h"

#include <cstring>

namespace kclaw::sim {

namespace {

/// Places in the order map, shared memory, mbarrier (loads); then the columns
/// of coordinates and im2col offsets. target: dimensions; imm: offsets; c:
/// block mask or noRef; imm2: index into `operations` + 1, or 0.
struct TensorUse {
  TensorMap map;
  Coordinates where;
};

TensorUse useOf(Warp &w, const Inst &i, unsigned l, const Ref *columns) {
  TensorUse use;
  Place place = placeOf(w, i);
  uint64_t address = place.address(w, l);
  for (unsigned k = 0; k < sizeof(TensorMap); k += 16)
    std::memcpy(
        reinterpret_cast<std::byte *>(&use.map) + k,
        resolveOne(w, i, l, place.window(), address + k, 16, AccessKind::Load),
        16);
  auto refuse = [&](const std::string &why) {
    fail(w, i, FaultKind::IllegalInstruction, l, address, why);
  };
  if (!use.map.valid())
    refuse("no tensor map is here");
  if (use.map.rank != i.target)
    refuse("a tensor map of rank " + std::to_string(use.map.rank) +
           " used with " + std::to_string(i.target) + " coordinates");
  if (use.map.interleave != TensorMap::Interleave::None)
    refuse("the simulator has no interleaved tensor maps");
  if (!use.map.elementBytes())
    refuse("the simulator has no tensor maps of packed elements");
  for (unsigned d = 0; d < i.target; ++d)
    use.where.at[d] = int32_t(w.in<uint32_t>(columns[d])[l]);
  // As an H200 does: a box begins at a whole chunk of its line.
  if (unsigned bytes = use.map.elementBytes();
      use.where.at[0] * int64_t(bytes) % 16)
    refuse("a box that begins at element " + std::to_string(use.where.at[0]) +
           " of its line; with elements of " + std::to_string(bytes) +
           " bytes it must be a multiple of " + std::to_string(16 / bytes));
  for (unsigned d = 0; d < unsigned(i.imm); ++d)
    use.where.offset[d] = w.in<uint16_t>(columns[i.target + d])[l];
  return use;
}

/// Every range must lie in one allocation; notes what is written.
void checkRanges(Warp &w, const Inst &i, unsigned l, const TensorBox &box,
                 AccessKind kind) {
  Allocation *allocation = nullptr;
  box.eachRange([&](std::byte *at, uint64_t bytes) {
    auto address = reinterpret_cast<uintptr_t>(at);
    if (!allocation || !allocation->reaches(address, bytes))
      allocation = w.block->grid->memory->find(address);
    if (!allocation || !allocation->reaches(address, bytes))
      fail(w, i, FaultKind::OutOfBounds, l, address,
           "a tensor copy of a row of " + std::to_string(bytes) +
               " bytes outside of any allocation");
    countRange(*w.block, kind, at, bytes);
    uint64_t offset = address - allocation->base;
    if (kind != AccessKind::Load)
      allocation->markWritten(offset, bytes);
    if (kind != AccessKind::Store && w.block->grid->options.checks)
      if (int64_t missing = allocation->firstUnwritten(offset, bytes);
          missing >= 0)
        fail(w, i, FaultKind::Uninitialised, l,
             allocation->base + uint64_t(missing),
             "a tensor copy reads byte " + std::to_string(missing) +
                 " of an allocation of " + std::to_string(allocation->bytes) +
                 " bytes that nothing has written yet");
  });
}

std::byte *sharedSide(Warp &w, const Inst &i, unsigned l, uint64_t bytes,
                      AccessKind kind) {
  Place place = placeOf(w, i, 1);
  uint64_t address = place.address(w, l);
  if (address % 128)
    fail(w, i, FaultKind::Misaligned, l, address,
         "a tensor copy needs shared memory at a multiple of 128 bytes");
  return resolveRange(w, i, l, place.window(), address, (bytes + 15) / 16 * 16,
                      kind);
}

void runLoad(Warp &w, const Inst &i) {
  Cluster *cluster = w.block->cluster;
  activeLanes(w, [&](unsigned l) {
    Place signal = placeOf(w, i, 2);
    TensorUse use = useOf(w, i, l, signal.refs + placeRefs);
    auto box = std::make_shared<TensorBox>(use.map, use.where);
    checkRanges(w, i, l, *box, AccessKind::Load);
    uint64_t bytes = box->bytes();
    std::byte *target = sharedSide(w, i, l, bytes, AccessKind::Store);
    std::byte *barrier = mbarrierFor(w, i, l, signal);
    Block &to = *ownerOf(*cluster, target), &at = *ownerOf(*cluster, barrier);
    auto offset = uint32_t(target - to.shared);
    auto copyTo = [&](Block &block, std::byte *notify) {
      std::byte *window = block.shared;
      markPending(*cluster, window + offset, bytes);
      w.block->counts.asyncBytes += bytes;
      defer(*cluster, notify, [=] {
        box->load(window, offset);
        markArrived(*cluster, window + offset, bytes);
        completeTransaction(*cluster, notify, bytes);
      });
    };
    if (i.c == noRef)
      return copyTo(to, barrier);
    for (uint32_t mask = w.in<uint16_t>(i.c)[l]; mask; mask &= mask - 1) {
      Block &block = blockOf(w, i, l, unsigned(std::countr_zero(mask)));
      copyTo(block, block.shared + (barrier - at.shared));
    }
  });
}

constexpr std::string_view operations[] = {"add", "min", "max", "inc",
                                           "dec", "and", "or",  "xor"};

Reduction reductionFor(Warp &w, const Inst &i, unsigned l,
                       const TensorMap &map) {
  if (!i.imm2)
    return nullptr;
  static constexpr Type types[] = {Type::B8,  Type::B16,  Type::U32, Type::S32,
                                   Type::U64, Type::S64,  Type::F16, Type::F32,
                                   Type::F64, Type::BF16, Type::F32, Type::F32,
                                   Type::F32};
  Reduction reduction =
      findReduction(operations[i.imm2 - 1], types[size_t(map.type)]);
  if (!reduction)
    fail(w, i, FaultKind::IllegalInstruction, l, 0,
         "no such reduction of the tensor's element type");
  return reduction;
}

/// As an H200 does: what is written may hang over the end of a dimension, not
/// over its start.
void checkStarts(Warp &w, const Inst &i, unsigned l, const TensorUse &use) {
  for (unsigned d = 0; d < i.target; ++d)
    if (use.where.at[d] < 0)
      fail(w, i, FaultKind::IllegalInstruction, l, 0,
           "a store of a box that begins at " +
               std::to_string(use.where.at[d]) + " in dimension " +
               std::to_string(d));
}

void runStore(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    TensorUse use = useOf(w, i, l, placeOf(w, i, 1).refs + placeRefs);
    checkStarts(w, i, l, use);
    auto box = std::make_shared<TensorBox>(use.map, use.where);
    Reduction reduction = reductionFor(w, i, l, use.map);
    checkRanges(w, i, l, *box,
                reduction ? AccessKind::Atomic : AccessKind::Store);
    std::byte *source = sharedSide(w, i, l, box->bytes(), AccessKind::Load);
    std::byte *window = w.block->shared;
    auto offset = uint32_t(source - window);
    w.block->counts.asyncBytes += box->bytes();
    addBulkCopy(w, l, [=] { box->store(window, offset, reduction); });
  });
}

/// [map, {coordinates}] -> the columns, appended to refs.
void addCoordinates(Builder &b, const ptx::Operand &operand,
                    std::vector<Ref> &refs) {
  unsigned rank = 0;
  for (unsigned d = 1; d <= 5; ++d)
    if (b.form.has(std::to_string(d) + "d"))
      rank = d;
  if (operand.elements.size() != 2 ||
      registerCount(operand.elements[1]) != rank)
    b.error("a tensor map and " + std::to_string(rank) +
            " coordinates were expected");
  b.inst.target = rank;
  addSources(b, operand.elements[1], Type::S32, refs);
}

/// [dst], [map, {c}], [mbarrier]{, {offsets}}{, mask}{, policy}
void bindLoad(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(1), Window::Generic, refs);
  addPlace(b, b.operand(0), Window::SharedCluster, refs);
  addPlace(b, b.operand(2), Window::SharedCluster, refs);
  addCoordinates(b, b.operand(1), refs);
  size_t at = 3;
  if (b.form.has("im2col")) {
    b.inst.imm = registerCount(b.operand(at));
    addSources(b, b.operand(at++), Type::U16, refs);
  }
  if (b.form.has("multicast::cluster"))
    b.inst.c = b.source(at++, Type::U16);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.handler = runLoad;
}

/// [map, {c}], [src]{, policy}
void bindStore(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), Window::Generic, refs);
  addPlace(b, b.operand(1), Window::Shared, refs);
  addCoordinates(b, b.operand(0), refs);
  if (b.form.has("reduce"))
    for (size_t k = 0; k < std::size(operations); ++k)
      if (b.form.has(operations[k]))
        b.inst.imm2 = k + 1;
  b.inst.firstRef = b.addRefs(refs);
  b.inst.handler = runStore;
}

/// Nothing moves, but the map and the coordinates must be good.
void runPrefetch(Warp &w, const Inst &i) {
  activeLanes(
      w, [&](unsigned l) { useOf(w, i, l, placeOf(w, i).refs + placeRefs); });
}

/// [map, {c}]{, {offsets}}{, policy}
void bindPrefetch(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), Window::Generic, refs);
  addCoordinates(b, b.operand(0), refs);
  if (b.form.has("im2col")) {
    b.inst.imm = registerCount(b.operand(1));
    addSources(b, b.operand(1), Type::U16, refs);
  }
  b.inst.firstRef = b.addRefs(refs);
  b.inst.handler = runPrefetch;
}

#define KCL_RANK "{1d,2d,3d,4d,5d}"

constexpr Row rows[] = {
    {"cp.async.bulk.tensor." KCL_RANK
     ".{shared::cluster,shared::cta}.global.{tile,im2col}?.mbarrier::complete_"
     "tx::bytes.multicast::cluster?.L2::cache_hint?",
     InstClass::AsyncCopy, bindLoad,
     "absent: interleaved maps, packed elements"},
    {"cp.async.bulk.tensor." KCL_RANK
     ".global.shared::cta.{tile,im2col_no_offs}?.bulk_group.L2::cache_hint?",
     InstClass::AsyncCopy, bindStore},
    {"cp.reduce.async.bulk.tensor." KCL_RANK
     ".global.shared::cta.{add,min,max,inc,dec,and,or,xor}.{tile,im2col_no_"
     "offs}?.bulk_group.L2::cache_hint?",
     InstClass::AsyncCopy, bindStore},
    {"cp.async.bulk.prefetch.tensor." KCL_RANK
     ".L2.global.{tile,im2col}?.L2::cache_hint?",
     InstClass::AsyncCopy, bindPrefetch, "a prefetch has no effect"},
};

} // namespace

std::span<const Row> tensorRows() { return rows; }

} // namespace kclaw::sim
