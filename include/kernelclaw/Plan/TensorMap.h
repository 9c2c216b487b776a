//===- TensorMap.h - What the tensor memory accelerator copies --*- C++ -*-===//
//
// A tiled CUtensorMap declared in a plan, for kernels that take a
// `const __grid_constant__ CUtensorMap`. Everything but the element type is an
// expression, so tiles and swizzles may be tunables, and a map inside `repeat`
// may use the loop's index. Rules: CUDA driver API, cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_PLAN_TENSORMAP_H
#define KERNELCLAW_PLAN_TENSORMAP_H

#include "kernelclaw/Plan/Expr.h"

namespace kclaw {

/// In the order of CUtensorMapDataType.
enum class TensorMapElement {
  U8,
  U16,
  U32,
  I32,
  U64,
  I64,
  F16,
  F32,
  F64,
  BF16,
  F32Ftz,
  TF32,
  TF32Ftz
};
int64_t sizeBytes(TensorMapElement element);

/// Sizes count elements, innermost dimension first; rank 1 to 5.
struct PlanTensorMap {
  std::string name;
  std::string buffer;
  Expr offset{0}; ///< bytes
  TensorMapElement element = TensorMapElement::F32;
  std::vector<Expr> dims;
  /// Bytes from one index to the next of dimensions 1 and up; empty: dense.
  std::vector<Expr> strides;
  std::vector<Expr> box;            ///< elements of a tile
  std::vector<Expr> elementStrides; ///< empty: all 1
  Expr swizzle{0};                  ///< bytes: 0, 32, 64 or 128
  Expr interleave{0};               ///< bytes: 0, 16 or 32
  Expr l2Promotion{0};              ///< bytes: 0, 64, 128 or 256
  Expr nanFill{0}; ///< out of bounds is 0: zero, 1: NaN (float types)
};

/// The strides, also where the map leaves them out.
std::vector<Expr> tensorMapStrides(const PlanTensorMap &map);
/// ... and the element strides.
std::vector<Expr> tensorMapElementStrides(const PlanTensorMap &map);

struct TensorMapValues {
  int64_t offset = 0;
  std::vector<int64_t> dims, strides, box, elementStrides;
  int64_t swizzle = 0, interleave = 0, l2Promotion = 0, nanFill = 0;
};

/// The map under `bindings`, for a buffer of `bufferBytes`. An error names the
/// field ("box[0]: 257 is outside [1, 256]") and what the hardware wants.
Expected<TensorMapValues> evaluateTensorMap(const PlanTensorMap &map,
                                            const Bindings &bindings,
                                            int64_t bufferBytes);

} // namespace kclaw

#endif // KERNELCLAW_PLAN_TENSORMAP_H
