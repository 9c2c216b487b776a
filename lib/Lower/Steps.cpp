//===- Steps.cpp - Claw steps to calls of the step ABI --------------------===//
//
// Fills the structs of kcl_steps.h on the stack; one set per function, because
// nothing keeps them after a call. A non-zero status leaves the function.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"
#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using kclaw::claw::CopyStepOp;
using kclaw::claw::GuardOp;
using kclaw::claw::KernelStepOp;
using kclaw::claw::MemsetStepOp;
using kclaw::claw::RequireOp;

namespace kclaw {
namespace {

/// Byte offsets in kcl_kernel_step, kcl_memset_step and kcl_copy_step.
namespace kernel {
enum {
  Function = 0,
  Grid = 8,
  Block = 20,
  Cluster = 32,
  Shared = 44,
  Cooperative = 48,
  ArgCount = 52,
  Args = 56,
  Size = 64
};
} // namespace kernel
namespace fill {
enum { Target = 0, Bytes = 8, Value = 16, Reserved = 20 };
} // namespace fill
namespace copy {
enum {
  Source = 0,
  Target = 8,
  SourcePitch = 16,
  TargetPitch = 24,
  RowBytes = 32,
  Rows = 40
};
} // namespace copy

/// Where a function is left unless `ok`: `op` becomes the branch.
struct Exit {
  Operation *op;
  Value ok;
  Block *target;
  SmallVector<Value, 1> operands;
};

class StepLowering {
public:
  StepLowering(EntryModule &state, Entry &entry)
      : state(state), data(state.data), entry(entry),
        call(entry.body.getArguments().back()) {}

  LogicalResult run();

private:
  void makeStack(unsigned maxArgs);
  void store(OpBuilder &b, Location loc, Value base, int64_t at, Value value);
  Value integer(OpBuilder &b, Location loc, Value value, Type type);
  Value bits(OpBuilder &b, Location loc, Value memref);
  Value address(OpBuilder &b, Location loc, Value memref, Value byteOffset);
  void check(Operation *op, Value status);
  void branch();
  Block *addFailure();

  FailureOr<std::string> functionSlot(KernelStepOp step);
  LogicalResult lower(KernelStepOp step);
  void lower(MemsetStepOp step);
  void lower(CopyStepOp step);
  void lower(GuardOp guard);
  void lower(cf::AssertOp assertion);
  void lower(RequireOp requirement);

  EntryModule &state;
  LlvmData &data;
  Entry &entry;
  Value call;
  Value step, slots, pointers; ///< stack: a struct, argument values, addresses
  Block *leave = nullptr;      ///< returns its i32 argument
  SmallVector<Exit> exits;     ///< in program order
};

} // namespace

void StepLowering::makeStack(unsigned maxArgs) {
  Block &first = entry.body.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&first);
  Location loc = entry.body.getLoc();
  auto area = [&](int64_t words) -> Value {
    Value count = data.constant(b, loc, data.i64, words);
    return LLVM::AllocaOp::create(b, loc, data.ptr, data.i64, count, 8);
  };
  step = area(kernel::Size / 8);
  slots = area(std::max(1u, maxArgs));
  pointers = area(std::max(1u, maxArgs));
  for (unsigned i = 0; i < maxArgs; ++i)
    store(b, loc, pointers, 8 * i, data.offset(b, loc, slots, 8 * i));
}

void StepLowering::store(OpBuilder &b, Location loc, Value base, int64_t at,
                         Value value) {
  LLVM::StoreOp::create(b, loc, value, data.offset(b, loc, base, at));
}

/// An index or integer value as an integer of `type`, unsigned.
Value StepLowering::integer(OpBuilder &b, Location loc, Value value,
                            Type type) {
  if (value.getType() == type)
    return value;
  return arith::IndexCastUIOp::create(b, loc, type, value);
}

/// Address of the first element as i64.
Value StepLowering::bits(OpBuilder &b, Location loc, Value memref) {
  Value index = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  return integer(b, loc, index, data.i64);
}

Value StepLowering::address(OpBuilder &b, Location loc, Value memref,
                            Value byteOffset) {
  Value sum = arith::AddIOp::create(b, loc, bits(b, loc, memref), byteOffset);
  return LLVM::IntToPtrOp::create(b, loc, data.ptr, sum);
}

/// Leaves the function after `op` when the status is not zero.
void StepLowering::check(Operation *op, Value status) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value ok =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, zero);
  exits.push_back({op, ok, leave, {status}});
}

