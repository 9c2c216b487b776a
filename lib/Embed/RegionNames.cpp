//===- RegionNames.cpp - A region's names at run time ---------------------===//
//
// Where everything is known, Expr evaluates; else one arith op an operator, in
// 64 bits as Expr has them, without its checks for overflow.
//
//===----------------------------------------------------------------------===//
#include "RegionNames.h"

#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kclaw;

NameValues NameValues::with(const std::vector<Tunable> &tunables) const {
  NameValues all = *this;
  for (const Tunable &tunable : tunables)
    all.fixed[tunable.name] = tunable.chosen;
  return all;
}

RegionNames::RegionNames(func::FuncOp region) {
  DimNames names(region);
  for (BlockArgument argument : region.getArguments())
    dims.push_back(names.dims(argument));
  region.getBody().walk([&](func::ReturnOp exit) {
    for (Value result : exit.getOperands())
      for (const DimNames::Dim &dim : names.dims(result))
        if (dim.size >= 0)
          fixedOfResults[dim.name] = dim.size;
  });
}

NameValues
RegionNames::values(OpBuilder &builder, Location loc, ValueRange arguments,
                    function_ref<Value(unsigned, int64_t)> size) const {
  NameValues names;
  names.fixed = fixedOfResults;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Type type = argument.getType();
    Type index = builder.getIndexType();
    if (type.isInteger(64))
      names.dynamic[scalarName(i)] =
          arith::IndexCastOp::create(builder, loc, index, argument);
    if (type.isInteger(1))
      names.dynamic[scalarName(i)] =
          arith::IndexCastUIOp::create(builder, loc, index, argument);
    for (auto [position, dim] : llvm::enumerate(dims[i])) {
      if (dim.size >= 0)
        names.fixed[dim.name] = dim.size;
      else if (!names.dynamic.contains(dim.name))
        names.dynamic[dim.name] = size(i, position);
    }
  }
  return names;
}

std::map<std::string, DimRange> RegionNames::ranges() const {
  std::map<std::string, DimRange> result;
  for (const std::vector<DimNames::Dim> &list : dims)
    for (const DimNames::Dim &dim : list)
      if (dim.size < 0)
        result.emplace(dim.name, dim.range);
  return result;
}

namespace {

struct Site {
  OpBuilder &b;
  Location loc;

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value truth(Value value) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                                 number(0));
  }
  Value toIndex(Value condition) {
    return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), condition);
  }
};

template <typename Op> Value plain(Site &site, Value left, Value right) {
  return site.b.createOrFold<Op>(site.loc, left, right);
}

/// A divisor of zero counts as one: the host must not trap.
template <typename Op> Value divide(Site &site, Value left, Value right) {
  if (!getConstantIntValue(right))
    right = arith::SelectOp::create(site.b, site.loc, site.truth(right), right,
                                    site.number(1));
  return plain<Op>(site, left, right);
}

template <arith::CmpIPredicate predicate>
Value compare(Site &site, Value left, Value right) {
  return site.toIndex(
      arith::CmpIOp::create(site.b, site.loc, predicate, left, right));
}

template <typename Op> Value logical(Site &site, Value left, Value right) {
  return site.toIndex(
      Op::create(site.b, site.loc, site.truth(left), site.truth(right)));
}

struct Operator {
  StringLiteral token;
  Value (*emit)(Site &, Value, Value);
};
constexpr Operator operators[] = {
    {"+", plain<arith::AddIOp>},
    {"-", plain<arith::SubIOp>},
    {"*", plain<arith::MulIOp>},
    {"/", divide<arith::DivSIOp>},
    {"%", divide<arith::RemSIOp>},
    {"ceildiv", divide<arith::CeilDivSIOp>},
    {"min", plain<arith::MinSIOp>},
    {"max", plain<arith::MaxSIOp>},
    {"==", compare<arith::CmpIPredicate::eq>},
    {"!=", compare<arith::CmpIPredicate::ne>},
    {"<", compare<arith::CmpIPredicate::slt>},
    {"<=", compare<arith::CmpIPredicate::sle>},
    {">", compare<arith::CmpIPredicate::sgt>},
    {">=", compare<arith::CmpIPredicate::sge>},
    {"&&", logical<arith::AndIOp>},
    {"||", logical<arith::OrIOp>},
};

Value emitNode(Site &site, const ExprNode &node, const NameValues &names) {
  if (node.kind == ExprNode::Kind::Number)
    return site.number(node.number);
  if (node.kind == ExprNode::Kind::Name) {
    auto dynamic = names.dynamic.find(node.text);
    return dynamic != names.dynamic.end()
               ? dynamic->second
               : site.number(names.fixed.find(node.text)->second);
  }
  Value left = emitNode(site, node.operands[0], names);
  Value right = emitNode(site, node.operands[1], names);
  for (const Operator &op : operators)
    if (op.token == node.text)
      return op.emit(site, left, right);
  llvm_unreachable("an operator of Expr is missing in the table");
}

} // namespace

Expected<OpFoldResult> kclaw::emitExpr(OpBuilder &builder, Location loc,
                                       const Expr &expr,
                                       const NameValues &names) {
  Expected<std::vector<std::string>> used = expr.names();
  bool dynamic = used && llvm::any_of(*used, [&](const std::string &name) {
                   return names.dynamic.contains(name);
                 });
  Bindings known = names.fixed;
  if (dynamic)
    for (const auto &[name, value] : names.dynamic)
      known.emplace(name, 1);
  bool resolved = used && llvm::all_of(*used, [&](const std::string &name) {
                    return known.contains(name);
                  });
  if (!dynamic || !resolved) {
    Expected<int64_t> value = expr.evaluate(known);
    if (!value)
      return std::unexpected(value.error());
    return OpFoldResult(builder.getIndexAttr(*value));
  }
  Site site{builder, loc};
  return OpFoldResult(emitNode(site, *expr.parse(), names));
}
