//===- Shape.cpp - Views, slices, padding ---------------------------------===//
//
// The half of TensorBuilder that moves elements without computing.
//
//===----------------------------------------------------------------------===//
#include "TensorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace kclaw {

static Dims staticShape(ArrayRef<OpFoldResult> sizes) {
  Dims shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return shape;
}

static Tensor collapse(TensorBuilder &t, Tensor x,
                       ArrayRef<ReassociationIndices> groups) {
  return {tensor::CollapseShapeOp::create(t.b, t.loc, x.value, groups),
          x.dtype};
}

static Tensor expandTo(TensorBuilder &t, Tensor x, ArrayRef<OpFoldResult> sizes,
                       ArrayRef<ReassociationIndices> groups) {
  auto type =
      RankedTensorType::get(staticShape(sizes), x.type().getElementType());
  return {
      tensor::ExpandShapeOp::create(t.b, t.loc, type, x.value, groups, sizes),
      x.dtype};
}

Tensor TensorBuilder::castShape(Tensor tensor, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, tensor.type().getElementType());
  if (type == tensor.type())
    return tensor;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!ShapedType::isDynamic(extent) && tensor.type().isDynamicDim(dim))
      requireEqual(size(tensor, dim), fixed(extent),
                   "computes size {0} where {1} is declared");
  return {tensor::CastOp::create(b, loc, type, tensor.value), tensor.dtype};
}

/// Groups of source and target dims with equal products, when both are static.
static std::optional<
    SmallVector<std::pair<ReassociationIndices, ReassociationIndices>>>
matchDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<std::pair<ReassociationIndices, ReassociationIndices>> groups;
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    groups.emplace_back();
    auto &[left, right] = groups.back();
    int64_t a = from[i], c = to[j];
    left.push_back(i++);
    right.push_back(j++);
    while (a != c) {
      if (a < c && i < from.size()) {
        a *= from[i];
        left.push_back(i++);
      } else if (a > c && j < to.size()) {
        c *= to[j];
        right.push_back(j++);
      } else {
        return std::nullopt;
      }
    }
  }
  if (groups.empty())
    return std::nullopt;
  for (; i < from.size(); ++i) {
    if (from[i] != 1)
      return std::nullopt;
    groups.back().first.push_back(i);
  }
  for (; j < to.size(); ++j) {
    if (to[j] != 1)
      return std::nullopt;
    groups.back().second.push_back(j);
  }
  return groups;
}

/// Several dynamic sizes cannot come from one dim: expand-strided-metadata of
/// LLVM 22 crashes on such an expand_shape.
static Tensor reshapeDynamic(TensorBuilder &t, Tensor x,
                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> extents;
  for (OpFoldResult size : sizes)
    extents.push_back(t.asIndex(size));
  Value shape = tensor::FromElementsOp::create(t.b, t.loc, extents);
  auto type =
      RankedTensorType::get(staticShape(sizes), x.type().getElementType());
  return {tensor::ReshapeOp::create(t.b, t.loc, type, x.value, shape), x.dtype};
}

/// Through rank 1, for shapes that do not match dim by dim.
static Tensor reshapeFlat(TensorBuilder &t, Tensor x,
                          ArrayRef<OpFoldResult> sizes) {
  if (llvm::count(staticShape(sizes), ShapedType::kDynamic) > 1)
    return reshapeDynamic(t, x, sizes);
  if (x.rank() != 1) {
    ReassociationIndices all(ArrayRef(dimRange(0, x.rank())));
    x = x.rank() == 0 ? expandTo(t, x, {t.fixed(1)}, {})
                      : collapse(t, x, {all});
  }
  if (sizes.size() == 1)
    return t.castShape(x, staticShape(sizes));
  if (sizes.empty())
    return collapse(t, t.castShape(x, {1}), {});
  Dims shape = staticShape(sizes);
  bool fixedShape = !ShapedType::isDynamicShape(shape);
  x = t.castShape(x, {fixedShape ? ShapedType::getNumElements(shape)
                                 : ShapedType::kDynamic});
  ReassociationIndices all(ArrayRef(dimRange(0, sizes.size())));
  return expandTo(t, x, sizes, {all});
}

