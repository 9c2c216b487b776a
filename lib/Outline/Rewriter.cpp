//===- Rewriter.cpp - Calls in place of groups ----------------------------===//
//
// Finds what each group must return, then builds the new body in topological
// order: calls of regions, ops that stay, copies of host scalars, return.
//
//===----------------------------------------------------------------------===//
#include "Rewriter.h"

#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kclaw;
using namespace kclaw::outline;

namespace {
constexpr unsigned noGroup = ~0u;

class FunctionRewriter {
public:
  FunctionRewriter(func::FuncOp function, const Body &body,
                   const Partition &partition, RegionBuilder &regions);
  void run();

private:
  // What crosses borders.
  void collectResults();
  void needOutside(Value value);
  void needInside(Value value, unsigned group);
  unsigned soleGroup(Value value) const;

  // The new body.
  SmallVector<unsigned> emissionOrder() const;
  void emitRegion(const RegionPlan &plan);
  void emitOutside(Operation *op);
  Value outside(Value value);
  void eraseOld();

  func::FuncOp function;
  const Body &body;
  RegionBuilder &regions;
  Operation *terminator;
  Operation *after;
  OpBuilder builder;

  std::vector<unsigned> groupOf; ///< of each node
  std::vector<RegionPlan> plans;
  std::vector<llvm::SetVector<Value>> results; ///< of each group
  llvm::DenseSet<std::pair<Value, unsigned>> seenInside;
  llvm::DenseSet<Value> seenOutside;
  std::optional<DimClasses> dims; ///< when something is dynamic
  IRMapping moved;                ///< original values to values of the new body
  UniqueCloner cloner;
};
} // namespace

FunctionRewriter::FunctionRewriter(func::FuncOp function, const Body &body,
                                   const Partition &partition,
                                   RegionBuilder &regions)
    : function(function), body(body), regions(regions),
      terminator(function.front().getTerminator()), after(function),
      builder(terminator), groupOf(body.nodes.size(), noGroup),
      results(partition.groups.size()) {
  for (auto [group, members] : llvm::enumerate(partition.groups)) {
    plans.push_back({partition.kind, members, {}});
    for (unsigned member : members)
      groupOf[member] = group;
  }
}

//===----------------------------------------------------------------------===//
// What crosses borders
//===----------------------------------------------------------------------===//

/// The group that alone a value is computed from, or noGroup.
unsigned FunctionRewriter::soleGroup(Value value) const {
  unsigned group = noGroup;
  for (unsigned source : body.sourcesOf(value)) {
    if (groupOf[source] == noGroup ||
        (group != noGroup && group != groupOf[source]))
      return noGroup;
    group = groupOf[source];
  }
  return group;
}

static bool isValueTensor(Value value) {
  return isa<torch::ValueTensorType>(value.getType());
}

/// A value that an op outside uses. A view of one group's result ends that
/// group; any other view becomes a residual region when it is emitted.
void FunctionRewriter::needOutside(Value value) {
  if (!seenOutside.insert(value).second)
    return;
  const Node *node = body.find(value);
  if (!node)
    return;
  if (node->fate == Fate::Compute ||
      (node->fate == Fate::Free && isValueTensor(value))) {
    if (unsigned group = soleGroup(value); group != noGroup) {
      results[group].insert(value);
      return;
    }
  }
  if (node->fate != Fate::Free)
    return;
  for (Value operand : node->op->getOperands()) {
    if (isValueTensor(value))
      needInside(operand, noGroup);
    else
      needOutside(operand);
  }
}

/// A value that a region uses: what its views come from must be available.
void FunctionRewriter::needInside(Value value, unsigned group) {
  const Node *node = body.find(value);
  if (!node || !seenInside.insert({value, group}).second)
    return;
  if (node->fate == Fate::Free) {
    for (Value operand : node->op->getOperands())
      needInside(operand, group);
    return;
  }
  if (node->fate != Fate::Compute)
    return;
  unsigned owner = soleGroup(value);
  if (owner != group)
    results[owner].insert(value);
}

void FunctionRewriter::collectResults() {
  for (Value value : terminator->getOperands())
    needOutside(value);
  for (auto [i, node] : llvm::enumerate(body.nodes)) {
    if (node.fate == Fate::Outside)
      for (Value value : usedValues(node.op))
        needOutside(value);
    if (node.fate == Fate::Compute)
      for (Value value : node.op->getOperands())
        needInside(value, groupOf[i]);
  }
  for (auto [plan, values] : llvm::zip(plans, results))
    plan.results = values.takeVector();
}

