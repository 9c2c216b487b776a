//===- AsyncStore.cpp - st.async, red.async -------------------------------===//
#include "Bulk.h"
#include "Reduce.h"

#include <array>
#include <cstring>

namespace kclaw::sim {

namespace {

/// Places: target, mbarrier; then refs of the values, `refCount` of them in
/// imm; imm2: the reduction or 0; small bit 1: 64-bit elements.
void runStore(Warp &w, const Inst &i) {
  Cluster *cluster = w.block->cluster;
  Place to = placeOf(w, i, 0), signal = placeOf(w, i, 1);
  const Ref *values = to.refs + 2 * placeRefs;
  auto count = unsigned(i.imm), element = i.small & 2 ? 8u : 4u;
  auto reduction = reinterpret_cast<Reduction>(i.imm2);
  needCluster(w, i);
  activeLanes(w, [&](unsigned l) {
    std::array<std::byte, 32> value;
    for (unsigned k = 0; k < count; ++k)
      if (element == 8)
        std::memcpy(&value[k * 8], w.in<uint64_t>(values[k]) + l, 8);
      else
        std::memcpy(&value[k * 4], w.in<uint32_t>(values[k]) + l, 4);
    unsigned bytes = count * element;
    std::byte *target =
        resolveOne(w, i, l, to.window(), to.address(w, l), bytes,
                   reduction ? AccessKind::Atomic : AccessKind::Store);
    std::byte *barrier = mbarrierFor(w, i, l, signal);
    if (!reduction)
      markPending(*cluster, target, bytes);
    w.block->counts.asyncBytes += bytes;
    defer(*cluster, barrier, [=] {
      if (reduction) {
        reduction(target, value.data(), bytes);
        markReduced(*cluster, target, bytes);
      } else {
        std::memcpy(target, value.data(), bytes);
        markArrived(*cluster, target, bytes);
      }
      completeTransaction(*cluster, barrier, bytes);
    });
  });
}

/// [target], value or {values}, [mbarrier]
void bindStore(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), Window::SharedCluster, refs);
  addPlace(b, b.operand(2), Window::SharedCluster, refs);
  Type type = b.form.type();
  const ptx::Operand &value = b.operand(1);
  unsigned count = 1;
  if (value.kind == ptx::Operand::Kind::Vector) {
    count = unsigned(value.elements.size());
    for (const ptx::Operand &element : value.elements)
      refs.push_back(b.source(element, type));
  } else {
    refs.push_back(b.source(value, type));
  }
  b.inst.firstRef = b.addRefs(refs);
  b.inst.imm = count;
  b.inst.small = bits(type) == 64 ? 2 : 0;
  b.inst.handler = runStore;
  if (b.ast->opcode != "red")
    return;
  Reduction reduction = findReduction(
      b.form.oneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"}),
      type);
  if (!reduction)
    b.error("no such reduction");
  b.inst.imm2 = reinterpret_cast<uint64_t>(reduction);
}

constexpr Row rows[] = {
    {"st.async.weak?.shared::cluster?.mbarrier::complete_tx::bytes.{v2,v4}?."
     "{b32,b64,u32,u64,s32,s64,f32,f64}",
     InstClass::AsyncCopy, bindStore},
    {"red.async.relaxed?.cluster?.shared::cluster?.mbarrier::complete_tx::"
     "bytes.{inc,dec,min,max,add,and,or,xor}.{u32,s32,u64,s64,b32,b64}",
     InstClass::AsyncCopy, bindStore},
};

} // namespace

std::span<const Row> asyncStoreRows() { return rows; }

} // namespace kclaw::sim