Tensor TensorBuilder::reshape(Tensor x, ArrayRef<OpFoldResult> sizes,
                              bool sameCount) {
  Dims to = staticShape(sizes);
  if (!sameCount)
    requireSameCount(x, sizes);
  if (failed())
    return x;
  if (llvm::equal(x.shape(), to) && x.type().getNumDynamicDims() <= 1)
    return x;
  if (!x.type().hasStaticShape() || ShapedType::isDynamicShape(to))
    return reshapeFlat(*this, x, sizes);
  auto groups = matchDims(x.shape(), to);
  if (!groups)
    return reshapeFlat(*this, x, sizes);
  SmallVector<ReassociationIndices> left, right;
  for (auto &[from, into] : *groups) {
    left.push_back(from);
    right.push_back(into);
    int64_t extent = 1;
    for (int64_t dim : from)
      extent *= x.shape()[dim];
  }
  if (left.size() != size_t(x.rank()))
    x = collapse(*this, x, left);
  if (right.size() != to.size())
    x = expandTo(*this, x, sizes, right);
  return x;
}

Tensor TensorBuilder::unsqueeze(Tensor x, ArrayRef<int64_t> dims) {
  int64_t rank = x.rank() + dims.size();
  Sizes sizes;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  int64_t source = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    pending.push_back(dim);
    if (llvm::is_contained(dims, dim)) {
      sizes.push_back(fixed(1));
      continue;
    }
    sizes.push_back(size(x, source++));
    groups.push_back(std::exchange(pending, {}));
  }
  if (!groups.empty())
    groups.back().append(pending);
  return dims.empty() ? x : expandTo(*this, x, sizes, groups);
}

Tensor TensorBuilder::squeeze(Tensor x, ArrayRef<int64_t> dims) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    pending.push_back(dim);
    if (!llvm::is_contained(dims, dim))
      groups.push_back(std::exchange(pending, {}));
  }
  if (!groups.empty())
    groups.back().append(pending);
  return dims.empty() ? x : collapse(*this, x, groups);
}

Tensor TensorBuilder::splitDim(Tensor x, int64_t dim, int64_t outer) {
  Sizes sizes;
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, at = 0; i < x.rank(); ++i) {
    if (i != dim) {
      sizes.push_back(size(x, i));
      groups.push_back({at++});
      continue;
    }
    OpFoldResult inner = divide(size(x, i), fixed(outer));
    requireEqual(size(x, i), mul(inner, fixed(outer)),
                 "size {0} does not divide into " + Twine(outer) +
                     " parts; {1} would");
    sizes.push_back(fixed(outer));
    sizes.push_back(inner);
    groups.push_back({at, at + 1});
    at += 2;
  }
  return expandTo(*this, x, sizes, groups);
}

Tensor TensorBuilder::mergeDims(Tensor x, int64_t first, int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i > first && i < first + count)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  return collapse(*this, x, groups);
}

Tensor TensorBuilder::permute(Tensor x, ArrayRef<int64_t> permutation) {
  if (permutation == ArrayRef(dimRange(0, x.rank())))
    return x;
  Sizes result;
  for (int64_t dim : permutation)
    result.push_back(size(x, dim));
  Tensor target = empty(result, x.dtype);
  auto op =
      linalg::TransposeOp::create(b, loc, x.value, target.value, permutation);
  return {op->getResult(0), x.dtype};
}

/// Copies elements through `map`; no conversion.
static Tensor copy(TensorBuilder &t, Tensor x, ArrayRef<OpFoldResult> sizes,
                   AffineMap map) {
  Tensor target = t.empty(sizes, x.dtype);
  t.requireFitUnrepeated(x, map, sizes);
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      t.b, t.loc, target.value.getType(), x.value, target.value,
      {map, t.b.getMultiDimIdentityMap(sizes.size())}, loops,
      [](OpBuilder &nested, Location at, ValueRange args) {
        linalg::YieldOp::create(nested, at, args[0]);
      });
  return {op.getResult(0), x.dtype};
}

