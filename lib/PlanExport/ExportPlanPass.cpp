//===- ExportPlanPass.cpp - kclaw-export-plan -----------------------------===//
//
// Prints the plan of every function with a body, for tests and for looking.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/PlanExport/Architectures.h"
#include "kernelclaw/PlanExport/Passes.h"
#include "kernelclaw/PlanExport/PlanExport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace kclaw {
#define GEN_PASS_DEF_EXPORTPLAN
#include "kernelclaw/PlanExport/Passes.h.inc"
} // namespace kclaw

using namespace kclaw;

namespace {

/// Torch types in the signature or body: the function needs TorchToLinalg.
bool isTorch(func::FuncOp function) {
  bool found = false;
  function.walk([&](Operation *op) {
    found |= op->getName().getDialectNamespace() == "torch";
  });
  return found || llvm::any_of(function.getArgumentTypes(), [](Type type) {
           return !isa<ShapedType, IntegerType, FloatType>(type);
         });
}

struct ExportPlanPass : kclaw::impl::ExportPlanBase<ExportPlanPass> {
  using ExportPlanBase::ExportPlanBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerPlanExportInterfaces(registry);
  }

  void runOnOperation() override {
    if (failed(checkArchitecture(getOperation().getLoc(), "arch", arch)))
      return signalPassFailure();
    PlanExportOptions options;
    options.arch = arch;
    options.cudaRoot = cudaRoot;
    options.library = library;
    if (producer == "reference")
      options.producer = Producer::Reference;
    else if (producer != "stock") {
      getOperation().emitError("unknown producer '")
          << producer << "'; accepted: stock, reference";
      return signalPassFailure();
    }
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      FailureOr<ExportedPlan> exported =
          isTorch(function) ? exportPlan(function, options)
                            : exportLinalgPlan(function, options);
      if (failed(exported) || failed(write(function, exported->plan)))
        return signalPassFailure();
    }
  }

  LogicalResult write(func::FuncOp function, const Plan &plan) {
    llvm::outs() << toJson(plan) << "\n";
    if (ptxDir.empty() || plan.modules.empty())
      return success();
    std::string path = ptxDir + "/" + function.getName().str() + ".ptx";
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (error)
      return function.emitError("cannot write ")
             << path << ": " << error.message();
    file << plan.modules.front().source;
    return success();
  }
};

} // namespace
