//===- Requirements.cpp - What must hold of sizes -------------------------===//
//
// The part of TensorBuilder that emits claw.require. Sizes that are the same by
// construction need no op: each is traced to where its tensor was made.
//
//===----------------------------------------------------------------------===//
#include "TensorBuilder.h"

#include "kernelclaw/Claw/Claw.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;

namespace kclaw {

namespace {
/// A size as it was given, or else as a dim of a tensor.
struct SizeSource {
  OpFoldResult given;
  Value tensor;
  int64_t dim = 0;

  bool operator==(const SizeSource &) const = default;
};
} // namespace

static SizeSource sourceOf(OpFoldResult size);

static SizeSource sourceOf(Value tensor, int64_t dim) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return sourceOf(empty.getMixedSizes()[dim]);
    auto result = cast<OpResult>(tensor);
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      tensor = destination.getDpsInitOperand(result.getResultNumber())->get();
    else if (auto cast = dyn_cast<tensor::CastOp>(op))
      tensor = cast.getSource();
    else
      break;
  }
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(extent))
    return {Builder(tensor.getContext()).getIndexAttr(extent), {}, 0};
  return {{}, tensor, dim};
}

static SizeSource sourceOf(OpFoldResult size) {
  if (std::optional<int64_t> fixed = getConstantIntValue(size))
    return {Builder(size.getContext()).getIndexAttr(*fixed), {}, 0};
  Value value = cast<Value>(size);
  while (auto other = value.getDefiningOp<arith::IndexCastOp>())
    value = other.getIn();
  auto dim = value.getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
  return index ? sourceOf(dim.getSource(), *index) : SizeSource{size, {}, 0};
}

void TensorBuilder::require(Value condition, const Twine &text,
                            ValueRange values) {
  claw::RequireOp::create(b, loc, condition,
                          b.getStringAttr(name + ": " + text), values);
}

/// Both sizes are known and wrong: a diagnostic, once. Else a requirement, if
/// it is not sure to hold.
static void compare(TensorBuilder &t, bool &hasFailed,
                    arith::CmpIPredicate predicate, OpFoldResult x,
                    OpFoldResult y, const Twine &text) {
  if (sourceOf(x) == sourceOf(y))
    return;
  std::optional<int64_t> a = getConstantIntValue(x);
  std::optional<int64_t> c = getConstantIntValue(y);
  if (a && c) {
    bool holds = arith::applyCmpPredicate(predicate, APInt(64, *a, true),
                                          APInt(64, *c, true));
    if (!holds && !std::exchange(hasFailed, true))
      emitError(t.loc)
          << "cannot lower torch." << t.name << " to linalg: "
          << llvm::formatv(false, text.str().c_str(), *a, *c).str();
    return;
  }
  Value left = t.asIndex(x), right = t.asIndex(y);
  Value holds = arith::CmpIOp::create(t.b, t.loc, predicate, left, right);
  t.require(holds, text, {left, right});
}

void TensorBuilder::requireEqual(OpFoldResult x, OpFoldResult y,
                                 const Twine &text) {
  compare(*this, hasFailed, arith::CmpIPredicate::eq, x, y, text);
}

void TensorBuilder::requireAtLeast(OpFoldResult x, OpFoldResult least,
                                   const Twine &text) {
  compare(*this, hasFailed, arith::CmpIPredicate::sge, x, least, text);
}

void TensorBuilder::requireFit(Tensor tensor, AffineMap map,
                               ArrayRef<OpFoldResult> domain,
                               const Twine &text) {
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      if (sourceOf(tensor.value, dim) != sourceOf(domain[loop.getPosition()]))
        requireEqual(size(tensor, dim), domain[loop.getPosition()], text);
}

void TensorBuilder::requireFitUnrepeated(Tensor tensor, AffineMap map,
                                         ArrayRef<OpFoldResult> domain) {
  requireFit(tensor, map, domain,
             "sizes {0} and {1} must be equal; a dynamic size of 1 is not "
             "repeated: export it as a static 1");
}

void TensorBuilder::requireElements(Tensor tensor, ArrayRef<int64_t> over) {
  for (int64_t dim : over)
    requireAtLeast(size(tensor, dim), fixed(1),
                   "a dim of size {0} has no largest or smallest element");
}

/// Factors that both sides have cancel out, so that regrouped sizes need no op.
void TensorBuilder::requireSameCount(Tensor tensor,
                                     ArrayRef<OpFoldResult> target) {
  SmallVector<SizeSource> factors;
  int64_t have = 1, want = 1;
  for (OpFoldResult size : sizes(tensor)) {
    if (std::optional<int64_t> fixed = getConstantIntValue(size))
      have *= *fixed;
    else
      factors.push_back(sourceOf(size));
  }
  bool cancels = true;
  for (OpFoldResult size : target) {
    std::optional<int64_t> fixed = getConstantIntValue(size);
    auto same = llvm::find(factors, sourceOf(size));
    if (fixed)
      want *= *fixed;
    else if (same != factors.end())
      factors.erase(same);
    else
      cancels = false;
  }
  if (cancels && factors.empty() && have == want)
    return;
  OpFoldResult left = fixed(1), right = left;
  for (OpFoldResult size : sizes(tensor))
    left = mul(left, size);
  for (OpFoldResult size : target)
    right = mul(right, size);
  requireEqual(left, right, "{0} elements do not fit a shape of {1} elements");
}

/// A loop of its own before the one that reads: the latter stays plain, and on
/// a device, which has no such errors, this one is dead.
void TensorBuilder::requireIndices(Tensor index, Tensor x, int64_t dim,
                                   bool wraps, std::optional<int64_t> ignored) {
  if (widen) // a reference for a device
    return;
  OpFoldResult extent = x.rank() ? size(x, dim) : fixed(1);
  constexpr int64_t none = std::numeric_limits<int64_t>::min();
  Tensor last = reduce(
      {index}, sizes(index), dimRange(0, index.rank()), si64(),
      b.getI64IntegerAttr(none), [&](Body at, Num found, ArrayRef<Num> a) {
        Num i = convert(a[0], found.type(), false), n = at.size(extent);
        Num good = both(ge(i, wraps ? -n : i.integer(0)), lt(i, n));
        if (ignored)
          good = either(good, eq(i, i.integer(*ignored)));
        return select(good, found, kclaw::maximum(i, i.integer(none + 1)));
      });
  Num bad = Body{b, loc}.load(last, {});
  require(eq(bad, bad.integer(none)).value,
          "index {0} is out of bounds for dimension " + Twine(dim) +
              " with size {1}",
          {bad.value, asIndex(extent)});
}

} // namespace kclaw
