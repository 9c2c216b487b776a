//===- HostToPlan.cpp - Launches and buffers as a recipe ------------------===//
//
// Each gpu.launch_func becomes a kernel step; allocations become workspaces,
// and one whose last reader has run is given to a later one that fits. Sizes
// are expressions over the names of dimensions and scalar arguments.
//
//===----------------------------------------------------------------------===//
#include "HostToPlan.h"
#include "HostExpr.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace kclaw;

int64_t kclaw::elementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

namespace {

void appendLittleEndian(std::vector<uint8_t> &bytes, const llvm::APInt &value,
                        int64_t width) {
  llvm::APInt wide = value.zext(std::max<unsigned>(64, value.getBitWidth()));
  for (int64_t i = 0; i < width; ++i)
    bytes.push_back(wide.extractBitsAsZExtValue(8, 8 * i));
}

/// The bytes of a constant as the device sees it.
FailureOr<std::vector<uint8_t>> constantBytes(memref::GlobalOp global) {
  std::vector<uint8_t> bytes;
  Attribute value = global.getConstantInitValue();
  if (!value)
    return global.emitOpError("has no constant value to upload");
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return global.emitOpError("names resource '")
             << resource.getRawHandle().getKey() << "' without data";
    ArrayRef<char> data = blob->getData();
    bytes.assign(data.begin(), data.end());
    return bytes;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return global.emitOpError("has a constant of an unknown kind");
  int64_t width = elementBytes(dense.getElementType());
  bytes.reserve(dense.getNumElements() * width);
  if (isa<FloatType>(dense.getElementType()))
    for (const llvm::APFloat &element : dense.getValues<llvm::APFloat>())
      appendLittleEndian(bytes, element.bitcastToAPInt(), width);
  else
    for (const llvm::APInt &element : dense.getValues<llvm::APInt>())
      appendLittleEndian(bytes, element, width);
  return bytes;
}

class PlanBuilder {
public:
  PlanBuilder(func::FuncOp host, const ArgumentName &name)
      : host(host), name(name) {}

  FailureOr<ExportedPlan> run(unsigned arguments) {
    addBoundary(arguments);
    findLastUses();
    int64_t position = 0;
    for (auto launch : host.getOps<gpu::LaunchFuncOp>()) {
      if (failed(addLaunch(launch)))
        return failure();
      releaseAfter(position++);
    }
    ExportedPlan result;
    if (failed(addResultDims(arguments, result.resultDims)))
      return failure();
    result.plan = std::move(plan);
    return result;
  }

private:
  struct Workspace {
    size_t buffer; ///< in plan.buffers
    Expr bytes;
  };

  func::FuncOp host;
  const ArgumentName &name;
  Plan plan;
  llvm::DenseMap<Value, std::string> names;
  llvm::DenseMap<Value, int64_t> lastUse; ///< position of a launch
  llvm::MapVector<Value, Workspace> live; ///< in order of first use
  std::vector<Workspace> idle;
  int workspaces = 0, constants = 0;

  void addBoundary(unsigned arguments) {
    for (BlockArgument argument : host.getArguments()) {
      if (!isa<MemRefType>(argument.getType()))
        continue;
      bool input = argument.getArgNumber() < arguments;
      PlanBuffer buffer;
      buffer.kind =
          input ? PlanBuffer::Kind::Argument : PlanBuffer::Kind::Result;
      buffer.index = argument.getArgNumber() - (input ? 0 : arguments);
      buffer.name = (input ? "arg" : "res") + std::to_string(buffer.index);
      names[argument] = buffer.name;
      plan.buffers.push_back(buffer);
    }
  }

  void findLastUses() {
    int64_t position = 0;
    for (auto launch : host.getOps<gpu::LaunchFuncOp>()) {
      for (Value operand : launch.getKernelOperands())
        if (isa<MemRefType>(operand.getType()))
          lastUse[rootBuffer(operand)] = position;
      ++position;
    }
  }

  void releaseAfter(int64_t position) {
    for (auto it = live.begin(), end = live.end(); it != end; ++it)
      if (lastUse[it->first] == position) {
        idle.push_back(it->second);
        lastUse[it->first] = -1;
      }
  }

  /// Bytes of an allocation.
  FailureOr<Expr> allocatedBytes(memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    int64_t fixed = elementBytes(type.getElementType());
    for (int64_t size : type.getShape())
      fixed *= ShapedType::isDynamic(size) ? 1 : size;
    Expr bytes(fixed);
    for (Value size : alloc.getDynamicSizes()) {
      FailureOr<Expr> factor = expression(alloc, size, "a temporary's size");
      if (failed(factor))
        return failure();
      bytes = multiply(*factor, bytes);
    }
    return bytes;
  }

  FailureOr<Expr> expression(Operation *op, Value value, const char *what) {
    FailureOr<Expr> expr = hostExpr(value, name);
    if (failed(expr))
      return op->emitOpError("has ")
             << what
             << " that is no integer expression over dimensions and integer "
                "arguments; a plan cannot hold it";
    return expr;
  }

