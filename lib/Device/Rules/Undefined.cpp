//===- Rules/Undefined.cpp - Operands that give no defined result ---------===//
#include "Rules/Undefined.h"
#include "Rules/OpTraits.h"

#include <algorithm>
#include <functional>
#include <set>

namespace kclaw {
namespace {

using Follow = std::function<bool(const GraphOp &, size_t operand)>;

/// Goes from `value` to what is made of it, through the ops that `follow`
/// allows; it sees each use once.
void visitUses(const OpGraph &graph, int value, std::set<int> &seen,
               const Follow &follow) {
  if (!seen.insert(value).second)
    return;
  for (const GraphOp &op : graph.ops)
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (!std::ranges::count(op.operands[i].values, value) || !follow(op, i))
        continue;
      for (int result : op.results)
        visitUses(graph, result, seen, follow);
    }
}

bool isInteger(DType type) { return !isFloat(type) && type != DType::boolean; }

struct Range {
  DType type;
  int64_t largest;
};
/// Well inside, since something may be added on the way.
constexpr Range ranges[] = {
    {DType::i8, 100}, {DType::u8, 100}, {DType::i16, 16384}};

void limitTo(DType type, DrawLimits &limits) {
  limits.finite = true;
  limits.nonNegative |= type == DType::u8;
  for (const Range &row : ranges)
    if (row.type == type)
      limits.largest = limits.largest == 0
                           ? row.largest
                           : std::min(limits.largest, row.largest);
}

} // namespace

DrawLimits drawLimits(const KernelSpec &spec, size_t argument) {
  DrawLimits limits;
  const OpGraph &graph = spec.graph;
  if (argument >= graph.arguments.size())
    return limits;
  auto typeOf = [&](int value) {
    return graph.values[static_cast<size_t>(value)].dtype;
  };
  int value = graph.arguments[argument];
  std::set<int> seen;
  if (isFloat(typeOf(value)))
    visitUses(graph, value, seen, [&](const GraphOp &op, size_t) {
      if (op.results.empty())
        return false;
      DType made = typeOf(op.results[0]);
      if (isCast(op.name) && isInteger(made))
        limitTo(made, limits);
      return isFloat(made);
    });
  else
    visitUses(graph, value, seen, [&](const GraphOp &op, size_t operand) {
      if (op.results.empty() || !isInteger(typeOf(op.results[0])))
        return false;
      limits.nonZero |= isQuotient(op.name) && operand == 1;
      return keepsZeros(op.name) && operand == 0;
    });
  return limits;
}

} // namespace kclaw
