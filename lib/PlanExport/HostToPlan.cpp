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

#include "kernelclaw/Claw/Claw.h"

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

/// Of an element that library steps were made with (LibrarySteps.h).
DType dtypeOf(int32_t element) { return libraryTypes[element - 1]; }

class PlanBuilder {
public:
  PlanBuilder(func::FuncOp host, const ArgumentName &name)
      : host(host), name(name) {}

  FailureOr<ExportedPlan> run(unsigned arguments) {
    addBoundary(arguments);
    findLastUses();
    int64_t position = 0;
    for (Operation &op : host.front()) {
      if (!isStep(op))
        continue;
      if (failed(addStep(op)))
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

  static bool isStep(Operation &op) {
    return isa<gpu::LaunchFuncOp, claw::MatmulStepOp, claw::ConvolutionStepOp>(
        op);
  }

  void findLastUses() {
    int64_t position = 0;
    for (Operation &op : host.front()) {
      if (!isStep(op))
        continue;
      for (Value operand : op.getOperands())
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

  /// The name of the plan's buffer behind `operand`; adds it at first use.
  FailureOr<std::string> bufferOf(Operation *op, Value operand) {
    Value root = rootBuffer(operand);
    if (!names.count(root)) {
      if (auto alloc = root.getDefiningOp<memref::AllocOp>()) {
        if (failed(addWorkspace(alloc)))
          return failure();
      } else if (auto get = root.getDefiningOp<memref::GetGlobalOp>()) {
        if (failed(addConstant(get)))
          return failure();
      } else
        return op->emitOpError("takes ")
               << operand.getType() << ", which is no buffer of the plan";
    }
    return names[root];
  }

  LogicalResult addOperand(gpu::LaunchFuncOp launch, Value operand,
                           KernelStep &step) {
    if (!isa<MemRefType>(operand.getType()))
      return addNumber(launch, operand, step);
    FailureOr<std::string> buffer = bufferOf(launch, operand);
    if (failed(buffer))
      return failure();
    PlanArg argument;
    argument.buffer = *buffer;
    argument.value = Expr(0);
    step.args.push_back(argument);
    return success();
  }

  FailureOr<PlanPlace> placeOf(Operation *op, Value buffer, Value offset) {
    FailureOr<std::string> name = bufferOf(op, buffer);
    FailureOr<Expr> bytes = expression(op, offset, "an offset");
    if (failed(name) || failed(bytes))
      return failure();
    return PlanPlace{*name, *bytes};
  }

  LogicalResult addStep(Operation &op) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      return addLaunch(launch);
    if (auto matmul = dyn_cast<claw::MatmulStepOp>(op))
      return addMatmul(matmul);
    return addConvolution(cast<claw::ConvolutionStepOp>(op));
  }

  LogicalResult addConvolution(claw::ConvolutionStepOp op) {
    ConvolutionStep step;
    unsigned next = 0;
    for (PlanPlace *place :
         {&step.input, &step.weight, &step.bias, &step.output}) {
      if (place == &step.bias && !op.getHasBias())
        continue;
      FailureOr<PlanPlace> made =
          placeOf(op, op.getBuffers()[next], op.getOffsets()[next]);
      if (failed(made))
        return failure();
      *place = *made;
      ++next;
    }
    if (op.hasWorkspace()) {
      FailureOr<std::string> name = bufferOf(op, op.getBuffers().back());
      if (failed(name))
        return failure();
      step.workspace = *name;
    }
    ArrayRef<int32_t> flags = op.getFlags();
    step.dtype = dtypeOf(flags[0]);
    step.tf32 = flags[1];
    step.transposed = flags[2];
    step.channelsLast = flags[3];
    ArrayRef<int64_t> sizes = op.getSizes();
    step.batch = Expr(sizes[0]);
    step.inChannels = Expr(sizes[1]);
    step.outChannels = Expr(sizes[2]);
    step.groups = Expr(sizes[3]);
    std::vector<Expr> *lists[] = {
        &step.in,       &step.out,       &step.kernel,  &step.stride,
        &step.dilation, &step.padBefore, &step.padAfter};
    for (auto [i, list] : llvm::enumerate(lists))
      for (int64_t size : sizes.slice(4 + 3 * i, flags[4]))
        list->push_back(Expr(size));
    step.choice = op.getChoice().str();
    plan.steps.push_back(std::move(step));
    return success();
  }

  LogicalResult addMatmul(claw::MatmulStepOp op) {
    MatmulStep step;
    SmallVector<Expr> numbers;
    for (Value number : op.getNumbers()) {
      FailureOr<Expr> value = expression(op, number, "a size");
      if (failed(value))
        return failure();
      numbers.push_back(*value);
    }
    step.m = numbers[0];
    step.n = numbers[1];
    step.k = numbers[2];
    step.batch = numbers[3];
    PlanMatrix *matrices[] = {&step.a, &step.b, &step.c, &step.d};
    unsigned next = 0;
    for (auto [i, matrix] : llvm::enumerate(matrices)) {
      if (matrix == &step.c && !op.hasC())
        continue;
      FailureOr<PlanPlace> place =
          placeOf(op, op.getBuffers()[next], op.getOffsets()[next]);
      if (failed(place))
        return failure();
      ++next;
      *matrix = {*place, numbers[4 + 2 * i], numbers[5 + 2 * i],
                 dtypeOf(op.getElements()[i]), op.getTransposed()[i] != 0};
    }
    if (op.hasBias()) {
      FailureOr<PlanPlace> place =
          placeOf(op, op.getBuffers()[next], op.getOffsets()[next]);
      if (failed(place))
        return failure();
      step.bias = *place;
    }
    if (op.hasWorkspace()) {
      FailureOr<std::string> name = bufferOf(op, op.getBuffers().back());
      if (failed(name))
        return failure();
      step.workspace = *name;
    }
    step.alpha = op.getAlpha().convertToDouble();
    step.beta = op.getBeta().convertToDouble();
    step.compute = static_cast<MatmulCompute>(op.getCompute());
    step.epilogue = static_cast<MatmulEpilogue>(op.getEpilogue());
    step.choice = op.getChoice().str();
    plan.steps.push_back(std::move(step));
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
