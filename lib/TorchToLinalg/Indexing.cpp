//===- Indexing.cpp - Gather, index, embedding, scatter -------------------===//
//
// Reads by index are a map over the result whose body looks the element up.
// Writes by index are a reduction over the sources: each element of the result
// looks at every source and takes (or adds) those aimed at it. That costs
// results x sources, is deterministic, and needs no atomics: later sources win.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace kclaw {

/// Negative positions count from the end: index.Tensor and index_put only.
static Num wrapIndex(Num index, Num extent) {
  index = convert(index, extent.type(), false);
  return select(lt(index, 0.0), index + extent, index);
}

//===--- Reads ------------------------------------------------------------===//

static constexpr const char *smallerIndex =
    "a dim of size {0} is less than that of the index, {1}";

/// gather(x, dim, index)
static void gather(OpContext &c) {
  Tensor x = c.tensor(0), index = c.tensor(2);
  int64_t dim = c.dim(1, x.rank());
  if (x.rank() != index.rank())
    return c.fail("an index of the input's rank expected");
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != dim)
      c.requireAtLeast(c.size(x, i), c.size(index, i), smallerIndex);
  c.requireIndices(index, x, dim, false);
  c.set(c.elementwise({index}, c.sizes(index), c.dtype(), {},
                      [&](Body at, ArrayRef<Num> a) {
                        SmallVector<Num> positions;
                        for (int64_t i = 0; i < x.rank(); ++i)
                          positions.push_back(at.index(i));
                        if (x.rank() > 0)
                          positions[dim] = a[0];
                        return at.load(x, positions);
                      }));
}

/// The rows of `x` along `dim` named by `index`, whose dims replace it.
static void takeRows(OpContext &c, Tensor x, int64_t dim, Tensor index) {
  c.requireIndices(index, x, dim, false);
  Sizes sizes = c.sizes(x);
  Sizes indexSizes = c.sizes(index);
  sizes.erase(sizes.begin() + dim);
  sizes.insert(sizes.begin() + dim, indexSizes.begin(), indexSizes.end());
  AffineMap map = c.dimsMap(sizes.size(), dimRange(dim, dim + index.rank()));
  c.set(c.elementwise(
      {Input(index, map)}, sizes, c.dtype(), {}, [&](Body at, ArrayRef<Num> a) {
        SmallVector<Num> positions;
        for (int64_t i = 0; i < x.rank(); ++i)
          positions.push_back(i == dim  ? a[0]
                              : i < dim ? at.index(i)
                                        : at.index(i - 1 + index.rank()));
        return at.load(x, positions);
      }));
}

/// embedding(weight, index)
static void embedding(OpContext &c) {
  takeRows(c, c.tensor(0), 0, c.tensor(1));
}

/// index_select(x, dim, index)
static void indexSelect(OpContext &c) {
  Tensor x = c.tensor(0), index = c.tensor(2);
  takeRows(c, x, c.dim(1, x.rank()), index);
}

namespace {
/// An index list over the dims of a tensor: which dims are indexed, and where
/// the dims of the broadcast indices go in the result.
struct IndexList {
  SmallVector<std::optional<Tensor>> indices; ///< one a dim
  Sizes broadcast;
  int64_t place = 0;

  int64_t rank() const { return broadcast.size(); }
};
} // namespace

static std::optional<IndexList> readIndices(OpContext &c, Tensor x,
                                            unsigned operand) {
  IndexList list;
  list.indices = c.optionalTensors(operand);
  list.indices.resize(std::max<size_t>(list.indices.size(), x.rank()));
  SmallVector<Tensor> present;
  Dims dims;
  for (auto [dim, index] : llvm::enumerate(list.indices)) {
    if (!index)
      continue;
    if (index->dtype.isInteger(1)) {
      c.fail("a boolean index makes a size that depends on data");
      return std::nullopt;
    }
    present.push_back(*index);
    dims.push_back(dim);
  }
  if (c.failed() || present.empty() ||
      list.indices.size() != static_cast<size_t>(x.rank())) {
    c.fail("at most one index a dim, and at least one, expected");
    return std::nullopt;
  }
  list.broadcast = c.broadcastSizes(present);
  for (auto [index, dim] : llvm::zip(present, dims))
    c.requireIndices(index, x, dim, true);
  bool adjacent =
      dims.back() - dims.front() + 1 == static_cast<int64_t>(dims.size());
  list.place = adjacent ? dims.front() : 0;
  return list;
}

