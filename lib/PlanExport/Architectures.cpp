//===- Architectures.cpp - What kernels are built for ---------------------===//
//
// What LLVM 22's NVPTX and CUDA 13's NVRTC have in common. Family-specific
// names (sm_100f) are left out: their PTX is neither for one device nor for all
// later ones.
//
//===----------------------------------------------------------------------===//
#include "kernelclaw/PlanExport/Architectures.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

static constexpr llvm::StringLiteral architectures[] = {
    "sm_75",  "sm_80",   "sm_86",  "sm_87",   "sm_88",  "sm_89",
    "sm_90",  "sm_90a",  "sm_100", "sm_100a", "sm_103", "sm_103a",
    "sm_110", "sm_110a", "sm_120", "sm_120a", "sm_121", "sm_121a"};

llvm::LogicalResult kclaw::checkArchitecture(mlir::Location loc,
                                             llvm::StringRef what,
                                             llvm::StringRef arch) {
  if (llvm::is_contained(architectures, arch))
    return llvm::success();
  return mlir::emitError(loc)
         << what << " is '" << arch
         << "'; accepted: " << llvm::join(llvm::ArrayRef(architectures), ", ");
}
