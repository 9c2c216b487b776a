//===- LibraryStepsTest.cpp - Library steps at concrete sizes -------------===//
#include "SamplePlan.h"
#include "kernelclaw/Plan/Evaluation.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

const Bindings sizes = {{"rows", 4}, {"cols", 8}};

MatmulStep sampleMatmul() {
  return std::get<MatmulStep>(samplePlan().steps[4]);
}
ConvolutionStep sampleConvolution() {
  return std::get<ConvolutionStep>(samplePlan().steps[5]);
}

std::string errorOf(const MatmulStep &step) {
  auto numbers = evaluate(step, sizes);
  return numbers ? "" : numbers.error().message;
}
std::string errorOf(const ConvolutionStep &step) {
  auto numbers = evaluate(step, sizes);
  return numbers ? "" : numbers.error().message;
}

} // namespace

TEST(LibrarySteps, OperandsOfAMatmulAreWhatItTouches) {
  MatmulStep step = sampleMatmul();
  auto numbers = evaluate(step, sizes);
  ASSERT_TRUE(numbers) << numbers.error().message;
  EXPECT_EQ(numbers->m, 4);
  EXPECT_EQ(numbers->k, 8);
  std::string text;
  for (const LibraryOperand &operand : numbers->operands)
    text += std::string(operand.name) + " " + std::to_string(operand.bytes) +
            (operand.written ? " written, " : ", ");
  EXPECT_EQ(text, "a 128, b 128, c 64, bias 16, d 64 written, ");
}

TEST(LibrarySteps, ABatchOfRowsWithGaps) {
  MatmulStep step = sampleMatmul();
  step.batch = Expr(3);
  step.a.ld = Expr(10);
  step.a.batchStride = Expr(100);
  step.d.batchStride = step.c.batchStride = Expr(16);
  auto numbers = evaluate(step, sizes);
  ASSERT_TRUE(numbers) << numbers.error().message;
  EXPECT_EQ(numbers->operands[0].bytes, (2 * 100 + 3 * 10 + 8) * 4);
}

TEST(LibrarySteps, WrongMatmulsAreToldByField) {
  MatmulStep step = sampleMatmul();
  step.a.ld = Expr(7);
  EXPECT_EQ(errorOf(step), "a.ld: 7 is less than a row's 8 elements");
  step = sampleMatmul();
  step.bias = {};
  EXPECT_EQ(errorOf(step), "bias: missing; the epilogue needs one");
  step = sampleMatmul();
  step.b.dtype = DType::f16;
  EXPECT_TRUE(errorOf(step).starts_with("compute: no product of these types"));
  step = sampleMatmul();
  step.batch = Expr(2);
  EXPECT_EQ(errorOf(step), "d.batchStride: 0: the results of a batch may not "
                           "lie in one place");
  step = sampleMatmul();
  step.m = Expr("depth");
  EXPECT_TRUE(errorOf(step).starts_with("m: ")) << errorOf(step);
}

TEST(LibrarySteps, TheOutputOfAConvolutionFollowsFromItsInput) {
  ConvolutionStep step = sampleConvolution();
  EXPECT_EQ(errorOf(step), "");
  step.stride = {Expr(3)};
  EXPECT_EQ(errorOf(step), "out[0]: is 8, must be 3");
  step.transposed = true;
  EXPECT_EQ(errorOf(step),
            "out[0]: is 8, must be at least 22 and less than 25");
  step.out = {Expr(24)};
  EXPECT_EQ(errorOf(step), "");
  step.groups = Expr(2);
  EXPECT_EQ(errorOf(step), "groups: 2 does not divide the channels");
}

TEST(LibrarySteps, ChoicesGoToTheirStepsAndShrinkTheirWorkspace) {
  Plan plan = samplePlan();
  applyChoices(plan, {{"steps[4]", "cuBLASLt 2: 7", 1, 4096}});
  EXPECT_EQ(std::get<MatmulStep>(plan.steps[4]).choice, "cuBLASLt 2: 7");
  EXPECT_EQ(std::get<ConvolutionStep>(plan.steps[5]).choice, "");
  EXPECT_EQ(plan.buffers.back().sizeBytes.str(), "4096");
  // Another step without a choice may need all of it.
  plan = samplePlan();
  std::get<ConvolutionStep>(plan.steps[5]).workspace = "library";
  applyChoices(plan, {{"steps[4]", "cuBLASLt 2: 7", 1, 4096}});
  EXPECT_EQ(plan.buffers.back().sizeBytes.str(), "1048576");
}
