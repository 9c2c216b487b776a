//===- Slices.cpp - Slice, select, split, concatenate, pad, flip ----------===//
//
// Ops that take or join parts of tensors.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>

using namespace mlir;

namespace kclaw {

/// A slice bound as PyTorch reads it: from the end when negative, then clamped
/// into [0, extent].
static OpFoldResult bound(OpContext &c, OpFoldResult value,
                          OpFoldResult extent) {
  if (std::optional<int64_t> fixed = getConstantIntValue(value)) {
    if (*fixed < 0)
      value = c.add(extent, value);
    return c.minimum(c.maximum(value, c.fixed(0)), extent);
  }
  Value zero = c.asIndex(c.fixed(0)), v = c.asIndex(value);
  Value negative =
      arith::CmpIOp::create(c.b, c.loc, arith::CmpIPredicate::slt, v, zero);
  Value wrapped = c.asIndex(c.add(extent, value));
  Value chosen = arith::SelectOp::create(c.b, c.loc, negative, wrapped, v);
  return c.minimum(c.maximum(chosen, c.fixed(0)), extent);
}

/// slice.Tensor(x, dim, start, end, step)
struct SliceRange {
  int64_t dim, step;
  OpFoldResult start, size;
};
static SliceRange sliceRange(OpContext &c, Tensor x, unsigned first) {
  SliceRange range;
  range.dim = c.dim(first, x.rank());
  range.step = std::max<int64_t>(c.integer(first + 3, 1), 1);
  OpFoldResult extent = c.size(x, range.dim);
  range.start =
      c.has(first + 1) ? bound(c, c.sizeAt(first + 1), extent) : c.fixed(0);
  OpFoldResult end =
      c.has(first + 2) ? bound(c, c.sizeAt(first + 2), extent) : extent;
  OpFoldResult span = c.maximum(c.sub(end, range.start), c.fixed(0));
  range.size =
      c.divide(c.add(span, c.fixed(range.step - 1)), c.fixed(range.step));
  return range;
}

/// The most elements that constant bounds can take of a dim of any size.
static std::optional<int64_t> mostElements(OpContext &c, int64_t step) {
  auto constant = [&](unsigned operand, int64_t absent) {
    return c.has(operand) ? getConstantIntValue(c.sizeAt(operand))
                          : std::optional(absent);
  };
  std::optional<int64_t> start = constant(2, 0);
  std::optional<int64_t> end = constant(3, std::numeric_limits<int64_t>::max());
  if (!start || !end || (*start < 0) != (*end < 0))
    return std::nullopt;
  int64_t span = std::max<int64_t>(*end - *start, 0);
  return span / step + (span % step != 0);
}

static void slice(OpContext &c) {
  Tensor x = c.tensor(0);
  SliceRange r = sliceRange(c, x, 1);
  if (c.failed())
    return;
  if (c.dtype() != x.dtype)
    return c.fail("a slice keeps the element type of its operand");
  ArrayRef<int64_t> declared = c.resultShape();
  std::optional<int64_t> most = mostElements(c, r.step);
  if (most && r.dim < int64_t(declared.size()) && declared[r.dim] > *most)
    return c.fail("the bounds take at most " + Twine(*most) +
                  " elements, but the result is declared with " +
                  Twine(declared[r.dim]));
  c.set(c.slice(x, r.dim, r.start, r.size, r.step));
}

/// narrow(x, dim, start, length)
static void narrow(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank());
  OpFoldResult extent = c.size(x, dim), length = c.sizeAt(3);
  OpFoldResult start = bound(c, c.sizeAt(2), extent);
  c.requireAtLeast(length, c.fixed(0), "length {0} is negative");
  c.requireAtLeast(extent, c.add(start, length),
                   "a dim of size {0} ends before {1}");
  c.set(c.slice(x, dim, start, length));
}

/// unfold(x, dim, size, step): windows of a dim, their elements as a last dim
static void unfold(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank()), size = c.integer(2), step = c.integer(3);
  if (size < 1 || step < 1 || x.rank() == 0)
    return c.fail("a positive size and step of a dim expected");
  Sizes result = c.sizes(x);
  c.requireAtLeast(result[dim], c.fixed(size),
                   "a dim of size {0} holds no window of {1}");
  result[dim] = c.add(
      c.divide(c.sub(result[dim], c.fixed(size)), c.fixed(step)), c.fixed(1));
  result.push_back(c.fixed(size));
  c.set(c.elementwise({}, result, c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
    SmallVector<Num> positions;
    for (int64_t i = 0; i < x.rank(); ++i)
      positions.push_back(at.index(i));
    positions[dim] = positions[dim] * double(step) + at.index(x.rank());
    return at.load(x, positions);
  }));
}

