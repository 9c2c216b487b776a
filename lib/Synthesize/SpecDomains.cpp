//===- SpecDomains.cpp - Which values an argument may hold ----------------===//
//
// The caller's attributes win; else a table of operands that are read as
// indices, under a root or a logarithm, or as a variance. Views, choices
// between values and the addition of a constant are looked through.
//
//===----------------------------------------------------------------------===//
#include "SpecParts.h"

#include "kernelclaw/Outline/Outline.h"
#include "kernelclaw/Torch/Torch.h"
#include "kernelclaw/Torch/TorchOps.h"

using namespace mlir;

namespace kclaw::synthesize {

namespace {
/// An operand whose values are restricted. For indices `dim` is the operand
/// that names the dimension of operand 0, or -1 - d for the fixed dimension d.
struct DomainRow {
  StringLiteral op; ///< without "aten." and without overload
  unsigned operand;
  Domain::Kind kind;
  int dim = -1;
};
} // namespace

static const DomainRow domainTable[] = {
    {"sqrt", 0, Domain::Kind::NonNegative},
    {"log1p", 0, Domain::Kind::NonNegative},
    {"log", 0, Domain::Kind::Positive},
    {"log2", 0, Domain::Kind::Positive},
    {"log10", 0, Domain::Kind::Positive},
    {"rsqrt", 0, Domain::Kind::Positive},
    {"acos", 0, Domain::Kind::Unit},
    {"asin", 0, Domain::Kind::Unit},
    {"logit", 0, Domain::Kind::Unit},
    {"binary_cross_entropy", 0, Domain::Kind::Unit},
    {"binary_cross_entropy", 1, Domain::Kind::Unit},
    {"batch_norm", 4, Domain::Kind::Positive},
    {"instance_norm", 4, Domain::Kind::Positive},
    {"native_batch_norm", 4, Domain::Kind::Positive},
    {"_native_batch_norm_legit", 4, Domain::Kind::Positive},
    {"_native_batch_norm_legit_functional", 4, Domain::Kind::Positive},
    {"_native_batch_norm_legit_no_training", 4, Domain::Kind::Positive},
    {"embedding", 1, Domain::Kind::Index, -1},
    {"gather", 2, Domain::Kind::Index, 1},
    {"scatter", 2, Domain::Kind::Index, 1},
    {"scatter_add", 2, Domain::Kind::Index, 1},
    {"scatter_reduce", 2, Domain::Kind::Index, 1},
    {"index_select", 2, Domain::Kind::Index, 1},
    {"index_add", 2, Domain::Kind::Index, 1},
    {"cross_entropy_loss", 1, Domain::Kind::Index, -2},
    {"nll_loss", 1, Domain::Kind::Index, -2},
    {"nll_loss_forward", 1, Domain::Kind::Index, -2},
    {"nll_loss2d_forward", 1, Domain::Kind::Index, -2},
};

static StringRef baseName(Operation *op) {
  StringRef name = torch::opName(op);
  name.consume_front("aten.");
  return name.split('.').first;
}

static bool isInteger(Value value) {
  auto shape = torch::tensorShape(value.getType());
  return shape && isa<IntegerType>(shape->dtype);
}

/// The size of one dimension of operand 0; 0 when it is dynamic or no tensor.
static int64_t limitOf(Operation *op, int dim) {
  auto shape = torch::tensorShape(op->getOperand(0).getType());
  if (!shape || shape->sizes.empty())
    return 0;
  int64_t rank = shape->sizes.size();
  int64_t index = -1 - dim;
  if (dim >= 0) {
    auto constant = torch::constantValue(op->getOperand(dim));
    auto integer = constant ? dyn_cast<IntegerAttr>(*constant) : IntegerAttr();
    if (!integer)
      return 0;
    index = integer.getInt();
  }
  index = index < 0 ? index + rank : std::min(index, rank - 1);
  return index < 0 || ShapedType::isDynamic(shape->sizes[index])
             ? 0
             : shape->sizes[index];
}

/// index.Tensor and index_put: element i of the list indexes dimension i.
static std::optional<Domain> listedIndex(Operation *list, unsigned element) {
  for (Operation *user : list->getUsers()) {
    StringRef name = baseName(user);
    if ((name == "index" || name == "index_put" || name == "_unsafe_index" ||
         name == "_unsafe_index_put") &&
        user->getOperand(1) == list->getResult(0))
      return Domain{Domain::Kind::Index, limitOf(user, -1 - int(element)), 1.0};
  }
  return std::nullopt;
}

/// Ops whose result has the domain of their operand.
static bool looksThrough(Operation *user, unsigned operand) {
  static constexpr std::pair<StringLiteral, unsigned> table[] = {
      {"aten.add.Scalar", 0},         {"aten.clone", 0},
      {"aten.to.dtype", 0},           {"prims.convert_element_type", 0},
      {"aten.where.self", 1},         {"aten.where.self", 2},
      {"aten.masked_fill.Scalar", 0}, {"aten.where.ScalarOther", 1}};
  if (user->getNumResults() != 1)
    return false;
  StringRef name = torch::opName(user);
  if (operand == 0 && classifyOp(name) == OpClass::View)
    return true;
  return llvm::any_of(table, [&](const auto &row) {
    return row.first == name && row.second == operand;
  });
}

static std::optional<Domain> domainFromUses(Value value, unsigned depth) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    unsigned operand = use.getOperandNumber();
    if (torch::opName(user) == "prim.ListConstruct" && isInteger(value))
      if (auto domain = listedIndex(user, operand))
        return domain;
    for (const DomainRow &row : domainTable)
      if (row.op == baseName(user) && row.operand == operand) {
        bool isIndex = row.kind == Domain::Kind::Index;
        if (isIndex == isInteger(value))
          return Domain{row.kind, isIndex ? limitOf(user, row.dim) : 0, 1.0};
      }
    if (depth > 0 && looksThrough(user, operand))
      if (auto domain = domainFromUses(user->getResult(0), depth - 1))
        return domain;
  }
  return std::nullopt;
}