//===----------------------------------------------------------------------===//
// The new body
//===----------------------------------------------------------------------===//

/// One node of each group and every op outside, each after what it depends on;
/// earliest first where there is a choice.
SmallVector<unsigned> FunctionRewriter::emissionOrder() const {
  auto unitOf = [&](unsigned node) {
    return groupOf[node] == noGroup ? node
                                    : plans[groupOf[node]].members.front();
  };
  llvm::DenseMap<unsigned, llvm::SetVector<unsigned>> users;
  llvm::DenseMap<unsigned, unsigned> pending;
  for (auto [i, node] : llvm::enumerate(body.nodes)) {
    if (node.fate != Fate::Compute && node.fate != Fate::Outside)
      continue;
    pending.try_emplace(unitOf(i), 0);
    for (unsigned source : node.sources)
      if (unitOf(source) != unitOf(i) &&
          users[unitOf(source)].insert(unitOf(i)))
        ++pending[unitOf(i)];
  }
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      ready;
  for (auto [unit, count] : pending)
    if (count == 0)
      ready.push(unit);
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned unit = ready.top();
    ready.pop();
    order.push_back(unit);
    for (unsigned user : users[unit])
      if (--pending[user] == 0)
        ready.push(user);
  }
  return order;
}

void FunctionRewriter::emitRegion(const RegionPlan &plan) {
  BuiltRegion region =
      regions.build(body, plan, function, dims ? &*dims : nullptr, after);
  SmallVector<Value> arguments;
  for (Value value : region.arguments)
    arguments.push_back(outside(value));
  auto call = func::CallOp::create(builder, region.function.getLoc(),
                                   region.function, arguments);
  moved.map(plan.results, call.getResults());
}

/// The value in the new body. Views become residual regions, scalars copies.
Value FunctionRewriter::outside(Value value) {
  if (Value known = moved.lookupOrNull(value))
    return known;
  const Node *node = body.find(value);
  if (!node || node->fate == Fate::Outside)
    return value;
  if (node->fate == Fate::Literal) {
    node->op->moveBefore(&function.front(), function.front().begin());
    moved.map(value, value);
    return value;
  }
  if (isValueTensor(value)) {
    emitRegion({"residual", {}, {value}});
    return moved.lookup(value);
  }
  for (Value operand : node->op->getOperands())
    moved.map(operand, outside(operand));
  cloner.clone(builder, node->op, moved);
  return moved.lookup(value);
}

void FunctionRewriter::emitOutside(Operation *op) {
  for (Value value : usedValues(op)) {
    Value replacement = outside(value);
    op->walk([&](Operation *nested) {
      nested->replaceUsesOfWith(value, replacement);
    });
  }
  if (op != terminator)
    op->moveBefore(terminator);
}

void FunctionRewriter::eraseOld() {
  for (const Node &node : llvm::reverse(body.nodes)) {
    bool kept =
        node.fate == Fate::Outside ||
        (node.fate == Fate::Literal && moved.contains(node.op->getResult(0)));
    if (!kept) {
      node.op->dropAllUses();
      node.op->erase();
    }
  }
}

static bool isDynamic(Type type) {
  auto shape = torch::tensorShape(type);
  return shape && llvm::is_contained(shape->sizes, ShapedType::kDynamic);
}

void FunctionRewriter::run() {
  if (llvm::any_of(function.front(), [](Operation &op) {
        return llvm::any_of(op.getOperandTypes(), isDynamic);
      }))
    dims.emplace(function);
  collectResults();
  for (unsigned unit : emissionOrder()) {
    const Node &node = body.nodes[unit];
    if (node.fate == Fate::Outside)
      emitOutside(node.op);
    else if (!plans[groupOf[unit]].results.empty())
      emitRegion(plans[groupOf[unit]]);
  }
  emitOutside(terminator);
  eraseOld();
}

void outline::rewriteFunction(func::FuncOp function, const Body &body,
                              const Partition &partition,
                              RegionBuilder &regions) {
  FunctionRewriter(function, body, partition, regions).run();
}
