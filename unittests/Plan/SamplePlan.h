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
      {"table", PlanBuffer::Kind::Constant, -1, {}, {1, 2, 254, 255}},
      {"packed", PlanBuffer::Kind::Persistent, -1, Expr("cols * 4"), {}},
      {"wide",
       PlanBuffer::Kind::Workspace,
       -1,
       Expr("rows * (rows + cols) * 4"),
       {}},
      {"library", PlanBuffer::Kind::Workspace, -1, Expr(1 << 20), {}}};
  PlanTensorMap map;
  map.name = "tiles";
  map.buffer = "x";
  map.offset = Expr("BLOCK * 4");
  map.dims = {Expr("cols"), Expr("rows - 1")};
  map.strides = {Expr("cols * 4")};
  map.box = {Expr(32), Expr(8)};
  map.elementStrides = {Expr(1), Expr(1)};
  map.swizzle = Expr("min(BLOCK, 128)");
  map.l2Promotion = Expr(64);
  map.nanFill = Expr(1);
  plan.tensorMaps = {map};
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
  KernelStep part = kernel;
  part.grid[0] = Expr("t + 1");
  part.args = {{PlanArg::Kind::TensorMap, "tiles", {}, 0},
               {PlanArg::Kind::Buffer, "packed", Expr("t * 4"), 0},
               {PlanArg::Kind::I32, "", Expr("t"), 0}};
  WhenStep when{"sums", Expr("t * 4"), {part}};
  // wide = relu(x x^T / 2 + wide + sums)
  MatmulStep matmul;
  matmul.a = {{"x"}, Expr("cols"), Expr(0), DType::f32, false};
  matmul.b = {{"x"}, Expr("cols"), Expr(0), DType::f32, true};
  matmul.c = {{"wide"}, Expr("rows"), Expr(0), DType::f32, false};
  matmul.d = matmul.c;
  matmul.m = matmul.n = Expr("rows");
  matmul.k = Expr("cols");
  matmul.alpha = 0.5;
  matmul.beta = 1;
  matmul.compute = MatmulCompute::Tf32;
  matmul.epilogue = MatmulEpilogue::BiasRelu;
  matmul.bias = {"sums"};
  matmul.workspace = "library";
  matmul.choice = "cuBLASLt 130100: 66,20,1,0,0,0,36,0,0";
  // wide = x times the table's only element
  ConvolutionStep convolution;
  convolution.input = {"x"};
  convolution.weight = {"table"};
  convolution.output = {"wide"};
  convolution.dtype = DType::f32;
  convolution.tf32 = true;
  convolution.batch = Expr("rows");
  convolution.inChannels = convolution.outChannels = Expr(1);
  convolution.in = {Expr("cols")};
  convolution.out = {Expr("cols")};
  convolution.kernel = {Expr(1)};
  convolution.stride = convolution.dilation = {Expr(1)};
  convolution.padBefore = {Expr(0)};
  convolution.padAfter = {Expr(0)};
  plan.steps = {memset, kernel,     copy, RepeatStep{"t", Expr(3), {when}},
                matmul, convolution};
  KernelStep pack = kernel;
  pack.args = {{PlanArg::Kind::Buffer, "w", {}, 0},
               {PlanArg::Kind::Buffer, "packed", {}, 0}};
  plan.prepare = {pack};
  plan.resizable = true;
  plan.requirements = {"cols % 4 == 0"};
  return plan;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLEPLAN_H
