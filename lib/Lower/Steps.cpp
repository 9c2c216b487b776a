//===- Steps.cpp - Claw steps to calls of the step ABI --------------------===//
//
// Fills the structs of kcl_steps.h on the stack; one set per function, because
// nothing keeps them after a call. A non-zero status leaves the function.
//
//===----------------------------------------------------------------------===//
#include "EntryAbi.h"
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Runtime/kcl_entry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using kclaw::claw::ConvolutionStepOp;
using kclaw::claw::CopyStepOp;
using kclaw::claw::GuardOp;
using kclaw::claw::KernelStepOp;
using kclaw::claw::MatmulStepOp;
using kclaw::claw::MemsetStepOp;
using kclaw::claw::PersistentOp;
using kclaw::claw::RequireOp;
using kclaw::claw::TensorMapOp;

namespace kclaw {
namespace {

/// Byte offsets in the structs of kcl_steps.h, and in kcl_call.
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
namespace tensorMap {
enum {
  Address = 0,
  Element = 8,
  Rank = 12,
  Dims = 16,
  Strides = 56,
  Box = 88,
  ElementStrides = 108,
  Modes = 128,
  Size = 144
};
constexpr int64_t EncodedSize = 128;
} // namespace tensorMap
namespace kclCall {
enum { Persistent = 32 };
} // namespace kclCall

/// A struct of a library step: what is known as bytes, the rest as code. Both
/// halves of the code know the structs themselves, so offsets are the
/// compiler's.
struct StructImage {
  std::string bytes;
  SmallVector<std::pair<int64_t, Value>> values; ///< i64 or ptr, by offset
  int64_t handle = 0, object = 0;                ///< offsets of what load makes
};

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
  void makeStack(unsigned maxArgs, unsigned numMaps);
  void store(OpBuilder &b, Location loc, Value base, int64_t at, Value value);
  Value integer(OpBuilder &b, Location loc, Value value, Type type);
  Value bits(OpBuilder &b, Location loc, Value memref);
  Value address(OpBuilder &b, Location loc, Value memref, Value byteOffset);
  void check(Operation *op, Value status);
  void branch();
  Block *addFailure();

  FailureOr<std::string> functionSlot(KernelStepOp step);
  LogicalResult lower(KernelStepOp step);
  Value encodedMap(OpBuilder &b, Location loc, TensorMapOp map);
  void lower(MemsetStepOp step);
  void lower(CopyStepOp step);
  void lower(TensorMapOp map);
  void lower(MatmulStepOp matmul);
  void lower(ConvolutionStepOp convolution);
  void callLibrary(Operation *op, StructImage image, bool known, uint32_t kind,
                   StringRef choice, StringRef function);
  void lower(PersistentOp persistent);
  void lower(GuardOp guard);
  void lower(cf::AssertOp assertion);
  void lower(RequireOp requirement);

  EntryModule &state;
  LlvmData &data;
  Entry &entry;
  Value call;
  Value step, slots, pointers; ///< stack: a struct, argument values, addresses
  Value maps;                  ///< stack: 128 bytes a tensor map
  llvm::DenseMap<Operation *, unsigned> mapIndex;
  int64_t librarySize = 0; ///< of the largest struct of a library step
  Block *leave = nullptr;  ///< returns its i32 argument
  SmallVector<Exit> exits; ///< in program order
};

} // namespace

void StepLowering::makeStack(unsigned maxArgs, unsigned numMaps) {
  Block &first = entry.body.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&first);
  Location loc = entry.body.getLoc();
  auto area = [&](int64_t words, unsigned alignment = 8) -> Value {
    Value count = data.constant(b, loc, data.i64, words);
    return LLVM::AllocaOp::create(b, loc, data.ptr, data.i64, count, alignment);
  };
  step = area(
      std::max<int64_t>(
          {kernel::Size, numMaps ? int64_t(tensorMap::Size) : 0, librarySize}) /
      8);
  if (numMaps)
    maps = area(numMaps * tensorMap::EncodedSize / 8, 64);
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
    if (auto map = arg.getDefiningOp<TensorMapOp>()) {
      store(b, loc, pointers, 8 * i, encodedMap(b, loc, map));
      continue;
    }
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
  Value status = data.call(b, loc, "kclStepKernel", {step, call});
  for (auto [i, arg] : llvm::enumerate(op.getArgs()))
    if (arg.getDefiningOp<TensorMapOp>())
      store(b, loc, pointers, 8 * i, data.offset(b, loc, slots, 8 * i));
  check(op, status);
  return success();
}

Value StepLowering::encodedMap(OpBuilder &b, Location loc, TensorMapOp map) {
  return data.offset(b, loc, maps,
                     mapIndex.lookup(map) * tensorMap::EncodedSize);
}

