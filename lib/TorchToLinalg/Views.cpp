//===- Views.cpp - Reshape, permute, expand, squeeze ----------------------===//
//
// Ops that name the same elements by other positions.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace kclaw {

static OpFoldResult product(OpContext &c, ArrayRef<OpFoldResult> sizes) {
  OpFoldResult result = c.fixed(1);
  for (OpFoldResult size : sizes)
    result = c.mul(result, size);
  return result;
}

/// x in other sizes. Where the result type is static it wins; a -1 is what the
/// others leave.
static Tensor regroup(OpContext &c, Tensor x, Sizes sizes) {
  std::optional<size_t> open;
  OpFoldResult known = c.fixed(1);
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t declared = c.resultShape()[i];
    if (!ShapedType::isDynamic(declared))
      sizes[i] = c.fixed(declared);
    if (getConstantIntValue(sizes[i]) == int64_t(-1))
      open = i;
    else
      known = c.mul(known, sizes[i]);
  }
  if (open) {
    c.requireAtLeast(known, c.fixed(1),
                     "-1 can be any size beside a size of {0}");
    sizes[*open] =
        c.divide(product(c, c.sizes(x)), c.maximum(known, c.fixed(1)));
  }
  std::optional<int64_t> part = getConstantIntValue(known);
  int64_t fixedCount = 1;
  for (int64_t extent : x.shape())
    fixedCount *= ShapedType::isDynamic(extent) ? 1 : extent;
  return c.reshape(x, sizes, open && part && *part && fixedCount % *part == 0);
}

static void view(OpContext &c) {
  Tensor x = c.tensor(0);
  Sizes sizes = c.sizeList(1);
  if (c.failed() || sizes.size() != c.resultShape().size())
    return c.fail("the list of sizes does not fit the result");
  c.set(regroup(c, x, sizes));
}

static void expand(OpContext &c) {
  Tensor x = c.tensor(0);
  Sizes sizes = c.sizeList(1);
  if (c.failed() || sizes.size() != c.resultShape().size())
    return c.fail("the list of sizes does not fit the result");
  int64_t added = sizes.size() - x.rank();
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i) {
    int64_t declared = c.resultShape()[i];
    if (!ShapedType::isDynamic(declared))
      sizes[i] = c.fixed(declared);
    else if (getConstantIntValue(sizes[i]) == int64_t(-1) && i >= added)
      sizes[i] = c.size(x, i - added);
  }
  c.set(c.expand(x, sizes));
}

/// expand_as(x, y), broadcast_to is expand
static void expandAs(OpContext &c) {
  c.set(c.expand(c.tensor(0), c.sizes(c.tensor(1))));
}

static void viewAs(OpContext &c) {
  c.set(c.reshape(c.tensor(0), c.sizes(c.tensor(1))));
}

static void broadcastTensors(OpContext &c) {
  SmallVector<Tensor> tensors = c.tensors(0), results;
  Sizes sizes = c.broadcastSizes(tensors);
  for (Tensor tensor : tensors)
    results.push_back(c.expand(tensor, sizes));
  c.setList(results);
}

static void permute(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims permutation = c.integers(1);
  for (int64_t &dim : permutation)
    dim = wrapDim(dim, x.rank());
  if (permutation.size() != static_cast<size_t>(x.rank()))
    return c.fail("the permutation has not one entry a dim");
  c.set(c.permute(x, permutation));
}

static Tensor swapped(OpContext &c, Tensor x, int64_t a, int64_t b) {
  Dims permutation = dimRange(0, x.rank());
  if (x.rank() > 1)
    std::swap(permutation[a], permutation[b]);
  return c.permute(x, permutation);
}

static void transpose(OpContext &c) {
  Tensor x = c.tensor(0);
  c.set(swapped(c, x, c.dim(1, x.rank()), c.dim(2, x.rank())));
}

static void transpose2d(OpContext &c) { c.set(swapped(c, c.tensor(0), 0, 1)); }

static void unsqueeze(OpContext &c) {
  Tensor x = c.tensor(0);
  c.set(c.unsqueeze(x, {c.dim(1, x.rank() + 1)}));
}

/// Only dims of size 1 go; the result type says how many are.
static void squeezeDims(OpContext &c, ArrayRef<int64_t> dims) {
  Tensor x = c.tensor(0);
  Dims ones;
  for (int64_t dim : dims)
    if (dim < x.rank() && x.shape()[dim] == 1)
      ones.push_back(dim);
  c.set(c.squeeze(x, ones));
}

