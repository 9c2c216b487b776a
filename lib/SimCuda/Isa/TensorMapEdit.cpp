//===- TensorMapEdit.cpp - tensormap.replace, tensormap.cp_fenceproxy -----===//
#include "../Exec/AsyncState.h"
#include "../Exec/Fault.h"
#include "../Exec/TensorMap.h"
#include "Matrix.h"
#include "Places.h"

#include <cstring>

namespace kclaw::sim {

namespace {

/// PTX numbers element types in an order of its own.
constexpr TensorMap::DataType elementTypes[] = {
    TensorMap::DataType::U8,      TensorMap::DataType::U16,
    TensorMap::DataType::U32,     TensorMap::DataType::I32,
    TensorMap::DataType::U64,     TensorMap::DataType::I64,
    TensorMap::DataType::F16,     TensorMap::DataType::F32,
    TensorMap::DataType::F32Ftz,  TensorMap::DataType::F64,
    TensorMap::DataType::BF16,    TensorMap::DataType::TF32,
    TensorMap::DataType::TF32Ftz,
};

using Set = void (*)(TensorMap &map, unsigned ordinal, uint64_t value);
struct Field {
  std::string_view name;
  bool hasOrdinal;
  uint64_t limit; ///< values and ordinals below it
  Set set;
};
constexpr Field fields[] = {
    {"global_address", false, ~uint64_t(0),
     [](TensorMap &map, unsigned, uint64_t value) { map.address = value; }},
    {"rank", false, 5,
     [](TensorMap &map, unsigned, uint64_t value) {
       map.rank = uint8_t(value + 1);
     }},
    {"box_dim", true, 5,
     [](TensorMap &map, unsigned d, uint64_t value) {
       map.box[d] = uint16_t(value);
     }},
    {"global_dim", true, 5,
     [](TensorMap &map, unsigned d, uint64_t value) {
       map.lastIndex[d] = uint32_t(value - 1);
     }},
    {"global_stride", true, 4,
     [](TensorMap &map, unsigned d, uint64_t value) {
       map.strides[d] = value;
     }},
    {"element_stride", true, 5,
     [](TensorMap &map, unsigned d, uint64_t value) {
       map.elementStrides[d] = uint8_t(value);
     }},
    {"elemtype", false, std::size(elementTypes),
     [](TensorMap &map, unsigned, uint64_t value) {
       map.type = elementTypes[value];
     }},
    {"interleave_layout", false, 3,
     [](TensorMap &map, unsigned, uint64_t value) {
       map.interleave = TensorMap::Interleave(value);
     }},
    {"swizzle_mode", false, 4,
     [](TensorMap &map, unsigned, uint64_t value) {
       map.swizzle = TensorMap::Swizzle(value);
     }},
    {"fill_mode", false, 2,
     [](TensorMap &map, unsigned, uint64_t value) {
       map.outOfBounds = TensorMap::Fill(value);
     }},
};

/// 128 bytes at a place, 16 at a time.
template <class F>
void eachPart(Warp &w, const Inst &i, unsigned l, Place place, AccessKind kind,
              F &&f) {
  for (unsigned k = 0; k < sizeof(TensorMap); k += 16)
    f(resolveOne(w, i, l, place.window(), place.address(w, l) + k, 16, kind),
      k);
}

TensorMap loadMap(Warp &w, const Inst &i, unsigned l, Place place) {
  TensorMap map;
  eachPart(w, i, l, place, AccessKind::Load, [&](std::byte *at, unsigned k) {
    std::memcpy(reinterpret_cast<std::byte *>(&map) + k, at, 16);
  });
  return map;
}
void storeMap(Warp &w, const Inst &i, unsigned l, Place place,
              const TensorMap &map) {
  eachPart(w, i, l, place, AccessKind::Store, [&](std::byte *at, unsigned k) {
    std::memcpy(at, reinterpret_cast<const std::byte *>(&map) + k, 16);
  });
}

/// imm: index into `fields`; target: ordinal; b: value, 64-bit if small bit 1.
void runReplace(Warp &w, const Inst &i) {
  const Field &field = fields[i.imm];
  activeLanes(w, [&](unsigned l) {
    TensorMap map = loadMap(w, i, l, placeOf(w, i));
    uint64_t value =
        i.small & 2 ? w.in<uint64_t>(i.b)[l] : uint64_t(w.in<uint32_t>(i.b)[l]);
    bool impossible = !field.hasOrdinal && value >= field.limit;
    bool absent = w.block->checks && !map.valid(); // a GPU does not look
    if (impossible || absent)
      fail(w, i, FaultKind::IllegalInstruction, l, placeOf(w, i).address(w, l),
           impossible ? "a value that this field of a tensor map cannot have"
                      : "no tensor map is here");
    field.set(map, i.target, value);
    storeMap(w, i, l, placeOf(w, i), map);
  });
}

void bindReplace(Builder &b) {
  for (size_t k = 0; k < std::size(fields); ++k)
    if (b.form.has(fields[k].name))
      b.inst.imm = int64_t(k);
  const Field &field = fields[b.inst.imm];
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), windowFrom(b, b.operand(0)), refs);
  b.inst.firstRef = b.addRefs(refs);
  size_t at = 1;
  if (field.hasOrdinal) {
    b.inst.target = uint32_t(b.literal(at++));
    if (b.inst.target >= field.limit)
      b.error("a tensor map has no such dimension");
  }
  bool wide = b.form.has("b64");
  b.inst.small = uint8_t(wide << 1);
  b.inst.b = b.source(at, wide ? Type::B64 : Type::B32);
  b.inst.handler = runReplace;
}

/// [to], [from], 128: of the whole warp, once.
void runCopy(Warp &w, const Inst &i) {
  if (!aligned(w, i))
    return;
  auto l = unsigned(std::countr_zero(w.active));
  storeMap(w, i, l, placeOf(w, i, 0), loadMap(w, i, l, placeOf(w, i, 1)));
}

void bindCopy(Builder &b) {
  std::vector<Ref> refs;
  addPlace(b, b.operand(0), Window::Global, refs);
  addPlace(b, b.operand(1), Window::Shared, refs);
  b.inst.firstRef = b.addRefs(refs);
  b.inst.handler = runCopy;
}

#define KCL_SPACE "{global,shared::cta}?"

constexpr Row rows[] = {
    {"tensormap.replace.tile.{global_address,rank,box_dim,global_dim,global_"
     "stride,element_stride,elemtype,interleave_layout,swizzle_mode,fill_mode}"
     "." KCL_SPACE ".b1024.{b32,b64}",
     InstClass::AsyncCopy, bindReplace,
     "on the simulator's own format of tensor maps"},
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
     "{cta,cluster,gpu,sys}.sync.aligned",
     InstClass::AsyncCopy, bindCopy},
};

} // namespace

std::span<const Row> tensorMapRows() { return rows; }

} // namespace kclaw::sim
