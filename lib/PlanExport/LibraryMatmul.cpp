//===- LibraryMatmul.cpp - Contractions as matmul steps -------------------===//
//
// The loops of each of batch, m, n and k must lie in memory like one loop, and
// each matrix must have unit stride along rows or columns. A generic behind the
// product that only adds a bias, takes the positive part, rounds, or adds
// another matrix becomes part of the step.
//
//===----------------------------------------------------------------------===//
#include "Contraction.h"
#include "LibrarySteps.h"
#include "PrepareTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kclaw;

namespace {

/// As in kcl_steps.h, which this layer does not see.
enum Element : int32_t { F64 = 1, F32 = 2, F16 = 3, BF16 = 4 };
enum Compute : int32_t { ComputeF32 = 1, ComputeTf32 = 2, ComputeF64 = 3 };
enum Epilogue : int32_t { None = 0, Bias = 1, Relu = 2, BiasRelu = 4 };

/// What cuBLASLt wants on Hopper (NVIDIA's and PyTorch's default), and what a
/// small product can use of it: parts of k for each output.
constexpr int64_t largestWorkspace = 32 << 20;
constexpr int64_t workspacePerOutput = 64;

int32_t elementOf(Type type) {
  return type.isF64()    ? F64
         : type.isF32()  ? F32
         : type.isF16()  ? F16
         : type.isBF16() ? BF16
                         : 0;
}

bool isOne(Size size) { return constantSize(size) == 1; }

/// Strides of an operand by loop; null for a loop that it does not have.
struct Strides {
  Value root;
  Size offset;
  SmallVector<Size> byLoop;

  static std::optional<Strides> of(HostSizes &sizes, Value view,
                                   AffineMap map) {
    Layout layout = sizes.layout(view);
    if (!layout.offset)
      return std::nullopt;
    Strides made{rootBuffer(view), layout.offset,
                 SmallVector<Size>(map.getNumDims())};
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return std::nullopt;
      made.byLoop[dim.getPosition()] = layout.strides[i];
    }
    return made;
  }
};

/// Several loops that are one: its size, and its stride in each operand.
struct Fused {
  Size size;
  SmallVector<Size> strides;
};

/// `loops`, outermost first, as one loop over all of `operands`.
std::optional<Fused> fuse(const GenericBody &body, ArrayRef<unsigned> loops,
                          ArrayRef<const Strides *> operands) {
  Size one = body.hostSizes.constant(1);
  Fused all{one, SmallVector<Size>(operands.size(), Size())};
  for (unsigned loop : llvm::reverse(loops)) {
    if (isOne(body.sizes[loop]))
      continue;
    for (auto [operand, stride] : llvm::zip(operands, all.strides)) {
      Size own = operand->byLoop[loop];
      if (!stride)
        stride = own;
      else if (own != stride * all.size)
        return std::nullopt;
    }
    all.size = all.size * body.sizes[loop];
  }
  return all;
}

/// A matrix of rows x columns as the step wants it.
struct Matrix {
  Size ld;
  bool transposed = false;
};

/// Null strides are those of sizes 1.
std::optional<Matrix> matrixOf(Size rows, Size rowStride, Size columns,
                               Size columnStride, bool mayTranspose) {
  auto unit = [](Size stride) { return !stride || isOne(stride); };
  auto make = [](Size stride, Size length,
                 bool transposed) -> std::optional<Matrix> {
    if (!stride)
      return Matrix{length, transposed};
    std::optional<int64_t> ld = constantSize(stride),
                           least = constantSize(length);
    if (ld && (*ld == 0 || (least && *ld < *least)))
      return std::nullopt;
    return Matrix{stride, transposed};
  };
  if (unit(columnStride))
    return make(rowStride, columns, false);
  if (unit(rowStride) && mayTranspose)
    return make(columnStride, rows, true);
  return std::nullopt;
}

/// f(x) = x, or x widened.
bool isPlain(const Factor &factor, Block *body) {
  Value value = factor.value;
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    value = wide.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == body &&
         argument.getArgNumber() == factor.input;
}

bool startsFromZero(linalg::GenericOp op) {
  auto inits = op->getAttrOfType<ArrayAttr>(initAttrName);
  auto zero = inits ? dyn_cast<FloatAttr>(inits[0]) : FloatAttr();
  return zero && zero.getValue().isZero();
}

/// What the generic behind a product does to it.
struct After {
  OpOperand *bias = nullptr, *added = nullptr;
  bool relu = false;
};

Value skipWidening(Value value) {
  auto wide = value.getDefiningOp<arith::ExtFOp>();
  return wide ? wide.getIn() : value;
}

