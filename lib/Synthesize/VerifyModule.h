//===- VerifyModule.h - The lowered module, judged and mended ---*- C++ -*-===//
//
// Private to lib/Synthesize: verify=module. The lowered module is judged by a
// separate process; when it is wrong, winners are bisected out until it is
// right. Everything lies under run-dir/verify: ENTRY.json (what it must
// compute), trial-N.json (reports) and the failing trials' modules.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_VERIFYMODULE_H
#define KERNELCLAW_LIB_SYNTHESIZE_VERIFYMODULE_H

#include "Culprits.h"
#include "RegionTasks.h"

#include "kernelclaw/Plan/ModuleRecord.h"

#include <functional>

namespace kclaw {

struct VerifySetup {
  std::string folder; ///< run-dir/verify; made when missing
  /// From claw step ops on memrefs to the LLVM dialect, in place.
  std::function<mlir::LogicalResult(mlir::ModuleOp)> lower;
};

/// Writes each entry's record to its file; the paths, in order.
Expected<std::vector<std::string>> writeRecords(const ModuleRecord &record,
                                                const std::string &folder);

/// `lowered` holds the winners of `plans` (by region symbol), embedded in
/// `outlined`. Afterwards it holds those that the check left.
/// Passed: right (without `dropped`). Unverified: it could not be judged; then
/// winners of a module that did fail are all gone, without being `dropped`.
/// Failure, with a diagnostic: it is wrong without any winner, or could not be
/// lowered again.
mlir::FailureOr<Verification>
verifyLowered(mlir::ModuleOp lowered, mlir::ModuleOp outlined,
              const std::map<std::string, RegionPlans> &plans,
              const std::vector<std::string> &records,
              const VerifySetup &setup);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_VERIFYMODULE_H
