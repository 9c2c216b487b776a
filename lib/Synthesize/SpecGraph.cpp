//===- SpecGraph.cpp - Torch ops as a small op graph ----------------------===//
//
// Constants and lists of them become literals of the ops that use them; lists
// of tensors become several values; an op that makes a list has the list's
// elements as results. In a list of sizes -1 stands for a dynamic one.
//
//===----------------------------------------------------------------------===//
#include "SpecParts.h"

#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace kclaw::synthesize {

std::optional<DType> toDType(Type type) {
  if (type.isF64())
    return DType::f64;
  if (type.isF32())
    return DType::f32;
  if (type.isF16())
    return DType::f16;
  if (type.isBF16())
    return DType::bf16;
  if (type.isInteger(1))
    return DType::boolean;
  if (type.isUnsignedInteger(8))
    return DType::u8;
  static const std::pair<unsigned, DType> integers[] = {
      {64, DType::i64}, {32, DType::i32}, {16, DType::i16}, {8, DType::i8}};
  for (auto [width, dtype] : integers)
    if (type.isSignedInteger(width))
      return dtype;
  return std::nullopt;
}

namespace {
class GraphBuilder {
public:
  FailureOr<GraphBuild> build(func::FuncOp region);
  FailureOr<GraphBuild> buildBorder(func::FuncOp function);

private:
  LogicalResult addArguments(func::FuncOp region);
  LogicalResult addValue(Value value, Location loc);
  LogicalResult addOp(Operation *op);
  LogicalResult addLiteral(torch::ValueTensorLiteralOp op);
  FailureOr<GraphOperand> operand(Value value, Location loc);
  std::optional<Literal> listLiteral(ArrayRef<Value> elements);

  GraphBuild result;
};
} // namespace

static bool isTensor(Value value) {
  return isa<torch::ValueTensorType>(value.getType());
}

static GraphOperand literalOperand(Literal literal) {
  GraphOperand operand;
  operand.literal = std::move(literal);
  return operand;
}

static Literal toLiteral(Attribute attribute) {
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return boolean.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getInt();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.getValue().str();
  return std::monostate();
}

/// Host scalars that are not constants enter as rank-0 values.
LogicalResult GraphBuilder::addValue(Value value, Location loc) {
  GraphValue entry;
  if (isa<torch::IntType>(value.getType())) {
    entry.dtype = DType::i64;
  } else {
    auto shape = torch::tensorShape(value.getType());
    auto dtype = shape ? toDType(shape->dtype) : std::nullopt;
    if (!dtype)
      return emitError(loc)
             << "a region cannot hold a value of type " << value.getType();
    entry.dtype = *dtype;
    for (int64_t size : shape->sizes)
      entry.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  }
  result.valueOf[value] = int(result.graph.values.size());
  result.graph.values.push_back(std::move(entry));
  return success();
}

template <typename T>
static std::optional<Literal> listOf(ArrayRef<Literal> literals) {
  std::vector<T> list;
  for (const Literal &literal : literals) {
    if (!std::holds_alternative<T>(literal))
      return std::nullopt;
    list.push_back(std::get<T>(literal));
  }
  return Literal(std::move(list));
}

/// A list of equal kinds of constants; dynamic ints are -1.
std::optional<Literal> GraphBuilder::listLiteral(ArrayRef<Value> elements) {
  SmallVector<Literal> literals;
  for (Value element : elements) {
    auto constant = torch::constantValue(element);
    if (constant)
      literals.push_back(toLiteral(*constant));
    else if (isa<torch::IntType>(element.getType()))
      literals.push_back(int64_t(-1));
    else
      return std::nullopt;
  }
  for (auto list : {listOf<int64_t>, listOf<double>, listOf<bool>})
    if (auto literal = list(literals))
      return literal;
  return std::nullopt;
}

FailureOr<GraphOperand> GraphBuilder::operand(Value value, Location loc) {
  if (auto known = result.valueOf.find(value); known != result.valueOf.end())
    return GraphOperand{{known->second}, {}};
  if (auto constant = torch::constantValue(value))
    return literalOperand(toLiteral(*constant));
  auto elements = torch::listElements(value);
  if (!elements)
    return failure();
  if (auto literal = listLiteral(*elements))
    return literalOperand(std::move(*literal));
  GraphOperand tensors;
  for (Value element : *elements) {
    auto known = result.valueOf.find(element);
    bool isNone = isa<torch::NoneType>(element.getType());
    if (known == result.valueOf.end() && !isNone)
      return failure();
    tensors.values.push_back(isNone ? -1 : known->second);
  }
  return tensors;
}

