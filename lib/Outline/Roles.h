//===- Roles.h - Which arguments are weights --------------------*- C++ -*-===//
//
// Private to the library.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_OUTLINE_ROLES_H
#define KERNELCLAW_LIB_OUTLINE_ROLES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kclaw::outline {

/// Sets `claw.role` of arguments that stand where layers have their weights and
/// running statistics, when no argument of the function has one yet.
void inferRoles(mlir::func::FuncOp function);

} // namespace kclaw::outline

#endif // KERNELCLAW_LIB_OUTLINE_ROLES_H