void StepLowering::lower(TensorMapOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  store(b, loc, step, tensorMap::Address,
        address(b, loc, op.getBuffer(), op.getOffset()));
  store(b, loc, step, tensorMap::Element,
        data.constant(b, loc, data.i32, op.getElement()));
  store(b, loc, step, tensorMap::Rank,
        data.constant(b, loc, data.i32, op.getDims().size()));
  struct List {
    int64_t at, size;
    ValueRange values;
  };
  for (const List &list :
       {List{tensorMap::Dims, 8, op.getDims()},
        List{tensorMap::Strides, 8, op.getStrides()},
        List{tensorMap::Box, 4, op.getBox()},
        List{tensorMap::ElementStrides, 4, op.getElementStrides()},
        List{tensorMap::Modes, 4, op.getModes()}})
    for (auto [i, value] : llvm::enumerate(list.values))
      store(b, loc, step, list.at + list.size * i, value);
  check(op, data.call(b, loc, "kclTensorMapEncode",
                      {step, encodedMap(b, loc, op), call}));
}

/// In the prepared buffers that the call brings, else in the workspace.
void StepLowering::lower(PersistentOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto offset = op->getAttrOfType<IntegerAttr>(persistentOffsetAttrName);
  if (!offset) {
    op.getBuffer().replaceAllUsesWith(op.getFallback());
    op.getPrepare().replaceAllUsesWith(
        arith::ConstantIntOp::create(b, loc, 1, 1).getResult());
    op.erase();
    return;
  }
  Value brought = LLVM::LoadOp::create(
      b, loc, data.ptr, data.offset(b, loc, call, kclCall::Persistent));
  Value missing =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, brought,
                           LLVM::ZeroOp::create(b, loc, data.ptr).getResult());
  Value own = LLVM::IntToPtrOp::create(b, loc, data.ptr,
                                       bits(b, loc, op.getFallback()));
  Value place = LLVM::SelectOp::create(
      b, loc, missing, own, data.offset(b, loc, brought, offset.getInt()));
  op.getBuffer().replaceAllUsesWith(memrefFromAddress(
      state, b, loc, cast<MemRefType>(op.getBuffer().getType()), place));
  if (entry.preparing)
    missing = arith::ConstantIntOp::create(b, loc, 1, 1).getResult();
  op.getPrepare().replaceAllUsesWith(missing);
  op.erase();
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

/// Copies the struct to the stack, fills in values and what load made, calls.
void StepLowering::callLibrary(Operation *op, StructImage image, bool known,
                               uint32_t kind, StringRef choice,
                               StringRef function) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  std::string fixed = data.bytes("kcl_library_step", image.bytes);
  std::string handle = data.variable("kcl_library_handle", data.ptr);
  std::string object = data.variable("kcl_library_object", data.ptr);
  state.table.libraries.push_back(
      {Field::integer(data.i32, kind), Field::integer(data.i32, 0),
       Field::address(known ? fixed : ""), Field::address(data.text(choice)),
       Field::address(handle), Field::address(object)});
  LLVM::MemcpyOp::create(b, loc, step, data.addressOf(b, loc, fixed),
                         data.constant(b, loc, data.i64, image.bytes.size()),
                         /*isVolatile=*/false);
  for (auto [at, value] : image.values)
    store(b, loc, step, at, value);
  for (auto [at, slot] :
       {std::pair{image.handle, handle}, {image.object, object}})
    store(b, loc, step, at,
          LLVM::LoadOp::create(b, loc, data.ptr, data.addressOf(b, loc, slot)));
  check(op, data.call(b, loc, function, {step, call}));
}

template <typename Struct> static std::string bytesOf(const Struct &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}

void StepLowering::lower(MatmulStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  kcl_matmul_step fixed = {};
  StructImage image;
  image.handle = offsetof(kcl_matmul_step, handle);
  image.object = offsetof(kcl_matmul_step, algorithm);
  bool known = true;
  // The i-th number, known or at `at`.
  auto number = [&](unsigned i, int64_t &to, int64_t at) {
    APInt value;
    if (matchPattern(op.getNumbers()[i], m_ConstantInt(&value))) {
      to = value.getSExtValue();
      return;
    }
    known = false;
    image.values.push_back({at, integer(b, loc, op.getNumbers()[i], data.i64)});
  };
  unsigned next = 0;
  auto pointer = [&](int64_t at) {
    Value offset = integer(b, loc, op.getOffsets()[next], data.i64);
    image.values.push_back(
        {at, address(b, loc, op.getBuffers()[next], offset)});
    ++next;
  };
  number(0, fixed.m, offsetof(kcl_matmul_step, m));
  number(1, fixed.n, offsetof(kcl_matmul_step, n));
  number(2, fixed.k, offsetof(kcl_matmul_step, k));
  number(3, fixed.batch, offsetof(kcl_matmul_step, batch));
  constexpr size_t at[] = {
      offsetof(kcl_matmul_step, a), offsetof(kcl_matmul_step, b),
      offsetof(kcl_matmul_step, c), offsetof(kcl_matmul_step, d)};
  kcl_matrix *matrices[] = {&fixed.a, &fixed.b, &fixed.c, &fixed.d};
  for (unsigned i = 0; i < 4; ++i) {
    if (i == 2 && !op.hasC())
      continue;
    number(4 + 2 * i, matrices[i]->ld, at[i] + offsetof(kcl_matrix, ld));
    number(5 + 2 * i, matrices[i]->batch_stride,
           at[i] + offsetof(kcl_matrix, batch_stride));
    matrices[i]->element = op.getElements()[i];
    matrices[i]->transposed = op.getTransposed()[i];
    pointer(at[i] + offsetof(kcl_matrix, data));
  }
  if (op.hasBias())
    pointer(offsetof(kcl_matmul_step, bias));
  if (op.hasWorkspace())
    pointer(offsetof(kcl_matmul_step, workspace));
  int64_t scratch = 0;
  number(12, scratch, offsetof(kcl_matmul_step, workspace_bytes));
  fixed.workspace_bytes = static_cast<uint64_t>(scratch);
  fixed.alpha = op.getAlpha().convertToDouble();
  fixed.beta = op.getBeta().convertToDouble();
  fixed.compute = static_cast<int32_t>(op.getCompute());
  fixed.epilogue = static_cast<int32_t>(op.getEpilogue());
  image.bytes = bytesOf(fixed);
  callLibrary(op, std::move(image), known, KCL_LIBRARY_MATMUL, op.getChoice(),
              "kclStepMatmul");
}

