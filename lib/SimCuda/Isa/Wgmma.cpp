//===- Wgmma.cpp - wgmma.mma_async and its groups -------------------------===//
//
// Each warp of a warpgroup computes its own 16 of the 64 rows, at once: the
// result is there before the wait, which is one of the orders that PTX allows;
// Check/Accumulators.h finds who reads it then. At the wait the four warps
// meet. Fragments of A and D are those of mma.sync (Matrix.h).
//
// A descriptor names a matrix in shared memory: start, two strides, swizzle.
// "Major" is the dimension that is contiguous in memory. With T elements in 16
// bytes and a swizzle of W bytes (16: none), element (x along the major
// dimension, y along the other) lies at
//
//   K-major:  none: x%T + (y%8) 16B + (x/T) leading + (y/8) stride
//             else: x%(W) + (y%8) W + (y/8) stride
//   MN-major: none: x%T + (y%8) 16B + (x/T) stride + (y/8) leading
//             else: x%(W) + (y%8) W + (x/W) leading + (y/8) stride
//
// and the swizzle exchanges address bits 4.. with bits 7.. .
//
//===----------------------------------------------------------------------===//
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "EighthSum.h"
#include "Matrix.h"
#include "Swizzle.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace kclaw::sim {

namespace {

class Descriptor {
public:
  Descriptor(Warp &w, const Inst &i, uint64_t bits) : w(w), i(i) {
    start = uint32_t(bits & 0x3fff) << 4;
    leading = uint32_t(bits >> 16 & 0x3fff) << 4;
    stride = uint32_t(bits >> 32 & 0x3fff) << 4;
    base = unsigned(bits >> 49 & 7);
    static constexpr unsigned widths[] = {16, 128, 64, 32};
    width = widths[bits >> 62];
  }

  /// Offset of the 16 bytes that hold byte x of the major dimension at y.
  uint32_t chunk(uint32_t x, uint32_t y, bool kMajor) const {
    uint32_t at = start + x % width + y % 8 * width;
    if (width == 16)
      at += (x / 16) * (kMajor ? leading : stride) +
            (y / 8) * (kMajor ? stride : leading);
    else
      at +=
          (kMajor ? x / width * width : x / width * leading) + (y / 8) * stride;
    return swizzled(at, width, base);
  }

