//===- Rules/ResultKind.cpp - What sort of values a result has ------------===//
#include "Rules/ResultKind.h"
#include "Rules/OpTraits.h"

#include <algorithm>
#include <set>

namespace kclaw {
namespace {

/// The op that makes a value, or null for arguments; and which of its results.
struct Maker {
  const GraphOp *op = nullptr;
  size_t result = 0;
};

Maker makerOf(const OpGraph &graph, int value) {
  for (const GraphOp &op : graph.ops)
    for (size_t i = 0; i < op.results.size(); ++i)
      if (op.results[i] == value)
        return {&op, i};
  return {};
}

/// Calls `visit` for each op that `value` depends on.
template <typename Visit>
void visitAncestors(const OpGraph &graph, int value, const Visit &visit) {
  std::set<int> seen;
  std::vector<int> left = {value};
  while (!left.empty()) {
    int next = left.back();
    left.pop_back();
    if (next < 0 || !seen.insert(next).second)
      continue;
    const GraphOp *op = makerOf(graph, next).op;
    if (!op)
      continue;
    visit(*op);
    for (const GraphOperand &operand : op->operands)
      left.insert(left.end(), operand.values.begin(), operand.values.end());
  }
}

int argumentOf(const OpGraph &graph, int value) {
  auto found = std::ranges::find(graph.arguments, value);
  return found == graph.arguments.end()
             ? -1
             : static_cast<int>(found - graph.arguments.begin());
}

int64_t integerOperand(const GraphOp &op, int index, int64_t otherwise) {
  if (index < 0 || static_cast<size_t>(index) >= op.operands.size())
    return otherwise;
  const int64_t *value =
      std::get_if<int64_t>(&op.operands[static_cast<size_t>(index)].literal);
  return value ? *value : otherwise;
}

/// Back through views to an argument; only of static shapes, since indices
/// refer to the view's.
int tracedArgument(const OpGraph &graph, int value, bool staticShape) {
  for (;;) {
    if (int argument = argumentOf(graph, value); argument >= 0)
      return argument;
    const GraphOp *op = makerOf(graph, value).op;
    bool isView = op && staticShape && keepsFlatOrder(op->name);
    if (!isView || op->operands.empty() || op->operands[0].values.size() != 1)
      return -1;
    value = op->operands[0].values[0];
  }
}

/// Nothing when the values to select from are inside the region.
Selection selectionOf(const OpGraph &graph, const Maker &maker) {
  const IndexOp *row = indexOp(maker.op->name, maker.result);
  const auto &operands = maker.op->operands;
  if (!row || operands.empty() || operands[0].values.size() != 1)
    return {};
  int value = operands[0].values[0];
  Selection selection;
  selection.shape = graph.values[static_cast<size_t>(value)].shape;
  bool isStatic = std::ranges::count(selection.shape, -1) == 0;
  selection.argument = tracedArgument(graph, value, isStatic);
  int64_t rank = static_cast<int64_t>(selection.shape.size());
  if (row->trailingDims > 0) {
    selection.firstDim = std::max<int64_t>(0, rank - row->trailingDims);
    selection.lastDim = rank;
  } else {
    // All dims when the operand is None.
    int64_t dim = integerOperand(*maker.op, row->dimOperand, rank + 1);
    bool all = dim > rank;
    selection.firstDim = all ? 0 : dim < 0 ? dim + rank : dim;
    selection.lastDim = all ? rank : selection.firstDim + 1;
  }
  selection.distinct = row->distinct;
  if (!isStatic)
    selection.shape.clear();
  return selection;
}

/// 0.1 is another number in f32 than in f64.
bool hasInexactLiteral(const OpGraph &graph, const GraphOp &op) {
  DType type = DType::f32;
  for (const GraphOperand &operand : op.operands)
    for (int value : operand.values)
      if (value >= 0 && isFloat(graph.values[static_cast<size_t>(value)].dtype))
        type = graph.values[static_cast<size_t>(value)].dtype;
  return std::ranges::any_of(op.operands, [&](const GraphOperand &operand) {
    const double *number = std::get_if<double>(&operand.literal);
    return number && !isExactIn(type, *number);
  });
}

bool touchesFloats(const OpGraph &graph, const GraphOp &op) {
  auto isFloatValue = [&](int value) {
    return value >= 0 &&
           isFloat(graph.values[static_cast<size_t>(value)].dtype);
  };
  return std::ranges::any_of(op.results, isFloatValue) ||
         std::ranges::any_of(op.operands, [&](const GraphOperand &operand) {
           return std::ranges::any_of(operand.values, isFloatValue);
         });
}

ResultKind kindOfInteger(const OpGraph &graph, int value) {
  bool exact = true;
  visitAncestors(graph, value, [&](const GraphOp &op) {
    exact &= !touchesFloats(graph, op) ||
             (isExactOp(op.name) && !hasInexactLiteral(graph, op));
  });
  return exact ? ResultKind::Exact : ResultKind::Threshold;
}

/// A bounded op whose operand is made of products.
bool boundsProducts(const OpGraph &graph, int value) {
  bool found = false;
  visitAncestors(graph, value, [&](const GraphOp &bounded) {
    if (!isBounded(bounded.name) || found)
      return;
    found |= isProduct(bounded.name);
    for (const GraphOperand &operand : bounded.operands)
      for (int from : operand.values)
        visitAncestors(graph, from,
                       [&](const GraphOp &op) { found |= isProduct(op.name); });
  });
  return found;
}

} // namespace

int64_t scannedDim(const KernelSpec &spec, size_t result) {
  const OpGraph &graph = spec.graph;
  if (result >= graph.results.size())
    return -1;
  int value = graph.results[result];
  int64_t rank = static_cast<int64_t>(spec.results[result].dims.size());
  int64_t first = -1;
  visitAncestors(graph, value, [&](const GraphOp &op) {
    if (!isScan(op.name))
      return;
    int64_t dim = integerOperand(op, 1, 0);
    size_t made = static_cast<size_t>(op.results.at(0));
    // Of another shape: nobody knows where the dimension went.
    if (static_cast<int64_t>(graph.values[made].shape.size()) != rank)
      dim = 0;
    dim += dim < 0 ? rank : 0;
    first = first < 0 ? dim : std::min(first, dim);
  });
  return first;
}

ResultClass classifyResult(const KernelSpec &spec, size_t result) {
  ResultClass answer;
  DType type = spec.results[result].dtype;
  const OpGraph &graph = spec.graph;
  bool floats =
      std::ranges::any_of(spec.arguments, [](const TensorSpec &argument) {
        return isFloat(argument.dtype);
      });
  if (graph.ops.empty() || result >= graph.results.size()) {
    answer.jumps = !isFloat(type) && floats;
    if (!isFloat(type))
      answer.kind = floats ? ResultKind::Threshold : ResultKind::Exact;
    return answer;
  }
  int value = graph.results[result];
  if (isFloat(type)) {
    visitAncestors(graph, value, [&](const GraphOp &op) {
      answer.jumps |= hasSteps(op.name);
    });
    answer.conditioned = boundsProducts(graph, value);
    return answer;
  }
  Maker maker = makerOf(graph, value);
  if (maker.op && indexOp(maker.op->name, maker.result)) {
    answer.selection = selectionOf(graph, maker);
    if (answer.selection.argument >= 0)
      answer.kind = ResultKind::Index;
  }
  ResultKind integer = kindOfInteger(graph, value);
  if (answer.kind != ResultKind::Index)
    answer.kind = integer;
  answer.jumps = integer == ResultKind::Threshold;
  return answer;
}

} // namespace kclaw