  /// Whether a buffer of `space` may hold `bytes` without much waste.
  static bool fits(const Expr &space, const Expr &bytes) {
    Expected<int64_t> have = space.evaluate({}), need = bytes.evaluate({});
    if (!have || !need)
      return space.str() == bytes.str();
    return *have >= *need && *have <= 2 * *need;
  }

  LogicalResult addWorkspace(memref::AllocOp alloc) {
    FailureOr<Expr> bytes = allocatedBytes(alloc);
    if (failed(bytes))
      return failure();
    auto reused = llvm::find_if(idle, [&](const Workspace &space) {
      return fits(space.bytes, *bytes);
    });
    Workspace space;
    if (reused != idle.end()) {
      space = *reused;
      idle.erase(reused);
    } else {
      space = {plan.buffers.size(), *bytes};
      PlanBuffer buffer;
      buffer.name = "ws" + std::to_string(workspaces++);
      buffer.sizeBytes = *bytes;
      plan.buffers.push_back(buffer);
    }
    names[alloc] = plan.buffers[space.buffer].name;
    live[alloc] = space;
    return success();
  }

  LogicalResult addConstant(memref::GetGlobalOp get) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    FailureOr<std::vector<uint8_t>> bytes = constantBytes(global);
    if (failed(bytes))
      return failure();
    PlanBuffer buffer;
    buffer.name = "const" + std::to_string(constants++);
    buffer.kind = PlanBuffer::Kind::Constant;
    buffer.sizeBytes = Expr(static_cast<int64_t>(bytes->size()));
    buffer.data = std::move(*bytes);
    names[get] = buffer.name;
    plan.buffers.push_back(std::move(buffer));
    return success();
  }

  LogicalResult addOperand(gpu::LaunchFuncOp launch, Value operand,
                           KernelStep &step) {
    if (!isa<MemRefType>(operand.getType()))
      return addNumber(launch, operand, step);
    Value root = rootBuffer(operand);
    if (!names.count(root)) {
      if (auto alloc = root.getDefiningOp<memref::AllocOp>()) {
        if (failed(addWorkspace(alloc)))
          return failure();
      } else if (auto get = root.getDefiningOp<memref::GetGlobalOp>()) {
        if (failed(addConstant(get)))
          return failure();
      } else
        return launch.emitOpError("takes ")
               << operand.getType() << ", which is no buffer of the plan";
    }
    PlanArg argument;
    argument.buffer = names[root];
    argument.value = Expr(0);
    step.args.push_back(argument);
    return success();
  }

  /// A size or scalar by value; a float is a scalar argument as it came.
  LogicalResult addNumber(gpu::LaunchFuncOp launch, Value operand,
                          KernelStep &step) {
    PlanArg argument;
    auto scalar = dyn_cast<BlockArgument>(operand);
    if (operand.getType().isF64() && scalar) {
      argument.kind = PlanArg::Kind::F64;
      argument.buffer = name(scalar, -1);
    } else {
      FailureOr<Expr> value = expression(launch, operand, "an argument");
      if (failed(value))
        return failure();
      argument.kind = operand.getType().isInteger(32) ? PlanArg::Kind::I32
                                                      : PlanArg::Kind::I64;
      argument.value = *value;
    }
    step.args.push_back(argument);
    return success();
  }

  /// What the host returns: the dynamic sizes of the results, in order.
  LogicalResult addResultDims(unsigned arguments,
                              std::vector<std::vector<Expr>> &dims) {
    Operation *exit = host.front().getTerminator();
    ValueRange sizes = exit->getOperands();
    for (Type type : host.getArgumentTypes().drop_front(arguments)) {
      std::vector<Expr> &result = dims.emplace_back();
      for (int64_t size : cast<MemRefType>(type).getShape()) {
        if (!ShapedType::isDynamic(size)) {
          result.push_back(Expr(size));
          continue;
        }
        FailureOr<Expr> value =
            expression(exit, sizes.front(), "a result's size");
        if (failed(value))
          return failure();
        result.push_back(*value);
        sizes = sizes.drop_front();
      }
    }
    return success();
  }

  LogicalResult addLaunch(gpu::LaunchFuncOp launch) {
    KernelStep step;
    step.module = launch.getKernelModuleName().str();
    step.entry = launch.getKernelName().str();
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    for (auto [expressions, values] :
         {std::pair{&step.grid, grid}, {&step.block, block}}) {
      Value operands[] = {values.x, values.y, values.z};
      for (int i = 0; i < 3; ++i) {
        FailureOr<Expr> size = expression(launch, operands[i], "a grid");
        if (failed(size))
          return failure();
        (*expressions)[i] = *size;
      }
    }
    for (Value operand : launch.getKernelOperands())
      if (failed(addOperand(launch, operand, step)))
        return failure();
    plan.steps.push_back(std::move(step));
    return success();
  }
};

} // namespace

FailureOr<ExportedPlan> kclaw::hostToPlan(func::FuncOp host, unsigned arguments,
                                          const ArgumentName &name) {
  return PlanBuilder(host, name).run(arguments);
}
