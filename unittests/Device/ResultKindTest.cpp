//===- ResultKindTest.cpp - Which rule a result gets from its graph -------===//
#include "Rules/ResultKind.h"
#include "Rules/OpTraits.h"
#include "Rules/Undefined.h"

#include <gtest/gtest.h>

using namespace kclaw;

static GraphOperand value(int index) { return {{index}, {}}; }
static GraphOperand literal(Literal number) { return {{}, std::move(number)}; }

namespace {
/// Values are numbered as they are added; the last is the result.
struct Region {
  KernelSpec spec;

  Region(DType type, std::vector<int64_t> shape) {
    TensorSpec argument;
    argument.dtype = type;
    spec.arguments = {argument};
    spec.graph.values = {{type, std::move(shape)}};
    spec.graph.arguments = {0};
  }
  Region &op(const char *name, std::vector<GraphOperand> operands,
             std::vector<GraphValue> results) {
    GraphOp op{name, std::move(operands), {}};
    for (GraphValue &result : results) {
      op.results.push_back(int(spec.graph.values.size()));
      spec.graph.values.push_back(std::move(result));
    }
    spec.graph.ops.push_back(std::move(op));
    return *this;
  }
  ResultClass classify() {
    int last = int(spec.graph.values.size()) - 1;
    TensorSpec result;
    result.dtype = spec.graph.values[last].dtype;
    spec.results = {result};
    spec.graph.results = {last};
    return classifyResult(spec, 0);
  }
};
} // namespace

// A job file may say so; a graph of ours does not.
TEST(ResultKind, ArgmaxOfNothingIsNoSelection) {
  ResultClass what = Region(DType::f32, {8, 16})
                         .op("aten.argmax", {}, {{DType::i64, {8}}})
                         .classify();
  EXPECT_NE(what.kind, ResultKind::Index);
  EXPECT_EQ(what.selection.argument, -1);
}

TEST(ResultKind, ArgmaxOfAnArgumentSelectsFromIt) {
  ResultClass what =
      Region(DType::f32, {8, 16, 4})
          .op("aten.argmax", {value(0), literal(int64_t(-2)), literal(false)},
              {{DType::i64, {8, 4}}})
          .classify();
  EXPECT_EQ(what.kind, ResultKind::Index);
  EXPECT_FALSE(what.jumps);
  EXPECT_EQ(what.selection.argument, 0);
  EXPECT_EQ(what.selection.firstDim, 1);
  EXPECT_EQ(what.selection.lastDim, 2);
  EXPECT_FALSE(what.selection.distinct);
}

TEST(ResultKind, WithoutADimensionIndicesRunOverAll) {
  ResultClass what =
      Region(DType::f32, {8, 16})
          .op("aten.argmin", {value(0), literal({}), literal(false)},
              {{DType::i64, {}}})
          .classify();
  EXPECT_EQ(what.selection.firstDim, 0);
  EXPECT_EQ(what.selection.lastDim, 2);
}

TEST(ResultKind, TopkPicksDifferentOnes) {
  ResultClass what =
      Region(DType::f32, {8, 16})
          .op("aten.topk",
              {value(0), literal(int64_t(3)), literal(int64_t(1)),
               literal(true), literal(true)},
              {{DType::f32, {8, 3}}, {DType::i64, {8, 3}}})
          .classify();
  EXPECT_EQ(what.kind, ResultKind::Index);
  EXPECT_TRUE(what.selection.distinct);
  EXPECT_EQ(what.selection.firstDim, 1);
}

TEST(ResultKind, AStableSortHasOneAnswer) {
  ResultClass what =
      Region(DType::f32, {16})
          .op("aten.sort.stable",
              {value(0), literal(true), literal(int64_t(0)), literal(false)},
              {{DType::f32, {16}}, {DType::i64, {16}}})
          .classify();
  EXPECT_EQ(what.kind, ResultKind::Exact);
}

