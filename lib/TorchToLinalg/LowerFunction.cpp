//===- LowerFunction.cpp - Torch functions to linalg on tensors -----------===//
//
// Walks a function's block in order, looks each Torch op up in the operator
// table, and keeps a map from Torch values to their lowered form. New ops are
// built before the old ones; the old ones are erased at the end.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/TorchToLinalg/TorchToLinalg.h"

#include "OpTable.h"

#include "kernelclaw/Support/ByteSize.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kclaw {

static bool isTorchType(Type type) {
  return type.getDialect().getNamespace() == "torch";
}

/// Text of a type without parameters ("!torch.int"): the classes belong to
/// whichever Torch dialect is loaded.
static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The builtin type of a function argument or result; null when there is none.
static Type borderType(Type type, bool widen) {
  if (!isTorchType(type))
    return type;
  if (auto shape = torch::tensorShape(type)) {
    Type element = torch::builtinElementType(shape->dtype);
    if (!element || !TensorType::isValidElementType(element))
      return {};
    if (widen && isa<FloatType>(element))
      element = Float64Type::get(type.getContext());
    return RankedTensorType::get(shape->sizes, element);
  }
  std::string text = typeText(type);
  MLIRContext *context = type.getContext();
  if (text == "!torch.int")
    return IntegerType::get(context, 64);
  if (text == "!torch.bool")
    return IntegerType::get(context, 1);
  if (text == "!torch.float")
    return Float64Type::get(context);
  return {};
}

/// Whether a type can be told to be too large for any memory: sizes are i64
/// everywhere below.
static bool exceedsMemory(Type type) {
  auto shape = torch::tensorShape(type);
  Type element = shape ? torch::builtinElementType(shape->dtype) : Type();
  if (!element || !element.isIntOrFloat())
    return false;
  int64_t elementBytes = (element.getIntOrFloatBitWidth() + 7) / 8;
  return !byteSize(shape->sizes, elementBytes);
}

/// Says so of the first such type at `loc`.
static LogicalResult checkSizes(Location loc, TypeRange types) {
  for (Type type : types)
    if (exceedsMemory(type))
      return emitError(loc)
             << "cannot lower " << type << ": it has more than 2^63-1 bytes";
  return success();
}

namespace {
class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, const LinalgOptions &options)
      : function(function), builder(function.getContext()),
        widen(options.widenToF64), keepConvolutions(options.keepConvolutions) {}
  LogicalResult run();

private:
  LogicalResult addArguments();
  LogicalResult lower(Operation *op);
  LogicalResult lowerReturn(func::ReturnOp op);
  LogicalResult lowerCall(func::CallOp op);
  void widenArgument(Value old, Value argument);
  FailureOr<Value> lowered(Operation *user, Value value, Type type);
  LogicalResult setType();

  func::FuncOp function;
  OpBuilder builder;
  bool widen, keepConvolutions;
  ValueMap map;
  SmallVector<Operation *> old;
  unsigned oldArguments = 0;
};
} // namespace

/// In widened mode a float argument keeps its dtype and is read as f64.
void FunctionLowering::widenArgument(Value old, Value argument) {
  auto shape = torch::tensorShape(old.getType());
  TensorBuilder tensors(builder, old.getLoc(), widen);
  map.values[old] =
      shape ? tensors.convertTo({argument, shape->dtype}, shape->dtype).value
            : argument;
}

LogicalResult FunctionLowering::addArguments() {
  Block &block = function.front();
  oldArguments = block.getNumArguments();
  for (unsigned i = 0; i < oldArguments; ++i) {
    BlockArgument argument = block.getArgument(i);
    bool mutated =
        StringRef(typeText(argument.getType())).starts_with("!torch.tensor");
    Type type = borderType(argument.getType(), false);
    if (!type || mutated)
      return function.emitError()
             << "cannot lower argument " << i << " of type "
             << argument.getType()
             << (mutated ? ": the program writes its input; export it with "
                           "value semantics"
                         : ": a tensor of known rank and dtype, int, float or "
                           "bool expected");
    if (failed(checkSizes(argument.getLoc(), argument.getType())))
      return failure();
    block.addArgument(type, argument.getLoc());
  }
  for (unsigned i = 0; i < oldArguments; ++i)
    widenArgument(block.getArgument(i), block.getArgument(oldArguments + i));
  return success();
}

