//===- Async.cpp - cp.async and its groups --------------------------------===//
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "../Exec/Traffic.h"
#include "Places.h"

namespace kclaw::sim {

namespace {

/// imm: bytes; b: source bytes or noRef; c: predicate "ignore the source".
/// small bit 1: that predicate is negated; bit 2: .ca, cached in L1.
void runCopy(Warp &w, const Inst &i) {
  auto bytes = unsigned(i.imm);
  Place to = placeOf(w, i, 0), from = placeOf(w, i, 1);
  uint32_t ignored = i.c == noRef ? 0 : w.predicate(i.c);
  if (i.c != noRef && (i.small & 2))
    ignored = ~ignored;
  uint64_t sources[lanes];
  uint32_t whole = 0;
  activeLanes(w, [&](unsigned l) {
    unsigned source = i.b == noRef ? bytes : w.in<uint32_t>(i.b)[l];
    if ((ignored >> l) & 1)
      source = 0;
    if (source > bytes)
      fail(w, i, FaultKind::IllegalInstruction, l, 0,
           "cp.async of " + std::to_string(bytes) + " bytes from " +
               std::to_string(source));
    ThreadCopies &copies = copiesOf(w, l);
    SmallCopy copy;
    copy.bytes = uint8_t(bytes);
    copy.sourceBytes = uint8_t(source);
    copy.group = copies.smallCommitted;
    uint64_t address = from.address(w, l);
    sources[l] = address;
    if (source == bytes) {
      whole |= 1u << l;
      copy.from =
          resolveOne(w, i, l, Window::Global, address, bytes, AccessKind::Load);
    } else if (source) { // part of an element: byte by byte
      w.block->counts.asyncBytes += source;
      for (unsigned k = 0; k < source; ++k) {
        std::byte *at = resolveOne(w, i, l, Window::Global, address + k, 1,
                                   AccessKind::Load);
        copy.from = k ? copy.from : at;
      }
    }
    copy.to = resolveOne(w, i, l, to.window(), to.address(w, l), bytes,
                         AccessKind::Store);
    markPending(*w.block->cluster, copy.to, bytes);
    copies.small.push_back(copy);
  });
  if (whole)
    countAsync(*w.block, {AccessKind::Load, sources, whole, whole, bytes, 0,
                          false, bool(i.small & 4)});
}

/// [dst], [src], bytes{, source bytes | ignore}{, policy}
void bindCopy(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), Window::Shared, refs);
  addPlace(b, b.operand(1), Window::Global, refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.imm = b.literal(2);
  b.inst.small |= uint8_t(b.form.has("ca") << 2);
  bool four = b.form.has("ca") && (b.inst.imm == 4 || b.inst.imm == 8);
  if (!four && b.inst.imm != 16)
    b.error("cp.async copies 4, 8 (ca only) or 16 bytes");
  size_t rest = b.operandCount() - b.form.has("L2::cache_hint");
  if (rest > 3) {
    auto type = b.registerType(b.operand(3));
    if (type == Type::Pred || b.operand(3).negated) {
      PredicateRef ignore = b.predicateSource(3);
      b.inst.c = ignore.ref;
      b.inst.small |= uint8_t(ignore.negated << 1);
    } else {
      b.inst.b = b.source(3, Type::U32);
    }
  }
  b.inst.handler = runCopy;
}

void runCommit(Warp &w, const Inst &) {
  activeLanes(w, [&](unsigned l) { ++copiesOf(w, l).smallCommitted; });
}

/// imm: groups that may stay in flight; -1: even what is not committed lands.
void runWaitGroup(Warp &w, const Inst &i) {
  activeLanes(w, [&](unsigned l) {
    uint32_t committed = copiesOf(w, l).smallCommitted;
    uint32_t limit = i.imm < 0                     ? ~0u
                     : committed > uint32_t(i.imm) ? committed - uint32_t(i.imm)
                                                   : 0;
    landSmallGroups(w, l, limit);
  });
}

/// Arrives when the thread's copies so far have landed. small bit 1: .noinc
void runArrive(Warp &w, const Inst &i) {
  Block *block = w.block;
  Cluster *cluster = block->cluster;
  Place place = placeOf(w, i);
  activeLanes(w, [&](unsigned l) {
    std::byte *at = resolveOne(w, i, l, place.window(), place.address(w, l), 8,
                               AccessKind::Atomic);
    Mbarrier value = loadMbarrier(at);
    if (!value.live || (i.small & 2 && !value.pending))
      fail(w, i, FaultKind::IllegalInstruction, l,
           reinterpret_cast<uintptr_t>(at),
           value.live ? "more arrivals at a mbarrier than it waits for"
                      : "no initialised mbarrier is here");
    if (!(i.small & 2)) {
      ++value.pending;
      storeMbarrier(*cluster, at, value);
    }
    noteRelease(w, at);
    ThreadCopies *copies = &copiesOf(w, l);
    uint64_t count = copies->smallLanded + copies->small.size();
    copies->smallSignalled = count;
    defer(*cluster, at, [=] {
      landSmallCount(*block, *copies, count);
      Mbarrier now = loadMbarrier(at);
      now.pending -= now.pending > 0;
      storeMbarrier(*cluster, at, now);
    });
  });
}

void bindArrive(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), windowFrom(b, b.operand(0)), refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.small = uint8_t(b.form.has("noinc") << 1);
  b.inst.handler = runArrive;
}

#define KCL_HINTS ".L2::cache_hint?.{L2::64B,L2::128B,L2::256B}?"

constexpr Row rows[] = {
    {"cp.async.{ca,cg}.{shared,shared::cta}.global" KCL_HINTS,
     InstClass::AsyncCopy, bindCopy},
    {"cp.async.commit_group", InstClass::AsyncCopy,
     [](Builder &b) { b.inst.handler = runCommit; }},
    {"cp.async.wait_group", InstClass::AsyncCopy,
     [](Builder &b) {
       b.inst.imm = b.literal(0);
       b.inst.handler = runWaitGroup;
     }},
    {"cp.async.wait_all", InstClass::AsyncCopy,
     [](Builder &b) {
       b.inst.imm = -1;
       b.inst.handler = runWaitGroup;
     }},
    {"cp.async.mbarrier.arrive.noinc?.{shared,shared::cta}?.b64",
     InstClass::Barrier, bindArrive},
};

} // namespace

std::span<const Row> asyncRows() { return rows; }

} // namespace kclaw::sim