/// Sizes of x[indices].
static Sizes indexedSizes(OpContext &c, Tensor x, const IndexList &list) {
  Sizes sizes;
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (!list.indices[dim])
      sizes.push_back(c.size(x, dim));
  sizes.insert(sizes.begin() + list.place, list.broadcast.begin(),
               list.broadcast.end());
  return sizes;
}

/// Inputs that read the indices in a space of `rank` loops, where the broadcast
/// dims start at `first`.
static SmallVector<Input> indexInputs(OpContext &c, const IndexList &list,
                                      int64_t rank, int64_t first) {
  SmallVector<Input> inputs;
  for (const std::optional<Tensor> &index : list.indices) {
    if (!index)
      continue;
    SmallVector<AffineExpr> exprs;
    int64_t offset = list.rank() - index->rank();
    for (int64_t i = 0; i < index->rank(); ++i) {
      bool repeated =
          index->shape()[i] == 1 &&
          getConstantIntValue(list.broadcast[offset + i]) != int64_t(1);
      exprs.push_back(repeated ? c.c(0) : c.d(first + offset + i));
    }
    inputs.emplace_back(*index, c.map(rank, exprs));
  }
  return inputs;
}

/// The loop that walks dim `dim` of x (not indexed) in the space of x[indices].
static int64_t freeLoop(const IndexList &list, int64_t dim) {
  int64_t before = 0;
  for (int64_t i = 0; i < dim; ++i)
    before += !list.indices[i];
  return before < list.place ? before : before + list.rank();
}

static void index(OpContext &c) {
  Tensor x = c.tensor(0);
  std::optional<IndexList> list = readIndices(c, x, 1);
  if (!list)
    return;
  Sizes extents = c.sizes(x), sizes = indexedSizes(c, x, *list);
  c.set(c.elementwise(indexInputs(c, *list, sizes.size(), list->place), sizes,
                      c.dtype(), {}, [&](Body at, ArrayRef<Num> a) {
                        SmallVector<Num> positions;
                        for (int64_t dim = 0; dim < x.rank(); ++dim)
                          if (list->indices[dim]) {
                            positions.push_back(
                                wrapIndex(a.front(), at.size(extents[dim])));
                            a = a.drop_front();
                          } else {
                            positions.push_back(at.index(freeLoop(*list, dim)));
                          }
                        return at.load(x, positions);
                      }));
}

//===--- Writes -----------------------------------------------------------===//

using CombineFn = Num (*)(Num, Num);
static Num replace(Num, Num source) { return source; }
static Num add(Num old, Num source) { return old + source; }
static Num times(Num old, Num source) { return old * source; }
static Num larger(Num old, Num source) { return kclaw::maximum(old, source); }
static Num smaller(Num old, Num source) { return kclaw::minimum(old, source); }

/// The dtype that writes accumulate in: f64 for added floats.
static Type writeDtype(OpContext &c, CombineFn combine) {
  bool sums = combine == add || combine == times;
  return sums && isa<FloatType>(c.dtype()) ? c.f64() : c.dtype();
}

namespace {
/// Folds sources into elements: the fold starts at the old element.
struct Scatter {
  Sizes domain; ///< dims of x, then source dims
  Dims over;    ///< the source dims
  SmallVector<Input> inputs;
  CombineFn combine;
};
} // namespace

