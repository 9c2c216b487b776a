//===- MatrixMove.cpp - ldmatrix, stmatrix, movmatrix ---------------------===//
//
// 8 x 8 matrices of 16-bit elements: lane 8 m + r gives the address of row r
// of matrix m; lane l holds elements 2 (l % 4) and the next of row l / 4, with
// .trans of column l / 4.
//
//===----------------------------------------------------------------------===//
#include "../Exec/Traffic.h"
#include "Matrix.h"
#include "Places.h"

#include <array>
#include <cstring>

namespace kclaw::sim {

namespace {

using Matrix8 = std::array<std::array<uint16_t, 8>, 8>;

uint32_t fragment(const Matrix8 &m, unsigned l, bool transposed) {
  unsigned major = l / 4, minor = 2 * (l % 4);
  return transposed ? m[minor][major] | uint32_t(m[minor + 1][major]) << 16
                    : m[major][minor] | uint32_t(m[major][minor + 1]) << 16;
}

Matrix8 assemble(const uint32_t *fragments, bool transposed) {
  Matrix8 m;
  for (unsigned l = 0; l < lanes; ++l)
    for (unsigned e = 0; e < 2; ++e) {
      auto value = uint16_t(fragments[l] >> (16 * e));
      unsigned major = l / 4, minor = 2 * (l % 4) + e;
      (transposed ? m[minor][major] : m[major][minor]) = value;
    }
  return m;
}

/// Host addresses of the rows; imm: matrices.
void rowsOf(Warp &w, const Inst &i, AccessKind kind,
            std::array<std::byte *, lanes> &at) {
  Place place = placeOf(w, i);
  auto count = unsigned(i.imm);
  uint32_t wavefronts = 0;
  for (unsigned m = 0; m < count; ++m) {
    std::array<unsigned, 8> uses = {};
    unsigned most = 1;
    for (unsigned r = 0; r < 8; ++r) {
      unsigned l = 8 * m + r;
      uint64_t address = place.address(w, l);
      at[l] = resolveOne(w, i, l, place.window(), address, 16, kind);
      most = std::max(most, ++uses[(address >> 4) & 7]);
    }
    wavefronts += most;
  }
  countShared(w.block->counts, kind, wavefronts, count, 1);
}

/// small bit 1: .trans
void runLoad(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  std::array<std::byte *, lanes> at;
  rowsOf(w, i, AccessKind::Load, at);
  const Ref *targets = placeOf(w, i).refs + placeRefs;
  for (unsigned m = 0; m < unsigned(i.imm); ++m) {
    Matrix8 matrix;
    for (unsigned r = 0; r < 8; ++r)
      std::memcpy(matrix[r].data(), at[8 * m + r], 16);
    eachLane(w, w.out<uint32_t>(targets[m]),
             [&](unsigned l) { return fragment(matrix, l, i.small & 2); });
  }
}

void runStore(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  std::array<std::byte *, lanes> at;
  rowsOf(w, i, AccessKind::Store, at);
  const Ref *sources = placeOf(w, i).refs + placeRefs;
  for (unsigned m = 0; m < unsigned(i.imm); ++m) {
    Matrix8 matrix = assemble(w.in<uint32_t>(sources[m]), i.small & 2);
    for (unsigned r = 0; r < 8; ++r)
      std::memcpy(at[8 * m + r], matrix[r].data(), 16);
  }
}

void runTranspose(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  Matrix8 matrix = assemble(w.in<uint32_t>(i.a), false);
  eachLane(w, w.out<uint32_t>(i.d),
           [&](unsigned l) { return fragment(matrix, l, true); });
}

void bindMatrices(Builder &b, size_t address, size_t registers, bool load) {
  const ptx::Operand &values = b.operand(registers);
  b.inst.imm = b.form.has("x1") ? 1 : b.form.has("x2") ? 2 : 4;
  if (registerCount(values) != unsigned(b.inst.imm))
    b.error("as many registers as matrices are needed");
  std::vector<Ref> refs;
  addPlace(b, b.operand(address), windowFrom(b, b.operand(address)), refs);
  if (load)
    addDestinations(b, values, Type::B32, refs);
  else
    addSources(b, values, Type::B32, refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.small = uint8_t(b.form.has("trans") << 1);
  b.inst.handler = load ? runLoad : runStore;
}

#define KCL_MATRICES                                                           \
  ".sync.aligned.m8n8.{x1,x2,x4}.trans?.{shared,shared::cta}?.b16"
// ptxas takes this order too, and CUTLASS writes it.
#define KCL_MATRICES_OTHER                                                     \
  ".sync.aligned.{x1,x2,x4}.trans?.m8n8.{shared,shared::cta}?.b16"

constexpr Row rows[] = {
    {"ldmatrix" KCL_MATRICES, InstClass::Load,
     [](Builder &b) { bindMatrices(b, 1, 0, true); }},
    {"stmatrix" KCL_MATRICES, InstClass::Store,
     [](Builder &b) { bindMatrices(b, 0, 1, false); }},
    {"ldmatrix" KCL_MATRICES_OTHER, InstClass::Load,
     [](Builder &b) { bindMatrices(b, 1, 0, true); }},
    {"stmatrix" KCL_MATRICES_OTHER, InstClass::Store,
     [](Builder &b) { bindMatrices(b, 0, 1, false); }},
    {"movmatrix.sync.aligned.m8n8.trans.b16", InstClass::Warp,
     [](Builder &b) {
       b.inst.d = b.destination(0, Type::B32);
       b.inst.a = b.source(1, Type::B32);
       b.inst.handler = runTranspose;
     }},
};

} // namespace

std::span<const Row> matrixMoveRows() { return rows; }

} // namespace kclaw::sim