/// Parts have the sizes of the whole, but for the dims `free`.
static void requireShape(OpContext &c, Tensor part, Tensor whole,
                         ArrayRef<int64_t> free) {
  if (part.rank() != whole.rank())
    return c.fail("the source has rank " + Twine(part.rank()) + ", " +
                  Twine(whole.rank()) + " expected");
  for (int64_t dim = 0; dim < whole.rank(); ++dim)
    if (!llvm::is_contained(free, dim))
      c.requireEqual(c.size(part, dim), c.size(whole, dim));
}

/// slice_scatter(x, source, dim, start, end, step)
static void sliceScatter(OpContext &c) {
  Tensor x = c.tensor(0), source = c.tensor(1);
  SliceRange r = sliceRange(c, x, 2);
  requireShape(c, source, x, {r.dim});
  c.requireEqual(c.size(source, r.dim), r.size);
  if (c.failed())
    return;
  Sizes offsets(x.rank(), c.fixed(0));
  Dims strides(x.rank(), 1);
  offsets[r.dim] = r.start;
  strides[r.dim] = r.step;
  c.set(c.insert(x, c.convertTo(source, x.dtype), offsets, strides));
}

/// The element at a position of `dim`, which goes.
static Tensor selectAt(OpContext &c, Tensor x, int64_t dim, OpFoldResult at) {
  return c.squeeze(c.slice(x, dim, at, c.fixed(1)), {dim});
}

static OpFoldResult position(OpContext &c, Tensor x, int64_t dim,
                             unsigned operand) {
  OpFoldResult at = c.sizeAt(operand), extent = c.size(x, dim);
  std::optional<int64_t> fixed = getConstantIntValue(at);
  if (fixed && *fixed < 0) {
    c.requireAtLeast(extent, c.fixed(-*fixed),
                     "index -{1} is outside of a dim of size {0}");
    return c.add(extent, at);
  }
  if (!fixed) {
    Value zero = c.asIndex(c.fixed(0)), v = c.asIndex(at);
    Value negative =
        arith::CmpIOp::create(c.b, c.loc, arith::CmpIPredicate::slt, v, zero);
    at = arith::SelectOp::create(c.b, c.loc, negative,
                                 c.asIndex(c.add(extent, at)), v)
             .getResult();
    c.requireAtLeast(at, c.fixed(0), "index {0} is before the first element");
  }
  c.requireAtLeast(extent, c.add(at, c.fixed(1)),
                   "a dim of size {0} has no element {1}, counted from 1");
  return at;
}

static void select(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank());
  OpFoldResult at = position(c, x, dim, 2);
  if (!c.failed())
    c.set(selectAt(c, x, dim, at));
}

/// select_scatter(x, source, dim, index)
static void selectScatter(OpContext &c) {
  Tensor x = c.tensor(0), source = c.tensor(1);
  int64_t dim = c.dim(2, x.rank());
  Sizes offsets(x.rank(), c.fixed(0));
  offsets[dim] = position(c, x, dim, 3);
  Tensor row = c.unsqueeze(c.convertTo(source, x.dtype), {dim});
  requireShape(c, row, x, {dim});
  if (c.failed())
    return;
  c.set(c.insert(x, row, offsets, Dims(x.rank(), 1)));
}

static void splitInto(OpContext &c, ArrayRef<int64_t> extents, int64_t dim) {
  Tensor x = c.tensor(0);
  SmallVector<Tensor> parts;
  int64_t offset = 0;
  for (int64_t extent : extents)
    offset += extent;
  c.requireEqual(c.size(x, dim), c.fixed(offset),
                 "a dim of size {0} is split into {1} elements");
  if (c.failed())
    return;
  offset = 0;
  for (int64_t extent : extents) {
    parts.push_back(c.slice(x, dim, c.fixed(offset), c.fixed(extent)));
    offset += extent;
  }
  c.setList(parts);
}

static void splitEvenly(OpContext &c, int64_t total, int64_t extent,
                        int64_t dim) {
  if (ShapedType::isDynamic(total) || extent < 1)
    return c.fail("the split dim must be static");
  Dims extents;
  for (int64_t at = 0; at < total; at += extent)
    extents.push_back(std::min(extent, total - at));
  splitInto(c, extents, dim);
}

