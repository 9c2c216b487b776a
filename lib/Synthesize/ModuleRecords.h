//===- ModuleRecords.h - What the module must compute -----------*- C++ -*-===//
//
// Private to lib/Synthesize: spec, all-stock plan and f64 reference of each
// entry as it was imported, before any rewrite, sharing or splice.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_MODULERECORDS_H
#define KERNELCLAW_LIB_SYNTHESIZE_MODULERECORDS_H

#include "kernelclaw/Plan/ModuleRecord.h"

#include "mlir/IR/BuiltinOps.h"

namespace kclaw {

struct ModuleRecordOptions {
  Policy policy = Policy::Torch;
  std::string arch = "sm_90a";
  uint64_t seed = 1;
};

/// One entry per public function of `imported`. An entry that no plan can be
/// made of (dynamic sizes, scalars, random numbers) says why; nothing is
/// diagnosed. Roles and domains that outlining found are taken from `outlined`
/// where the function is still there.
ModuleRecord recordModule(mlir::ModuleOp imported, mlir::ModuleOp outlined,
                          const ModuleRecordOptions &options);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_MODULERECORDS_H
