//===- DimClasses.cpp - Which dimensions are the same ---------------------===//
//
// Elementwise ops tie trailing dimensions, reductions and contractions what
// their meaning ties, views what they keep or what a list of sizes says.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Outline/DimClasses.h"

#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Outline/Windows.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace kclaw;

/// Sizes of a tensor; empty for other values.
static SmallVector<int64_t> sizesOf(Value value) {
  auto shape = torch::tensorShape(value.getType());
  return shape ? shape->sizes : SmallVector<int64_t>{};
}

static std::optional<int64_t> constantInt(Value value) {
  auto constant = torch::constantValue(value);
  auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
  return integer ? std::optional(integer.getInt()) : std::nullopt;
}

unsigned DimClasses::nodeOf(Key key) {
  auto [it, isNew] = nodes.try_emplace(key, parent.size());
  if (isNew) {
    parent.push_back(parent.size());
  }
  return it->second;
}

unsigned DimClasses::find(unsigned node) {
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

void DimClasses::unify(Value a, int64_t dimA, Value b, int64_t dimB) {
  SmallVector<int64_t> sizesA = sizesOf(a), sizesB = sizesOf(b);
  if (dimA < 0 || dimB < 0 || dimA >= int64_t(sizesA.size()) ||
      dimB >= int64_t(sizesB.size()) || sizesA[dimA] != sizesB[dimB] ||
      sizesA[dimA] == 1)
    return;
  parent[find(nodeOf({a, unsigned(dimA)}))] = find(nodeOf({b, unsigned(dimB)}));
}

void DimClasses::unifyTrailing(Value a, Value b) {
  int64_t rankA = sizesOf(a).size(), rankB = sizesOf(b).size();
  for (int64_t i = 1; i <= std::min(rankA, rankB); ++i)
    unify(a, rankA - i, b, rankB - i);
}

/// Dimensions that a reduction removes, when constant.
static std::optional<SmallVector<int64_t>> reducedDims(Operation *op,
                                                       int64_t rank) {
  // norm(x, p, dims) and linalg_vector_norm(x, order, dims)
  unsigned at = torch::opName(op).contains("norm") ? 2 : 1;
  if (op->getNumOperands() <= at)
    return std::nullopt;
  SmallVector<int64_t> dims;
  SmallVector<Value> list =
      torch::listElements(op->getOperand(at))
          .value_or(SmallVector<Value>{op->getOperand(at)});
  for (Value value : list) {
    auto dim = constantInt(value);
    if (!dim)
      return std::nullopt;
    dims.push_back(*dim < 0 ? *dim + rank : *dim);
  }
  return dims;
}

/// Tensors that the op makes: its result, or the elements of its list.
static SmallVector<Value> elementsOf(Operation *op) {
  SmallVector<Value> values;
  for (Value result : op->getResults()) {
    if (torch::tensorShape(result.getType()))
      values.push_back(result);
    else
      for (Operation *user : result.getUsers())
        if (torch::opName(user) == "prim.ListUnpack")
          llvm::append_range(values, user->getResults());
  }
  return values;
}

/// Views that keep every dimension.
static constexpr StringLiteral keepingViews[] = {
    "aten.clone",     "aten.contiguous",   "aten.alias",
    "aten.detach",    "aten.lift_fresh",   "aten.lift_fresh_copy",
    "aten.positive",  "aten.resolve_conj", "aten.resolve_neg",
    "aten.to.device", "prims.view_of",     "tensor_static_info_cast"};

namespace {
/// Views that take a part of the dimension that an operand names.
struct PartRow {
  StringLiteral name;
  unsigned dim; ///< operand
};
} // namespace
static constexpr PartRow partViews[] = {
    {"aten.slice.Tensor", 1},     {"aten.narrow", 1}, {"aten.split.Tensor", 2},
    {"aten.split_with_sizes", 2}, {"aten.chunk", 2},  {"aten.split.sizes", 2}};

/// slice.Tensor(x, dim, 0, largest, 1), which exports are full of.
static bool takesAll(Operation *op, StringRef name) {
  if (name != "aten.slice.Tensor" || op->getNumOperands() < 5)
    return false;
  auto is = [&](unsigned operand, int64_t value, bool orNone) {
    auto constant = torch::constantValue(op->getOperand(operand));
    return constant && ((orNone && isa<UnitAttr>(*constant)) ||
                        constantInt(op->getOperand(operand)) == value);
  };
  return is(2, 0, true) && is(3, std::numeric_limits<int64_t>::max(), true) &&
         is(4, 1, false);
}

/// Which input dimension each result dimension of a view is; -1 for none.
static SmallVector<int64_t> viewSources(Operation *op, StringRef name,
                                        int64_t rankIn, int64_t rankOut) {
  auto dimOperand = [&](unsigned i, int64_t rank) -> int64_t {
    if (i >= op->getNumOperands())
      return -1;
    auto dim = constantInt(op->getOperand(i));
    return !dim ? -1 : *dim < 0 ? *dim + rank : *dim;
  };
  auto sources = llvm::to_vector(llvm::seq<int64_t>(0, rankOut));
  for (const PartRow &row : partViews)
    if (row.name == name) {
      int64_t at = dimOperand(row.dim, rankIn);
      if (at < 0 || at >= rankOut || rankIn != rankOut)
        return {};
      if (!takesAll(op, name))
        sources[at] = -1;
      return sources;
    }
  if (name == "aten.permute") {
    auto list = torch::listElements(op->getOperand(1));
    if (!list || int64_t(list->size()) != rankOut)
      return {};
    for (auto [source, value] : llvm::zip(sources, *list)) {
      int64_t dim = constantInt(value).value_or(-1 - rankIn);
      source = dim < 0 ? dim + rankIn : dim;
    }
  } else if (name == "aten.transpose.int" || name == "aten.swapaxes") {
    int64_t a = dimOperand(1, rankIn), b = dimOperand(2, rankIn);
    if (a < 0 || b < 0 || a >= rankOut || b >= rankOut)
      return {};
    std::swap(sources[a], sources[b]);
  } else if (name == "aten.t" || name == "aten.numpy_T") {
    std::reverse(sources.begin(), sources.end());
  } else if (name == "aten.unsqueeze") {
    int64_t at = dimOperand(1, rankOut);
    for (int64_t &source : sources)
      source = source < at ? source : source == at ? -1 : source - 1;
  } else if (name == "aten.select.int" || name == "aten.unbind.int" ||
             name == "aten.squeeze.dim") {
    int64_t at = dimOperand(1, rankIn);
    for (int64_t &source : sources)
      source += rankIn != rankOut && source >= at;
  } else if (rankIn != rankOut || !llvm::is_contained(keepingViews, name)) {
    return {};
  }
  return sources;
}

void DimClasses::unifyReduction(Operation *op) {
  Value in = op->getOperand(0), out = op->getResult(0);
  int64_t rankIn = sizesOf(in).size();
  if (sizesOf(out).size() == sizesOf(in).size()) {
    for (int64_t i = 0; i < rankIn; ++i)
      unify(in, i, out, i);
    return;
  }
  auto dims = reducedDims(op, rankIn);
  for (int64_t i = 0, o = 0; dims && i < rankIn; ++i)
    if (!llvm::is_contained(*dims, i))
      unify(in, i, out, o++);
}

void DimClasses::unifyContraction(Operation *op) {
  StringRef name = torch::opName(op);
  if (name != "aten.linear" && name != "aten.mm" && name != "aten.bmm" &&
      name != "aten.matmul")
    return;
  Value in = op->getOperand(0), weight = op->getOperand(1);
  Value out = op->getResult(0);
  int64_t rankIn = sizesOf(in).size(), rankOut = sizesOf(out).size();
  int64_t rankW = sizesOf(weight).size();
  if (rankIn < 2 || rankW < 2)
    return;
  bool transposed = name == "aten.linear";
  unify(in, rankIn - 1, weight, transposed ? rankW - 1 : rankW - 2);
  unify(in, rankIn - 2, out, rankOut - 2);
  unify(weight, transposed ? rankW - 2 : rankW - 1, out, rankOut - 1);
  for (int64_t i = 0; rankIn == rankOut && i + 2 < rankIn; ++i)
    unify(in, i, out, i);
}

/// The product of the sizes that are known.
static int64_t staticProduct(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= ShapedType::isDynamic(size) ? 1 : size;
  return product;
}

/// A reshape keeps the leading and trailing dimensions up to the first that
/// differs. Two unknown sizes are the same only when there is no other on
/// either side and the known ones multiply to the same: [?, 15] seen as
/// [?, 3, 15] has a third of the rows.
void DimClasses::unifyReshape(Value in, Value out) {
  SmallVector<int64_t> a = sizesOf(in), b = sizesOf(out);
  if (llvm::count(a, ShapedType::kDynamic) > 1 ||
      llvm::count(b, ShapedType::kDynamic) > 1)
    return;
  bool keepsDynamic = staticProduct(a) == staticProduct(b);
  auto kept = [&](int64_t sizeA, int64_t sizeB) {
    return sizeA == sizeB && (keepsDynamic || !ShapedType::isDynamic(sizeA));
  };
  size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common && kept(a[i], b[i]); ++i)
    unify(in, i, out, i);
  for (size_t i = 1; i <= common && kept(a[a.size() - i], b[b.size() - i]); ++i)
    unify(in, a.size() - i, out, b.size() - i);
}