/// A splat is an op with one literal operand.
LogicalResult GraphBuilder::addLiteral(torch::ValueTensorLiteralOp op) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return op.emitOpError() << "is no splat; a region takes other literals as "
                               "arguments";
  if (failed(addValue(op.getResult(), op.getLoc())))
    return failure();
  Literal literal;
  Type type = splat.getElementType();
  if (isa<mlir::FloatType>(type)) {
    APFloat value = splat.getSplatValue<APFloat>();
    bool loses;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    literal = value.convertToDouble();
  } else if (type.isInteger(1)) {
    literal = splat.getSplatValue<bool>();
  } else {
    APInt value = splat.getSplatValue<APInt>();
    literal = int64_t(type.isUnsignedInteger() ? value.getZExtValue()
                                               : value.getSExtValue());
  }
  result.graph.ops.push_back({"vtensor.literal",
                              {literalOperand(std::move(literal))},
                              {result.valueOf[op.getResult()]}});
  return success();
}

/// Results as the graph shows them: a list's elements instead of the list.
static SmallVector<Value> graphResults(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<torch::ListType>(op->getResult(0).getType()))
    return SmallVector<Value>(op->getResults());
  for (Operation *user : op->getResult(0).getUsers())
    if (torch::opName(user) == "prim.ListUnpack")
      return SmallVector<Value>(user->getResults());
  return {};
}

/// Ops that only serve others' literals and lists.
static bool isFolded(Operation *op) {
  StringRef name = torch::opName(op);
  return name == "prim.ListConstruct" || name == "prim.ListUnpack" ||
         (op->getNumResults() == 1 &&
          torch::constantValue(op->getResult(0)).has_value());
}

LogicalResult GraphBuilder::addOp(Operation *op) {
  if (isFolded(op))
    return success();
  if (auto literal = dyn_cast<torch::ValueTensorLiteralOp>(op))
    return addLiteral(literal);
  GraphOp entry;
  entry.name = torch::opName(op).str();
  for (Value value : op->getOperands()) {
    FailureOr<GraphOperand> converted = operand(value, op->getLoc());
    if (failed(converted))
      return op->emitError()
             << "'" << entry.name
             << "' has an operand that no spec can hold: " << value.getType();
    entry.operands.push_back(std::move(*converted));
  }
  for (Value value : graphResults(op)) {
    if (failed(addValue(value, op->getLoc())))
      return failure();
    entry.results.push_back(result.valueOf[value]);
  }
  result.graph.ops.push_back(std::move(entry));
  return success();
}

LogicalResult GraphBuilder::addArguments(func::FuncOp region) {
  for (BlockArgument argument : region.getArguments()) {
    if (!isTensor(argument))
      return region.emitError()
             << "argument " << argument.getArgNumber() << " of region '"
             << region.getName() << "' is no tensor: " << argument.getType();
    if (failed(addValue(argument, region.getLoc())))
      return failure();
    result.graph.arguments.push_back(result.valueOf[argument]);
  }
  return success();
}

FailureOr<GraphBuild> GraphBuilder::buildBorder(func::FuncOp function) {
  if (failed(addArguments(function)))
    return failure();
  for (Value value : function.front().getTerminator()->getOperands()) {
    bool known = result.valueOf.contains(value);
    if (!known && failed(addValue(value, function.getLoc())))
      return failure();
    result.graph.results.push_back(result.valueOf[value]);
  }
  return std::move(result);
}

FailureOr<GraphBuild> GraphBuilder::build(func::FuncOp region) {
  if (failed(addArguments(region)))
    return failure();
  for (Operation &op : region.front().without_terminator())
    if (failed(addOp(&op)))
      return failure();
  for (Value value : region.front().getTerminator()->getOperands()) {
    auto known = result.valueOf.find(value);
    if (known == result.valueOf.end())
      return region.emitError() << "region '" << region.getName()
                                << "' returns a " << value.getType();
    result.graph.results.push_back(known->second);
  }
  return std::move(result);
}

FailureOr<GraphBuild> buildGraph(func::FuncOp region) {
  return GraphBuilder().build(region);
}

FailureOr<GraphBuild> buildBorder(func::FuncOp function) {
  return GraphBuilder().buildBorder(function);
}

} // namespace kclaw::synthesize
