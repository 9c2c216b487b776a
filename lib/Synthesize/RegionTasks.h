//===- RegionTasks.h - From region functions to agent tasks -----*- C++ -*-===//
//
// Private to lib/Synthesize.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_REGIONTASKS_H
#define KERNELCLAW_LIB_SYNTHESIZE_REGIONTASKS_H

#include "kernelclaw/Agent/Agent.h"
#include "kernelclaw/Embed/Embed.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace kclaw {

/// What the module's regions need: a task for each that an agent works on, and
/// the stock plan of every region, residual ones included.
struct RegionTasks {
  std::vector<RegionTask> tasks;
  std::vector<mlir::func::FuncOp> functions; ///< of `tasks`, in order
  std::map<std::string, RegionPlans> plans;  ///< by symbol; stock filled in
  /// Regions that no agent can work on, and why.
  std::vector<std::pair<mlir::func::FuncOp, std::string>> kept;
};

struct RegionTaskOptions {
  Policy policy = Policy::Torch;
  std::string arch = "sm_90a";
  /// A region that cannot be lowered is left out with a remark.
  bool keepUnsupported = false;
};

/// Why a winner of a region with these dynamic sizes cannot be embedded; empty
/// when it can.
std::string whyNotEmbedded(const Plan &winner, const Bindings &dynamicSizes);

/// PTX is made for the base architecture, so that later devices load it too.
std::string ptxArch(llvm::StringRef arch);

/// Fails with a diagnostic when a region has no stock plan.
mlir::FailureOr<RegionTasks> collectRegionTasks(mlir::ModuleOp module,
                                                const RegionTaskOptions &opts);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_REGIONTASKS_H