/// Branches at all exits and erases their ops. Last first: a split moves what
/// comes after it, up to the split made before.
void StepLowering::branch() {
  for (const Exit &exit : llvm::reverse(exits)) {
    Location loc = exit.op->getLoc();
    Block *block = exit.op->getBlock();
    Block *rest = block->splitBlock(exit.op);
    exit.op->erase();
    OpBuilder b = OpBuilder::atBlockEnd(block);
    cf::CondBranchOp::create(b, loc, exit.ok, rest, ValueRange{}, exit.target,
                             exit.operands);
  }
}

/// Slot of the kernel's function; adds its row at the first use.
FailureOr<std::string> StepLowering::functionSlot(KernelStepOp step) {
  SymbolRefAttr kernel = step.getKernel();
  StringRef binary = kernel.getRootReference();
  StringRef name = kernel.getLeafReference();
  auto known = state.binaries.find(binary);
  if (known == state.binaries.end() || kernel.getNestedReferences().size() != 1)
    return step.emitError("kernel ")
           << kernel << " is not @binary::@entry of a gpu.binary here";
  std::string key = (binary + "::" + name).str();
  auto [slot, fresh] = state.kernels.try_emplace(key);
  if (!fresh)
    return slot->second;
  slot->second = data.variable((name + "_function").str(), data.ptr);
  state.table.functions.push_back(
      {Field::integer(data.i32, known->second), Field::integer(data.i32, 0),
       Field::address(data.text(name)), Field::address(slot->second)});
  return slot->second;
}

LogicalResult StepLowering::lower(KernelStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  FailureOr<std::string> slot = functionSlot(op);
  if (failed(slot))
    return failure();
  APInt shared;
  if (!matchPattern(op.getSharedBytes(), m_ConstantInt(&shared)))
    return op.emitError("dynamic shared memory is not a constant");
  for (SmallVector<Field> &row : state.table.functions)
    if (row[3].symbol == *slot)
      row[1] =
          Field::integer(data.i32, std::max<int64_t>(row[1].value.getInt(),
                                                     shared.getSExtValue()));

  for (auto [i, arg, offset] : llvm::enumerate(op.getArgs(), op.getOffsets())) {
    Value value =
        isa<MemRefType>(arg.getType()) ? address(b, loc, arg, offset) : arg;
    store(b, loc, slots, 8 * i, value);
  }
  Value function =
      LLVM::LoadOp::create(b, loc, data.ptr, data.addressOf(b, loc, *slot));
  store(b, loc, step, kernel::Function, function);
  for (unsigned dim = 0; dim < 3; ++dim) {
    store(b, loc, step, kernel::Grid + 4 * dim,
          integer(b, loc, op.getGrid()[dim], data.i32));
    store(b, loc, step, kernel::Block + 4 * dim,
          integer(b, loc, op.getBlock()[dim], data.i32));
    store(b, loc, step, kernel::Cluster + 4 * dim,
          integer(b, loc, op.getCluster()[dim], data.i32));
  }
  store(b, loc, step, kernel::Shared,
        integer(b, loc, op.getSharedBytes(), data.i32));
  store(b, loc, step, kernel::Cooperative,
        data.constant(b, loc, data.i32, op.getCooperative()));
  store(b, loc, step, kernel::ArgCount,
        data.constant(b, loc, data.i32, op.getArgs().size()));
  store(b, loc, step, kernel::Args, pointers);
  check(op, data.call(b, loc, "kclStepKernel", {step, call}));
  return success();
}

void StepLowering::lower(MemsetStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  store(b, loc, step, fill::Target,
        address(b, loc, op.getTarget(), op.getOffset()));
  store(b, loc, step, fill::Bytes, op.getBytes());
  store(b, loc, step, fill::Value,
        data.constant(b, loc, data.i32, op.getValue()));
  store(b, loc, step, fill::Reserved, data.constant(b, loc, data.i32, 0));
  check(op, data.call(b, loc, "kclStepMemset", {step, call}));
}

void StepLowering::lower(CopyStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  store(b, loc, step, copy::Source,
        address(b, loc, op.getSource(), op.getSourceOffset()));
  store(b, loc, step, copy::Target,
        address(b, loc, op.getTarget(), op.getTargetOffset()));
  store(b, loc, step, copy::SourcePitch, op.getSourcePitch());
  store(b, loc, step, copy::TargetPitch, op.getTargetPitch());
  store(b, loc, step, copy::RowBytes, op.getRowBytes());
  store(b, loc, step, copy::Rows, op.getRows());
  check(op, data.call(b, loc, "kclStepCopy", {step, call}));
}

