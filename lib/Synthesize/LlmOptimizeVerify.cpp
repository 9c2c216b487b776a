//===- LlmOptimizeVerify.cpp - The check of the whole module --------------===//
//
// verify=module: what is recorded, when it is judged, and what a culprit's end
// is.
//
//===----------------------------------------------------------------------===//
#include "LlmOptimizePass.h"
#include "ModuleRecords.h"

using namespace mlir;
using namespace kclaw;

LogicalResult LlmOptimize::recordUnverified(ModuleOp module,
                                            const Synthesis &found,
                                            const std::string &reason) {
  Verification verification;
  verification.reason = reason;
  Expected<void> done =
      recordVerification(found.run.agent.runDirectory, verification);
  if (done)
    return success();
  return refuse(module, done.error());
}

/// Why the whole module is not judged now; empty when it is.
std::string LlmOptimize::whyUnverified(const Synthesis &found) const {
  if (verify == "none")
    return "verify=none";
  if (!launcher.empty())
    return "launcher: its device is elsewhere";
  if (isSimulated(found.run.evaluator->evidence()))
    return "device=sim: only a GPU can show that the module is right on one";
  return evaluator == "local" ? ""
                              : "evaluator=" + evaluator +
                                    " judges on no device of this machine";
}

/// The check of the whole lowered module (verify=module): what it must compute
/// is recorded in any case, for kernelclaw-run --verify.
LogicalResult LlmOptimize::verifyWhole(ModuleOp module, ModuleOp imported,
                                       ModuleOp outlined, Synthesis &found) {
  if (verify == "none")
    return recordUnverified(module, found, whyUnverified(found));
  ModuleRecord record =
      recordModule(imported, outlined, {askedPolicy(), arch, seed});
  std::string folder = found.run.agent.runDirectory + "/verify";
  Expected<std::vector<std::string>> files = writeRecords(record, folder);
  if (!files)
    return refuse(module, files.error());
  if (report)
    report->verifyRecord = toJson(record);
  if (std::string reason = whyUnverified(found); !reason.empty()) {
    // With evaluator=none a winner can come from the store only.
    if (evaluator != "none" || !found.keys.empty())
      emitWarning(module.getLoc())
          << "llm-optimize: the module as a whole is unverified: " << reason
          << "; kernelclaw-run OUT --verify does it on one with a GPU";
    return recordUnverified(module, found, reason);
  }
  found.run.evaluator.reset(); // its worker holds device memory
  FailureOr<Verification> verification =
      verifyLowered(module, outlined, found.plans, *files,
                    {folder, [this](ModuleOp embedded) {
                       adviseGraph(embedded);
                       return lower(embedded, TargetDevice::Cuda);
                     }});
  if (failed(verification)) {
    Verification wrong;
    wrong.status = VerifyStatus::Failed;
    wrong.reason = "the module is wrong without any winner";
    (void)recordVerification(found.run.agent.runDirectory, wrong);
    return failure();
  }
  return dropWinners(outlined, *verification, found);
}

/// Books the check: warnings, the store, the run's record, the exit code.
LogicalResult LlmOptimize::dropWinners(ModuleOp outlined,
                                       Verification &verification,
                                       Synthesis &found) {
  for (DroppedWinner &winner : verification.dropped) {
    const StoreKey &key = found.keys.at(winner.symbol);
    winner.specHash = key.specHash;
    emitWarning(outlined.lookupSymbol(winner.symbol)->getLoc())
        << winner.symbol << ": its winner makes the whole module wrong and is "
        << "dropped: " << winner.reason;
    if (!found.run.store)
      continue;
    for (const StoreKey &where : {key, key.deterministic()}) {
      Expected<void> done = found.run.store->refute(
          where, found.plans.at(winner.symbol).winner->plan, winner.reason);
      if (!done)
        return refuse(outlined, done.error());
    }
  }
  bool unverified = verification.status == VerifyStatus::Unverified;
  if (unverified)
    emitWarning(outlined.getLoc())
        << "llm-optimize: the module as a whole is unverified: "
        << verification.reason;
  if (report && (unverified || !verification.dropped.empty())) {
    report->exitCode = ExitCode::Degraded;
    report->won -= verification.dropped.size();
    report->kept += verification.dropped.size();
  }
  Expected<void> done =
      recordVerification(found.run.agent.runDirectory, verification);
  if (done)
    return success();
  return refuse(outlined, done.error());
}
