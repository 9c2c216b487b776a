//===- ShrinkableDims.cpp - Dimensions that may have other sizes ----------===//
//
// An op without a rule keeps all of its sizes. A rule ties the dimensions that
// DimClasses leaves apart, and says which of the op's dimensions stay.
//
//===----------------------------------------------------------------------===//
#include "ShrinkableDims.h"

#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include <cmath>

using namespace mlir;
using namespace kclaw;

namespace {
enum class Keep {
  Nothing,  ///< any size will do
  Untied,   ///< what is not tied to another value of the op
  Channels, ///< dimension 1, and what is not tied
  Windows,  ///< channels of convolutions, and images where windows say nothing
  Features, ///< of attention: the last dimension, and heads that differ
};

struct SizeRule {
  Keep keep;
  StringLiteral names; ///< separated by blanks, without "aten." and overload
};
} // namespace

/// Pointwise ops need no row: see ruleOf.
static constexpr SizeRule rules[] = {
    {Keep::Nothing, "expand broadcast_to"},
    {Keep::Untied,
     "view reshape _unsafe_view unsqueeze squeeze permute transpose t swapaxes "
     "slice clone contiguous alias detach lift_fresh lift_fresh_copy "
     "resolve_conj resolve_neg positive tensor_static_info_cast"},
    {Keep::Untied, "sum mean prod amax amin max min argmax argmin all any std "
                   "var var_mean std_mean norm linalg_vector_norm logsumexp"},
    {Keep::Untied, "softmax _softmax _safe_softmax log_softmax _log_softmax "
                   "softmin cumsum cumprod"},
    {Keep::Untied,
     "layer_norm native_layer_norm rms_norm batch_norm native_batch_norm "
     "_native_batch_norm_legit_functional "
     "_native_batch_norm_legit_no_training instance_norm"},
    {Keep::Channels, "group_norm"},
    {Keep::Untied, "linear mm bmm matmul addmm"},
    {Keep::Windows,
     "convolution _convolution conv1d conv2d conv3d avg_pool1d avg_pool2d "
     "avg_pool3d max_pool1d max_pool2d max_pool3d adaptive_avg_pool1d "
     "adaptive_avg_pool2d adaptive_avg_pool3d max_pool2d_with_indices"},
    {Keep::Features, "scaled_dot_product_attention"},
    {Keep::Untied, "cross_entropy_loss nll_loss nll_loss_nd"},
};

/// Pointwise ops that are more than elements and broadcasting.
static constexpr StringLiteral unruly[] = {"glu", "prelu", "polar", "tril",
                                           "triu"};

static StringRef baseName(StringRef name) {
  name.consume_front("aten.");
  return name.take_front(name.find('.'));
}

static std::optional<Keep> ruleOf(Operation *op) {
  StringRef name = torch::opName(op), base = baseName(name);
  for (const SizeRule &rule : rules) {
    SmallVector<StringRef> names;
    rule.names.split(names, ' ');
    if (llvm::is_contained(names, base))
      return rule.keep;
  }
  if (classifyOp(name) == OpClass::Pointwise &&
      !llvm::is_contained(unruly, base))
    return Keep::Nothing;
  return std::nullopt;
}

static SmallVector<int64_t> sizesOf(Value value) {
  auto shape = torch::tensorShape(value.getType());
  return shape ? shape->sizes : SmallVector<int64_t>{};
}

static int64_t rankOf(Value value) { return int64_t(sizesOf(value).size()); }

std::pair<Value, Value> kclaw::sizesListOf(Operation *op) {
  static constexpr StringLiteral ofResult[] = {
      "view", "reshape", "_unsafe_view", "expand", "broadcast_to"};
  static constexpr StringLiteral ofOperand[] = {
      "layer_norm", "native_layer_norm", "rms_norm"};
  StringRef base = baseName(torch::opName(op));
  if (op->getNumOperands() < 2 || op->getNumResults() == 0)
    return {};
  if (llvm::is_contained(ofResult, base))
    return {op->getOperand(1), op->getResult(0)};
  if (llvm::is_contained(ofOperand, base))
    return {op->getOperand(1), op->getOperand(0)};
  return {};
}