/// The lowered form of a value as `type`.
FailureOr<Value> FunctionLowering::lowered(Operation *user, Value value,
                                           Type type) {
  Value result = map.values.lookup(value);
  if (!result) {
    auto constant = torch::constantValue(value);
    auto typed = constant ? dyn_cast<TypedAttr>(*constant) : TypedAttr();
    if (typed && typed.getType() == type)
      return arith::ConstantOp::create(builder, user->getLoc(), typed)
          .getResult();
  }
  if (!result || !type)
    return user->emitError() << "cannot lower a value of type "
                             << value.getType() << " that leaves the function";
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped)
    return result;
  TensorBuilder tensors(builder, user->getLoc(), widen);
  tensors.name = user->getName().stripDialect();
  Value fitted = tensors.castShape({result, Type()}, shaped.getShape()).value;
  if (tensors.failed())
    return failure();
  return fitted;
}

LogicalResult FunctionLowering::lowerReturn(func::ReturnOp op) {
  SmallVector<Value> results;
  for (Value operand : op.getOperands()) {
    FailureOr<Value> value =
        lowered(op, operand, borderType(operand.getType(), widen));
    if (failed(value))
      return failure();
    results.push_back(*value);
  }
  func::ReturnOp::create(builder, op.getLoc(), results);
  return success();
}

/// Callees are lowered by the same pass with the same border types. Widened
/// calls would need arguments in their own dtype, so they are refused.
LogicalResult FunctionLowering::lowerCall(func::CallOp op) {
  if (widen)
    return op.emitError("cannot widen a call to f64: inline it first");
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (Value operand : op.getOperands()) {
    FailureOr<Value> value =
        lowered(op, operand, borderType(operand.getType(), false));
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  for (Type type : op.getResultTypes())
    types.push_back(borderType(type, false));
  if (llvm::is_contained(types, Type()))
    return op.emitError("cannot lower the type of a call's result");
  auto call = func::CallOp::create(builder, op.getLoc(), op.getCallee(), types,
                                   operands);
  for (auto [from, to] : llvm::zip(op.getResults(), call.getResults()))
    map.values[from] = to;
  return success();
}

LogicalResult FunctionLowering::lower(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto ret = dyn_cast<func::ReturnOp>(op))
    return lowerReturn(ret);
  if (auto call = dyn_cast<func::CallOp>(op))
    return lowerCall(call);
  StringRef name = torch::opName(op);
  if (name.empty())
    return op->emitError() << "cannot lower " << op->getName()
                           << " inside a Torch function";
  // Scalars, None, strings and lists are read where they are used.
  if (name.starts_with("constant.") || name == "prim.ListConstruct" ||
      name == "symbolic_int" || name == "bind_symbolic_shape")
    return success();
  const OpRow *row = findRow(name);
  if (!row)
    return op->emitError() << "cannot lower torch." << name
                           << " to linalg: no row in the operator table";
  if (failed(checkSizes(op->getLoc(), op->getResultTypes())))
    return failure();
  OpContext context(op, map, builder, widen);
  context.keepConvolutions = keepConvolutions;
  row->lower(context);
  return failure(context.failed());
}

LogicalResult FunctionLowering::setType() {
  Block &block = function.front();
  block.eraseArguments(0, oldArguments);
  auto ret = cast<func::ReturnOp>(block.getTerminator());
  function.setType(
      builder.getFunctionType(block.getArgumentTypes(), ret.getOperandTypes()));
  return success();
}

LogicalResult FunctionLowering::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError("cannot lower a function with several blocks");
  for (Operation &op : function.front())
    old.push_back(&op);
  builder.setInsertionPointToStart(&function.front());
  if (failed(addArguments()))
    return failure();
  for (Operation *op : old)
    if (failed(lower(op)))
      return failure();
  for (Operation *op : llvm::reverse(old))
    op->erase();
  return setType();
}

/// A declaration, or a function without Torch types, needs no body lowering.
static bool hasTorchTypes(func::FuncOp function) {
  bool found = false;
  function.walk([&](Operation *op) { found |= !torch::opName(op).empty(); });
  return found || llvm::any_of(function.getArgumentTypes(), isTorchType) ||
         llvm::any_of(function.getResultTypes(), isTorchType);
}

LogicalResult lowerTorchToLinalg(func::FuncOp function,
                                 const LinalgOptions &options) {
  if (!hasTorchTypes(function))
    return success();
  if (!function.isDeclaration())
    return FunctionLowering(function, options).run();
  SmallVector<Type> arguments, results;
  for (Type type : function.getArgumentTypes())
    arguments.push_back(borderType(type, false));
  for (Type type : function.getResultTypes())
    results.push_back(borderType(type, options.widenToF64));
  if (llvm::is_contained(arguments, Type()) ||
      llvm::is_contained(results, Type()))
    return function.emitError("cannot lower the type of a declaration");
  function.setType(
      FunctionType::get(function.getContext(), arguments, results));
  return success();
}

} // namespace kclaw