Tensor TensorBuilder::expand(Tensor x, ArrayRef<OpFoldResult> sizes) {
  if (llvm::equal(x.shape(), staticShape(sizes)))
    return x;
  return copy(*this, x, sizes, broadcastMap(x, sizes.size(), sizes));
}

Tensor TensorBuilder::flip(Tensor x, ArrayRef<int64_t> dims) {
  Sizes extents = sizes(x);
  return elementwise({}, extents, x.dtype, {}, [&](Body at, ArrayRef<Num>) {
    SmallVector<Num> positions;
    for (int64_t dim = 0; dim < x.rank(); ++dim) {
      Num i = at.index(dim);
      positions.push_back(
          llvm::is_contained(dims, dim) ? at.size(extents[dim]) - 1.0 - i : i);
    }
    return at.load(x, positions);
  });
}

Tensor TensorBuilder::slice(Tensor x, int64_t dim, OpFoldResult offset,
                            OpFoldResult extent, int64_t step) {
  Sizes offsets(x.rank(), fixed(0)), strides(x.rank(), fixed(1));
  Sizes extents = sizes(x);
  offsets[dim] = offset;
  extents[dim] = extent;
  strides[dim] = fixed(step);
  // MLIR refuses an offset at the end, also where nothing is taken.
  if (llvm::is_contained(staticShape(extents), 0))
    return empty(extents, x.dtype);
  return {tensor::ExtractSliceOp::create(b, loc, x.value, offsets, extents,
                                         strides),
          x.dtype};
}

Tensor TensorBuilder::insert(Tensor into, Tensor x,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<int64_t> strides) {
  if (llvm::is_contained(x.shape(), 0)) // as for slices
    return into;
  Sizes steps;
  for (int64_t stride : strides)
    steps.push_back(fixed(stride));
  return {tensor::InsertSliceOp::create(b, loc, x.value, into.value, offsets,
                                        sizes(x), steps),
          into.dtype};
}

Tensor TensorBuilder::concat(ArrayRef<Tensor> tensors, int64_t dim) {
  Sizes result = sizes(tensors[0]);
  for (Tensor tensor : tensors.drop_front()) {
    for (int64_t other = 0; other < tensor.rank(); ++other)
      if (other != dim)
        requireEqual(size(tensor, other), result[other]);
    result[dim] = add(result[dim], size(tensor, dim));
  }
  if (failed())
    return tensors[0];
  Tensor target = empty(result, tensors[0].dtype);
  Sizes offsets(result.size(), fixed(0));
  Dims strides(result.size(), 1);
  for (Tensor tensor : tensors) {
    target = insert(target, tensor, offsets, strides);
    offsets[dim] = add(offsets[dim], size(tensor, dim));
  }
  return target;
}

Tensor TensorBuilder::pad(Tensor x, ArrayRef<int64_t> low,
                          ArrayRef<int64_t> high, TypedAttr value) {
  bool grows = false;
  Sizes result = sizes(x), offsets;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    int64_t before = std::min<int64_t>(low[dim], 0);
    int64_t after = std::min<int64_t>(high[dim], 0);
    if (before || after) {
      requireAtLeast(size(x, dim), fixed(-before - after),
                     "a negative padding takes {1} of {0} elements");
      x = slice(x, dim, fixed(-before),
                add(size(x, dim), fixed(before + after)));
    }
    grows |= low[dim] > 0 || high[dim] > 0;
    result[dim] = add(result[dim], fixed(low[dim] + high[dim]));
    offsets.push_back(fixed(std::max<int64_t>(low[dim], 0)));
  }
  if (!grows)
    return x;
  return insert(fill(result, x.dtype, value), x, offsets, Dims(x.rank(), 1));
}

} // namespace kclaw