/// What an op's meaning makes equal beyond DimClasses, which names need not
/// know.
void ShrinkableDims::tie(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0 || !ruleOf(op))
    return;
  StringRef base = baseName(torch::opName(op));
  Value in = op->getOperand(0), out = op->getResult(0);
  int64_t rank = rankOf(in), rankOut = rankOf(out);
  // Values and indices; the mean beside the normalised value.
  for (Value other : llvm::drop_begin(op->getResults()))
    for (int64_t i = 0; i < rankOf(other); ++i)
      if (rankOf(other) == rankOut)
        classes.unify(out, i, other, i);
      else if (base.contains("batch_norm"))
        classes.unify(in, 1, other, i);
  if (base == "linear" && op->getNumOperands() > 2)
    classes.unify(op->getOperand(2), rankOf(op->getOperand(2)) - 1, out,
                  rankOut - 1);
  if (base == "bmm" || base == "matmul")
    for (int64_t i = 0; rankOf(op->getOperand(1)) == rankOut && i + 2 < rankOut;
         ++i)
      classes.unify(op->getOperand(1), i, out, i);
  if (base == "addmm") {
    Value a = op->getOperand(1), b = op->getOperand(2);
    classes.unify(a, 0, out, 0);
    classes.unify(b, 1, out, 1);
    classes.unify(a, 1, b, 0);
    for (int64_t i = 1; i <= rank; ++i)
      classes.unify(in, rank - i, out, rankOut - i);
  }
  if (base == "scaled_dot_product_attention")
    tieAttention(op);
  if (base == "cross_entropy_loss" || base.starts_with("nll_loss"))
    tieLoss(op);
}

/// Queries, keys, values, mask; with a triangular mask there are as many
/// queries as keys.
void ShrinkableDims::tieAttention(Operation *op) {
  Value query = op->getOperand(0), key = op->getOperand(1);
  int64_t rank = rankOf(query);
  for (Value operand : op->getOperands())
    for (int64_t i = 3; i <= std::min(rank, rankOf(operand)); ++i)
      classes.unify(query, rank - i, operand, rankOf(operand) - i);
  classes.unify(key, rank - 2, op->getOperand(2), rank - 2);
  if (op->getNumOperands() < 6)
    return;
  Value mask = op->getOperand(3);
  classes.unify(mask, rankOf(mask) - 2, query, rank - 2);
  classes.unify(mask, rankOf(mask) - 1, key, rank - 2);
  auto causal = torch::constantValue(op->getOperand(5));
  auto flag = causal ? dyn_cast<IntegerAttr>(*causal) : IntegerAttr();
  if (!flag || !flag.getValue().isZero())
    classes.unify(query, rank - 2, key, rank - 2);
}

/// [N, C, ...] with targets [N, ...] or [N, C, ...], weights [C], and a loss
/// that is one number or [N, ...].
void ShrinkableDims::tieLoss(Operation *op) {
  Value in = op->getOperand(0);
  int64_t rank = rankOf(in), classDim = rank > 1;
  auto tieTo = [&](Value other) {
    for (int64_t i = 0; i < rank; ++i)
      if (rankOf(other) == rank)
        classes.unify(in, i, other, i);
      else if (rankOf(other) == rank - 1 && i != classDim)
        classes.unify(in, i, other, i - (i > classDim));
  };
  tieTo(op->getOperand(1));
  tieTo(op->getResult(0));
  if (op->getNumOperands() > 2)
    classes.unify(op->getOperand(2), 0, in, classDim);
}

void ShrinkableDims::fixFrom(Value value, unsigned first) {
  for (int64_t i = first; i < rankOf(value); ++i)
    fixed.insert(classOf(value, i));
}

void ShrinkableDims::fixAll(Operation *op) {
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      fixFrom(value, 0);
}

/// A dimension of a result that no operand has, or of an operand that meets
/// no other; what a reduction removes is tied to nothing and free.
void ShrinkableDims::fixUntied(Operation *op) {
  bool removes = op->getNumResults() > 0 && op->getNumOperands() > 0 &&
                 llvm::is_contained({OpClass::Reduction, OpClass::Softmax},
                                    classifyOp(torch::opName(op)));
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  for (Value value : values)
    for (int64_t i = 0; i < rankOf(value); ++i) {
      unsigned own = classOf(value, i);
      bool tied = sizesOf(value)[i] == 1;
      for (Value other : values)
        for (int64_t j = 0; other != value && j < rankOf(other); ++j)
          tied |= classOf(other, j) == own;
      if (!tied && !(removes && value == op->getOperand(0)))
        fixed.insert(own);
    }
}

/// Whether `number` is the size, or divides by it.
static bool isSize(double number, int64_t size) {
  return number == double(size) || std::abs(number * double(size) - 1) < 1e-6;
}

/// x / 8192 is no mean any more where the size is another.
void ShrinkableDims::fixScalar(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto constant = torch::constantValue(operand);
    auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
    auto real = constant ? dyn_cast<FloatAttr>(*constant) : FloatAttr();
    if (!integer && !real)
      continue;
    double number =
        integer ? double(integer.getInt()) : real.getValueAsDouble();
    for (auto &[dimClass, size] : shrinkable)
      if (isSize(number, size))
        fixed.insert(dimClass);
  }
}

