//===- JudgeTest.cpp - What an evaluation says beside its verdict ---------===//
//
// On the simulated device, which CMake names in the environment. Needs NVRTC,
// no GPU.
//
//===----------------------------------------------------------------------===//
#include "Judge.h"

#include <gtest/gtest.h>

using namespace kclaw;

namespace {

constexpr int64_t elements = 4096;

/// y = max(x, 0), computed in and stored as `type`.
Plan reluPlan(Producer producer, const std::string &type) {
  Plan plan;
  plan.producer = producer;
  PlanModule module;
  module.name = "m";
  module.source = "extern \"C\" __global__ void k(const float *x, " + type +
                  " *y) {\n"
                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  y[i] = x[i] > 0 ? x[i] : 0;\n"
                  "}\n";
  plan.modules = {module};
  PlanBuffer x, y;
  x.name = "x";
  x.kind = PlanBuffer::Kind::Argument;
  y.name = "y";
  y.kind = PlanBuffer::Kind::Result;
  x.index = y.index = 0;
  plan.buffers = {x, y};
  KernelStep step;
  step.module = "m";
  step.entry = "k";
  step.grid[0] = Expr(elements / 256);
  step.block[0] = Expr(256);
  PlanArg in, out;
  in.buffer = "x";
  out.buffer = "y";
  step.args = {in, out};
  plan.steps = {step};
  return plan;
}

Job reluJob() {
  Job job;
  job.id = "relu";
  TensorSpec tensor;
  tensor.name = "x";
  tensor.dims = {Dim{"d0", elements, 0, 0, {}}};
  job.spec.arguments = job.spec.results = {tensor};
  job.spec.family = "pointwise";
  job.spec.specHash = "relu";
  job.candidate = reluPlan(Producer::Model, "float");
  job.stock = reluPlan(Producer::Stock, "float");
  job.reference = reluPlan(Producer::Reference, "double");
  return job;
}

class JudgeOnSimulator : public testing::Test {
protected:
  static void SetUpTestSuite() {
    auto opened = DeviceSession::open(KCLAW_WORKER);
    ASSERT_TRUE(opened) << opened.error().message;
    session = opened->release();
  }
  static void TearDownTestSuite() { delete session; }

  Evaluation judged(const Job &job) {
    Judgement result =
        judge(job, session, KCLAW_WORKER, [](const std::string &) {});
    EXPECT_EQ(result.evaluation.outcome, Outcome::Ok)
        << result.evaluation.rule << ": " << result.evaluation.message;
    return result.evaluation;
  }

  static DeviceSession *session;
};
DeviceSession *JudgeOnSimulator::session = nullptr;

TEST_F(JudgeOnSimulator, TheNextCandidateFindsStockAndReferenceDone) {
  Evaluation first = judged(reluJob());
  EXPECT_TRUE(first.phases.contains("reference"));
  EXPECT_GT(session->cache.size(), 0u);
  EXPECT_EQ(session->images.size(), 2u) << "stock and reference";
  Job other = reluJob();
  other.candidate.modules[0].source += "// another\n";
  Evaluation second = judged(other);
  EXPECT_FALSE(second.phases.contains("reference"));
  EXPECT_TRUE(second.phases.contains("recall"));
  EXPECT_EQ(session->images.size(), 2u);
  EXPECT_EQ(second.isolation, "unmapped");
}

TEST_F(JudgeOnSimulator, ColdAndWarmAreDifferentNumbers) {
  Evaluation evaluation = judged(reluJob());
  EXPECT_EQ(evaluation.time.samplesMicroseconds.size(), 1u);
  EXPECT_EQ(evaluation.time.warm.samplesMicroseconds.size(), 1u);
  EXPECT_GT(evaluation.time.warm.medianMicroseconds, 0);
  EXPECT_EQ(evaluation.time.method, "estimate of the simulator");
  EXPECT_EQ(evaluation.time.warm.method, "estimate of the simulator, warm L2");
  EXPECT_EQ(evaluation.counters.at("rechecked"), 1);
  EXPECT_FALSE(evaluation.speedupInterval.known()) << "one estimate each";
}

TEST_F(JudgeOnSimulator, TheDatasSeedIsToldAndCanBeUsedAgain) {
  Evaluation first = judged(reluJob());
  EXPECT_EQ(first.seed, session->secretSeed(reluJob().seed));
  EXPECT_NE(first.seed, reluJob().seed);
  Job again = reluJob();
  again.replaySeed = 12345;
  EXPECT_EQ(judged(again).seed, 12345u);
}

TEST_F(JudgeOnSimulator, AnIncumbentIsTimedToo) {
  Job job = reluJob();
  EXPECT_TRUE(judged(job).incumbentTime.empty());
  job.incumbent = job.candidate;
  Evaluation evaluation = judged(job);
  EXPECT_EQ(evaluation.incumbentTime.samplesMicroseconds.size(), 1u);
  EXPECT_EQ(evaluation.incumbentTime.medianMicroseconds,
            evaluation.time.medianMicroseconds);
}

TEST_F(JudgeOnSimulator, EnergyIsUnavailableAndSaysWhy) {
  Job job = reluJob();
  EXPECT_EQ(judged(job).energy.state, Energy::State::NotAsked);
  job.energy = true;
  // Its speedup is one: no winner, no energy.
  EXPECT_EQ(judged(job).energy.state, Energy::State::NotAsked);
  Step once = job.stock.steps[0];
  job.stock.steps = {once, once, once};
  Evaluation evaluation = judged(job);
  EXPECT_GT(evaluation.speedup, 1.02);
  EXPECT_EQ(evaluation.energy.state, Energy::State::Unavailable);
  EXPECT_EQ(evaluation.energy.reason, "the simulator has no energy counter");
}

} // namespace
