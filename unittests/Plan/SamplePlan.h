//===- SamplePlan.h - One invented plan for tests ---------------*- C++ -*-===//
//
// Fits sampleSpec(): uses every step kind, argument kind and buffer kind of
// this version.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SAMPLEPLAN_H
#define KERNELCLAW_UNITTESTS_SAMPLEPLAN_H

#include "Spec/SampleSpec.h"
#include "kernelclaw/Plan/Plan.h"

namespace kclaw {

inline Plan samplePlan() {
  Plan plan;
  plan.title = "row softmax";
  plan.modules = {{"main", PlanModule::Kind::Cuda,
                   "extern \"C\" __global__ void k(const float *x) {}\n"}};
  plan.tunables = {{"BLOCK", {128, 256}, 128}};
  plan.constraint = "BLOCK <= cols";
  plan.buffers = {
      {"x", PlanBuffer::Kind::Argument, 0, {}, {}},
      {"w", PlanBuffer::Kind::Argument, 1, {}, {}},
      {"y", PlanBuffer::Kind::Result, 0, {}, {}},
      {"sums", PlanBuffer::Kind::Workspace, -1, Expr("rows * 4"), {}},
      {"table", PlanBuffer::Kind::Constant, -1, {}, {1, 2, 254, 255}}};
  KernelStep kernel;
  kernel.module = "main";
  kernel.entry = "k";
  kernel.grid[0] = Expr("ceildiv(rows * cols, BLOCK)");
  kernel.block[0] = Expr("BLOCK");
  kernel.sharedBytes = Expr("BLOCK * 4");
  kernel.args = {{PlanArg::Kind::Buffer, "x", Expr(16), 0},
                 {PlanArg::Kind::Buffer, "table", {}, 0},
                 {PlanArg::Kind::Buffer, "y", {}, 0},
                 {PlanArg::Kind::I32, "", Expr("rows"), 0},
                 {PlanArg::Kind::I64, "", Expr("rows * cols"), 0},
                 {PlanArg::Kind::F32, "", {}, 1e-5},
                 {PlanArg::Kind::F64, "", {}, 0.5}};
  MemsetStep memset;
  memset.buffer = "sums";
  memset.bytes = Expr("rows * 4");
  CopyStep copy;
  copy.source = "x";
  copy.sourcePitch = Expr("cols * 4");
  copy.target = "sums";
  copy.targetPitch = Expr(4);
  copy.rowBytes = Expr(4);
  copy.rows = Expr("rows");
  plan.steps = {memset, kernel, copy};
  plan.resizable = true;
  plan.requirements = {"cols % 4 == 0"};
  return plan;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLEPLAN_H
