//===- EmbedPlans.cpp - Plans into the module -----------------------------===//
//
// Region functions first (new bodies on memrefs), then the public functions
// that call them.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Embed/Embed.h"

#include "EmbedRegion.h"
#include "Entries.h"
#include "PlanSteps.h"
#include "Types.h"

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kclaw;

/// Gives the region function its memref signature and an empty body.
static FailureOr<unsigned> resetRegion(func::FuncOp region) {
  SmallVector<Type> types;
  for (ArrayRef<Type> list :
       {region.getArgumentTypes(), region.getResultTypes()})
    for (Type type : list) {
      FailureOr<Type> converted = embeddedType(type, region.getLoc());
      if (failed(converted))
        return failure();
      types.push_back(*converted);
    }
  unsigned arguments = region.getNumArguments();
  OpBuilder builder(region);
  auto fresh = func::FuncOp::create(builder, region.getLoc(), region.getName(),
                                    builder.getFunctionType(types, {}));
  fresh.setPrivate();
  for (NamedAttribute attribute : region->getDiscardableAttrs())
    fresh->setDiscardableAttr(attribute.getName(), attribute.getValue());
  region.erase();
  fresh.addEntryBlock();
  return arguments;
}

LogicalResult kclaw::embedRegion(ModuleOp module, const std::string &name,
                                 const RegionPlans &plans) {
  auto region = module.lookupSymbol<func::FuncOp>(name);
  if (!region)
    return module.emitError("no region function '") << name << "' to embed in";
  FailureOr<unsigned> arguments = resetRegion(region);
  if (failed(arguments))
    return failure();
  region = module.lookupSymbol<func::FuncOp>(name);
  Location loc = region.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(&region.front());
  auto ret = func::ReturnOp::create(b, loc);
  b.setInsertionPoint(ret);
  ValueRange all = region.getArguments();
  ValueRange inputs = all.take_front(*arguments);
  ValueRange results = all.drop_front(*arguments);
  EmbedSite stock{module, name + "_stock", loc};
  if (!plans.winner)
    return emitPlan(stock, b, plans.stock, plans.dims, inputs, results);

  SmallVector<Value> buffers;
  llvm::copy_if(all, std::back_inserter(buffers),
                [](Value value) { return isa<MemRefType>(value.getType()); });
  Value ok =
      claw::GuardOp::create(b, loc, b.getI1Type(), architectures(*plans.winner),
                            plans.alignment, buffers);
  auto choice = scf::IfOp::create(b, loc, ok, /*withElseRegion=*/true);
  EmbedSite won{module, name + "_won", loc};
  b.setInsertionPointToStart(choice.thenBlock());
  if (failed(emitPlan(won, b, *plans.winner, plans.dims, inputs, results)))
    return failure();
  b.setInsertionPointToStart(choice.elseBlock());
  return emitPlan(stock, b, plans.stock, plans.dims, inputs, results);
}

LogicalResult
kclaw::embedPlans(ModuleOp module,
                  const std::map<std::string, RegionPlans> &regions) {
  for (const auto &[name, plans] : regions)
    if (failed(embedRegion(module, name, plans)))
      return failure();
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate() && !function.isExternal())
      entries.push_back(function);
  for (func::FuncOp entry : entries)
    if (failed(rewriteEntry(entry)))
      return failure();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  return success();
}

void kclaw::registerEmbedDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, claw::ClawDialect, func::FuncDialect,
                  gpu::GPUDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                  scf::SCFDialect>();
}
