//===- WarpOps.cpp - shfl, vote, match, activemask, elect -----------------===//
//
// *.sync forms wait for their members (Exec/Splits.h); the others take the
// lanes that are active. A lane that reads a lane outside of the group gets
// what that lane's register happens to hold, as PTX allows.
//
//===----------------------------------------------------------------------===//
#include "../Exec/Splits.h"
#include "Bind.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

enum class Shuffle : uint8_t { Up, Down, Butterfly, Index };

/// Per lane the lane that it reads, and whether that is within its segment.
template <Shuffle mode>
uint32_t shuffleSources(const uint32_t *b, const uint32_t *c,
                        uint32_t *source) {
  uint32_t inside[lanes];
  for (uint32_t l = 0; l < lanes; ++l) {
    uint32_t segment = (c[l] >> 8) & 31, clamp = c[l] & 31, by = b[l] & 31;
    uint32_t low = l & segment, high = low | (clamp & ~segment);
    uint32_t from;
    bool in;
    if constexpr (mode == Shuffle::Up) {
      from = l - by, in = int32_t(from) >= int32_t(high);
    } else {
      from = mode == Shuffle::Down        ? l + by
             : mode == Shuffle::Butterfly ? l ^ by
                                          : (low | (by & ~segment));
      in = from <= high;
    }
    source[l] = in ? from : l;
    inside[l] = in;
  }
  return laneMask([&](unsigned l) { return inside[l]; });
}

template <Shuffle mode>
void shuffle(Warp &w, const Inst &i, const uint64_t *deposits) {
  uint32_t source[lanes], value[lanes];
  const uint32_t *a = w.in<uint32_t>(i.a);
  for (unsigned l = 0; l < lanes; ++l)
    value[l] = deposits ? uint32_t(deposits[l]) : a[l];
  uint32_t inside =
      shuffleSources<mode>(w.in<uint32_t>(i.b), w.in<uint32_t>(i.c), source);
  eachLane(w, w.out<uint32_t>(i.d),
           [&](unsigned l) { return value[source[l]]; });
  if (i.e != noRef)
    w.setPredicate(i.e, inside);
}

template <Shuffle mode> void runShuffle(Warp &w, const Inst &i) {
  const uint32_t *a = w.in<uint32_t>(i.a);
  synchronise(
      w, i, w.in<uint32_t>(i.f), [&](unsigned l) { return uint64_t(a[l]); },
      [&](const SyncGroup &group) { shuffle<mode>(w, i, group.deposits); });
}
template <Shuffle mode> void runShuffleLegacy(Warp &w, const Inst &i) {
  shuffle<mode>(w, i, nullptr);
}

/// d, or d|p: the column of d, and i.e for p.
Ref bindResult(Builder &b, Type type) {
  const ptx::Operand &result = b.operand(0);
  if (result.kind != ptx::Operand::Kind::Pair)
    return b.destination(result, type);
  if (result.elements[1].kind != ptx::Operand::Kind::Sink)
    b.inst.e = b.predicateDestination(result.elements[1]);
  return b.destination(result.elements[0], type);
}

template <template <Shuffle> class Run>
Handler chooseShuffle(const Form &form) {
  return form.has("up")     ? Run<Shuffle::Up>::handler
         : form.has("down") ? Run<Shuffle::Down>::handler
         : form.has("bfly") ? Run<Shuffle::Butterfly>::handler
                            : Run<Shuffle::Index>::handler;
}
template <Shuffle mode> struct Synchronised {
  static constexpr Handler handler = runShuffle<mode>;
};
template <Shuffle mode> struct Legacy {
  static constexpr Handler handler = runShuffleLegacy<mode>;
};

void bindShuffle(Builder &b) {
  b.inst.d = bindResult(b, Type::B32);
  b.inst.a = b.source(1, Type::B32);
  b.inst.b = b.source(2, Type::B32);
  b.inst.c = b.source(3, Type::B32);
  bool sync = b.form.has("sync");
  if (sync)
    b.inst.f = b.source(4, Type::B32);
  b.inst.handler = sync ? chooseShuffle<Synchronised>(b.form)
                        : chooseShuffle<Legacy>(b.form);
}

enum class Vote : uint8_t { All, Any, Uniform, Ballot };

template <Vote vote>
void castVote(Warp &w, const Inst &i, uint32_t votes, uint32_t voters) {
  votes &= voters;
  if constexpr (vote == Vote::Ballot) {
    eachLane(w, w.out<uint32_t>(i.d), [&](unsigned) { return votes; });
    return;
  }
  bool result = vote == Vote::All   ? votes == voters
                : vote == Vote::Any ? votes != 0
                                    : votes == voters || votes == 0;
  w.setPredicate(i.d, result ? allLanes : 0);
}

uint32_t votesOf(const Warp &w, const Inst &i) {
  uint32_t p = w.predicate(i.a);
  return i.small & 2 ? ~p : p;
}

