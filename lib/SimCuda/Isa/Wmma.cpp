//===- Wmma.cpp - wmma.load, wmma.store, wmma.mma -------------------------===//
//
// PTX leaves the layout of wmma fragments open. Here slot s of lane l is
// element (S l + s) of the row-major matrix, S slots a lane, modulo the
// matrix's size (fragments of f16 hold elements twice); 16 x 16 accumulators
// have the layout of two mma.sync accumulators side by side.
//
//===----------------------------------------------------------------------===//
#include "Matrix.h"
#include "Places.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace kclaw::sim {

namespace {

enum class Fragment : uint8_t { A, B, C };

struct Shape {
  unsigned m = 0, n = 0, k = 0;
};
Shape shapeOf(const Builder &b) {
  for (std::string_view part : b.form.chosen) {
    Shape s;
    if (part.starts_with("m") &&
        std::sscanf(std::string(part).c_str(), "m%un%uk%u", &s.m, &s.n, &s.k) ==
            3)
      return s;
  }
  b.error("a shape was expected");
}

struct Layout {
  unsigned rows, columns, slots;
  bool accumulator;
  /// Row and column of a lane's slot.
  std::pair<unsigned, unsigned> at(unsigned l, unsigned s) const {
    if (accumulator && rows == 16 && columns == 16)
      return {l / 4 + 8 * (s % 4 / 2), 8 * (s / 4) + 2 * (l % 4) + s % 2};
    unsigned index = (l * slots + s) % (rows * columns);
    return {index / columns, index % columns};
  }
};

Layout layoutOf(Shape s, Fragment f, unsigned slots) {
  return f == Fragment::A   ? Layout{s.m, s.k, slots, false}
         : f == Fragment::B ? Layout{s.k, s.n, slots, false}
                            : Layout{s.m, s.n, slots, true};
}

struct Element {
  unsigned bytes = 4, perRegister = 1;
  Type registers = Type::B32;
};
Element elementOf(std::string_view type) {
  if (type == "f16" || type == "bf16")
    return {2, 2, Type::B32};
  if (type == "s8" || type == "u8")
    return {1, 4, Type::B32};
  if (type == "f64")
    return {8, 1, Type::F64};
  return {4, 1, Type::B32};
}

// wmma.load and wmma.store: a place, then the registers.
// imm: rows | columns << 8 | accumulator << 16; imm2: bytes of an element | per
// register << 8; refCount would say more to Access than it should: target is
// the number of registers. small bit 1: column-major. b: stride or noRef.
template <bool load> void runMove(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  auto bytes = unsigned(i.imm2 & 0xff), per = unsigned(i.imm2 >> 8);
  Layout layout{unsigned(i.imm & 0xff), unsigned(i.imm >> 8 & 0xff),
                i.target * per, bool(i.imm >> 16)};
  Place place = placeOf(w, i);
  const Ref *registers = place.refs + placeRefs;
  bool columnMajor = i.small & 2;
  uint64_t natural = columnMajor ? layout.rows : layout.columns;
  activeLanes(w, [&](unsigned l) {
    uint64_t stride = i.b == noRef ? natural : w.in<uint32_t>(i.b)[l];
    uint64_t base = place.address(w, l);
    for (unsigned s = 0; s < layout.slots; ++s) {
      auto [row, column] = layout.at(l, s);
      uint64_t index =
          columnMajor ? column * stride + row : row * stride + column;
      std::byte *memory =
          resolveOne(w, i, l, place.window(), base + index * bytes, bytes,
                     load ? AccessKind::Load : AccessKind::Store);
      Ref ref = registers[s / per];
      std::byte *value =
          bytes == 8 ? reinterpret_cast<std::byte *>(w.out<uint64_t>(ref) + l)
                     : reinterpret_cast<std::byte *>(w.out<uint32_t>(ref) + l);
      value += size_t(s % per) * bytes;
      std::memcpy(load ? value : memory, load ? memory : value, bytes);
    }
  });
}

template <bool load> void bindMove(Builder &b) {
  Shape shape = shapeOf(b);
  std::string_view which = b.ast->modifiers[1];
  Fragment fragment = which == "a"   ? Fragment::A
                      : which == "b" ? Fragment::B
                                     : Fragment::C;
  Element element = elementOf(b.ast->modifiers.back());
  size_t registers = load ? 0 : 1, address = load ? 1 : 0;
  unsigned count = registerCount(b.operand(registers));
  Layout layout = layoutOf(shape, fragment, count * element.perRegister);
  std::vector<Ref> refs;
  addPlace(b, b.operand(address), windowFrom(b, b.operand(address)), refs);
  if (load)
    addDestinations(b, b.operand(registers), element.registers, refs);
  else
    addSources(b, b.operand(registers), element.registers, refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.target = count;
  b.inst.imm = layout.rows | layout.columns << 8 | layout.accumulator << 16;
  b.inst.imm2 = element.bytes | element.perRegister << 8;
  b.inst.small = uint8_t(b.form.has("col") << 1);
  if (b.operandCount() > 2)
    b.inst.b = b.source(2, Type::U32);
  b.inst.handler = runMove<load>;
}

/// Refs: D, A, B, C; imm: how many of each, a byte apiece. small bit 1:
/// .satfinite, bit 2: D is f16, bit 3: C is f16.
template <class A, class B, unsigned M, unsigned N, unsigned K>
void runMma(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  using Wide = typename A::Wide;
  using Word = typename A::Word;
  constexpr bool integer = std::is_integral_v<Wide>;
  const unsigned counts[] = {
      unsigned(i.imm & 0xff), unsigned(i.imm >> 8 & 0xff),
      unsigned(i.imm >> 16 & 0xff), unsigned(i.imm >> 24 & 0xff)};
  const Ref *dRefs = w.split().function->refs.data() + i.firstRef;
  const Ref *aRefs = dRefs + counts[0], *bRefs = aRefs + counts[1],
            *cRefs = bRefs + counts[2];
  alignas(32) Wide a[M][K], b[K][N], d[M][N];
  Layout la = layoutOf({M, N, K}, Fragment::A, counts[1] * A::perWord);
  Layout lb = layoutOf({M, N, K}, Fragment::B, counts[2] * A::perWord);
  Layout lc = layoutOf({M, N, K}, Fragment::C, M * N / 32);
  for (unsigned l = 0; l < lanes; ++l) {
    for (unsigned s = 0; s < la.slots; ++s) {
      auto [row, column] = la.at(l, s);
      a[row][column] =
          A::get(w.in<Word>(aRefs[s / A::perWord])[l], s % A::perWord);
    }
    for (unsigned s = 0; s < lb.slots; ++s) {
      auto [row, column] = lb.at(l, s);
      b[row][column] =
          B::get(w.in<Word>(bRefs[s / A::perWord])[l], s % A::perWord);
    }
    for (unsigned s = 0; s < lc.slots; ++s) {
      auto [row, column] = lc.at(l, s);
      d[row][column] =
          integer ? Wide(0)
          : i.small & 8
              ? Wide(HalfElement::get(w.in<uint32_t>(cRefs[s / 2])[l], s % 2))
              : w.in<Wide>(cRefs[s])[l];
    }
  }
  for (unsigned m = 0; m < M; ++m)
    multiplyRow<N>(d[m], a[m], &b[0][0], K);
  for (unsigned l = 0; l < lanes; ++l)
    for (unsigned s = 0; s < lc.slots; ++s) {
      auto [row, column] = lc.at(l, s);
      Wide value = d[row][column];
      if (i.small & 4)
        reinterpret_cast<uint16_t *>(w.out<uint32_t>(dRefs[s / 2]) + l)[s % 2] =
            F16::fromFloat(float(value)).bits;
      else if constexpr (integer)
        w.out<int32_t>(dRefs[s])[l] =
            addInteger(w.in<int32_t>(cRefs[s])[l], value, i.small & 2);
      else
        w.out<Wide>(dRefs[s])[l] = value;
    }
  countProduct<A>(w, uint64_t(M) * N * K);
}

template <class A, class B, unsigned K> Handler shaped(Shape s) {
  if (s.m == 32)
    return runMma<A, B, 32, 8, K>;
  if (s.m == 8)
    return runMma<A, B, 8, 32, K>;
  return runMma<A, B, 16, 16, K>;
}

Handler handlerOf(Builder &b, Shape s) {
  if (b.form.has("bf16"))
    return shaped<BfloatElement, BfloatElement, 16>(s);
  if (b.form.has("tf32"))
    return runMma<Tf32Element, Tf32Element, 16, 16, 8>;
  if (b.form.has("s8"))
    return shaped<ByteElement<int8_t>, ByteElement<int8_t>, 16>(s);
  if (b.form.has("u8"))
    return shaped<ByteElement<uint8_t>, ByteElement<uint8_t>, 16>(s);
  if (b.form.has("f64"))
    return runMma<DoubleElement, DoubleElement, 8, 8, 4>;
  return shaped<HalfElement, HalfElement, 16>(s);
}

void bindMma(Builder &b) {
  Shape shape = shapeOf(b);
  bool wide = b.form.has("f64");
  const auto &parts = b.ast->modifiers;
  bool satfinite = b.form.has("satfinite");
  // D is the first type, C the last.
  bool halfD = b.form.type(0) == Type::F16;
  bool halfC = parts[parts.size() - 1 - satfinite] == "f16";
  Type type = wide ? Type::F64 : Type::B32;
  std::vector<Ref> refs;
  addDestinations(b, b.operand(0), type, refs);
  for (unsigned k = 1; k < 4; ++k)
    addSources(b, b.operand(k), type, refs);
  b.inst.firstRef = b.addRefs(refs);
  for (unsigned k = 0; k < 4; ++k)
    b.inst.imm |= int64_t(registerCount(b.operand(k))) << (8 * k);
  unsigned results = shape.m * shape.n / 32;
  if (registerCount(b.operand(0)) != results / (halfD ? 2 : 1) ||
      registerCount(b.operand(3)) != results / (halfC ? 2 : 1))
    b.error("wrong number of registers for this shape");
  b.inst.small = uint8_t(satfinite << 1 | halfD << 2 | halfC << 3);
  b.inst.handler = handlerOf(b, shape);
}

#define KCL_SPACES "{global,shared,shared::cta}?"
#define KCL_SHAPES "{m16n16k16,m8n32k16,m32n8k16,m16n16k8,m8n8k4}"
#define KCL_WIDE_SHAPES "{m16n16k16,m8n32k16,m32n8k16}"
#define KCL_LAYOUT "{row,col}"

constexpr auto T = InstClass::Tensor;
constexpr Row rows[] = {
    {"wmma.load.{a,b,c}.sync.aligned." KCL_LAYOUT "." KCL_SHAPES "." KCL_SPACES
     ".{f16,bf16,tf32,s8,u8,f32,s32,f64}",
     InstClass::Load, bindMove<true>, "layout of fragments: our own"},
    {"wmma.store.d.sync.aligned." KCL_LAYOUT "." KCL_SHAPES "." KCL_SPACES
     ".{f16,f32,s32,f64}",
     InstClass::Store, bindMove<false>, "layout of fragments: our own"},
    {"wmma.mma.sync.aligned." KCL_LAYOUT "." KCL_LAYOUT "." KCL_WIDE_SHAPES
     ".{f16,f32}.{f16,f32}",
     T, bindMma, matrixPrecision},
    {"wmma.mma.sync.aligned." KCL_LAYOUT "." KCL_LAYOUT "." KCL_WIDE_SHAPES
     ".f32.bf16.bf16.f32",
     T, bindMma, matrixPrecision},
    {"wmma.mma.sync.aligned." KCL_LAYOUT "." KCL_LAYOUT
     ".m16n16k8.f32.tf32.tf32.f32",
     T, bindMma, matrixPrecision},
    {"wmma.mma.sync.aligned." KCL_LAYOUT "." KCL_LAYOUT "." KCL_WIDE_SHAPES
     ".s32.s8.s8.s32.satfinite?",
     T, bindMma},
    {"wmma.mma.sync.aligned." KCL_LAYOUT "." KCL_LAYOUT "." KCL_WIDE_SHAPES
     ".s32.u8.u8.s32.satfinite?",
     T, bindMma},
    {"wmma.mma.sync.aligned." KCL_LAYOUT "." KCL_LAYOUT
     ".m8n8k4.f64.f64.f64.f64.rn?",
     T, bindMma},
};

} // namespace

std::span<const Row> wmmaRows() { return rows; }

} // namespace kclaw::sim
