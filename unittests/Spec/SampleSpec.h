//===- SampleSpec.h - One invented region for tests -------------*- C++ -*-===//
//
// Row softmax of f32[rows, 1024] times a bf16 parameter, rows dynamic on
// request. Header-only, so that the tests of other libraries use it as well.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_UNITTESTS_SAMPLESPEC_H
#define KERNELCLAW_UNITTESTS_SAMPLESPEC_H

#include "kernelclaw/Spec/KernelSpec.h"

namespace kclaw {

inline KernelSpec sampleSpec(bool dynamic = false) {
  Dim rows{"rows", 4096, 0, 0, {}};
  if (dynamic)
    rows = {"rows", -1, 1, 8192, {128, 4096}};
  Dim cols{"cols", 1024, 0, 0, {}};
  KernelSpec spec;
  spec.symbol = "claw_region_0";
  spec.arguments = {{"x", DType::f32, {rows, cols}, 16, Role::Input, {}},
                    {"w",
                     DType::bf16,
                     {cols},
                     2,
                     Role::Param,
                     {Domain::Kind::Index, 7, 0.5}}};
  spec.results = {{"y", DType::f32, {rows, cols}, 16, Role::Input, {}}};
  spec.graph.values = {{DType::f32, {-1, 1024}},
                       {DType::bf16, {1024}},
                       {DType::f32, {-1, 1024}},
                       {DType::f32, {-1, 1024}}};
  spec.graph.ops = {
      {"aten.softmax.int", {{{0}, {}}, {{}, int64_t(-1)}, {{}, {}}}, {2}},
      {"aten.mul.Tensor", {{{2}, {}}, {{1}, {}}}, {3}}};
  spec.graph.arguments = {0, 1};
  spec.graph.results = {3};
  spec.canonicalText = "torch.aten.softmax.int %0\ntorch.aten.mul.Tensor";
  spec.listing = "y = softmax(x, -1) * w";
  spec.family = "softmax";
  spec.bytes = 33556480;
  spec.specHash = computeSpecHash(spec);
  return spec;
}

} // namespace kclaw

#endif // KERNELCLAW_UNITTESTS_SAMPLESPEC_H
