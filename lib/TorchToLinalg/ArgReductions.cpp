//===- ArgReductions.cpp - argmax, max.dim, topk, sort --------------------===//
//
// The position of an extreme is a second reduction over the rows that equal
// it: the smallest such position, so that the first of equal values wins and
// the first NaN wins over all. Ranks (topk, sort) count the elements that go
// before each one.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Statistics.h"

using namespace mlir;

namespace kclaw {

namespace {
struct Extreme {
  Tensor values, positions;
};
} // namespace

/// Along `dim`, which goes.
static Extreme extremeAlong(OpContext &c, Tensor x, int64_t dim, bool isMax) {
  c.requireElements(x, {dim});
  Tensor best = isMax ? c.max(x, {dim}) : c.min(x, {dim});
  Input bests(best, statisticMap(c, x.rank(), {dim}));
  Type si64 = c.si64();
  Tensor where = c.reduce(
      {x, bests}, c.sizes(x), {dim}, si64, c.highest(si64),
      [&](Body at, Num first, ArrayRef<Num> a) {
        Num hit = eq(a[0], a[1]);
        if (a[0].isFloat())
          hit = either(hit, isNan(a[0]));
        return select(hit, kclaw::minimum(first, at.index(dim)), first);
      });
  return {best, where};
}

/// argmax(x, dim, keep); without a dim over the flattened input.
template <bool isMax> static void arg(OpContext &c) {
  Tensor x = c.tensor(0);
  if (!c.has(1)) {
    OpFoldResult count = elementCount(c, x, dimRange(0, x.rank()));
    Tensor flat = c.reshape(x, {count});
    Tensor where = extremeAlong(c, flat, 0, isMax).positions;
    return c.set(c.flag(2) ? c.unsqueeze(where, dimRange(0, x.rank())) : where);
  }
  if (x.rank() == 0)
    return c.set(c.fill({}, c.si64(), 0.0));
  int64_t dim = c.dim(1, x.rank());
  Tensor where = extremeAlong(c, x, dim, isMax).positions;
  c.set(c.flag(2) ? c.unsqueeze(where, {dim}) : where);
}

/// max.dim(x, dim, keep): values and positions
template <bool isMax> static void extremeDim(OpContext &c) {
  Tensor x = c.tensor(0);
  if (x.rank() == 0) {
    c.set(0, x);
    return c.set(1, c.fill({}, c.si64(), 0.0));
  }
  int64_t dim = c.dim(1, x.rank());
  Extreme e = extremeAlong(c, x, dim, isMax);
  bool keep = c.flag(2);
  c.set(0, keep ? c.unsqueeze(e.values, {dim}) : e.values);
  c.set(1, keep ? c.unsqueeze(e.positions, {dim}) : e.positions);
}

/// Whether `a` at position i goes before `b` at j: larger first (smaller when
/// ascending), NaN as the largest, equal ones in order.
static Num goesBefore(Num a, Num i, Num b, Num j, bool descending) {
  Num before = descending ? gt(a, b) : lt(a, b);
  Num same = eq(a, b);
  if (a.isFloat()) {
    Num aNan = isNan(a), bNan = isNan(b);
    Num decisive =
        descending ? both(aNan, invert(bNan)) : both(invert(aNan), bNan);
    before = either(before, decisive);
    same = either(same, both(aNan, bNan));
  }
  return either(before, both(same, lt(i, j)));
}

/// The first `count` of each row in order, with their positions.
static void order(OpContext &c, int64_t dim, OpFoldResult count,
                  bool descending) {
  Tensor x = c.tensor(0);
  int64_t rank = x.rank() + 1, other = x.rank();
  Type si64 = c.si64();
  c.requireAtLeast(c.size(x, dim), count,
                   "a dim of size {0} has no {1} elements");
  // rank of element i: how many elements j go before it
  Sizes domain = c.sizes(x);
  domain.push_back(domain[dim]);
  Dims compared = dimRange(0, x.rank());
  compared[dim] = other;
  Tensor ranks = c.reduce({Input(x, c.dimsMap(rank, dimRange(0, x.rank()))),
                           Input(x, c.dimsMap(rank, compared))},
                          domain, {other}, si64, c.number(si64, 0),
                          [&](Body at, Num total, ArrayRef<Num> a) {
                            Num before = goesBefore(a[1], at.index(other), a[0],
                                                    at.index(dim), descending);
                            return total + convert(before, total.type(), false);
                          });
  // position p of the result: the element whose rank is p
  domain[dim] = count;
  domain[other] = c.size(x, dim);
  Sizes result(domain.begin(), domain.end() - 1);
  Tensor target = c.empty({count}, si64);
  Tensor positions =
      c.reduce({Input(ranks, c.dimsMap(rank, compared)),
                Input(target, c.dimsMap(rank, {dim}))},
               domain, {other}, si64, c.number(si64, 0),
               [&](Body at, Num found, ArrayRef<Num> a) {
                 return select(eq(a[0], at.index(dim)), at.index(other), found);
               });
  c.set(1, positions);
  c.set(0, c.elementwise({positions}, result, c.dtype(0), {},
                         [&](Body at, ArrayRef<Num> a) {
                           SmallVector<Num> at_;
                           for (int64_t i = 0; i < x.rank(); ++i)
                             at_.push_back(i == dim ? a[0] : at.index(i));
                           return at.load(x, at_);
                         }));
}

/// topk(x, k, dim, largest, sorted)
static void topk(OpContext &c) {
  int64_t rank = c.tensor(0).rank();
  if (rank == 0)
    return c.fail("an input with at least one dim expected");
  order(c, c.dim(2, rank, -1), c.sizeAt(1), c.flag(3, true));
}

/// sort(x, dim, descending)
static void sort(OpContext &c) {
  Tensor x = c.tensor(0);
  if (x.rank() == 0)
    return c.fail("an input with at least one dim expected");
  int64_t dim = c.dim(1, x.rank(), -1);
  order(c, dim, c.size(x, dim), c.flag(2));
}

/// sort.stable(x, stable, dim, descending): ours always is.
static void sortStable(OpContext &c) {
  Tensor x = c.tensor(0);
  if (x.rank() == 0)
    return c.fail("an input with at least one dim expected");
  int64_t dim = c.dim(2, x.rank(), -1);
  order(c, dim, c.size(x, dim), c.flag(3));
}

OpRows argRows() {
  static constexpr OpRow rows[] = {
      {"aten.argmax", arg<true>},
      {"aten.argmin", arg<false>},
      {"aten.max.dim", extremeDim<true>},
      {"aten.min.dim", extremeDim<false>},
      {"aten.sort", sort},
      {"aten.topk", topk},
      {"aten.sort.stable", sortStable},
  };
  return rows;
}

} // namespace kclaw