static void squeeze(OpContext &c) {
  squeezeDims(c, dimRange(0, c.tensor(0).rank()));
}
static void squeezeSome(OpContext &c) {
  Dims dims;
  for (int64_t dim : c.integers(1))
    dims.push_back(wrapDim(dim, c.tensor(0).rank()));
  squeezeDims(c, dims);
}

/// flatten.using_ints(x, first, last)
static void flatten(OpContext &c) {
  Tensor x = c.tensor(0);
  if (x.rank() == 0)
    return c.set(c.reshape(x, {c.fixed(1)}));
  int64_t first = c.dim(1, x.rank()), last = c.dim(2, x.rank(), -1);
  c.set(c.mergeDims(x, first, last - first + 1));
}

/// unflatten.int(x, dim, sizes)
static void unflatten(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank());
  Sizes sizes = c.sizes(x), inner = c.sizeList(2);
  sizes.erase(sizes.begin() + dim);
  sizes.insert(sizes.begin() + dim, inner.begin(), inner.end());
  if (sizes.size() != c.resultShape().size())
    return c.fail("the list of sizes does not fit the result");
  c.set(regroup(c, x, sizes));
}

/// repeat(x, counts): each dim becomes (count, size), broadcast, merged.
static void repeat(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims counts = c.integers(1);
  int64_t added = counts.size() - x.rank();
  if (added < 0)
    return c.fail("fewer counts than dims");
  Sizes result;
  for (int64_t dim = 0; dim < static_cast<int64_t>(counts.size()); ++dim)
    result.push_back(c.mul(c.fixed(counts[dim]),
                           dim < added ? c.fixed(1) : c.size(x, dim - added)));
  Sizes extents = c.sizes(x);
  c.set(c.elementwise({}, result, c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
    SmallVector<Num> positions;
    for (int64_t dim = 0; dim < x.rank(); ++dim)
      positions.push_back(
          truncRemainder(at.index(dim + added), at.size(extents[dim])));
    return at.load(x, positions);
  }));
}

/// pixel_shuffle(x, factor): [.., C*f*f, H, W] to [.., C, H*f, W*f]
static void pixelShuffle(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t factor = c.integer(1), lead = x.rank() - 3;
  int64_t channels = x.shape()[lead];
  if (ShapedType::isDynamic(channels) || factor < 1 ||
      channels % (factor * factor))
    return c.fail("the number of channels must be static and divide by the "
                  "factor squared");
  Tensor y = c.splitDim(x, lead, channels / (factor * factor));
  y = c.splitDim(y, lead + 1, factor); // C, fh, fw, H, W
  Dims permutation = dimRange(0, lead + 1);
  permutation.append({lead + 3, lead + 1, lead + 4, lead + 2});
  y = c.permute(y, permutation);
  c.set(c.mergeDims(c.mergeDims(y, lead + 1, 2), lead + 2, 2));
}

/// pixel_unshuffle(x, factor): the inverse
static void pixelUnshuffle(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t factor = c.integer(1), lead = x.rank() - 3;
  int64_t height = x.shape()[lead + 1], width = x.shape()[lead + 2];
  if (ShapedType::isDynamic(height) || ShapedType::isDynamic(width))
    return c.fail("height and width must be static");
  Tensor y = c.splitDim(x, lead + 1, height / factor);
  y = c.splitDim(y, lead + 3, width / factor); // C, H, fh, W, fw
  Dims permutation = dimRange(0, lead + 1);
  permutation.append({lead + 2, lead + 4, lead + 1, lead + 3});
  c.set(c.mergeDims(c.permute(y, permutation), lead, 3));
}

OpRows viewRows() {
  static constexpr OpRow rows[] = {
      {"aten._reshape_alias", view},
      {"aten._unsafe_view", view},
      {"aten.broadcast_tensors", broadcastTensors},
      {"aten.broadcast_to", expand},
      {"aten.expand", expand},
      {"aten.expand_as", expandAs},
      {"aten.flatten.using_ints", flatten},
      {"aten.numpy_T", transpose2d},
      {"aten.permute", permute},
      {"aten.pixel_shuffle", pixelShuffle},
      {"aten.pixel_unshuffle", pixelUnshuffle},
      {"aten.repeat", repeat},
      {"aten.reshape", view},
      {"aten.squeeze", squeeze},
      {"aten.squeeze.dim", squeezeSome},
      {"aten.squeeze.dims", squeezeSome},
      {"aten.swapaxes", transpose},
      {"aten.t", transpose2d},
      {"aten.transpose.int", transpose},
      {"aten.unflatten.int", unflatten},
      {"aten.unsqueeze", unsqueeze},
      {"aten.view", view},
      {"aten.view_as", viewAs},
      {"prims.squeeze", squeezeSome},
  };
  return rows;
}

} // namespace kclaw