void ShrinkableDims::fixWhatIsWritten(Operation *op) {
  auto literal = dyn_cast<torch::ValueTensorLiteralOp>(op);
  if (literal && literal.getValue().isSplat())
    return;
  std::optional<Keep> keep = ruleOf(op);
  if (!keep)
    return fixAll(op);
  fixScalar(op);
  Value in = op->getOperand(0);
  switch (*keep) {
  case Keep::Nothing:
    return;
  case Keep::Channels:
    fixed.insert(classOf(in, 1));
    return fixUntied(op);
  case Keep::Windows:
    return fixAroundWindows(op);
  case Keep::Features:
    for (Value value : llvm::concat<Value>(
             SmallVector<Value>(op->getOperands().take_front(3)),
             SmallVector<Value>(op->getResults()))) {
      if (rankOf(value) != rankOf(in))
        return fixAll(op);
      fixFrom(value, rankOf(in) - 1);
      for (int64_t i = 0; i + 2 < rankOf(in); ++i)
        if (sizesOf(value)[i] != sizesOf(in)[i]) {
          fixed.insert(classOf(value, i));
          fixed.insert(classOf(in, i));
        }
    }
    return;
  case Keep::Untied:
    return fixUntied(op);
  }
}

/// What slides over an image of another size gives a result of another.
void ShrinkableDims::fixAroundWindows(Operation *op) {
  Value in = op->getOperand(0), out = op->getResult(0);
  bool pool = classifyOp(torch::opName(op)) == OpClass::Pooling;
  int64_t images = imageRank(op), first = rankOf(in) - images;
  if (images == 0 || first < 1 || rankOf(out) != rankOf(in) ||
      (!pool && rankOf(in) != rankOf(op->getOperand(1))))
    return fixAll(op);
  for (Value operand : llvm::drop_begin(op->getOperands()))
    fixFrom(operand, 0);
  if (!pool) {
    fixed.insert(classOf(in, 1));
    fixed.insert(classOf(out, 1));
  }
  auto all = windowsOf(op);
  for (int64_t i = 0; i < images; ++i) {
    int64_t dim = first + i;
    unsigned from = classOf(in, dim), to = classOf(out, dim);
    if (all && (*all)[i].results(sizesOf(in)[dim]) == sizesOf(out)[dim]) {
      windows.push_back({from, to, (*all)[i]});
    } else {
      fixed.insert(from);
      fixed.insert(to);
    }
  }
}

/// A result stays where its image does, and the other way round.
void ShrinkableDims::settleWindows() {
  auto isFree = [&](unsigned dimClass) {
    return !fixed.contains(dimClass) &&
           (shrinkable.contains(dimClass) ||
            llvm::any_of(windows, [&](const Slide &slide) {
              return slide.to == dimClass && slide.from != dimClass;
            }));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Slide &slide : windows)
      if (!isFree(slide.from) || fixed.contains(slide.to)) {
        changed |= fixed.insert(slide.from).second;
        changed |= fixed.insert(slide.to).second;
      }
  }
  for (const Slide &slide : windows)
    if (slide.from != slide.to)
      shrinkable.erase(slide.to);
}

std::optional<ShrinkableDims::Sizes>
ShrinkableDims::complete(const Sizes &sizes, int64_t smallest) const {
  Sizes all = sizes;
  for (const Slide &slide : windows) {
    auto from = all.find(slide.from);
    if (from == all.end())
      continue;
    int64_t size = slide.window.results(from->second);
    auto [entry, isNew] = all.insert({slide.to, size});
    if (entry->second != size || size < smallest)
      return std::nullopt;
  }
  return all;
}

ShrinkableDims::ShrinkableDims(func::FuncOp region) : classes(region) {
  if (!region.getBody().hasOneBlock())
    return;
  Block &body = region.front();
  for (Operation &op : body.without_terminator())
    tie(&op);
  SmallVector<Value> border(region.getArguments());
  llvm::append_range(border, body.getTerminator()->getOperands());
  SmallVector<Value> all = border;
  for (Operation &op : body)
    llvm::append_range(all, op.getResults());
  for (Value value : all)
    if (llvm::is_contained(sizesOf(value), ShapedType::kDynamic))
      return;
  for (Value value : border)
    for (auto [i, size] : llvm::enumerate(sizesOf(value)))
      if (size > 1)
        shrinkable.insert({classOf(value, i), size});
  for (Operation &op : body.without_terminator())
    fixWhatIsWritten(&op);
  for (Operation &op : body.without_terminator())
    findRoles(&op);
  settleWindows();
  shrinkable.remove_if(
      [&](auto &entry) { return fixed.contains(entry.first); });
}
