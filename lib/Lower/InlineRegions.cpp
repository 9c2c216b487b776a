//===- InlineRegions.cpp - Private functions into their callers -----------===//
//
// Clones bodies at their calls, callees first, and erases the private
// functions, but those with claw.checks. Works on any dialect, because nothing
// asks the ops.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Claw/Claw.h"
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

enum class Visit { Open, Done };

struct Inliner {
  explicit Inliner(ModuleOp module) : symbols(module) {}

  SymbolTable symbols;
  llvm::DenseMap<func::FuncOp, Visit> visits;

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
  auto [entry, fresh] = visits.try_emplace(function, Visit::Open);
  if (!fresh)
    return entry->second == Visit::Done
               ? success()
               : function.emitError(
                     "calls itself; recursion cannot be lowered");
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isDeclaration() || !callee.isPrivate())
      continue;
    if (!callee.getBody().hasOneBlock())
      return call.emitError("callee @")
             << call.getCallee() << " has several blocks; one expected";
    if (failed(run(callee)))
      return failure();
    inlineCall(call, callee);
  }
  visits[function] = Visit::Done;
  return success();
}

namespace {
struct InlineRegions : kclaw::impl::InlineRegionsPassBase<InlineRegions> {
  void runOnOperation() override {
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