template <Vote vote> void runVote(Warp &w, const Inst &i) {
  uint32_t votes = votesOf(w, i);
  synchronise(
      w, i, w.in<uint32_t>(i.b),
      [&](unsigned l) { return uint64_t((votes >> l) & 1); },
      [&](const SyncGroup &group) {
        uint32_t all = votes;
        if (group.deposits)
          all = laneMask([&](unsigned l) { return group.deposits[l]; });
        castVote<vote>(w, i, all, group.present);
      });
}
template <Vote vote> void runVoteLegacy(Warp &w, const Inst &i) {
  castVote<vote>(w, i, votesOf(w, i), w.active);
}

void bindVote(Builder &b) {
  bool ballot = b.form.has("ballot"), sync = b.form.has("sync");
  b.inst.d = ballot ? b.destination(0, Type::B32)
                    : b.predicateDestination(b.operand(0));
  PredicateRef p = b.predicateSource(1);
  b.inst.a = p.ref;
  b.inst.small = uint8_t(p.negated << 1);
  if (sync)
    b.inst.b = b.source(2, Type::B32);
  b.inst.handler =
      ballot ? (sync ? runVote<Vote::Ballot> : runVoteLegacy<Vote::Ballot>)
      : b.form.has("all")
          ? (sync ? runVote<Vote::All> : runVoteLegacy<Vote::All>)
      : b.form.has("any")
          ? (sync ? runVote<Vote::Any> : runVoteLegacy<Vote::Any>)
          : (sync ? runVote<Vote::Uniform> : runVoteLegacy<Vote::Uniform>);
}

/// match.any: who has my value. match.all: everybody, or nobody.
template <class T, bool all> void runMatch(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  synchronise(
      w, i, w.in<uint32_t>(i.b), [&](unsigned l) { return uint64_t(a[l]); },
      [&](const SyncGroup &group) {
        T value[lanes];
        for (unsigned l = 0; l < lanes; ++l)
          value[l] = group.deposits ? T(group.deposits[l]) : a[l];
        auto same = [&](unsigned l) {
          return group.present &
                 laneMask([&](unsigned m) { return value[m] == value[l]; });
        };
        uint32_t *d = w.out<uint32_t>(i.d);
        if constexpr (all) {
          bool equal =
              same(unsigned(std::countr_zero(group.present))) == group.present;
          eachLane(w, d, [&](unsigned) { return equal ? group.present : 0u; });
          if (i.e != noRef)
            w.setPredicate(i.e, equal ? allLanes : 0);
        } else {
          activeLanes(w, [&](unsigned l) { d[l] = same(l); });
        }
      });
}

void bindMatch(Builder &b) {
  Type type = b.form.type();
  bool all = b.form.has("all");
  b.inst.d = bindResult(b, Type::B32);
  b.inst.a = b.source(1, type);
  b.inst.b = b.source(2, Type::B32);
  if (bits(type) == 64)
    b.inst.handler = all ? runMatch<uint64_t, true> : runMatch<uint64_t, false>;
  else
    b.inst.handler = all ? runMatch<uint32_t, true> : runMatch<uint32_t, false>;
}

void runActiveMask(Warp &w, const Inst &i) {
  uint32_t mask = w.active;
  eachLane(w, w.out<uint32_t>(i.d), [&](unsigned) { return mask; });
}
void bindActiveMask(Builder &b) {
  b.inst.d = b.destination(0, Type::B32);
  b.inst.handler = runActiveMask;
}

/// The lowest member leads.
void runElect(Warp &w, const Inst &i) {
  synchronise(
      w, i, w.in<uint32_t>(i.a), [](unsigned) { return uint64_t(0); },
      [&](const SyncGroup &group) {
        auto leader = uint32_t(std::countr_zero(group.present));
        if (i.d != noRef)
          eachLane(w, w.out<uint32_t>(i.d), [&](unsigned) { return leader; });
        w.setPredicate(i.e, 1u << leader);
      });
}
void bindElect(Builder &b) {
  b.inst.d = bindResult(b, Type::B32);
  if (b.inst.e == noRef)
    b.error("elect.sync needs a predicate");
  b.inst.a = b.source(1, Type::B32);
  b.inst.handler = runElect;
}

constexpr Row rows[] = {
    {"shfl.sync.{up,down,bfly,idx}.b32", InstClass::Warp, bindShuffle},
    {"shfl.{up,down,bfly,idx}.b32", InstClass::Warp, bindShuffle},
    {"vote.sync.{all,any,uni}.pred", InstClass::Warp, bindVote},
    {"vote.sync.ballot.b32", InstClass::Warp, bindVote},
    {"vote.{all,any,uni}.pred", InstClass::Warp, bindVote},
    {"vote.ballot.b32", InstClass::Warp, bindVote},
    {"match.{any,all}.sync.{b32,b64}", InstClass::Warp, bindMatch},
    {"activemask.b32", InstClass::Warp, bindActiveMask},
    {"elect.sync", InstClass::Warp, bindElect},
};

} // namespace

std::span<const Row> warpRows() { return rows; }

} // namespace kclaw::sim
