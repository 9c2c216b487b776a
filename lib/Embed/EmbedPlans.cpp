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
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

/// Replaces the region function by one of memref signature and empty body.
static FailureOr<func::FuncOp> resetRegion(func::FuncOp region) {
  SmallVector<Type> types;
  for (ArrayRef<Type> list :
       {region.getArgumentTypes(), region.getResultTypes()})
    for (Type type : list) {
      FailureOr<Type> converted = embeddedType(type, region.getLoc());
      if (failed(converted))
        return failure();
      types.push_back(*converted);
    }
  OpBuilder builder(region);
  auto fresh = func::FuncOp::create(builder, region.getLoc(), region.getName(),
                                    builder.getFunctionType(types, {}));
  fresh.setPrivate();
  for (NamedAttribute attribute : region->getDiscardableAttrs())
    fresh->setDiscardableAttr(attribute.getName(), attribute.getValue());
  region.erase();
  fresh.addEntryBlock();
  return fresh;
}

/// When the winner may run: dimensions in range (or as judged), and what its
/// plan requires; empty when there is nothing to ask.
static std::string winnerCondition(const RegionPlans &plans,
                                   const RegionNames &names) {
  std::string text;
  auto also = [&](const std::string &condition) {
    text += (text.empty() ? "" : " && ") + condition;
  };
  for (const auto &[name, range] : names.ranges()) {
    auto judged = plans.judgedSizes.find(name);
    if (!plans.winner->plan.resizable && judged != plans.judgedSizes.end()) {
      also(name + " == " + std::to_string(judged->second));
      continue;
    }
    also(name + " >= " + std::to_string(range.min));
    also(name + " <= " + std::to_string(range.max));
  }
  for (const std::string &requirement : plans.winner->plan.requirements)
    also("(" + requirement + ") != 0");
  return text;
}

/// The condition as i1; null when it always holds.
static FailureOr<Value> emitCondition(OpBuilder &b, Location loc,
                                      const RegionPlans &plans,
                                      const RegionNames &regionNames,
                                      const NameValues &names) {
  std::string text = winnerCondition(plans, regionNames);
  if (text.empty())
    return Value();
  const Plan &plan = plans.winner->plan;
  Expected<OpFoldResult> holds =
      emitExpr(b, loc, Expr(text), names.with(plan.tunables));
  if (!holds)
    return emitError(loc) << "plan '" << plan.title
                          << "' has a requirement that cannot be checked: "
                          << holds.error().message;
  if (std::optional<int64_t> known = getConstantIntValue(*holds)) {
    if (*known != 0)
      return Value();
    return arith::ConstantIntOp::create(b, loc, 0, 1).getResult();
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                               cast<Value>(*holds), zero)
      .getResult();
}

LogicalResult kclaw::embedRegion(func::FuncOp torchRegion,
                                 const RegionPlans &plans,
                                 const RegionNames &regionNames) {
  auto module = torchRegion->getParentOfType<ModuleOp>();
  unsigned arguments = torchRegion.getNumArguments();
  FailureOr<func::FuncOp> reset = resetRegion(torchRegion);
  if (failed(reset))
    return failure();
  func::FuncOp region = *reset;
  std::string name = region.getName().str();
  Location loc = region.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(&region.front());
  auto ret = func::ReturnOp::create(b, loc);
  b.setInsertionPoint(ret);
  ValueRange all = region.getArguments();
  ValueRange inputs = all.take_front(arguments);
  ValueRange results = all.drop_front(arguments);
  NameValues names =
      regionNames.values(b, loc, inputs, [&](unsigned i, int64_t dim) {
        return memref::DimOp::create(b, loc, inputs[i], dim).getResult();
      });
  EmbedSite stock{module, name + "_stock", loc};
  if (!plans.winner)
    return emitPlan(stock, b, plans.stock, names, inputs, results);

  SmallVector<Value> buffers;
  llvm::copy_if(all, std::back_inserter(buffers),
                [](Value value) { return isa<MemRefType>(value.getType()); });
  FailureOr<Value> when = emitCondition(b, loc, plans, regionNames, names);
  if (failed(when))
    return failure();
  Value ok =
      claw::GuardOp::create(b, loc, b.getI1Type(), architectures(*plans.winner),
                            plans.alignment, *when, buffers);
  auto choice = scf::IfOp::create(b, loc, ok, /*withElseRegion=*/true);
  EmbedSite won{module, name + "_won", loc, ok.getDefiningOp()};
  stock.sizesBefore = ok.getDefiningOp();
  b.setInsertionPointToStart(choice.thenBlock());
  if (failed(emitPlan(won, b, *plans.winner, names, inputs, results)))
    return failure();
  b.setInsertionPointToStart(choice.elseBlock());
  return emitPlan(stock, b, plans.stock, names, inputs, results);
}

LogicalResult
kclaw::embedPlans(ModuleOp module,
                  const std::map<std::string, RegionPlans> &regions) {
  RegionShapes shapes;
  for (const auto &[name, plans] : regions) {
    auto region = module.lookupSymbol<func::FuncOp>(name);
    if (!region)
      return module.emitError("no region function '")
             << name << "' to embed in";
    RegionNames names(region);
    if (failed(embedRegion(region, plans, names)))
      return failure();
    shapes.insert({name, {names, plans.resultDims}});
  }
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate() && !function.isExternal())
      entries.push_back(function);
  for (func::FuncOp entry : entries)
    if (failed(rewriteEntry(entry, shapes)))
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