  const std::byte *read(uint32_t offset) const {
    const Block &block = *w.block;
    if (offset < sharedSystemBytes || offset + 16 > block.sharedBytes)
      fail(w, i, FaultKind::OutOfBounds, 0, offset,
           "a wgmma descriptor reads 16 bytes at byte " +
               std::to_string(int64_t(offset) - sharedSystemBytes) + " of " +
               std::to_string(block.sharedBytes - sharedSystemBytes) +
               " bytes of shared memory");
    return block.shared + offset;
  }

private:
  Warp &w;
  const Inst &i;
  uint32_t start, leading, stride;
  unsigned base, width;
};

/// out[y * rowStride + x * columnStride] for `rows` y from `first` and K x:
/// elements (y, x) of a matrix whose x is the k dimension.
template <class E>
void readOperand(const Descriptor &from, unsigned first, unsigned rows,
                 unsigned depth, bool kMajor, typename E::Wide *out,
                 unsigned rowStride, unsigned columnStride,
                 std::vector<uint32_t> &touched) {
  constexpr unsigned bytes = E::bits / 8, perChunk = 16 / bytes;
  unsigned major = kMajor ? depth : rows, other = kMajor ? rows : depth;
  for (unsigned y = 0; y < other; ++y)
    for (unsigned x = 0; x < major; x += perChunk) {
      uint32_t offset = from.chunk((x + (kMajor ? 0 : first)) * bytes,
                                   y + (kMajor ? first : 0), kMajor);
      touched.push_back(offset);
      std::array<typename E::Word, 4> words;
      std::memcpy(words.data(), from.read(offset), 16);
      for (unsigned e = 0; e < perChunk; ++e) {
        unsigned row = kMajor ? y : x + e, column = kMajor ? x + e : y;
        out[row * rowStride + column * columnStride] =
            E::get(words[e / E::perWord], e % E::perWord);
      }
    }
}

constexpr uint8_t satfinite = 2, halfResult = 4, registerA = 8, transposeA = 16,
                  transposeB = 32, negateA = 64, negateB = 128;

/// Refs: D, then A (if in registers). a, b: descriptors; c: scale-d predicate,
/// imm: N; imm2 bit 0: scale-d is negated.
template <class A, class B, unsigned K> void runWgmma(Warp &w, const Inst &i) {
  using Wide = typename A::Wide;
  constexpr bool integer = std::is_integral_v<Wide>;
  constexpr unsigned M = 16, maxN = 256, E = A::perWord;
  if (!aligned(w, i))
    return;
  const auto N = unsigned(i.imm);
  const bool half = i.small & halfResult;
  const unsigned dCount = half ? N / 4 : N / 2;
  const Ref *dRefs = w.split().function->refs.data() + i.firstRef;
  const unsigned lane = unsigned(std::countr_zero(w.active));
  alignas(32) static thread_local Wide a[M * K], b[K * maxN], d[M * maxN];
  static thread_local std::vector<uint32_t> touched;
  touched.clear();

  if (i.small & registerA) {
    for (unsigned r = 0; r < 4; ++r) {
      const uint32_t *word = w.in<uint32_t>(dRefs[dCount + r]);
      for (unsigned l = 0; l < lanes; ++l)
        for (unsigned e = 0; e < E; ++e)
          a[(l / 4 + 8 * (r % 2)) * K + 4 * E * (r / 2) + E * (l % 4) + e] =
              A::get(word[l], e);
    }
  } else {
    Descriptor from(w, i, w.in<uint64_t>(i.a)[lane]);
    readOperand<A>(from, 16 * (w.index % 4), M, K, !(i.small & transposeA), a,
                   K, 1, touched);
  }
  Descriptor from(w, i, w.in<uint64_t>(i.b)[lane]);
  readOperand<B>(from, 0, N, K, !(i.small & transposeB), b, 1, N, touched);
  noteRead(w, i, touched);
  if (i.small & negateA)
    for (Wide &x : a)
      x = -x;
  if (i.small & negateB)
    for (unsigned k = 0; k < K * N; ++k)
      b[k] = -b[k];

  uint32_t scale = i.c == noRef ? allLanes : w.predicate(i.c);
  const bool accumulates = bool((scale >> lane) & 1) != bool(i.imm2 & 1);
  auto at = [&](unsigned l, unsigned element) -> Wide & {
    return d[(l / 4 + 8 * (element / 2 % 2)) * N + 8 * (element / 4) +
             2 * (l % 4) + element % 2];
  };
  if (!accumulates || integer)
    std::fill_n(d, M * N, Wide(0));
  else
    for (unsigned r = 0; r < dCount; ++r)
      if (half) {
        const uint32_t *c = w.in<uint32_t>(dRefs[r]);
        for (unsigned l = 0; l < lanes; ++l)
          for (unsigned e = 0; e < 2; ++e)
            at(l, 2 * r + e) = Wide(HalfElement::get(c[l], e));
      } else {
        const Wide *c = w.in<Wide>(dRefs[r]);
        for (unsigned l = 0; l < lanes; ++l)
          at(l, r) = c[l];
      }
  for (unsigned n = 0; n < N; n += 8) // a block of 8 columns stays in registers
    for (unsigned m = 0; m < M; ++m) {
      Wide sum[8];
      std::copy_n(d + m * N + n, 8, sum);
      if constexpr (!integer && A::bits == 8)
        addEighths<A::leastExponent, B::leastExponent>(sum, a + m * K, b + n, K,
                                                       N, !half);
      else
        for (unsigned k = 0; k < K; ++k) {
          const Wide x = a[m * K + k];
          const Wide *row = b + k * N + n;
          for (unsigned j = 0; j < 8; ++j)
            if constexpr (integer)
              sum[j] += x * row[j];
            else
              sum[j] = std::fma(x, row[j], sum[j]);
        }
      std::copy_n(sum, 8, d + m * N + n);
    }
  for (unsigned r = 0; r < dCount; ++r)
    if (half) {
      eachLane(w, w.out<uint32_t>(dRefs[r]), [&](unsigned l) {
        return packHalves(float(at(l, 2 * r)), float(at(l, 2 * r + 1)));
      });
    } else if constexpr (integer) {
      int32_t *c = w.out<int32_t>(dRefs[r]);
      for (unsigned l = 0; l < lanes; ++l)
        c[l] =
            addInteger(accumulates ? c[l] : 0, at(l, r), i.small & satfinite);
    } else {
      eachLane(w, w.out<Wide>(dRefs[r]), [&](unsigned l) { return at(l, r); });
    }
  countProduct<A>(w, uint64_t(M) * N * K, true);
  ++w.warpgroupOperations;
}

/// The four warps' operations complete together: who has waited may overwrite
/// what the slowest of them reads.
void runWait(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  std::vector<Warp> &warps = w.block->warps;
  size_t first = w.index / 4 * 4, end = std::min(first + 4, warps.size());
  const auto token = reinterpret_cast<uint64_t>(&warps[first]);
  for (size_t k = first; k < end; ++k)
    if (warps[k].alive &&
        warps[k].warpgroupOperations < w.warpgroupOperations) {
      ++w.block->cluster->failedPolls;
      suspend(w, i, Split::State::AtWait, true);
      w.split().token = token;
      return;
    }
  for (size_t k = first; k < end; ++k)
    for (Split &split : warps[k].splits)
      if (split.state == Split::State::AtWait && split.token == token)
        split.state = Split::State::Ready;
}

/// d, a, b, scale-d {, scale-a, scale-b {, trans-a}, trans-b}
template <class A, class B, unsigned K> void bindWgmma(Builder &b) {
  unsigned n = 0;
  std::sscanf(b.ast->modifiers[3].c_str(), "m64n%u", &n);
  bool half = b.form.type(0) == Type::F16;
  bool integer = std::is_integral_v<typename A::Wide>;
  if (n % 8 || n < 8 || n > 256 ||
      registerCount(b.operand(0)) != (half ? n / 4 : n / 2))
    b.error("wrong number of result registers for m64n" + std::to_string(n));
  Type result = half ? Type::B32 : integer ? Type::S32 : Type::F32;
  std::vector<Ref> refs;
  addDestinations(b, b.operand(0), result, refs);
  std::vector<Ref> read; // D is read as well
  addSources(b, b.operand(0), result, read);
  b.inst.imm = n;
  bool inRegisters = b.operand(1).kind == ptx::Operand::Kind::Vector;
  if (inRegisters) {
    if (registerCount(b.operand(1)) != 4)
      b.error("A has 4 registers");
    addSources(b, b.operand(1), Type::B32, refs);
  } else {
    b.inst.a = b.source(1, Type::B64);
  }
  b.inst.b = b.source(2, Type::B64);
  PredicateRef scale = b.predicateSource(3);
  b.inst.c = scale.ref;
  b.inst.imm2 = scale.negated;
  b.inst.small =
      uint8_t((b.form.has("satfinite") ? satfinite : 0) |
              (half ? halfResult : 0) | (inRegisters ? registerA : 0));
  size_t at = 4;
  auto option = [&](int64_t value, uint8_t flag) {
    if (at < b.operandCount() && b.literal(at++) == value)
      b.inst.small |= flag;
  };
  option(-1, negateA);
  option(-1, negateB);
  if (!inRegisters)
    option(1, transposeA);
  option(1, transposeB);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.handler = runWgmma<A, B, K>;
}

template <class X, class Y, unsigned K>
void bindMixed(Builder &b, std::string_view first) {
  const auto &parts = b.ast->modifiers; // ..., D, A, B{, satfinite}
  size_t end = parts.size() - b.form.has("satfinite");
  bool a = parts[end - 2] == first, c = parts[end - 1] == first;
  (a   ? c ? bindWgmma<X, X, K> : bindWgmma<X, Y, K>
   : c ? bindWgmma<Y, X, K>
       : bindWgmma<Y, Y, K>)(b);
}
void bindEighths(Builder &b) {
  bindMixed<E4m3Element, E5m2Element, 32>(b, "e4m3");
}
void bindBytes(Builder &b) {
  bindMixed<ByteElement<int8_t>, ByteElement<uint8_t>, 32>(b, "s8");
}

void bindNothing(Builder &b) {
  b.inst.handler = [](Warp &, const Inst &) {};
}

#define KCL_N(K)                                                               \
  "{m64n8" K ",m64n16" K ",m64n24" K ",m64n32" K ",m64n40" K ",m64n48" K       \
  ",m64n56" K ",m64n64" K ",m64n72" K ",m64n80" K ",m64n88" K ",m64n96" K      \
  ",m64n104" K ",m64n112" K ",m64n120" K ",m64n128" K ",m64n136" K             \
  ",m64n144" K ",m64n152" K ",m64n160" K ",m64n168" K ",m64n176" K             \
  ",m64n184" K ",m64n192" K ",m64n200" K ",m64n208" K ",m64n216" K             \
  ",m64n224" K ",m64n232" K ",m64n240" K ",m64n248" K ",m64n256" K "}"
#define KCL_WGMMA(K) "wgmma.mma_async.sync.aligned." KCL_N(K) "."

constexpr auto T = InstClass::Tensor;
constexpr Row rows[] = {
    {KCL_WGMMA("k16") "{f16,f32}.f16.f16", T,
     bindWgmma<HalfElement, HalfElement, 16>, matrixPrecision},
    {KCL_WGMMA("k16") "f32.bf16.bf16", T,
     bindWgmma<BfloatElement, BfloatElement, 16>, matrixPrecision},
    {KCL_WGMMA("k8") "f32.tf32.tf32", T, bindWgmma<Tf32Element, Tf32Element, 8>,
     matrixPrecision},
    {KCL_WGMMA("k32") "{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2}", T, bindEighths},
    {KCL_WGMMA("k32") "s32.{s8,u8}.{s8,u8}.satfinite?", T, bindBytes},
    {"wgmma.fence.sync.aligned", T, bindNothing},
    {"wgmma.commit_group.sync.aligned", T, bindNothing},
    {"wgmma.wait_group.sync.aligned", T,
     [](Builder &b) {
       b.inst.imm = b.literal(0);
       b.inst.handler = runWait;
     },
     "results are there before the wait; a read of them before it is "
     "reported"},
};

} // namespace

std::span<const Row> wgmmaRows() { return rows; }

} // namespace kclaw::sim
