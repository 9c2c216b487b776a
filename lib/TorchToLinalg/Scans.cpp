//===- Scans.cpp - Prefix sums and products -------------------------------===//
//
// In blocks of 128: a triangle of sums inside each block, a triangle over the
// block totals, and their sum. Three linalg ops, no loop on the host, and about
// 128 operations an element.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kclaw {

namespace {
struct Monoid {
  double neutral;
  Num (*combine)(Num, Num);
};
} // namespace

/// [outer, n, inner] to the prefixes along n; `exclusive` leaves out the
/// element itself.
static Tensor triangle(OpContext &c, Tensor x, int64_t dim, const Monoid &m,
                       bool exclusive) {
  int64_t rank = x.rank() + 1, other = x.rank();
  Sizes domain = c.sizes(x);
  domain.push_back(domain[dim]);
  Dims reads = dimRange(0, x.rank());
  reads[dim] = other;
  return c.reduce({Input(x, c.dimsMap(rank, reads))}, domain, {other}, x.dtype,
                  c.number(x.dtype, m.neutral),
                  [&](Body at, Num total, ArrayRef<Num> a) {
                    Num i = at.index(dim), j = at.index(other);
                    Num taken = exclusive ? lt(j, i) : le(j, i);
                    return select(taken, m.combine(total, a[0]), total);
                  });
}

static void scan(OpContext &c, const Monoid &m) {
  constexpr int64_t block = 128;
  Tensor source = c.tensor(0);
  if (source.rank() == 0)
    return c.set(source);
  int64_t dim = c.dim(1, source.rank()), extent = source.shape()[dim];
  // Accumulate in f64 or si64 from the start; the dtype operand is the
  // result's.
  Tensor x = c.convertTo(c.convertTo(source, c.computeDtype(c.dtype())),
                         c.sumDtype(c.dtype()));
  if (!ShapedType::isDynamic(extent) && extent <= block)
    return c.set(triangle(c, x, dim, m, false));
  if (ShapedType::isDynamic(extent))
    return c.fail("the scanned dim must be static");
  int64_t blocks = llvm::divideCeilSigned(extent, block);
  Dims none(x.rank(), 0), fill(x.rank(), 0);
  fill[dim] = blocks * block - extent;
  x = c.splitDim(c.pad(x, none, fill, c.number(x.dtype, m.neutral)), dim,
                 blocks);
  Tensor inside = triangle(c, x, dim + 1, m, false);
  Tensor totals = c.squeeze(
      c.slice(inside, dim + 1, c.fixed(block - 1), c.fixed(1)), {dim + 1});
  Tensor before = triangle(c, totals, dim, m, true);
  Dims kept = dimRange(0, x.rank());
  kept.erase(kept.begin() + dim + 1);
  Tensor joined =
      c.elementwise({Input(inside), Input(before, c.dimsMap(x.rank(), kept))},
                    c.sizes(x), x.dtype, {}, [&](Body, ArrayRef<Num> a) {
                      return m.combine(a[1], a[0]);
                    });
  c.set(c.slice(c.mergeDims(joined, dim, 2), dim, c.fixed(0), c.fixed(extent)));
}

static Num plus(Num a, Num b) { return a + b; }
static Num times(Num a, Num b) { return a * b; }

static void cumsum(OpContext &c) { scan(c, {0, plus}); }
static void cumprod(OpContext &c) { scan(c, {1, times}); }

OpRows scanRows() {
  static constexpr OpRow rows[] = {
      {"aten.cumprod", cumprod},
      {"aten.cumsum", cumsum},
  };
  return rows;
}

} // namespace kclaw
