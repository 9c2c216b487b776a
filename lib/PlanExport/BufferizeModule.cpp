//===- BufferizeModule.cpp - Tensors to memrefs, results to arguments -----===//
//
// One-shot bufferization with our options. Arguments are never written:
// buffer updates are results. Each result becomes a trailing argument; an
// allocation that is returned simply is that argument, anything else is copied.
//
//===----------------------------------------------------------------------===//
#include "PrepareTensors.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

LogicalResult oneShot(ModuleOp module) {
  Builder builder(module.getContext());
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (isa<TensorType>(function.getArgumentTypes()[i]))
        function.setArgAttr(i, "bufferization.writable",
                            builder.getBoolAttr(false));
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotModuleBufferize(module, options, state)))
    return failure();
  bufferization::removeBufferizationAttributesInModule(module);
  return success();
}

/// Replaces `return %a, %b` by stores into new trailing arguments.
LogicalResult resultsToArguments(func::FuncOp function) {
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  for (Type type : ret.getOperandTypes())
    if (!isa<MemRefType>(type))
      return ret.emitOpError("returns a host scalar of type ")
             << type << "; a plan's results are tensors on the device";
  OpBuilder builder(ret);
  for (OpOperand &operand : ret->getOpOperands()) {
    Value value = operand.get();
    auto type = cast<MemRefType>(value.getType());
    BlockArgument out = function.front().addArgument(type, value.getLoc());
    auto alloc = value.getDefiningOp<memref::AllocOp>();
    if (alloc && alloc->getBlock() == &function.front()) {
      alloc.getResult().replaceUsesWithIf(out, [&](OpOperand &use) {
        return use.getOwner() != ret ||
               use.getOperandNumber() == operand.getOperandNumber();
      });
      // A value returned twice: later results copy from the first.
      for (OpOperand &other : ret->getOpOperands())
        if (other.get() == alloc.getResult())
          other.set(out);
      alloc.erase();
      continue;
    }
    memref::CopyOp::create(builder, value.getLoc(), value, out);
  }
  ret->setOperands({});
  function.setType(
      builder.getFunctionType(function.front().getArgumentTypes(), {}));
  function.setAllResultAttrs(ArrayRef<DictionaryAttr>());
  SmallVector<DictionaryAttr> none(function.getNumArguments(),
                                   builder.getDictionaryAttr({}));
  function.setAllArgAttrs(none);
  return success();
}

} // namespace

LogicalResult kclaw::bufferizeModule(ModuleOp module) {
  PassManager before(module.getContext());
  before.addPass(bufferization::createEmptyTensorEliminationPass());
  if (failed(before.run(module)) || failed(oneShot(module)))
    return failure();
  PassManager after(module.getContext());
  after.addPass(createCanonicalizerPass());
  after.addPass(createCSEPass());
  if (failed(after.run(module)))
    return failure();
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(resultsToArguments(function)))
      return failure();
  return success();
}
