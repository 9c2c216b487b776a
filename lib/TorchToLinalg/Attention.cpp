//===- Attention.cpp - Scaled dot product attention -----------------------===//
//
// scores = scale * q k^T + mask, a softmax over each row in which a row that is
// masked entirely gives zeros, then probabilities times v. Scores and
// probabilities stay in the compute type.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Statistics.h"

#include <cmath>

using namespace mlir;

namespace kclaw {

/// [lead..., rows, k] x [lead..., columns, k] (`transposed`) or [lead..., k,
/// columns], with equal leading dims.
static Tensor rowProduct(OpContext &c, Tensor a, Tensor b, bool transposed) {
  int64_t lead = a.rank() - 2, rank = lead + 3;
  Sizes domain = c.sizes(a);
  domain.insert(domain.end() - 1, c.size(b, transposed ? lead : lead + 1));
  Dims left = dimRange(0, lead), right = left;
  left.append({lead, lead + 2});
  if (transposed)
    right.append({lead + 1, lead + 2});
  else
    right.append({lead + 2, lead + 1});
  return c.contract({a, c.dimsMap(rank, left)}, {b, c.dimsMap(rank, right)},
                    domain, {lead + 2}, c.dtype());
}

/// Keys and values of grouped queries are repeated for each query head.
static Tensor repeatHeads(OpContext &c, Tensor x, int64_t heads) {
  int64_t dim = x.rank() - 3, own = x.shape()[dim];
  if (own == heads || ShapedType::isDynamic(own) || own == 0)
    return x;
  Sizes sizes = c.sizes(x);
  Tensor wide = c.unsqueeze(x, {dim + 1});
  sizes.insert(sizes.begin() + dim + 1, c.fixed(heads / own));
  return c.mergeDims(c.expand(wide, sizes), dim, 2);
}

/// Leading dims of q, k and v are broadcast together.
static void broadcastLead(OpContext &c, SmallVector<Tensor> &tensors) {
  int64_t rank = 0;
  for (Tensor t : tensors)
    rank = std::max(rank, t.rank());
  for (Tensor &t : tensors) {
    Sizes sizes = c.sizes(t);
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      for (Tensor other : tensors) {
        int64_t missing = rank - other.rank();
        if (dim >= missing && other.shape()[dim - missing] != 1 &&
            dim >= rank - t.rank() && t.shape()[dim - (rank - t.rank())] == 1)
          sizes[dim - (rank - t.rank())] = c.size(other, dim - missing);
      }
    t = c.expand(t, sizes);
  }
}

/// (q, k, v, mask, dropout, causal, scale, grouped)
static void attention(OpContext &c) {
  SmallVector<Tensor> qkv = {c.tensor(0), c.tensor(1), c.tensor(2)};
  if (c.number(4, 0) != 0)
    return c.fail("dropout draws random numbers");
  bool causal = c.flag(5);
  if (c.flag(7) && qkv[0].rank() > 2)
    for (unsigned i : {1u, 2u})
      qkv[i] = repeatHeads(c, qkv[i], qkv[0].shape()[qkv[0].rank() - 3]);
  broadcastLead(c, qkv);
  int64_t rank = qkv[0].rank(), width = qkv[0].shape().back();
  if (qkv[1].rank() != rank || qkv[2].rank() != rank)
    return c.fail("query, key and value of one rank expected");
  if (ShapedType::isDynamic(width) && !c.has(6))
    return c.fail("a static head size expected");
  double scale = c.number(6, 1 / std::sqrt(static_cast<double>(width)));

  Tensor products = rowProduct(c, qkv[0], qkv[1], true);
  Type inner = products.dtype;
  SmallVector<Input> inputs = {products};
  std::optional<Tensor> mask = c.optional(3);
  bool boolean = mask && mask->dtype.isInteger(1);
  if (mask)
    inputs.push_back(*mask);
  Tensor scores = c.elementwise(
      inputs, c.sizes(products), inner, {}, [&](Body at, ArrayRef<Num> a) {
        Num score = a[0] * scale;
        if (boolean)
          score = select(a[1], score, score.constant(-INFINITY));
        else if (mask)
          score = score + convert(a[1], score.type(), false);
        if (causal) // aligned at the top left
          score = select(ge(at.index(rank - 2), at.index(rank - 1)), score,
                         score.constant(-INFINITY));
        return score;
      });
  SoftmaxRow row = softmaxRow(c, scores, {rank - 1}, false);
  Tensor weights = c.elementwise(
      {Input(scores), Input(row.max, row.map), Input(row.sum, row.map)},
      c.sizes(scores), inner, inner, [](Body, ArrayRef<Num> a) {
        return select(eq(a[1], -INFINITY), 0.0, exp(a[0] - a[1]) / a[2]);
      });
  c.set(rowProduct(c, weights, qkv[2], false));
}

OpRows attentionRows() {
  static constexpr OpRow rows[] = {
      {"aten.scaled_dot_product_attention", attention},
  };
  return rows;
}

} // namespace kclaw
