//===- Sidecar.h - What a JSON file says about arguments --------*- C++ -*-===//
//
// A model's export says nothing of which argument is a weight, what it is
// called and which values it may hold. A file beside it can: model.json or
// model.meta.json beside model.mlir, {"args": [{"name": "fc.weight", "role":
// "param", "shape": [8, 4], "dtype": "float32", "domain": "real", "scale":
// 0.1}, ...]}; domain and scale are optional, other keys are ignored.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_SYNTHESIZE_SIDECAR_H
#define KERNELCLAW_LIB_SYNTHESIZE_SIDECAR_H

#include "mlir/IR/BuiltinOps.h"

namespace kclaw {

/// Sets claw.role, claw.name, claw.domain and claw.scale on the arguments of
/// the module's public function where they are not there yet. `option`: a file,
/// "none", or empty for the file beside the one that the module's location
/// names, if there is one. `args` lists all arguments of the function, or more
/// (weights that the file holds itself): then those of role input. A malformed
/// file, or one that lists other arguments, is diagnosed.
mlir::LogicalResult applySidecar(mlir::ModuleOp module, llvm::StringRef option);

} // namespace kclaw

#endif // KERNELCLAW_LIB_SYNTHESIZE_SIDECAR_H
