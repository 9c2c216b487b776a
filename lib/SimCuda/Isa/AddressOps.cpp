//===- AddressOps.cpp - isspacep, mapa, getctarank ------------------------===//
//
// A generic address is a host address (Exec/DeviceMemory.h), so its space is
// told by whose bytes it names.
//
//===----------------------------------------------------------------------===//
#include "../Exec/Access.h"
#include "../Exec/Fault.h"
#include "Bind.h"

namespace kclaw::sim {

namespace {

/// Rank of the block of this cluster that the address is shared memory of, or
/// -1.
int sharedRank(const Block &block, uint64_t address) {
  for (const Block &other : block.cluster->blocks) {
    auto base = reinterpret_cast<uint64_t>(other.shared);
    if (address - base < other.sharedBytes)
      return int(other.rank);
  }
  return -1;
}

bool inLocal(const Block &block, uint64_t address) {
  auto base = reinterpret_cast<uint64_t>(block.local);
  return address - base <
         uint64_t(block.localStride) * block.warps.size() * lanes;
}

bool inParameters(const Block &block, uint64_t address) {
  const auto &memory = block.grid->parameterMemory;
  return address - reinterpret_cast<uint64_t>(memory.data()) < memory.size();
}

/// Constant memory is an allocation that kernels cannot write.
bool inConstant(const Block &block, uint64_t address) {
  const Allocation *allocation = block.grid->memory->find(address);
  return allocation && allocation->readOnly;
}

bool inGlobal(const Block &block, uint64_t address) {
  return sharedRank(block, address) < 0 && !inLocal(block, address) &&
         !inParameters(block, address) && !inConstant(block, address);
}

template <class In> void runIsSpace(Warp &w, const Inst &i) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  const Block &block = *w.block;
  uint32_t result = 0;
  activeLanes(w,
              [&](unsigned l) { result |= uint32_t(In{}(block, a[l])) << l; });
  w.setPredicate(i.d, result);
}

#define KCL_IN(NAME, EXPR)                                                     \
  struct NAME {                                                                \
    bool operator()(const Block &block, uint64_t a) const { return EXPR; }     \
  }
KCL_IN(Global, inGlobal(block, a));
KCL_IN(SharedCta, sharedRank(block, a) == int(block.rank));
KCL_IN(SharedCluster, sharedRank(block, a) >= 0);
KCL_IN(Local, inLocal(block, a));
KCL_IN(Parameters, inParameters(block, a));
KCL_IN(Constant, inConstant(block, a));

void bindIsSpace(Builder &b) {
  b.inst.d = b.predicateDestination(b.operand(0));
  b.inst.a = b.source(1, Type::U64);
  const Form &form = b.form;
  b.inst.handler = form.has("global")            ? runIsSpace<Global>
                   : form.has("shared::cluster") ? runIsSpace<SharedCluster>
                   : form.has("local")           ? runIsSpace<Local>
                   : form.has("const")           ? runIsSpace<Constant>
                   : form.has("param") || form.has("param::entry")
                       ? runIsSpace<Parameters>
                       : runIsSpace<SharedCta>;
}

[[noreturn]] void noSuchRank(Warp &w, const Inst &i, unsigned l,
                             uint64_t rank) {
  fail(w, i, FaultKind::IllegalInstruction, l, 0,
       "block " + std::to_string(rank) + " of a cluster of " +
           std::to_string(w.block->cluster->blocks.size()));
}

/// The same place in the shared memory of another block of the cluster.
template <class T> void runMapWindow(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  const uint32_t *rank = w.in<uint32_t>(i.b);
  T *d = w.out<T>(i.d);
  activeLanes(w, [&](unsigned l) {
    if (rank[l] >= w.block->cluster->blocks.size())
      noSuchRank(w, i, l, rank[l]);
    d[l] = T((a[l] & ((1u << sharedRankShift) - 1)) |
             (rank[l] << sharedRankShift));
  });
}
void runMapGeneric(Warp &w, const Inst &i) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  const uint32_t *rank = w.in<uint32_t>(i.b);
  uint64_t *d = w.out<uint64_t>(i.d);
  auto &blocks = w.block->cluster->blocks;
  activeLanes(w, [&](unsigned l) {
    if (rank[l] >= blocks.size())
      noSuchRank(w, i, l, rank[l]);
    int from = sharedRank(*w.block, a[l]);
    if (from < 0)
      fail(w, i, FaultKind::OutOfBounds, l, a[l],
           "mapa of an address that is not in shared memory");
    d[l] = a[l] - reinterpret_cast<uint64_t>(blocks[size_t(from)].shared) +
           reinterpret_cast<uint64_t>(blocks[rank[l]].shared);
  });
}

/// A register, or a shared variable (+ offset) as a window address or generic.
void bindMap(Builder &b) {
  Type type = b.form.type();
  bool window = b.form.has("shared::cluster"), wide = bits(type) == 64;
  const ptx::Operand &from = b.operand(1);
  b.inst.d = b.destination(0, type);
  b.inst.b = b.source(2, Type::U32);
  auto symbol = b.registerType(from) ? std::nullopt : b.symbol(from.name);
  if (symbol && symbol->space == ptx::Space::Shared)
    b.inst.a = b.specialColumn(
        "shared:" + std::to_string(symbol->address + from.offset), type);
  else
    b.inst.a = b.source(1, type);
  if (!window && !wide)
    b.error("generic addresses have 64 bits");
  b.inst.handler = !window ? runMapGeneric
                   : wide  ? runMapWindow<uint64_t>
                           : runMapWindow<uint32_t>;
}

template <class T, bool generic> void runRank(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  uint32_t *d = w.out<uint32_t>(i.d);
  activeLanes(w, [&](unsigned l) {
    d[l] = generic ? uint32_t(std::max(sharedRank(*w.block, a[l]), 0))
                   : uint32_t(a[l] >> sharedRankShift);
  });
}
void bindRank(Builder &b) {
  Type type = b.form.type();
  bool window = b.form.has("shared::cluster"), wide = bits(type) == 64;
  b.inst.d = b.destination(0, Type::U32);
  b.inst.a = b.source(1, type);
  if (!window && !wide)
    b.error("generic addresses have 64 bits");
  b.inst.handler = !window ? runRank<uint64_t, true>
                   : wide  ? runRank<uint64_t, false>
                           : runRank<uint32_t, false>;
}

constexpr Row rows[] = {
    {"isspacep.{global,shared,shared::cta,shared::cluster,local,const,param,"
     "param::entry}",
     InstClass::Move, bindIsSpace},
    {"mapa.shared::cluster?.{u32,u64}", InstClass::Move, bindMap},
    {"getctarank.shared::cluster?.{u32,u64}", InstClass::Move, bindRank},
};

} // namespace

std::span<const Row> addressRows() { return rows; }

} // namespace kclaw::sim
