//===- Entries.cpp - Public functions to form M ---------------------------===//
//
// Builds the new function beside the old one, op by op: calls, constants and
// literals, the return. Anything else is Torch IR that no region took.
//
//===----------------------------------------------------------------------===//
#include "Entries.h"
#include "Types.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kclaw;

namespace {

/// Attributes of form M that Lower reads: how many of the last arguments are
/// results (i64), a result that is a host scalar (unit), a dtype that the
/// builtin type lost (string).
constexpr llvm::StringLiteral numResultsAttrName = "claw.num_results";
constexpr llvm::StringLiteral scalarAttrName = "claw.scalar";
constexpr llvm::StringLiteral dtypeAttrName = "claw.dtype";

/// The same bytes under a signless element type.
FailureOr<ElementsAttr> signless(ElementsAttr value, MemRefType type,
                                 Location loc) {
  auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
  if (value.getShapedType() == tensor)
    return value;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return ElementsAttr(
        DenseResourceElementsAttr::get(tensor, resource.getRawHandle()));
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return ElementsAttr(
        DenseElementsAttr::getFromRawBuffer(tensor, dense.getRawData()));
  return emitError(loc) << "literal is neither dense nor a resource";
}

class EntryRewriter {
public:
  EntryRewriter(func::FuncOp entry, const RegionShapes &regions)
      : old(entry), regions(regions), b(entry), loc(entry.getLoc()) {}

  LogicalResult run() {
    if (!old.getBody().hasOneBlock())
      return old.emitError("has branches; an embedded module needs straight "
                           "code");
    if (failed(makeFunction()))
      return failure();
    for (Operation &op : old.front())
      if (failed(rewrite(op)))
        return failure();
    std::string name = old.getName().str();
    old.erase();
    fresh.setName(name);
    return success();
  }

private:
  func::FuncOp old, fresh;
  const RegionShapes &regions;
  OpBuilder b;
  Location loc;
  IRMapping values;                    ///< old value -> memref or scalar
  SmallVector<Value> outputs;          ///< result arguments
  llvm::DenseMap<Value, Value> direct; ///< old value -> the result it becomes
  /// Dynamic sizes of old values, as index values.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> sizes;

  func::ReturnOp oldReturn() {
    return cast<func::ReturnOp>(old.front().getTerminator());
  }

  LogicalResult makeFunction() {
    SmallVector<Type> types;
    for (Type type : old.getArgumentTypes()) {
      FailureOr<Type> converted = embeddedType(type, loc);
      if (failed(converted))
        return failure();
      types.push_back(*converted);
    }
    SmallVector<bool> scalars;
    for (Type type : old.getResultTypes()) {
      FailureOr<Type> converted = embeddedType(type, loc);
      if (failed(converted))
        return failure();
      scalars.push_back(!isa<MemRefType>(*converted));
      types.push_back(scalars.back() ? Type(MemRefType::get({}, *converted))
                                     : *converted);
    }
    SmallVector<Type> returned;
    for (Type type : ArrayRef(types).drop_front(old.getNumArguments()))
      returned.append(cast<MemRefType>(type).getNumDynamicDims(),
                      b.getIndexType());
    fresh = func::FuncOp::create(b, loc, (old.getName() + "__m").str(),
                                 b.getFunctionType(types, returned));
    Block *body = fresh.addEntryBlock();
    unsigned arguments = old.getNumArguments();
    keepAttributes(arguments, scalars);
    for (auto [from, to] : llvm::zip(old.getArguments(), body->getArguments()))
      values.map(from, to);
    outputs.assign(body->args_begin() + arguments, body->args_end());
    for (auto [value, out] : llvm::zip(oldReturn().getOperands(), outputs))
      if (value.getDefiningOp<func::CallOp>())
        direct.try_emplace(value, out);
    b.setInsertionPointToEnd(body);
    return success();
  }