static void split(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(2, x.rank());
  splitEvenly(c, x.shape()[dim], c.integer(1), dim);
}

static void splitWithSizes(OpContext &c) {
  splitInto(c, c.integers(1), c.dim(2, c.tensor(0).rank()));
}

static void chunk(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(2, x.rank()), count = std::max<int64_t>(c.integer(1), 1);
  int64_t total = x.shape()[dim];
  splitEvenly(c, total, (total + count - 1) / count, dim);
}

static void unbind(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t dim = c.dim(1, x.rank());
  if (x.type().isDynamicDim(dim))
    return c.fail("the unbound dim must be static");
  SmallVector<Tensor> parts;
  for (int64_t i = 0; i < x.shape()[dim]; ++i)
    parts.push_back(selectAt(c, x, dim, c.fixed(i)));
  c.setList(parts);
}

static void listUnpack(OpContext &c) {
  SmallVector<Tensor> parts = c.tensors(0);
  if (parts.size() != c.op->getNumResults())
    return c.fail("the list holds " + Twine(parts.size()) + " tensors, " +
                  Twine(c.op->getNumResults()) + " are unpacked");
  for (auto [i, part] : llvm::enumerate(parts))
    c.set(i, part);
}

static void concatenate(OpContext &c) {
  SmallVector<Tensor> parts;
  for (Tensor part : c.tensors(0))
    // PyTorch lets an empty rank-1 tensor join anything.
    if (!(part.rank() == 1 && part.shape()[0] == 0 &&
          c.resultShape().size() > 1))
      parts.push_back(c.convertTo(part, c.dtype()));
  if (parts.empty())
    return c.set(c.convertTo(c.tensors(0)[0], c.dtype()));
  int64_t rank = parts[0].rank();
  if (llvm::any_of(parts, [&](Tensor part) { return part.rank() != rank; }))
    return c.fail("tensors of one rank expected");
  c.set(c.concat(parts, c.dim(1, rank)));
}

static void stack(OpContext &c) {
  SmallVector<Tensor> parts;
  int64_t dim = c.dim(1, c.resultShape().size());
  for (Tensor part : c.tensors(0))
    parts.push_back(c.unsqueeze(c.convertTo(part, c.dtype()), {dim}));
  c.set(c.concat(parts, dim));
}

static void flip(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims dims;
  for (int64_t dim : c.integers(1))
    dims.push_back(wrapDim(dim, x.rank()));
  c.set(c.flip(x, dims));
}

/// roll(x, shifts, dims)
static void roll(OpContext &c) {
  Tensor x = c.tensor(0);
  Dims shifts = c.integers(1), dims = c.integers(2);
  if (shifts.size() != dims.size())
    return c.fail("one shift a dim expected");
  for (auto [shift, dim] : llvm::zip(shifts, dims)) {
    int64_t at = wrapDim(dim, x.rank()), extent = x.shape()[at];
    if (ShapedType::isDynamic(extent) || extent == 0)
      return c.fail("the rolled dim must be static");
    int64_t cut = ((-shift) % extent + extent) % extent;
    if (cut == 0)
      continue;
    Tensor tail = c.slice(x, at, c.fixed(cut), c.fixed(extent - cut));
    Tensor head = c.slice(x, at, c.fixed(0), c.fixed(cut));
    x = c.concat({tail, head}, at);
  }
  c.set(x);
}

/// Position in the source for position `i` of a padded dim.
static Num padSource(StringRef mode, Num i, Num extent) {
  Num last = extent - 1.0;
  if (mode == "replicate")
    return minimum(maximum(i, 0.0), last);
  if (mode == "circular")
    return floorRemainder(i, extent);
  Num folded = abs(i); // reflect
  return select(gt(folded, last), 2.0 * last - folded, folded);
}

