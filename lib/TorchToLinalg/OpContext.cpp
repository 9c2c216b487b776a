//===- OpContext.cpp - One Torch op while it is lowered -------------------===//
//
// Operand and result access of operator rows.
//
//===----------------------------------------------------------------------===//
#include "OpContext.h"

#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace kclaw {

int64_t wrapDim(int64_t dim, int64_t rank) {
  return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim;
}

OpContext::OpContext(Operation *op, ValueMap &map, OpBuilder &builder,
                     bool widen)
    : TensorBuilder(builder, op->getLoc(), widen), op(op), known(map) {
  name = torch::opName(op);
  for (Type type : op->getResultTypes()) {
    auto shape = torch::tensorShape(type);
    resultShapes.push_back(shape ? shape->sizes : SmallVector<int64_t>());
  }
}

InFlightDiagnostic OpContext::error() {
  hasFailed = true;
  return emitError(loc) << "cannot lower torch." << name << " to linalg: ";
}

void OpContext::fail(const Twine &why) {
  if (!hasFailed)
    error() << why;
}

//===--- Operands ---------------------------------------------------------===//

void OpContext::takes(unsigned least, unsigned most) {
  unsigned count = op->getNumOperands();
  if (count < least || count > most)
    fail("has " + Twine(count) + " operands, " + Twine(least) +
         (most > least ? " to " + Twine(most) : Twine()) + " expected");
}

std::optional<SmallVector<Value>> OpContext::listElements(unsigned i) const {
  if (i >= op->getNumOperands())
    return std::nullopt;
  return torch::listElements(op->getOperand(i));
}

std::optional<Attribute> OpContext::constantAttr(unsigned i) {
  if (i >= op->getNumOperands())
    return std::nullopt;
  return torch::constantValue(op->getOperand(i));
}

bool OpContext::has(unsigned i) const {
  if (i >= op->getNumOperands())
    return false;
  auto constant = torch::constantValue(op->getOperand(i));
  return !constant || !isa<UnitAttr>(*constant);
}

bool OpContext::isTensor(unsigned i) const {
  return i < op->getNumOperands() &&
         torch::tensorShape(op->getOperand(i).getType()).has_value();
}

/// A placeholder that keeps a failed row going.
static Tensor harmless(TensorBuilder &t) { return t.fill({}, t.f32(), 0.0); }

static std::optional<Tensor> lookup(const ValueMap &known, Value value) {
  auto shape = torch::tensorShape(value.getType());
  Value lowered = known.values.lookup(value);
  if (!lowered || !isa<RankedTensorType>(lowered.getType()) || !shape)
    return std::nullopt;
  return Tensor{lowered, shape->dtype};
}

Tensor OpContext::tensor(unsigned i) {
  if (i < op->getNumOperands())
    if (auto found = lookup(known, op->getOperand(i)))
      return *found;
  fail("operand " + Twine(i) + " is not a tensor of known rank and dtype");
  return harmless(*this);
}

std::optional<Tensor> OpContext::optional(unsigned i) {
  if (!has(i))
    return std::nullopt;
  return tensor(i);
}

SmallVector<std::optional<Tensor>> OpContext::optionalTensors(unsigned i) {
  SmallVector<std::optional<Tensor>> result;
  if (i >= op->getNumOperands()) {
    fail("operand " + Twine(i) + " is missing");
    return result;
  }
  Value list = op->getOperand(i);
  if (auto found = known.lists.find(list); found != known.lists.end()) {
    llvm::append_range(result, found->second);
    return result;
  }
  auto elements = torch::listElements(list);
  if (!elements) {
    fail("operand " + Twine(i) + " is not a list of tensors");
    return result;
  }
  for (Value element : *elements) {
    auto constant = torch::constantValue(element);
    if (constant && isa<UnitAttr>(*constant)) {
      result.push_back(std::nullopt);
      continue;
    }
    result.push_back(lookup(known, element));
    if (!result.back())
      fail("operand " + Twine(i) + " holds something that is not a tensor");
  }
  return result;
}

SmallVector<Tensor> OpContext::tensors(unsigned i) {
  SmallVector<Tensor> result;
  for (const std::optional<Tensor> &element : optionalTensors(i)) {
    if (!element)
      fail("operand " + Twine(i) + " holds a None");
    result.push_back(element ? *element : harmless(*this));
  }
  if (result.empty()) {
    fail("operand " + Twine(i) + " is an empty list");
    result.push_back(harmless(*this));
  }
  return result;
}

