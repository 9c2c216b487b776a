//===- PlanInstanceTest.cpp - One plan at several sizes -------------------===//
#include "PlanInstance.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

/// f32[rows, 4] -> f32[rows, 4], rows in [2, 64].
KernelSpec dynamicSpec() {
  Dim rows{"d0", -1, 2, 64, {16, 33}};
  TensorSpec tensor;
  tensor.name = "x";
  tensor.dims = {rows, Dim{"d1", 4}};
  KernelSpec spec;
  spec.arguments = {tensor};
  spec.results = {tensor};
  return spec;
}

/// A workspace of d0 * d1 floats, zeroed, then copied to the result.
Plan dynamicPlan() {
  Plan plan;
  plan.resizable = true;
  plan.buffers.resize(2);
  plan.buffers[0].name = "ws0";
  plan.buffers[0].sizeBytes = Expr("d0 * d1 * 4");
  plan.buffers[1].name = "res0";
  plan.buffers[1].kind = PlanBuffer::Kind::Result;
  plan.buffers[1].index = 0;
  MemsetStep zero;
  zero.buffer = "ws0";
  zero.bytes = Expr("d0 * 16");
  CopyStep copy;
  copy.source = "ws0";
  copy.target = "res0";
  copy.rowBytes = Expr(16);
  copy.sourcePitch = copy.targetPitch = Expr(16);
  copy.rows = Expr("d0");
  plan.steps = {zero, copy};
  return plan;
}

Run<PlanInstance> instanceAt(const Plan &plan, const Problem &problem) {
  BorderSizes sizes{{problem.arguments[0].bytes}, {problem.results[0].bytes}};
  return PlanInstance::create(plan, problem, sizes);
}

} // namespace

TEST(Problem, EachSampleIsAProblemOfItsOwn) {
  KernelSpec spec = dynamicSpec();
  EXPECT_EQ(sampleCount(spec), 2u);
  EXPECT_EQ(instantiate(spec)->dims.at("d0"), 16);
  EXPECT_EQ(instantiate(spec, 1)->results[0].bytes, 33u * 4 * 4);
  EXPECT_EQ(instantiate(spec, 7)->dims.at("d0"), 33);
}

TEST(PlanInstance, ExpressionsFollowTheSizes) {
  KernelSpec spec = dynamicSpec();
  Plan plan = dynamicPlan();
  for (auto [sample, rows] : {std::pair(0, 16), std::pair(1, 33)}) {
    Expected<Problem> problem = instantiate(spec, sample);
    ASSERT_TRUE(problem);
    kclaw::Run<PlanInstance> instance = instanceAt(plan, *problem);
    ASSERT_TRUE(instance) << instance.error().message;
    ASSERT_EQ(instance->scratch().size(), 1u);
    EXPECT_EQ(instance->scratch()[0].bytes, rows * 16u);
    // Both steps stay inside their buffers, whatever their addresses.
    std::vector<char> memory(rows * 16), result(rows * 16);
    EXPECT_TRUE(instance->bind({{nullptr}, {result.data()}, {memory.data()}}));
  }
}

TEST(PlanInstance, AStepThatOutgrowsItsBufferIsRefusedAtTheSizeWhereItDoes) {
  KernelSpec spec = dynamicSpec();
  Plan plan = dynamicPlan();
  std::get<MemsetStep>(plan.steps[0]).bytes = Expr("d0 * d0");
  std::vector<char> memory(1024);
  BoundAddresses addresses{{nullptr}, {memory.data()}, {memory.data()}};
  EXPECT_TRUE(instanceAt(plan, *instantiate(spec, 0))->bind(addresses));
  kclaw::Run<void> outside =
      instanceAt(plan, *instantiate(spec, 1))->bind(addresses);
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().message.find("outside of 'ws0'"),
            std::string::npos);
}

TEST(PlanInstance, ARequirementIsCheckedAtEachSize) {
  KernelSpec spec = dynamicSpec();
  Plan plan = dynamicPlan();
  plan.requirements = {"d0 % 16 == 0"};
  EXPECT_TRUE(instanceAt(plan, *instantiate(spec, 0)));
  EXPECT_FALSE(instanceAt(plan, *instantiate(spec, 1)));
}
