//===- HostToPlan.cpp - Launches and buffers as a recipe ------------------===//
//
// Each gpu.launch_func becomes a kernel step; allocations become workspaces,
// and one whose last reader has run is given to a later one that fits.
//
//===----------------------------------------------------------------------===//
#include "HostToPlan.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

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

int64_t sizeBytes(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getNumElements() * elementBytes(type.getElementType());
}

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
  explicit PlanBuilder(func::FuncOp host) : host(host) {}

  FailureOr<Plan> run(unsigned arguments) {
    addBoundary(arguments);
    findLastUses();
    int64_t position = 0;
    for (auto launch : host.getOps<gpu::LaunchFuncOp>()) {
      if (failed(addLaunch(launch)))
        return failure();
      releaseAfter(position++);
    }
    return std::move(plan);
  }

private:
  struct Workspace {
    size_t buffer; ///< in plan.buffers
    int64_t bytes;
  };

  func::FuncOp host;
  Plan plan;
  llvm::DenseMap<Value, std::string> names;
  llvm::DenseMap<Value, int64_t> lastUse; ///< position of a launch
  llvm::DenseMap<Value, Workspace> live;
  std::vector<Workspace> idle;
  int workspaces = 0, constants = 0;

  void addBoundary(unsigned arguments) {
    for (BlockArgument argument : host.getArguments()) {
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

  void addWorkspace(memref::AllocOp alloc) {
    int64_t bytes = sizeBytes(alloc);
    auto fits = llvm::find_if(idle, [&](const Workspace &space) {
      return space.bytes >= bytes && space.bytes <= 2 * bytes;
    });
    Workspace space;
    if (fits != idle.end()) {
      space = *fits;
      idle.erase(fits);
    } else {
      space = {plan.buffers.size(), bytes};
      PlanBuffer buffer;
      buffer.name = "ws" + std::to_string(workspaces++);
      buffer.sizeBytes = Expr(bytes);
      plan.buffers.push_back(buffer);
    }
    names[alloc] = plan.buffers[space.buffer].name;
    live[alloc] = space;
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
    Value root = rootBuffer(operand);
    if (!names.count(root)) {
      if (auto alloc = root.getDefiningOp<memref::AllocOp>())
        addWorkspace(alloc);
      else if (auto get = root.getDefiningOp<memref::GetGlobalOp>()) {
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
        llvm::APInt size;
        if (!matchPattern(operands[i], m_ConstantInt(&size)))
          return launch.emitOpError("has a grid or block that is not constant");
        (*expressions)[i] = Expr(size.getSExtValue());
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

FailureOr<Plan> kclaw::hostToPlan(func::FuncOp host, unsigned arguments) {
  return PlanBuilder(host).run(arguments);
}