/// result[p] = fold of x[p] with source for each source with hit(p, source).
/// `element` gives whether a source hits and its value.
static void scatterInto(
    OpContext &c, Tensor x, const Scatter &s,
    llvm::function_ref<std::pair<Num, Num>(Body, ArrayRef<Num>)> element) {
  Type dtype = writeDtype(c, s.combine);
  c.set(c.reduceInto(c.convertTo(x, dtype), s.inputs, s.domain, s.over,
                     [&](Body at, Num total, ArrayRef<Num> a) {
                       auto [hit, value] = element(at, a);
                       Num source =
                           convert(value, total.type(), isUnsigned(dtype));
                       return select(hit, s.combine(total, source), total);
                     }));
}

/// scatter(x, dim, index, source or value): index has the rank of x.
template <CombineFn combine> static void scatter(OpContext &c) {
  Tensor x = c.tensor(0), index = c.tensor(2);
  int64_t dim = c.dim(1, x.rank()), rank = x.rank() + 1;
  bool scalar = !c.isTensor(3);
  if (x.rank() != index.rank() || x.rank() == 0)
    return c.fail("an index of the input's rank expected");
  // Only the indexed dim of the source is a loop of its own: in the others a
  // source aims at its own position, and lies outside if the index is smaller.
  Scatter s{c.sizes(x), {x.rank()}, {}, combine};
  Sizes reach = c.sizes(index);
  std::optional<Tensor> source;
  if (!scalar)
    source = c.tensor(3);
  if (source && source->rank() != x.rank())
    return c.fail("a source of the input's rank expected");
  auto isWhole = [&](int64_t i) {
    return i == dim ||
           (index.shape()[i] == x.shape()[i] && !index.type().isDynamicDim(i));
  };
  OpFoldResult sources = reach[dim];
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i != dim)
      c.requireAtLeast(c.size(x, i), reach[i], smallerIndex);
    if (source)
      c.requireAtLeast(c.size(*source, i), reach[i], smallerIndex);
    if (!isWhole(i)) // an empty index has no element to read
      sources = c.mul(sources, c.minimum(reach[i], c.fixed(1)));
  }
  c.requireIndices(index, x, dim, false);
  s.domain.push_back(sources);
  // The index operand gives the extra loop its size; it is read by load, since
  // it may be smaller than the loops of x.
  Tensor loop = c.empty({sources}, x.dtype);
  s.inputs.push_back({loop, c.dimsMap(rank, {x.rank()})});
  scatterInto(c, x, s, [&](Body at, ArrayRef<Num>) {
    SmallVector<Num> positions;
    Num inside = eq(at.index(0), at.index(0));
    for (int64_t i = 0; i < x.rank(); ++i) {
      Num p = at.index(i == dim ? x.rank() : i);
      if (!isWhole(i)) {
        inside = both(inside, lt(p, at.size(reach[i])));
        p = kclaw::minimum(p, at.size(reach[i]) - 1.0);
      }
      positions.push_back(p);
    }
    Num aim =
        convert(at.load(index, positions), at.builder.getI64Type(), false);
    Num value =
        source ? at.load(*source, positions) : c.scalarIn(at, 3, c.dtype());
    return std::pair(both(inside, eq(aim, at.index(dim))), value);
  });
}

/// scatter_reduce.two(x, dim, index, source, reduce, include_self)
static void scatterReduce(OpContext &c) {
  StringRef how = c.text(4);
  if (!c.flag(5, true))
    return c.fail("include_self=False is not supported");
  if (how == "sum")
    return scatter<add>(c);
  if (how == "prod")
    return scatter<times>(c);
  if (how == "amax")
    return scatter<larger>(c);
  if (how == "amin")
    return scatter<smaller>(c);
  c.fail("reduction \"" + how + "\" is not supported");
}