/// Views that keep, move, add or drop dimensions, or regroup some of them.
void DimClasses::unifyView(Operation *op) {
  StringRef name = torch::opName(op);
  Value in = op->getOperand(0);
  static const StringRef reshapes[] = {
      "aten.view", "aten.reshape", "aten._unsafe_view",
      "aten.flatten.using_ints", "aten.unflatten.int"};
  for (Value out : elementsOf(op)) {
    if (name == "aten.expand" || name == "aten.broadcast_to") {
      unifyTrailing(in, out);
    } else if (llvm::is_contained(reshapes, name)) {
      unifyReshape(in, out);
    } else {
      SmallVector<int64_t> sources =
          viewSources(op, name, sizesOf(in).size(), sizesOf(out).size());
      for (auto [o, i] : llvm::enumerate(sources))
        unify(in, i, out, o);
    }
  }
}

void DimClasses::unifyOp(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return;
  StringRef name = torch::opName(op);
  Value in = op->getOperand(0), out = op->getResult(0);
  int64_t rankIn = sizesOf(in).size(), rankOut = sizesOf(out).size();
  switch (classifyOp(name)) {
  case OpClass::Pointwise:
    if (name == "aten.glu") // half of one dimension
      return;
    for (Value operand : op->getOperands())
      if (name != "aten.prelu" || operand == in) // a weight a channel
        unifyTrailing(operand, out);
    return;
  case OpClass::Softmax:
  case OpClass::Scan:
    if (name == "aten.logsumexp")
      unifyReduction(op);
    else if (name.contains("softm") || name.starts_with("aten.cum") ||
             name == "aten.logcumsumexp")
      unifyTrailing(in, out);
    return;
  case OpClass::Norm:
    unifyTrailing(in, out);
    for (Value operand : llvm::drop_begin(op->getOperands()))
      if (name.contains("layer_norm") || name.contains("rms_norm"))
        unifyTrailing(operand, in);
      else if (sizesOf(operand).size() == 1)
        unify(operand, 0, in, 1);
    return;
  case OpClass::Convolution:
    unify(in, 0, out, 0);
    return;
  case OpClass::Pooling: // a window for each channel
    for (int64_t i = 0; imageRank(op) > 0 && i < rankIn - imageRank(op); ++i)
      unify(in, i, out, i);
    return;
  case OpClass::Attention:
    for (int64_t i = 0; i + 1 < rankIn; ++i)
      unify(in, i, out, i);
    unify(op->getOperand(2), sizesOf(op->getOperand(2)).size() - 1, out,
          rankOut - 1);
    return;
  case OpClass::Reduction:
    if (!name.contains("embedding_bag"))
      unifyReduction(op);
    return;
  case OpClass::Contraction:
    unifyContraction(op);
    return;
  case OpClass::View:
    unifyView(op);
    unifyListedSizes(op);
    return;
  case OpClass::Creation:
    unifyListedSizes(op);
    return;
  default: // lists of these are no sizes: repeat, pad, roll
    return;
  }
}