Value OpContext::constantOf(Value value) {
  auto attr = torch::constantValue(value);
  if (!attr)
    return {};
  auto typed = dyn_cast<TypedAttr>(*attr);
  if (!typed || !typed.getType().isIntOrFloat())
    return {};
  return arith::ConstantOp::create(b, loc, typed);
}

Value OpContext::scalar(unsigned i) {
  if (i < op->getNumOperands()) {
    Value value = op->getOperand(i);
    if (Value constant = constantOf(value))
      return constant;
    Value lowered = known.values.lookup(value);
    if (lowered && lowered.getType().isIntOrFloat())
      return lowered;
  }
  fail("operand " + Twine(i) + " is not a scalar");
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
}

Num OpContext::scalarIn(Body body, unsigned i, Type dtype) {
  // In a body the builder stands in the region; a constant belongs there.
  Num number = body.wrap(scalar(i));
  number.isUnsigned = number.type().isInteger(1);
  return convert(number, computeType(dtype), isUnsigned(dtype));
}

int64_t OpContext::integer(unsigned i, int64_t otherwise) {
  if (!has(i))
    return otherwise;
  if (auto attr = constantAttr(i)) {
    if (auto value = dyn_cast<BoolAttr>(*attr))
      return value.getValue();
    if (auto value = dyn_cast<IntegerAttr>(*attr))
      return value.getInt();
  }
  if (Value lowered = known.values.lookup(op->getOperand(i)))
    if (std::optional<int64_t> value = getConstantIntValue(lowered))
      return *value;
  fail("operand " + Twine(i) + " must be a constant integer");
  return otherwise;
}

double OpContext::number(unsigned i, double otherwise) {
  if (!has(i))
    return otherwise;
  if (auto attr = constantAttr(i))
    if (auto value = dyn_cast<FloatAttr>(*attr))
      return value.getValueAsDouble();
  return static_cast<double>(integer(i));
}

bool OpContext::flag(unsigned i, bool otherwise) {
  return integer(i, otherwise) != 0;
}

StringRef OpContext::text(unsigned i, StringRef otherwise) {
  if (!has(i))
    return otherwise;
  if (auto attr = constantAttr(i))
    if (auto value = dyn_cast<StringAttr>(*attr))
      return value.getValue();
  fail("operand " + Twine(i) + " must be a constant string");
  return otherwise;
}

OpFoldResult OpContext::sizeAt(unsigned i) {
  if (auto attr = constantAttr(i))
    if (auto value = dyn_cast<IntegerAttr>(*attr))
      return fixed(value.getInt());
  Value value = scalar(i);
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return fixed(*constant);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), value)
      .getResult();
}

Sizes OpContext::sizeList(unsigned i) {
  Sizes result;
  auto elements = listElements(i);
  if (!elements) {
    fail("operand " + Twine(i) + " is not a list of integers");
    return result;
  }
  for (Value element : *elements) {
    if (auto attr = torch::constantValue(element)) {
      if (auto value = dyn_cast<IntegerAttr>(*attr)) {
        result.push_back(fixed(value.getInt()));
        continue;
      }
    } else if (Value lowered = known.values.lookup(element);
               lowered && lowered.getType().isInteger(64)) {
      if (std::optional<int64_t> constant = getConstantIntValue(lowered))
        result.push_back(fixed(*constant));
      else
        result.push_back(
            arith::IndexCastOp::create(b, loc, b.getIndexType(), lowered)
                .getResult());
      continue;
    }
    fail("operand " + Twine(i) + " holds something that is not an integer");
  }
  return result;
}

SmallVector<std::optional<double>> OpContext::numbers(unsigned i) {
  SmallVector<std::optional<double>> result;
  auto elements = listElements(i);
  if (!elements) {
    fail("operand " + Twine(i) + " is not a list of numbers");
    return result;
  }
  for (Value element : *elements) {
    auto attr = torch::constantValue(element);
    result.push_back(std::nullopt);
    if (auto value = attr ? dyn_cast<FloatAttr>(*attr) : FloatAttr())
      result.back() = value.getValueAsDouble();
    else if (auto value = attr ? dyn_cast<IntegerAttr>(*attr) : IntegerAttr())
      result.back() = static_cast<double>(value.getInt());
    else if (!attr || !isa<UnitAttr>(*attr))
      fail("operand " + Twine(i) + " must hold constant numbers");
  }
  return result;
}

