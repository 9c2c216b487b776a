//===- HostExpr.cpp - Host integers as plan expressions -------------------===//
//
// One row a host op. Divisions round towards zero, as in Expr; floor and
// ceiling agree with that because sizes are not negative.
//
//===----------------------------------------------------------------------===//
#include "HostExpr.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kclaw;

namespace {

/// How an op on host integers is written: {0}, {1}, {2} are its operands.
struct Spelling {
  StringLiteral op;
  StringLiteral format;
};
constexpr Spelling spellings[] = {
    {"arith.addi", "({0} + {1})"},
    {"arith.subi", "({0} - {1})"},
    {"arith.muli", "({0} * {1})"},
    {"arith.divsi", "({0} / {1})"},
    {"arith.divui", "({0} / {1})"},
    {"arith.floordivsi", "({0} / {1})"},
    {"arith.ceildivsi", "ceildiv({0}, {1})"},
    {"arith.ceildivui", "ceildiv({0}, {1})"},
    {"arith.remsi", "({0} % {1})"},
    {"arith.remui", "({0} % {1})"},
    {"arith.minsi", "min({0}, {1})"},
    {"arith.minui", "min({0}, {1})"},
    {"arith.maxsi", "max({0}, {1})"},
    {"arith.maxui", "max({0}, {1})"},
    {"arith.andi", "({0} && {1})"}, // of conditions, see below
    {"arith.ori", "({0} || {1})"},
    {"arith.xori", "({0} != {1})"},
    {"arith.select", "(({0} != 0) * {1} + ({0} == 0) * {2})"},
    {"arith.index_cast", "{0}"},
    {"arith.index_castui", "{0}"},
    {"arith.extsi", "{0}"},
    {"arith.extui", "{0}"},
};
constexpr StringLiteral conditionOps[] = {"arith.andi", "arith.ori",
                                          "arith.xori"};

StringRef comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return ">=";
  }
  llvm_unreachable("unknown predicate");
}

/// Without the parentheses around all of it.
std::string bare(const std::string &text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < text.size())
      return text;
  }
  return text.starts_with("(") ? text.substr(1, text.size() - 2) : text;
}

class Printer {
public:
  explicit Printer(const ArgumentName &name) : name(name) {}

  /// Empty when the value cannot be written.
  std::string text(Value value) {
    llvm::APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return number.getBitWidth() == 1 ? std::to_string(number.getZExtValue())
                                       : std::to_string(number.getSExtValue());
    if (auto argument = dyn_cast<BlockArgument>(value))
      return name(argument, -1);
    Operation *op = value.getDefiningOp();
    if (auto dim = dyn_cast<memref::DimOp>(op)) {
      auto argument = dyn_cast<BlockArgument>(dim.getSource());
      std::optional<int64_t> index = dim.getConstantIndex();
      return argument && index ? name(argument, *index) : "";
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return affine(apply.getAffineMap(), 0, apply.getMapOperands());
    if (isa<affine::AffineMinOp>(op))
      return fold("min", cast<affine::AffineMinOp>(op));
    if (isa<affine::AffineMaxOp>(op))
      return fold("max", cast<affine::AffineMaxOp>(op));
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return format("({0} " + comparison(compare.getPredicate()).str() +
                        " {1})",
                    op->getOperands());
    if (llvm::is_contained(conditionOps, op->getName().getStringRef()) &&
        !value.getType().isInteger(1))
      return "";
    for (const Spelling &row : spellings)
      if (row.op == op->getName().getStringRef())
        return format(row.format.str(), op->getOperands());
    return "";
  }

private:
  const ArgumentName &name;

  std::string format(std::string pattern, ValueRange operands) {
    for (auto [i, operand] : llvm::enumerate(operands)) {
      std::string inner = text(operand);
      if (inner.empty())
        return "";
      std::string mark = "{" + std::to_string(i) + "}";
      for (size_t at; (at = pattern.find(mark)) != std::string::npos;)
        pattern.replace(at, mark.size(), inner);
    }
    return pattern;
  }

  template <typename Op> std::string fold(StringRef function, Op op) {
    std::string result;
    for (unsigned i = 0; i < op.getMap().getNumResults(); ++i) {
      std::string next = affine(op.getMap(), i, op.getOperands());
      if (next.empty())
        return "";
      result =
          i == 0 ? next : function.str() + "(" + result + ", " + next + ")";
    }
    return result;
  }

  std::string affine(AffineMap map, unsigned result, ValueRange operands) {
    SmallVector<std::string> names;
    for (Value operand : operands) {
      names.push_back(text(operand));
      if (names.back().empty())
        return "";
    }
    return affine(map.getResult(result), names, map.getNumDims());
  }

  /// Names of dimensions first, then of symbols.
  std::string affine(AffineExpr expr, ArrayRef<std::string> names,
                     unsigned dims) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return std::to_string(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return names[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return names[dims + symbol.getPosition()];
    auto binary = cast<AffineBinaryOpExpr>(expr);
    std::string a = affine(binary.getLHS(), names, dims);
    std::string b = affine(binary.getRHS(), names, dims);
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return "(" + a + " + " + b + ")";
    case AffineExprKind::Mul:
      return "(" + a + " * " + b + ")";
    case AffineExprKind::Mod:
      return "(" + a + " % " + b + ")";
    case AffineExprKind::FloorDiv:
      return "(" + a + " / " + b + ")";
    case AffineExprKind::CeilDiv:
      return "ceildiv(" + bare(a) + ", " + bare(b) + ")";
    default:
      return "";
    }
  }
};

} // namespace

FailureOr<Expr> kclaw::hostExpr(Value value, const ArgumentName &name) {
  std::string text = Printer(name).text(value);
  if (text.empty())
    return failure();
  return Expr(bare(text));
}

Expr kclaw::multiply(const Expr &a, const Expr &b) {
  if (a.str() == "1")
    return b;
  auto factor = [](const std::string &text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  return b.str() == "1" ? a : Expr(factor(a.str()) + " * " + factor(b.str()));
}
