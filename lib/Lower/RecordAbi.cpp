//===- RecordAbi.cpp - What builtin types cannot say about an entry -------===//
//
// Runs first, while types still tell ui8 from si8, and marks every argument of
// an entry as not writable for bufferization.
//
//===----------------------------------------------------------------------===//
#include "Entries.h"

#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw {
#define GEN_PASS_DEF_RECORDABIPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

/// "u8" for a tensor of unsigned bytes, whose builtin type will not say so.
static StringAttr lostDtype(Type type) {
  std::optional<kclaw::torch::TensorShape> tensor =
      kclaw::torch::tensorShape(type);
  if (!tensor || !tensor->dtype.isUnsignedInteger(8))
    return {};
  return StringAttr::get(type.getContext(), "u8");
}

static void record(func::FuncOp entry) {
  Builder builder(entry.getContext());
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    entry.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                     builder.getBoolAttr(false));
    if (StringAttr dtype = lostDtype(entry.getArgumentTypes()[i]))
      entry.setArgAttr(i, kclaw::dtypeAttrName, dtype);
  }
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    if (StringAttr dtype = lostDtype(entry.getResultTypes()[i]))
      entry.setResultAttr(i, kclaw::dtypeAttrName, dtype);
}

namespace {
struct RecordAbi : kclaw::impl::RecordAbiPassBase<RecordAbi> {
  void runOnOperation() override {
    for (func::FuncOp entry : kclaw::entriesOf(getOperation()))
      record(entry);
  }
};
} // namespace