/// The list names the last dim first, two numbers a dim.
static void padMode(OpContext &c, StringRef mode, double value) {
  Tensor x = c.tensor(0);
  Dims list = c.integers(1), low(x.rank(), 0), high(x.rank(), 0);
  if (list.size() % 2 || list.size() > 2 * static_cast<size_t>(x.rank()))
    return c.fail("two numbers a padded dim expected");
  for (size_t i = 0; i < list.size() / 2; ++i) {
    low[x.rank() - 1 - i] = list[2 * i];
    high[x.rank() - 1 - i] = list[2 * i + 1];
  }
  if (mode == "constant")
    return c.set(c.pad(x, low, high, c.number(x.dtype, value)));
  Sizes extents = c.sizes(x), result;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    int64_t most = std::max(low[dim], high[dim]);
    int64_t needed = mode == "reflect"    ? most + 1
                     : mode == "circular" ? most
                                          : std::min<int64_t>(most, 1);
    if (low[dim] || high[dim])
      c.requireAtLeast(extents[dim], c.fixed(needed),
                       mode + " padding needs a dim of size {1} or more, not "
                              "{0}");
    result.push_back(c.add(extents[dim], c.fixed(low[dim] + high[dim])));
  }
  c.set(c.elementwise({}, result, c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
    SmallVector<Num> positions;
    for (int64_t dim = 0; dim < x.rank(); ++dim) {
      Num i = at.index(dim) - double(low[dim]);
      positions.push_back(low[dim] || high[dim]
                              ? padSource(mode, i, at.size(extents[dim]))
                              : i);
    }
    return at.load(x, positions);
  }));
}

static void pad(OpContext &c) { padMode(c, c.text(2), c.number(3, 0)); }
static void padConstant(OpContext &c) { padMode(c, "constant", c.number(2)); }
static void padReflect(OpContext &c) { padMode(c, "reflect", 0); }
static void padReplicate(OpContext &c) { padMode(c, "replicate", 0); }

/// diagonal(x, offset, dim1, dim2)
static void diagonal(OpContext &c) {
  Tensor x = c.tensor(0);
  int64_t offset = c.integer(1), first = c.dim(2, x.rank()),
          second = c.dim(3, x.rank(), 1);
  int64_t length = c.resultShape().back();
  if (ShapedType::isDynamic(length))
    return c.fail("the diagonal must be static");
  Sizes result;
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (dim != first && dim != second)
      result.push_back(c.size(x, dim));
  result.push_back(c.fixed(length));
  c.set(c.elementwise({}, result, c.dtype(), {}, [&](Body at, ArrayRef<Num>) {
    SmallVector<Num> positions;
    Num along = at.index(x.rank() - 2);
    for (int64_t dim = 0, next = 0; dim < x.rank(); ++dim)
      if (dim == first)
        positions.push_back(along + double(std::max<int64_t>(-offset, 0)));
      else if (dim == second)
        positions.push_back(along + double(std::max<int64_t>(offset, 0)));
      else
        positions.push_back(at.index(next++));
    return at.load(x, positions);
  }));
}

/// diag of a vector is a matrix, of a matrix a vector.
static void diag(OpContext &c) {
  Tensor x = c.tensor(0);
  if (x.rank() != 1 || c.integer(1) != 0)
    return c.fail("a vector on the main diagonal expected");
  Sizes sizes = {c.size(x, 0), c.size(x, 0)};
  c.set(c.elementwise({Input(x, c.dimsMap(2, {0}))}, sizes, c.dtype(), {},
                      [](Body at, ArrayRef<Num> a) {
                        return select(eq(at.index(0), at.index(1)), a[0], 0.0);
                      }));
}

OpRows sliceRows() {
  static constexpr OpRow rows[] = {
      {"aten.cat", concatenate},
      {"aten.chunk", chunk},
      {"aten.constant_pad_nd", padConstant},
      {"aten.diag", diag},
      {"aten.diag_embed", diag},
      {"aten.diagonal", diagonal},
      {"aten.flip", flip},
      {"aten.narrow", narrow},
      {"aten.pad", pad},
      {"aten.reflection_pad1d", padReflect},
      {"aten.reflection_pad2d", padReflect},
      {"aten.reflection_pad3d", padReflect},
      {"aten.replication_pad1d", padReplicate},
      {"aten.replication_pad2d", padReplicate},
      {"aten.replication_pad3d", padReplicate},
      {"aten.roll", roll},
      {"aten.select.int", select},
      {"aten.select_scatter", selectScatter},
      {"aten.slice.Tensor", slice},
      {"aten.slice_scatter", sliceScatter},
      {"aten.split.Tensor", split},
      {"aten.split_with_sizes", splitWithSizes},
      {"aten.stack", stack},
      {"aten.unbind.int", unbind},
      {"aten.unfold", unfold},
      {"prim.ListUnpack", listUnpack},
  };
  return rows;
}

} // namespace kclaw
