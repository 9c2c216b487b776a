//===- LabelDimsPass.cpp - kclaw-label-dims -------------------------------===//
//
// labelEntryDims as a pass, which every way to a lowered entry runs.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/DimNames.h"
#include "kernelclaw/Outline/Outline.h"

namespace kclaw {
#define GEN_PASS_DEF_KCLAWLABELDIMS
#include "kernelclaw/Outline/Passes.h.inc"
} // namespace kclaw

namespace {
struct LabelDimsPass : kclaw::impl::KClawLabelDimsBase<LabelDimsPass> {
  void runOnOperation() override { kclaw::labelEntryDims(getOperation()); }
};
} // namespace