/// `next` must read `product` once, at the same place that it writes.
std::optional<After> matchAfter(linalg::GenericOp next, Value product) {
  if (!next || next.getNumReductionLoops() || next.getNumDpsInits() != 1 ||
      next->hasAttr(initAttrName))
    return std::nullopt;
  OpOperand *read = nullptr;
  for (OpOperand *input : next.getDpsInputOperands())
    if (input->get() == product) {
      if (read)
        return std::nullopt;
      read = input;
    }
  AffineMap out = next.getMatchingIndexingMap(next.getDpsInitOperand(0));
  if (!read || !out.isIdentity() || next.getMatchingIndexingMap(read) != out ||
      next.getRegionOutputArgs()[0].hasOneUse() ||
      !next.getRegionOutputArgs()[0].use_empty())
    return std::nullopt;
  After after;
  Value value = next.getBody()->getTerminator()->getOperand(0);
  if (auto narrow = value.getDefiningOp<arith::TruncFOp>())
    value = narrow.getIn();
  if (auto positive = value.getDefiningOp<arith::MaximumFOp>())
    if (matchPattern(positive.getRhs(), m_AnyZeroFloat())) {
      after.relu = true;
      value = positive.getLhs();
    }
  Value term = next.getMatchingBlockArgument(read);
  while (value != term) {
    auto sum = value.getDefiningOp<arith::AddFOp>();
    if (!sum)
      return std::nullopt;
    // One side is another input, the other goes on.
    auto inputOf = [&](Value side) -> OpOperand * {
      auto argument = dyn_cast<BlockArgument>(skipWidening(side));
      if (!argument || argument.getOwner() != next.getBody() ||
          argument.getArgNumber() >= next.getNumDpsInputs() || argument == term)
        return nullptr;
      return next.getDpsInputOperand(argument.getArgNumber());
    };
    OpOperand *other = inputOf(sum.getRhs());
    value = other ? sum.getLhs() : sum.getRhs();
    other = other ? other : inputOf(sum.getLhs());
    if (!other)
      return std::nullopt;
    AffineMap map = next.getMatchingIndexingMap(other);
    unsigned last = out.getNumDims() - 1;
    bool isBias = map.getNumResults() == 1 && map.isFunctionOfDim(last);
    OpOperand *&place = isBias ? after.bias : after.added;
    if (place || (!isBias && map != out))
      return std::nullopt;
    place = other;
  }
  unsigned inputs = 1 + (after.bias != nullptr) + (after.added != nullptr);
  if (inputs != next.getNumDpsInputs())
    return std::nullopt;
  return after;
}

/// The pieces of a claw.matmul_step while it is put together.
class StepBuilder {
public:
  StepBuilder(Operation *site, HostSizes &sizes)
      : b(site), loc(site->getLoc()), sizes(sizes) {}

  void addBuffer(Value root, Size elements, int64_t elementBytes) {
    buffers.push_back(root);
    offsets.push_back(sizes.materialize(b, loc, elements * elementBytes));
  }
  void addNumber(Size size) {
    numbers.push_back(sizes.materialize(b, loc, size));
  }

  OpBuilder b;
  Location loc;
  HostSizes &sizes;
  SmallVector<Value> buffers, offsets, numbers;
};

int64_t bytesOf(Type element) { return element.getIntOrFloatBitWidth() / 8; }

Type elementType(Value view) {
  return cast<MemRefType>(view.getType()).getElementType();
}

} // namespace

Value LibrarySteps::workspace(int64_t bytes) {
  OpBuilder b = OpBuilder::atBlockBegin(&host.front());
  if (!scratch)
    scratch = memref::AllocOp::create(b, host.getLoc(),
                                      MemRefType::get({bytes}, b.getI8Type()));
  if (scratch.getType().getDimSize(0) < bytes)
    scratch.getResult().setType(MemRefType::get({bytes}, b.getI8Type()));
  return scratch;
}