Dims OpContext::integers(unsigned i) {
  Dims result;
  if (!has(i))
    return result;
  if (!listElements(i))
    return {integer(i)};
  for (OpFoldResult size : sizeList(i)) {
    std::optional<int64_t> value = getConstantIntValue(size);
    if (!value)
      fail("operand " + Twine(i) + " must hold constant integers");
    result.push_back(value.value_or(1));
  }
  return result;
}

Dims OpContext::integers(unsigned i, size_t count, int64_t otherwise) {
  Dims result = integers(i);
  if (result.empty())
    return Dims(count, otherwise);
  if (result.size() == 1)
    return Dims(count, result[0]);
  if (result.size() != count)
    fail("operand " + Twine(i) + " holds " + Twine(result.size()) +
         " integers, " + Twine(count) + " expected");
  result.resize(count, otherwise);
  return result;
}

int64_t OpContext::dim(unsigned i, int64_t rank, int64_t otherwise) {
  int64_t result = wrapDim(integer(i, otherwise), rank);
  if (result >= 0 && result < std::max<int64_t>(rank, 1))
    return result;
  fail("dim " + Twine(integer(i)) + " is outside of rank " + Twine(rank));
  return 0;
}

Dims OpContext::dims(unsigned i, int64_t rank) {
  Dims result;
  for (int64_t dim : integers(i))
    result.push_back(wrapDim(dim, rank));
  if (result.empty())
    llvm::append_range(result, dimRange(0, rank));
  for (int64_t dim : result)
    if (dim < 0 || dim >= std::max<int64_t>(rank, 1))
      fail("a dim is outside of rank " + Twine(rank));
  if (rank == 0 || failed())
    result.clear();
  llvm::sort(result);
  if (auto twice = std::adjacent_find(result.begin(), result.end());
      twice != result.end()) {
    fail("dim " + Twine(*twice) + " appears more than once");
    result.clear();
  }
  return result;
}

//===--- Results ----------------------------------------------------------===//

Type OpContext::dtype(unsigned result) const {
  if (result < op->getNumResults())
    if (auto shape = torch::tensorShape(op->getResult(result).getType()))
      return shape->dtype;
  return f32();
}

ArrayRef<int64_t> OpContext::resultShape(unsigned result) const {
  return result < resultShapes.size() ? ArrayRef<int64_t>(resultShapes[result])
                                      : ArrayRef<int64_t>();
}

bool OpContext::used(unsigned result) const {
  return result < op->getNumResults() && !op->getResult(result).use_empty();
}

bool OpContext::hasResult(unsigned result) {
  if (result >= op->getNumResults())
    fail("has " + Twine(op->getNumResults()) + " results, at least " +
         Twine(result + 1) + " expected");
  return !failed();
}

void OpContext::set(unsigned result, Tensor tensor) {
  if (!hasResult(result))
    return;
  Type type = op->getResult(result).getType();
  if (!torch::tensorShape(type))
    return fail("result " + Twine(result) + " has unknown rank or dtype");
  tensor = convertTo(tensor, dtype(result));
  ArrayRef<int64_t> declared = resultShape(result);
  bool fits = tensor.rank() == static_cast<int64_t>(declared.size());
  for (auto [got, want] : llvm::zip(tensor.shape(), declared))
    fits &= got == want || ShapedType::isDynamic(got) ||
            ShapedType::isDynamic(want);
  if (!fits) {
    error() << "computes " << tensor.type() << " but the result is declared "
            << type;
    return;
  }
  // Keep what is known: a static size stays static.
  Dims shape;
  for (auto [got, want] : llvm::zip(tensor.shape(), declared))
    shape.push_back(ShapedType::isDynamic(got) ? want : got);
  known.values[op->getResult(result)] = castShape(tensor, shape).value;
}

void OpContext::setScalar(Value value) {
  if (hasResult(0))
    known.values[op->getResult(0)] = value;
}

void OpContext::setList(ArrayRef<Tensor> tensors) {
  if (hasResult(0))
    known.lists[op->getResult(0)] = llvm::to_vector(tensors);
}

} // namespace kclaw
