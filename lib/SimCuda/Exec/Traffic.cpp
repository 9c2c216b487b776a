//===- Traffic.cpp --------------------------------------------------------===//
#include "Traffic.h"
#include "../Model/Caches.h"

#include <algorithm>
#include <bit>

namespace kclaw::sim {

namespace {

/// Sectors of one line that a request touches.
struct Piece {
  uint64_t line;
  uint32_t sectors;
};

/// Of the bytes from `first` to `last` of one line.
uint32_t sectorsOf(uint64_t first, uint64_t last) {
  uint32_t from = first / sectorBytes % 4, to = last / sectorBytes % 4;
  return (2u << to) - (1u << from);
}

/// Calls f(piece) for each line of a range.
template <class F> void eachLine(uint64_t at, uint64_t bytes, F &&f) {
  for (uint64_t end = at + bytes; at < end;) {
    uint64_t line = at / lineBytes, next = (line + 1) * lineBytes;
    f(Piece{line, sectorsOf(at, std::min(end, next) - 1)});
    at = next;
  }
}

/// The distinct lines of a request.
struct Pieces {
  std::array<Piece, 2 * lanes> all;
  unsigned count = 0;

  void addRange(uint64_t at, uint64_t bytes) {
    eachLine(at, bytes, [&](const Piece &piece) { add(piece); });
  }
  void add(const Piece &piece) {
    for (unsigned k = count; k-- > 0;)
      if (all[k].line == piece.line) {
        all[k].sectors |= piece.sectors;
        return;
      }
    all[count++] = piece;
  }
};

void throughL2(Block &block, const Piece &piece, bool read, bool write) {
  L2Cache *l2 = block.grid->l2;
  if (!l2)
    return;
  Counts &counts = block.counts;
  auto sectors = uint64_t(std::popcount(piece.sectors));
  counts.l2ReadSectors += read ? sectors : 0;
  counts.l2WriteSectors += write ? sectors : 0;
  if (!l2->samples(piece.line))
    return;
  L2Cache::Use use = l2->access(piece.line, piece.sectors, read, write);
  counts.sampledHits += read ? use.hits : 0;
  counts.sampledMisses += read ? use.misses : 0;
  counts.sampledFetched += use.fetched;
  counts.sampledWrites += write ? sectors : 0;
  counts.sampledWritten += use.written;
}

} // namespace

/// Lanes with one address follow each other; a slice of the L2 takes a sector
/// of other addresses at once.
static void countTurns(Counts &counts, const GlobalRequest &r,
                       const Piece &piece, unsigned pieces) {
  auto active = uint64_t(std::popcount(r.active));
  uint64_t turns = std::min(active / uint64_t(std::popcount(r.leaders)),
                            (active + pieces - 1) / pieces);
  size_t slice = (piece.line * 0x9e3779b97f4a7c15ull >> 32) % Counts::slices;
  counts.atomicSlices[slice] +=
      std::max<uint64_t>(uint64_t(std::popcount(piece.sectors)), turns);
}

/// The request's lines through the caches.
static void moveLines(Block &block, const GlobalRequest &r) {
  if (!block.grid->l2)
    return;
  Counts &counts = block.counts;
  Pieces pieces;
  if (r.contiguous)
    pieces.addRange(r.at[0], uint64_t(r.bytes) * lanes);
  else
    for (uint32_t rest = r.leaders; rest; rest &= rest - 1)
      pieces.addRange(r.at[std::countr_zero(rest)], r.bytes);
  uint64_t distinct = uint64_t(std::popcount(r.leaders)) * r.bytes;
  counts.l1Lines += pieces.count;
  counts.l1Wavefronts += std::max<uint64_t>(
      pieces.count, (distinct + l1BytesPerCycle - 1) / l1BytesPerCycle);
  for (unsigned k = 0; k < pieces.count; ++k) {
    Piece piece = pieces.all[k];
    if (r.kind == AccessKind::Load && r.throughL1 && block.l1) {
      uint32_t hits = block.l1->read(piece.line, piece.sectors);
      counts.l1HitSectors += uint64_t(std::popcount(hits));
      piece.sectors &= ~hits;
    }
    if (piece.sectors)
      throughL2(block, piece, r.kind != AccessKind::Store,
                r.kind != AccessKind::Load);
    if (r.kind == AccessKind::Atomic)
      countTurns(counts, r, piece, pieces.count);
  }
}

void countGlobal(Block &block, const GlobalRequest &r) {
  Counts &counts = block.counts;
  uint64_t moved = uint64_t(std::popcount(r.active)) * r.bytes;
  if (r.kind == AccessKind::Load) {
    ++counts.globalLoadRequests;
    counts.globalLoadSectors += r.sectors;
    counts.globalLoadBytes += moved;
  } else {
    ++counts.globalStoreRequests;
    counts.globalStoreSectors += r.sectors;
    counts.globalStoreBytes += moved;
    auto whole = uint64_t(std::popcount(r.leaders)) * r.bytes / sectorBytes;
    if (r.kind == AccessKind::Store)
      counts.partialWriteSectors +=
          r.sectors - std::min<uint64_t>(r.sectors, whole);
  }
  counts.atomicRequests += r.kind == AccessKind::Atomic;
  moveLines(block, r);
}

void countAsync(Block &block, const GlobalRequest &r) {
  block.counts.asyncBytes += uint64_t(std::popcount(r.active)) * r.bytes;
  moveLines(block, r);
}

void countShared(Counts &counts, AccessKind kind, uint32_t wavefronts,
                 uint32_t ideal, uint32_t serial) {
  if (kind == AccessKind::Load) {
    ++counts.sharedLoadRequests;
    counts.sharedLoadWavefronts += wavefronts;
    counts.sharedLoadIdeal += ideal;
  } else {
    ++counts.sharedStoreRequests;
    counts.sharedStoreWavefronts += wavefronts;
    counts.sharedStoreIdeal += ideal;
  }
  if (kind == AccessKind::Atomic)
    counts.sharedAtomicTurns += serial;
}

void countLocal(Warp &w, AccessKind kind, const uint64_t *offset,
                uint32_t active, unsigned bytes) {
  Block &block = *w.block;
  Counts &counts = block.counts;
  counts.localBytes += uint64_t(std::popcount(active)) * bytes;
  ++counts.localRequests;
  Pieces pieces;
  auto base = reinterpret_cast<uint64_t>(block.local) +
              uint64_t(w.index) * lanes * block.localStride;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    auto l = unsigned(std::countr_zero(rest));
    for (unsigned k = 0; k < bytes; k += 4) {
      uint64_t at = base / lineBytes * lineBytes +
                    (offset[l] + k) / 4 * lineBytes + l * 4;
      if (pieces.count < pieces.all.size())
        pieces.add({at / lineBytes, sectorsOf(at, at + 3)});
    }
  }
  for (unsigned k = 0; k < pieces.count; ++k) {
    Piece piece = pieces.all[k];
    counts.localSectors += uint64_t(std::popcount(piece.sectors));
    if (block.l1) {
      uint32_t hits = block.l1->read(piece.line, piece.sectors);
      if (kind == AccessKind::Load)
        piece.sectors &= ~hits;
      else
        piece.sectors = 0; // stays there unless it is evicted
    }
    if (piece.sectors)
      throughL2(block, piece, kind == AccessKind::Load,
                kind != AccessKind::Load);
  }
  counts.l1Wavefronts += pieces.count;
  counts.l1Lines += pieces.count;
}

void countRange(Block &block, AccessKind kind, const std::byte *at,
                uint64_t bytes) {
  if (!block.grid->l2)
    return;
  eachLine(reinterpret_cast<uint64_t>(at), bytes, [&](const Piece &piece) {
    throughL2(block, piece, kind != AccessKind::Store,
              kind != AccessKind::Load);
  });
}

} // namespace kclaw::sim