/// Sizes read from a tensor: result dimension i is that tensor's dimension.
void DimClasses::unifyListedSizes(Operation *op) {
  Value out = op->getResult(0);
  auto list = op->getNumOperands() > 1 ? torch::listElements(op->getOperand(1))
                                       : std::nullopt;
  if (!list || list->size() != sizesOf(out).size())
    return;
  for (auto [i, element] : llvm::enumerate(*list)) {
    Operation *read = element.getDefiningOp();
    if (!read || torch::opName(read) != "aten.size.int")
      continue;
    Value from = read->getOperand(0);
    if (auto dim = constantInt(read->getOperand(1)))
      unify(from, *dim < 0 ? *dim + int64_t(sizesOf(from).size()) : *dim, out,
            i);
  }
}

/// torch.bind_symbolic_shape: dimensions that are one symbol.
void DimClasses::unifySymbols(Operation *op) {
  auto bind = cast<torch::BindSymbolicShapeOp>(op);
  AffineMap map = bind.getShapeExpressions().getValue();
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol || i >= sizesOf(bind.getOperand()).size())
      continue;
    Value value = bind.getShapeSymbols()[symbol.getPosition()];
    auto [it, isNew] =
        symbols.try_emplace(value, Key(bind.getOperand(), unsigned(i)));
    if (!isNew)
      unify(it->second.first, it->second.second, bind.getOperand(), i);
  }
}

DimClasses::DimClasses(func::FuncOp function) {
  for (Operation &op : function.front().without_terminator()) {
    if (isa<torch::BindSymbolicShapeOp>(op))
      unifySymbols(&op);
    else
      unifyOp(&op);
  }
}

unsigned DimClasses::classOf(Value value, unsigned dim) {
  return find(nodeOf({value, dim}));
}

std::optional<DimRange> DimClasses::rangeOf(unsigned dimClass) {
  for (auto &[symbol, key] : symbols)
    if (classOf(key.first, key.second) == dimClass)
      if (auto op = symbol.getDefiningOp<torch::SymbolicIntOp>())
        return DimRange{op.getMinValAttr().getInt(),
                        op.getMaxValAttr().getInt()};
  return std::nullopt;
}
