//===- HostExpr.h - Host integers as plan expressions -----------*- C++ -*-===//
//
// Index arithmetic that kclaw-linalg-to-gpu left on the host, over dimensions
// and integer arguments, as the text of an Expr.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELCLAW_LIB_PLANEXPORT_HOSTEXPR_H
#define KERNELCLAW_LIB_PLANEXPORT_HOSTEXPR_H

#include "kernelclaw/Plan/Expr.h"

#include "mlir/IR/Value.h"

#include <functional>

namespace kclaw {

/// Names of host arguments: `dim` of a memref, or the scalar itself (dim -1).
/// Empty when it has none.
using ArgumentName =
    std::function<std::string(mlir::BlockArgument argument, int64_t dim)>;

/// Fails without a diagnostic: the caller knows what the value is for.
mlir::FailureOr<Expr> hostExpr(mlir::Value value, const ArgumentName &name);

/// The product of `a` and `b`; one that is 1 vanishes.
Expr multiply(const Expr &a, const Expr &b);

} // namespace kclaw

#endif // KERNELCLAW_LIB_PLANEXPORT_HOSTEXPR_H
