//===- Contraction.cpp - Matmul-like generics -----------------------------===//
#include "Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kclaw;

/// The only input that `value` depends on; nullopt when there are others or
/// anything but arithmetic.
static std::optional<unsigned> onlyInput(linalg::GenericOp op, Value value) {
  std::optional<unsigned> found;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      unsigned number = argument.getArgNumber();
      if (argument.getOwner() != op.getBody() || number >= 2 ||
          (found && *found != number))
        return std::nullopt;
      found = number;
      continue;
    }
    Operation *source = next.getDefiningOp();
    if (source->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (source->getNumRegions() != 0 || !isPure(source) ||
        isa<linalg::IndexOp>(source))
      return std::nullopt;
    llvm::append_range(work, source->getOperands());
  }
  return found;
}

std::optional<Contraction> kclaw::matchContraction(const GenericBody &body) {
  linalg::GenericOp op = body.op;
  if (!body.combiner || !isa<arith::AddFOp>(body.combiner->op) ||
      op.getNumDpsInputs() != 2)
    return std::nullopt;
  Value out = op.getRegionOutputArgs().front();
  Value term = body.combiner->op->getOperand(0) == out
                   ? body.combiner->op->getOperand(1)
                   : body.combiner->op->getOperand(0);
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  std::optional<unsigned> a = onlyInput(op, product.getLhs());
  std::optional<unsigned> b = onlyInput(op, product.getRhs());
  if (!a || !b || *a == *b)
    return std::nullopt;
  Contraction result;
  result.left = {product.getLhs(), *a};
  result.right = {product.getRhs(), *b};
  if (*a == 1)
    std::swap(result.left, result.right);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return std::nullopt;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool inA = maps[0].isFunctionOfDim(loop),
         inB = maps[1].isFunctionOfDim(loop);
    bool inC = maps[2].isFunctionOfDim(loop);
    if (inA && inB)
      (inC ? result.batch : result.k).push_back(loop);
    else if (inC && (inA || inB))
      (inA ? result.m : result.n).push_back(loop);
    else
      return std::nullopt;
  }
  return result;
}
