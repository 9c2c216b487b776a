//===- SizeChecks.cpp - What must hold of a call's sizes ------------------===//
//
// Moves each claw.require that the sizes and scalars among an entry's arguments
// decide into NAME__checks, which the entry calls before anything else: not
// even the sizes of temporaries are right before it. Sizes that `claw.dims`
// ties are one value here, because the entry compares those first.
//
//===----------------------------------------------------------------------===//
#include "Entries.h"
#include "RequirementText.h"
#include "SizeTracer.h"

#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/TorchOps.h"
#include "kernelclaw/TorchToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace kclaw {
#define GEN_PASS_DEF_SIZECHECKSPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;
using kclaw::claw::RequireOp;

namespace {

/// One argument of NAME__checks.
struct Parameter {
  Type type;
  std::string text; ///< "dimension 1 of argument 0 'x'"
};

} // namespace

/// The dynamic sizes and scalars of an entry's arguments, in order; also fills
/// in the tracer's start values once `block` has its arguments.
static SmallVector<Parameter> parametersOf(func::FuncOp entry, Block *block,
                                           kclaw::SizeTracer *tracer) {
  SmallVector<Parameter> list;
  llvm::StringMap<Value> named;
  Type index = IndexType::get(entry.getContext());
  for (BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto shape = dyn_cast<ShapedType>(argument.getType());
    if (!shape) {
      if (tracer)
        tracer->mapping.map(argument, block->getArgument(list.size()));
      list.push_back({argument.getType(), kclaw::argumentText(entry, number)});
      continue;
    }
    auto labels =
        entry.getArgAttrOfType<ArrayAttr>(number, kclaw::dimsAttrName);
    for (int64_t dim = 0; dim < shape.getRank(); ++dim) {
      if (!shape.isDynamicDim(dim))
        continue;
      if (tracer) {
        Value size = block->getArgument(list.size());
        if (labels && dim < int64_t(labels.size()))
          if (auto label = dyn_cast<StringAttr>(labels[dim]);
              label && !label.empty())
            size = named.try_emplace(label.getValue().split(':').first, size)
                       .first->second;
        tracer->sizes[{argument, dim}] = size;
      }
      list.push_back({index, kclaw::dimensionText(entry, number, dim)});
    }
  }
  return list;
}

/// Later requirements of a condition that is required already go.
static void dropRepeated(func::FuncOp checks) {
  llvm::DenseSet<Value> seen;
  for (auto op : llvm::make_early_inc_range(checks.getOps<RequireOp>()))
    if (!seen.insert(op.getCondition()).second)
      op.erase();
}

static func::FuncOp makeChecks(func::FuncOp entry,
                               ArrayRef<RequireOp> requirements) {
  SmallVector<Type> types;
  for (const Parameter &parameter : parametersOf(entry, nullptr, nullptr))
    types.push_back(parameter.type);
  OpBuilder builder(entry);
  auto checks = func::FuncOp::create(builder, entry.getLoc(),
                                     (entry.getName() + "__checks").str(),
                                     builder.getFunctionType(types, {}));
  checks.setPrivate();
  checks->setAttr(kclaw::checksAttrName, builder.getUnitAttr());
  Block *block = checks.addEntryBlock();
  kclaw::SizeTracer tracer(OpBuilder::atBlockBegin(block));
  parametersOf(entry, block, &tracer);
  for (RequireOp op : requirements) {
    bool known = succeeded(tracer.value(op.getCondition()));
    for (Value value : op.getValues())
      known = known && succeeded(tracer.value(value));
    if (!known)
      continue;
    SmallVector<Value> values;
    for (Value value : op.getValues())
      values.push_back(*tracer.value(value));
    RequireOp::create(tracer.builder, op.getLoc(),
                      *tracer.value(op.getCondition()), op.getMessageAttr(),
                      values);
    op.erase();
  }
  func::ReturnOp::create(tracer.builder, entry.getLoc());
  return checks;
}

namespace {
struct SizeChecks : kclaw::impl::SizeChecksPassBase<SizeChecks> {
  void runOnOperation() override {
    for (func::FuncOp entry : kclaw::entriesOf(getOperation()))
      if (failed(check(entry)))
        return signalPassFailure();
  }

  LogicalResult check(func::FuncOp entry) {
    SmallVector<RequireOp> requirements(entry.getOps<RequireOp>());
    if (requirements.empty())
      return success();
    func::FuncOp checks = makeChecks(entry, requirements);
    OpPassManager clean(func::FuncOp::getOperationName());
    clean.addPass(createCanonicalizerPass());
    clean.addPass(createCSEPass());
    if (failed(runPipeline(clean, checks)))
      return failure();
    dropRepeated(checks);
    SmallVector<std::string> texts;
    for (Parameter &parameter : parametersOf(entry, nullptr, nullptr))
      texts.push_back(std::move(parameter.text));
    for (auto op : checks.getOps<RequireOp>())
      kclaw::nameSizes(op, texts);
    for (auto op : entry.getOps<RequireOp>())
      kclaw::nameData(op, entry);
    if (checks.getOps<RequireOp>().empty())
      checks.erase();
    return success();
  }
};
} // namespace

/// Whether a call can have sizes that do not fit.
static bool takesSizes(func::FuncOp entry) {
  return llvm::any_of(entry.getArgumentTypes(), [](Type type) {
    auto shape = kclaw::torch::tensorShape(type);
    return !shape || llvm::is_contained(shape->sizes, ShapedType::kDynamic);
  });
}

LogicalResult kclaw::addSizeChecks(ModuleOp imported, ModuleOp module) {
  if (llvm::none_of(entriesOf(imported), takesSizes))
    return success();
  OwningOpRef<ModuleOp> scratch = imported.clone();
  PassManager passes(imported.getContext());
#ifndef KCL_ENABLE_CHECKS
  passes.enableVerifier(false);
#endif
  passes.addPass(createKClawLabelDims());
  passes.addPass(createTorchToLinalg());
  passes.addPass(createInlineRegionsPass());
  passes.addPass(createSizeChecksPass());
  if (failed(passes.run(*scratch)))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  for (auto function : scratch->getOps<func::FuncOp>())
    if (function->hasAttr(checksAttrName))
      builder.clone(*function);
  return success();
}