/// index_put(x, indices, values, accumulate)
static void indexPut(OpContext &c) {
  Tensor x = c.tensor(0), values = c.tensor(2);
  std::optional<IndexList> list = readIndices(c, x, 1);
  if (!list)
    return;
  // Loops: the dims of x, then the broadcast dims of the indices.
  int64_t rank = x.rank() + list->rank();
  Scatter s{c.sizes(x), dimRange(x.rank(), rank),
            indexInputs(c, *list, rank, x.rank()), c.flag(3) ? add : replace};
  s.domain.append(list->broadcast);
  Sizes extents = c.sizes(x), full = indexedSizes(c, x, *list);
  // Values are broadcast to x[indices].
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> loopOf(full.size());
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (!list->indices[dim])
      loopOf[freeLoop(*list, dim)] = dim;
  for (int64_t i = 0; i < list->rank(); ++i)
    loopOf[list->place + i] = x.rank() + i;
  int64_t offset = full.size() - values.rank();
  for (int64_t i = 0; i < values.rank(); ++i) {
    bool repeated = values.shape()[i] == 1 &&
                    getConstantIntValue(full[offset + i]) != int64_t(1);
    exprs.push_back(repeated ? c.c(0) : c.d(loopOf[offset + i]));
  }
  s.inputs.emplace_back(values, c.map(rank, exprs));
  // A rank-0 index and value leave loops without an operand that sizes them.
  for (int64_t i = 0; i < list->rank(); ++i)
    s.inputs.emplace_back(c.empty({list->broadcast[i]}, x.dtype),
                          c.dimsMap(rank, {x.rank() + i}));
  size_t indexed = llvm::count_if(
      list->indices, [](const auto &index) { return index.has_value(); });
  scatterInto(c, x, s, [&](Body at, ArrayRef<Num> a) {
    Num hit = eq(at.index(0), at.index(0)), value = a[indexed];
    for (int64_t dim = 0; dim < x.rank(); ++dim)
      if (list->indices[dim]) {
        Num aim = wrapIndex(a.front(), at.size(extents[dim]));
        hit = both(hit, eq(aim, at.index(dim)));
        a = a.drop_front();
      }
    return std::pair(hit, value);
  });
}

/// index_add(x, dim, index, source, alpha): index is a vector.
static void indexAdd(OpContext &c) {
  Tensor x = c.tensor(0), index = c.tensor(2), source = c.tensor(3);
  int64_t dim = c.dim(1, x.rank()), rank = x.rank() + 1;
  double alpha = c.number(4, 1);
  Scatter s{c.sizes(x), {x.rank()}, {}, add};
  s.domain.push_back(c.size(index, 0));
  Dims reads = dimRange(0, x.rank());
  reads[dim] = x.rank();
  s.inputs = {{index, c.dimsMap(rank, {x.rank()})},
              {source, c.dimsMap(rank, reads)}};
  c.requireIndices(index, x, dim, false);
  scatterInto(c, x, s, [&](Body at, ArrayRef<Num> a) {
    Num aim = convert(a[0], at.builder.getI64Type(), false);
    return std::pair(eq(aim, at.index(dim)), alpha == 1 ? a[1] : a[1] * alpha);
  });
}

OpRows indexingRows() {
  static constexpr OpRow rows[] = {
      {"aten._unsafe_index", index},
      {"aten._unsafe_index_put", indexPut},
      {"aten._unsafe_index_put.hacked_twin", indexPut},
      {"aten.embedding", embedding},
      {"aten.gather", gather},
      {"aten.index.Tensor", index},
      {"aten.index.Tensor_hacked_twin", index},
      {"aten.index_add", indexAdd},
      {"aten.index_put", indexPut},
      {"aten.index_put.hacked_twin", indexPut},
      {"aten.index_select", indexSelect},
      {"aten.scatter.src", scatter<replace>},
      {"aten.scatter.value", scatter<replace>},
      {"aten.scatter_add", scatter<add>},
      {"aten.scatter_reduce.two", scatterReduce},
  };
  return rows;
}

} // namespace kclaw
