//===- Contractions.cpp - Matrix products ---------------------------------===//
//
// mm, bmm, matmul, linear and friends as one linalg.generic with two parallel
// groups and one reduction. 16-bit floats accumulate in f32; a bias is added
// before the one rounding.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

using namespace mlir;

namespace kclaw {

/// [.., M, K] x [.., K, N] with broadcast leading dims, both of rank >= 2;
/// unrounded.
static Tensor batchedProduct(OpContext &c, Tensor lhs, Tensor rhs, Type dtype) {
  int64_t leadL = lhs.rank() - 2, leadR = rhs.rank() - 2;
  int64_t lead = std::max(leadL, leadR);
  Sizes domain(lead, c.fixed(1));
  for (auto [tensor, own] : {std::pair{lhs, leadL}, {rhs, leadR}})
    for (int64_t i = 0; i < own; ++i)
      if (tensor.shape()[i] != 1)
        domain[lead - own + i] = c.size(tensor, i);
  domain.append(
      {c.size(lhs, leadL), c.size(rhs, leadR + 1), c.size(lhs, leadL + 1)});
  auto mapOf = [&](Tensor tensor, int64_t own, int64_t row, int64_t column) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < own; ++i)
      exprs.push_back(tensor.shape()[i] == 1 &&
                              domain[lead - own + i] != c.fixed(1)
                          ? c.c(0)
                          : c.d(lead - own + i));
    exprs.append({c.d(row), c.d(column)});
    return c.map(lead + 3, exprs);
  };
  return c.contract({lhs, mapOf(lhs, leadL, lead, lead + 2)},
                    {rhs, mapOf(rhs, leadR, lead + 2, lead + 1)}, domain,
                    {lead + 2}, dtype);
}

/// Any ranks, as torch.matmul; unrounded.
static Tensor product(OpContext &c, Tensor lhs, Tensor rhs) {
  bool vectorL = lhs.rank() == 1, vectorR = rhs.rank() == 1;
  if (lhs.rank() == 0 || rhs.rank() == 0) {
    c.fail("operands need at least one dim");
    return lhs;
  }
  if (vectorL)
    lhs = c.unsqueeze(lhs, {0});
  if (vectorR)
    rhs = c.unsqueeze(rhs, {1});
  Tensor y = batchedProduct(c, lhs, rhs, c.dtype());
  if (vectorR)
    y = c.squeeze(y, {y.rank() - 1});
  if (vectorL)
    y = c.squeeze(y, {y.rank() - (vectorR ? 1 : 2)});
  return y;
}

static void matmul(OpContext &c) {
  c.set(product(c, c.tensor(0), c.tensor(1)));
}

/// linear(x, weight [N, K], bias)
static void linear(OpContext &c) {
  Tensor x = c.tensor(0), weight = c.tensor(1);
  int64_t lead = x.rank() - 1;
  if (weight.rank() != 2 || lead < 0)
    return c.fail("a weight of rank 2 expected");
  Sizes domain = c.sizes(x);
  domain.insert(domain.end() - 1, c.size(weight, 0));
  Dims left = dimRange(0, lead);
  left.push_back(lead + 1);
  Tensor y = c.contract({x, c.dimsMap(lead + 2, left)},
                        {weight, c.dimsMap(lead + 2, {lead, lead + 1})}, domain,
                        {lead + 1}, c.dtype());
  if (auto bias = c.optional(2))
    y = c.elementwise({y, *bias}, c.sizes(y), c.dtype(), y.dtype,
                      [](Body, ArrayRef<Num> a) { return a[0] + a[1]; });
  c.set(y);
}

/// beta * x + alpha * (a @ b): addmm, addmv, addbmm-free baddbmm
static void addProduct(OpContext &c) {
  Tensor y = product(c, c.tensor(1), c.tensor(2)), x = c.tensor(0);
  double beta = c.number(3, 1), alpha = c.number(4, 1);
  c.set(c.elementwise({x, y}, c.sizes(y), c.dtype(), y.dtype,
                      [&](Body, ArrayRef<Num> a) {
                        Num scaled = alpha == 1 ? a[1] : alpha * a[1];
                        if (beta == 0)
                          return scaled;
                        return (beta == 1 ? a[0] : beta * a[0]) + scaled;
                      }));
}

static void outer(OpContext &c) {
  Tensor a = c.tensor(0), b = c.tensor(1);
  c.set(
      c.elementwise({Input(a, c.dimsMap(2, {0})), Input(b, c.dimsMap(2, {1}))},
                    {c.size(a, 0), c.size(b, 0)}, c.dtype(), c.dtype(),
                    [](Body, ArrayRef<Num> x) { return x[0] * x[1]; }));
}

OpRows contractionRows() {
  static constexpr OpRow rows[] = {
      {"aten.addmm", addProduct},   {"aten.addmv", addProduct},
      {"aten.baddbmm", addProduct}, {"aten.bmm", matmul},
      {"aten.dot", matmul},         {"aten.linear", linear},
      {"aten.matmul", matmul},      {"aten.mm", matmul},
      {"aten.mv", matmul},          {"aten.outer", outer},
      {"aten.vdot", matmul},
  };
  return rows;
}

} // namespace kclaw