TEST(ResultKind, ThroughAViewTheShapeIsTheViews) {
  ResultClass what =
      Region(DType::f32, {8, 16})
          .op("aten.view", {value(0), literal(std::vector<int64_t>{128})},
              {{DType::f32, {128}}})
          .op("aten.argmax", {value(1), literal(int64_t(0)), literal(false)},
              {{DType::i64, {}}})
          .classify();
  EXPECT_EQ(what.kind, ResultKind::Index);
  EXPECT_EQ(what.selection.shape, std::vector<int64_t>{128});
}

TEST(ResultKind, IndicesOfAComputedValueAreBehindAThreshold) {
  ResultClass what =
      Region(DType::f32, {8, 16})
          .op("aten.tanh", {value(0)}, {{DType::f32, {8, 16}}})
          .op("aten.argmax", {value(1), literal(int64_t(1)), literal(false)},
              {{DType::i64, {8}}})
          .classify();
  EXPECT_EQ(what.kind, ResultKind::Threshold);
  EXPECT_TRUE(what.jumps);
}

TEST(ResultKind, AComparisonOfArgumentsIsExact) {
  auto kind = [](double bound, DType type) {
    return Region(type, {8})
        .op("aten.gt.Scalar", {value(0), literal(bound)},
            {{DType::boolean, {8}}})
        .classify()
        .kind;
  };
  EXPECT_EQ(kind(0.5, DType::f32), ResultKind::Exact);
  // 0.1 is another number in bf16: the comparison itself rounds.
  EXPECT_EQ(kind(0.1, DType::bf16), ResultKind::Threshold);
  EXPECT_EQ(kind(0.1, DType::f64), ResultKind::Exact);
}

TEST(ResultKind, AComparisonOfASumIsNot) {
  ResultClass what = Region(DType::f32, {8})
                         .op("aten.sum", {value(0)}, {{DType::f32, {}}})
                         .op("aten.gt.Scalar", {value(1), literal(0.0)},
                             {{DType::boolean, {}}})
                         .classify();
  EXPECT_EQ(what.kind, ResultKind::Threshold);
}

TEST(ResultKind, ArithmeticOfIntegersIsExact) {
  ResultClass what = Region(DType::i32, {8})
                         .op("aten.mul.Scalar", {value(0), literal(int64_t(7))},
                             {{DType::i32, {8}}})
                         .classify();
  EXPECT_EQ(what.kind, ResultKind::Exact);
}

TEST(ResultKind, AFloatJumpsBehindAStep) {
  auto jumps = [](const char *name) {
    return Region(DType::f32, {8})
        .op(name, {value(0)}, {{DType::f32, {8}}})
        .op("aten.exp", {value(1)}, {{DType::f32, {8}}})
        .classify()
        .jumps;
  };
  EXPECT_TRUE(jumps("aten.floor"));
  EXPECT_TRUE(jumps("aten.to.dtype")); // a narrower type has steps too
  EXPECT_FALSE(jumps("aten.relu"));
  EXPECT_FALSE(jumps("aten.tanh"));
}

TEST(ResultKind, WithoutAGraphIntegersAreBehindAThresholdOfFloats) {
  KernelSpec spec;
  spec.arguments.resize(1);
  spec.results.resize(2);
  spec.results[1].dtype = DType::boolean;
  EXPECT_EQ(classifyResult(spec, 0).kind, ResultKind::Float);
  EXPECT_EQ(classifyResult(spec, 1).kind, ResultKind::Threshold);
  spec.arguments[0].dtype = DType::i64;
  EXPECT_EQ(classifyResult(spec, 1).kind, ResultKind::Exact);
}

TEST(OpTraits, AnOverloadCountsAsItsOp) {
  EXPECT_TRUE(isExactOp("aten.gt.Scalar"));
  EXPECT_TRUE(isExactOp("aten.view"));
  EXPECT_FALSE(isExactOp("aten.add.Tensor"));
  EXPECT_EQ(indexOp("aten.max", 1), nullptr);
  EXPECT_NE(indexOp("aten.max.dim", 1), nullptr);
  EXPECT_EQ(indexOp("aten.max.dim", 0), nullptr);
}