  void keepAttributes(unsigned arguments, ArrayRef<bool> scalars) {
    for (NamedAttribute attribute : old->getDiscardableAttrs())
      fresh->setDiscardableAttr(attribute.getName(), attribute.getValue());
    fresh->setAttr(numResultsAttrName, b.getI64IntegerAttr(scalars.size()));
    for (unsigned i = 0; i < arguments; ++i) {
      if (DictionaryAttr attributes = old.getArgAttrDict(i))
        fresh.setArgAttrs(i, attributes);
      noteUnsigned(i, old.getArgumentTypes()[i]);
    }
    for (auto [i, scalar] : llvm::enumerate(scalars)) {
      if (DictionaryAttr attributes = old.getResultAttrDict(i))
        fresh.setArgAttrs(arguments + i, attributes);
      noteUnsigned(arguments + i, old.getResultTypes()[i]);
      if (scalar)
        fresh.setArgAttr(arguments + i, scalarAttrName, b.getUnitAttr());
    }
  }

  /// A dynamic size of an old value that has a memref already.
  Value sizeOf(Value value, int64_t dim) {
    Value &size = sizes[{value, dim}];
    if (!size) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&fresh.front());
      size = memref::DimOp::create(b, loc, values.lookup(value), dim);
    }
    return size;
  }

  /// Signless types lose that ui8 is not si8.
  void noteUnsigned(unsigned index, Type type) {
    std::optional<torch::TensorShape> shape = torch::tensorShape(type);
    if (shape && shape->dtype.isUnsignedInteger(8))
      fresh.setArgAttr(index, dtypeAttrName, b.getStringAttr("u8"));
  }

  LogicalResult rewrite(Operation &op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      return rewriteCall(call);
    if (auto ret = dyn_cast<func::ReturnOp>(op))
      return rewriteReturn(ret);
    if (auto literal = dyn_cast<torch::ValueTensorLiteralOp>(op))
      return rewriteLiteral(literal);
    if (op.hasTrait<OpTrait::ConstantLike>() || isDroppedInEntry(op))
      return rewriteConstant(op);
    StringRef name = torch::opName(&op);
    return op.emitError("op '")
           << (name.empty() ? op.getName().getStringRef() : name)
           << "' is in no region and has no device code"
           << (torch::isRandom(name)
                   ? "; random ops are not lowered to CUDA yet"
                   : "; it cannot be lowered for device=cuda");
  }

  LogicalResult rewriteCall(func::CallOp call) {
    SmallVector<Value> operands;
    for (Value operand : call.getOperands()) {
      Value mapped = values.lookupOrNull(operand);
      if (!mapped)
        return call.emitError("operand of type ")
               << operand.getType() << " has no value in device code";
      operands.push_back(mapped);
    }
    for (Value result : call.getResults()) {
      FailureOr<Type> type = embeddedType(result.getType(), call.getLoc());
      if (failed(type) || !isa<MemRefType>(*type))
        return call.emitError("result of type ")
               << result.getType() << " is no tensor";
      auto memref = cast<MemRefType>(*type);
      FailureOr<SmallVector<Value>> dynamic =
          resultSizes(call, cast<OpResult>(result).getResultNumber(), memref);
      if (failed(dynamic))
        return failure();
      Value out = direct.lookup(result);
      if (!out)
        out = memref::AllocOp::create(b, call.getLoc(), memref, *dynamic,
                                      b.getI64IntegerAttr(256));
      values.map(result, out);
      operands.push_back(out);
    }
    func::CallOp::create(b, call.getLoc(), call.getCallee(), TypeRange{},
                         operands);
    return success();
  }

  /// The dynamic sizes of a call's result, noted in `sizes` too.
  FailureOr<SmallVector<Value>> resultSizes(func::CallOp call, unsigned index,
                                            MemRefType type) {
    SmallVector<Value> dynamic;
    if (type.hasStaticShape())
      return dynamic;
    auto known = regions.find(call.getCallee().str());
    if (known == regions.end() || index >= known->second.results.size())
      return call.emitError("result has dynamic shape ")
             << type << ", and the plan of @" << call.getCallee()
             << " does not say its sizes";
    const RegionShape &shape = known->second;
    SmallVector<Value> mapped;
    for (Value operand : call.getOperands())
      mapped.push_back(values.lookup(operand));
    NameValues names = shape.names.values(
        b, call.getLoc(), mapped, [&](unsigned i, int64_t dim) {
          return sizeOf(call.getOperand(i), dim);
        });
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Expected<OpFoldResult> size =
          emitExpr(b, call.getLoc(), shape.results[index][dim], names);
      if (!size)
        return call.emitError("size ")
               << dim << " of result " << index << ": " << size.error().message;
      dynamic.push_back(
          getValueOrCreateConstantIndexOp(b, call.getLoc(), *size));
      sizes[{call.getResult(index), dim}] = dynamic.back();
    }
    return dynamic;
  }

  LogicalResult rewriteReturn(func::ReturnOp ret) {
    for (auto [value, out] : llvm::zip(ret.getOperands(), outputs)) {
      Value source = values.lookupOrNull(value);
      if (source == out)
        continue;
      if (!source)
        return ret.emitError("returns a value of type ")
               << value.getType() << " that no region computes";
      if (isa<MemRefType>(source.getType()))
        copy(ret.getLoc(), value, out);
      else
        memref::StoreOp::create(b, ret.getLoc(), source, out);
    }
    SmallVector<Value> returned;
    for (auto [value, out] : llvm::zip(ret.getOperands(), outputs))
      forEachDynamic(
          out, [&](int64_t dim) { returned.push_back(sizeOf(value, dim)); });
    func::ReturnOp::create(b, ret.getLoc(), returned);
    return success();
  }

  void forEachDynamic(Value memref, function_ref<void(int64_t)> visit) {
    auto type = cast<MemRefType>(memref.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        visit(dim);
  }

  void copy(Location at, Value value, Value target) {
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, at, value, 64);
    };
    Value source = values.lookup(value);
    Value zero = number(0),
          bytes = number(byteSize(cast<MemRefType>(source.getType())));
    forEachDynamic(source, [&](int64_t dim) {
      Value size =
          arith::IndexCastOp::create(b, at, b.getI64Type(), sizeOf(value, dim));
      bytes = arith::MulIOp::create(b, at, bytes, size);
    });
    claw::CopyStepOp::create(b, at, source, zero, bytes, target, zero, bytes,
                             bytes, number(1));
  }

  LogicalResult rewriteLiteral(torch::ValueTensorLiteralOp literal) {
    FailureOr<Type> type =
        embeddedType(literal.getResult().getType(), literal.getLoc());
    if (failed(type))
      return failure();
    auto memref = cast<MemRefType>(*type);
    FailureOr<ElementsAttr> bytes =
        signless(literal.getValue(), memref, literal.getLoc());
    if (failed(bytes))
      return failure();
    auto module = old->getParentOfType<ModuleOp>();
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    std::string symbol;
    for (int i = 0; symbol.empty() || module.lookupSymbol(symbol); ++i)
      symbol = (old.getName() + "_literal" + std::to_string(i)).str();
    memref::GlobalOp::create(top, literal.getLoc(), symbol,
                             top.getStringAttr("private"), memref, *bytes,
                             /*constant=*/true, top.getI64IntegerAttr(256));
    values.map(literal.getResult(),
               memref::GetGlobalOp::create(b, literal.getLoc(), memref, symbol)
                   .getResult());
    return success();
  }

  /// A scalar that is returned or passed on; other constants just go.
  LogicalResult rewriteConstant(Operation &op) {
    if (op.getNumResults() != 1 || op.use_empty())
      return success();
    std::optional<Attribute> value = torch::constantValue(op.getResult(0));
    auto typed = value ? dyn_cast<TypedAttr>(*value) : TypedAttr();
    if (typed && typed.getType().isIntOrFloat())
      values.map(op.getResult(0),
                 arith::ConstantOp::create(b, op.getLoc(), typed).getResult());
    return success();
  }
};

} // namespace

bool kclaw::isDroppedInEntry(Operation &op) {
  if (isa<torch::SymbolicIntOp, torch::BindSymbolicShapeOp>(op))
    return true; // only names for sizes
  return op.use_empty() && !isa<torch::OverwriteTensorContentsOp>(op);
}

LogicalResult kclaw::rewriteEntry(func::FuncOp entry,
                                  const RegionShapes &regions) {
  return EntryRewriter(entry, regions).run();
}