std::optional<Domain> parseDomain(StringRef text) {
  static const std::pair<StringLiteral, Domain::Kind> table[] = {
      {"real", Domain::Kind::Real},
      {"nonnegative", Domain::Kind::NonNegative},
      {"positive", Domain::Kind::Positive},
      {"unit", Domain::Kind::Unit},
      {"integer", Domain::Kind::Integer},
      {"boolean", Domain::Kind::Boolean}};
  for (auto &[name, kind] : table)
    if (name == text)
      return Domain{kind, 0, 1.0};
  int64_t limit;
  if (text.consume_front("index<") && text.consume_back(">") &&
      !text.getAsInteger(10, limit))
    return Domain{Domain::Kind::Index, limit, 1.0};
  return std::nullopt;
}

Domain inferDomain(func::FuncOp region, unsigned argument) {
  Value value = region.getArgument(argument);
  std::optional<Domain> domain;
  if (auto text = region.getArgAttrOfType<StringAttr>(argument, "claw.domain"))
    domain = parseDomain(text.getValue());
  auto shape = torch::tensorShape(value.getType());
  if (!domain && shape && shape->dtype.isInteger(1))
    domain = Domain{Domain::Kind::Boolean, 0, 1.0};
  if (!domain)
    domain = domainFromUses(value, /*depth=*/4);
  // An index into a dynamic dimension is drawn as a small integer.
  if (domain && domain->kind == Domain::Kind::Index && domain->limit <= 0)
    domain = Domain{Domain::Kind::Boolean, 0, 1.0};
  if (!domain)
    domain = Domain{
        isInteger(value) ? Domain::Kind::Integer : Domain::Kind::Real, 0, 1.0};
  if (auto scale = region.getArgAttrOfType<FloatAttr>(argument, "claw.scale"))
    domain->scale = scale.getValueAsDouble();
  return *domain;
}

} // namespace kclaw::synthesize
