//===- InlineRegions.cpp - Private functions into their callers -----------===//
//
// Clones bodies at their calls, callees first, and erases the private
// functions, but those with claw.checks: a function that is an entry is called
// as the body it had. Works on any dialect, because nothing asks the ops.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
#include "kernelclaw/Lower/Lower.h"
#include "kernelclaw/Lower/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace kclaw {
#define GEN_PASS_DEF_INLINEREGIONSPASS
#include "kernelclaw/Lower/Passes.h.inc"
} // namespace kclaw

using namespace mlir;

namespace {

/// Of a module without recursion.
struct Inliner {
  explicit Inliner(ModuleOp module) : symbols(module) {}

  SymbolTable symbols;
  llvm::DenseSet<func::FuncOp> visited;

  LogicalResult run(func::FuncOp function);
};

} // namespace

static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

LogicalResult Inliner::run(func::FuncOp function) {
  if (!visited.insert(function).second)
    return success();
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isDeclaration())
      continue;
    if (!callee.getBody().hasOneBlock())
      return call.emitError("callee @")
             << call.getCallee() << " has several blocks; one expected";
    if (failed(run(callee)))
      return failure();
    inlineCall(call, callee);
  }
  return success();
}

namespace {
struct InlineRegions : kclaw::impl::InlineRegionsPassBase<InlineRegions> {
  void runOnOperation() override {
    if (failed(kclaw::checkRecursion(getOperation())))
      return signalPassFailure();
    Inliner inliner(getOperation());
    SmallVector<func::FuncOp> inlined;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isDeclaration())
        continue;
      if (failed(inliner.run(function)))
        return signalPassFailure();
      if (function.isPrivate() && !function->hasAttr(kclaw::checksAttrName))
        inlined.push_back(function);
    }
    for (func::FuncOp function : inlined)
      function.erase();
  }
};
} // namespace