void StepLowering::lower(GuardOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto [slot, fresh] = state.guards.try_emplace(op.getArchs());
  if (fresh) {
    slot->second = data.variable("kcl_arch_listed", data.i32);
    state.table.archs.push_back({Field::address(data.text(op.getArchs())),
                                 Field::address(slot->second)});
  }
  Value all = data.constant(b, loc, data.i64, 0);
  for (Value buffer : op.getBuffers())
    all = arith::OrIOp::create(b, loc, all, bits(b, loc, buffer));
  Value listed = LLVM::LoadOp::create(b, loc, data.i32,
                                      data.addressOf(b, loc, slot->second));
  if (op.getWhen())
    listed = arith::AndIOp::create(
        b, loc, listed, arith::ExtUIOp::create(b, loc, data.i32, op.getWhen()));
  Value alignment = data.constant(b, loc, data.i64, op.getAlignment());
  Value won = data.call(b, loc, "kclGuard", {listed, alignment, all, call});
  op.replaceAllUsesWith(
      arith::TruncIOp::create(b, loc, b.getI1Type(), won).getResult());
  op.erase();
  ++entry.numRegions;
}

/// An assertion calls the runtime only on the way out.
Block *StepLowering::addFailure() {
  Block *failed = new Block;
  failed->insertBefore(leave);
  return failed;
}

void StepLowering::lower(RequireOp op) {
  Location loc = op.getLoc();
  Block *failed = addFailure();
  OpBuilder b = OpBuilder::atBlockBegin(failed);
  for (auto [i, value] : llvm::enumerate(op.getValues()))
    store(b, loc, slots, 8 * i, integer(b, loc, value, data.i64));
  Value text = data.addressOf(b, loc, data.text(op.getMessage()));
  Value count = data.constant(b, loc, data.i32, op.getValues().size());
  Value status =
      data.call(b, loc, "kclRequireFailed", {text, slots, count, call});
  cf::BranchOp::create(b, loc, leave, ValueRange{status});
  exits.push_back({op, op.getCondition(), failed, {}});
}

void StepLowering::lower(cf::AssertOp op) {
  Location loc = op.getLoc();
  Block *failed = addFailure();
  OpBuilder b = OpBuilder::atBlockBegin(failed);
  Value text = data.addressOf(b, loc, data.text(op.getMsg()));
  Value status = data.call(b, loc, "kclAssertFailed", {text, call});
  cf::BranchOp::create(b, loc, leave, ValueRange{status});
  exits.push_back({op, op.getArg(), failed, {}});
}

LogicalResult StepLowering::run() {
  SmallVector<Operation *> steps;
  unsigned maxArgs = 0;
  entry.body.walk([&](Operation *op) {
    if (isa<KernelStepOp, MemsetStepOp, CopyStepOp, GuardOp, cf::AssertOp,
            RequireOp>(op))
      steps.push_back(op);
    if (isa<KernelStepOp, MemsetStepOp, CopyStepOp>(op))
      ++entry.numSteps;
    if (auto kernel = dyn_cast<KernelStepOp>(op))
      maxArgs = std::max<unsigned>(maxArgs, kernel.getArgs().size());
    if (auto require = dyn_cast<RequireOp>(op))
      maxArgs = std::max<unsigned>(maxArgs, require.getValues().size());
  });
  if (steps.empty())
    return success();
  Region &region = entry.body.getBody();
  Location loc = entry.body.getLoc();
  leave = &region.emplaceBlock();
  Value status = leave->addArgument(data.i32, loc);
  OpBuilder b = OpBuilder::atBlockBegin(leave);
  func::ReturnOp::create(b, loc, status);
  makeStack(maxArgs);

  for (Operation *op : steps) {
    if (auto kernel = dyn_cast<KernelStepOp>(op)) {
      if (failed(lower(kernel)))
        return failure();
    } else if (auto memset = dyn_cast<MemsetStepOp>(op)) {
      lower(memset);
    } else if (auto copyStep = dyn_cast<CopyStepOp>(op)) {
      lower(copyStep);
    } else if (auto guard = dyn_cast<GuardOp>(op)) {
      lower(guard);
    } else if (auto require = dyn_cast<RequireOp>(op)) {
      lower(require);
    } else {
      lower(cast<cf::AssertOp>(op));
    }
  }
  branch();
  return success();
}

LogicalResult lowerSteps(EntryModule &state, Entry &entry) {
  return StepLowering(state, entry).run();
}

} // namespace kclaw
