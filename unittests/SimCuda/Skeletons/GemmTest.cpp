//===- GemmTest.cpp - Contractions by every skeleton of the expert --------===//
//
// Small and odd regions on the simulator with all checks, against sums in f64
// of the rounded operands. Tiles and splits are taken from all over the
// ranking.
//
//===----------------------------------------------------------------------===//
#include "PlanRun.h"

#include <functional>

namespace kclaw::test {
namespace {

/// What the arguments hold: samples, rounded to their types.
class Values {
public:
  explicit Values(const KernelSpec &spec) : spec(spec) {}
  double operator()(size_t argument, int64_t i) const {
    std::byte bytes[4];
    DType type = spec.arguments[argument].dtype;
    write(bytes, sample(size_t(i), argument), type);
    return read(bytes, type);
  }

private:
  const KernelSpec &spec;
};

/// Element i of result 0, in f64.
using Expected0 = std::function<double(const Values &, int64_t i)>;

/// Of all candidates of a skeleton `count` from all over the ranking.
std::vector<Plan> sampledPlans(const KernelSpec &spec, size_t count) {
  Expected<expert::Region> region = expert::analyse(spec, memoryBank());
  if (!region) {
    ADD_FAILURE() << region.error().message;
    return {};
  }
  auto candidates = expert::rankCandidates(*region, memoryBank());
  std::map<std::string, std::vector<const expert::Candidate *>> bySkeleton;
  for (const expert::Candidate &candidate : *candidates)
    bySkeleton[candidate.skeleton->name].push_back(&candidate);
  std::vector<Plan> plans;
  for (const auto &[name, all] : bySkeleton)
    for (size_t i = 0; i < std::min(count, all.size()); ++i)
      plans.push_back(*expert::instantiate(
          *region, *all[i * all.size() / std::min(count, all.size())],
          memoryBank()));
  EXPECT_FALSE(plans.empty());
  return plans;
}

/// Norm of the error over that of the result, at most.
double budget(const Plan &plan, const KernelSpec &spec) {
  if (spec.results[0].dtype == DType::bf16)
    return 4e-3;
  if (spec.results[0].dtype == DType::f16)
    return 5e-4;
  return plan.title.starts_with("gemm_tf32:") ? 2e-3 : 5e-7;
}

void expectRight(const KernelSpec &spec, const Expected0 &expected,
                 size_t count = 1) {
  Values values(spec);
  for (const Plan &plan : sampledPlans(spec, count)) {
    try {
      std::vector<double> result = PlanRun(plan, spec).run();
      double error = 0, norm = 0;
      for (size_t i = 0; i < result.size(); ++i) {
        double want = expected(values, int64_t(i));
        error += (result[i] - want) * (result[i] - want);
        norm += want * want;
      }
      EXPECT_LE(std::sqrt(error / norm), budget(plan, spec)) << plan.title;
      EXPECT_GT(norm, 0);
    } catch (const std::exception &fault) {
      ADD_FAILURE() << plan.title << ": " << fault.what();
    }
  }
}

double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

/// gelu(x w^T + bias); rounding between the two ops is within the budget.
void expectLinearGelu(DType type, int64_t m, int64_t n, int64_t k,
                      size_t count = 1, Policy policy = Policy::Torch) {
  SCOPED_TRACE(testing::Message()
               << info(type).name << " " << m << " x " << n << " x " << k);
  SpecBuilder s;
  auto x = s.arg(type, {m, k}), w = s.arg(type, {n, k}), b = s.arg(type, {n});
  auto y = s.op("aten.linear", {x, w, b}, type, {m, n});
  s.result(s.op("aten.gelu", {y, "none"}, type, {m, n}));
  s.spec.policy = policy;
  expectRight(
      s.spec,
      [=](const Values &at, int64_t i) {
        double sum = at(2, i % n);
        for (int64_t d = 0; d < k; ++d)
          sum += at(0, i / n * k + d) * at(1, i % n * k + d);
        return gelu(sum);
      },
      count);
}

TEST(Gemm, LinearGeluOfAllTypes) {
  for (DType type : {DType::f32, DType::f16, DType::bf16}) {
    expectLinearGelu(type, 72, 96, 64);
    expectLinearGelu(type, 37, 41, 53);
    expectLinearGelu(type, 5, 130, 20);
  }
}

TEST(Gemm, Tf32WhereThePolicyAllowsIt) {
  expectLinearGelu(DType::f32, 72, 96, 64, 2, Policy::Tf32);
  expectLinearGelu(DType::f32, 37, 41, 53, 1, Policy::Tf32);
}

TEST(Gemm, TilesAndSplitsFromAllOverTheRanking) {
  expectLinearGelu(DType::f16, 150, 140, 522, 8);
  expectLinearGelu(DType::f32, 150, 140, 262, 6);
}

// Both operands against their direction, and neither a multiple of a packet.
TEST(Gemm, MatmulsOfTransposedOperands) {
  for (DType type : {DType::f32, DType::f16})
    for (int64_t m : {64, 35}) {
      int64_t n = m + 8, k = m + 3;
      SpecBuilder s;
      auto a = s.arg(type, {k, m}), b = s.arg(type, {k, n});
      auto t = s.op("aten.t", {a}, type, {m, k});
      s.result(s.op("aten.mm", {t, b}, type, {m, n}));
      expectRight(s.spec, [=](const Values &at, int64_t i) {
        double sum = 0;
        for (int64_t d = 0; d < k; ++d)
          sum += at(0, d * m + i / n) * at(1, d * n + i % n);
        return sum;
      });
    }
}

TEST(Gemm, Batches) {
  for (DType type : {DType::f32, DType::bf16})
    for (int64_t n : {40, 33}) {
      const int64_t batch = 3, m = 50, k = 36;
      SpecBuilder s;
      auto a = s.arg(type, {batch, m, k}), b = s.arg(type, {batch, k, n});
      auto y = s.op("aten.bmm", {a, b}, type, {batch, m, n});
      s.result(s.op("aten.mul.Scalar", {y, 0.25}, type, {batch, m, n}));
      expectRight(s.spec, [=](const Values &at, int64_t i) {
        int64_t row = i / n;
        double sum = 0;
        for (int64_t d = 0; d < k; ++d)
          sum += at(0, row * k + d) * at(1, (row / m * k + d) * n + i % n);
        return 0.25 * sum;
      });
    }
}

// Attention's heads: batch and row of one operand interleave.
TEST(Gemm, BatchesBehindPermutations) {
  const int64_t batch = 2, rows = 40, heads = 3, depth = 32;
  SpecBuilder s;
  Shape flat = {batch, rows, heads, depth}, split = {batch, heads, rows, depth},
        back = {batch, heads, depth, rows}, out = {batch, heads, rows, rows};
  auto q = s.arg(DType::f16, flat), p = s.arg(DType::f16, flat);
  auto a = s.op("aten.transpose.int", {q, 1, 2}, DType::f16, split);
  auto c = s.op("aten.permute", {p, IntList{0, 2, 3, 1}}, DType::f16, back);
  s.result(s.op("aten.matmul", {a, c}, DType::f16, out));
  expectRight(s.spec, [=](const Values &at, int64_t i) {
    int64_t column = i % rows, row = i / rows % rows,
            head = i / rows / rows % heads, item = i / rows / rows / heads;
    double sum = 0;
    for (int64_t d = 0; d < depth; ++d)
      sum += at(0, ((item * rows + row) * heads + head) * depth + d) *
             at(1, ((item * rows + column) * heads + head) * depth + d);
    return sum;
  });
}

// A square weight: the residual's columns are the result's, not the sum's.
TEST(Gemm, ResidualAndColumnOfScales) {
  const int64_t m = 45, n = 64;
  SpecBuilder s;
  auto x = s.arg(DType::f32, {m, n}), w = s.arg(DType::f32, {n, n});
  auto scale = s.arg(DType::f32, {m, 1});
  auto y = s.op("aten.linear", {x, w, none}, DType::f32, {m, n});
  auto z = s.op("aten.mul.Tensor", {y, scale}, DType::f32, {m, n});
  s.result(s.op("aten.add.Tensor", {z, x, 1}, DType::f32, {m, n}));
  expectRight(s.spec, [=](const Values &at, int64_t i) {
    double sum = 0;
    for (int64_t d = 0; d < n; ++d)
      sum += at(0, i / n * n + d) * at(1, i % n * n + d);
    return sum * at(2, i / n) + at(0, i);
  });
}

TEST(Gemm, AddmmWithFactors) {
  const int64_t m = 40, n = 48, k = 24;
  SpecBuilder s;
  auto c = s.arg(DType::f32, {n}), a = s.arg(DType::f32, {m, k}),
       b = s.arg(DType::f32, {k, n});
  s.result(s.op("aten.addmm", {c, a, b, 2, 0.5}, DType::f32, {m, n}));
  expectRight(s.spec, [=](const Values &at, int64_t i) {
    double sum = 0;
    for (int64_t d = 0; d < k; ++d)
      sum += at(1, i / n * k + d) * at(2, d * n + i % n);
    return 0.5 * sum + 2 * at(0, i % n);
  });
}

} // namespace
} // namespace kclaw::test
