//===- Move.cpp - mov, selp, slct, setp, set, cvta, mapa ------------------===//
#include "../Exec/Access.h"
#include "Bind.h"
#include "Windows.h"

#include <algorithm>

namespace kclaw::sim {

namespace {

template <class T> void runMove(Warp &w, const Inst &i) {
  const T *a = w.in<T>(i.a);
  eachLane(w, w.out<T>(i.d), [&](unsigned l) { return a[l]; });
}

void runMovePredicate(Warp &w, const Inst &i) {
  w.setPredicate(i.d, w.predicate(i.a));
}

/// The stack offset of a local variable of the running frame.
void runFrameOffset(Warp &w, const Inst &i) {
  uint64_t offset =
      uint64_t(w.depth()) * w.block->grid->program->maxLocalBytes() +
      uint64_t(i.imm);
  if (i.small)
    eachLane(w, w.out<uint64_t>(i.d), [&](unsigned) { return offset; });
  else
    eachLane(w, w.out<uint32_t>(i.d),
             [&](unsigned) { return uint32_t(offset); });
}

/// Simulated cycles: four per warp instruction that this warp has run.
template <class T> void runClock(Warp &w, const Inst &i) {
  uint64_t now = w.instructions * 4 >> i.imm;
  eachLane(w, w.out<T>(i.d), [&](unsigned) { return T(now); });
}

bool bindSymbol(Builder &b, Type type) {
  const ptx::Operand &from = b.operand(1);
  if (from.kind != ptx::Operand::Kind::Name || b.registerType(from))
    return false;
  auto symbol = b.symbol(from.name);
  if (!symbol)
    b.error("unknown symbol '" + from.name + "'");
  int64_t address = symbol->address + from.offset;
  b.inst.d = b.destination(0, type);
  if (symbol->space == ptx::Space::Local ||
      (symbol->space == ptx::Space::Param && !symbol->kernelParameter)) {
    b.inst.handler = runFrameOffset;
    b.inst.imm = address;
    b.inst.small = bits(type) == 64;
    return true;
  }
  b.inst.a = symbol->space == ptx::Space::Shared
                 ? b.specialColumn("shared:" + std::to_string(address), type)
                 : b.literalColumn(type, uint64_t(address));
  b.inst.handler = bits(type) == 64 ? runMove<uint64_t> : runMove<uint32_t>;
  return true;
}

bool bindClock(Builder &b, Type type) {
  static constexpr std::pair<std::string_view, int> clocks[] = {
      {"%clock", 0},       {"%clock64", 0},        {"%clock_hi", 32},
      {"%globaltimer", 0}, {"%globaltimer_lo", 0}, {"%globaltimer_hi", 32}};
  for (auto [clock, shift] : clocks) {
    if (b.operand(1).name != clock)
      continue;
    b.inst.d = b.destination(0, type);
    b.inst.imm = shift;
    b.inst.handler = bits(type) == 64 ? runClock<uint64_t> : runClock<uint32_t>;
    return true;
  }
  return false;
}

/// Registers of 8 bits have columns of 16.
template <class Part>
using PartColumn = std::conditional_t<sizeof(Part) == 1, uint16_t, Part>;

/// mov.b32 {%rs1, %rs2}, %r1 and back: refs are the parts, lowest first.
template <class Whole, class Part> void runUnpack(Warp &w, const Inst &i) {
  Whole a[lanes];
  std::copy_n(w.in<Whole>(i.a), lanes, a);
  for (uint32_t k = 0; k < i.refCount; ++k)
    eachLane(w,
             w.out<PartColumn<Part>>(w.split().function->refs[i.firstRef + k]),
             [&](unsigned l) { return Part(a[l] >> (k * sizeof(Part) * 8)); });
}
template <class Whole, class Part> void runPack(Warp &w, const Inst &i) {
  Whole d[lanes] = {};
  for (uint32_t k = 0; k < i.refCount; ++k) {
    const auto *p =
        w.in<PartColumn<Part>>(w.split().function->refs[i.firstRef + k]);
    for (unsigned l = 0; l < lanes; ++l)
      d[l] |= Whole(Part(p[l])) << (k * sizeof(Part) * 8);
  }
  eachLane(w, w.out<Whole>(i.d), [&](unsigned l) { return d[l]; });
}

using Bits128 = unsigned __int128;

bool bindVector(Builder &b, Type type) {
  bool unpack = b.operand(0).kind == ptx::Operand::Kind::Vector;
  bool pack = b.operand(1).kind == ptx::Operand::Kind::Vector;
  if (!unpack && !pack)
    return false;
  const ptx::Operand &parts = b.operand(unpack ? 0 : 1);
  unsigned width = bits(type) / unsigned(parts.elements.size());
  Type part = width == 64   ? Type::B64
              : width == 32 ? Type::B32
              : width == 16 ? Type::B16
                            : Type::B8;
  std::vector<Ref> refs;
  for (const ptx::Operand &element : parts.elements) {
    bool literal = element.kind == ptx::Operand::Kind::Integer;
    refs.push_back(
        unpack ? b.destination(element, part)
               : b.source(element, literal && width == 8 ? Type::B16 : part));
  }
  b.inst.firstRef = b.addRefs(refs);
  b.inst.refCount = uint32_t(refs.size());
  if (unpack)
    b.inst.a = b.source(1, type);
  else
    b.inst.d = b.destination(0, type);
  auto choose = [&](auto whole, auto piece) {
    using W = decltype(whole);
    using P = decltype(piece);
    b.inst.handler = unpack ? runUnpack<W, P> : runPack<W, P>;
  };
  if (bits(type) == 128 && width == 64)
    choose(Bits128{}, uint64_t{});
  else if (bits(type) == 128)
    choose(Bits128{}, uint32_t{});
  else if (bits(type) == 64 && width == 32)
    choose(uint64_t{}, uint32_t{});
  else if (bits(type) == 64)
    choose(uint64_t{}, uint16_t{});
  else if (bits(type) == 32 && width == 16)
    choose(uint32_t{}, uint16_t{});
  else if (bits(type) == 32 && width == 8)
    choose(uint32_t{}, uint8_t{});
  else if (bits(type) == 16 && width == 8)
    choose(uint16_t{}, uint8_t{});
  else
    b.error("no such split of a register");
  return true;
}

void bindMove(Builder &b) {
  Type type = b.form.type();
  if (type == Type::Pred) {
    b.inst.handler = runMovePredicate;
    b.inst.d = b.predicateDestination(b.operand(0));
    b.inst.a = b.predicateSource(1).ref;
    return;
  }
  if (bindVector(b, type) || bindClock(b, type) || bindSymbol(b, type))
    return;
  b.inst.d = b.destination(0, type);
  b.inst.a = b.source(1, type);
  switch (bits(type)) {
  case 16:
    b.inst.handler = runMove<uint16_t>;
    break;
  case 32:
    b.inst.handler = runMove<uint32_t>;
    break;
  case 64:
    b.inst.handler = runMove<uint64_t>;
    break;
  default:
    b.inst.handler = runMove<Bits128>;
  }
}

/// small bit 1: the predicate is negated.
template <class T> void runSelect(Warp &w, const Inst &i) {
  uint32_t p = w.predicate(i.c);
  p = i.small & 2 ? ~p : p;
  const T *a = w.in<T>(i.a), *b = w.in<T>(i.b);
  eachLane(w, w.out<T>(i.d),
           [&](unsigned l) { return (p >> l) & 1 ? a[l] : b[l]; });
}

void bindSelect(Builder &b) {
  Type type = b.form.type();
  bindSame(b, nullptr, 2);
  PredicateRef p = b.predicateSource(3);
  b.inst.c = p.ref;
  b.inst.small = uint8_t(p.negated << 1);
  b.inst.handler = bits(type) == 16   ? runSelect<uint16_t>
                   : bits(type) == 32 ? runSelect<uint32_t>
                                      : runSelect<uint64_t>;
}

/// cvta: window addresses <-> generic, which are host addresses.
/// small bit 0: 64-bit; bit 1: to the window.
void runConvertAddress(Warp &w, const Inst &i) {
  Block &block = *w.block;
  auto window = Window(i.imm2);
  auto convert = [&](unsigned l, uint64_t a) -> uint64_t {
    uint64_t base = 0;
    switch (window) {
    case Window::Shared:
      base = reinterpret_cast<uint64_t>(block.shared) - block.windowBase();
      break;
    case Window::Local:
      base = reinterpret_cast<uint64_t>(
          block.local + size_t(w.index * lanes + l) * block.localStride);
      break;
    case Window::Parameter:
      base = reinterpret_cast<uint64_t>(block.grid->parameterMemory.data());
      break;
    default:
      break;
    }
    return i.small & 2 ? a - base : a + base;
  };
  if (i.small & 1) {
    const uint64_t *a = w.in<uint64_t>(i.a);
    eachLane(w, w.out<uint64_t>(i.d),
             [&](unsigned l) { return convert(l, a[l]); });
  }
}

void bindConvertAddress(Builder &b) {
  b.inst.handler = runConvertAddress;
  b.inst.small = uint8_t(1 | (b.form.has("to") << 1));
  b.inst.imm2 = uint64_t(
      b.form.has("local") ? Window::Local
      : b.form.oneOf({"shared", "shared::cta", "shared::cluster"}).empty()
          ? (b.form.has("param") || b.form.has("param::entry")
                 ? Window::Parameter
                 : Window::Global)
          : Window::Shared);
  b.inst.d = b.destination(0, Type::B64);
  const ptx::Operand &from = b.operand(1);
  auto symbol = b.registerType(from) ? std::nullopt : b.symbol(from.name);
  if (!symbol)
    b.inst.a = b.source(1, Type::B64);
  else if (symbol->space == ptx::Space::Shared)
    b.inst.a = b.specialColumn(
        "shared:" + std::to_string(symbol->address + from.offset), Type::B64);
  else
    b.inst.a =
        b.literalColumn(Type::B64, uint64_t(symbol->address + from.offset));
}

#define KCL_ALL                                                                \
  "{pred,b16,b32,b64,b128,u16,u32,u64,s16,s32,s64,f16,bf16,f16x2,bf16x2,f32,"  \
  "f64}"

constexpr Row rows[] = {
    {"mov." KCL_ALL, InstClass::Move, bindMove},
    {"selp.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", InstClass::Move,
     bindSelect},
    {"cvta.to?.{global,shared,shared::cta,shared::cluster,local,const,param,"
     "param::entry}.u64",
     InstClass::Move, bindConvertAddress},
};

} // namespace

std::span<const Row> moveRows() { return rows; }

} // namespace kclaw::sim
