//===- WinnerChecksTest.cpp - Tools that look at a winner -----------------===//
//
// The simulator is real; compute-sanitizer is a script, since it needs a GPU.
//
//===----------------------------------------------------------------------===//
#include "Checks/WinnerChecks.h"
#include "kernelclaw/Device/Compiler.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace kclaw;

namespace {

TensorSpec elements(const char *name, int64_t count) {
  TensorSpec tensor;
  tensor.name = name;
  tensor.dims.resize(1);
  tensor.dims[0].name = "n";
  tensor.dims[0].value = count;
  return tensor;
}

/// y = x + a workspace's first element, on `count` elements.
Job makeJob(const char *body, int64_t count = 1000) {
  Job job;
  job.id = "a";
  job.spec.arguments = {elements("x", count)};
  job.spec.results = {elements("y", count)};
  Plan &plan = job.candidate;
  plan.producer = Producer::Expert;
  plan.modules = {{"m", PlanModule::Kind::Cuda,
                   "extern \"C\" __global__ void k(const float *x, float *y, "
                   "float *w, int n) { int i = blockIdx.x * 256 + "
                   "threadIdx.x;\n" +
                       std::string(body) + "\n}\n"}};
  PlanBuffer x, y, w;
  x.name = "x", x.kind = PlanBuffer::Kind::Argument, x.index = 0;
  y.name = "y", y.kind = PlanBuffer::Kind::Result, y.index = 0;
  w.name = "w", w.sizeBytes = Expr(16);
  plan.buffers = {x, y, w};
  KernelStep step;
  step.module = "m";
  step.entry = "k";
  step.grid[0] = Expr("ceildiv(n, 256)");
  step.block[0] = Expr(256);
  for (const char *name : {"x", "y", "w"})
    step.args.push_back({PlanArg::Kind::Buffer, name, Expr(0), 0});
  step.args.push_back({PlanArg::Kind::I32, "", Expr("n"), 0});
  plan.steps = {step};
  return job;
}

class WinnerChecksTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("KERNELCLAW_COMPUTE_SANITIZER", KCLAW_FAKE_SANITIZER, 1);
    unsetenv("FAKE_FINDING");
    unsetenv("FAKE_SILENT");
  }

  kclaw::Run<void> check(const Job &job) {
    CompileOptions options;
    options.workerPath = KCLAW_WORKER;
    auto compiled = compilePlan(job.candidate, job.spec, options);
    if (!compiled || compiled->outcome != Outcome::Ok)
      return failRun(Outcome::CompileError, "test",
                     compiled ? compiled->log : compiled.error().message);
    CheckPlace place;
    place.workerPath = KCLAW_WORKER;
    place.remaining = [] { return 60.0; };
    place.progress = [](const std::string &) {};
    return checkWinner(job, compiled->images, place, rows);
  }

  std::string outcomes() const {
    std::string text;
    for (const ToolCheck &row : rows)
      text += row.tool + " " + name(row.outcome) + "\n";
    return text;
  }

  std::vector<ToolCheck> rows;
};

constexpr const char *right = "if (i < n) y[i] = x[i] + 1;";

} // namespace

TEST_F(WinnerChecksTest, ARightKernelPassesAll) {
  kclaw::Run<void> done = check(makeJob(right));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(outcomes(), "simulator passed\nmemcheck passed\nracecheck passed\n"
                        "initcheck passed\nsynccheck passed\n");
}

TEST_F(WinnerChecksTest, TheSimulatorSeesAReadOfWhatNothingWrote) {
  kclaw::Run<void> done = check(makeJob("if (i < n) y[i] = x[i] + 0 * w[0];"));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().outcome, Outcome::Fault);
  EXPECT_EQ(done.error().rule, "simulator");
  EXPECT_NE(done.error().message.find("uninitialised read: kernel k, "),
            std::string::npos)
      << done.error().message;
  EXPECT_EQ(outcomes(), "simulator finding\n");
}

TEST_F(WinnerChecksTest, TheSimulatorSeesTheFirstByteOutside) {
  kclaw::Run<void> done =
      check(makeJob("if (i <= n) y[i] = x[i < n ? i : 0];"));
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("out of bounds"), std::string::npos)
      << done.error().message;
}

TEST_F(WinnerChecksTest, AFindingOfASanitizerRefuses) {
  setenv("FAKE_FINDING", "racecheck", 1);
  kclaw::Run<void> done = check(makeJob(right));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().outcome, Outcome::Fault);
  EXPECT_EQ(done.error().rule, "racecheck");
  EXPECT_EQ(done.error().message,
            "racecheck reports: Error: Race reported between Write access at k "
            "in m.cu:4");
  EXPECT_EQ(outcomes(),
            "simulator passed\nmemcheck passed\nracecheck finding\n");
}

TEST_F(WinnerChecksTest, AToolThatFailsIsNoFinding) {
  setenv("FAKE_SILENT", "memcheck", 1);
  ASSERT_TRUE(check(makeJob(right)));
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(rows[1].outcome, ToolCheck::Outcome::Unfinished);
  EXPECT_EQ(rows[1].message, "it gave no summary, exit code 1");
}

TEST_F(WinnerChecksTest, WhatIsNotThereSaysSo) {
  setenv("KERNELCLAW_COMPUTE_SANITIZER", "/nonexistent/tool", 1);
  ASSERT_TRUE(check(makeJob(right)));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_NE(rows[1].outcome, ToolCheck::Outcome::Passed);
  EXPECT_NE(rows[1].message, "");
}

TEST_F(WinnerChecksTest, TooManyElementsAreNotSimulated) {
  ASSERT_TRUE(check(makeJob(right, int64_t{1} << 24)));
  EXPECT_EQ(rows[0].outcome, ToolCheck::Outcome::NotRun);
  EXPECT_NE(rows[0].message.find("the simulator takes"), std::string::npos)
      << rows[0].message;
}
