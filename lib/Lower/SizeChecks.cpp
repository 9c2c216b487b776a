//===- SizeChecks.cpp - What must hold of a call's sizes ------------------===//
//
// Moves each claw.require that the sizes and scalars among an entry's arguments
// decide into NAME__checks, which the entry calls before anything else: not
// even the sizes of temporaries are right before it. Sizes that `claw.dims`
// ties are one value here, because the entry compares those first.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"
#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/TorchOps.h"
#include "kernelclaw/TorchToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace kclaw {
#define GEN_PASS_DEF_SIZECHECKSPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;
using kclaw::claw::RequireOp;

namespace {

using Dim = std::pair<Value, int64_t>;

/// Values of an entry's body in terms of its sizes and scalars.
struct Tracer {
  OpBuilder builder;
  IRMapping mapping;
  llvm::DenseMap<Dim, Value> sizes;

  FailureOr<Value> value(Value original);
  FailureOr<Value> value(OpFoldResult size, Location loc);
  FailureOr<Value> size(Value tensor, int64_t dim);
  FailureOr<Value> madeSize(Operation *op, OpResult tensor, int64_t dim);
};

/// One argument of NAME__checks.
struct Parameter {
  Type type;
  std::string text; ///< "dimension 1 of argument 0 'x'"
};

} // namespace

FailureOr<Value> Tracer::value(OpFoldResult size, Location loc) {
  if (std::optional<int64_t> fixed = getConstantIntValue(size))
    return arith::ConstantIndexOp::create(builder, loc, *fixed).getResult();
  return value(cast<Value>(size));
}

FailureOr<Value> Tracer::value(Value original) {
  if (Value known = mapping.lookupOrNull(original))
    return known;
  Operation *op = original.getDefiningOp();
  if (!op)
    return failure();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    FailureOr<Value> found =
        index ? size(dim.getSource(), *index) : FailureOr<Value>(failure());
    if (succeeded(found))
      mapping.map(original, *found);
    return found;
  }
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return failure();
  for (Value operand : op->getOperands())
    if (failed(value(operand)))
      return failure();
  builder.clone(*op, mapping);
  return mapping.lookup(original);
}

/// The size of what an op makes, one row a kind of op.
FailureOr<Value> Tracer::madeSize(Operation *op, OpResult tensor, int64_t dim) {
  Location loc = op->getLoc();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return value(empty.getMixedSizes()[dim], loc);
  if (auto target = dyn_cast<DestinationStyleOpInterface>(op))
    return size(target.getDpsInitOperand(tensor.getResultNumber())->get(), dim);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return size(cast.getSource(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return value(expand.getMixedOutputShape()[dim], loc);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [source, taken] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(source) && dim-- == 0)
        return value(taken, loc);
    return failure();
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    auto list = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    return list ? value(list.getElements()[dim]) : FailureOr<Value>(failure());
  }
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  if (!collapse)
    return failure();
  Value product;
  for (int64_t source : collapse.getReassociationIndices()[dim]) {
    FailureOr<Value> factor = size(collapse.getSrc(), source);
    if (failed(factor))
      return failure();
    product =
        product
            ? arith::MulIOp::create(builder, loc, product, *factor).getResult()
            : *factor;
  }
  return product;
}

FailureOr<Value> Tracer::size(Value tensor, int64_t dim) {
  auto known = sizes.find({tensor, dim});
  if (known != sizes.end())
    return known->second;
  int64_t extent = cast<ShapedType>(tensor.getType()).getDimSize(dim);
  Operation *op = tensor.getDefiningOp();
  if (ShapedType::isDynamic(extent) && !op)
    return failure();
  FailureOr<Value> found =
      ShapedType::isDynamic(extent)
          ? madeSize(op, cast<OpResult>(tensor), dim)
          : FailureOr<Value>(
                arith::ConstantIndexOp::create(builder, tensor.getLoc(), extent)
                    .getResult());
  if (succeeded(found))
    sizes[{tensor, dim}] = *found;
  return found;
}

static std::string argumentText(func::FuncOp entry, unsigned index) {
  std::string text = "argument " + std::to_string(index);
  if (auto name =
          entry.getArgAttrOfType<StringAttr>(index, kclaw::nameAttrName))
    text += " '" + name.str() + "'";
  return text;
}

/// The dynamic sizes and scalars of an entry's arguments, in order; also fills
/// in the tracer's start values once `block` has its arguments.
static SmallVector<Parameter> parametersOf(func::FuncOp entry, Block *block,
                                           Tracer *tracer) {
  SmallVector<Parameter> list;
  llvm::StringMap<Value> named;
  Type index = IndexType::get(entry.getContext());
  for (BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::string text = argumentText(entry, number);
    auto shape = dyn_cast<ShapedType>(argument.getType());
    if (!shape) {
      if (tracer)
        tracer->mapping.map(argument, block->getArgument(list.size()));
      list.push_back({argument.getType(), text});
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
      list.push_back(
          {index, "dimension " + std::to_string(dim) + " of " + text});
    }
  }
  return list;
}

/// How a value comes from the arguments; empty for a constant, and for what
/// would be longer than it is useful.
static std::string describe(Value value, ArrayRef<Parameter> parameters) {
  static constexpr std::pair<StringLiteral, StringLiteral> infix[] = {
      {"arith.addi", " + "},
      {"arith.subi", " - "},
      {"arith.muli", " * "},
      {"arith.divsi", " / "}};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return parameters[argument.getArgNumber()].text;
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return std::to_string(*number);
  Operation *op = value.getDefiningOp();
  StringRef name = op->getName().getStringRef();
  if (name == "arith.index_cast")
    return describe(op->getOperand(0), parameters);
  for (auto [row, sign] : infix) {
    if (row != name)
      continue;
    std::string left = describe(op->getOperand(0), parameters);
    std::string right = describe(op->getOperand(1), parameters);
    if (left.empty() || right.empty() || left.size() + right.size() > 120)
      return "";
    auto inner = [](const std::string &text) {
      return text.find_first_of("+-*/") == std::string::npos ? text
                                                             : "(" + text + ")";
    };
    return inner(left) + sign.str() + inner(right);
  }
  return "";
}

/// "{0}" becomes "{0} (dimension 1 of argument 0)".
static void nameValues(RequireOp op, ArrayRef<Parameter> parameters) {
  std::string text = op.getMessage().str();
  for (auto [i, value] : llvm::enumerate(op.getValues())) {
    std::string mark = "{" + std::to_string(i) + "}";
    size_t at = text.find(mark);
    std::string source = describe(value, parameters);
    if (at != std::string::npos && !source.empty() &&
        !getConstantIntValue(value))
      text.insert(at + mark.size(), " (" + source + ")");
  }
  op.setMessage(text);
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
  Tracer tracer{OpBuilder::atBlockBegin(block), {}, {}};
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
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isPrivate() && !function.isDeclaration())
        entries.push_back(function);
    for (func::FuncOp entry : entries)
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
    SmallVector<Parameter> parameters = parametersOf(entry, nullptr, nullptr);
    for (auto op : checks.getOps<RequireOp>())
      nameValues(op, parameters);
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
  SmallVector<func::FuncOp> entries;
  for (auto function : imported.getOps<func::FuncOp>())
    if (!function.isPrivate() && !function.isDeclaration())
      entries.push_back(function);
  if (llvm::none_of(entries, takesSizes))
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
