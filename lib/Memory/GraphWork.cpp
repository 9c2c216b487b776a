//===- GraphWork.cpp - Sizes of a graph's main ops ------------------------===//
#include "GraphWork.h"

#include <algorithm>
#include <set>

namespace kclaw {

using Shape = std::vector<int64_t>;

static const GraphValue *tensor(const OpGraph &graph, const GraphOp &op,
                                size_t index) {
  if (index >= op.operands.size() || op.operands[index].values.empty())
    return nullptr;
  int value = op.operands[index].values.front();
  return value < 0 ? nullptr : &graph.values[size_t(value)];
}

/// An integer or a list of them.
static std::optional<Shape> integers(const GraphOp &op, size_t index) {
  if (index >= op.operands.size() || !op.operands[index].isLiteral())
    return std::nullopt;
  const Literal &literal = op.operands[index].literal;
  if (const auto *one = std::get_if<int64_t>(&literal))
    return Shape{*one};
  if (const auto *list = std::get_if<Shape>(&literal))
    return *list;
  if (std::holds_alternative<std::monostate>(literal))
    return Shape{};
  return std::nullopt;
}

static std::optional<double> product(const Shape &shape, size_t from,
                                     size_t to) {
  double all = 1;
  for (size_t i = from; i < std::min(to, shape.size()); ++i) {
    if (shape[i] < 0)
      return std::nullopt;
    all *= double(shape[i]);
  }
  return all;
}

std::optional<double> elementsOf(const GraphValue &value) {
  return product(value.shape, 0, value.shape.size());
}

const GraphValue *firstTensor(const OpGraph &graph, const GraphOp &op) {
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (const GraphValue *found = tensor(graph, op, i))
      return found;
  return nullptr;
}

bool isTransposed(const GraphOp &op) {
  if (baseName(op.name).starts_with("conv_transpose"))
    return true;
  if (op.operands.size() <= 6)
    return false;
  const bool *flag = std::get_if<bool>(&op.operands[6].literal);
  return op.operands[6].isLiteral() && flag && *flag;
}

/// Where an overload has the groups; `convolution` and `_convolution` are last.
static size_t groupsOperand(const GraphOp &op) {
  std::string_view base = baseName(op.name);
  return base.starts_with("conv") && base != "convolution" ? 6 : 8;
}

std::optional<int64_t> groupsOf(const OpGraph &, const GraphOp &op) {
  auto found = integers(op, groupsOperand(op));
  if (!found || found->size() != 1)
    return std::nullopt;
  return found->front();
}

/// Rows of the left operand times batch; `k` is its last dimension.
static std::optional<GemmSize> matmulSize(const GraphValue &left,
                                          const GraphValue &right,
                                          const GraphValue &result,
                                          bool linear) {
  const Shape &a = left.shape, &b = right.shape;
  if (a.empty() || b.empty() || a.back() < 0)
    return std::nullopt;
  GemmSize size;
  size.k = double(a.back());
  size.n = b.size() < 2 ? 1 : double(linear ? b[0] : b.back());
  auto results = elementsOf(result);
  if (!results || size.n <= 0)
    return std::nullopt;
  // Without a batch on the right, all rows are one matrix.
  bool batched = !linear && b.size() > 2 && a.size() > 1;
  size.m = batched ? double(a[a.size() - 2]) : *results / size.n;
  if (size.m <= 0)
    return std::nullopt;
  size.batch = *results / (size.m * size.n);
  return size;
}

static std::optional<GemmSize> convolutionSize(const OpGraph &graph,
                                               const GraphOp &op) {
  const GraphValue *input = tensor(graph, op, 0);
  const GraphValue *weight = tensor(graph, op, 1);
  auto groups = groupsOf(graph, op);
  if (!input || !weight || !groups || *groups < 1 || op.results.empty() ||
      weight->shape.size() < 3 || input->shape.size() < 3)
    return std::nullopt;
  const GraphValue &result = graph.values[size_t(op.results.front())];
  auto window = product(weight->shape, 2, weight->shape.size());
  auto results = elementsOf(result);
  if (!window || !results || result.shape.size() < 3)
    return std::nullopt;
  double channels = double(result.shape[1]);
  GemmSize size;
  size.batch = double(*groups);
  size.n = channels / size.batch;
  size.k = *window * (isTransposed(op) ? double(weight->shape[0]) / size.batch
                                       : double(weight->shape[1]));
  size.m = *results / channels;
  if (!isTransposed(op))
    return size;
  // Each input element meets each weight once, whatever the stride.
  auto inputs = elementsOf(*input);
  if (!inputs)
    return std::nullopt;
  size.k = *inputs / size.batch * size.n * *window / (size.m * size.n);
  return size;
}

std::optional<GemmSize> gemmSize(const OpGraph &graph, const GraphOp &op) {
  if (classOf(op.name).kind == OpKind::Convolution)
    return convolutionSize(graph, op);
  if (op.results.empty())
    return std::nullopt;
  std::string_view base = baseName(op.name);
  size_t left = base == "addmm" || base == "baddbmm" ? 1 : 0;
  bool plain = base == "linear" || base == "mm" || base == "bmm" ||
               base == "matmul" || base == "mv" || base == "dot" || left == 1;
  const GraphValue *a = tensor(graph, op, left);
  const GraphValue *b = tensor(graph, op, left + 1);
  if (!plain || !a || !b)
    return std::nullopt;
  return matmulSize(*a, *b, graph.values[size_t(op.results.front())],
                    base == "linear");
}

std::optional<GemmSize> scoreSize(const OpGraph &graph, const GraphOp &op) {
  const GraphValue *queries = tensor(graph, op, 0);
  const GraphValue *keys = tensor(graph, op, 1);
  if (classOf(op.name).kind != OpKind::Attention || !queries || !keys ||
      queries->shape.size() < 2 || keys->shape.size() < 2)
    return std::nullopt;
  auto all = elementsOf(*queries);
  auto last = [](const GraphValue &value, size_t back) {
    return double(value.shape[value.shape.size() - back]);
  };
  GemmSize size{last(*queries, 2), last(*keys, 2), last(*queries, 1), 1};
  if (!all || size.n <= 0 || size.m * size.k <= 0)
    return std::nullopt;
  size.batch = *all / (size.m * size.k);
  return size;
}

std::optional<Window> windowOf(const OpGraph &graph, const GraphOp &op) {
  OpKind kind = classOf(op.name).kind;
  Window window;
  Shape sizes;
  std::optional<Shape> strides;
  if (kind == OpKind::Convolution) {
    const GraphValue *weight = tensor(graph, op, 1);
    if (!weight || weight->shape.size() < 3)
      return std::nullopt;
    sizes.assign(weight->shape.begin() + 2, weight->shape.end());
    strides = integers(op, 3);
  } else if (kind == OpKind::Pooling) {
    auto given = integers(op, 1);
    const GraphValue *input = tensor(graph, op, 0);
    if (!given || given->empty() || !input)
      return std::nullopt;
    sizes = *given;
    size_t spatial =
        size_t(baseName(op.name).find("3d") != std::string::npos   ? 3
               : baseName(op.name).find("2d") != std::string::npos ? 2
                                                                   : 1);
    if (sizes.size() == 1)
      sizes.resize(spatial, sizes.front());
    strides = integers(op, 2);
    if (strides && strides->empty())
      strides = sizes;
  }
  auto elements = product(sizes, 0, sizes.size());
  if (!elements || sizes.empty() || !strides || strides->empty())
    return std::nullopt;
  window.elements = *elements;
  for (size_t i = 0; i < sizes.size(); ++i)
    window.overlaps |= (*strides)[std::min(i, strides->size() - 1)] < sizes[i];
  return window;
}

/// The dimensions in an operand; all where it is none or empty.
static std::optional<std::set<size_t>> listedDims(const GraphOp &op,
                                                  size_t index, size_t rank) {
  std::set<size_t> dims;
  auto list = index < op.operands.size() ? integers(op, index) : Shape{};
  if (!list)
    return std::nullopt;
  for (int64_t dim : *list)
    dims.insert(size_t(dim < 0 ? dim + int64_t(rank) : dim));
  for (size_t i = 0; list->empty() && i < rank; ++i)
    dims.insert(i);
  return dims;
}

/// The dimensions that the op removes, as indices.
static std::optional<std::set<size_t>> reducedDims(const GraphOp &op,
                                                   const Shape &shape) {
  size_t rank = shape.size();
  std::set<size_t> dims;
  auto addFrom = [&](size_t first) {
    for (size_t i = first; i < rank; ++i)
      dims.insert(i);
  };
  switch (classOf(op.name).reduced) {
  case ReducedDims::None:
    return std::nullopt;
  case ReducedDims::All:
    addFrom(0);
    return dims;
  case ReducedDims::Last:
    addFrom(rank - 1);
    return dims;
  case ReducedDims::Spatial:
    addFrom(2);
    return dims;
  case ReducedDims::Groups:
    addFrom(1);
    return dims;
  case ReducedDims::NotChannel:
    addFrom(0);
    dims.erase(1);
    return dims;
  case ReducedDims::Classes:
    dims.insert(rank > 1 ? 1 : 0);
    return dims;
  case ReducedDims::Trailing: {
    auto list = integers(op, 1);
    if (!list || list->size() > rank)
      return std::nullopt;
    addFrom(rank - list->size());
    return dims;
  }
  case ReducedDims::Operand1:
    return listedDims(op, 1, rank);
  case ReducedDims::Operand2:
    return listedDims(op, 2, rank);
  }
  return std::nullopt;
}

std::optional<ReductionSize> reductionSize(const OpGraph &graph,
                                           const GraphOp &op) {
  const GraphValue *input = firstTensor(graph, op);
  if (!input || input->shape.empty())
    return std::nullopt;
  auto dims = reducedDims(op, input->shape);
  if (!dims)
    return std::nullopt;
  ReductionSize size{1, 1, dims->contains(input->shape.size() - 1)};
  for (size_t i = 0; i < input->shape.size(); ++i) {
    if (input->shape[i] < 0)
      return std::nullopt;
    (dims->contains(i) ? size.length : size.rows) *= double(input->shape[i]);
  }
  if (classOf(op.name).reduced == ReducedDims::Groups) {
    bool native = baseName(op.name).starts_with("native");
    auto groups = integers(op, native ? 6 : 1);
    if (!groups || groups->size() != 1 || groups->front() < 1)
      return std::nullopt;
    size.rows *= double(groups->front());
    size.length /= double(groups->front());
  }
  return size;
}

} // namespace kclaw
