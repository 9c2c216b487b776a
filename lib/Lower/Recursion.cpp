//===- Recursion.cpp - Functions that call themselves ---------------------===//
//
// Calls are inlined, so a cycle of calls has no lowered form. Depth first, by a
// stack of its own.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/Lower/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace {
/// A function whose calls are being followed.
struct Frame {
  explicit Frame(func::FuncOp function) : function(function) {
    function.walk([&](func::CallOp call) { calls.push_back(call); });
  }
  func::FuncOp function;
  SmallVector<func::CallOp> calls; ///< not followed yet
};

enum class Visit { Open, Done };

class Search {
public:
  explicit Search(ModuleOp module) : symbols(module) {}
  LogicalResult from(func::FuncOp function);

private:
  void open(func::FuncOp function) {
    if (visits.try_emplace(function, Visit::Open).second)
      path.emplace_back(function);
  }

  SymbolTable symbols;
  llvm::DenseMap<func::FuncOp, Visit> visits;
  std::vector<Frame> path;
};
} // namespace

LogicalResult Search::from(func::FuncOp function) {
  open(function);
  while (!path.empty()) {
    Frame &top = path.back();
    if (top.calls.empty()) {
      visits[top.function] = Visit::Done;
      path.pop_back();
      continue;
    }
    func::CallOp call = top.calls.pop_back_val();
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee)
      continue;
    auto visit = visits.find(callee);
    if (visit != visits.end() && visit->second == Visit::Open)
      return call.emitError("this call leads '@")
             << call.getCallee()
             << "' back to itself; recursion cannot be lowered";
    open(callee);
  }
  return success();
}

LogicalResult kclaw::checkRecursion(ModuleOp module) {
  Search search(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(search.from(function)))
      return failure();
  return success();
}
