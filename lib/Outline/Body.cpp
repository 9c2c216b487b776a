//===- Body.cpp - A function body as a graph of ops -----------------------===//
//
// Decides the fate of each op and links it with the ops it depends on.
//
//===----------------------------------------------------------------------===//
#include "Body.h"

#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kclaw;
using namespace kclaw::outline;

SmallVector<Value> outline::usedValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  if (op->getNumRegions() > 0) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(values, captured);
  }
  return values;
}

static bool isTensor(Type type) {
  return isa<torch::ValueTensorType, torch::NonValueTensorType>(type);
}

/// Tensors and lists that may hold some.
static bool mayHoldTensor(Type type) {
  if (auto list = dyn_cast<torch::ListType>(type))
    return mayHoldTensor(list.getContainedType());
  if (auto optional = dyn_cast<torch::OptionalType>(type))
    return mayHoldTensor(optional.getContainedType());
  return isTensor(type) || isa<torch::TupleType, torch::UnionType,
                               torch::DictType, torch::AnyValueType>(type);
}

/// `torch.aten.add.int` and its like: nothing but host scalars.
static bool isScalarOp(Operation *op, StringRef name) {
  return torch::isPure(name) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperandTypes(), mayHoldTensor) &&
         llvm::none_of(op->getResultTypes(), mayHoldTensor);
}

/// Dropout that does nothing and attention without dropout draw no numbers.
static OpClass effectiveClass(Operation *op, StringRef name) {
  OpClass opClass = classifyOp(name);
  auto constantOperand = [&](unsigned i) {
    return i < op->getNumOperands() ? torch::constantValue(op->getOperand(i))
                                    : std::nullopt;
  };
  if (name == "aten.dropout" || name == "aten.native_dropout") {
    auto train = constantOperand(2);
    bool off =
        train && isa<BoolAttr>(*train) && !cast<BoolAttr>(*train).getValue();
    return off ? OpClass::Pointwise : OpClass::Random;
  }
  if (name == "aten.scaled_dot_product_attention") {
    auto rate = constantOperand(4);
    bool off = rate && isa<FloatAttr>(*rate) &&
               cast<FloatAttr>(*rate).getValue().isZero();
    return off ? OpClass::Attention : OpClass::Random;
  }
  return opClass;
}

/// What keeps a compute op out of every region, or an empty text.
static std::string whyOutside(Operation *op, StringRef name, OpClass opClass) {
  if (opClass == OpClass::Random)
    return "draws random numbers";
  if (opClass == OpClass::SideEffect || op->getNumRegions() > 0)
    return "has side effects or control flow";
  if (opClass == OpClass::Unknown)
    return "is not an operator that regions may hold";
  if (!torch::isPure(name) && !torch::isRandom(name) &&
      name != "tensor_static_info_cast")
    return "writes its operand";
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes()))) {
    if (isa<torch::NonValueTensorType>(type))
      return "works on a mutable !torch.tensor";
    if (isa<torch::ValueTensorType>(type) && !torch::tensorShape(type))
      return "has a tensor of unknown rank or dtype";
  }
  return "";
}

/// An assertion about a dtype that the tensor's type states already.
static bool isStaticAssertion(Operation *op, StringRef name) {
  if (name != "aten._assert_tensor_metadata" || op->getNumOperands() == 0)
    return false;
  return torch::tensorShape(op->getOperand(0).getType()).has_value() &&
         llvm::all_of(llvm::drop_begin(op->getOperands()), [](Value value) {
           return torch::constantValue(value).has_value();
         });
}

static bool isLiteral(Operation *op) {
  auto literal = dyn_cast<torch::ValueTensorLiteralOp>(op);
  return literal && !isa<SplatElementsAttr>(literal.getValue());
}

void Body::classify(Node &node) {
  Operation *op = node.op;
  StringRef name = torch::opName(op);
  node.opClass = effectiveClass(op, name);
  if (isLiteral(op))
    node.fate = Fate::Literal;
  else if (isa<torch::ValueTensorLiteralOp>(op))
    node.fate = Fate::Free;
  else if (auto bind = dyn_cast<torch::BindSymbolicShapeOp>(op))
    node.fate =
        isa<BlockArgument>(bind.getOperand()) ? Fate::Outside : Fate::Dropped;
  else if (isStaticAssertion(op, name))
    node.fate = Fate::Dropped;
  else if (isScalarOp(op, name) || isa<torch::SymbolicIntOp>(op)) {
    node.opClass = OpClass::Scalar;
    node.fate = Fate::Free;
  } else if (node.reason = whyOutside(op, name, node.opClass);
             !node.reason.empty())
    node.fate = Fate::Outside;
  else
    node.fate = isCompute(node.opClass) ? Fate::Compute : Fate::Free;

  // Elements of a list that an op outside made cannot be taken out inside.
  if (node.fate == Fate::Free && node.opClass == OpClass::View)
    for (Value operand : op->getOperands())
      if (const Node *source = find(operand); source &&
                                              source->fate == Fate::Outside &&
                                              !isTensor(operand.getType()))
        node.fate = Fate::Outside;
}

Body::Body(func::FuncOp function) {
  for (Operation &op : function.front().without_terminator()) {
    Node node{&op, OpClass::Unknown, Fate::Outside, "", {}, 0};
    classify(node);
    index[&op] = nodes.size();
    nodes.push_back(std::move(node));
  }
  linkSources();
}

const Node *Body::find(Value value) const {
  Operation *op = value.getDefiningOp();
  auto it = op ? index.find(op) : index.end();
  return it == index.end() ? nullptr : &nodes[it->second];
}

SmallVector<unsigned, 4> Body::sourcesOf(Value value) const {
  const Node *node = find(value);
  if (!node)
    return {};
  if (node->fate == Fate::Compute || node->fate == Fate::Outside)
    return {index.lookup(node->op)};
  return node->sources;
}

/// Ops outside keep their order, so each depends on the one before.
void Body::linkSources() {
  std::optional<unsigned> previousOutside;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    for (Value value : usedValues(node.op))
      llvm::append_range(node.sources, sourcesOf(value));
    if (node.fate == Fate::Outside) {
      if (previousOutside)
        node.sources.push_back(*previousOutside);
      previousOutside = i;
    }
    llvm::sort(node.sources);
    node.sources.erase(llvm::unique(node.sources), node.sources.end());
    if (node.fate == Fate::Compute || node.fate == Fate::Outside)
      for (unsigned source : node.sources)
        ++nodes[source].users;
  }
}

unsigned Body::countCompute() const {
  return llvm::count_if(
      nodes, [](const Node &node) { return node.fate == Fate::Compute; });
}