void StepLowering::lower(ConvolutionStepOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  kcl_convolution_step fixed = {};
  ArrayRef<int32_t> flags = op.getFlags();
  fixed.element = flags[0];
  fixed.tf32 = flags[1];
  fixed.transposed = flags[2];
  fixed.channels_last = flags[3];
  fixed.spatial = flags[4];
  ArrayRef<int64_t> sizes = op.getSizes();
  fixed.batch = sizes[0];
  fixed.in_channels = sizes[1];
  fixed.out_channels = sizes[2];
  fixed.groups = sizes[3];
  int64_t *lists[] = {fixed.in,       fixed.out,      fixed.kernel,
                      fixed.stride,   fixed.dilation, fixed.pad_before,
                      fixed.pad_after};
  for (auto [i, list] : llvm::enumerate(lists))
    llvm::copy(sizes.slice(4 + 3 * i, 3), list);
  fixed.workspace_bytes = static_cast<uint64_t>(sizes.back());
  // Only whether there is one counts at load; calls fill in the address.
  if (op.getHasBias())
    fixed.bias = reinterpret_cast<const void *>(uintptr_t{1});
  StructImage image;
  image.bytes = bytesOf(fixed);
  image.handle = offsetof(kcl_convolution_step, handle);
  image.object = offsetof(kcl_convolution_step, plan);
  SmallVector<int64_t> pointers = {offsetof(kcl_convolution_step, input),
                                   offsetof(kcl_convolution_step, weight)};
  if (op.getHasBias())
    pointers.push_back(offsetof(kcl_convolution_step, bias));
  pointers.push_back(offsetof(kcl_convolution_step, output));
  if (op.hasWorkspace())
    pointers.push_back(offsetof(kcl_convolution_step, workspace));
  for (auto [at, buffer, offset] :
       llvm::zip(pointers, op.getBuffers(), op.getOffsets()))
    image.values.push_back(
        {at, address(b, loc, buffer, integer(b, loc, offset, data.i64))});
  callLibrary(op, std::move(image), true, KCL_LIBRARY_CONVOLUTION,
              op.getChoice(), "kclStepConvolution");
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
    if (isa<KernelStepOp, MemsetStepOp, CopyStepOp, MatmulStepOp,
            ConvolutionStepOp, TensorMapOp, PersistentOp, GuardOp, cf::AssertOp,
            RequireOp>(op))
      steps.push_back(op);
    if (isa<MatmulStepOp>(op))
      librarySize = std::max<int64_t>(librarySize, sizeof(kcl_matmul_step));
    if (isa<ConvolutionStepOp>(op))
      librarySize =
          std::max<int64_t>(librarySize, sizeof(kcl_convolution_step));
    if (isa<KernelStepOp, MemsetStepOp, CopyStepOp, MatmulStepOp,
            ConvolutionStepOp>(op) &&
        !op->hasAttr(claw::prepareAttrName))
      entry.numSteps += op->hasAttr(claw::repeatedAttrName) ? 2 : 1;
    if (isa<TensorMapOp>(op))
      mapIndex.try_emplace(op, mapIndex.size());
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
  makeStack(maxArgs, mapIndex.size());

  for (Operation *op : steps) {
    if (auto kernel = dyn_cast<KernelStepOp>(op)) {
      if (failed(lower(kernel)))
        return failure();
    } else if (auto memset = dyn_cast<MemsetStepOp>(op)) {
      lower(memset);
    } else if (auto copyStep = dyn_cast<CopyStepOp>(op)) {
      lower(copyStep);
    } else if (auto matmul = dyn_cast<MatmulStepOp>(op)) {
      lower(matmul);
    } else if (auto convolution = dyn_cast<ConvolutionStepOp>(op)) {
      lower(convolution);
    } else if (auto map = dyn_cast<TensorMapOp>(op)) {
      lower(map);
    } else if (auto persistent = dyn_cast<PersistentOp>(op)) {
      lower(persistent);
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
