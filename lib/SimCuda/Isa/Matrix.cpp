//===- Matrix.cpp - mma.sync ----------------------------------------------===//
#include "Matrix.h"
#include "../Exec/Fault.h"

namespace kclaw::sim {

bool aligned(Warp &w, const Inst &i) {
  if (w.active == w.alive) {
    w.split().token = 0;
    return true;
  }
  if (w.split().token)
    fail(w, i, FaultKind::DivergentBarrier,
         unsigned(std::countr_zero(w.alive & ~w.active)), 0,
         "this thread is elsewhere while others of its warp execute an "
         "aligned instruction");
  suspend(w, i, Split::State::AtWarpSync, true);
  w.split().waitMask = w.alive;
  return false;
}

void addSources(Builder &b, const ptx::Operand &operand, Type type,
                std::vector<Ref> &refs) {
  if (operand.kind != ptx::Operand::Kind::Vector)
    return refs.push_back(b.source(operand, type));
  for (const ptx::Operand &element : operand.elements)
    refs.push_back(b.source(element, type));
}

void addDestinations(Builder &b, const ptx::Operand &operand, Type type,
                     std::vector<Ref> &refs) {
  if (operand.kind != ptx::Operand::Kind::Vector)
    return refs.push_back(b.destination(operand, type));
  for (const ptx::Operand &element : operand.elements)
    refs.push_back(b.destination(element, type));
}

namespace {

/// Refs: D, A, B, C. small bit 1: .satfinite; bit 2: D and C are f16.
template <class A, class B, unsigned M, unsigned K>
void runMma(Warp &w, const Inst &i) {
  using Wide = typename A::Wide;
  using Word = typename A::Word;
  constexpr unsigned N = 8, E = A::perWord, rowBlocks = M / 8;
  constexpr unsigned aCount = M * K / (32 * E), bCount = N * K / (32 * E);
  if (!aligned(w, i))
    return;
  const bool half = i.small & 4;
  const unsigned dCount = half ? M / 8 : M / 4;
  const Ref *dRefs = w.split().function->refs.data() + i.firstRef;
  const Ref *aRefs = dRefs + dCount, *bRefs = aRefs + aCount,
            *cRefs = bRefs + bCount;
  alignas(32) Wide a[M][K], b[K][N], d[M][N];
  for (unsigned r = 0; r < aCount; ++r) {
    const Word *word = w.in<Word>(aRefs[r]);
    for (unsigned l = 0; l < lanes; ++l)
      for (unsigned e = 0; e < E; ++e)
        a[l / 4 + 8 * (r % rowBlocks)]
         [4 * E * (r / rowBlocks) + E * (l % 4) + e] = A::get(word[l], e);
  }
  for (unsigned r = 0; r < bCount; ++r) {
    const Word *word = w.in<Word>(bRefs[r]);
    for (unsigned l = 0; l < lanes; ++l)
      for (unsigned e = 0; e < E; ++e)
        b[4 * E * r + E * (l % 4) + e][l / 4] = B::get(word[l], e);
  }
  auto at = [&](unsigned l, unsigned element) -> Wide & {
    return d[l / 4 + 8 * (element / 2)][2 * (l % 4) + element % 2];
  };
  constexpr bool integer = std::is_integral_v<Wide>;
  for (unsigned r = 0; r < dCount; ++r) {
    if (half) {
      const uint32_t *c = w.in<uint32_t>(cRefs[r]);
      for (unsigned l = 0; l < lanes; ++l)
        for (unsigned e = 0; e < 2; ++e)
          at(l, 2 * r + e) = Wide(HalfElement::get(c[l], e));
    } else {
      const Wide *c = w.in<Wide>(cRefs[r]);
      for (unsigned l = 0; l < lanes; ++l)
        at(l, r) = integer ? Wide(0) : c[l];
    }
  }
  for (unsigned m = 0; m < M; ++m)
    multiplyRow<N>(d[m], a[m], &b[0][0], K);
  for (unsigned r = 0; r < dCount; ++r) {
    if (half) {
      eachLane(w, w.out<uint32_t>(dRefs[r]), [&](unsigned l) {
        return packHalves(float(at(l, 2 * r)), float(at(l, 2 * r + 1)));
      });
    } else if constexpr (integer) {
      const int32_t *c = w.in<int32_t>(cRefs[r]);
      eachLane(w, w.out<int32_t>(dRefs[r]), [&](unsigned l) {
        return addInteger(c[l], at(l, r), i.small & 2);
      });
    } else {
      eachLane(w, w.out<Wide>(dRefs[r]), [&](unsigned l) { return at(l, r); });
    }
  }
  countProduct<A>(w, uint64_t(M) * N * K);
}

template <class A, class B, unsigned M, unsigned K> void bindMma(Builder &b) {
  constexpr unsigned E = A::perWord;
  constexpr bool wide = sizeof(typename A::Word) == 8;
  bool half = b.form.type(0) == Type::F16;
  Type operands = wide ? Type::F64 : Type::B32;
  Type results = wide                                   ? Type::F64
                 : half                                 ? Type::B32
                 : std::is_integral_v<typename A::Wide> ? Type::S32
                                                        : Type::F32;
  const unsigned counts[] = {half ? M / 8 : M / 4, M * K / (32 * E),
                             8 * K / (32 * E), half ? M / 8 : M / 4};
  for (unsigned k = 0; k < 4; ++k)
    if (registerCount(b.operand(k)) != counts[k])
      b.error("operand " + std::to_string(k) + " must have " +
              std::to_string(counts[k]) + " registers");
  std::vector<Ref> refs;
  addDestinations(b, b.operand(0), results, refs);
  addSources(b, b.operand(1), operands, refs);
  addSources(b, b.operand(2), operands, refs);
  addSources(b, b.operand(3), results, refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.small = uint8_t(b.form.has("satfinite") << 1 | half << 2);
  b.inst.handler = runMma<A, B, M, K>;
}

/// A and B are each of X, which is called `first`, or of Y.
template <class X, class Y, unsigned M, unsigned K>
void bindMixed(Builder &b, std::string_view first) {
  const auto &parts = b.ast->modifiers; // ..., D, A, B, C
  bool a = parts[parts.size() - 3] == first;
  bool c = parts[parts.size() - 2] == first;
  (a   ? c ? bindMma<X, X, M, K> : bindMma<X, Y, M, K>
   : c ? bindMma<Y, X, M, K>
       : bindMma<Y, Y, M, K>)(b);
}
template <unsigned M, unsigned K> void bindBytes(Builder &b) {
  bindMixed<ByteElement<int8_t>, ByteElement<uint8_t>, M, K>(b, "s8");
}
template <unsigned M, unsigned K> void bindNibbles(Builder &b) {
  bindMixed<NibbleElement<true>, NibbleElement<false>, M, K>(b, "s4");
}
template <unsigned M, unsigned K> void bindEighths(Builder &b) {
  bindMixed<E4m3Element, E5m2Element, M, K>(b, "e4m3");
}

#define KCL_MMA(SHAPE) "mma.sync.aligned." SHAPE ".row.col."
#define KCL_F16 "{f16,f32}.f16.f16.{f16,f32}"
#define KCL_S8 "satfinite?.s32.{s8,u8}.{s8,u8}.s32"
#define KCL_S4 "satfinite?.s32.{s4,u4}.{s4,u4}.s32"
#define KCL_F8 "{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2}.{f16,f32}"
#define KCL_F64 "f64.f64.f64.f64.rn?"

constexpr auto T = InstClass::Tensor;
constexpr Row rows[] = {
    {KCL_MMA("m16n8k8") KCL_F16, T, bindMma<HalfElement, HalfElement, 16, 8>,
     matrixPrecision},
    {KCL_MMA("m16n8k16") KCL_F16, T, bindMma<HalfElement, HalfElement, 16, 16>,
     matrixPrecision},
    {KCL_MMA("m16n8k8") "f32.bf16.bf16.f32", T,
     bindMma<BfloatElement, BfloatElement, 16, 8>, matrixPrecision},
    {KCL_MMA("m16n8k16") "f32.bf16.bf16.f32", T,
     bindMma<BfloatElement, BfloatElement, 16, 16>, matrixPrecision},
    {KCL_MMA("m16n8k4") "f32.tf32.tf32.f32", T,
     bindMma<Tf32Element, Tf32Element, 16, 4>, matrixPrecision},
    {KCL_MMA("m16n8k8") "f32.tf32.tf32.f32", T,
     bindMma<Tf32Element, Tf32Element, 16, 8>, matrixPrecision},
    {KCL_MMA("m16n8k16") KCL_F8, T, bindEighths<16, 16>, matrixPrecision},
    {KCL_MMA("m16n8k32") KCL_F8, T, bindEighths<16, 32>, matrixPrecision},
    {KCL_MMA("m8n8k16") KCL_S8, T, bindBytes<8, 16>},
    {KCL_MMA("m16n8k16") KCL_S8, T, bindBytes<16, 16>},
    {KCL_MMA("m16n8k32") KCL_S8, T, bindBytes<16, 32>},
    {KCL_MMA("m8n8k32") KCL_S4, T, bindNibbles<8, 32>},
    {KCL_MMA("m16n8k32") KCL_S4, T, bindNibbles<16, 32>},
    {KCL_MMA("m16n8k64") KCL_S4, T, bindNibbles<16, 64>},
    {KCL_MMA("m8n8k4") KCL_F64, T, bindMma<DoubleElement, DoubleElement, 8, 4>},
    {KCL_MMA("m16n8k4") KCL_F64, T,
     bindMma<DoubleElement, DoubleElement, 16, 4>},
    {KCL_MMA("m16n8k8") KCL_F64, T,
     bindMma<DoubleElement, DoubleElement, 16, 8>},
    {KCL_MMA("m16n8k16") KCL_F64, T,
     bindMma<DoubleElement, DoubleElement, 16, 16>},
};

} // namespace

std::span<const Row> matrixRows() { return rows; }

} // namespace kclaw::sim