SmallVector<Operation *> LibrarySteps::emit(GenericBody &body,
                                            linalg::GenericOp next) {
  linalg::GenericOp op = body.op;
  std::optional<Contraction> loops = matchContraction(body);
  if (!loops || !startsFromZero(op) || !isPlain(loops->left, op.getBody()) ||
      !isPlain(loops->right, op.getBody()))
    return {};
  Value a = op.getDpsInputOperand(loops->left.input)->get();
  Value bIn = op.getDpsInputOperand(loops->right.input)->get();
  Value d = op.getDpsInitOperand(0)->get();
  Type operand = elementType(a), result = elementType(d);
  if (operand != elementType(bIn) || !elementOf(operand) ||
      !(result.isF64() || result.isF32()) ||
      (operand.isF64() != result.isF64()))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto left = Strides::of(body.hostSizes, a, maps[loops->left.input]);
  auto right = Strides::of(body.hostSizes, bIn, maps[loops->right.input]);
  auto into = Strides::of(body.hostSizes, d, maps[2]);
  if (!left || !right || !into)
    return {};
  // In the order of the output, so that loops next to each other fuse.
  auto ordered = [&](ArrayRef<unsigned> some) {
    SmallVector<unsigned> order;
    for (unsigned loop : body.parallel)
      if (llvm::is_contained(some, loop))
        order.push_back(loop);
    return order;
  };
  auto batch = fuse(body, ordered(loops->batch), {&*left, &*right, &*into});
  auto m = fuse(body, ordered(loops->m), {&*left, &*into});
  auto n = fuse(body, ordered(loops->n), {&*right, &*into});
  auto k = fuse(body, loops->k, {&*left, &*right});
  // A single number for each batch: our own reduction does it in one kernel.
  if (!batch || !m || !n || !k || (isOne(m->size) && isOne(n->size)) ||
      isOne(k->size))
    return {};

  std::optional<Matrix> matrixD =
      matrixOf(m->size, m->strides[1], n->size, n->strides[1], false);
  bool swapped = !matrixD;
  if (swapped) { // D^T = B^T A^T
    std::swap(m, n);
    std::swap(left, right);
    std::swap(batch->strides[0], batch->strides[1]);
    std::swap(k->strides[0], k->strides[1]);
    matrixD = matrixOf(m->size, m->strides[1], n->size, n->strides[1], false);
  }
  auto matrixA = matrixOf(m->size, m->strides[0], k->size, k->strides[0], true);
  auto matrixB = matrixOf(k->size, k->strides[1], n->size, n->strides[0], true);
  if (!matrixA || !matrixB || !matrixD)
    return {};

  std::optional<After> after;
  auto alloc = d.getDefiningOp<memref::AllocOp>();
  if (alloc && !swapped && llvm::range_size(alloc->getUsers()) == 2)
    after = matchAfter(next, d);
  Value target = d;
  std::optional<Strides> added;
  if (after) {
    Value out = next.getDpsInitOperand(0)->get();
    Type type = elementType(out);
    bool fits = (type == result || (type == operand && !operand.isF64())) &&
                out.getType() != Type() &&
                cast<MemRefType>(out.getType()).getLayout().isIdentity() &&
                !type.isF64();
    for (OpOperand *input : {after->bias, after->added})
      fits &=
          !input ||
          (elementType(input->get()) == type &&
           cast<MemRefType>(input->get().getType()).getLayout().isIdentity());
    if (fits) {
      target = out;
      result = type;
    } else {
      after.reset();
    }
  }

  Operation *site = after ? next.getOperation() : op.getOperation();
  StepBuilder step(site, body.hostSizes);
  Size zero = body.hostSizes.constant(0);
  auto place = [&](Value view) { return body.hostSizes.layout(view).offset; };
  auto stride = [&](unsigned i) {
    return batch->strides[i] ? batch->strides[i] : zero;
  };
  step.addBuffer(left->root, left->offset, bytesOf(operand));
  step.addBuffer(right->root, right->offset, bytesOf(operand));
  bool addsC = after && after->added;
  if (addsC)
    step.addBuffer(rootBuffer(after->added->get()), place(after->added->get()),
                   bytesOf(result));
  step.addBuffer(rootBuffer(target), place(target), bytesOf(result));
  bool bias = after && after->bias;
  if (bias)
    step.addBuffer(rootBuffer(after->bias->get()), place(after->bias->get()),
                   bytesOf(result));
  int64_t bytes = std::clamp<int64_t>(
      body.estimate(m->size * n->size * batch->size) * workspacePerOutput,
      1 << 20, largestWorkspace);
  step.buffers.push_back(workspace(bytes));
  step.offsets.push_back(step.sizes.materialize(step.b, step.loc, zero));
  for (Size size : {m->size, n->size, k->size, batch->size, matrixA->ld,
                    stride(0), matrixB->ld, stride(1), matrixD->ld, stride(2),
                    matrixD->ld, stride(2), body.hostSizes.constant(bytes)})
    step.addNumber(size);

  OpBuilder &b = step.b;
  int32_t compute = operand.isF64()                 ? ComputeF64
                    : operand.isF32() && tf32Matmul ? ComputeTf32
                                                    : ComputeF32;
  bool relu = after && after->relu;
  int32_t epilogue = bias ? (relu ? BiasRelu : Bias) : relu ? Relu : None;
  int32_t in = elementOf(operand), out = elementOf(result);
  claw::MatmulStepOp::create(
      b, step.loc, step.buffers, step.offsets, step.numbers,
      b.getDenseI32ArrayAttr({in, in, out, out}),
      b.getDenseI32ArrayAttr({matrixA->transposed, matrixB->transposed, 0, 0}),
      b.getF64FloatAttr(1), b.getF64FloatAttr(addsC ? 1 : 0),
      b.getI32IntegerAttr(compute), b.getI32IntegerAttr(epilogue),
      b.getStringAttr(""));
  SmallVector<Operation *> done = {op};
  if (after)
    done.push_back(next);
  return done;
}
