//===- RegionBuilder.cpp - Private functions from groups ------------------===//
//
// Copies the compute ops of a group with the views, scalars and splats they
// need; what is left over becomes an argument.
//
//===----------------------------------------------------------------------===//
#include "RegionBuilder.h"

#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Outline/DimNames.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kclaw;
using namespace kclaw::outline;

//===----------------------------------------------------------------------===//
// UniqueCloner
//===----------------------------------------------------------------------===//

/// The size that `aten.size.int %tensor, %dim` reads, when the type says it.
static std::optional<int64_t> staticSize(Operation *op) {
  if (torch::opName(op) != "aten.size.int" || op->getNumOperands() != 2)
    return std::nullopt;
  auto shape = torch::tensorShape(op->getOperand(0).getType());
  auto dim = torch::constantValue(op->getOperand(1));
  if (!shape || !dim || !isa<IntegerAttr>(*dim))
    return std::nullopt;
  int64_t rank = shape->sizes.size();
  int64_t index = cast<IntegerAttr>(*dim).getInt();
  index += index < 0 ? rank : 0;
  if (index < 0 || index >= rank || ShapedType::isDynamic(shape->sizes[index]))
    return std::nullopt;
  return shape->sizes[index];
}

Operation *UniqueCloner::clone(OpBuilder &builder, Operation *op,
                               IRMapping &mapping) {
  Operation *copy;
  if (auto size = staticSize(op))
    copy = torch::ConstantIntOp::create(
        builder, op->getLoc(), torch::IntType::get(op->getContext()), *size);
  else
    copy = builder.clone(*op, mapping);

  auto flags = OperationEquivalence::IgnoreLocations;
  SmallVector<Operation *, 1> &same = known[OperationEquivalence::computeHash(
      copy, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue, flags)];
  for (Operation *other : same)
    if (OperationEquivalence::isEquivalentTo(
            copy, other, OperationEquivalence::exactValueMatch, nullptr,
            flags)) {
      copy->erase();
      copy = other;
      break;
    }
  if (!llvm::is_contained(same, copy))
    same.push_back(copy);
  mapping.map(op->getResults(), copy->getResults());
  return copy;
}

//===----------------------------------------------------------------------===//
// RegionBuilder
//===----------------------------------------------------------------------===//

namespace {
/// Fills one region function.
class RegionFiller {
public:
  RegionFiller(const Body &body, func::FuncOp function, func::FuncOp parent)
      : body(body), function(function), parent(parent),
        builder(OpBuilder::atBlockEnd(function.addEntryBlock())) {}

  void fill(const RegionPlan &plan);

  SmallVector<Value> arguments;

private:
  Value inside(Value value);
  Value addArgument(Value value);
  void carryAttributes(unsigned index, Value value);

  const Body &body;
  func::FuncOp function, parent;
  OpBuilder builder;
  IRMapping mapping;
  UniqueCloner cloner;
};
} // namespace

/// What the caller says about the value: role, name, domain, scale.
void RegionFiller::carryAttributes(unsigned index, Value value) {
  const Node *node = body.find(value);
  if (node && node->fate == Fate::Literal)
    function.setArgAttr(index, "claw.role", builder.getStringAttr("constant"));
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &parent.front())
    return;
  for (NamedAttribute attribute :
       function_interface_impl::getArgAttrs(parent, argument.getArgNumber()))
    if (attribute.getName().strref().starts_with("claw."))
      function.setArgAttr(index, attribute.getName(), attribute.getValue());
}

Value RegionFiller::addArgument(Value value) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, value.getType(), {}, value.getLoc());
  arguments.push_back(value);
  carryAttributes(index, value);
  Value argument = function.getArgument(index);
  mapping.map(value, argument);
  return argument;
}

/// The value's copy in the region: made on first use, so that equal regions
/// come out equal however their constants were ordered.
Value RegionFiller::inside(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  const Node *node = body.find(value);
  if (!node || node->fate != Fate::Free)
    return addArgument(value);
  if (!staticSize(node->op))
    for (Value operand : node->op->getOperands())
      inside(operand);
  cloner.clone(builder, node->op, mapping);
  return mapping.lookup(value);
}

void RegionFiller::fill(const RegionPlan &plan) {
  for (unsigned member : plan.members) {
    Operation *op = body.nodes[member].op;
    for (Value operand : op->getOperands())
      inside(operand);
    builder.clone(*op, mapping);
  }
  SmallVector<Value> results;
  for (Value value : plan.results)
    results.push_back(inside(value));
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
}

static Attribute regionMark(const Body &body, const RegionPlan &plan,
                            MLIRContext *context) {
  OpClass heaviest = OpClass::Pointwise;
  for (unsigned member : plan.members)
    heaviest = std::max(heaviest, body.nodes[member].opClass);
  return claw::RegionAttr::get(context, plan.kind, familyName(heaviest),
                               plan.members.size());
}

/// Everything that separates regions: text, mark, and what arguments are. Names
/// of arguments do not.
static std::string sharingKey(func::FuncOp function) {
  std::string key = canonicalText(function);
  llvm::raw_string_ostream os(key);
  os << function->getAttr(claw::regionAttrName);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attribute :
         function_interface_impl::getArgAttrs(function, i))
      if (attribute.getName() != "claw.name")
        os << "\n"
           << i << " " << attribute.getName().strref() << " "
           << attribute.getValue();
  os << "\n" << function.getAllResultAttrs();
  return key;
}

/// A name that differs between the users of a shared region says nothing.
static void dropOtherNames(func::FuncOp shared, func::FuncOp other) {
  for (unsigned i = 0; i < shared.getNumArguments(); ++i)
    if (shared.getArgAttr(i, "claw.name") != other.getArgAttr(i, "claw.name"))
      shared.removeArgAttr(i, "claw.name");
}

func::FuncOp RegionBuilder::share(func::FuncOp function, func::FuncOp parent,
                                  Operation *&after) {
  auto [it, isNew] = byText.try_emplace(sharingKey(function), function);
  if (!isNew) {
    dropOtherNames(it->second, function);
    it->second->setLoc(FusedLoc::get(function.getContext(),
                                     {it->second.getLoc(), function.getLoc()}));
    function.erase();
    return it->second;
  }
  unsigned number = 0;
  std::string name;
  do
    name = (parent.getName() + "_region_" + Twine(number++)).str();
  while (symbols.lookup(name));
  function.setName(name);
  symbols.insert(function, std::next(Block::iterator(after)));
  after = function;
  return function;
}

BuiltRegion RegionBuilder::build(const Body &body, const RegionPlan &plan,
                                 func::FuncOp parent, DimClasses *dims,
                                 Operation *&after) {
  Location loc = plan.members.empty()
                     ? plan.results.front().getLoc()
                     : body.nodes[plan.members.front()].op->getLoc();
  auto function = func::FuncOp::create(
      loc, "region", FunctionType::get(parent.getContext(), {}, {}));
  function.setPrivate();
  function->setAttr(claw::regionAttrName,
                    regionMark(body, plan, parent.getContext()));
  RegionFiller filler(body, function, parent);
  filler.fill(plan);
  if (dims)
    labelDims(function, filler.arguments, plan.results, *dims);
  return {share(function, parent, after), std::move(filler.arguments)};
}