TEST(ResultKind, ABoundedOpBehindProductsIsMeasuredByWhatItIsMadeOf) {
  GraphValue square{DType::f32, {8, 8}};
  auto behind = [&](const char *first, const char *second) {
    return Region(DType::f32, {8, 8})
        .op(first, {value(0), value(0)}, {square})
        .op("aten.mul.Scalar", {value(1), literal(0.5)}, {square})
        .op(second, {value(2)}, {square})
        .classify()
        .conditioned;
  };
  EXPECT_TRUE(behind("aten.matmul", "aten.clamp"));
  EXPECT_TRUE(behind("aten.linear", "aten.sigmoid"));
  EXPECT_TRUE(behind("aten.matmul", "aten.softmax.int"));
  EXPECT_FALSE(behind("aten.matmul", "aten.gelu"));
  EXPECT_FALSE(behind("aten.add.Tensor", "aten.tanh"));
  EXPECT_FALSE(behind("aten.tanh", "aten.matmul"));
}

TEST(ResultKind, RecurrencesAndAttentionBoundProductsThemselves) {
  for (const char *op : {"aten.rnn_tanh", "aten.scaled_dot_product_attention"})
    EXPECT_TRUE(Region(DType::f32, {4, 8})
                    .op(op, {value(0)}, {{DType::f32, {4, 8}}})
                    .classify()
                    .conditioned)
        << op;
}

TEST(ResultKind, AScanIsFoundWithItsDimension) {
  auto dimOf = [](int64_t dim, std::vector<int64_t> shape) {
    Region region(DType::f32, {4, 5, 6});
    region.op("aten.cumsum", {value(0), literal(dim), literal({})},
              {{DType::f32, std::move(shape)}});
    region.classify();
    region.spec.results[0].dims.resize(3);
    return scannedDim(region.spec, 0);
  };
  EXPECT_EQ(dimOf(-1, {4, 5, 6}), 2);
  EXPECT_EQ(dimOf(1, {4, 5, 6}), 1);
  EXPECT_EQ(dimOf(1, {20, 6}), 0); // another shape: all of it
  Region plain(DType::f32, {4});
  plain.op("aten.relu", {value(0)}, {{DType::f32, {4}}}).classify();
  EXPECT_EQ(scannedDim(plain.spec, 0), -1);
}

TEST(DrawLimits, AnIntegerDivisorIsNeverZero) {
  auto limits = [](DType type, const char *op, DType made, int divisor) {
    Region region(type, {8});
    region.op("aten.neg", {value(0)}, {{type, {8}}})
        .op(op, {value(divisor == 0), value(divisor)}, {{made, {8}}});
    return drawLimits(region.spec, 0);
  };
  EXPECT_TRUE(limits(DType::i64, "aten.floor_divide", DType::i64, 0).nonZero);
  EXPECT_TRUE(
      limits(DType::i32, "aten.remainder.Tensor", DType::i32, 1).nonZero);
  EXPECT_FALSE(limits(DType::f32, "aten.fmod.Tensor", DType::f32, 1).nonZero);
  // A quotient of integers in floats is infinite, and that is defined.
  EXPECT_FALSE(limits(DType::i64, "aten.div.Tensor", DType::f32, 1).nonZero);
}

TEST(DrawLimits, WhatBecomesAnIntegerIsFiniteAndInRange) {
  auto limits = [](DType made) {
    Region region(DType::f32, {8});
    region.op("aten.mul.Scalar", {value(0), literal(2.0)}, {{DType::f32, {8}}})
        .op("aten._to_copy", {value(1)}, {{made, {8}}});
    return drawLimits(region.spec, 0);
  };
  EXPECT_TRUE(limits(DType::i32).finite);
  EXPECT_EQ(limits(DType::i32).largest, 0);
  EXPECT_EQ(limits(DType::i8).largest, 100);
  EXPECT_TRUE(limits(DType::u8).nonNegative);
  EXPECT_FALSE(limits(DType::f16).finite);
  EXPECT_FALSE(limits(DType::boolean).finite); // NaN is true
}
